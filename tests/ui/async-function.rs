use ludwire::tool;

struct World;

/// Waits.
#[tool("world/wait")]
async fn wait() {}

/// Waits.
#[tool("world/wait_here")]
async fn wait_here(world: &mut World) {
    let _ = world;
}

fn main() {}
