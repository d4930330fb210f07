use ludwire::{Event, Host};
use serde::Serialize;

/// Moved.
#[derive(Event)]
#[event("unit/moved")]
struct Moved {}

/// Moved.
#[derive(Serialize, Event)]
#[event("unit/gone")]
struct Gone {}

struct NoEvent {}

fn send(host: &Host<()>) {
    host.emit(&NoEvent {});
}

fn main() {
    let _ = send;
}
