use ludwire::Event;
use schemars::JsonSchema;
use serde::Serialize;

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event("moved")]
struct OneWord {}

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event("Unit::Moved")]
struct Capitals {}

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event("attention/moved")]
struct Reserved {}

/// Moved.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/has-moved-to-another-place-that-has-a-long-name-but-not-this-long")]
struct Long {}

fn main() {}
