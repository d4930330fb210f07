//! Tools as a game writes them, called through a host.

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

/// Gives what is no JSON.
#[tool("schema/no_json")]
fn no_json() -> BTreeMap<Vec<u8>, u8> {
    BTreeMap::from_iter([(vec![1], 1)])
}

fn host() -> Host<Arena> {
    Host::builder("Arena", "1").tools(registered()).build().expect("the tools of this file go together")
}

fn call(name: &str, arguments: Value) -> Result<Value, ToolError> {
    host().call(&mut Arena::default(), name, arguments)
}

/// Pointers and messages of what is wrong.
fn problems(name: &str, arguments: Value) -> Vec<(String, String)> {
    let mut arena = Arena::default();
    let error = host().call(&mut arena, name, arguments).expect_err("the arguments are wrong");
    assert_eq!(error.kind(), ToolErrorKind::InvalidArguments);
    assert!(arena.log.is_empty(), "the tool ran");
    for problem in error.problems() {
        assert!(error.to_string().contains(&problem.pointer), "{error}");
    }
    error.problems().iter().map(|problem| (problem.pointer.clone(), problem.message.clone())).collect()
}

fn pairs<const N: usize>(expected: [(&str, &str); N]) -> Vec<(String, String)> {
    expected.iter().map(|(pointer, message)| ((*pointer).to_owned(), (*message).to_owned())).collect()
}

fn described(name: &str) -> Value {
    let manifest = host().manifest();
    let tools = manifest["tools"].as_array().expect("a list of tools");
    tools.iter().find(|tool| tool["name"] == name).expect("the tool is listed").clone()
}

fn properties(name: &str) -> Value {
    described(name)["inputSchema"]["properties"].clone()
}

#[test]
fn defaults_stand_in() {
    let mut arena = Arena::default();
    let host = host();
    let mut spawn = |arguments| host.call(&mut arena, "world/spawn", arguments);
    let at = json!({ "x": 1, "y": 2 });
    assert_eq!(spawn(json!({ "at": at })), Ok(json!({ "result": 10 })));
    assert_eq!(spawn(json!({ "at": at, "hp": null, "label": null })), Ok(json!({ "result": 10 })));
    let all = json!({ "at": at, "kind": "elf", "hp": 100, "label": "bob", "luck": -1, "tags": ["a", "b"] });
    assert_eq!(spawn(all), Ok(json!({ "result": 100 })));
    assert_eq!(
        arena.log,
        [
            "Orc 10 None 0.5 None 1,2",
            "Orc 10 None 0.5 None 1,2",
            r#"Elf 100 Some("bob") -1 Some(["a", "b"]) 1,2"#,
        ]
    );
}

#[test]
fn a_failing_tool_says_why() {
    let error = call("world/spawn", json!({ "at": { "x": 13, "y": 0 } })).expect_err("it fails");
    assert_eq!((error.kind(), error.message()), (ToolErrorKind::Failed, "unlucky"));
    let error = call("schema/no_json", json!({})).expect_err("a list is no key");
    assert_eq!(error.kind(), ToolErrorKind::Internal);
}

#[test]
fn every_problem_is_told_at_once() {
    let wrong = json!({
        "at": { "x": "1", "z": 3 },
        "kind": "ork",
        "hp": 101,
        "label": "B",
        "luck": 2,
        "tags": ["a", 1, "c"],
        "lukc": 1,
    });
    assert_eq!(
        problems("world/spawn", wrong),
        pairs([
            ("/at/y", "is missing"),
            ("/at/x", "must be a whole number, found \"1\""),
            ("/at/z", "unknown member, expected one of `x`, `y`"),
            ("/kind", "must be one of \"elf\", \"orc\", found \"ork\"; did you mean \"orc\"?"),
            ("/hp", "must be at most 100, found 101"),
            ("/label", "must have at least 2 characters, has 1"),
            ("/label", "must match ^[a-z]+$"),
            ("/luck", "must be at most 1.5, found 2"),
            ("/tags", "must have at most 2 items, has 3"),
            ("/tags/1", "must be a string, found 1"),
            ("/lukc", "unknown argument, did you mean `luck`?"),
        ])
    );
    assert_eq!(problems("world/spawn", json!({})), pairs([("/at", "is missing")]));
    assert_eq!(
        problems("schema/nothing", json!({ "a": 1 })),
        pairs([("/a", "unknown argument, there is none")])
    );
}

