use ludwire::tools;

struct World;

#[tools("world", prefix = "world")]
impl World {
    /// Looks.
    #[tool("world/look")]
    fn look(&self) {}
}

#[tools]
impl World {
    /// Looks.
    #[tool = "world/see"]
    fn see(&self) {}

    /// Smells.
    #[tool]
    fn smell(&self) {}

    /// A number.
    #[tool("world/number")]
    const NUMBER: u32 = 1;
}

fn main() {
    World.look();
    World.see();
    World.smell();
    let _ = World::NUMBER;
}
