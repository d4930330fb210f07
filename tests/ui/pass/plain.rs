use ludwire::tool;

/// Spawns.
#[tool("world/spawn")]
fn spawn() {}

fn main() {}
