//! Agents that write every value as a text, and hosts that read it for all that.

use super::{Arena, Kind, Node, Point, Shape};
use ludwire::{Host, ToolError, registered, tool};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Takes what a text may stand for.
#[tool("coerce/take")]
#[expect(clippy::too_many_arguments, reason = "each is of another kind")]
fn take(
    #[arg(range = 1..=9)] count: u32,
    ratio: Option<f64>,
    #[arg(default = false, alias = "noisy")] loud: bool,
    at: Option<Point>,
    path: Option<Vec<Point>>,
    large: Option<u64>,
    by_name: Option<BTreeMap<String, Vec<u8>>>,
    tree: Option<Node>,
) -> String {
    let at = at.map(|at| (at.x, at.y));
    let path: Option<Vec<_>> = path.map(|path| path.iter().map(|at| (at.x, at.y)).collect());
    let names = tree.map(|tree| tree.children.into_iter().map(|child| child.name).collect::<String>());
    format!("{count} {ratio:?} {loud} {at:?} {path:?} {large:?} {by_name:?} {names:?}")
}

/// Takes what may be a text.
#[tool("coerce/text")]
fn text(text: Option<String>, any: Option<Value>, kind: Option<Kind>, shape: Option<Shape>) -> String {
    format!("{text:?} {any:?} {kind:?} {shape:?}")
}

/// Whether the host reads texts, and what it says then.
fn call(coerces: bool, name: &str, arguments: &Value) -> Result<Value, ToolError> {
    let builder = Host::builder("Arena", "1").tools(registered().only(["coerce/take", "coerce/text"]));
    let host = if coerces { builder.coerce_arguments() } else { builder }.build().expect("it is built");
    let result = host.call(&mut Arena::default(), name, arguments.clone());
    assert_eq!(host.call_json(&mut Arena::default(), name, &arguments.to_string()), result);
    result
}

#[test]
fn a_text_stands_for_what_it_holds_where_that_is_wanted() {
    for (given, meant) in [
        (json!({ "count": "3" }), json!({ "count": 3 })),
        (json!({ "count": " 3.0 ", "loud": "true" }), json!({ "count": 3, "loud": true })),
        (json!({ "count": 3, "noisy": "true" }), json!({ "count": 3, "loud": true })),
        (json!({ "count": 3, "ratio": "-1.5e1" }), json!({ "count": 3, "ratio": -15 })),
        // What is left out may be written as null.
        (json!({ "count": 3, "ratio": "null", "at": "null", "loud": "null" }), json!({ "count": 3 })),
        (json!({ "count": 3, "at": r#"{"x":1,"y":2}"# }), json!({ "count": 3, "at": { "x": 1, "y": 2 } })),
        (
            json!({ "count": 3, "at": { "x": "1", "y": "2" } }),
            json!({ "count": 3, "at": { "x": 1, "y": 2 } }),
        ),
        (
            json!({ "count": 3, "path": [r#"{"x":"1","y":2}"#] }),
            json!({ "count": 3, "path": [{ "x": 1, "y": 2 }] }),
        ),
        (
            json!({ "count": 3, "path": r#"["{\"x\":\"1\",\"y\":2}"]"# }),
            json!({ "count": 3, "path": [{ "x": 1, "y": 2 }] }),
        ),
        (
            json!({ "count": 3, "by_name": r#"{"a":"[1,\"2\"]"}"# }),
            json!({ "count": 3, "by_name": { "a": [1, 2] } }),
        ),
        (
            json!({ "count": 3, "tree": { "name": "a", "children": r#"[{"name":"3"}]"# } }),
            json!({ "count": 3, "tree": { "name": "a", "children": [{ "name": "3" }] } }),
        ),
    ] {
        let expected = call(false, "coerce/take", &meant).expect("it is right");
        assert_eq!(call(true, "coerce/take", &given), Ok(expected.clone()), "{given}");
        assert_eq!(call(true, "coerce/take", &meant), Ok(expected), "{meant}");
        assert!(given.get("noisy").is_some() || call(false, "coerce/take", &given).is_err(), "{given}");
    }
}

#[test]
fn what_a_text_holds_is_held_to_the_schema() {
    for (given, why) in [
        (json!({ "count": "10" }), "/count: must be at most 9, found 10"),
        (json!({ "count": "three" }), r#"/count: must be a whole number, found "three""#),
        (json!({ "count": "3 4" }), r#"/count: must be a whole number, found "3 4""#),
        (json!({ "count": "\"3\"" }), r#"/count: must be a whole number, found "\"3\"""#),
        (json!({ "count": "null" }), "/count: must be a whole number, found null"),
        (json!({ "count": 1, "at": r#"{"x":1,"z":2}"# }), "/at/y: is missing; /at/z: unknown member"),
        (json!({ "count": 1, "at": r#"{"x":1,"x":2,"y":3}"# }), "/at: must be an object, found"),
        // A text is what is meant here, in another form.
        (json!({ "count": 1, "large": "3.0" }), "/large: must be a whole number from 0"),
    ] {
        let error = call(true, "coerce/take", &given).expect_err("it is wrong").to_string();
        assert!(error.starts_with(&format!("invalid arguments: {why}")), "{given}: {error}");
    }
}

#[test]
fn a_text_that_may_be_meant_is_a_text() {
    for (given, expected) in [
        (json!({ "text": "3" }), r#"Some("3") None None None"#),
        (json!({ "text": "null" }), r#"Some("null") None None None"#),
        (json!({ "any": "{\"a\":1}" }), r#"None Some(String("{\"a\":1}")) None None"#),
        (json!({ "kind": "elf", "shape": "Dot" }), "None None Some(Elf) Some(Dot)"),
        (json!({ "shape": { "Circle": "{\"radius\":\"3\"}" } }), "None None None Some(Circle { radius: 3 })"),
    ] {
        assert_eq!(call(true, "coerce/text", &given), Ok(json!({ "result": expected })), "{given}");
    }
    for given in [json!({ "kind": "\"elf\"" }), json!({ "shape": "{\"Circle\":{\"radius\":3}}" })] {
        assert!(call(true, "coerce/text", &given).is_err(), "{given}");
    }
}

/// Whatever a peer sends, the game goes on soon.
#[test]
fn large_and_deep_texts_end() {
    let start = std::time::Instant::now();
    let many = json!({ "count": 1, "path": json!(vec![json!({ "x": "1", "y": 2 }); 20_000]).to_string() });
    assert!(call(true, "coerce/take", &many).is_ok());
    let deep = |depth: usize| {
        let tree =
            (0..depth).fold(json!({ "name": "a" }), |tree, _| json!({ "name": "a", "children": [tree] }));
        // Each level of texts in texts doubles what is escaped.
        let inner = json!([{ "name": "a", "children": json!([tree]).to_string() }]).to_string();
        call(true, "coerce/take", &json!({ "count": 1, "tree": { "name": "a", "children": inner } }))
    };
    assert!(deep(50).is_ok());
    let error = deep(62).expect_err("it nests deeply").to_string();
    assert!(error.contains("is nested too deep"), "{error}");
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "it took {:?}", start.elapsed());
}
