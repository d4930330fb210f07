use ludwire::tool;

/// Spawns.
#[tool("world/spawn", title, tags("spawn"), deprecated = true, version = 1.0)]
fn spawn(#[arg(range)] count: u32, #[arg] other: u32, #[arg = 3] third: u32) {
    let _ = (count, other, third);
}

fn main() {}
