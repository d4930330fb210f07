//! Holds values to their schema, so that it accepts what the tool accepts, and all that is wrong is
//! told at once.

use super::integers::{Bounds, Whole};
use super::measure::{sized, within};
use super::patterns::Patterns;
use super::place::At;
use super::steps::{Steps, weight};
use super::words::{form, found, kind_names, no_key, not_among, unknown};
use crate::error::{ENOUGH_PROBLEMS, Problem};
use serde_json::{Map, Number, Value};
use std::collections::HashSet;
use std::iter::repeat;

/// A schema to hold values to.
#[derive(Clone, Copy)]
pub(crate) struct Check<'a> {
    root: &'a Value,
    patterns: &'a Patterns,
    pub(super) way: Way,
    /// Looks at a value that may still be taken.
    pub(super) steps: &'a Steps,
}

/// Which way a value goes, which says what becomes of large integers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// To the tool, which takes numbers.
    In,
    /// To the tool, and a text may hold what is no text, as JSON.
    Coerced,
    /// To the peer, who takes strings.
    Out,
}

const TOO_DEEP: &str = "is nested too deep";

impl<'a> Check<'a> {
    pub(super) fn new(root: &'a Value, patterns: &'a Patterns, way: Way, steps: &'a Steps) -> Self {
        Self { root, patterns, way, steps }
    }

    /// What is wrong with an argument. It becomes what serde reads: whole numbers that are written
    /// `1.0` become `1`, large ones in strings become numbers, null for what is left out goes.
    pub(super) fn argument(self, name: &str, value: &mut Value) -> Vec<Problem> {
        let mut problems = Vec::new();
        let schema = self.root.get("properties").and_then(|properties| properties.get(name));
        if let Some(schema) = schema {
            self.value(schema, value, At::Member(&At::Root, name), &mut problems);
        }
        problems
    }

    /// What is wrong with a value of this schema, a part of the root.
    pub(super) fn part(self, schema: &Value, value: &mut Value) -> Vec<Problem> {
        let mut problems = Vec::new();
        self.value(schema, value, At::Root, &mut problems);
        problems
    }

