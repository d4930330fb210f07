//! Documents that are close to what any schema accepts, made from the schema alone.

use crate::schemas::{NAMES, TEXTS, TYPES};
use crate::valid::any;
use fastrand::Rng;
use serde_json::{Map, Value, json};

/// A document that the schema may accept: made along its keywords, at times against them.
pub fn near(root: &Value, rng: &mut Rng) -> Value {
    Near { root, rng }.value(root, 6)
}

struct Near<'a> {
    root: &'a Value,
    rng: &'a mut Rng,
}

impl<'a> Near<'a> {
    fn value(&mut self, schema: &'a Value, depth: usize) -> Value {
        let Some(depth) = depth.checked_sub(1) else { return self.scalar() };
        let Value::Object(members) = schema else { return any(self.rng, 1) };
        if self.rng.u8(..25) == 0 {
            return any(self.rng, 2);
        }
        if let Some(target) = members.get("$ref").and_then(Value::as_str) {
            let target = target.strip_prefix('#').and_then(|at| self.root.pointer(at));
            if let Some(target) = target
                && self.rng.u8(..8) > 0
            {
                return self.value(target, depth);
            }
        }
        let mut listed: Vec<&Value> = members.get("const").into_iter().collect();
        listed.extend(members.get("enum").and_then(Value::as_array).into_iter().flatten());
        if !listed.is_empty() && self.rng.u8(..8) > 0 {
            return listed[self.rng.usize(..listed.len())].clone();
        }
        let mut inner: Vec<&Value> = Vec::new();
        for keyword in ["allOf", "anyOf", "oneOf"] {
            inner.extend(members.get(keyword).and_then(Value::as_array).into_iter().flatten());
        }
        inner.extend(["not", "if", "then", "else"].iter().filter_map(|keyword| members.get(*keyword)));
        let own = ["properties", "required", "items", "minLength", "minimum"]
            .iter()
            .any(|name| members.contains_key(*name));
        if !inner.is_empty() && (!own || self.rng.u8(..3) == 0) {
            let branch = inner[self.rng.usize(..inner.len())];
            return self.value(branch, depth);
        }
        let mut made = self.of_kind(members, depth);
        // Objects that several schemas bind need the members of all.
        for other in inner {
            if let (Value::Object(made), Value::Object(_)) = (&mut made, other)
                && self.rng.bool()
                && let Value::Object(more) = self.value(other, depth)
            {
                made.extend(more);
            }
        }
        made
    }

    fn of_kind(&mut self, members: &'a Map<String, Value>, depth: usize) -> Value {
        let kind = match members.get("type") {
            Some(Value::String(kind)) => kind.as_str(),
            Some(Value::Array(kinds)) if !kinds.is_empty() => {
                kinds[self.rng.usize(..kinds.len())].as_str().unwrap_or("object")
            }
            _ if members.contains_key("properties") || members.contains_key("required") => "object",
            _ => TYPES[self.rng.usize(..TYPES.len())],
        };
        match kind {
            "null" => Value::Null,
            "boolean" => self.rng.bool().into(),
            "integer" | "number" => self.number(members),
            "string" => self.text(members),
            "array" => self.array(members, depth),
            _ => self.object(members, depth),
        }
    }

    fn scalar(&mut self) -> Value {
        match self.rng.u8(..4) {
            0 => Value::Null,
            1 => self.rng.i32(-2..4).into(),
            2 => json!({}),
            _ => TEXTS[self.rng.usize(..TEXTS.len())].into(),
        }
    }

    fn number(&mut self, members: &Map<String, Value>) -> Value {
        let bounds: Vec<f64> = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
            .iter()
            .filter_map(|name| members.get(*name)?.as_f64())
            .filter(|bound| bound.abs() < 1e6)
            .collect();
        let near = if bounds.is_empty() { 0.0 } else { bounds[self.rng.usize(..bounds.len())] };
        let value = near + [0.0, 0.0, 1.0, -1.0, 0.5, 2.0, 6.0][self.rng.usize(..7)];
        // 1.0 is an integer too; draft-04 has it otherwise.
        if value.fract() == 0.0 && self.rng.u8(..6) > 0 { (value as i64).into() } else { value.into() }
    }

    fn text(&mut self, members: &Map<String, Value>) -> Value {
        let text = TEXTS[self.rng.usize(..TEXTS.len())];
        match members.get("minLength").or(members.get("maxLength")).and_then(Value::as_u64) {
            Some(length) if length < 20 && self.rng.bool() => {
                "ab1".chars().cycle().take(length as usize).collect::<String>().into()
            }
            _ => text.into(),
        }
    }

    fn array(&mut self, members: &'a Map<String, Value>, depth: usize) -> Value {
        let mut items = Vec::new();
        let first = ["prefixItems", "items"].iter().find_map(|name| members.get(*name)?.as_array());
        for schema in first.into_iter().flatten() {
            items.push(self.value(schema, depth));
        }
        let rest = ["items", "additionalItems", "contains", "unevaluatedItems"];
        let rest: Vec<&Value> = rest.iter().filter_map(|name| members.get(*name)).collect();
        for _ in 0..self.rng.usize(..4) {
            items.push(match rest.as_slice() {
                [] => self.scalar(),
                rest => {
                    let schema = rest[self.rng.usize(..rest.len())];
                    self.value(schema, depth)
                }
            });
        }
        if self.rng.u8(..5) == 0
            && let Some(last) = items.last().cloned()
        {
            items.push(last);
        }
        items.into()
    }

    fn object(&mut self, members: &'a Map<String, Value>, depth: usize) -> Value {
        let mut made = Map::new();
        let required = members.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: Vec<&str> = required.filter_map(Value::as_str).collect();
        let known = members.get("properties").and_then(Value::as_object);
        for (name, schema) in known.into_iter().flatten() {
            let present = if required.contains(&name.as_str()) { 15 } else { 8 };
            if self.rng.u8(..16) < present {
                made.insert(name.clone(), self.value(schema, depth));
            }
        }
        let rest = ["additionalProperties", "patternProperties", "unevaluatedProperties"];
        let rest: Vec<&Value> = rest.iter().filter_map(|name| members.get(*name)).collect();
        let count = if self.rng.bool() { self.rng.usize(..3) } else { 0 };
        let others: Vec<&str> = (0..count).map(|_| NAMES[self.rng.usize(..NAMES.len())]).collect();
        for name in required.into_iter().chain(others) {
            if !made.contains_key(name) && self.rng.u8(..16) > 0 {
                let value = match rest.first() {
                    Some(schema) if self.rng.u8(..3) > 0 => self.value(schema, depth),
                    _ => self.scalar(),
                };
                made.insert(name.to_owned(), value);
            }
        }
        made.into()
    }
}
