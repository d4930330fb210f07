use ludwire::tool;

struct World;

impl World {
    /// Spawns.
    #[tool("world/spawn")]
    fn spawn(&mut self, count: u32) {
        let _ = count;
    }

    /// Consumes.
    #[tool("world/consume")]
    fn consume(self) {}

    /// Makes one.
    #[tool("world/make")]
    fn make(world: &Self) {
        let _ = world;
    }
}

fn main() {
    World.spawn(1);
    World::make(&World);
    World.consume();
}
