use ludwire::tool;

/// A place.
#[tool("world/point")]
struct Point;

/// Methods.
#[tool("world/methods")]
impl Point {}

trait Spawn {
    /// Spawns.
    #[tool("world/spawn")]
    fn spawn();
}

fn main() {
    let _ = Point;
}
