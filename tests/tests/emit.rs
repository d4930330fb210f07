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

const VALUES: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$defs": {
    "Level": { "anyOf": [{ "const": "low", "title": "Quiet" }, { "const": "other" }, { "type": "string" }] },
    "At": { "type": "array", "prefixItems": [{ "type": "integer" }, { "type": "integer" }], "items": false, "minItems": 2 },
    "Line": { "type": "array", "prefixItems": [{ "type": "string" }, { "$ref": "#/$defs/At" }],
      "items": { "type": "boolean" }, "minItems": 1 },
    "Word": { "type": "string", "not": { "const": "no" } },
    "Tags": { "type": "array", "items": { "type": "string" }, "contains": { "const": "a" } },
    "Lists": { "type": "object", "properties": {
      "kinds": { "contains": { "type": ["integer", "null"] } },
      "few": { "type": "array", "contains": { "enum": [1, "b"] }, "minContains": 2, "maxContains": 3, "maxItems": 4 },
      "other": { "contains": { "minimum": 5 }, "maxContains": 1, "minContains": 0 },
      "none": { "type": "array", "not": { "type": "string" }, "contains": { "const": 1 }, "maxContains": 0, "minContains": 0 },
      "text": { "type": "string", "minLength": 2, "not": { "enum": ["aa", "bb"] } },
      "some": { "minProperties": 1, "minItems": 2, "minLength": 2, "minimum": 3 } } },
    "Either": { "anyOf": [
      { "title": "Left", "type": "object", "properties": { "l": { "type": "integer" } } },
      { "title": "Right", "type": "object", "properties": { "r": { "type": "integer" } } }] },
    "Large": { "type": "object", "required": ["a", "b", "c", "d", "e", "f", "g", "type"], "properties": {
      "a": { "type": "string" }, "b": { "type": "string" }, "c": { "type": "string" }, "d": { "type": "string" },
      "e": { "type": "string" }, "f": { "type": "string" }, "g": { "type": "string" }, "type": { "type": "string" },
      "build": { "type": "integer", "default": 7 }, "nothing": { "type": "null" },
      "none": { "type": "null", "default": null }, "level": { "$ref": "#/$defs/Level" } } },
    "LargeBuilder": { "type": "boolean" },
    "Effect": { "anyOf": [
      { "title": "Damage", "type": "object", "required": ["amount"], "additionalProperties": false,
        "properties": { "amount": { "type": "integer" } } },
      { "title": "Heal", "type": "object", "required": ["heal", "who"], "properties": { "heal": { "type": "integer" },
        "who": { "type": "string" }, "more": { "type": "array", "items": { "$ref": "#/$defs/Effect" } } } },
      { "type": "string", "maxLength": 3 }] },
    "Either integer": { "oneOf": [{ "title": "Small", "type": "integer", "maximum": 9 },
      { "title": "Large integer", "type": "integer", "minimum": 5 }] },
    "Shape": { "oneOf": [
      { "type": "object", "required": ["is", "r"], "properties": { "is": { "const": "circle" }, "r": { "type": "number" } } },
      { "type": "object", "required": ["is", "in"], "properties": { "is": { "const": "group" },
        "in": { "type": "array", "items": { "$ref": "#/$defs/Shape" } } } }] },
    "Size": { "anyOf": [{ "type": "integer", "maximum": 9 }, { "type": "string", "maxLength": 1 }] },
    "Bag": { "type": "object", "properties": { "owner": { "type": "string" } },
      "patternProperties": { "^slot": { "type": "integer" } }, "additionalProperties": { "type": "boolean" } },
    "Count": { "type": "integer", "minimum": 0 },
    "Byte": { "type": "integer", "minimum": 0, "maximum": 255 },
    "Percent": { "type": "integer", "minimum": 1, "maximum": 100 },
    "Even": { "type": "integer", "minimum": -100, "maximum": 100, "multipleOf": 2 },
    "Ratio": { "type": "number", "minimum": 0 },
    "Expression": { "type": "string", "pattern": "^.*\\$\\{\\{(.|[\r\n])*\\}\\}.*$" },
    "Deep": { "type": "object", "properties": { "deep": { "type": "array", "items": { "type": "array", "items": { "type": "object",
      "additionalProperties": { "type": "object", "additionalProperties": { "type": "array", "items": { "type": "array", "items": {
        "type": "object", "additionalProperties": { "type": "array", "items": { "type": "boolean" } } } } } } } } } } },
    "Flag": { "type": ["boolean", "integer", "null"] },
    "Trade": { "type": "object", "properties": { "mode": { "enum": ["sale", "gift"] }, "price": { "type": "number" } },
      "if": { "properties": { "mode": { "const": "sale" } }, "required": ["mode"] }, "then": { "required": ["price"] } }
  }
}"##;

