use ludwire::{Call, tool, tools};

struct World;
type W = World;

/// Waits.
#[tool("world/wait")]
async fn wait(_call: &Call, world: &W) {
    let _ = world;
}

/// Waits.
#[tool("world/wait_for")]
async fn wait_for(world: &mut World) {
    let _ = world;
}

#[tools]
impl World {
    /// Waits.
    #[tool("world/wait_here")]
    async fn wait_here(&self) {}
}

fn main() {
    let _ = World.wait_here();
}