    fn value(self, schema: &Value, value: &mut Value, at: At<'_>, problems: &mut Vec<Problem>) {
        let Value::Object(keywords) = schema else { return };
        if problems.len() >= ENOUGH_PROBLEMS {
            return;
        }
        if !self.steps.take(1) {
            if problems.is_empty() {
                problems.push(at.problem("is too large to be held to its schema".to_owned()));
            }
            return;
        }
        self.coerce(schema, value);
        if let Some(definition) = keywords.get("$ref").and_then(|reference| self.definition(reference)) {
            self.value(definition, value, at, problems);
        }
        if let Some(bounds) = Bounds::marked(keywords)
            && !(value.is_null() && keywords.get("type").is_some_and(|kinds| has_kind(kinds, value)))
        {
            if !self.large_integer(bounds, value) {
                let wanted = bounds.words();
                problems.push(at.problem(format!("must be {wanted}, found {}", found(value))));
            }
            return;
        }
        if let Some(kinds) = keywords.get("type")
            && !has_kind(kinds, value)
        {
            problems.push(at.problem(format!("must be {}, found {}", kind_names(kinds), found(value))));
            return;
        }
        if let (Value::Number(number), Some(kinds)) = (&*value, keywords.get("type"))
            && let Some(whole) = whole(number)
            && has_kind(kinds, &Value::from(0))
            && !has_kind(kinds, &Value::from(0.5))
        {
            *value = Value::Number(whole);
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
                    problems.push(at.problem(format!("must match {pattern}, found {}", found(value))));
                }
            }
            Value::Array(items) => {
                if !self.steps.within(|| self.array(keywords, items, at, problems)) {
                    problems.push(at.problem(TOO_DEEP.to_owned()));
                }
            }
            Value::Object(members) => {
                if !self.steps.within(|| self.object(keywords, members, at, problems)) {
                    problems.push(at.problem(TOO_DEEP.to_owned()));
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
        self.combined(keywords, value, at, problems);
    }

    /// An integer that stands as a decimal string; a number is read too.
    fn large_integer(self, bounds: Bounds, value: &mut Value) -> bool {
        let whole = match value {
            Value::String(text) => text.parse().ok(),
            Value::Number(number) => Whole::of(number),
            _ => None,
        };
        let Some(whole) = whole.filter(|whole| bounds.contain(*whole)) else { return false };
        match self.way {
            // What has no number stays a string, which `read` takes where 128 bits are meant.
            Way::In | Way::Coerced => {
                *value = whole.number().map_or_else(|| whole.to_string().into(), Value::Number)
            }
            Way::Out => *value = whole.to_string().into(),
        }
        true
    }

    /// Whether a schema accepts null.
    fn takes_null(self, schema: &Value) -> bool {
        let mut problems = Vec::new();
        self.value(schema, &mut Value::Null, At::Root, &mut problems);
        problems.is_empty()
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
        let prefix = keywords.get("prefixItems").and_then(Value::as_array);
        for (index, item) in items.iter_mut().enumerate() {
            if problems.len() >= ENOUGH_PROBLEMS {
                return;
            }
            let schema = prefix.and_then(|prefix| prefix.get(index)).or_else(|| keywords.get("items"));
            if let Some(schema) = schema {
                self.value(schema, item, At::Item(&at, index), problems);
            }
        }
        // By now equal numbers are written alike.
        if keywords.get("uniqueItems") == Some(&Value::Bool(true)) {
            let mut seen = HashSet::new();
            if !items.iter().all(|item| seen.insert(item)) {
                problems.push(at.problem("must have each item once".to_owned()));
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
                problems.push(At::Member(&at, name).problem("is missing".to_owned()));
            }
        }
        let named = keywords.get("properties").and_then(Value::as_object);
        let by_pattern = keywords.get("patternProperties").and_then(Value::as_object);
        for (name, member) in members.iter_mut() {
            if let Some(schema) = named.and_then(|named| named.get(name)) {
                self.coerce(schema, member);
            }
        }
        // Null stands for what is left out, unless it is a value there.
        members.retain(|name, member| {
            let schema = || named.and_then(|named| named.get(name));
            !member.is_null() || is_required(name) || schema().is_none_or(|schema| self.takes_null(schema))
        });
        for (name, member) in members.iter_mut() {
            if problems.len() >= ENOUGH_PROBLEMS {
                return;
            }
            let here = At::Member(&at, name);
            let own = named.and_then(|named| named.get(name)).into_iter();
            let fitting =
                by_pattern.into_iter().flatten().filter(|(pattern, _)| self.patterns.matches(pattern, name));
            let mut is_known = false;
            for schema in own.chain(fitting.map(|(_, schema)| schema)) {
                is_known = true;
                self.value(schema, member, here, problems);
            }
            if is_known {
                continue;
            }
            match keywords.get("additionalProperties") {
                Some(Value::Bool(false)) => {
                    let mut known = named.into_iter().flat_map(Map::keys).map(String::as_str).peekable();
                    let message = match by_pattern.filter(|_| known.peek().is_none()) {
                        Some(patterns) => no_key(patterns.keys()),
                        None => unknown("member", name, known),
                    };
                    problems.push(here.problem(message));
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
        for (keyword, only_one) in [("oneOf", true), ("anyOf", false)] {
            if let Some(Value::Array(branches)) = keywords.get(keyword) {
                self.branches(branches, only_one, value, at, problems);
            }
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
    fn branches(
        self,
        branches: &[Value],
        only_one: bool,
        value: &mut Value,
        at: At<'_>,
        problems: &mut Vec<Problem>,
    ) {
        let mut accepted: Option<Value> = None;
        let mut closest: Option<Vec<Problem>> = None;
        // Those that are not for such a value only tell what is wrong. Without a tag serde tries one after
        // the other, which may take as long as it takes here: then there is no short cut.
        let (likely, others): (Vec<_>, Vec<_>) =
            branches.iter().partition(|branch| !only_one || is_likely(self.target(branch), value));
        for (branch, is_likely) in
            likely.into_iter().zip(repeat(true)).chain(others.into_iter().zip(repeat(false)))
        {
            if !is_likely && (accepted.is_some() || !self.is_meant(branch, value)) {
                continue;
            }
            self.steps.take(weight(value));
            let mut tried = value.clone();
            let mut wrong = Vec::new();
            self.value(branch, &mut tried, at, &mut wrong);
            if wrong.is_empty() {
                if accepted.is_some() {
                    problems.push(at.problem("must be of one form only, but two fit".to_owned()));
                    return;
                }
                accepted = Some(tried);
                if !only_one {
                    break;
                }
            } else if self.is_meant(branch, value)
                && closest.as_ref().is_none_or(|closest| wrong.len() < closest.len())
            {
                closest = Some(wrong);
            }
        }
        match (accepted, closest) {
            (Some(accepted), _) => *value = accepted,
            (None, Some(wrong)) => problems.extend(wrong),
            (None, None) => {
                let forms: Vec<String> =
                    branches.iter().filter_map(|branch| self.target(branch).as_object()).map(form).collect();
                let message = format!("must be {}, found {}", forms.join(" or "), found(value));
                problems.push(at.problem(message));
            }
        }
    }

    /// The schema that a reference means.
    pub(super) fn target<'b>(self, schema: &'b Value) -> &'b Value
    where
        'a: 'b,
    {
        schema.get("$ref").and_then(|reference| self.definition(reference)).unwrap_or(schema)
    }

    /// Whether a value looks as if it should be of this branch: it has the kind, the tag or the name
    /// of the variant.
    fn is_meant(self, branch: &Value, value: &Value) -> bool {
        let branch = self.target(branch);
        if branch.get("type").is_some_and(|kinds| !has_kind(kinds, value)) {
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

/// Whether a branch can accept a value, as far as one glance tells.
fn is_likely(branch: &Value, value: &Value) -> bool {
    let Value::Object(keywords) = branch else { return true };
    if Bounds::marked(keywords).is_some() {
        return true;
    }
    if keywords.get("type").is_some_and(|kinds| !has_kind(kinds, value)) {
        return false;
    }
    let Value::Object(members) = value else { return true };
    let mut required = keywords.get("required").and_then(Value::as_array).into_iter().flatten();
    required.all(|name| {
        let member = name.as_str().and_then(|name| members.get(name));
        let constant = || keywords.get("properties")?.get(name.as_str()?)?.get("const");
        member.is_some_and(|member| constant().is_none_or(|constant| constant == member))
    })
}

pub(super) fn has_kind(kinds: &Value, value: &Value) -> bool {
    match kinds {
        Value::String(kind) => is_kind(kind, value),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(|kind| is_kind(kind, value)),
        _ => true,
    }
}

fn is_kind(kind: &str, value: &Value) -> bool {
    match (kind, value) {
        ("integer", Value::Number(number)) => !number.is_f64() || whole(number).is_some(),
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
fn whole(number: &Number) -> Option<Number> {
    if number.is_f64() { Whole::of(number)?.number() } else { None }
}
