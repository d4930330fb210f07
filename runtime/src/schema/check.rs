//! Holds arguments to their schema, so that it accepts what the tool accepts, and all that is wrong
//! is told at once.

use crate::error::Problem;
use crate::registry::nearest;
use regress::Regex;
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;
use std::collections::HashMap;

/// The patterns of a schema, compiled.
#[derive(Debug, Default)]
pub(crate) struct Patterns(HashMap<String, Regex>);

impl Patterns {
    /// Compiles what stands anywhere in a schema.
    pub(crate) fn of(schema: &Value) -> Self {
        let mut found = Self::default();
        found.add(schema);
        found
    }

    fn add(&mut self, schema: &Value) {
        match schema {
            Value::Object(members) => {
                let keys = members.get("patternProperties").and_then(Value::as_object).into_iter();
                let patterns = keys.flat_map(Map::keys).map(String::as_str);
                for pattern in patterns.chain(members.get("pattern").and_then(Value::as_str)) {
                    // What is no pattern of ECMA-262 binds nothing.
                    if let Ok(regex) = Regex::with_flags(pattern, "u") {
                        self.0.insert(pattern.to_owned(), regex);
                    }
                }
                members.values().for_each(|child| self.add(child));
            }
            Value::Array(children) => children.iter().for_each(|child| self.add(child)),
            _ => {}
        }
    }

    fn matches(&self, pattern: &str, text: &str) -> bool {
        self.0.get(pattern).is_none_or(|regex| regex.find(text).is_some())
    }
}

/// A schema to hold values to.
#[derive(Clone, Copy)]
pub(crate) struct Check<'a> {
    root: &'a Value,
    patterns: &'a Patterns,
}

/// Where a value stands.
#[derive(Clone, Copy)]
enum At<'a> {
    Member(Option<&'a At<'a>>, &'a str),
    Item(&'a At<'a>, usize),
}

impl<'a> Check<'a> {
    pub(crate) fn new(root: &'a Value, patterns: &'a Patterns) -> Self {
        Self { root, patterns }
    }

    /// What is wrong with an argument. Whole numbers that are written `1.0` become `1`, which is what
    /// serde reads.
    pub(crate) fn argument(self, name: &str, value: &mut Value) -> Vec<Problem> {
        let mut problems = Vec::new();
        let schema = self.root.get("properties").and_then(|properties| properties.get(name));
        if let Some(schema) = schema {
            self.value(schema, value, At::Member(None, name), &mut problems);
        }
        problems
    }

    fn value(self, schema: &Value, value: &mut Value, at: At<'_>, problems: &mut Vec<Problem>) {
        let Value::Object(keywords) = schema else { return };
        if let Some(definition) = keywords.get("$ref").and_then(|reference| self.definition(reference)) {
            self.value(definition, value, at, problems);
        }
        if let Some(kinds) = keywords.get("type")
            && !has_kind(kinds, value)
        {
            problems.push(at.problem(format!("must be {}, found {}", kind_names(kinds), found(value))));
            return;
        }
        if let Some(Value::Array(allowed)) = keywords.get("enum")
            && !allowed.contains(value)
        {
            problems.push(at.problem(not_among(allowed, value)));
        }
        if let Some(constant) = keywords.get("const").filter(|constant| *constant != value) {
            problems.push(at.problem(format!("must be {constant}, found {}", found(value))));
        }
        match value {
            Value::Number(number) => within(keywords, number, at, problems),
            Value::String(text) => {
                let length = text.chars().count();
                sized(keywords, ["minLength", "maxLength"], length, "characters", at, problems);
                let pattern = keywords.get("pattern").and_then(Value::as_str);
                if let Some(pattern) = pattern.filter(|pattern| !self.patterns.matches(pattern, text)) {
                    problems.push(at.problem(format!("must match {pattern}")));
                }
            }
            Value::Array(items) => self.array(keywords, items, at, problems),
            Value::Object(members) => self.object(keywords, members, at, problems),
            Value::Null | Value::Bool(_) => {}
        }
        self.combined(keywords, value, at, problems);
    }

