//! Schemas made at random whose definitions hold each other, in every way that a type can hold one.

use fastrand::Rng;
use serde_json::{Map, Value, json};

/// Some definitions, and a root that is one of them.
pub fn web(rng: &mut Rng) -> Value {
    // More than the compiler follows, at times.
    let count = if rng.u8(..8) == 0 { rng.usize(16..48) } else { rng.usize(1..5) };
    let definitions: Map<String, Value> =
        (0..count).map(|index| (format!("d{index}"), definition(rng, count))).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": "#/$defs/d0",
        "$defs": definitions,
    })
}

fn definition(rng: &mut Rng, count: usize) -> Value {
    match rng.u8(..10) {
        0 => json!({ "type": "array", "items": using(rng, count, 2) }),
        1 => json!({ "type": "object", "additionalProperties": using(rng, count, 2) }),
        2 => json!({
            "type": "array",
            "prefixItems": [using(rng, count, 2), using(rng, count, 2)],
            "minItems": rng.usize(..3),
            "items": rng.bool(),
        }),
        3 => json!({ "allOf": [object(rng, count), object(rng, count)] }),
        4 | 5 => json!({ "oneOf": [variant(rng, count, "leaf"), variant(rng, count, "node")] }),
        _ => object(rng, count),
    }
}

fn variant(rng: &mut Rng, count: usize, tag: &str) -> Value {
    let mut object = object(rng, count);
    object["properties"]["kind"] = json!({ "const": tag });
    object["required"] = json!(["kind"]);
    object
}

fn object(rng: &mut Rng, count: usize) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for index in 0..rng.usize(1..10) {
        let name = format!("m{index}");
        let mut value = if rng.u8(..3) == 0 { json!({ "type": "integer" }) } else { using(rng, count, 2) };
        let list = value["type"] == "array" && value.get("minItems").is_none();
        if list && rng.u8(..3) == 0 {
            value["default"] = json!([]);
        }
        // What directly holds itself must be able to stay away, or no document has an end.
        if value.get("$ref").is_none() && rng.bool() {
            required.push(name.clone());
        }
        properties.insert(name, value);
    }
    let mut object = json!({ "type": "object", "properties": properties, "required": required });
    match rng.u8(..3) {
        0 => object["additionalProperties"] = json!(false),
        1 => object["additionalProperties"] = using(rng, count, 1),
        _ => {}
    }
    object
}

/// A use of a definition: plain, or in up to `depth` lists, maps and unions with null.
fn using(rng: &mut Rng, count: usize, depth: u8) -> Value {
    let target = json!({ "$ref": format!("#/$defs/d{}", rng.usize(..count)) });
    if depth == 0 {
        return target;
    }
    match rng.u8(..7) {
        0 | 1 => json!({ "type": "array", "items": using(rng, count, depth - 1) }),
        2 => json!({ "type": "array", "items": using(rng, count, depth - 1), "minItems": 1 }),
        3 => json!({ "type": "object", "additionalProperties": using(rng, count, depth - 1) }),
        4 => json!({ "anyOf": [using(rng, count, depth - 1), { "type": "null" }] }),
        _ => target,
    }
}
