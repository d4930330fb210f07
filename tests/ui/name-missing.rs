use ludwire::tool;

/// Spawns.
#[tool]
fn spawn_orc() {}

fn main() {}
