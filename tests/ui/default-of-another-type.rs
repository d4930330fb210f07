use ludwire::tool;

struct Point;

/// Spawns.
#[tool("world/spawn")]
fn spawn(
    #[arg(default = "ten")] hp: u32,
    #[arg(default = 3)] name: String,
    #[arg(default = -1)] count: u8,
    #[arg(default = vec![1])] kind: String,
) {
    let _ = (hp, name, count, kind);
}

fn main() {
    let _ = Point;
}
