//! What is printed, and how.

use crate::Failure;
use serde_json::{Map, Value};
use std::io::{self, Write as _};

/// One JSON document, or what people read.
pub(crate) fn print_as(json: bool, document: &Value, text: impl FnOnce() -> String) -> Result<(), Failure> {
    print(&if json { document.to_string() } else { text() })
}

pub(crate) fn print(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|_| Failure::Closed)
}

/// Entries as people read them.
pub(crate) fn listed(what: &str, entries: impl Iterator<Item = String>) -> String {
    let text = entries.collect::<Vec<_>>().join("\n");
    if text.is_empty() { format!("The game has no {what}.") } else { text.trim_end().to_owned() }
}

/// A title, and the description below it.
pub(crate) fn entry(title: &str, description: Option<&str>) -> String {
    let lines = description.into_iter().flat_map(str::lines).map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("  {line}\n"),
    });
    format!("{title}\n") + &lines.collect::<String>()
}

/// The members of an object, one a line.
pub(crate) fn members(schema: &Map<String, Value>) -> String {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    let line = |(name, schema): (&String, &Value)| {
        let optional = if required.iter().any(|known| known == name) { "" } else { ", optional" };
        let meaning = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        format!("{}\n", format!("    {name}: {}{optional}. {meaning}", words(schema)).trim_end())
    };
    properties.into_iter().flatten().map(line).collect()
}

/// A schema in a few words: `integer, 1 to 100, default 10`.
fn words(schema: &Value) -> String {
    let get = |keyword: &str| schema.get(keyword);
    let mut words = match (get("enum").and_then(Value::as_array), get("type").and_then(Value::as_str)) {
        (Some(values), _) => values.iter().map(Value::to_string).collect::<Vec<_>>().join(" or "),
        (None, Some("object")) => {
            let members = get("properties").and_then(Value::as_object);
            let members: Vec<String> = members
                .into_iter()
                .flatten()
                .map(|(name, schema)| format!("{name}: {}", words(schema)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        (None, Some("array")) => {
            format!("list of {}", get("items").map_or("anything".to_owned(), self::words))
        }
        (None, Some(kind)) => kind.to_owned(),
        (None, None) => "any value".to_owned(),
    };
    for (least, greatest, unit) in [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " items"),
    ] {
        match (get(least), get(greatest)) {
            (Some(least), Some(greatest)) => words.push_str(&format!(", {least} to {greatest}{unit}")),
            (Some(least), None) => words.push_str(&format!(", at least {least}{unit}")),
            (None, Some(greatest)) => words.push_str(&format!(", at most {greatest}{unit}")),
            (None, None) => {}
        }
    }
    if let Some(default) = get("default") {
        words.push_str(&format!(", default {default}"));
    }
    words
}
