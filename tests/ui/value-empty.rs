use ludwire::tool;

/// Spawns.
#[tool("world/spawn", title = "", tags = ["", "a", "a"], version = " ")]
fn spawn(#[arg(rename = "")] count: u32) {
    let _ = count;
}

fn main() {}
