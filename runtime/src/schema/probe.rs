//! Reads samples when a tool is registered: what its schema accepts, the type must read. That finds types
//! whose schema says something else than they do, and what the keys of maps are, which schemars does not
//! say.

use super::integers::{self, Bounds};
use super::read::{Given, ReadError};
use super::{Held, Way};
use serde_json::{Map, Value, json};

/// What the samples of an argument show.
#[derive(Default)]
pub(super) struct Findings {
    /// The type cannot be what its schema says.
    pub(super) contradictions: Vec<String>,
    /// The type has rules that its schema does not tell.
    pub(super) remarks: Vec<String>,
    /// Places in the schema of maps with integer keys, and the pattern of these.
    pub(super) keys: Vec<(String, String)>,
}

/// Where a map has integer keys schemars says only this.
const INTEGER_KEYS: [&str; 2] = [r"^\d+$", r"^-?\d+$"];
/// More samples than this are not tried.
const MOST: usize = 2000;

/// Tries an argument.
pub(super) fn argument(
    held: &Held,
    name: &str,
    read: &dyn Fn(Given<'_, '_>) -> Result<(), ReadError>,
) -> Findings {
    let mut sampler = Sampler { root: &held.schema, within: Vec::new(), maps: Vec::new() };
    let mut found = Findings::default();
    let Some(schema) = held.schema.get("properties").and_then(|properties| properties.get(name)) else {
        return found;
    };
    let samples = sampler.of(schema, &format!("/properties/{}", token(name)));
    for Sample { value: sample, free } in samples.into_iter().take(MOST) {
        let mut value = sample.clone();
        // A pattern, say, may refuse what is made without looking at it.
        if !held.argument(Way::In, name, &mut value).is_empty() {
            continue;
        }
        let Err(error) = read(Given::value(value)) else { continue };
        let text = format!(
            "the argument `{name}` is not read as its schema says: {sample} is refused, {}: {error}",
            if error.pointer().is_empty() {
                "as a whole".to_owned()
            } else {
                format!("at {}", error.pointer())
            }
        );
        match &error.keys {
            Some((least, greatest)) => {
                let place = error.key().and_then(|key| sampler.maps.get(number_of(key)?));
                if let (Some(place), Some(pattern)) = (place, integers::key_pattern(least, greatest)) {
                    found.keys.push((place.clone(), pattern));
                    continue;
                }
                found.contradictions.push(text);
            }
            None if free && !error.is_structural => found.remarks.push(text),
            None => found.contradictions.push(text),
        }
    }
    // One of each is enough.
    found.contradictions.truncate(1);
    found.remarks.truncate(1);
    found
}

/// A key that no integer type has, and that says which map it stands in.
fn too_large_key(map: usize) -> String {
    format!("{}{map:05}", "9".repeat(40))
}

fn number_of(key: &str) -> Option<usize> {
    key.strip_prefix("9".repeat(40).as_str())?.parse().ok()
}

fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[derive(Clone)]
struct Sample {
    value: Value,
    /// It has texts and numbers of which the type may want more than the schema says.
    free: bool,
}

struct Sampler<'a> {
    root: &'a Value,
    /// The definitions that the place is in.
    within: Vec<&'a str>,
    /// Pointers of the schemas of maps with integer keys.
    maps: Vec<String>,
}

