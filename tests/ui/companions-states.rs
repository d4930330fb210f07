use ludwire::{Call, resource, state, tools};

struct World;
struct Clock;

/// Waits for the world.
#[resource("gabp://game/wait")]
async fn wait(call: &Call, world: &mut World) -> u32 {
    let _ = (call, world);
    0
}

/// Waits for the world.
#[resource("gabp://game/look")]
async fn look(world: &World) -> u32 {
    let _ = world;
    0
}

/// Two of them.
#[state("two")]
fn two(world: &World, clock: &Clock) -> u32 {
    let _ = (world, clock);
    0
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Seen {}

#[tools]
impl World {
    #[observe]
    fn observe(&self, clock: &Clock) -> Seen {
        let _ = clock;
        Seen {}
    }

    /// Consumes.
    #[resource("gabp://game/consume")]
    fn consume(self) -> u32 {
        0
    }
}

fn main() {
    let _ = World.observe(&Clock);
    let _ = World.consume();
}
