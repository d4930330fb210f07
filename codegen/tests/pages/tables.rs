//! The tables of our own catalogue, read back and compared with it.

use super::reader::{Cell, tables};
use super::{Folder, toy, workspace};
use serde_json::Value;
use std::fs;

const RULES: &[&str] = &["Stable ID", "Rule", "Requirement", "Why", "Source"];
const ERRORS: &[&str] = &["Stable ID", "Code", "Name", "Use", "Source"];
const METHODS: &[&str] = &["Stable ID", "Method", "Params", "Result", "Requirement", "Why", "Source"];
const FIELDS: &[&str] = &["Stable ID", "Field", "Type", "Requirement", "Why", "Source"];

/// A list of the catalogue, the columns of its table, and the members in them.
type Lists = &'static [(&'static str, &'static [&'static str], &'static [&'static str])];

/// Each page, and its tables.
const PAGES: [(&str, Lists); 5] = [
    (
        "wire",
        &[
            ("wire_rules", RULES, &["id", "name", "requirement", "rationale"]),
            ("error_codes", ERRORS, &["id", "code", "name", "requirement"]),
        ],
    ),
    ("methods", &[("methods", METHODS, &["id", "name", "params", "result", "requirement", "rationale"])]),
    (
        "commands-and-events",
        &[("command_fields", FIELDS, &["id", "name", "value_type", "requirement", "rationale"])],
    ),
    ("security", &[("security_rules", RULES, &["id", "name", "requirement", "rationale"])]),
    (
        "integration-and-validation",
        &[
            ("integration_rules", RULES, &["id", "name", "requirement", "rationale"]),
            ("validation_rules", RULES, &["id", "name", "requirement", "rationale"]),
        ],
    ),
];

#[test]
fn the_pages_of_our_catalogue_hold_it_cell_by_cell() {
    let read = |path: &str| fs::read_to_string(workspace().join(path)).expect("it is there");
    let catalogue: Value =
        serde_json::from_str(&read("schemas/aicontrol/AiControlProtocol.json")).expect("it is JSON");
    let mut rows = 0;
    for (page, lists) in PAGES {
        let tables = tables(&read(&format!("generated/docs/aicontrol/{page}.md")));
        for ((key, columns, members), table) in lists.iter().zip(&tables) {
            let (head, body) = table.split_first().expect("a table has a head");
            assert_eq!(head.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>(), *columns, "{key}");
            let entries = catalogue[key].as_array().expect("the list is there");
            assert_eq!(body.len(), entries.len(), "{key}");
            for (entry, row) in entries.iter().zip(body) {
                for (member, cell) in members.iter().zip(row) {
                    compare(key, member, &entry[member], cell);
                }
                let paths = entry["source"].as_array().into_iter().flatten();
                let paths: Vec<&str> = paths.filter_map(|source| source["path"].as_str()).collect();
                assert_eq!(
                    row.last().map(|cell| cell.text.as_str()),
                    Some(paths.join("\n").as_str()),
                    "{key}"
                );
                rows += 1;
            }
        }
        assert!(tables.len() >= lists.len(), "{page}");
    }
    assert_eq!(rows, 49);
    assert_eq!(tables(&read("generated/docs/aicontrol/wire.md")).len(), 2);
}

fn compare(key: &str, member: &str, expected: &Value, cell: &Cell) {
    let expected = expected.as_str().map_or_else(|| expected.to_string(), str::to_owned);
    assert_eq!(cell.text, expected, "{member} in {key}");
    let names = member == "name" && ["methods", "command_fields"].contains(&key);
    if names || ["id", "code"].contains(&member) {
        assert!(cell.is_code && cell.links.is_empty(), "{cell:?}");
    }
}

#[test]
fn sources_are_links_below_a_url() {
    let folder = Folder::new();
    folder.put("Toy.json", &toy().to_string());
    let run = |url| folder.docs(&["--catalogue", "Toy.json", "--markdown", "pages", "--source-url", url]);
    for (url, target) in [
        ("https://example.org/main/", "https://example.org/main/src/a.py"),
        ("../..", "../../src/a.py"),
        ("/tree", "/tree/src/a.py"),
    ] {
        assert_eq!(run(url).0, 0, "{url}");
        for table in tables(&folder.get("pages/wire.md")) {
            let source = table[1].last().expect("a row has cells");
            assert_eq!(
                (source.text.as_str(), source.links.as_slice()),
                ("src/a.py", &[target.to_owned()][..])
            );
        }
    }
    let (code, _, said) = run("tree");
    assert!(code == 2 && said.contains("invalid value 'tree' for '--source-url <URL>'"), "{said}");
}
