use ludwire::tool;

/// Spawns.
#[tool("world/spawn_a_rather_large_and_very_angry_orc_that_carries_a_wooden_club")]
fn spawn() {}

fn main() {}
