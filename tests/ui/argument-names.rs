use ludwire::tool;

/// Builds.
#[tool("world/build")]
fn build(
    größe: u32,
    #[arg(rename = "the width")] width: u32,
    a_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on: u32,
    #[arg(rename = "depth")] height: u32,
    depth: u32,
) {
    let _ = (größe, width, height, depth);
    let _ = a_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on;
}

fn main() {}
