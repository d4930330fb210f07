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
