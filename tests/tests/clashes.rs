//! A program in which names meet: no host of it can be built.

use ludwire::{BuildError, Clash, Event, Host, registered};
use schemars::JsonSchema;
use serde::Serialize;

/// One.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved")]
struct Moved {}

/// Another.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved")]
struct MovedAgain {}

/// One more.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit-moved/far")]
struct MovedFar {}

/// And more.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved/far")]
struct MovedFarAway {}

#[test]
fn names_that_meet_are_told_with_both_places() {
    let error = Host::<()>::builder("Clashes", "1").tools(registered()).build().expect_err("names meet");
    let BuildError::Clashes(clashes) = &error else { panic!("{error}") };
    let said: Vec<String> = clashes.iter().map(ToString::to_string).collect();
    let places = |clash: &Clash| (clash.locations.0.line, clash.locations.1.line);
    let lines: Vec<(u32, u32)> = clashes.iter().map(places).collect();
    assert_eq!(lines, [(9, 14), (19, 24)], "{said:#?}");
    assert_eq!(
        said[0],
        "two events are named `unit/moved`, at tests/tests/clashes.rs:9:9 and at tests/tests/clashes.rs:14:9"
    );
    assert!(said[1].starts_with("the events `unit-moved/far` at"), "{said:#?}");
    assert!(said[1].ends_with("both become `unit_moved_far`"), "{said:#?}");
}
