//! A second language is a second folder of templates.

use super::reader::{tables, words};
use super::{Folder, entry, toy, with, workspace};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A catalogue in which nothing is said in letters, so that all letters of a page are ours.
fn silent() -> Value {
    let silent = |id: &str| {
        let entry = entry(id, "1");
        let entry = with(with(entry, "requirement", json!("2")), "rationale", json!("3"));
        with(entry, "source", json!([{ "path": "4" }]))
    };
    let mut catalogue = toy();
    catalogue["description"] = json!("5");
    catalogue["wire_rules"] = json!([silent("6")]);
    catalogue["error_codes"] = json!([with(silent("7"), "code", json!(8))]);
    for (number, list) in
        ["methods", "command_fields", "security_rules", "integration_rules", "validation_rules"]
            .iter()
            .enumerate()
    {
        catalogue[list] = json!([silent(&format!("9{number}"))]);
    }
    catalogue
}

/// A game in which nothing is said in letters.
fn silent_game() -> Value {
    let form = |tag: &str| json!({ "type": "object", "required": ["0"], "properties": { "0": { "const": tag }, tag: {} } });
    let members = json!({
        "1": {}, "2": { "type": "boolean" }, "3": { "type": ["integer", "null"], "minimum": 1 },
        "4": { "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 9, "multipleOf": 3 },
        "5": { "type": "string", "minLength": 2, "maxLength": 2, "pattern": "^1", "deprecated": true },
        "6": { "type": "array", "items": { "type": "string", "minLength": 1 }, "uniqueItems": true, "maxItems": 5 },
        "7": { "type": "object", "additionalProperties": { "type": "integer", "minimum": 3, "maximum": 4 } },
        "8": { "oneOf": [{ "const": "80", "description": "81" }, { "const": "82" }], "default": "80" },
        "9": { "oneOf": [form("91"), form("92")] },
        "10": { "type": "array", "prefixItems": [{ "type": "integer", "maximum": 1 }, { "type": "string", "format": "date" }] },
        "11": { "type": "string", "pattern": "^(0|[1-9][0-9]{0,2})$" }, "12": { "const": 7 },
        "13": { "$ref": "#/$defs/0" }, "14": { "$ref": "#/$defs/0" }, "15": { "$ref": "#" }, "16": false,
        "17": { "type": "object", "properties": {}, "minProperties": 1, "not": {} },
        "18": { "type": "array", "items": { "type": ["integer", "string"] } },
        "19": { "type": "string", "format": "20" }, "21": { "type": "array" }, "22": { "minimum": 2, "maximum": 2 },
        "23": { "oneOf": [{ "title": "231", "type": "object", "properties": { "232": {} } }, { "type": "object" }] },
    });
    let formats =
        ["uuid", "date-time", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "regex"];
    let formats: serde_json::Map<String, Value> = formats
        .iter()
        .zip(100..)
        .map(|(format, name)| (name.to_string(), json!({ "format": format })))
        .collect();
    let input = json!({
        "type": "object", "required": ["2", "11"], "properties": members,
        "$defs": { "0": { "type": "object", "properties": { "130": { "$ref": "#/$defs/0" } } } },
    });
    let tool = |name: &str, input: Value, output: Value| json!({ "name": name, "description": "24. 25.", "tags": ["26", name], "version": "27", "inputSchema": input, "outputSchema": output, "deprecated": true });
    let closed = json!({ "type": "object", "additionalProperties": false });
    let mut tools = vec![
        tool("28/1", input, json!({ "type": "object", "properties": formats })),
        tool(
            "28/2",
            closed.clone(),
            json!({ "type": "array", "items": { "type": "integer" }, "minItems": 1 }),
        ),
        tool(
            "28/3",
            json!({ "type": "object", "required": ["type"], "properties": { "type": { "const": 1 } } }),
            closed,
        ),
        tool(
            "28/4",
            json!({ "type": "object", "properties": { "1": { "not": {} } }, "required": ["1"] }),
            json!({}),
        ),
    ];
    tools.push(json!({ "name": "28/5" }));
    let notes = |class: &str, thread: &str, hint: bool| {
        json!({ "class": class, "requires": ["29", "30"], "limits": { "perMinute": 31, "perSession": 32 }, "thread": thread, "lenient": hint,
                "method": hint, "readOnly": hint, "destructive": hint, "idempotent": hint, "timeoutSeconds": 33 })
    };
    json!({
        "format": "ludwire-manifest/1", "name": "34", "version": "35", "timeoutSeconds": 36, "tools": tools,
        "annotations": {
            "28/1": notes("sensor", "game", true), "28/2": notes("actuator", "worker", false),
            "28/3": notes("generator", "async", true),
        },
        "events": [{ "channel": "37/1", "description": "38." }], "resources": [{ "uri": "39:40", "description": "41." }],
        "state": [{ "name": "42", "description": "43.", "schema": {} }], "observation": {},
    })
}

/// Words that are written alike in both.
const ALIKE: [&str; 5] = ["in", "minute", "name", "so", "was"];

/// What is called so in any language.
const NAMES: [&str; 15] = [
    "gabp",
    "aicc",
    "aicontrol",
    "json",
    "uuid",
    "rfc",
    "iso",
    "ecma",
    "websocket",
    "cr",
    "lf",
    "schema",
    "agent",
    "format",
    "form",
];

#[test]
fn german_pages_of_a_game_have_no_english_word_of_ours() {
    let folder = Folder::new();
    let german = workspace().join("tests/templates-de");
    let german = german.to_str().expect("the path is UTF-8");
    for told_by in ["", "gabp", "aicc", "aicontrol"] {
        let mut game = silent_game();
        game["toldBy"] = json!(told_by);
        folder.put("0.json", &game.to_string());
        for arguments in [&["--markdown", "en"][..], &["--markdown", "de", "--templates", german]] {
            let (code, _, said) = folder.docs(&[&["--manifest", "0.json"], arguments].concat());
            assert_eq!((code, said.as_str()), (0, ""));
        }
        let tools = folder.names("en/tools").into_iter().map(|page| format!("tools/{page}"));
        for page in tools.chain(["index.md".to_owned()]) {
            let english: BTreeSet<String> = words(&folder.get(&format!("en/{page}"))).into_iter().collect();
            let german: BTreeSet<String> = words(&folder.get(&format!("de/{page}"))).into_iter().collect();
            assert!(english.len() > 20 && german.len() > 20, "{english:?} {german:?}");
            let both = english
                .intersection(&german)
                .filter(|word| !NAMES.contains(&word.as_str()) && !ALIKE.contains(&word.as_str()));
            assert_eq!(both.collect::<Vec<_>>(), [""; 0], "{page}: {}", folder.get(&format!("de/{page}")));
        }
    }
}

#[test]
fn a_german_page_has_no_english_word_of_ours() {
    let folder = Folder::new();
    // Its title is the catalogue's, not ours.
    folder.put("0.json", &silent().to_string());
    let german = workspace().join("tests/templates-de");
    let german = german.to_str().expect("the path is UTF-8");
    for arguments in [&["--markdown", "en"][..], &["--markdown", "de", "--templates", german]] {
        let (code, _, said) = folder.docs(&[&["--catalogue", "0.json"], arguments].concat());
        assert_eq!((code, said.as_str()), (0, ""));
    }
    let english: BTreeSet<String> = words(&folder.get("en/wire.md")).into_iter().collect();
    let page = folder.get("de/wire.md");
    let german: BTreeSet<String> = words(&page).into_iter().collect();
    assert!(english.len() > 20 && german.len() > 20, "{english:?} {german:?}");
    assert_eq!(english.intersection(&german).collect::<Vec<_>>(), [""; 0]);
    for word in ["kennung", "anforderung", "fehlernummern", "überblick", "sicherheit"] {
        assert!(german.contains(word), "{word} in {page}");
    }
    // The same table otherwise.
    let rows = |page: &str| {
        let tables = tables(&folder.get(page));
        tables.into_iter().map(|table| table[1..].to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(rows("de/wire.md"), rows("en/wire.md"));
}