/// A protocol of two messages, of which one may have the member by which the other is known, but only as
/// it is read.
const PROTOCOL: [(&str, &str); 4] = [
    (
        "ludwire.toml",
        r#"[output]
src = "src"
docs = "docs"
[[protocol]]
name = "toy"
kind = "json-schema"
schemas = "schemas"
overlay = "overlay.json"
"#,
    ),
    (
        "overlay.json",
        r#"{
  "messages": [
    { "kind": "message", "direction": "", "files": "known.json", "name": "known" },
    { "kind": "message", "direction": "", "files": "other.json", "name": "other" }
  ],
  "operations": [{ "operation": "add", "for": "reading", "file": "other.json", "pointer": "/properties/kind",
    "value": { "type": "string" }, "reason": "Some send it." }]
}"#,
    ),
    (
        "schemas/known.json",
        r#"{ "type": "object", "required": ["type", "kind"], "additionalProperties": false,
  "properties": { "type": { "const": "t" }, "kind": { "const": "known" } } }"#,
    ),
    (
        "schemas/other.json",
        r#"{ "type": "object", "required": ["type"], "additionalProperties": false,
  "properties": { "type": { "const": "t" }, "n": { "type": "integer" } } }"#,
    ),
];

/// What uses the modules: nothing of the second, so that unused code is seen.
const USE: &str = r##"
/// One that was printed into a file.
pub mod file;
mod unused;
/// One whose values are made in code.
pub mod values;
/// A protocol's.
pub mod made {
    pub mod support;
    pub mod toy;
}
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

