//! Objects into which enums are flattened: schemars puts the members of the enum's variants beside those
//! of the object, into `oneOf`, where nothing can say that there are no others. Here each alternative
//! becomes an object with all its members.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const COMBINATORS: [&str; 3] = ["oneOf", "anyOf", "allOf"];
/// Some flattened enums multiply; no more alternatives than this are written out.
const MOST: usize = 64;

/// Writes out the alternatives of an object, where it has any.
pub(super) fn distribute(members: &mut Map<String, Value>) {
    let is_object =
        members.contains_key("properties") || members.get("type").is_some_and(|kind| kind == "object");
    if !is_object || !COMBINATORS.iter().any(|keyword| members.contains_key(*keyword)) {
        return;
    }
    let mut whole = members.clone();
    let mut outer = Map::new();
    for keyword in ["title", "description", "default", "deprecated", "examples"] {
        outer.extend(whole.remove_entry(keyword));
    }
    let mut exclusive = true;
    let Some(mut alternatives) = alternatives(&Value::Object(whole), &mut exclusive) else { return };
    if let [alternative] = alternatives.as_mut_slice() {
        for (keyword, value) in std::mem::take(alternative) {
            outer.entry(keyword).or_insert(value);
        }
    } else {
        keep_apart(&mut alternatives);
        let keyword = if exclusive { "oneOf" } else { "anyOf" };
        let alternatives = alternatives.into_iter().map(Value::Object).collect();
        outer.insert(keyword.to_owned(), Value::Array(alternatives));
    }
    *members = outer;
}

/// Where other members may follow, what names another alternative is none of them, unless a tag tells
/// which alternative it is: serde takes the first name that it knows.
fn keep_apart(alternatives: &mut [Map<String, Value>]) {
    let property =
        |alternative: &Map<String, Value>, name: &str| alternative.get("properties")?.get(name).cloned();
    let names = |alternative: &Map<String, Value>| -> Vec<String> {
        let required = alternative.get("required").and_then(Value::as_array).into_iter().flatten();
        required.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let is_tag = |name: &String| {
        let mut tags = alternatives.iter().map(|alternative| property(alternative, name));
        tags.all(|tag| tag.is_some_and(|tag| tag.get("const").is_some()))
    };
    let known: BTreeSet<String> = alternatives.iter().flat_map(names).collect();
    if known.iter().any(is_tag) {
        return;
    }
    for alternative in alternatives {
        let is_open =
            alternative.get("additionalProperties").is_some_and(|others| *others != Value::Bool(false));
        if let (true, Some(Value::Object(properties))) = (is_open, alternative.get_mut("properties")) {
            for name in &known {
                properties.entry(name).or_insert(json!({ "not": {} }));
            }
        }
    }
}

/// The objects that a schema stands for; `None` where it stands for anything else.
fn alternatives(schema: &Value, exclusive: &mut bool) -> Option<Vec<Map<String, Value>>> {
    let mut base = match schema {
        Value::Object(base) => base.clone(),
        Value::Bool(true) => Map::new(),
        _ => return None,
    };
    let groups = COMBINATORS.map(|keyword| base.remove(keyword));
    let is_other = ["$ref", "enum", "const", "not"].iter().any(|keyword| base.contains_key(*keyword));
    if is_other || base.get("type").is_some_and(|kind| kind != "object") {
        return None;
    }
    if let Some(others) = base.remove("unevaluatedProperties") {
        base.insert("additionalProperties".to_owned(), others);
    }
    base.insert("type".to_owned(), Value::from("object"));
    let mut found = vec![base];
    let [one_of, any_of, all_of] = groups;
    *exclusive &= any_of.is_none();
    for group in [one_of, any_of].into_iter().flatten() {
        let mut of_group = Vec::new();
        for branch in group.as_array()? {
            of_group.extend(alternatives(branch, exclusive)?);
        }
        found = product(&found, &of_group)?;
    }
    for schema in all_of.iter().filter_map(Value::as_array).flatten() {
        found = product(&found, &alternatives(schema, exclusive)?)?;
    }
    Some(found)
}

fn product(some: &[Map<String, Value>], others: &[Map<String, Value>]) -> Option<Vec<Map<String, Value>>> {
    if some.len() * others.len() > MOST {
        return None;
    }
    some.iter().flat_map(|one| others.iter().map(|other| merged(one, other))).collect()
}

/// An object with the members of both; `None` where they contradict each other.
fn merged(one: &Map<String, Value>, other: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mut merged = one.clone();
    for (keyword, value) in other {
        let Some(own) = merged.get_mut(keyword) else {
            merged.insert(keyword.clone(), value.clone());
            continue;
        };
        match (keyword.as_str(), own, value) {
            ("properties", Value::Object(own), Value::Object(others)) => {
                for (name, property) in others {
                    if own.insert(name.clone(), property.clone()).is_some_and(|own| own != *property) {
                        return None;
                    }
                }
            }
            ("required", Value::Array(own), Value::Array(others)) => own.extend(others.iter().cloned()),
            // What only tells the reader something need not be the same.
            ("title" | "description" | "default" | "deprecated" | "examples", ..) => {}
            (_, own, value) if own == value => {}
            _ => return None,
        }
    }
    Some(merged)
}
