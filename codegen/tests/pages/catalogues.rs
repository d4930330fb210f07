//! Any catalogue: odd ones, wrong ones, and those that mean harm.

use super::reader::tables;
use super::{Folder, entry, toy, with};
use serde_json::json;
use std::collections::BTreeSet;

#[test]
fn lists_that_are_unknown_or_empty_have_their_place() {
    let folder = Folder::new();
    let mut catalogue = toy();
    catalogue["wire_rules"] = json!([]);
    catalogue["timing_rules"] = json!([entry("toy.timing.now", "Now")]);
    catalogue["notes"] = json!(["no entries", { "id": "x" }]);
    folder.pages(&catalogue);
    assert_eq!(folder.names("pages"), ["index.md", "timing-rules.md", "wire.md"]);
    let wire = folder.get("pages/wire.md");
    assert!(wire.contains("\nThis list is empty.\n"), "{wire}");
    assert_eq!(tables(&wire).len(), 1);
    let timing = folder.get("pages/timing-rules.md");
    assert!(timing.contains("\n# Toy: timing rules\n"), "{timing}");
    assert_eq!(tables(&timing)[0][1][0].text, "toy.timing.now");
    assert!(folder.get("pages/index.md").contains("| [Timing rules](timing-rules.md) | Timing rules (1) |"));
}

#[test]
fn everything_that_is_missing_is_told_with_its_place() {
    let folder = Folder::new();
    folder.put(
        "Toy.json",
        "{\n  \"wire_rules\": [\n    {\"name\": \"A\", \"requirement\": \"B\"},\n    {\"id\": \"x\"}\n  ],\n  \
         \"error_codes\": [{\"id\": \"e\", \"requirement\": \"C\"}],\n  \"methods\": 3,\n  \"scope\": \
         {\"included\": \"all\"}\n}\n",
    );
    let (code, _, said) = folder.docs(&["--catalogue", "Toy.json", "--markdown", "pages"]);
    assert_eq!(code, 2);
    for line in [
        "error: Toy.json:3:5 (#/wire_rules/0): a member `id` is missing",
        "error: Toy.json:4:5 (#/wire_rules/1): a member `requirement` is missing",
        "error: Toy.json:6:19 (#/error_codes/0): a member `code` is missing",
        "error: Toy.json:7:14 (#/methods): expected an array, found a number",
        "error: Toy.json:8:25 (#/scope/included): expected an array, found a string",
    ] {
        assert!(said.contains(line), "{line} in {said}");
    }
    assert!(!folder.0.join("pages").exists());
    for (text, expected) in [
        ("{}", "this is no catalogue"),
        ("[]", "expected an object, found an array"),
        ("{", "Toy.json:1:"),
        ("", "Toy.json:"),
    ] {
        folder.put("Toy.json", text);
        let (code, _, said) = folder.docs(&["--catalogue", "Toy.json", "--markdown", "pages"]);
        assert!(
            code == 2 && said.starts_with("error: Toy.json") && said.contains(expected),
            "{text}: {said}"
        );
    }
}

/// A shape that no type can be made of is still a text that can be shown.
#[test]
fn shapes_are_shown_as_they_are() {
    let folder = Folder::new();
    let mut catalogue = toy();
    let method = with(entry("toy.method.go", "go"), "params", json!("{a: {b"));
    catalogue["methods"] = json!([with(method, "result", json!("whatever | comes"))]);
    folder.pages(&catalogue);
    let row = &tables(&folder.get("pages/methods.md"))[0][1];
    assert_eq!((row[2].text.as_str(), row[2].is_code), ("{a: {b", true));
    assert_eq!((row[3].text.as_str(), row[3].is_code), ("whatever | comes", false));
}

/// No key of a catalogue leads out of the folder, meets a page of ours or is a file on one system and
/// a device on another.
#[test]
fn keys_are_no_paths() {
    let keys = [
        "../../escape",
        "/etc/passwd",
        "..",
        ".",
        "",
        "a/b",
        "a\\b",
        "a_b",
        "A-B",
        "index",
        "README",
        "wire",
        "messages",
        "enforcement",
        "con",
        "COM1",
        "nul",
        "日本",
        "ключ",
        "x\u{0}y",
        "\u{202e}",
        "a.md",
    ];
    let folder = Folder::new();
    let mut catalogue = toy();
    for (number, key) in keys.iter().enumerate() {
        catalogue[key] = json!([entry(&format!("toy.{number}"), &format!("n {key}"))]);
    }
    let long = "long_".repeat(2000);
    catalogue[&long] = json!([entry("toy.long", "Long")]);
    folder.pages(&catalogue);
    let names = folder.names("pages");
    assert_eq!(names.len(), keys.len() + 3, "{names:?}");
    assert_eq!(folder.names("."), ["Toy.json", "pages"]);
    let lower: BTreeSet<String> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(lower.len(), names.len());
    for name in &names {
        assert!(name.len() <= 66 && name.ends_with(".md"), "{name}");
        let stem = name.trim_end_matches(".md");
        assert!(!["con", "nul", "com1", "readme", "enforcement", "messages"].contains(&stem), "{name}");
    }
    let escape = tables(&folder.get("pages/escape.md"));
    assert_eq!(escape[0][1][1].text, "n ../../escape");
}

/// Every text of a catalogue, out of what Markdown and HTML act on, comes back from its cell.
#[test]
fn texts_come_back_from_their_cells() {
    const PIECES: [&str; 40] = [
        "|",
        "\\|",
        "\\",
        "`",
        "``",
        "```",
        "<",
        ">",
        "<br>",
        "</table>",
        "<!--",
        "-->",
        "_",
        "__a",
        "*",
        "**",
        "~~",
        "*/",
        "# ",
        "- ",
        "1. ",
        "> ",
        "[x](y)",
        "![",
        "](",
        "&lt;",
        "&",
        ";",
        "$",
        "{",
        "}",
        "http://e.org",
        "@",
        "\u{200b}",
        "אב",
        "日",
        " ",
        "a",
        "Z",
        "9",
    ];
    let mut random = fastrand::Rng::with_seed(9);
    // Blanks at the edges, and several in a row, are not text in Markdown; nor are the fences of code.
    let mut text = |least: usize| {
        let pieces: String =
            (0..random.usize(least..=9)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
        format!("q{pieces}q").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let folder = Folder::new();
    for round in 0..40 {
        let mut entries = Vec::new();
        for number in 0..10 {
            let mut one = entry(&format!("{}{number}", text(0)), &text(1));
            one["requirement"] = json!(text(1));
            one["rationale"] = json!(text(0));
            one["source"] = json!([{ "path": text(1) }]);
            entries.push(one);
        }
        let mut catalogue = toy();
        catalogue["description"] = json!(text(1));
        catalogue["wire_rules"] = json!(entries);
        folder.pages(&catalogue);
        let tables = tables(&folder.get("pages/wire.md"));
        assert_eq!((tables.len(), tables[0].len()), (2, 11), "round {round}");
        let plain = |text: &str| text.replace(['`', ' '], "");
        for (entry, row) in entries.iter().zip(&tables[0][1..]) {
            assert_eq!(row.len(), 5);
            assert_eq!(Some(row[0].text.as_str()), entry["id"].as_str());
            let source = &entry["source"][0]["path"];
            let others = [&entry["name"], &entry["requirement"], &entry["rationale"], source];
            for (cell, expected) in row[1..].iter().zip(others) {
                assert_eq!(plain(&cell.text), plain(expected.as_str().expect("it is a text")));
            }
        }
    }
}
