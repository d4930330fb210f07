use ludwire::{observe, resource, state};

struct World;
struct Clock;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Seen {}

/// A unit.
#[resource("gabp://game/{id}")]
fn generic<T: Into<u32>>(id: T) -> u32 {
    id.into()
}

/// All units.
#[resource("gabp://game/units")]
fn some_type(_: &World) -> impl Iterator<Item = u32> {
    0..3
}

/// The clock.
#[state("clock")]
unsafe fn dangerous(_: &World) -> u32 {
    0
}

#[state("clock", write)]
const fn constant(_: &mut World, clock: u32) {
    let _ = clock;
}

#[observe]
fn lasting<'a>(world: &'a World) -> Seen {
    let _ = world;
    Seen {}
}

#[observe]
fn exclusive(_: &mut World, _: &mut Clock) -> Seen {
    Seen {}
}

fn main() {}
