//! Definitions that refer to each other in long chains, and schemas that nest as deep as JSON does.

use ludwire_codegen::load::{self, Document, Source};
use ludwire_codegen::{Formats, ModuleOptions, Support};
use serde_json::{Value, json};

fn module(schema: &Value) -> Result<String, String> {
    let text = schema.to_string();
    let root = load::json("schema.json", &text).map_err(|problems| problems.to_string())?;
    let source = Source {
        documents: vec![Document::new("schema.json", "schema.json", text, root)],
        ..Source::default()
    };
    let options = ModuleOptions {
        root: Some("Root".to_owned()),
        formats: Formats::Assert,
        mappings: Vec::new(),
        support: Support::At("super::support".to_owned()),
        command: "ludwire emit".to_owned(),
    };
    let made = ludwire_codegen::module(source, &options);
    made.map(|(code, _)| code).map_err(|problems| problems.to_string())
}

/// `d0` leads to `d1` and so on, each made by `link` from the reference to the next; `end` is the last.
fn chain(length: usize, end: Value, link: impl Fn(Value) -> Value) -> Value {
    let definition = |index: usize| match index + 1 {
        next if next < length => link(json!({ "$ref": format!("#/$defs/d{next}") })),
        _ => end.clone(),
    };
    let definitions: serde_json::Map<String, Value> =
        (0..length).map(|index| (format!("d{index}"), definition(index))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": "#/$defs/d0",
        "$defs": definitions,
    })
}

#[test]
fn chains_into_members_and_items_have_any_length() {
    let text = json!({ "type": "string" });
    let back = json!({ "type": "object", "properties": { "back": { "$ref": "#/$defs/d0" } } });
    type Link = fn(Value) -> Value;
    let links: [(usize, Link); 6] = [
        (10_000, |next| next),
        (2_000, |next| json!({ "type": "array", "items": next })),
        (2_000, |next| json!({ "type": "object", "additionalProperties": next })),
        (2_000, |next| json!({ "type": ["array", "null"], "items": next })),
        (300, |next| json!({ "type": "object", "properties": { "next": next } })),
        (150, |next| json!({ "minLength": 1, "properties": { "next": next } })),
    ];
    for (length, link) in links {
        for end in [&text, &back] {
            let schema = chain(length, end.clone(), link);
            if let Err(problems) = module(&schema) {
                // A circle of mere references is refused, wherever it is.
                panic!("{}: {problems}", schema["$defs"]["d0"]);
            }
        }
    }
}

#[test]
fn what_applies_to_one_value_too_deep_is_refused_with_its_place() {
    type Link = fn(Value) -> Value;
    let links: [Link; 7] = [
        |next| json!({ "allOf": [next] }),
        |next| json!({ "anyOf": [next, { "type": "null" }] }),
        |next| json!({ "oneOf": [next, { "type": "null" }] }),
        |next| json!({ "not": next }),
        |next| json!({ "if": next, "then": { "minLength": 1 } }),
        |next| json!({ "dependentSchemas": { "a": next } }),
        |next| json!({ "minLength": 1, "$ref": next["$ref"] }),
    ];
    for link in links {
        let end = json!({ "type": "string" });
        module(&chain(200, end.clone(), link)).expect("it is not too deep");
        let problems = module(&chain(2_000, end, link)).expect_err("it is too deep");
        assert!(problems.starts_with("schema.json:1:"), "{problems}");
        assert!(problems.contains("apply to the same value"), "{problems}");
    }
}

#[test]
fn schemas_nest_as_deep_as_json_on_a_small_stack() {
    type Link = fn(Value) -> Value;
    let links: [(usize, Link); 6] = [
        (126, |inner| json!({ "items": inner })),
        (126, |inner| json!({ "not": inner })),
        (125, |inner| json!({ "if": inner, "then": { "minLength": 1 } })),
        (62, |inner| json!({ "patternProperties": { "a": inner } })),
        (62, |inner| json!({ "anyOf": [inner, { "type": "integer" }] })),
        (62, |inner| json!({ "type": "object", "properties": { "a": inner } })),
    ];
    for (depth, link) in links {
        let schema = (0..depth).fold(json!({ "minLength": 2 }), |inner, _| link(inner));
        module(&schema).unwrap_or_else(|problems| panic!("{problems}"));
    }
}
