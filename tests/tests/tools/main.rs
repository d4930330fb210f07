//! Tools as a game writes them, called through a host.

mod arguments;
mod coercion;
mod descriptions;
mod schemas;

use ludwire::{BuildError, Call, Event, Host, ToolError, ToolErrorKind, registered, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Default)]
struct Arena {
    log: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Point {
    /// Tiles to the right.
    x: i32,
    y: i32,
}

/// What it is.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// Big and angry.
    #[default]
    Orc,
    Elf,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
enum Shape {
    Dot,
    Circle { radius: u8 },
    Box(u8, String),
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Node {
    name: String,
    #[serde(default)]
    children: Vec<Node>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Everything {
    kind: Option<Kind>,
    point: Option<Point>,
    text: Option<String>,
    pair: (f32, f32),
    mixed: (u8, String),
    json: Value,
    map: BTreeMap<String, Value>,
    #[serde(default)]
    count: u16,
    /// Fields of these names survive.
    r#type: Option<String>,
    title: Option<String>,
    format: Option<String>,
    #[serde(rename = "$ref")]
    reference: Option<String>,
}

/// Something is there.
#[derive(Serialize, JsonSchema, Event)]
#[event("world/spawned")]
struct Spawned<'a> {
    at: &'a Point,
}

/// Spawns a creature.
///
/// - one at a time
///   - or none
#[tool("world/spawn", class = generator, tags = ["spawn"], version = "1.0")]
#[expect(clippy::too_many_arguments, reason = "each has another kind of rule")]
fn spawn(
    arena: &mut Arena,
    call: &Call,
    /// Where, in tiles.
    at: Point,
    /// What to spawn.
    #[arg(default)]
    kind: Kind,
    #[arg(default = 10, range = 1..=100)] hp: u32,
    #[arg(len = 2..=5, pattern = "^[a-z]+$", rename = "label")] name: Option<String>,
    #[arg(range = -1.5..=1.5, default = 0.5)] luck: f64,
    #[arg(len = ..3)] tags: Option<Vec<String>>,
) -> Result<u32, ToolError> {
    call.emit(&Spawned { at: &at });
    arena.log.push(format!("{kind:?} {hp} {name:?} {luck} {tags:?} {},{}", at.x, at.y));
    if at.x == 13 { Err("unlucky".into()) } else { Ok(hp) }
}

/// Takes everything.
#[tool("schema/everything")]
fn everything(value: Everything) -> Everything {
    value
}

/// Takes shapes.
#[tool("schema/shape")]
fn shape(shape: Shape, more: Vec<Shape>) -> Shape {
    more.into_iter().last().unwrap_or(shape)
}

/// Takes a tree.
#[tool("schema/tree")]
fn tree(tree: Node, other: Option<Node>) -> Node {
    other.unwrap_or(tree)
}

/// Takes numbers.
#[tool("schema/numbers")]
fn numbers(byte: u8, #[arg(range = 0..=1000)] small: i64, ratio: f32, many: [u8; 2], list: Option<Vec<i16>>) {
    let _ = (byte, small, ratio, many, list);
}

/// Takes nothing, gives nothing.
#[tool("schema/nothing")]
fn nothing() {}

/// Gives a list.
#[tool("schema/list")]
fn list() -> Vec<Point> {
    vec![Point { x: 1, y: 2 }]
}

/// Gives perhaps something.
#[tool("schema/perhaps")]
fn perhaps(yes: bool) -> Option<Point> {
    yes.then_some(Point { x: 1, y: 2 })
}

#[derive(Serialize, JsonSchema)]
enum Maybe {
    Nothing,
    Perhaps(Option<u8>),
    Named { x: Option<u8> },
}

/// Gives perhaps this and perhaps that.
#[tool("schema/maybe")]
fn maybe() -> Vec<Option<Maybe>> {
    let named = |x| Some(Maybe::Named { x });
    vec![None, Some(Maybe::Nothing), Some(Maybe::Perhaps(None)), named(None), named(Some(1))]
}

/// Gives what is no JSON.
#[tool("schema/no_json")]
fn no_json() -> BTreeMap<Vec<u8>, u8> {
    BTreeMap::from_iter([(vec![1], 1)])
}

/// Reads a number; an empty text is a missing one.
#[tool("schema/parsed")]
fn parsed(text: &str, twice: bool) -> Result<u8, Box<dyn std::error::Error>> {
    if text.is_empty() {
        return Err(ToolError::missing("there is no text").retryable().into());
    }
    let once: u8 = text.parse()?;
    let doubled = || once.checked_mul(2).ok_or("is too large");
    Ok(if twice { doubled()? } else { once })
}

/// Reads a number, later.
#[tool("schema/parsed_later")]
async fn parsed_later(text: String) -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
    Ok(text.parse()?)
}

fn host() -> Host<Arena> {
    Host::builder("Arena", "1").tools(registered()).build().expect("the tools of this file go together")
}

fn call(name: &str, arguments: Value) -> Result<Value, ToolError> {
    host().call(&mut Arena::default(), name, arguments)
}

fn described(name: &str) -> Value {
    let manifest = host().manifest();
    let tools = manifest["tools"].as_array().expect("a list of tools");
    tools.iter().find(|tool| tool["name"] == name).expect("the tool is listed").clone()
}

#[test]
fn a_failing_tool_says_why() {
    let error = call("world/spawn", json!({ "at": { "x": 13, "y": 0 } })).expect_err("it fails");
    assert_eq!((error.kind(), error.message()), (ToolErrorKind::Failed, "unlucky"));
    let error = call("schema/no_json", json!({})).expect_err("a list is no key");
    assert_eq!(error.kind(), ToolErrorKind::Internal);
}

#[test]
fn a_box_of_any_error_is_told() {
    let parsed = |text: &str, twice: bool| call("schema/parsed", json!({ "text": text, "twice": twice }));
    assert_eq!(parsed("7", true), Ok(json!({ "result": 14 })));
    let error = parsed("200", true).expect_err("it is too large");
    assert_eq!((error.kind(), error.message()), (ToolErrorKind::Failed, "is too large"));
    let error = parsed("x", false).expect_err("it is no number");
    assert_eq!((error.kind(), error.message()), (ToolErrorKind::Failed, "invalid digit found in string"));
    // An own error stays what it is.
    assert_eq!(parsed("", false), Err(ToolError::missing("there is no text").retryable()));
    let error = call("schema/parsed_later", json!({ "text": "-1" })).expect_err("it is no number");
    assert_eq!((error.kind(), error.message()), (ToolErrorKind::Failed, "invalid digit found in string"));
}

#[test]
fn results_are_objects() {
    assert_eq!(call("schema/nothing", json!({})), Ok(json!({})));
    assert_eq!(call("schema/nothing", Value::Null), Ok(json!({})));
    assert_eq!(call("schema/list", json!({})), Ok(json!({ "result": [{ "x": 1, "y": 2 }] })));
    assert_eq!(call("schema/perhaps", json!({ "yes": false })), Ok(json!({})));
    assert_eq!(call("schema/perhaps", json!({ "yes": true })), Ok(json!({ "result": { "x": 1, "y": 2 } })));
    for tool in host().manifest()["tools"].as_array().expect("a list of tools") {
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{tool}");
        }
    }
    let list = &described("schema/list")["outputSchema"];
    assert_eq!(list["required"], json!(["result"]));
    assert_eq!(list["properties"]["result"]["items"]["properties"]["y"]["type"], "integer");
    let perhaps = &described("schema/perhaps")["outputSchema"];
    assert_eq!(perhaps["properties"]["result"]["type"], "object");
    assert_eq!(perhaps.get("required"), None);
}

