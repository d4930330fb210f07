//! How messages name what was expected and what was found.

use super::integers::{self, Bounds};
use crate::registry::nearest;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// What is said of a name that is not there.
pub(crate) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    match (nearest(name, known.iter().copied()), known.as_slice()) {
        (Some(near), _) => format!("unknown {what}, did you mean `{near}`?"),
        (None, []) => format!("unknown {what}, there is none"),
        (None, known) => format!("unknown {what}, expected one of `{}`", known.join("`, `")),
    }
}

/// So many of them: `1 tool`, `2 tools`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {one}{end}")
}

/// What is said of a member whose name matches none of the patterns that are all there is.
pub(super) fn no_key<'a>(patterns: impl Iterator<Item = &'a String>) -> String {
    let kinds: Vec<String> = patterns.map(|pattern| key(pattern)).collect();
    format!("is no key of this map, where a key is {}", kinds.join(" or "))
}

/// The keys that a pattern of ours means.
fn key(pattern: &str) -> String {
    macro_rules! of_types {
        ($($integer:ident)*) => {$(
            let (least, greatest) = ($integer::MIN.to_string(), $integer::MAX.to_string());
            if integers::key_pattern(&least, &greatest).as_deref() == Some(pattern) {
                return format!("a whole number from {least} to {greatest}");
            }
        )*};
    }
    of_types!(i8 u8 i16 u16 i32 u32 i64 u64 i128 u128);
    format!("a text that matches {pattern}")
}

/// What a schema's `type` says.
pub(super) fn kind_names(kinds: &Value) -> String {
    let name = |kind: &str| match kind {
        "integer" => "a whole number".to_owned(),
        "array" => "a list".to_owned(),
        "object" => "an object".to_owned(),
        "boolean" => "true or false".to_owned(),
        "null" => "null".to_owned(),
        other => format!("a {other}"),
    };
    match kinds {
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).map(name).collect::<Vec<_>>().join(" or ")
        }
        kind => name(kind.as_str().unwrap_or_default()),
    }
}

/// The longest text that stands in a message as it is, in characters.
const LONGEST: usize = 40;
/// The longest name, URI or the like.
const LONGEST_NAME: usize = 100;

/// A name that a peer has for something, as messages repeat it: of a very long one the beginning.
pub(crate) fn shown(name: &str) -> Cow<'_, str> {
    beginning(name, LONGEST_NAME)
}

fn beginning(text: &str, longest: usize) -> Cow<'_, str> {
    match text.char_indices().nth(longest) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A value in a message: short ones as they are, and the beginning of a long text.
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => Value::from(beginning(text, LONGEST)).to_string(),
        other => other.to_string(),
    }
}

/// What is said of a value that is not in a list.
pub(super) fn not_among(allowed: &[Value], value: &Value) -> String {
    let words: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
    let list = allowed.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match value.as_str().and_then(|text| nearest(text, words)) {
        Some(near) => format!("must be one of {list}, found {}; did you mean \"{near}\"?", found(value)),
        None => format!("must be one of {list}, found {}", found(value)),
    }
}

/// A branch of a union.
pub(super) fn form(branch: &Map<String, Value>) -> String {
    if Bounds::marked(branch).is_some() {
        return "a whole number as a string".to_owned();
    }
    if let Some(constant) = branch.get("const") {
        return constant.to_string();
    }
    if let Some(Value::Array(words)) = branch.get("enum") {
        return words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    }
    let properties = branch.get("properties").and_then(Value::as_object);
    let tag = properties.into_iter().flatten().find_map(|(name, property)| {
        property.get("const").map(|constant| format!("an object with \"{name}\": {constant}"))
    });
    let member = || Some(format!("an object with {}", branch.get("required")?.get(0)?));
    tag.or_else(member).unwrap_or_else(|| branch.get("type").map_or("something else".to_owned(), kind_names))
}
