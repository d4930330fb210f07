use ludwire::tools;

struct World;
struct Clock;
struct Plain;

#[tools]
impl World {
    /// Consumes.
    #[tool("world/consume")]
    fn consume(self) {}

    /// Consumes.
    #[tool("world/boxed")]
    fn boxed(self: Box<Self>) {}

    /// Takes two states.
    #[tool("world/two")]
    fn two(&self, clock: &Clock) {
        let _ = clock;
    }

    /// Takes what cannot be read.
    #[tool("world/plain")]
    fn plain(&self, plain: Plain) {
        let _ = plain;
    }

    /// Lasts for ever.
    #[tool("world/forever")]
    fn forever(&'static self) {}
}

fn main() {
    World.consume();
    Box::new(World).boxed();
    World.two(&Clock);
    World.plain(Plain);
    static WORLD: World = World;
    WORLD.forever();
}
