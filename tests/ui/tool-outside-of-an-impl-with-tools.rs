use ludwire::tool;

struct World;

impl World {
    /// Adds. Nothing here tells the macro that it is in an `impl`.
    #[tool("world/add")]
    fn add(a: u32, b: u32) -> u32 {
        a + b
    }
}

fn main() {
    let _ = World::add(1, 2);
    let _ = World;
}
