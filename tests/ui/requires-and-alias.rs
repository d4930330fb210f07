use ludwire::tool;

/// Spawns.
#[tool("world/spawn", requires = [1, "a", "a", ""])]
fn spawn(#[arg(alias = "größe")] size: u32, #[arg(alias = ["n", "size"])] count: u32) {
    let _ = (size, count);
}

fn main() {}
