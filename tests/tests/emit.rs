//! What `ludwire emit` prints stands by itself, wherever it is put.

use ludwire_codegen::load::{self, Document, Source};
use ludwire_codegen::{Formats, ModuleOptions, Support};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MESSAGES: &str = r##"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Message",
  "description": "Said of `everything`:\n```\nlet x = ;\n```",
  "oneOf": [
    { "type": "object", "required": ["t", "n"], "properties": {
        "t": { "const": "count" },
        "n": { "type": "integer", "minimum": 0, "maximum": 340282366920938463463374607431768211455 },
        "mode": { "enum": ["on", "off"], "default": "on" },
        "next": { "$ref": "#" } } },
    { "type": "object", "required": ["t"], "properties": {
        "t": { "const": "say" }, "text": { "type": "string", "pattern": "^\\w+$" },
        "at": { "format": "date-time", "type": "string" } },
      "additionalProperties": { "type": ["number", "null"] }, "minProperties": 2 }
  ]
}"##;

const DEFINITIONS: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$defs": {
    "A": { "type": "object", "properties": { "d": { "$ref": "#/$defs/D" }, "s": { "type": "array", "items": { "$ref": "#/$defs/S" } } },
      "unevaluatedProperties": false },
    "D": { "anyOf": [{ "type": "string" }, { "type": "object", "not": { "required": ["x"] } }] },
    "S": { "type": ["string", "null"], "maxLength": 3 },
    "Same": { "type": "string" },
    "gen": { "enum": ["async", "gen", 1] }
  }
}"##;

/// What uses the modules: nothing of the second, so that unused code is seen.
const USE: &str = r##"
/// One that was printed into a file.
pub mod file;
mod unused;
/// Deep inside, included.
pub mod deep {
    /// Deeper.
    pub mod deeper {
        include!("file.rs");
    }
}

/// Reads with both.
pub fn read(text: &str) -> (bool, bool) {
    (serde_json::from_str::<file::Root>(text).is_ok(), serde_json::from_str::<deep::deeper::Root>(text).is_ok())
}

#[test]
fn duplicates_are_refused() {
    assert_eq!(read(r#"{"t":"count","n":340282366920938463463374607431768211455}"#), (true, true));
    assert_eq!(read(r#"{"n":340282366920938463463374607431768211456,"t":"count"}"#), (false, false));
    assert_eq!(read(r#"{"t":"count","n":1,"n":1}"#), (false, false));
    assert_eq!(read(r#"{"t":"say","x":1,"x":1}"#), (false, false));
}
"##;

fn module(name: &str, text: &str, root: Option<&str>) -> String {
    let root_node = load::json(name, text).expect("it is JSON");
    let source = Source { documents: vec![Document::new(name, name, text, root_node)], ..Source::default() };
    let options = ModuleOptions {
        root: root.map(str::to_owned),
        formats: Formats::Assert,
        mappings: Vec::new(),
        support: Support::Inline,
        command: "ludwire emit".to_owned(),
    };
    ludwire_codegen::module(source, &options).unwrap_or_else(|problems| panic!("refused: {problems}"))
}

/// Checks and runs a crate that has the modules, in an edition.
fn compiles_in(edition: &str) {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target =
        target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target")).join("suite");
    let root = target.join(format!("emit_{edition}"));
    fs::create_dir_all(root.join("src")).expect("it is writable");
    let write = |path: &str, text: &str| fs::write(root.join(path), text).expect("it is writable");
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"emit_{edition}\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n[workspace]\n\n\
             [profile.dev]\ndebug = 0\n\n[dependencies]\n{}",
            ludwire_codegen::emit::rust::DEPENDENCIES
        ),
    );
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, root.join("Cargo.lock")).expect("it is writable");
    write("src/file.rs", &module("message.json", MESSAGES, Some("Root")));
    write("src/unused.rs", &module("definitions.json", DEFINITIONS, None));
    let lints =
        "//! Uses what was emitted.\n#![deny(warnings, clippy::all, missing_docs, unreachable_pub)]\n";
    // The docs of a module that stands in a file of its own are its user's.
    write("src/lib.rs", &format!("{lints}{USE}"));
    for arguments in [["clippy", "--all-targets"], ["test", "--lib"]] {
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(arguments)
            .args(["--offline", "--quiet"])
            .current_dir(&root)
            .env("CARGO_TARGET_DIR", target.join("target"))
            .env_remove("RUSTFLAGS")
            .output()
            .expect("cargo starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo {arguments:?} in edition {edition}:\n{text}");
    }
}

#[test]
fn modules_stand_by_themselves_in_edition_2021() {
    compiles_in("2021");
}

#[test]
fn modules_stand_by_themselves_in_edition_2024() {
    compiles_in("2024");
}

#[test]
fn dependencies_are_those_of_the_workspace() {
    let read = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let workspace = include_str!("../../Cargo.toml");
    for line in read(ludwire_codegen::emit::rust::DEPENDENCIES) {
        assert!(read(workspace).contains(&line), "the workspace has another version than {line}");
    }
}
