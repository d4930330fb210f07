use ludwire::{observe, resource, state};
use serde::Serialize;

struct World;

struct Plain;

#[derive(Serialize)]
struct Half {}

/// Somewhere.
#[resource("gabp://game/{place}")]
fn argument(place: Plain) -> u32 {
    let _ = place;
    0
}

/// Somewhere.
#[resource("gabp://game/place")]
fn content() -> Option<Half> {
    None
}

/// Somewhere.
#[state("place")]
fn value(_: &World) -> Result<Plain, String> {
    Ok(Plain)
}

#[state("place", write)]
fn write(_: &mut World, place: Half) -> Result<(), Plain> {
    let _ = place;
    Ok(())
}

#[observe]
fn observation(_: &World) -> Half {
    Half {}
}

fn main() {}
