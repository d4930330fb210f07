//! Values that a schema accepts, to show: always the same ones.

use super::accepts::{accepts, whole};
use super::layers::Layers;
use crate::pattern;
use serde_json::{Map, Number, Value};

/// Arguments for an example call: those that must be given, and where none must, the first one. `None` where
/// none were found that the schema surely accepts.
pub(super) fn arguments(schema: &Value) -> Option<Value> {
    let mut maker = Maker { root: schema, fuel: 2_000 };
    let layers = Layers::of(schema, schema);
    for example in layers.each("examples").filter_map(Value::as_array).flatten() {
        if example.is_object() && accepts(schema, schema, example) == Some(true) {
            return Some(example.clone());
        }
    }
    let made = maker.value(schema, "", 0).filter(Value::is_object)?;
    let first = layers.members().into_iter().next().filter(|_| made.as_object().is_some_and(Map::is_empty));
    if let Some((name, member, _)) = first
        && let Some(value) = maker.value(member, name, 1)
    {
        let fuller = Value::Object(Map::from_iter([(name.to_owned(), value)]));
        if maker.takes(schema, &fuller) {
            return Some(fuller);
        }
    }
    Some(made)
}

/// A value, if one was found that the schema surely accepts.
pub(super) fn value(schema: &Value, name: &str) -> Option<Value> {
    Maker { root: schema, fuel: 2_000 }.value(schema, name, 0)
}

/// Deeper values are not made.
const DEEPEST: usize = 24;
/// Longer lists and texts show nobody anything.
const LONGEST: usize = 64;

struct Maker<'a> {
    root: &'a Value,
    fuel: u32,
}

impl<'a> Maker<'a> {
    fn takes(&self, schema: &Value, value: &Value) -> bool {
        accepts(self.root, schema, value) == Some(true)
    }

    fn value(&mut self, schema: &'a Value, name: &str, depth: usize) -> Option<Value> {
        let layers = Layers::of(self.root, schema);
        if layers.never || depth > DEEPEST {
            return None;
        }
        self.layered(schema, &layers, name, depth, 0)
    }

    fn layered(
        &mut self,
        schema: &'a Value,
        layers: &Layers<'a>,
        name: &str,
        depth: usize,
        chosen: usize,
    ) -> Option<Value> {
        self.fuel = self.fuel.checked_sub(1)?;
        let given = layers.each("const").chain(layers.each("default"));
        let lists = layers.each("examples").chain(layers.each("enum"));
        let mut given = given.chain(lists.filter_map(Value::as_array).flatten());
        if let Some(value) = given.find(|value| !value.is_null() && self.takes(schema, value)) {
            return Some(sorted(value));
        }
        // Alternatives are taken one by one, those of the first list of them first.
        let lists = layers.all.iter().flat_map(|layer| [layer.get("oneOf"), layer.get("anyOf")]);
        if let Some(branches) = lists.flatten().filter_map(Value::as_array).nth(chosen) {
            let is_null = |branch: &&Value| branch.get("type").is_some_and(|kind| kind == "null");
            let (nulls, others): (Vec<_>, Vec<_>) = branches.iter().partition(is_null);
            for branch in others.into_iter().chain(nulls) {
                let more = layers.and(self.root, branch);
                if more.never {
                    continue;
                }
                if let Some(value) = self.layered(schema, &more, name, depth, chosen + 1) {
                    return Some(value);
                }
            }
            return None;
        }
        let made = self.made(layers, name, depth);
        made.into_iter().find(|value| self.takes(schema, value))
    }

    /// Values that may be right.
    fn made(&mut self, layers: &Layers<'a>, name: &str, depth: usize) -> Vec<Value> {
        let types = layers.types();
        let has = |keywords: &[&str]| keywords.iter().any(|keyword| layers.get(keyword).is_some());
        let kind = match types.iter().find(|kind| **kind != "null").or(types.first()) {
            Some(kind) => kind,
            None if has(&["properties", "required", "minProperties"]) => "object",
            None if has(&["items", "prefixItems", "minItems"]) => "array",
            None if has(&["minimum", "maximum", "multipleOf", "exclusiveMinimum"]) => "number",
            None => "string",
        };
        match kind {
            "null" => vec![Value::Null],
            "boolean" => vec![Value::Bool(true), Value::Bool(false)],
            "integer" => integers(layers).into_iter().map(Value::Number).collect(),
            "number" => numbers(layers).into_iter().map(Value::Number).collect(),
            "array" => self.list(layers, depth).into_iter().collect(),
            "object" => self.object(layers, depth).into_iter().collect(),
            _ => texts(layers, name).into_iter().map(Value::from).collect(),
        }
    }

