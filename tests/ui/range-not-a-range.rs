use ludwire::tool;

/// Spawns.
#[tool("world/spawn")]
fn spawn(
    #[arg(range = 10)] a: u32,
    #[arg(range = "a"..="b")] b: u32,
    #[arg(len = -1..=5)] c: String,
    #[arg(len = 0.5..)] d: String,
    #[arg(range = 0.0..1.0)] e: f32,
    #[arg(range = 0..=100_000_000_000_000_000_000)] f: f64,
) {
    let _ = (a, b, c, d, e, f);
}

fn main() {}
