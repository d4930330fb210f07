use ludwire::Event;
use schemars::JsonSchema;
use serde::Serialize;

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
struct UnitMoved {}

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event]
struct Bare {}

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event = "unit/moved"]
struct Equals {}

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event(channel = "unit/moved")]
struct Key {}

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved")]
#[event("unit/gone")]
struct Twice {}

#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved", numbers)]
struct Silent {}

fn main() {}
