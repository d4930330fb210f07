use ludwire::tool;

/// Spawns.
#[tool("world/spawn")]
unsafe fn spawn() {}

/// Spawns.
#[tool("world/spawn_const")]
const fn spawn_const() {}

/// Spawns.
#[tool("world/spawn_extern")]
pub extern "C" fn spawn_extern() {}

fn main() {}