    fn definition(self, reference: &Value) -> Option<&'a Value> {
        let name = reference.as_str()?.strip_prefix("#/$defs/")?;
        self.root.get("$defs")?.get(name.replace("~1", "/").replace("~0", "~"))
    }

    fn array(
        self,
        keywords: &Map<String, Value>,
        items: &mut [Value],
        at: At<'_>,
        problems: &mut Vec<Problem>,
    ) {
        sized(keywords, ["minItems", "maxItems"], items.len(), "items", at, problems);
        let is_unique =
            |items: &[Value]| items.iter().enumerate().all(|(i, item)| !items[..i].contains(item));
        if keywords.get("uniqueItems") == Some(&Value::Bool(true)) && !is_unique(items) {
            problems.push(at.problem("must have each item once".to_owned()));
        }
        let prefix = keywords.get("prefixItems").and_then(Value::as_array);
        for (index, item) in items.iter_mut().enumerate() {
            let schema = prefix.and_then(|prefix| prefix.get(index)).or_else(|| keywords.get("items"));
            if let Some(schema) = schema {
                self.value(schema, item, At::Item(&at, index), problems);
            }
        }
    }

    fn object(
        self,
        keywords: &Map<String, Value>,
        members: &mut Map<String, Value>,
        at: At<'_>,
        problems: &mut Vec<Problem>,
    ) {
        let required = keywords.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|required| required.iter().any(|known| known == name));
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                problems.push(At::Member(Some(&at), name).problem("is missing".to_owned()));
            }
        }
        let named = keywords.get("properties").and_then(Value::as_object);
        let by_pattern = keywords.get("patternProperties").and_then(Value::as_object);
        for (name, member) in members.iter_mut() {
            let here = At::Member(Some(&at), name);
            if let Some(schema) = named.and_then(|named| named.get(name)) {
                // Null stands for what is left out.
                if !member.is_null() || is_required(name) {
                    self.value(schema, member, here, problems);
                }
                continue;
            }
            let mut by_pattern = by_pattern.into_iter().flatten();
            if let Some((_, schema)) = by_pattern.find(|(pattern, _)| self.patterns.matches(pattern, name)) {
                self.value(schema, member, here, problems);
                continue;
            }
            match keywords.get("additionalProperties") {
                Some(Value::Bool(false)) => {
                    let known = named.into_iter().flat_map(Map::keys).map(String::as_str);
                    problems.push(here.problem(unknown("member", name, known)));
                }
                Some(schema) => self.value(schema, member, here, problems),
                None => {}
            }
        }
    }

    fn combined(
        self,
        keywords: &Map<String, Value>,
        value: &mut Value,
        at: At<'_>,
        problems: &mut Vec<Problem>,
    ) {
        for schema in keywords.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.value(schema, value, at, problems);
        }
        for branches in ["oneOf", "anyOf"].iter().filter_map(|keyword| keywords.get(*keyword)?.as_array()) {
            self.branches(branches, value, at, problems);
        }
        if let Some(schema) = keywords.get("not") {
            let mut refused = Vec::new();
            self.value(schema, &mut value.clone(), at, &mut refused);
            if refused.is_empty() {
                problems.push(at.problem(format!("must not be {value}")));
            }
        }
    }

    /// One branch must accept. When none does, that which came furthest says what is wrong.
    fn branches(self, branches: &[Value], value: &mut Value, at: At<'_>, problems: &mut Vec<Problem>) {
        let mut closest: Option<Vec<Problem>> = None;
        for branch in branches {
            let mut tried = value.clone();
            let mut wrong = Vec::new();
            self.value(branch, &mut tried, at, &mut wrong);
            if wrong.is_empty() {
                *value = tried;
                return;
            }
            if self.is_meant(branch, value)
                && closest.as_ref().is_none_or(|closest| wrong.len() < closest.len())
            {
                closest = Some(wrong);
            }
        }
        match closest {
            Some(wrong) => problems.extend(wrong),
            None => {
                let forms: Vec<String> = branches.iter().map(|branch| self.form(branch)).collect();
                let message = format!("must be {}, found {}", forms.join(" or "), found(value));
                problems.push(at.problem(message));
            }
        }
    }

    /// A branch in a message.
    fn form(self, branch: &Value) -> String {
        let branch = branch.get("$ref").and_then(|reference| self.definition(reference)).unwrap_or(branch);
        if let Some(constant) = branch.get("const") {
            return constant.to_string();
        }
        if let Some(Value::Array(words)) = branch.get("enum") {
            return words.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
        }
        let properties = branch.get("properties").and_then(Value::as_object);
        let tag = properties.into_iter().flatten().find_map(|(name, property)| {
            property.get("const").map(|constant| format!("an object with \"{name}\": {constant}"))
        });
        let member = || Some(format!("an object with {}", branch.get("required")?.get(0)?));
        tag.or_else(member)
            .unwrap_or_else(|| branch.get("type").map_or("something else".to_owned(), kind_names))
    }

    /// Whether a value looks as if it should be of this branch: it has the kind, the tag or the name
    /// of the variant.
    fn is_meant(self, branch: &Value, value: &Value) -> bool {
        let branch = branch.get("$ref").and_then(|reference| self.definition(reference)).unwrap_or(branch);
        if branch.get("type").is_some_and(|kinds| !has_kind(kinds, &mut value.clone())) {
            return false;
        }
        let (Some(properties), Value::Object(members)) =
            (branch.get("properties").and_then(Value::as_object), value)
        else {
            return branch.get("enum").is_none() && branch.get("const").is_none();
        };
        properties.iter().any(|(name, property)| match (members.get(name), property.get("const")) {
            (Some(found), Some(constant)) => found == constant,
            (Some(_), None) => !properties.values().any(|property| property.get("const").is_some()),
            (None, _) => false,
        })
    }
}

