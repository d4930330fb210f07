//! Definitions that lead to each other in ways longer than the compiler goes: their types compile without
//! any attribute of the crate, can be sent to threads, and take what a validator takes, however deep.

use fastrand::Rng;
use ludwire_codegen::Formats;
use ludwire_tests::judge::judged_by_others;
use ludwire_tests::near::near;
use ludwire_tests::suite::{self, Group, Options, Outcome};
use serde_json::{Map, Value, json};

/// A kind of definition: of a reference to the next it makes a schema, of a value of the next one of its own.
#[derive(Clone, Copy)]
struct Link {
    schema: fn(Value) -> Value,
    document: fn(Value) -> Value,
}

const LINKS: [Link; 9] = [
    Link {
        schema: |next| json!({ "type": "object", "properties": { "a": next } }),
        document: |next| json!({ "a": next }),
    },
    Link {
        schema: |next| json!({ "type": "array", "items": next, "minItems": 1 }),
        document: |next| json!([next]),
    },
    Link {
        schema: |next| json!({ "type": "object", "additionalProperties": next, "maxProperties": 3 }),
        document: |next| json!({ "x": next }),
    },
    Link {
        schema: |next| {
            json!({ "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "x" }, "n": next }, "required": ["kind"] },
                { "type": "object", "properties": { "kind": { "const": "y" } }, "required": ["kind"] },
            ] })
        },
        document: |next| json!({ "kind": "x", "n": next }),
    },
    Link {
        schema: |next| json!({ "type": "array", "prefixItems": [next, { "type": "string" }], "items": false }),
        document: |next| json!([next, "s"]),
    },
    Link {
        schema: |next| json!({ "type": ["array", "null"], "items": { "type": "array", "items": next } }),
        document: |next| json!([[], [next]]),
    },
    Link {
        schema: |next| {
            json!({ "type": "object", "properties": { "a": next, "b": { "type": "integer" } },
                "dependentRequired": { "a": ["b"] } })
        },
        document: |next| json!({ "a": next, "b": 1 }),
    },
    Link {
        schema: |next| {
            json!({ "anyOf": [
                { "type": "object", "properties": { "a": next }, "required": ["a"] },
                { "type": "object", "properties": { "b": next, "n": { "type": "integer", "multipleOf": 3 } } },
            ] })
        },
        document: |next| json!({ "b": next, "n": 9007199254740993u64 }),
    },
    Link {
        schema: |next| json!({ "type": "array", "items": next, "contains": { "type": ["object", "array"] } }),
        document: |next| json!([{}, next]),
    },
];

#[test]
fn types_lead_to_each_other_in_long_ways() {
    // The largest circle that is left as it is, then larger ones.
    let mut groups = vec![ring(&LINKS[..1], 20)];
    groups.extend(LINKS.iter().map(|link| ring(&[*link], 50)));
    groups.push(ring(&LINKS, 120));
    groups.push(chain(&LINKS, 120));
    groups.push(web(120));
    let all: usize = groups.iter().map(|group| group.tests.len()).sum();
    let valid = groups.iter().flat_map(|group| &group.tests).filter(|test| test.valid).count();
    assert!(valid * 8 > all && valid * 2 < all, "{valid} of {all} documents are valid: one-sided");
    let options =
        Options { name: "circles".to_owned(), formats: Formats::Annotate, mappings: Vec::new(), chunk: 8 };
    let report = suite::score(groups, &options).expect("the program of the schemas runs");
    let right = |outcome: &Outcome| *outcome == Outcome::Right;
    assert!(report.scored.iter().all(|scored| scored.outcomes.iter().all(right)), "\n{report}");
}

/// Definitions of which each leads to the next, and the last to the first.
fn ring(links: &[Link], count: usize) -> Group {
    let name = format!("ring of {count}: {}", (links[0].schema)(json!({})));
    along(name, links, count, &reference(0))
}

/// Definitions of which each leads to the next.
fn chain(links: &[Link], count: usize) -> Group {
    along(format!("chain of {count}"), links, count, &json!({ "type": "string" }))
}

fn along(name: String, links: &[Link], count: usize, end: &Value) -> Group {
    let link = |index: usize| links[index % links.len()];
    let next = |index: usize| if index + 1 < count { reference(index + 1) } else { end.clone() };
    let definitions = (0..count).map(|index| (link(index).schema)(next(index)));
    let document = |depth: usize, last: Value| {
        (0..depth).rev().fold(last, |inner, index| (link(index % count).document)(inner))
    };
    let depths = [0, 1, 2, 9, 10, 11, 19, 20, 21, 22, 23, 24, 25, 41, 42, 60];
    let ends =
        [json!({}), json!([]), json!(null), json!(7), json!("x"), json!({ "kind": "y", "b": 1, "n": [] })];
    let documents: Vec<Value> =
        depths.iter().flat_map(|depth| ends.iter().map(|end| document(*depth, end.clone()))).collect();
    group(name, definitions, &documents)
}

/// Definitions that lead to each other in all directions.
fn web(count: usize) -> Group {
    let definitions = (0..count).map(|index| {
        let other = |step: usize| reference((index * step + 7) % count);
        json!({
            "type": "object",
            "properties": { "a": other(3), "b": { "type": "array", "items": other(5) }, "c": other(11) },
        })
    });
    let mut made = group(format!("web of {count}"), definitions, &[]);
    let schema: Value = serde_json::from_str(&made.schema).expect("it was written here");
    let mut rng = Rng::with_seed(7);
    let documents: Vec<Value> = (0..200).map(|_| near(&schema, &mut rng)).collect();
    made.tests = judged_by_others(&schema, &documents).expect("the validator takes the schema");
    made
}

fn reference(index: usize) -> Value {
    json!({ "$ref": format!("#/$defs/d{index}") })
}

fn group(name: String, definitions: impl Iterator<Item = Value>, documents: &[Value]) -> Group {
    let definitions: Map<String, Value> =
        definitions.enumerate().map(|(index, schema)| (format!("d{index}"), schema)).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": "#/$defs/d0",
        "$defs": definitions,
    });
    Group {
        keyword: "circles".to_owned(),
        name,
        tests: judged_by_others(&schema, documents).expect("the validator takes the schema"),
        schema: schema.to_string(),
        files: Vec::new(),
        formats: None,
        refuse: None,
    }
}
