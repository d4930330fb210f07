//! What the schemas of tools say, and that tools keep to it.

use ludwire::{Host, ToolError, ToolErrorKind, registered, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

struct World;

/// An id.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Id(u64);

/// Integers that JSON numbers do not hold.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Large {
    id: Id,
    list: Vec<i64>,
    by_name: BTreeMap<String, u128>,
    perhaps: Option<i128>,
    #[serde(default)]
    tick: u64,
    size: usize,
}

/// Gives back large integers.
#[tool("large/all")]
fn all(large: Large) -> Large {
    large
}

/// Gives back one.
#[tool("large/one")]
fn one(value: u64) -> u64 {
    value
}

/// Takes one between bounds.
#[tool("large/bounded")]
fn bounded(#[arg(range = -3..=3, default = 2)] value: i64) -> i64 {
    value
}

/// Gives back numbers.
#[tool("large/number", number)]
fn number(
    #[arg(number)] value: u64,
    #[arg(number, default = -3, range = -10..)] signed: i64,
    #[arg(number)] list: Option<Vec<Id>>,
) -> Vec<i64> {
    vec![value as i64, signed, list.map_or(0, |list| list[0].0 as i64)]
}

/// Numbers that are none.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind")]
enum Shape {
    Circle { sizes: Vec<Size> },
}

#[derive(Serialize, JsonSchema)]
enum Size {
    Wide(f32, f64),
}

/// Gives infinities.
#[tool("number/infinite")]
fn infinite() -> BTreeMap<String, Shape> {
    let sizes = vec![Size::Wide(0.1, 0.1), Size::Wide(1.0, f64::NEG_INFINITY)];
    BTreeMap::from_iter([("a/b".to_owned(), Shape::Circle { sizes })])
}

/// Gives none.
#[tool("number/nan")]
fn nan() -> Option<f32> {
    Some(f32::NAN)
}

/// Gives the shortest number.
#[tool("number/short")]
fn short() -> (f32, f32) {
    (0.1, f32::MAX)
}

/// Gives more than a JSON number holds.
#[tool("number/size")]
fn size() -> usize {
    usize::MAX
}

/// Each pair can be two things, and each of them holds pairs.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only what it reads matters")]
enum Maze {
    Left { next: Box<Maze>, left: u8 },
    Right { next: Box<Maze>, right: Option<u8> },
    End,
}

/// Takes a maze.
#[tool("hostile/maze")]
fn maze(maze: Maze) {
    let _ = maze;
}

/// Takes many.
#[tool("hostile/set")]
fn set(set: BTreeSet<u32>) -> usize {
    set.len()
}

fn host() -> Host<World> {
    Host::builder("World", "1").tools(registered()).build().expect("the tools of this file go together")
}

fn call(name: &str, arguments: Value) -> Result<Value, ToolError> {
    host().call(&mut World, name, arguments)
}

fn described(name: &str) -> Value {
    let manifest = host().manifest();
    let tools = manifest["tools"].as_array().expect("a list of tools");
    tools.iter().find(|tool| tool["name"] == name).expect("the tool is listed").clone()
}

