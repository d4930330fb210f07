//! Values made from the schema of a tool's arguments, by its own words alone.

use crate::valid::{INTEGERS, NUMBERS, any, text, uuid};
use fastrand::Rng;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Texts at which integers in strings end, and some that only look like one.
pub const DIGITS: [&str; 24] = [
    "0",
    "1",
    "-1",
    "7",
    "127",
    "128",
    "-128",
    "-129",
    "255",
    "256",
    "65536",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "-170141183460469231731687303715884105728",
    "-0",
    "007",
    "+1",
];

/// Makes values of one schema.
pub struct Sampler<'a> {
    root: &'a Value,
    patterns: HashMap<String, Vec<String>>,
}

impl<'a> Sampler<'a> {
    /// For a schema with its `$defs`.
    pub fn new(root: &'a Value) -> Self {
        Self { root, patterns: HashMap::new() }
    }

    /// A value that the schema most likely accepts.
    pub fn value(&mut self, rng: &mut Rng) -> Value {
        self.make(self.root, rng, 0)
    }

    fn make(&mut self, schema: &'a Value, rng: &mut Rng, depth: usize) -> Value {
        if depth > 16 {
            return Value::Null;
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(&reference[1..]).expect("references have targets");
            return self.make(target, rng, depth + 1);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        for keyword in ["enum", "oneOf", "anyOf"] {
            if let Some(choices) = schema.get(keyword).and_then(Value::as_array) {
                // Deep down, what comes first holds least.
                let choices = if depth > 8 { &choices[..1] } else { &choices[..] };
                let choice = &choices[rng.usize(..choices.len())];
                return if keyword == "enum" { choice.clone() } else { self.make(choice, rng, depth + 1) };
            }
        }
        let kind = match schema.get("type") {
            Some(Value::Array(kinds)) => kinds[rng.usize(..kinds.len())].as_str(),
            Some(kind) => kind.as_str(),
            None => None,
        };
        match kind {
            Some("object") => Value::Object(self.object(schema, rng, depth)),
            Some("array") => self.array(schema, rng, depth),
            Some("string") => self.string(schema, rng),
            Some("integer") => number(schema, rng, true),
            Some("number") => number(schema, rng, false),
            Some("boolean") => rng.bool().into(),
            Some("null") => Value::Null,
            Some(other) => panic!("there is no type {other}"),
            None => any(rng, 2),
        }
    }

    fn object(&mut self, schema: &'a Value, rng: &mut Rng, depth: usize) -> Map<String, Value> {
        let mut members = Map::new();
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|required| required.iter().any(|other| other == name));
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if is_required(name) || (depth < 8 && rng.bool()) {
                members.insert(name.clone(), self.make(property, rng, depth + 1));
            }
        }
        for (pattern, property) in
            schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten()
        {
            for _ in 0..rng.usize(..3) {
                let name = self.matching(pattern, rng);
                members.insert(name, self.make(property, rng, depth + 1));
            }
        }
        if let Some(others) = schema.get("additionalProperties").filter(|others| others.is_object()) {
            for _ in 0..rng.usize(..3) {
                let value = self.make(others, rng, depth + 1);
                members.entry(text(rng, 0)).or_insert(value);
            }
        }
        members
    }

    fn array(&mut self, schema: &'a Value, rng: &mut Rng, depth: usize) -> Value {
        let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_u64).map(|bound| bound as usize);
        let least = bound("minItems").unwrap_or(0);
        let most = bound("maxItems").unwrap_or(least + if depth > 6 { 0 } else { 3 });
        let prefix = schema.get("prefixItems").and_then(Value::as_array);
        let item = |index: usize| prefix.and_then(|prefix| prefix.get(index)).unwrap_or(&schema["items"]);
        (0..rng.usize(least..=most)).map(|index| self.make(item(index), rng, depth + 1)).collect()
    }

    fn string(&mut self, schema: &Value, rng: &mut Rng) -> Value {
        if schema.get("format").is_some_and(|format| format == "uuid") {
            return uuid(rng).into();
        }
        if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
            return self.matching(pattern, rng).into();
        }
        let least = schema.get("minLength").and_then(Value::as_u64).unwrap_or(0) as usize;
        let text = text(rng, least);
        match schema.get("maxLength").and_then(Value::as_u64) {
            Some(most) => text.chars().take(most as usize).collect::<String>().into(),
            None => text.into(),
        }
    }

    fn matching(&mut self, pattern: &str, rng: &mut Rng) -> String {
        let matching = self.patterns.entry(pattern.to_owned()).or_insert_with(|| {
            let validator = jsonschema::validator_for(&json!({ "pattern": pattern })).expect("a pattern");
            let is_matching = |text: &&&str| validator.is_valid(&json!(text));
            DIGITS.iter().filter(is_matching).map(|text| (*text).to_owned()).collect()
        });
        assert!(!matching.is_empty(), "no text matches {pattern}");
        matching[rng.usize(..matching.len())].clone()
    }
}

fn number(schema: &Value, rng: &mut Rng, whole: bool) -> Value {
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let (least, most) = (bound("minimum"), bound("maximum"));
    let fits =
        |number: f64| least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most);
    let mut fitting: Vec<Value> =
        [schema.get("minimum"), schema.get("maximum")].into_iter().flatten().cloned().collect();
    fitting.extend(INTEGERS.iter().filter(|number| fits(**number as f64)).map(|number| json!(number)));
    if !whole {
        fitting.extend(NUMBERS.iter().filter(|number| fits(**number)).map(|number| json!(number)));
    }
    fitting[rng.usize(..fitting.len())].clone()
}
