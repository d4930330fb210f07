use ludwire::tool;

struct World;

/// Spawns.
#[tool("world/spawn")]
fn spawn<T: Into<u32>>(count: T) {
    let _ = count.into();
}

/// Spawns.
#[tool("world/spawn_array")]
fn spawn_array<const N: usize>(counts: [u32; N]) {
    let _ = counts;
}

/// Names.
#[tool("world/name")]
fn name<'a>(world: &'a World) -> &'a str {
    let _ = world;
    ""
}

fn main() {}