#[test]
fn what_a_result_leaves_out_is_left_out() {
    let value = json!({ "pair": [1, 2], "mixed": [1, "a"], "json": null, "map": { "a": null }, "text": "b" });
    let result = call("schema/everything", json!({ "value": value })).expect("it is right");
    // Null is a value of `json`, and of what is in the map.
    let expected = json!({
        "pair": [1.0, 2.0], "mixed": [1, "a"], "json": null, "map": { "a": null }, "text": "b", "count": 0,
    });
    assert_eq!(result, expected);
    let schema = &described("schema/everything")["outputSchema"];
    assert_eq!(schema["required"], json!(["pair", "mixed", "json", "map", "count"]));
    assert_eq!(schema["properties"]["text"], json!({ "type": "string" }));
    assert_eq!(schema["properties"]["kind"]["type"], "string");
    let list = call("schema/maybe", json!({})).expect("it is right");
    // What is told apart by its names has them all.
    let expected =
        json!({ "result": [null, "Nothing", { "Perhaps": null }, { "Named": {} }, { "Named": { "x": 1 } }] });
    assert_eq!(list, expected);
}

/// Defaults and bounds that only show when the schema is there.
mod defects {
    use super::*;

    struct Broken;

    #[derive(Deserialize, JsonSchema)]
    struct Name(#[expect(dead_code, reason = "only its schema matters")] String);

    type Text = String;

    /// A state of its own keeps it away from the other tests.
    #[tool("defect/default")]
    fn default(
        _state: &Broken,
        #[arg(default = 3)] name: Name,
        #[arg(range = 1..=3)] text: Text,
        #[arg(default = "abcd".repeat(2), len = ..=4)] long: Text,
    ) {
        let _ = (name, text, long);
    }

    #[test]
    fn are_told_by_the_builder() {
        let built = Host::<Broken>::builder("Broken", "1").tools(registered()).build();
        let Err(BuildError::Setting(text)) = built else { panic!("it was built") };
        for part in [
            "the tool `defect/default` at tests/tests/tools/main.rs:",
            "the default of the argument `name` cannot be read: invalid type",
            "the argument `text` has `range`, which its type does not go with",
            "the default of the argument `long` must have at most 4 characters, has 8",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}

/// Names that meet.
mod clashes {
    use super::*;

    struct Twice;

    const LINE: u32 = line!() + 3;

    /// Here.
    #[tool("clash/a_b")]
    fn first(_: &Twice) {}

    /// There.
    #[tool("clash/a/b")]
    fn second(_: &Twice) {}

    /// Of one name.
    mod same {
        /// Here.
        #[ludwire::tool("clash/same")]
        fn first(_: &super::Twice) {}

        /// There.
        #[ludwire::tool("clash/same")]
        fn second(_: &super::Twice) {}
    }

    #[test]
    fn name_both_places() {
        let built = Host::<Twice>::builder("Twice", "1").tools(registered()).build();
        let Err(BuildError::Clashes(clashes)) = built else { panic!("it was built") };
        let [clash, same] = clashes.as_slice() else { panic!("{clashes:?}") };
        let place = |line: u32, column: u32| format!("{}:{line}:{column}", file!());
        let places = [place(LINE, 12), place(LINE + 4, 12)];
        assert_eq!(
            clash.to_string(),
            format!(
                "the tools `clash/a/b` at {} and `clash/a_b` at {} both become `clash_a_b`",
                places[1], places[0]
            )
        );
        let places = [place(LINE + 10, 25), place(LINE + 14, 25)];
        assert_eq!(
            same.to_string(),
            format!("two tools are named `clash/same`, at {} and at {}", places[0], places[1])
        );
    }
}