#[test]
fn numbers_are_held_to_their_types() {
    let right = json!({ "byte": 1.0, "small": 1e2, "ratio": 1, "many": [1, 2], "list": null });
    assert_eq!(call("schema/numbers", right), Ok(json!({})));
    let wrong =
        json!({ "byte": 300, "small": -1, "ratio": "1", "many": [1, 2, 3], "list": [1.5, 40000, null] });
    assert_eq!(
        problems("schema/numbers", wrong),
        pairs([
            ("/byte", "must be at most 255, found 300"),
            ("/small", "must be a whole number from 0 to 1000, as a decimal string, found -1"),
            ("/ratio", "must be a number, found \"1\""),
            ("/many", "must have at most 2 items, has 3"),
            ("/list/0", "must be a whole number, found 1.5"),
            ("/list/1", "must be at most 32767, found 40000"),
            ("/list/2", "must be a whole number, found null"),
        ])
    );
}

#[test]
fn enums_take_one_form() {
    for (shape, right) in [
        (json!("Dot"), true),
        (json!({ "Circle": { "radius": 1 } }), true),
        (json!({ "Box": [1, "a"] }), true),
        // What serde takes beside that, and the schema does not.
        (json!({ "Dot": null }), false),
        (json!({ "Circle": [1] }), false),
        (json!({ "Circle": { "radius": 1 }, "Box": [1, "a"] }), false),
    ] {
        let result = call("schema/shape", json!({ "shape": shape, "more": [] }));
        assert_eq!(result.is_ok(), right, "{shape}: {result:?}");
    }
    assert_eq!(
        problems("schema/shape", json!({ "shape": { "Circle": { "radius": 256 } }, "more": ["Dot", "Dto"] })),
        pairs([
            ("/shape/Circle/radius", "must be at most 255, found 256"),
            (
                "/more/1",
                "must be \"Dot\" or an object with \"Circle\" or an object with \"Box\", found \"Dto\"",
            ),
        ])
    );
}

#[test]
fn trees_are_held_to_their_schema_at_every_depth() {
    let right = json!({ "name": "a", "children": [{ "name": "b", "children": [{ "name": "c" }] }] });
    assert!(call("schema/tree", json!({ "tree": right })).is_ok());
    let wrong = json!({ "name": "a", "children": [{ "name": "b", "children": [{ "nam": "c" }] }] });
    assert_eq!(
        problems("schema/tree", json!({ "tree": wrong })),
        pairs([
            ("/tree/children/0/children/0/name", "is missing"),
            ("/tree/children/0/children/0/nam", "unknown member, did you mean `name`?"),
        ])
    );
}

#[test]
fn results_are_objects() {
    assert_eq!(call("schema/nothing", json!({})), Ok(json!({})));
    assert_eq!(call("schema/nothing", Value::Null), Ok(json!({})));
    assert_eq!(call("schema/list", json!({})), Ok(json!({ "result": [{ "x": 1, "y": 2 }] })));
    assert_eq!(call("schema/perhaps", json!({ "yes": false })), Ok(json!({ "result": null })));
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
    assert_eq!(perhaps["properties"]["result"]["type"], json!(["object", "null"]));
}

