//! The model that the templates see is documented, all of it and nothing else.

use super::{Folder, toy, workspace};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// Objects under these keys are maps, whose keys are data.
const MAPS: [&str; 1] = ["links"];

fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Object(members) => {
            for (key, member) in members {
                found.insert(key.clone());
                match member {
                    Value::Object(map) if MAPS.contains(&key.as_str()) => {
                        map.values().for_each(|value| keys(value, found));
                    }
                    member => keys(member, found),
                }
            }
        }
        _ => {}
    }
}

/// The names in the first column of the tables in a chapter of templates/README.md.
fn documented(chapter: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(workspace().join("templates/README.md")).expect("it is there");
    let (_, model) = text.split_once(&format!("\n## {chapter}\n")).expect("the chapter is there");
    let model = model.split("\n## ").next().unwrap_or_default();
    let rows = model.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.filter_map(|row| row.split_once('`')).map(|(key, _)| key.to_owned()).collect()
}

fn dump(folder: &std::path::Path, arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwire"));
    let output = command.current_dir(folder).args(["docs", "--dump-model"]).args(arguments).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("it prints JSON")
}

#[test]
fn every_key_of_the_model_is_documented_and_nothing_else() {
    let folder = Folder::new();
    folder.put("Toy.json", &toy().to_string());
    let mut found = BTreeSet::new();
    keys(&dump(&workspace(), &[]), &mut found);
    let url = ["--catalogue", "Toy.json", "--source-url", "https://example.org"];
    keys(&dump(&folder.0, &url), &mut found);
    compare(&found, &documented("The model"));
}

fn compare(found: &BTreeSet<String>, documented: &BTreeSet<String>) {
    assert_eq!(found.difference(documented).collect::<Vec<_>>(), [""; 0], "not in templates/README.md");
    assert_eq!(documented.difference(found).collect::<Vec<_>>(), [""; 0], "not in the model");
}

#[test]
fn every_key_of_the_model_of_a_game_is_documented_and_nothing_else() {
    let folder = Folder::new();
    let form = |tag: &str| json!({ "type": "object", "required": ["is"], "properties": { "is": { "const": tag }, tag: {} } });
    let input = json!({
        "type": "object", "required": ["kind"],
        "properties": {
            "kind": { "oneOf": [{ "const": "brig", "description": "Two masts." }, { "const": "sloop" }] },
            "length": { "type": ["number", "null"] },
            "masts": { "type": "array", "minItems": 1, "items": { "type": "integer", "minimum": 1, "maximum": 3 } },
            "shape": { "oneOf": [form("a"), form("b")] },
        },
    });
    let tools =
        json!([{ "name": "ship/sail", "tags": ["fleet"], "inputSchema": input }, { "name": "ship/see" }]);
    let manifest = json!({
        "format": "ludwire-manifest/1", "name": "Sea", "tools": tools, "events": [{ "channel": "ship/sunk" }],
        "resources": [{ "uri": "gabp://game/ships" }], "state": [{ "name": "wind", "schema": { "type": "integer" } }],
        "observation": {},
    });
    folder.put("sea.json", &manifest.to_string());
    let mut found = BTreeSet::new();
    keys(&dump(&folder.0, &["--manifest", "sea.json"]), &mut found);
    compare(&found, &documented("The model of a game"));
}

#[test]
fn every_template_is_documented() {
    let text = fs::read_to_string(workspace().join("templates/README.md")).expect("it is there");
    for entry in fs::read_dir(workspace().join("templates")).expect("it is there") {
        let name = entry.expect("it is readable").file_name().into_string().expect("it is UTF-8");
        assert!(name == "README.md" || text.contains(&format!("| `{name}` |")), "{name}");
    }
}
