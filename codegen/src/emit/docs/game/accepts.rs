//! Whether a schema accepts a value: no example is shown that its tool would refuse.

use super::layers::target;
use regress::Regex;
use serde_json::{Map, Number, Value};

/// `None` where this is not known: the schema says something that is not looked at here, or it is too much.
pub(super) fn accepts(root: &Value, schema: &Value, value: &Value) -> Option<bool> {
    Reader { root, fuel: 20_000 }.of(schema, value, 0)
}

/// Deeper than JSON text can be, and references that go round in a circle are.
const DEEPEST: usize = 160;

/// What could let a value through or not, and is not looked at.
const UNKNOWN: [&str; 10] = [
    "$dynamicRef",
    "$recursiveRef",
    "$id",
    "additionalItems",
    "dependencies",
    "disallow",
    "divisibleBy",
    "extends",
    "unevaluatedItems",
    "unevaluatedProperties",
];

struct Reader<'a> {
    root: &'a Value,
    fuel: u32,
}

type Answer = Option<bool>;

impl Reader<'_> {
    fn of(&mut self, schema: &Value, value: &Value, depth: usize) -> Answer {
        self.fuel = self.fuel.checked_sub(1)?;
        let schema = match schema {
            Value::Bool(all) => return Some(*all),
            Value::Object(schema) if depth < DEEPEST => schema,
            _ => return None,
        };
        let is_root = std::ptr::eq(schema, self.root.as_object()?);
        if UNKNOWN.iter().any(|keyword| schema.contains_key(*keyword) && !(is_root && *keyword == "$id")) {
            return None;
        }
        if let Some(reference) = schema.get("$ref")
            && !self.of(target(self.root, reference.as_str()?)?, value, depth + 1)?
        {
            return Some(false);
        }
        let fits = is_of_type(schema, value)?
            && schema.get("const").is_none_or(|constant| same(constant, value))
            && match schema.get("enum") {
                Some(values) => values.as_array()?.iter().any(|one| same(one, value)),
                None => true,
            }
            && self.combined(schema, value, depth)?
            && match value {
                Value::Number(number) => is_number_of(schema, number)?,
                Value::String(text) => is_text_of(schema, text)?,
                Value::Array(items) => self.list(schema, items, depth)?,
                Value::Object(members) => self.object(schema, members, depth)?,
                _ => true,
            };
        Some(fits)
    }

    fn combined(&mut self, schema: &Map<String, Value>, value: &Value, depth: usize) -> Answer {
        for (keyword, least, greatest) in
            [("allOf", usize::MAX, usize::MAX), ("anyOf", 1, usize::MAX), ("oneOf", 1, 1)]
        {
            let Some(parts) = schema.get(keyword) else { continue };
            let parts = parts.as_array()?;
            let mut fitting = 0;
            for part in parts {
                fitting += usize::from(self.of(part, value, depth + 1)?);
            }
            if fitting < least.min(parts.len()) || fitting > greatest || (parts.is_empty() && least == 1) {
                return Some(false);
            }
        }
        if let Some(not) = schema.get("not")
            && self.of(not, value, depth + 1)?
        {
            return Some(false);
        }
        if let Some(when) = schema.get("if") {
            let branch = if self.of(when, value, depth + 1)? { "then" } else { "else" };
            return schema.get(branch).map_or(Some(true), |branch| self.of(branch, value, depth + 1));
        }
        Some(true)
    }

    fn list(&mut self, schema: &Map<String, Value>, items: &[Value], depth: usize) -> Answer {
        if !is_counted(schema, "minItems", "maxItems", items.len())? {
            return Some(false);
        }
        if schema.get("uniqueItems") == Some(&Value::Bool(true))
            && items.iter().enumerate().any(|(at, item)| items.iter().skip(at + 1).any(|one| same(one, item)))
        {
            return Some(false);
        }
        let mut first = 0;
        if let Some(prefix) = schema.get("prefixItems") {
            for (part, item) in prefix.as_array()?.iter().zip(items) {
                if !self.of(part, item, depth + 1)? {
                    return Some(false);
                }
                first += 1;
            }
        }
        if let Some(each) = schema.get("items") {
            for item in items.iter().skip(first) {
                if !self.of(each, item, depth + 1)? {
                    return Some(false);
                }
            }
        }
        let Some(wanted) = schema.get("contains") else { return Some(true) };
        let mut found = 0;
        for item in items {
            found += usize::from(self.of(wanted, item, depth + 1)?);
        }
        let least = schema.get("minContains").map_or(Some(1), count)?;
        let greatest = schema.get("maxContains").map_or(Some(usize::MAX), count)?;
        Some((least..=greatest).contains(&found))
    }

    fn object(&mut self, schema: &Map<String, Value>, members: &Map<String, Value>, depth: usize) -> Answer {
        let has = |name: &Value| Some(members.contains_key(name.as_str()?));
        for name in
            schema.get("required").map_or(Some(&[][..]), |names| Some(names.as_array()?.as_slice()))?
        {
            if !has(name)? {
                return Some(false);
            }
        }
        if !is_counted(schema, "minProperties", "maxProperties", members.len())? {
            return Some(false);
        }
        let empty = Map::new();
        let map = |keyword: &str| schema.get(keyword).map_or(Some(&empty), Value::as_object);
        for (name, needed) in map("dependentRequired")? {
            for needed in needed.as_array()? {
                if members.contains_key(name) && !has(needed)? {
                    return Some(false);
                }
            }
        }
        for (name, part) in map("dependentSchemas")? {
            if members.contains_key(name) && !self.of(part, &Value::Object(members.clone()), depth + 1)? {
                return Some(false);
            }
        }
        let (known, patterns) = (map("properties")?, map("patternProperties")?);
        let patterns: Option<Vec<(Regex, &Value)>> =
            patterns.iter().map(|(pattern, part)| Some((regex(pattern)?, part))).collect();
        let patterns = patterns?;
        for (name, value) in members {
            let mut parts: Vec<&Value> = known.get(name).into_iter().collect();
            parts.extend(
                patterns.iter().filter(|(regex, _)| regex.find(name).is_some()).map(|(_, part)| *part),
            );
            if parts.is_empty() {
                parts.extend(schema.get("additionalProperties"));
            }
            for part in parts {
                if !self.of(part, value, depth + 1)? {
                    return Some(false);
                }
            }
            if let Some(names) = schema.get("propertyNames")
                && !self.of(names, &Value::from(name.as_str()), depth + 1)?
            {
                return Some(false);
            }
        }
        Some(true)
    }
}

