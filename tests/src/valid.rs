//! Documents that a schema accepts, made from the schema alone.

use crate::protocol::Protocol;
use fastrand::Rng;
use serde_json::{Map, Number, Value, json};

/// Makes a document for the schema `path#/pointer` that it most likely accepts: rules that span
/// members are not looked at, so the caller asks the oracle, and for another one where it says no.
pub fn document(protocol: &Protocol, at: &str, rng: &mut Rng) -> Value {
    let (path, _) = at.split_once('#').unwrap_or((at, ""));
    Maker { protocol, rng, depth: 0 }.value(path, protocol.schema(at))
}

struct Maker<'a> {
    protocol: &'a Protocol,
    rng: &'a mut Rng,
    depth: usize,
}

impl<'a> Maker<'a> {
    fn value(&mut self, path: &'a str, schema: &'a Value) -> Value {
        self.depth += 1;
        let made = self.make(path, schema);
        self.depth -= 1;
        made
    }

    fn make(&mut self, path: &'a str, schema: &'a Value) -> Value {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let (path, schema) = self.follow(path, reference);
            return self.value(path, schema);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return self.pick(values).clone();
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(branches) = schema.get(keyword).and_then(Value::as_array) {
                let branch = self.pick(branches);
                return self.value(path, branch);
            }
        }
        let kind = match schema.get("type") {
            Some(Value::Array(kinds)) => self.pick(kinds).as_str(),
            Some(kind) => kind.as_str(),
            None => None,
        };
        match kind {
            Some("object") => Value::Object(self.object(path, schema)),
            Some("array") => self.array(path, schema),
            Some("string") => self.string(schema),
            Some("integer") => self.integer(schema),
            Some("number") => self.number(schema),
            Some("boolean") => self.rng.bool().into(),
            Some("null") => Value::Null,
            Some(other) => panic!("{path}: the generator of documents knows no type {other}"),
            None => any(self.rng, 3),
        }
    }

    fn object(&mut self, path: &'a str, schema: &'a Value) -> Map<String, Value> {
        let mut members = Map::new();
        let required: Vec<&str> = list(schema, "required").filter_map(Value::as_str).collect();
        // Now and then everything, or only what must be.
        let share = [0, 40, 60, 100][self.rng.usize(..4)];
        for (name, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if member != &Value::Bool(false)
                && (required.contains(&name.as_str()) || self.rng.u8(..100) < share)
            {
                members.insert(name.clone(), self.value(path, member));
            }
        }
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        for (pattern, member) in patterns.into_iter().flatten() {
            for _ in 0..self.rng.usize(..3) {
                let name = self.matching(pattern);
                members.insert(name, self.value(path, member));
            }
        }
        let open = schema.get("additionalProperties") != Some(&Value::Bool(false));
        if open && self.rng.u8(..3) == 0 {
            for _ in 0..self.rng.usize(1..4) {
                let name = text(self.rng, 0);
                members.entry(name).or_insert_with(|| any(self.rng, 3));
            }
        }
        members
    }

    fn array(&mut self, path: &'a str, schema: &'a Value) -> Value {
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0) as usize;
        let count = least + [0, 1, 2, 5][self.rng.usize(..4)];
        let items = schema.get("items").unwrap_or(&Value::Bool(true));
        let mut made: Vec<Value> = Vec::new();
        for _ in 0..count {
            let item = if items.is_object() { self.value(path, items) } else { any(self.rng, 2) };
            if schema.get("uniqueItems") != Some(&Value::Bool(true)) || !made.contains(&item) {
                made.push(item);
            }
        }
        Value::Array(made)
    }

    fn string(&mut self, schema: &Value) -> Value {
        let format = schema.get("format").and_then(Value::as_str);
        let pattern = schema.get("pattern").and_then(Value::as_str);
        let least = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0) as usize;
        match (format, pattern) {
            (Some("uuid"), _) => uuid(self.rng).into(),
            (Some("date-time"), _) => self.pick(&DATE_TIMES).to_owned().into(),
            (Some("uri"), _) => self.pick(&URIS).to_owned().into(),
            (Some(other), _) => panic!("the generator of documents knows no format {other}"),
            (None, Some(pattern)) => self.matching(pattern).into(),
            (None, None) => text(self.rng, least).into(),
        }
    }

    /// A text that a pattern matches, for the patterns there are.
    fn matching(&mut self, pattern: &str) -> String {
        let texts: &[&str] = match pattern {
            "^[a-z][a-z0-9_-]*(/[a-z][a-z0-9_-]*)+$" => {
                &["world/spawn", "a/b", "w0-r_/x/y-1", "tools/call", "session/ping", "a-/b_/c0/d"]
            }
            "^[a-z][a-z0-9_-]*$" => &["a", "replay", "x-1_y", "zz0", "time-travel"],
            "^[a-z][a-z0-9_]*$" => &["look", "move_to", "a1", "z", "x__"],
            "^1\\.\\d+(?:\\.\\d+)?$" => &["1.0", "1.0.0", "1.12.345", "1.007"],
            other => panic!("add texts for the pattern {other} to tests/src/valid.rs"),
        };
        self.pick(texts).to_string()
    }

    fn integer(&mut self, schema: &Value) -> Value {
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_i64);
        let (least, most) = (bound("minimum"), bound("maximum"));
        let fits = |value: &&i64| {
            least.is_none_or(|least| **value >= least) && most.is_none_or(|most| **value <= most)
        };
        let fitting: Vec<i64> = INTEGERS.iter().filter(fits).copied().chain(least).chain(most).collect();
        let large = most.is_none() && self.rng.u8(..10) == 0;
        if large {
            self.pick(&[u64::MAX, 1 << 63, (1 << 53) + 1]).to_owned().into()
        } else {
            (*self.pick(&fitting)).into()
        }
    }

    fn number(&mut self, schema: &Value) -> Value {
        let above = schema.get("exclusiveMinimum").and_then(Value::as_f64).unwrap_or(f64::NEG_INFINITY);
        let fitting: Vec<f64> = NUMBERS.iter().filter(|value| **value > above).copied().collect();
        Number::from_f64(*self.pick(&fitting)).expect("they are finite").into()
    }

    fn follow(&self, path: &'a str, reference: &'a str) -> (&'a str, &'a Value) {
        let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let mut parts: Vec<&str> = path.split('/').collect();
        if !file.is_empty() {
            parts.pop();
            for part in file.split('/') {
                match part {
                    ".." => drop(parts.pop()),
                    part => parts.push(part),
                }
            }
        }
        let file = self.protocol.file(&parts.join("/"));
        (&file.path, file.root.pointer(pointer).expect("references have targets"))
    }

    fn pick<'v, T>(&mut self, from: &'v [T]) -> &'v T {
        &from[self.rng.usize(..from.len())]
    }
}