#[test]
fn large_integers_are_strings() {
    let exact = "9007199254740993";
    let [most, below] = [u128::MAX.to_string(), i128::MIN.to_string()];
    let large = json!({
        "id": exact,
        "list": ["-9223372036854775808", "0"],
        "by_name": { "a": most },
        "perhaps": below,
        "tick": "18446744073709551615",
        "size": 9_007_199_254_740_991_i64,
    });
    assert_eq!(call("large/all", json!({ "large": large })), Ok(large.clone()));
    assert_eq!(call("large/one", json!({ "value": exact })), Ok(json!({ "result": exact })));
    // Numbers are read too, and no others than the strings would be.
    let mut numbers = large.clone();
    numbers["id"] = json!(9_007_199_254_740_993_u64);
    numbers["list"] = json!([i64::MIN, 0.0]);
    assert_eq!(call("large/all", json!({ "large": numbers })), Ok(large));
    for wrong in [
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!("-1"),
        json!("01"),
        json!("1.0"),
        json!(""),
        json!(null),
        json!(true),
    ] {
        let error = call("large/one", json!({ "value": wrong })).expect_err("it is none");
        assert_eq!(error.problems()[0].pointer, "/value");
    }
    let error = call("large/one", json!({ "value": "18446744073709551616" })).expect_err("it has 65 bits");
    assert_eq!(
        error.to_string(),
        "invalid arguments: /value: must be a whole number from 0 to 18446744073709551615, \
         as a decimal string, found \"18446744073709551616\""
    );
    let schema = &described("large/all")["inputSchema"]["properties"]["large"]["properties"];
    for place in ["/id", "/list/items", "/by_name/additionalProperties", "/perhaps", "/tick"] {
        let place = schema.pointer(place).expect("it is described");
        assert_eq!(place["type"], "string", "{schema}");
        assert!(place["pattern"].is_string() && place.get("format").is_none(), "{schema}");
    }
    assert_eq!(schema["tick"]["default"], "0");
    assert_eq!(schema["size"], json!({ "type": "integer", "minimum": 0, "maximum": (1_i64 << 53) - 1 }));
    let bounded = &described("large/bounded")["inputSchema"]["properties"]["value"];
    assert_eq!(*bounded, json!({ "type": "string", "pattern": "^(0|-?[1-3])$", "default": "2" }));
    assert_eq!(call("large/bounded", json!({})), Ok(json!({ "result": "2" })));
    assert!(call("large/bounded", json!({ "value": 4 })).is_err());
}

#[test]
fn large_integers_are_numbers_where_that_is_wanted() {
    let most = (1_i64 << 53) - 1;
    let tool = described("large/number");
    let properties = &tool["inputSchema"]["properties"];
    assert_eq!(properties["value"], json!({ "type": "integer", "minimum": 0, "maximum": most }));
    assert_eq!(
        properties["signed"],
        json!({ "type": "integer", "minimum": -10, "maximum": most, "default": -3 })
    );
    assert_eq!(properties["list"]["items"]["type"], "integer");
    assert_eq!(tool["outputSchema"]["properties"]["result"]["items"]["type"], "integer");
    let right = json!({ "value": most, "list": [7] });
    assert_eq!(call("large/number", right), Ok(json!({ "result": [most, -3, 7] })));
    for wrong in [json!({ "value": "1" }), json!({ "value": most + 1 }), json!({ "value": 1, "signed": -11 })]
    {
        assert!(call("large/number", wrong).is_err());
    }
}

#[test]
fn results_are_held_to_what_json_has() {
    for (name, why) in [
        (
            "number/infinite",
            "the result is no JSON: /a~1b/sizes/1/Wide/1: must be a finite number, found -inf",
        ),
        ("number/nan", "the result is no JSON: /result: must be a finite number, found NaN"),
        (
            "number/size",
            "the result is not what its schema says: /result: must be at most 9007199254740991, \
             found 18446744073709551615",
        ),
    ] {
        let error = call(name, json!({})).expect_err("it is no JSON");
        assert_eq!((error.kind(), error.message()), (ToolErrorKind::Internal, why));
    }
    assert_eq!(call("number/short", json!({})), Ok(json!({ "result": [0.1, 3.4028235e38] })));
}

/// Whatever a peer sends, the game goes on soon.
#[test]
fn checks_end() {
    let start = std::time::Instant::now();
    // Right or wrong, each step would be tried both ways.
    for end in [json!(null), json!(1)] {
        let maze = (0..100).fold(end, |next, _| json!({ "next": next, "right": 0 }));
        let error = call("hostile/maze", json!({ "maze": maze })).expect_err("it never ends");
        assert!(error.to_string().contains("is too large to be held to its schema"), "{error}");
    }
    let many: Vec<u32> = (0..100_000).collect();
    assert_eq!(call("hostile/set", json!({ "set": many })), Ok(json!({ "result": 100_000 })));
    assert!(call("hostile/set", json!({ "set": [1, 2, 1.0] })).is_err());
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "it took {:?}", start.elapsed());
}

/// Types whose schemas say something else than they do.
mod contradictions {
    use super::*;
    use ludwire::BuildError;
    use std::collections::BTreeMap;

    struct Refusing;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only what it reads matters")]
    struct NotOptional {
        #[serde(deserialize_with = "number")]
        value: Option<u8>,
    }

