//! What the schemas of tools say, and that tools keep to it.

use ludwire::{Host, ToolError, ToolErrorKind, registered, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

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
fn results_are_held_to_what_json_has() {
    for (name, why) in [
        ("number/infinite", "the result is no JSON: /a~1b/sizes/1/Wide/1: JSON has no -inf"),
        ("number/nan", "the result is no JSON: JSON has no NaN"),
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