#[test]
fn a_tool_is_described_as_written() {
    let tool = described("world/spawn");
    assert_eq!(tool["description"], "Spawns a creature.\n\n- one at a time\n  - or none");
    assert_eq!(tool["title"], "World: spawn");
    assert_eq!(tool["tags"], json!(["spawn", "generator"]));
    assert_eq!(tool["version"], "1.0");
    assert_eq!(tool["inputSchema"]["required"], json!(["at"]));
    assert_eq!(
        tool["inputSchema"]["properties"],
        json!({
            "at": {
                "type": "object",
                "description": "Where, in tiles.",
                "properties": {
                    "x": {
                        "type": "integer",
                        "description": "Tiles to the right.",
                        "minimum": i32::MIN,
                        "maximum": i32::MAX,
                    },
                    "y": { "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX },
                },
                "required": ["x", "y"],
                "additionalProperties": false,
            },
            "kind": {
                "type": "string",
                "description": "What to spawn.\n\n- `orc`: Big and angry.",
                "enum": ["elf", "orc"],
                "default": "orc",
            },
            "hp": { "type": "integer", "minimum": 1, "maximum": 100, "default": 10 },
            "label": { "type": "string", "minLength": 2, "maxLength": 5, "pattern": "^[a-z]+$" },
            "luck": { "type": "number", "minimum": -1.5, "maximum": 1.5, "default": 0.5 },
            "tags": { "type": "array", "items": { "type": "string" }, "maxItems": 2 },
        })
    );
    assert_eq!(
        described("schema/nothing")["inputSchema"],
        json!({ "type": "object", "properties": {}, "additionalProperties": false })
    );
}

#[test]
fn schemas_are_plain() {
    let value = properties("schema/everything")["value"].clone();
    assert_eq!(value["required"], json!(["pair", "mixed", "json", "map"]));
    let any = json!({ "description": "Any JSON value." });
    let text = json!({ "type": "string" });
    let byte = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
    let float = json!({ "type": "number", "minimum": -3.4028235e38, "maximum": 3.4028235e38 });
    let mut expected = json!({
        "kind": {
            "type": "string",
            "description": "What it is.\n\n- `orc`: Big and angry.",
            "enum": ["elf", "orc"],
        },
        "text": text,
        "pair": { "type": "array", "items": float, "minItems": 2, "maxItems": 2 },
        "mixed": {
            "type": "array",
            "prefixItems": [byte, text],
            "items": { "anyOf": [byte, text] },
            "minItems": 2,
            "maxItems": 2,
        },
        "json": any,
        "map": { "type": "object", "additionalProperties": any },
        "count": { "type": "integer", "minimum": 0, "maximum": 65535, "default": 0 },
        "type": { "type": "string", "description": "Fields of these names survive." },
        "title": text,
        "format": text,
        "$ref": text,
    });
    expected["point"] = properties("world/spawn")["at"].clone();
    expected["point"].as_object_mut().expect("an object").remove("description");
    assert_eq!(value["properties"], expected);
    assert_eq!(value["additionalProperties"], false);

    let minimal = json!({ "pair": [1, 2], "mixed": [1, "a"], "json": null, "map": {} });
    assert!(call("schema/everything", json!({ "value": minimal })).is_ok());
    let mut nulls = minimal.clone();
    for name in ["kind", "point", "text", "type", "title", "format", "$ref"] {
        nulls[name] = Value::Null;
    }
    assert!(call("schema/everything", json!({ "value": nulls })).is_ok());
}

#[test]
fn only_recursion_has_references() {
    for tool in host().manifest()["tools"].as_array().expect("a list of tools") {
        let has_references = tool.to_string().contains("#/$defs/");
        assert_eq!(has_references, tool["name"] == "schema/tree", "{tool}");
    }
    let schema = &described("schema/tree")["inputSchema"];
    assert!(schema["$defs"]["Node"]["properties"]["name"].is_object(), "{schema}");
    assert_eq!(schema["$defs"]["Node"]["additionalProperties"], false);
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
            "the tool `defect/default` at tests/tests/tools.rs:",
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

    #[test]
    fn name_both_places() {
        let built = Host::<Twice>::builder("Twice", "1").tools(registered()).build();
        let Err(BuildError::Clashes(clashes)) = built else { panic!("it was built") };
        let [clash] = clashes.as_slice() else { panic!("{clashes:?}") };
        let places = [LINE, LINE + 4].map(|line| format!("{}:{line}:12", file!()));
        assert_eq!(
            clash.to_string(),
            format!(
                "the tools `clash/a/b` at {} and `clash/a_b` at {} both become `clash_a_b`",
                places[1], places[0]
            )
        );
    }
}