fn is_of_type(schema: &Map<String, Value>, value: &Value) -> Answer {
    let is = |kind: &Value| {
        Some(match (kind.as_str()?, value) {
            ("null", Value::Null)
            | ("boolean", Value::Bool(_))
            | ("number", Value::Number(_))
            | ("string", Value::String(_))
            | ("array", Value::Array(_))
            | ("object", Value::Object(_)) => true,
            ("integer", Value::Number(number)) => {
                !number.is_f64() || number.as_f64().is_some_and(|number| number.fract() == 0.0)
            }
            _ => false,
        })
    };
    match schema.get("type") {
        None => Some(true),
        Some(Value::Array(kinds)) => {
            let fits: Option<Vec<bool>> = kinds.iter().map(is).collect();
            Some(fits?.contains(&true))
        }
        Some(kind) => is(kind),
    }
}

fn is_number_of(schema: &Map<String, Value>, number: &Number) -> Answer {
    use std::cmp::Ordering::{Equal, Greater, Less};
    for (keyword, allowed) in [
        ("minimum", &[Greater, Equal][..]),
        ("exclusiveMinimum", &[Greater]),
        ("maximum", &[Less, Equal]),
        ("exclusiveMaximum", &[Less]),
    ] {
        if let Some(bound) = schema.get(keyword)
            && !allowed.contains(&compare(number, bound.as_number()?)?)
        {
            return Some(false);
        }
    }
    let Some(factor) = schema.get("multipleOf") else { return Some(true) };
    match (whole(number), whole(factor.as_number()?)) {
        (_, Some(0)) => None,
        (Some(number), Some(factor)) => Some(number % factor == 0),
        // Of fractions it depends on how they are reckoned with; so only whole multiples are shown.
        _ => None,
    }
}

fn is_text_of(schema: &Map<String, Value>, text: &str) -> Answer {
    if !is_counted(schema, "minLength", "maxLength", text.chars().count())? {
        return Some(false);
    }
    match schema.get("pattern") {
        Some(pattern) => Some(regex(pattern.as_str()?)?.find(text).is_some()),
        None => Some(true),
    }
}

fn regex(pattern: &str) -> Option<Regex> {
    Regex::with_flags(pattern, "u").ok()
}

fn is_counted(schema: &Map<String, Value>, least: &str, greatest: &str, found: usize) -> Answer {
    let least = schema.get(least).map_or(Some(0), count)?;
    let greatest = schema.get(greatest).map_or(Some(usize::MAX), count)?;
    Some((least..=greatest).contains(&found))
}

fn count(value: &Value) -> Option<usize> {
    usize::try_from(whole(value.as_number()?)?).ok()
}

/// A number without a fraction.
pub(super) fn whole(number: &Number) -> Option<i128> {
    let exact = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    // A double of this size is an integer, if it is one, exactly.
    let float = || number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 1e30);
    exact.or_else(|| float().map(|float| float as i128))
}

fn compare(a: &Number, b: &Number) -> Option<std::cmp::Ordering> {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

/// Whether two values are the same to a schema: `1` and `1.0` are.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b) == Some(std::cmp::Ordering::Equal),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}
