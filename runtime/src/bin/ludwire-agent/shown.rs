//! What is printed, and how.

use crate::Failure;
use serde_json::{Map, Value};
use std::io::{self, Write as _};

/// One JSON document, or what people read.
pub(crate) fn print_as(json: bool, document: &Value, text: impl FnOnce() -> String) -> Result<(), Failure> {
    print(&if json { document.to_string() } else { text() })
}

pub(crate) fn print(line: &str) -> Result<(), Failure> {
    let line = harmless(line);
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|_| Failure::Closed)
}

/// A text of a game's without what a terminal takes for orders, or shows in another order: such characters
/// are written as JSON writes them in a string, where they stand in a document.
pub(crate) fn harmless(text: &str) -> String {
    let is_order = |c: char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().fold(String::with_capacity(text.len()), |mut shown, c| {
        match is_order(c) {
            true => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => shown.push(c),
        }
        shown
    })
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
        (None, Some("string")) if get("pattern").is_some_and(is_of_integers) => "integer as text".to_owned(),
        (None, Some(kind)) => kind.to_owned(),
        (None, None) => "any value".to_owned(),
    };
    for (least, greatest, unit) in [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " character"),
        ("minItems", "maxItems", " item"),
    ] {
        match (get(least), get(greatest)) {
            (Some(least), Some(greatest)) => words.push_str(&format!(", {least} to {}", of(greatest, unit))),
            (Some(least), None) => words.push_str(&format!(", at least {}", of(least, unit))),
            (None, Some(greatest)) => words.push_str(&format!(", at most {}", of(greatest, unit))),
            (None, None) => {}
        }
    }
    if let Some(default) = get("default") {
        words.push_str(&format!(", default {default}"));
    }
    words
}

/// `1 item`, `2 items`; a plain number where there is no unit.
fn of(number: &Value, unit: &str) -> String {
    let end = if unit.is_empty() || number.as_u64() == Some(1) { "" } else { "s" };
    format!("{number}{unit}{end}")
}

/// Whether a pattern is that of whole numbers: so integers of 64 bits stand in schemas, as texts, since numbers
/// of JSON do not hold them everywhere.
fn is_of_integers(pattern: &Value) -> bool {
    let of_digits = |pattern: &str| {
        let is_part = |c: char| c.is_ascii_digit() || "^$()[]{}|?:,-".contains(c);
        pattern.starts_with('^') && pattern.ends_with('$') && pattern.chars().all(is_part)
    };
    pattern.as_str().is_some_and(of_digits)
}

#[cfg(test)]
mod tests {
    use super::members;
    use serde_json::json;

    #[test]
    fn schemas_are_told_in_a_few_words() {
        let schema = json!({
            "properties": {
                "id": { "type": "string", "pattern": "^(0|[1-9][0-9]{0,18}|1[0-7][0-9]{18})$" },
                "name": { "type": "string", "pattern": "^[a-z]+$", "minLength": 1, "description": "Whose." },
                "path": { "type": "array", "items": { "type": "number" }, "maxItems": 3 },
            },
            "required": ["id"],
        });
        assert_eq!(
            members(schema.as_object().expect("it is one")),
            "    id: integer as text.\n    name: string, at least 1 character, optional. Whose.\n    \
             path: list of number, at most 3 items, optional.\n"
        );
    }
}