#[test]
fn a_message_is_routed_as_it_is_read() {
    use made::toy::{Message, Other, decode};
    let named = |text: &str| decode(text.as_bytes()).map(|message| message.name()).map_err(|error| error.to_string());
    assert_eq!(named(r#"{"type":"t","kind":"known"}"#), Ok("known"));
    assert_eq!(named(r#"{"type":"t"}"#), Ok("other"));
    assert_eq!(named(r#"{"kind":"x","n":1,"type":"t"}"#), Ok("other"));
    assert_eq!(named(r#"{"n":1,"type":"t"}"#), Ok("other"));
    let known = Err("known: /n: unknown member, expected one of `type`, `kind`".to_owned());
    assert_eq!(named(r#"{"n":1,"type":"t","kind":"known"}"#), known);
    assert_eq!(Message::from(Other::default()).to_json().unwrap(), r#"{"type":"t"}"#);
}

#[cfg(test)]
mod made_in_code {
    use super::values::*;
    use serde_json::{from_value, json, to_value};
    use std::collections::{BTreeSet, HashSet};

    #[test]
    fn a_member_without_a_field_is_named() {
        let said = |text: &str| super::values::from_slice::<Bag>(text.as_bytes()).unwrap_err().to_string();
        let words = "has a name or a value that the schema does not allow";
        assert_eq!(said(r#"{"owner":"x","full":true,"slot/1":"y"}"#), format!("/slot~11: {words}"));
        assert_eq!(said(r#"{"slot1":1,"full":0}"#), format!("/full: {words}"));
        let mut bag = Bag::default();
        bag.additional.insert("full".to_owned(), json!(1));
        assert_eq!(bag.check().unwrap_err().to_string(), format!("/full: {words}"));
        assert_eq!(to_value(&bag).unwrap_err().to_string(), format!("/full: {words}"));
    }

    #[test]
    fn of_several_rules_the_one_that_is_broken_is_said() {
        let said = |text: &str| super::values::from_slice::<Lists>(text.as_bytes()).unwrap_err().to_string();
        for (text, words) in [
            (r#"{"kinds":["a",1.5]}"#, "/kinds: must have an item that is an integer or null"),
            (r#"{"few":[1]}"#, r#"/few: must have 2 to 3 items that are 1 or "b""#),
            (r#"{"few":[1,1,1,1]}"#, r#"/few: must have 2 to 3 items that are 1 or "b""#),
            (r#"{"few":[1,1,0,0,0]}"#, "/few: must have at most 4 items"),
            (r#"{"few":7}"#, "/few: must be an array, found a number"),
            (r#"{"other":[5,5]}"#, "/other: must have at most 1 item that fits `contains`"),
            (r#"{"none":[2,1]}"#, "/none: must have no item that is 1"),
            (r#"{"text":"a"}"#, r#"/text: must have at least 2 characters, has 1"#),
            (r#"{"text":"bb"}"#, r#"/text: must not be "aa" or "bb""#),
            (r#"{"some":{}}"#, "/some: must have at least 1 member"),
            (r#"{"some":[0]}"#, "/some: must have at least 2 items"),
            (r#"{"some":2}"#, "/some: must be at least 3, found 2"),
        ] {
            assert_eq!(said(text), words, "{text}");
        }
        assert!(super::values::from_slice::<Lists>(br#"{"kinds":"x","few":["b",0,1],"none":[],"some":null}"#).is_ok());
    }

    #[test]
    fn an_open_enum_keeps_what_it_does_not_name() {
        for (value, text) in [(Level::Quiet, "low"), (Level::Other, "other"), (Level::from("loud"), "loud")] {
            assert_eq!(to_value(&value).unwrap(), json!(text));
            assert_eq!(from_value::<Level>(json!(text)).unwrap(), value);
            assert_eq!(text.parse::<Level>().unwrap().to_string(), text);
        }
        assert!(matches!(Level::from("loud"), Level::Unlisted(text) if text == "loud"));
        assert_eq!(Level::Unlisted("low".to_owned()), Level::Quiet);
        assert!(from_value::<Level>(json!(1)).is_err());
    }

    #[test]
    fn a_tuple_writes_only_what_it_reads() {
        let at = At::from((support::Integer::from(1), support::Integer::from(2)));
        let line = |at: Option<&At>, rest: &[bool]| Line("a".to_owned(), at.cloned(), rest.to_vec());
        for (line, text) in [
            (line(None, &[]), json!(["a"])),
            (line(Some(&at), &[]), json!(["a", [1, 2]])),
            (line(Some(&at), &[true]), json!(["a", [1, 2], true])),
        ] {
            assert_eq!(to_value(&line).unwrap(), text);
            assert_eq!(from_value::<Line>(text).unwrap(), line);
        }
        let gap = to_value(line(None, &[true])).unwrap_err().to_string();
        assert_eq!(gap, "no more items must be there without item 2");
    }

    #[test]
    fn a_sealed_value_cannot_be_made_wrong() {
        assert_eq!(&**Word::try_from("yes").unwrap(), "yes");
        assert_eq!(Word::try_from("no").unwrap_err().to_string(), r#"must not be "no""#);
        assert_eq!(Tags::try_from(vec!["b".to_owned(), "a".to_owned()]).unwrap().len(), 2);
        assert!(Tags::try_from(vec!["b".to_owned()]).is_err());
    }

    #[test]
    fn an_error_has_a_place() {
        let error = from_slice::<Line>(br#"["a", [1, "x"]]"#).unwrap_err();
        assert_eq!(error.pointer(), "/1/1");
    }

    fn told<T: for<'de> support::Read<'de>>(text: &str) -> String {
        from_slice::<T>(text.as_bytes()).err().expect("it fits no variant").to_string()
    }

    #[test]
    fn a_union_says_which_variant_a_value_was_taken_for() {
        for (text, reason) in [
            (r#"{"amount":"x"}"#, "taken for Damage: /amount: must be an integer, found a string"),
            (r#"{"amount":1.5}"#, "taken for Damage: /amount: must be an integer, found 1.5"),
            (r#"{"amount":1,"x":2}"#, "taken for Damage: /x: unknown member, expected one of `amount`"),
            ("{}", "taken for Damage: /amount: is missing"),
            (r#"{"heal":1}"#, "taken for Heal: /who: is missing"),
            (r#"{"amount":0,"heal":1,"who":2}"#, "taken for Heal: /who: must be a string, found a number"),
            (
                r#"{"heal":1,"who":"a","more":["b",{"amount":null}]}"#,
                "taken for Heal: /more/1: does not fit Effect: taken for Damage: /amount: must be an integer, found null",
            ),
            (r#""long""#, "taken for Text: must have at most 3 characters, has 4"),
            ("7", "must be an object or a string, found a number"),
        ] {
            assert_eq!(told::<Effect>(text), format!("does not fit Effect: {reason}"), "{text}");
        }
        for (text, message) in [
            ("7", "must fit exactly one variant of EitherInteger, fits Small and LargeInteger"),
            ("1.5", "does not fit EitherInteger: taken for Small: must be an integer, found 1.5"),
            (r#""7""#, "does not fit EitherInteger: must be a number, found a string"),
        ] {
            assert_eq!(told::<EitherInteger>(text), message, "{text}");
        }
        assert_eq!(told::<Flag>("[]"), "does not fit Flag: must be null, a boolean or a number, found an array");
        for (text, message) in [
            (
                r#"{"is":"group","in":[{"is":"circle","r":"x"}]}"#,
                "/in/0/r: must be a number, found a string (taken for Circle of Shape)",
            ),
            (r#"{"is":"circle"}"#, "/r: is missing (taken for Circle of Shape)"),
            (r#"{"is":"square"}"#, r#"/is: must be one of "circle", "group", found "square""#),
        ] {
            assert_eq!(told::<Shape>(text), message, "{text}");
        }
        assert_eq!(told::<Size>("10"), "must be at most 9, found 10 (taken for Integer of Size)");
        assert_eq!(told::<Size>("[]"), "does not fit Size: must be a number or a string, found an array");
        let deep = format!("{}7{}", r#"{"heal":1,"who":"a","more":["#.repeat(50), "]}".repeat(50));
        assert!(told::<Effect>(&deep).len() < 500, "{}", told::<Effect>(&deep));
    }

    #[test]
    fn integers_come_from_those_of_rust_and_go_back() {
        let percent = Percent::try_from(7).unwrap();
        let made = [Percent::try_from(7u8), Percent::try_from(7isize), Percent::try_from(7i128), Percent::try_from(7u64)];
        assert!(made.iter().all(|made| *made == Ok(percent)));
        assert_eq!((u8::from(percent), i8::from(percent), usize::from(percent), i128::from(percent)), (7, 7, 7, 7));
        for (error, told) in [
            (Percent::try_from(300usize).unwrap_err(), "must be at most 100, found 300"),
            (Percent::try_from(-1i8).unwrap_err(), "must be at least 1, found -1"),
            (Percent::try_from(u128::MAX).unwrap_err(), &format!("must be an integer of 64 bits, found {}", u128::MAX)),
            (Even::try_from(3u16).unwrap_err(), "must be a multiple of 2, found 3"),
        ] {
            assert_eq!(error.to_string(), told);
        }
        assert_eq!(i16::from(Even::try_from(-4).unwrap()), -4);
        let (byte, count): (Byte, Count) = (7.into(), 7.into());
        assert_eq!((u16::from(byte), count.as_u64()), (7, Some(7)));
        assert!(Byte::try_from(256i32).is_err() && Count::try_from(-1i64).is_err());
    }

    #[test]
    fn scalars_can_be_sorted_and_looked_up() {
        let ratios = [0.5, 2.0, 1.0].map(|ratio| Ratio::try_from(ratio).unwrap());
        assert_eq!(BTreeSet::from(ratios).first(), Some(&ratios[0]));
        let read: Ratio = from_value(json!(2)).unwrap();
        assert!(HashSet::from(ratios).contains(&read));
        let words = ["b", "a"].map(|word| Word::try_from(word).unwrap());
        assert_eq!(words.iter().min().unwrap().as_str(), "a");
        assert!(HashSet::from(words).contains(&Word::try_from("b").unwrap()));
        assert!(Count::from(2u64) < Count::from(10u64));
    }

    #[test]
    fn a_condition_says_what_it_asks() {
        let error = serde_json::from_str::<Trade>(r#"{"mode": "sale"}"#).unwrap_err().to_string();
        assert!(error.starts_with("where `mode` is \"sale\", `price` must be there"), "{error}");
    }

    #[test]
    fn variants_of_one_document_are_equal() {
        let right = Either::from(Right::default().with_r(support::Integer::from(1)));
        let again: Either = from_value(to_value(&right).unwrap()).unwrap();
        assert!(matches!(again, Either::Left(_)));
        assert_eq!(again, right);
        assert_ne!(again, Either::from(Right::default()));
    }

    #[test]
    fn a_builder_names_what_is_missing() {
        let given = Large::builder().with_a("1").with_b("2").with_c("3").with_d("4").with_e("5").with_f("6");
        let missing = given.clone().build().unwrap_err();
        assert_eq!(missing.to_string(), "must have g, type");
        let large = given.with_g("7").with_type("8").build().unwrap();
        let expected = json!({"a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "f": "6", "g": "7", "type": "8"});
        assert_eq!(to_value(&large).unwrap(), expected);
        let large = large.with_build(8).with_level("loud");
        assert_eq!(to_value(&large).unwrap()["build"], json!(8));
        assert_eq!(to_value(&large).unwrap()["level"], json!("loud"));
        assert_eq!(to_value(large.with_nothing()).unwrap()["nothing"], json!(null));
    }
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
    let made = ludwire_codegen::module(source, &options);
    made.unwrap_or_else(|problems| panic!("refused: {problems}")).0
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
    write("src/values.rs", &module("values.json", VALUES, None));
    for (path, text) in PROTOCOL {
        fs::create_dir_all(root.join("toy/schemas")).expect("it is writable");
        write(&format!("toy/{path}"), text);
    }
    let config = ludwire_codegen::config::read(&root.join("toy/ludwire.toml")).expect("it is right");
    let generated =
        ludwire_codegen::generate(&config).unwrap_or_else(|problems| panic!("refused: {problems}"));
    for file in &generated.files {
        if let Some(path) = file.path.strip_prefix("src/") {
            let folder = root.join("src/made").join(path);
            fs::create_dir_all(folder.parent().expect("it is in one")).expect("it is writable");
            write(&format!("src/made/{path}"), &file.content);
        }
    }
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
        let text =
            [output.stderr, output.stdout].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
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
