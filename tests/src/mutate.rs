//! Damage to documents, of the kinds at which generated readers go wrong.

use crate::valid::{DATE_TIMES, INTEGERS, NUMBERS, URIS, any, text};
use fastrand::Rng;
use serde_json::{Map, Value, json};

/// What a change was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// One value that holds no others, put in place of another one.
    Leaf,
    /// Anything else.
    Structure,
}

/// What changes are made of, beside the document.
pub struct Material<'a> {
    /// Strings and names that the schemas know.
    pub words: &'a [String],
    /// Another document for the same schema.
    pub other: &'a Value,
}

/// Changes one thing in a document, half of the time a leaf.
pub fn mutate(document: &mut Value, material: &Material<'_>, rng: &mut Rng) -> Change {
    if rng.bool() { leaf(document, material, rng) } else { structure(document, material, rng) }
}

fn leaf(document: &mut Value, material: &Material<'_>, rng: &mut Rng) -> Change {
    let leaves: Vec<String> =
        pointers(document).into_iter().filter(|at| is_leaf(at_mut(document, at))).collect();
    if leaves.is_empty() {
        return structure(document, material, rng);
    }
    let at = &leaves[rng.usize(..leaves.len())];
    // What stands at the same place of another document is often right here too.
    let transplant = material.other.pointer(at).filter(|value| is_leaf(value)).cloned();
    let old = at_mut(document, at);
    let new = match transplant {
        Some(new) if rng.u8(..3) == 0 => new,
        _ => match &*old {
            _ if rng.u8(..5) == 0 => other_leaf(rng),
            Value::String(text) => string(text, material, rng).into(),
            Value::Number(_) => number(rng),
            Value::Bool(value) => (!value).into(),
            _ => other_leaf(rng),
        },
    };
    *old = new;
    Change::Leaf
}

fn is_leaf(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => true,
    }
}

fn other_leaf(rng: &mut Rng) -> Value {
    match rng.u8(..7) {
        0 => Value::Null,
        1 => rng.bool().into(),
        2 => number(rng),
        3 => json!([]),
        4 => json!({}),
        5 => "".into(),
        _ => text(rng, 0).into(),
    }
}

fn number(rng: &mut Rng) -> Value {
    match rng.u8(..4) {
        0 => json!(NUMBERS[rng.usize(..NUMBERS.len())]),
        1 => json!([u64::MAX, 1 << 63, (1 << 63) - 1, 65537][rng.usize(..4)]),
        _ => INTEGERS[rng.usize(..INTEGERS.len())].into(),
    }
}

fn string(old: &str, material: &Material<'_>, rng: &mut Rng) -> String {
    const NEAR_MISSES: [&str; 34] = [
        "",
        " ",
        "\n",
        "null",
        "true",
        "0",
        "gabp/2",
        "aicc/0.2",
        "1.0\n",
        "1.",
        "1.٣",
        "01.0",
        "tools/call\n",
        "Tools/call",
        "tools/",
        "/call",
        "tools//call",
        "tools",
        "world/spawn orc",
        "7b5bd2a00a5c4d7b9c0c0d4a4a6f7a11",
        "{7b5bd2a0-0a5c-4d7b-9c0c-0d4a4a6f7a11}",
        "urn:uuid:7b5bd2a0-0a5c-4d7b-9c0c-0d4a4a6f7a11",
        "7b5bd2a0-0a5c-4d7b-9c0c-0d4a4a6f7a1g",
        "7b5bd2a0-0a5c-4d7b-9c0c-0d4a4a6f7a1é",
        "2026-02-29T00:00:00Z",
        "2026-02-28T24:00:00Z",
        "2026-02-28T00:00:60Z",
        "2026-02-28 00:00:00Z",
        "2026-02-28T00:00:00",
        "2026-02-28T00:00:00.Z",
        "2026-02-28T00:00:00+24:00",
        "//host/path",
        "http://exa mple",
        "gabp://game/%zz",
    ];
    let mut characters: Vec<char> = old.chars().collect();
    let at = rng.usize(..=characters.len());
    match rng.u8(..12) {
        0 | 1 => return material.words[rng.usize(..material.words.len())].clone(),
        2 => return NEAR_MISSES[rng.usize(..NEAR_MISSES.len())].to_owned(),
        3 => return text(rng, 0),
        4 => return DATE_TIMES[rng.usize(..DATE_TIMES.len())].to_owned(),
        5 => return URIS[rng.usize(..URIS.len())].to_owned(),
        6 => return if rng.bool() { old.to_uppercase() } else { old.to_lowercase() },
        7 => characters
            .insert(at, ['a', '0', '/', '_', '-', ' ', '\n', 'é', '\u{1F600}', '%'][rng.usize(..10)]),
        8 if at < characters.len() => drop(characters.remove(at)),
        9 => characters.truncate(at),
        10 => characters.extend(characters.clone()),
        _ => characters.push(['\n', 'x', '\u{2028}', '/', '\u{0}'][rng.usize(..5)]),
    }
    characters.into_iter().collect()
}

