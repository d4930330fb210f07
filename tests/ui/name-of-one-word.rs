use ludwire::tool;

/// Spawns.
#[tool("spawn_orc")]
fn one_word() {}

/// Spawns.
#[tool("World.SpawnOrc")]
fn another_style() {}

fn main() {}
