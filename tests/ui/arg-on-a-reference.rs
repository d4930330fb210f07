use ludwire::tool;

struct World;

/// Looks.
#[tool("world/look")]
fn look(#[arg(default)] world: &World) {
    let _ = world;
}

fn main() {}