impl<'a> Sampler<'a> {
    /// Values of a schema: each alternative, each member and each end of a range occurs in one. The
    /// first has least in it. None where no value is known.
    fn of(&mut self, schema: &'a Value, at: &str) -> Vec<Sample> {
        let Value::Object(keywords) = schema else { return Vec::new() };
        if let Some(Value::String(reference)) = keywords.get("$ref") {
            let Some(pointer) = reference.strip_prefix('#') else { return Vec::new() };
            if self.within.contains(&pointer) {
                return Vec::new();
            }
            let Some(target) = self.root.pointer(pointer) else { return Vec::new() };
            self.within.push(pointer);
            let samples = self.of(target, pointer);
            self.within.pop();
            return samples;
        }
        if let Some(constant) = keywords.get("const") {
            return vec![Sample { value: constant.clone(), free: false }];
        }
        if let Some(Value::Array(values)) = keywords.get("enum") {
            return values.iter().map(|value| Sample { value: value.clone(), free: false }).collect();
        }
        for keyword in ["oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = keywords.get(keyword) {
                let mut samples = Vec::new();
                for (index, branch) in branches.iter().enumerate() {
                    samples.extend(self.of(branch, &format!("{at}/{keyword}/{index}")));
                }
                return samples;
            }
        }
        let kinds: Vec<&str> = match keywords.get("type") {
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            Some(kind) => kind.as_str().into_iter().collect(),
            None => return leaves([json!({ "a": [1, "x", null] }), Value::Null]),
        };
        let mut samples = Vec::new();
        for kind in kinds {
            samples.extend(match kind {
                "null" => vec![Sample { value: Value::Null, free: false }],
                "boolean" => vec![false, true]
                    .into_iter()
                    .map(|value| Sample { value: value.into(), free: false })
                    .collect(),
                "integer" | "number" => {
                    let bound = |keyword| keywords.get(keyword).cloned();
                    leaves([bound("minimum").unwrap_or(json!(0)), bound("maximum").unwrap_or(json!(1))])
                }
                "string" => texts(keywords),
                "array" => self.array(keywords, at),
                _ => self.object(keywords, at),
            });
        }
        samples
    }

    fn array(&mut self, keywords: &'a Map<String, Value>, at: &str) -> Vec<Sample> {
        let bound = |keyword: &str| keywords.get(keyword).and_then(Value::as_u64);
        let prefix = keywords.get("prefixItems").and_then(Value::as_array);
        let mut places = Vec::new();
        for (index, item) in prefix.into_iter().flatten().enumerate() {
            places.push(self.of(item, &format!("{at}/prefixItems/{index}")));
        }
        if prefix.is_none()
            && bound("maxItems") != Some(0)
            && let Some(items) = keywords.get("items")
        {
            let items = self.of(items, &format!("{at}/items"));
            // A long list says no more than one item of each kind does.
            let count = bound("minItems").unwrap_or(1).clamp(1, 64) as usize;
            places = vec![items; count];
        }
        let base: Option<Vec<Sample>> = places.iter().map(|samples| samples.first().cloned()).collect();
        let mut lists = Vec::new();
        if bound("minItems").unwrap_or(0) == 0 {
            lists.push(Sample { value: json!([]), free: false });
        }
        let Some(base) = base.filter(|base| !base.is_empty()) else { return lists };
        for (index, samples) in places.iter().enumerate() {
            for (number, sample) in samples.iter().enumerate() {
                if number == 0 && index > 0 || number > 0 && index > 0 && prefix.is_none() {
                    continue;
                }
                let mut items = base.clone();
                items[index] = sample.clone();
                let free = items.iter().any(|item| item.free);
                lists.push(Sample { value: items.into_iter().map(|item| item.value).collect(), free });
            }
        }
        lists
    }

    fn object(&mut self, keywords: &'a Map<String, Value>, at: &str) -> Vec<Sample> {
        let required = keywords.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|required| required.iter().any(|other| other == name));
        let mut base = Sample { value: json!({}), free: false };
        let mut variants = Vec::new();
        for (name, property) in keywords.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let mut samples = self.of(property, &format!("{at}/properties/{}", token(name))).into_iter();
            if is_required(name) {
                let Some(first) = samples.next() else { return Vec::new() };
                base = with(&base, name, first);
            }
            variants.extend(samples.map(|sample| (name.clone(), sample)));
        }
        let patterns = keywords.get("patternProperties").and_then(Value::as_object);
        for (pattern, property) in patterns.into_iter().flatten() {
            let samples = self.of(property, &format!("{at}/patternProperties/{}", token(pattern)));
            if INTEGER_KEYS.contains(&pattern.as_str()) {
                let key = too_large_key(self.maps.len());
                self.maps.push(format!("{at}/patternProperties"));
                // A name beside it tells whether the keys are any texts that look like numbers.
                variants.extend(samples.first().map(|sample| (key, sample.clone())));
                variants.extend(samples.into_iter().map(|sample| ("1".to_owned(), sample)));
            }
        }
        if let Some(others) = keywords.get("additionalProperties") {
            for sample in self.of(others, &format!("{at}/additionalProperties")) {
                variants.push((String::new(), sample.clone()));
                variants.push(("a key".to_owned(), sample));
            }
        }
        let mut samples = vec![base.clone()];
        samples.extend(variants.into_iter().map(|(name, sample)| with(&base, &name, sample)));
        samples
    }
}

fn with(object: &Sample, name: &str, member: Sample) -> Sample {
    let mut object = object.clone();
    object.free |= member.free;
    if let Value::Object(members) = &mut object.value {
        members.insert(name.to_owned(), member.value);
    }
    object
}

fn leaves<const N: usize>(values: [Value; N]) -> Vec<Sample> {
    values.into_iter().map(|value| Sample { value, free: true }).collect()
}

fn texts(keywords: &Map<String, Value>) -> Vec<Sample> {
    if let Some(bounds) = Bounds::marked(keywords) {
        // What serde must keep before it knows the type has 64 bits at most.
        return bounds
            .ends()
            .into_iter()
            .map(|(end, is_wide)| Sample { value: end.into(), free: !is_wide })
            .collect();
    }
    match keywords.get("format").and_then(Value::as_str) {
        Some("uuid") => return leaves([json!("12345678-9abc-def0-1234-56789abcdef0")]),
        // What else has a form of its own is not guessed.
        Some(_) => return Vec::new(),
        None => {}
    }
    let least = keywords.get("minLength").and_then(Value::as_u64).unwrap_or(0).min(10_000);
    leaves([json!("x".repeat(least as usize))])
}
