//! How tools are described.

use super::{call, described, host};
use serde_json::{Value, json};

fn properties(name: &str) -> Value {
    described(name)["inputSchema"]["properties"].clone()
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
        let is_recursive = ["schema/tree", "coerce/take"].iter().any(|name| tool["name"] == *name);
        assert_eq!(has_references, is_recursive, "{tool}");
    }
    let schema = &described("schema/tree")["inputSchema"];
    assert!(schema["$defs"]["Node"]["properties"]["name"].is_object(), "{schema}");
    assert_eq!(schema["$defs"]["Node"]["additionalProperties"], false);
}