impl At<'_> {
    fn problem(self, message: String) -> Problem {
        let mut pointer = String::new();
        self.write(&mut pointer);
        Problem { pointer, message }
    }

    fn write(self, pointer: &mut String) {
        match self {
            Self::Member(within, name) => {
                if let Some(within) = within {
                    within.write(pointer);
                }
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Self::Item(within, index) => {
                within.write(pointer);
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
        }
    }
}

/// What is said of a name that is not there.
pub(crate) fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    match (nearest(name, known.iter().copied()), known.as_slice()) {
        (Some(near), _) => format!("unknown {what}, did you mean `{near}`?"),
        (None, []) => format!("unknown {what}, there is none"),
        (None, known) => format!("unknown {what}, expected one of `{}`", known.join("`, `")),
    }
}

fn has_kind(kinds: &Value, value: &mut Value) -> bool {
    match kinds {
        Value::String(kind) => is_kind(kind, value),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(|kind| is_kind(kind, value)),
        _ => true,
    }
}

fn is_kind(kind: &str, value: &mut Value) -> bool {
    match (kind, &*value) {
        ("integer", Value::Number(number)) => {
            let whole = if number.is_f64() { number.as_f64().and_then(whole) } else { return true };
            let is_whole = whole.is_some();
            if let Some(whole) = whole {
                *value = Value::Number(whole);
            }
            is_whole
        }
        ("null", Value::Null)
        | ("boolean", Value::Bool(_))
        | ("number", Value::Number(_))
        | ("string", Value::String(_))
        | ("array", Value::Array(_))
        | ("object", Value::Object(_)) => true,
        _ => false,
    }
}

/// `1.0` as `1`, up to where every whole number has a value of its own.
fn whole(number: f64) -> Option<Number> {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() <= LARGEST).then(|| Number::from(number as i64))
}

fn kind_names(kinds: &Value) -> String {
    let name = |kind: &str| match kind {
        "integer" => "a whole number".to_owned(),
        "array" => "a list".to_owned(),
        "object" => "an object".to_owned(),
        "boolean" => "true or false".to_owned(),
        "null" => "null".to_owned(),
        other => format!("a {other}"),
    };
    match kinds {
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).map(name).collect::<Vec<_>>().join(" or ")
        }
        kind => name(kind.as_str().unwrap_or_default()),
    }
}

/// A value in a message: short ones as they are.
fn found(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > 40 => "a long string".to_owned(),
        other => other.to_string(),
    }
}

fn not_among(allowed: &[Value], value: &Value) -> String {
    let words: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
    let list = allowed.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match value.as_str().and_then(|text| nearest(text, words)) {
        Some(near) => format!("must be one of {list}, found {}; did you mean \"{near}\"?", found(value)),
        None => format!("must be one of {list}, found {}", found(value)),
    }
}

fn within(keywords: &Map<String, Value>, number: &Number, at: At<'_>, problems: &mut Vec<Problem>) {
    let bound = |keyword: &str| match keywords.get(keyword) {
        Some(Value::Number(bound)) => Some((bound, compare(number, bound)?)),
        _ => None,
    };
    for (keyword, words, refused) in [
        ("minimum", "at least", &[Ordering::Less][..]),
        ("maximum", "at most", &[Ordering::Greater]),
        ("exclusiveMinimum", "more than", &[Ordering::Less, Ordering::Equal]),
        ("exclusiveMaximum", "less than", &[Ordering::Greater, Ordering::Equal]),
    ] {
        if let Some((bound, _)) = bound(keyword).filter(|(_, order)| refused.contains(order)) {
            problems.push(at.problem(format!("must be {words} {bound}, found {number}")));
        }
    }
}

fn sized(
    keywords: &Map<String, Value>,
    [least, greatest]: [&str; 2],
    length: usize,
    unit: &str,
    at: At<'_>,
    problems: &mut Vec<Problem>,
) {
    let bound = |keyword: &str| keywords.get(keyword).and_then(Value::as_u64);
    if let Some(least) = bound(least).filter(|least| (length as u64) < *least) {
        problems.push(at.problem(format!("must have at least {least} {unit}, has {length}")));
    }
    if let Some(greatest) = bound(greatest).filter(|greatest| (length as u64) > *greatest) {
        problems.push(at.problem(format!("must have at most {greatest} {unit}, has {length}")));
    }
}

/// Compares exactly where both are integers.
pub(crate) fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}
