use ludwire::{resource, tool};

struct World;

impl World {
    /// Adds. Nothing in the function tells that it is in an `impl`.
    #[tool("world/add")]
    fn add(a: u32, b: u32) -> u32 {
        a + b
    }

    /// Says.
    #[cfg_attr(all(), resource("gabp://game/words"))]
    pub(crate) fn words(#[arg(default = 1)] _count: u32) -> String {
        String::new()
    }
}

mod elsewhere {
    /// Multiplies, as it may.
    #[ludwire::tool("world/multiply")]
    pub(crate) fn multiply(a: u32, b: u32) -> u32 {
        a * b
    }
}

fn main() {
    let _ = World::add(1, 2) + elsewhere::multiply(1, 2);
    let _ = World::words(1);
    let _ = World;
}