fn structure(document: &mut Value, material: &Material<'_>, rng: &mut Rng) -> Change {
    let all = pointers(document);
    let at = &all[rng.usize(..all.len())];
    let transplant = material.other.pointer(at).cloned();
    let place = at_mut(document, at);
    match (&mut *place, rng.u8(..10)) {
        (Value::Object(members), 0..=5) => object(members, material, rng),
        (Value::Array(items), 0..=5) => array(items, rng),
        (_, 6) => {
            *place = match transplant {
                Some(value) => value,
                None => any(rng, 3),
            }
        }
        _ => *place = reshaped(place.take(), rng),
    }
    Change::Structure
}

fn object(members: &mut Map<String, Value>, material: &Material<'_>, rng: &mut Rng) {
    let names: Vec<String> = members.keys().cloned().collect();
    let name = names.get(rng.usize(..=names.len())).cloned();
    match (name, rng.u8(..6)) {
        (Some(name), 0 | 1) => drop(members.remove(&name)),
        (Some(name), 2) => {
            if let Some(value) = members.remove(&name) {
                members.insert(renamed(&name, material, rng), value);
            }
        }
        (Some(name), 3) => drop(members.insert(name, Value::Null)),
        (_, 4) => drop(members.insert(text(rng, 0), any(rng, 2))),
        _ => {
            let name = material.words[rng.usize(..material.words.len())].clone();
            let value = match material.other.get(&name) {
                Some(value) => value.clone(),
                None => any(rng, 1),
            };
            members.insert(name, value);
        }
    }
}

fn renamed(name: &str, material: &Material<'_>, rng: &mut Rng) -> String {
    match rng.u8(..5) {
        0 => name.to_uppercase(),
        1 => format!("{name}_"),
        2 => format!(" {name}"),
        3 => name.chars().skip(1).collect(),
        _ => material.words[rng.usize(..material.words.len())].clone(),
    }
}

fn array(items: &mut Vec<Value>, rng: &mut Rng) {
    let at = rng.usize(..=items.len());
    match (items.get(at).cloned(), rng.u8(..5)) {
        (Some(item), 0 | 1) => items.push(item),
        (Some(_), 2) => drop(items.remove(at)),
        (_, 3) => items.clear(),
        (_, 4) => items.reverse(),
        _ => items.insert(at, any(rng, 1)),
    }
}

/// The same matter in another form: what a derived reader takes for the right one.
fn reshaped(value: Value, rng: &mut Rng) -> Value {
    match (value, rng.u8(..9)) {
        (Value::Object(members), 0) => members.into_values().collect(),
        (Value::Object(members), 1) => {
            members.into_iter().map(|(name, value)| json!([name, value])).collect()
        }
        (Value::Array(items), 0 | 1) => {
            items.into_iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        (Value::String(text), 0 | 1) => Value::Object([(text, Value::Null)].into_iter().collect()),
        (Value::String(text), 2) => text.parse::<i64>().map_or_else(|_| json!([text]), Value::from),
        (Value::Number(number), 0 | 1) => number.to_string().into(),
        (Value::Bool(value), 0) => u8::from(value).into(),
        (Value::Bool(value), 1) => value.to_string().into(),
        (value, 2) => json!([value]),
        (value, 3) => json!({ "value": value }),
        // Up to a little more than what serde_json reads.
        (value, 4) => (0..rng.usize(1..135)).fold(value, |inner, _| json!([inner])),
        (value, 5) => (0..rng.usize(1..135)).fold(value, |inner, _| json!({ "": inner })),
        (_, 6) => Value::Null,
        // Names by which parts of serde_json speak to each other.
        (value, 7) => {
            let name = ["RawValue", "Number"][rng.usize(..2)];
            json!({ format!("$serde_json::private::{name}"): value.to_string() })
        }
        _ => any(rng, 3),
    }
}

/// The pointers of every value in a document, its own first.
pub(crate) fn pointers(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![(String::new(), document)];
    while let Some((at, value)) = waiting.pop() {
        match value {
            Value::Array(items) => {
                waiting.extend(items.iter().enumerate().map(|(index, item)| (format!("{at}/{index}"), item)));
            }
            Value::Object(members) => waiting.extend(members.iter().map(|(name, value)| {
                (format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), value)
            })),
            _ => {}
        }
        found.push(at);
    }
    found
}

fn at_mut<'v>(document: &'v mut Value, at: &str) -> &'v mut Value {
    document.pointer_mut(at).expect("the pointer is one of the document's")
}