fn list<'v>(schema: &'v Value, keyword: &str) -> impl Iterator<Item = &'v Value> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

/// Integers at which readers and bounds differ.
pub const INTEGERS: [i64; 22] = [
    0,
    1,
    2,
    -1,
    7,
    100,
    255,
    256,
    1023,
    1024,
    65535,
    65536,
    -32700,
    4_294_967_296,
    -2_147_483_649,
    (1 << 53) - 1,
    1 << 53,
    (1 << 53) + 1,
    i64::MAX,
    i64::MIN,
    10_000_000_000,
    -100,
];

/// The same for other numbers.
pub const NUMBERS: [f64; 16] = [
    0.0,
    -0.0,
    0.5,
    1.0,
    60.0,
    -1.5,
    0.1,
    1e-7,
    5e-324,
    1e15,
    1e16,
    1e21,
    1e300,
    -1e300,
    18_446_744_073_709_551_616.0,
    1.5e2,
];

/// Moments of RFC 3339.
pub const DATE_TIMES: [&str; 7] = [
    "2026-02-28T23:59:59Z",
    "2024-02-29t00:00:00z",
    "1990-12-31T23:59:60Z",
    "1990-12-31T15:59:60-08:00",
    "1937-01-01T12:00:27.87+00:20",
    "2026-01-01T00:00:00.123456789-23:59",
    "0000-01-01T00:00:00+00:00",
];

/// URIs of RFC 3986.
pub const URIS: [&str; 8] = [
    "gabp://game/world/tiles?limit=10",
    "gabp://system/",
    "urn:uuid:7b5bd2a0-0a5c-4d7b-9c0c-0d4a4a6f7a11",
    "file:///C:/save%20games/1.json",
    "http://[::1]:43011/a?b#c",
    "mailto:orc@example.org",
    "a:",
    "x-y+z.0://host",
];

/// A UUID in one of its spellings.
pub fn uuid(rng: &mut Rng) -> String {
    let digits = match rng.u8(..6) {
        0 => 0,
        1 => u128::MAX,
        _ => rng.u128(..),
    };
    let hex = format!("{digits:032x}");
    let text = format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]);
    if rng.u8(..4) == 0 { text.to_uppercase() } else { text }
}

/// Any text of at least some code points.
pub fn text(rng: &mut Rng, least: usize) -> String {
    const TEXTS: [&str; 16] = [
        "",
        "x",
        "orc",
        "two words",
        "line\nbreak",
        "\u{0}",
        "\"quoted\\\"",
        "a/b~c",
        "é",
        "e\u{301}",
        "日本語",
        "\u{1F600}\u{1F468}\u{200D}\u{1F469}",
        "שלום",
        "\u{FEFF}bom",
        "constructor",
        "0123456789abcdef0123456789abcdef",
    ];
    let mut text = TEXTS[rng.usize(..TEXTS.len())].to_owned();
    for _ in text.chars().count()..least {
        text.push(['x', 'é', '\u{1F600}', '0'][rng.usize(..4)]);
    }
    text
}

/// Any JSON.
pub fn any(rng: &mut Rng, depth: usize) -> Value {
    match rng.u8(..if depth == 0 { 8 } else { 12 }) {
        0 => Value::Null,
        1 => rng.bool().into(),
        2 | 3 => INTEGERS[rng.usize(..INTEGERS.len())].into(),
        4 => json!(NUMBERS[rng.usize(..NUMBERS.len())]),
        5..=7 => text(rng, 0).into(),
        8 | 9 => (0..rng.usize(..4)).map(|_| any(rng, depth - 1)).collect(),
        _ => {
            let members = (0..rng.usize(..4)).map(|_| (text(rng, 0), any(rng, depth - 1)));
            Value::Object(members.collect())
        }
    }
}
