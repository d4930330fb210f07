use ludwire::{tool, tools};

struct World;

/// Spawns.
#[tool("world/spawn")]
#[tool("world/spawn_more")]
fn spawn(#[arg(default = 1)] count: u32) {
    let _ = count;
}

#[tools]
impl World {
    /// Looks.
    #[tool("world/look")]
    #[tool("world/see")]
    fn look(&self) {}
}

fn main() {
    World.look();
}
