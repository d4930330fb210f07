use ludwire::tool;

struct World;
struct Clock;

/// Ticks.
#[tool("world/tick")]
fn tick(world: &mut World, clock: &mut Clock) {
    let _ = (world, clock);
}

fn main() {}
