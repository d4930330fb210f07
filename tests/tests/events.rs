//! Events as a game declares them.

use ludwire::{Event, Host, registered};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;

/// A unit has moved.
///
/// To wherever.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved")]
struct Moved<'a, 'b: 'a> {
    /// Which.
    id: u64,
    /// Where to.
    to: (f32, f32),
    name: Option<&'a str>,
    words: &'a [Cow<'b, str>],
}

/// Nobody plays any more.
#[derive(Serialize, JsonSchema, Event)]
#[event("game/over")]
struct Over;

/// Has numbers.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/counted", number)]
struct Counted {
    count: u64,
}

macro_rules! event {
    ($name:ident, $channel:literal) => {
        /// Made by a macro.
        #[derive(Serialize, JsonSchema, Event)]
        #[event($channel)]
        struct $name {}
    };
}
event!(Made, "macro/made");

/// Is there on some machines only.
#[cfg(any())]
#[derive(Serialize, JsonSchema, Event)]
#[event("macro/made")]
struct Absent {}

fn host() -> Host<()> {
    Host::builder("Events", "1").tools(registered()).build().expect("the events of this file go together")
}

fn described(channel: &str) -> Value {
    let manifest = host().manifest();
    let events = manifest["events"].as_array().expect("a list of events");
    events.iter().find(|event| event["channel"] == channel).expect("the event is listed").clone()
}

#[test]
fn events_are_described() {
    let manifest = host().manifest();
    let events = manifest["events"].as_array().expect("a list of events");
    let channels: Vec<&Value> = events.iter().map(|event| &event["channel"]).collect();
    assert_eq!(channels, ["game/over", "macro/made", "unit/counted", "unit/moved"]);
    let moved = described("unit/moved");
    assert_eq!(moved["title"], "Unit: moved");
    assert_eq!(moved["description"], "A unit has moved.\n\nTo wherever.");
    let schema = &moved["schema"];
    assert_eq!((&schema["type"], schema.get("$schema")), (&json!("object"), None));
    assert_eq!(schema["required"], json!(["id", "to", "words"]));
    let properties = &schema["properties"];
    assert_eq!(properties["id"]["description"], "Which.");
    assert_eq!(properties["id"]["type"], "string");
    assert_eq!((&properties["to"]["minItems"], &properties["to"]["maxItems"]), (&json!(2), &json!(2)));
    assert_eq!(properties["words"], json!({ "type": "array", "items": { "type": "string" } }));
    assert_eq!(described("game/over")["schema"]["additionalProperties"], false);
    assert_eq!(described("unit/counted")["schema"]["properties"]["count"]["type"], "integer");
}

#[test]
fn what_cannot_be_sent_is_logged() {
    let lines = ludwire_tests::log::said("ERROR", || {
        let host = host();
        host.emit(&Moved { id: 1, to: (0.5, f32::NAN), name: None, words: &[] });
        host.emit(&Counted { count: u64::MAX });
        host.emit(&Counted { count: 1 });
        host.emit(&Over);
        let bare = Host::<()>::builder("Bare", "1").build().expect("a host needs no tools");
        bare.emit(&Over);
    });
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert!(
        lines[0].contains("unit/moved") && lines[0].contains("/to/1: must be a finite number, found NaN"),
        "{lines:#?}"
    );
    assert!(lines[1].contains("unit/counted") && lines[1].contains("/count: must be"), "{lines:#?}");
    assert!(lines[2].contains("game/over") && lines[2].contains("the host does not have it"), "{lines:#?}");
}

#[test]
fn what_is_registered_twice_is_one() {
    let host = Host::<()>::builder("Events", "1").tools(registered().only([])).tools(registered().only([]));
    let host = host.build().expect("each event stands once");
    host.add_tools(registered().only([])).expect("each event stands once");
    assert_eq!(host.manifest()["events"].as_array().map(Vec::len), Some(4));
}
