//! What errors of reading say: in our words, never in those of serde.

use ludwire_codegen::support::{Content, Decimal, Integer, Number, Read, Uuid, from_slice, from_value};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

fn told<T: for<'de> Read<'de>>(text: &str) -> String {
    match from_slice::<T>(text.as_bytes()) {
        Ok(_) => panic!("{text} is read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_wrong_value_is_told_in_our_words() {
    for (said, words) in [
        (told::<bool>("1"), "must be a boolean, found a number"),
        (told::<bool>("[]"), "must be a boolean, found an array"),
        (told::<()>("{}"), "must be null, found an object"),
        (told::<String>("null"), "must be a string, found null"),
        (told::<String>("1.5"), "must be a string, found a number"),
        (told::<Integer>("1.5"), "must be an integer, found 1.5"),
        (told::<Integer>("\"1, expected 2\""), "must be an integer, found a string"),
        (told::<Number>("true"), "must be a number, found a boolean"),
        (told::<Decimal>("\"1\""), "must be a number, found a string"),
        (told::<Decimal>("[1]"), "must be a number, found an array"),
        (told::<Uuid>("1"), "must be a string (UUID), found a number"),
        (told::<Uuid>("\"1\""), "must be a UUID, found \"1\""),
        (told::<Option<bool>>("\"\""), "must be a boolean, found a string"),
        (told::<Vec<bool>>("{}"), "must be an array, found an object"),
        (told::<Vec<Vec<bool>>>("[[], [true, 0]]"), "/1/1: must be a boolean, found a number"),
        (told::<BTreeMap<String, bool>>("[]"), "must be an object, found an array"),
        (told::<BTreeMap<String, bool>>("{\"a/b\": null}"), "/a~1b: must be a boolean, found null"),
        (told::<BTreeMap<String, bool>>("{\"a\": true, \"a\": true}"), "/a: stands twice"),
        (told::<Map<String, Value>>("[]"), "must be an object, found an array"),
    ] {
        assert_eq!(said, words);
    }
    let error = from_value::<bool>(&Value::from("secret")).expect_err("a string");
    assert_eq!(error.to_string(), "must be a boolean, found a string");
}

#[test]
fn what_is_no_json_is_told_in_our_words() {
    let deep = "[".repeat(200);
    let wide = |text: &str| match from_slice::<Exact>(text.as_bytes()) {
        Ok(_) => panic!("{text} is read"),
        Err(error) => error.to_string(),
    };
    for (said, words) in [
        (told::<Value>(""), "the text is no JSON: it ends before a value does at line 1, column 0"),
        (told::<Value>("[1,"), "the text is no JSON: it ends before a value does at line 1, column 3"),
        (told::<Value>("[1"), "the text is no JSON: it ends inside an array at line 1, column 2"),
        (told::<Value>("{\"a\":1"), "the text is no JSON: it ends inside an object at line 1, column 6"),
        (told::<Value>("\"a"), "the text is no JSON: it ends inside a string at line 1, column 2"),
        (told::<Value>("1 2"), "the text is no JSON: trailing characters at line 1, column 3"),
        (told::<Value>("1e999"), "the text has a number that is out of range at line 1, column 5"),
        (told::<Value>(&deep), "the text is nested deeper than 127 levels at line 1, column 128"),
        (wide(&deep), "the text is no JSON: it ends inside an array at line 1, column 200"),
        (wide(&format!("{deep}{}", "]".repeat(200))), "the text is nested deeper than 127 levels"),
    ] {
        assert_eq!(said, words);
    }
}

/// A value in which numbers keep all their digits.
struct Exact;

impl<'de> Read<'de> for Exact {
    fn read<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Content::read_exact(deserializer).map(|_| Self)
    }
}
