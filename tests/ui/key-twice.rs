use ludwire::tool;

/// Spawns.
#[tool("world/spawn", class = sensor, class = actuator)]
fn spawn(
    #[arg(range = 1..=3)]
    #[arg(range = 1..=4)]
    count: u32,
) {
    let _ = count;
}

fn main() {}
