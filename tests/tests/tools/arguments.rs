//! What becomes of arguments, given as a value and as text.

use super::{Arena, call, host};
use ludwire::{ToolError, ToolErrorKind, tool};
use serde_json::{Value, json};
use std::collections::BTreeMap;

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
            ("/label", "must match ^[a-z]+$, found \"B\""),
            ("/luck", "must be at most 1.5, found 2"),
            ("/tags", "must have at most 2 items, has 3"),
            ("/tags/1", "must be a string, found 1"),
            ("/lukc", "unknown argument, did you mean `luck`?"),
        ])
    );
    assert_eq!(problems("world/spawn", json!({})), pairs([("/at", "is missing")]));
    // Of a long text as much is told as shows which it is.
    let long = "Ä\"".repeat(1000);
    let found = format!("must match ^[a-z]+$, found \"{}…\"", "Ä\\\"".repeat(20));
    assert_eq!(
        problems("world/spawn", json!({ "at": { "x": 1, "y": 2 }, "label": long })),
        pairs([("/label", "must have at most 5 characters, has 2000"), ("/label", found.as_str())])
    );
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

/// Takes numbers of several types.
#[tool("number/types")]
fn types(_arena: &mut Arena, n: i32, count: u32, whole: i16, byte: u8, large: u64, given: String) {
    let _ = (n, count, whole, byte, large, given);
    _arena.log.push("it ran".to_owned());
}

#[test]
fn each_bad_argument_is_named() {
    let wrong = json!({ "n": "x", "count": -1, "whole": 3.5, "byte": 300, "large": "3.5" });
    assert_eq!(
        problems("number/types", wrong),
        pairs([
            ("/n", "must be a whole number, found \"x\""),
            ("/count", "must be at least 0, found -1"),
            ("/whole", "must be a whole number, found 3.5"),
            ("/byte", "must be at most 255, found 300"),
            (
                "/large",
                "must be a whole number from 0 to 18446744073709551615, as a decimal string, found \"3.5\"",
            ),
            ("/given", "is missing"),
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

/// Takes what it knows.
#[tool("text/lenient", lenient)]
fn lenient(#[arg(alias = "old")] new: Option<Vec<super::Point>>, name: Option<String>) -> String {
    format!("{} {name:?}", new.unwrap_or_default().len())
}

fn call_json(name: &str, arguments: &str) -> Result<Value, ToolError> {
    host().call_json(&mut Arena::default(), name, arguments)
}

#[test]
fn text_is_read_as_values_are() {
    for (text, result) in [
        (r#"{"new":[{"x":1,"y":2},{"y":3,"x":4}]}"#, "2 None"),
        (" { \"new\" : [ ] , \"n\\u0061me\" : \"a\\\"\\ud83c\\udfae\" } ", "0 Some(\"a\\\"🎮\")"),
        (r#"{"name":"🎮","old":null}"#, "0 Some(\"🎮\")"),
        // What a plan does not take is right for all that.
        (r#"{"new":[{"x":1.0,"y":2,"z":3}],"more":1,"more":[{}]}"#, "1 None"),
        ("{}", "0 None"),
    ] {
        assert_eq!(call_json("text/lenient", text), Ok(json!({ "result": result })), "{text}");
    }
}

#[test]
fn what_only_text_can_have_is_told() {
    let deep = format!(r#"{{"name":{}{}}}"#, "[".repeat(128), "]".repeat(128));
    for (text, error) in [
        (r#"{"name":"a","name":"a"}"#, "/name: is given twice"),
        (r#"{"name":"a","n\u0061me":null}"#, "/name: is given twice"),
        (r#"{"old":[],"new":[]}"#, "/old: is given twice, as `new` and as `old`"),
        (
            r#"{"new":[{"x":1,"y":2},{"x":1,"y":2,"x":"a"}],"name":1}"#,
            "/new/1/x: is given twice; /new/1/x: must be a whole number, found \"a\"; \
             /name: must be a string, found 1",
        ),
        (r#"{"new":[{"x":1e999,"y":2}]}"#, "/new/0/x: number out of range"),
        (r#"{"name":"\ud800"}"#, "/name: unexpected end of hex escape"),
        (deep.as_str(), "nested too deep"),
        (r#"{"\ud800":1}"#, "arguments are no JSON"),
        ("[]", "arguments are an object, with a member for each"),
        ("null", "arguments are an object, with a member for each"),
        ("{", "arguments are no JSON: EOF while parsing an object at line 1 column 1"),
        ("", "arguments are no JSON: EOF while parsing a value at line 1 column 0"),
        ("{} {}", "arguments are no JSON: trailing characters at line 1 column 4"),
    ] {
        let told = call_json("text/lenient", text).expect_err(text);
        assert_eq!(told.kind(), ToolErrorKind::InvalidArguments, "{text}");
        assert!(told.to_string().ends_with(error), "{text}: {told}");
    }
}

#[test]
fn problems_have_an_end() {
    for (count, last) in [(80, "; and 17 more"), (1000, "; and more")] {
        let text = format!(r#"{{"name":{}1}}"#, r#"1,"name":"#.repeat(count));
        let error = call_json("text/lenient", &text).expect_err("it is wrong");
        assert_eq!(error.problems().len(), 65, "the last one tells of the others");
        assert!(error.to_string().ends_with(&format!("/name: is given twice{last}")), "{error}");
    }
}

/// Takes maps.
#[tool("map/take", lenient)]
fn take(
    small: Option<BTreeMap<u8, u8>>,
    signed: Option<BTreeMap<i64, u8>>,
    nested: Option<Vec<BTreeMap<u32, u8>>>,
) {
    let _ = (small, signed, nested);
}

#[test]
fn a_map_with_integer_keys_says_what_a_key_is() {
    for (text, error) in [
        (
            r#"{"small":{"x":1}}"#,
            "/small/x: is no key of this map, where a key is a whole number from 0 to 255",
        ),
        (
            r#"{"small":{"256":1}}"#,
            "/small/256: is no key of this map, where a key is a whole number from 0 to 255",
        ),
        (
            r#"{"signed":{"x":1}}"#,
            "/signed/x: is no key of this map, \
             where a key is a whole number from -9223372036854775808 to 9223372036854775807",
        ),
        (
            r#"{"nested":[{"-1":1}]}"#,
            "/nested/0/-1: is no key of this map, where a key is a whole number from 0 to 4294967295",
        ),
    ] {
        let told = call_json("map/take", text).expect_err(text);
        assert_eq!(told.to_string(), format!("invalid arguments: {error}"), "{text}");
    }
    call_json("map/take", r#"{"small":{"255":1},"signed":{"-1":1},"nested":[{"0":1}]}"#)
        .expect("they are keys");
}