    fn list(&mut self, layers: &Layers<'a>, depth: usize) -> Option<Value> {
        let bound = |keyword| layers.each(keyword).filter_map(|bound| bound.as_u64());
        let prefix = layers.get("prefixItems").and_then(Value::as_array);
        let least = bound("minItems").max().unwrap_or(0);
        let greatest = bound("maxItems").min().unwrap_or(u64::MAX);
        let wanted = prefix.map_or(1, |prefix| prefix.len() as u64).clamp(least.min(greatest), greatest);
        if wanted > LONGEST as u64 {
            return None;
        }
        let anything = &Value::Bool(true);
        let mut items: Vec<Value> = Vec::new();
        for at in 0..usize::try_from(wanted).ok()? {
            let part = prefix.and_then(|prefix| prefix.get(at)).or_else(|| layers.get("items"));
            let part = part.or_else(|| layers.get("contains")).unwrap_or(anything);
            match self.value(part, "", depth + 1) {
                Some(item) => items.push(another(item, &items, part)),
                // A list may be empty.
                None if least == 0 => break,
                None => return None,
            }
        }
        Some(Value::Array(items))
    }

    fn object(&mut self, layers: &Layers<'a>, depth: usize) -> Option<Value> {
        let members = layers.members();
        let anything = &Value::Bool(true);
        let more = layers.get("additionalProperties").unwrap_or(anything);
        let mut made = Map::new();
        for name in layers.required() {
            let known = members.iter().find(|(known, ..)| *known == name);
            let schema = known.map_or(more, |(_, schema, _)| schema);
            made.insert(name.to_owned(), self.value(schema, name, depth + 1)?);
        }
        let least = layers.each("minProperties").filter_map(Value::as_u64).max().unwrap_or(0);
        let least = usize::try_from(least).ok().filter(|least| *least <= LONGEST)?;
        // A map is shown with one entry.
        let is_map = members.is_empty() && made.is_empty() && more.is_object();
        let wanted = if is_map { least.max(1) } else { least };
        for (name, schema, _) in members {
            if made.len() < wanted && !made.contains_key(name) {
                made.insert(name.to_owned(), self.value(schema, name, depth + 1)?);
            }
        }
        let names = layers.get("propertyNames");
        for number in 1..=wanted {
            if made.len() >= wanted {
                break;
            }
            let name = match names {
                Some(names) => self.value(names, "name", depth + 1)?.as_str()?.to_owned(),
                None => {
                    if number == 1 {
                        "name".to_owned()
                    } else {
                        format!("name{number}")
                    }
                }
            };
            if let Some(value) = self.value(more, &name, depth + 1) {
                made.insert(name, value);
            } else if least == 0 {
                break;
            }
        }
        Some(sorted(&Value::Object(made)))
    }
}

