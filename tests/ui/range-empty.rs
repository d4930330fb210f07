use ludwire::tool;

/// Spawns.
#[tool("world/spawn")]
fn spawn(
    #[arg(range = 10..=1)] a: u32,
    #[arg(range = 5..5)] b: u32,
    #[arg(len = ..0)] c: String,
    #[arg(range = ..)] d: u32,
    #[arg(range = 1.5..=1.0)] e: f32,
) {
    let _ = (a, b, c, d, e);
}

fn main() {}
