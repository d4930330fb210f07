use ludwire::{observe, resource, state, tool};

/// Both.
#[tool("world/both")]
#[resource("gabp://game/both")]
fn both() -> u32 {
    0
}

/// Twice.
#[state("one")]
#[state("two")]
fn twice() -> u32 {
    0
}

#[observe]
struct Seen;

/// A place.
#[resource("gabp://game/place")]
const PLACE: u32 = 0;

#[state("world")]
impl Seen {}

fn main() {}
