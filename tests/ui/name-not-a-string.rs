use ludwire::tool;

/// Spawns.
#[tool(world/spawn)]
fn by_path() {}

/// Spawns.
#[tool(concat!("world/", "spawn"))]
fn by_macro() {}

/// Spawns.
#[tool(name = "world/spawn")]
fn by_key() {}

/// Spawns.
#[tool(class = sensor, "world/spawn")]
fn not_first() {}

const NAME: &str = "world/spawn";

/// Spawns.
#[tool(NAME, class = sensor)]
fn by_constant() {}

fn main() {
    let _ = NAME;
}
