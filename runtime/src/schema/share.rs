//! Schemas in which what stands more than once is said once.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The same schema, in which objects and lists of words that stand more than once stand in `$defs`, and are
/// referred to. What is said of one place only, its description and its default, stays there.
pub(crate) fn share(schema: &Value) -> Value {
    let mut known = Known::default();
    inside(schema, &mut |name, part| known.count(name, part));
    let taken = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    known.name(&taken);
    let mut shared = schema.clone();
    replace_inside(&mut shared, &known);
    let mut definitions: Map<String, Value> = known
        .parts
        .values()
        .filter_map(|part| {
            let mut definition = part.schema.clone();
            replace_inside(&mut definition, &known);
            Some((part.name.clone()?, definition))
        })
        .collect();
    if let Value::Object(members) = &mut shared {
        if let Some(Value::Object(own)) = members.remove("$defs") {
            definitions.extend(own);
        }
        if !definitions.is_empty() {
            members.insert("$defs".to_owned(), Value::Object(definitions));
        }
    }
    shared
}

/// What may be shared, by its text.
#[derive(Default)]
struct Known {
    parts: BTreeMap<String, Part>,
    /// Those in the order in which they stand.
    order: Vec<String>,
}

struct Part {
    schema: Value,
    count: usize,
    /// Where it stands first: the name of the member.
    place: String,
    /// Its own, where it stands more than once.
    name: Option<String>,
}

/// The names of places that are no members.
const UNNAMED: [&str; 2] = ["item", "part"];
/// What belongs to a place, and not to what stands there.
const OF_A_PLACE: [&str; 2] = ["description", "default"];

impl Known {
    fn count(&mut self, place: &str, schema: &Value) {
        let Some((text, part)) = sharable(schema) else { return };
        match self.parts.get_mut(&text) {
            Some(known) => {
                known.count += 1;
                // A member says more of it than a list does.
                if UNNAMED.contains(&known.place.as_str()) {
                    place.clone_into(&mut known.place);
                }
            }
            None => {
                self.order.push(text.clone());
                let place = place.to_owned();
                self.parts.insert(text, Part { schema: part, count: 1, place, name: None });
            }
        }
    }

    /// Names what stands more than once after its first place, with a number where that name is taken.
    fn name(&mut self, taken: &Map<String, Value>) {
        let mut names: Vec<String> = taken.keys().cloned().collect();
        for text in &self.order {
            let Some(part) = self.parts.get_mut(text).filter(|part| part.count > 1) else { continue };
            let base = pascal(&part.place);
            let mut name = base.clone();
            let mut number = 1;
            while names.contains(&name) {
                number += 1;
                name = format!("{base}{number}");
            }
            names.push(name.clone());
            part.name = Some(name);
        }
    }

    fn name_of(&self, schema: &Value) -> Option<&str> {
        self.parts.get(&sharable(schema)?.0)?.name.as_deref()
    }
}

/// A schema without what belongs to its place, and its text, if it is worth to be said once only.
fn sharable(schema: &Value) -> Option<(String, Value)> {
    let members = schema.as_object()?;
    if !members.contains_key("properties") && !members.contains_key("enum") {
        return None;
    }
    let mut part = members.clone();
    OF_A_PLACE.iter().for_each(|keyword| drop(part.remove(*keyword)));
    let part = Value::Object(part);
    Some((part.to_string(), part))
}

/// `start_tile` is `StartTile`.
fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        })
        .collect();
    if name.is_empty() { "Part".to_owned() } else { name }
}

/// Shows all schemas in one, outer ones first, with the member that they stand in.
fn inside(schema: &Value, see: &mut impl FnMut(&str, &Value)) {
    let Some(members) = schema.as_object() else { return };
    for (keyword, value) in members {
        let mut each = |name: &str, part: &Value| {
            see(name, part);
            inside(part, see);
        };
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs", Value::Object(parts)) => {
                parts.iter().for_each(|(name, part)| each(name, part));
            }
            ("items" | "additionalProperties", part) => each("item", part),
            ("prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(parts)) => {
                parts.iter().for_each(|part| each("part", part));
            }
            _ => {}
        }
    }
}

/// Refers to what has a name, in the schemas in one.
fn replace_inside(schema: &mut Value, known: &Known) {
    let Some(members) = schema.as_object_mut() else { return };
    for (keyword, value) in members {
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs", Value::Object(parts)) => {
                parts.values_mut().for_each(|part| replace(part, known));
            }
            ("items" | "additionalProperties", part) => replace(part, known),
            ("prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(parts)) => {
                parts.iter_mut().for_each(|part| replace(part, known));
            }
            _ => {}
        }
    }
}

fn replace(schema: &mut Value, known: &Known) {
    let Some(name) = known.name_of(schema) else { return replace_inside(schema, known) };
    let mut reference = json!({ "$ref": format!("#/$defs/{name}") });
    for keyword in OF_A_PLACE {
        if let Some(value) = schema.get_mut(keyword) {
            reference[keyword] = value.take();
        }
    }
    *schema = reference;
}

#[cfg(test)]
mod tests {
    use super::share;
    use serde_json::json;

    #[test]
    fn what_stands_once_stays_where_it_is() {
        let schema =
            json!({ "type": "object", "properties": { "at": { "type": "object", "properties": {} } } });
        assert_eq!(share(&schema), schema);
    }

    #[test]
    fn what_stands_more_often_is_referred_to() {
        let side = |text: &str| json!({ "type": "string", "enum": ["left", "right"], "description": text });
        let hand = |text: &str| json!({ "type": "object", "properties": { "side": side("Which.") }, "description": text });
        let schema = json!({
            "type": "object",
            "properties": { "first_hand": hand("One."), "others": { "type": "array", "items": hand("More.") }, "side": side("Whose.") },
            "$defs": { "Side": { "type": "object", "properties": { "more": { "$ref": "#/$defs/Side" } } } },
        });
        let shared = json!({
            "type": "object",
            "properties": {
                "first_hand": { "$ref": "#/$defs/FirstHand", "description": "One." },
                "others": { "type": "array", "items": { "$ref": "#/$defs/FirstHand", "description": "More." } },
                "side": { "$ref": "#/$defs/Side2", "description": "Whose." },
            },
            "$defs": {
                "Side": { "type": "object", "properties": { "more": { "$ref": "#/$defs/Side" } } },
                "FirstHand": {
                    "type": "object",
                    "properties": { "side": { "$ref": "#/$defs/Side2", "description": "Which." } },
                },
                "Side2": { "type": "string", "enum": ["left", "right"] },
            },
        });
        assert_eq!(share(&schema), shared);
    }
}
