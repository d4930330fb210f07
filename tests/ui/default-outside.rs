use ludwire::tool;

/// Spawns.
#[tool("world/spawn")]
fn spawn(
    #[arg(default = 0, range = 1..=100)] hp: u32,
    #[arg(default = -0.5, range = 0.0..=1.0)] luck: f32,
    #[arg(default = "", len = 1..)] name: String,
    #[arg(default = "Orc", pattern = "^[a-z]+$")] kind: String,
) {
    let _ = (hp, luck, name, kind);
}

fn main() {}
