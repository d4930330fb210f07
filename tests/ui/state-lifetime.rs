use ludwire::tool;

struct World;

/// Looks.
#[tool("world/look")]
fn look(world: &'static World) {
    let _ = world;
}

fn main() {}
