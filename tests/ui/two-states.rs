use ludwire::{Call, tool};

struct World;
struct Clock;
type Context = Call;

/// Ticks.
#[tool("world/tick")]
fn tick(world: &mut World, _context: &Context, clock: &Clock) {
    let _ = (world, clock);
}

fn main() {}