/// With members in the order of their names, however they are kept.
pub(super) fn sorted(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            let members = members.into_iter().map(|(name, value)| (name.clone(), sorted(value)));
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

/// An item that is not yet in the list, where that is easy.
fn another(item: Value, before: &[Value], schema: &Value) -> Value {
    if !before.contains(&item) {
        return item;
    }
    let listed = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    if let Some(other) = listed.into_iter().find(|value| !before.contains(value)) {
        return other.clone();
    }
    match &item {
        Value::Number(number) => whole(number)
            .and_then(|number| i64::try_from(number).ok()?.checked_add(i64::try_from(before.len()).ok()?))
            .map_or(item, Value::from),
        Value::String(text) => Value::from(format!("{text}{}", before.len() + 1)),
        Value::Bool(known) => Value::Bool(!known),
        _ => item,
    }
}

fn ends(layers: &Layers, keyword: &str) -> Vec<f64> {
    layers.each(keyword).filter_map(Value::as_f64).collect()
}

fn integers(layers: &Layers) -> Vec<Number> {
    let whole = |keyword| layers.each(keyword).filter_map(Value::as_number).filter_map(whole);
    let floor = |keyword: &str, round: fn(f64) -> f64| ends(layers, keyword).into_iter().map(round);
    let least = whole("minimum").max().or_else(|| {
        floor("minimum", f64::ceil)
            .chain(floor("exclusiveMinimum", |end| end.floor() + 1.0))
            .map(|end| end as i128)
            .max()
    });
    let above = whole("exclusiveMinimum").max().and_then(|end| end.checked_add(1));
    let least = least.max(above);
    let greatest = whole("maximum").min();
    let below = whole("exclusiveMaximum").min().and_then(|end| end.checked_sub(1));
    let greatest = greatest.into_iter().chain(below).min();
    let factor = whole("multipleOf").find(|factor| *factor > 0);
    let near = 1.max(least.unwrap_or(1)).min(greatest.unwrap_or(i128::MAX)).max(least.unwrap_or(i128::MIN));
    let mut found = vec![near];
    if let Some(factor) = factor {
        let up = near.div_euclid(factor).checked_mul(factor);
        found = up.into_iter().flat_map(|up| [Some(up), up.checked_add(factor)]).flatten().rev().collect();
        found.push(0);
    }
    let number = |value: i128| {
        i64::try_from(value).map(Number::from).or_else(|_| u64::try_from(value).map(Number::from)).ok()
    };
    found.into_iter().filter_map(number).collect()
}

fn numbers(layers: &Layers) -> Vec<Number> {
    let mut lows = ends(layers, "minimum");
    lows.extend(ends(layers, "exclusiveMinimum"));
    let mut highs = ends(layers, "maximum");
    highs.extend(ends(layers, "exclusiveMaximum"));
    let low = lows.into_iter().fold(f64::NEG_INFINITY, f64::max);
    let high = highs.into_iter().fold(f64::INFINITY, f64::min);
    let mut found = vec![1.5, 0.5, 1.0, 0.0, low, high, low / 2.0 + high / 2.0, low + 1.0, high - 1.0];
    found.retain(|number| (low..=high).contains(number));
    integers(layers).into_iter().rev().fold(
        found.into_iter().filter_map(Number::from_f64).collect(),
        |mut all: Vec<Number>, whole| {
            all.push(whole);
            all
        },
    )
}

fn texts(layers: &Layers, name: &str) -> Vec<String> {
    let bound = |keyword| layers.each(keyword).filter_map(|bound| bound.as_u64());
    let least = bound("minLength").max().unwrap_or(0);
    let greatest = bound("maxLength").min().unwrap_or(u64::MAX);
    let Ok(least) = usize::try_from(least) else { return Vec::new() };
    if least > LONGEST * 16 {
        return Vec::new();
    }
    let mut found: Vec<String> =
        layers.text("format").and_then(of_format).map(str::to_owned).into_iter().collect();
    found.extend(layers.each("pattern").filter_map(Value::as_str).flat_map(pattern::examples));
    let is_plain = |name: &str| {
        (1..=32).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let mut word = if is_plain(name) { name } else { "text" }.to_owned();
    let greatest = usize::try_from(greatest).unwrap_or(usize::MAX);
    word.truncate(greatest);
    while word.len() < least {
        word.push('x');
    }
    found.push(word);
    found
}

fn of_format(format: &str) -> Option<&'static str> {
    Some(match format {
        "uuid" => "123e4567-e89b-42d3-a456-426614174000",
        "date-time" => "2026-01-31T12:00:00Z",
        "date" => "2026-01-31",
        "time" => "12:00:00Z",
        "duration" => "PT5M",
        "uri" | "iri" | "uri-reference" | "iri-reference" | "uri-template" => "https://example.org/",
        "email" | "idn-email" => "ada@example.org",
        "hostname" | "idn-hostname" => "example.org",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "regex" => "^a+$",
        "json-pointer" => "/name",
        "relative-json-pointer" => "0/name",
        "char" => "a",
        _ => return None,
    })
}