    fn number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
        Option::deserialize(deserializer)
    }

    /// serde knows no 128 bits where it must look at the tag first.
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "type")]
    #[expect(dead_code, reason = "only what it reads matters")]
    enum Tagged {
        Wide { value: u128 },
    }

    struct Lie;

    impl JsonSchema for Lie {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "Lie".into()
        }

        fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({ "type": "string", "enum": ["a"], "if": { "maxLength": 3 } })
        }
    }

    impl<'de> Deserialize<'de> for Lie {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            u8::deserialize(deserializer).map(|_| Self)
        }
    }

    type Seconds = f32;

    /// Waits.
    #[tool("contradiction/wait")]
    fn wait(_state: &Refusing, timeout: Seconds, #[arg(number)] words: String) {
        let _ = (timeout, words);
    }

    /// Says too much.
    #[tool("contradiction/all")]
    fn all(
        _state: &Refusing,
        chars: BTreeMap<char, u8>,
        flags: Option<BTreeMap<bool, u8>>,
        optional: NotOptional,
        tagged: Vec<Tagged>,
        lie: Lie,
    ) {
        let _ = (chars, flags, optional, tagged, lie);
    }

    #[test]
    fn are_refused_by_the_builder() {
        let built = Host::<Refusing>::builder("Refusing", "1").tools(registered()).build();
        let Err(BuildError::Setting(text)) = built else { panic!("it was built") };
        for part in [
            r#"the argument `chars` is not read as its schema says: {"":0} is refused, at /:"#,
            "the argument `flags` is not read as its schema says:",
            "the argument `optional` is not read as its schema says: {} is refused, as a whole: missing field `value`",
            r#"the argument `tagged` is not read as its schema says: [{"type":"Wide","value":"0"}] is refused, at /0:"#,
            "the argument `lie` is not read as its schema says: \"a\" is refused",
            "the argument `timeout` is no whole number, as bridges expect of that name",
            "the argument `words` has `number`, but there are no integers of 64 bits or more in its type",
            "the schema of the argument `lie` has `if`, which arguments are not held to",
        ] {
            assert!(text.contains(part), "{part}\n{}", text.replace("; ", "\n"));
        }
    }
}

/// A tile.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Tile {
    x: i32,
    y: i32,
}

/// Goes from one tile to another, by others.
#[tool("tile/go")]
fn go(from: Tile, to: Tile, by: Vec<Tile>) -> Vec<Tile> {
    by.into_iter().chain([from, to]).collect()
}

#[test]
fn references_are_kept_where_that_is_asked_for() {
    let schema = |keeps: bool| {
        let builder = Host::<()>::builder("Tiles", "1").tools(registered().only(["tile/go"]));
        let host = if keeps { builder.keep_references() } else { builder }.build().expect("it is built");
        host.manifest()["tools"][0]["inputSchema"].clone()
    };
    let (inlined, kept) = (schema(false), schema(true));
    assert!(!inlined.to_string().contains("$ref") && !inlined.to_string().contains("$defs"), "{inlined}");
    let mut tile = kept["$defs"]["From"].clone();
    tile["description"] = json!("A tile.");
    assert_eq!(tile, inlined["properties"]["to"], "{kept}");
    let to = json!({ "$ref": "#/$defs/From", "description": "A tile." });
    assert_eq!((&kept["properties"]["to"], &kept["properties"]["by"]["items"]), (&to, &to), "{kept}");
    let [inlined, kept] =
        [inlined, kept].map(|schema| jsonschema::validator_for(&schema).expect("it is one"));
    let tile = json!({ "x": 1, "y": 2 });
    for (document, fits) in [
        (json!({ "from": tile, "to": tile, "by": [tile] }), true),
        (json!({ "from": tile, "to": { "x": 1 }, "by": [] }), false),
        (json!({ "from": tile, "to": tile, "by": [{ "x": 1, "y": "2" }] }), false),
        (json!({ "from": tile, "to": tile, "by": [], "more": 1 }), false),
    ] {
        assert_eq!((inlined.is_valid(&document), kept.is_valid(&document)), (fits, fits), "{document}");
    }
}
