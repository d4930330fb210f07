use ludwire::Event;
use schemars::JsonSchema;
use serde::Serialize;

/// Moved, or not.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved")]
enum Moved {
    Far,
    Away(u32),
}

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved")]
struct Tuple(u32, u32);

/// Moved.
#[derive(Event)]
#[event("unit/moved")]
union Bits {
    whole: u32,
    parts: [u8; 4],
}

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved")]
struct Generic<T, const N: usize> {
    what: T,
}

fn main() {}
