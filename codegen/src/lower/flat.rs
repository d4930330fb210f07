//! All that binds one value, gathered: a schema with its references and `allOf` merged.

use crate::graph::{Graph, JsonType, Schema, SchemaId};
use crate::ir::{Bound, NumberRules, TextRules};
use crate::support::{Decimal, Format};

/// A set of JSON types; `integer` is not one of its own here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

/// The six types.
pub(super) const KINDS: [JsonType; 6] = [
    JsonType::Null,
    JsonType::Boolean,
    JsonType::Number,
    JsonType::String,
    JsonType::Array,
    JsonType::Object,
];

impl Kinds {
    pub(super) const ALL: Self = Self(0b11_1111);

    pub(super) fn of(types: &[JsonType]) -> Self {
        Self(types.iter().fold(0, |bits, kind| bits | Self::bit(*kind)))
    }

    pub(super) fn has(self, kind: JsonType) -> bool {
        self.0 & Self::bit(kind) != 0
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn list(self) -> Vec<JsonType> {
        KINDS.into_iter().filter(|kind| self.has(*kind)).collect()
    }

    fn bit(kind: JsonType) -> u8 {
        match kind {
            JsonType::Null => 1,
            JsonType::Boolean => 2,
            JsonType::Integer | JsonType::Number => 4,
            JsonType::String => 8,
            JsonType::Array => 16,
            JsonType::Object => 32,
        }
    }
}

/// What binds one value.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    /// Every schema that applies to the value itself.
    pub(super) parts: Vec<SchemaId>,
    /// The types it may have.
    pub(super) kinds: Kinds,
    /// For numbers.
    pub(super) number: NumberRules,
    /// For strings.
    pub(super) text: TextRules,
    /// `anyOf` and `oneOf`: whether exactly one must accept, and the branches.
    pub(super) unions: Vec<(bool, Vec<SchemaId>)>,
    /// Nothing passes.
    pub(super) never: bool,
}

/// Gathers what binds a value to which all of `schemas` apply.
pub(super) fn flat(graph: &Graph, schemas: &[SchemaId], formats: bool) -> Flat {
    let mut flat = Flat {
        parts: parts(graph, schemas),
        kinds: Kinds::ALL,
        number: NumberRules::default(),
        text: TextRules::default(),
        unions: Vec::new(),
        never: false,
    };
    for id in flat.parts.clone() {
        let schema = &graph.schemas[id.0];
        if schema.boolean == Some(false) {
            flat.never = true;
        }
        if let Some(types) = &schema.types {
            let before = flat.kinds;
            flat.kinds = flat.kinds.and(Kinds::of(types));
            if before.has(JsonType::Number)
                && types.contains(&JsonType::Integer)
                && !types.contains(&JsonType::Number)
            {
                flat.number.integer = true;
                flat.number.strict_integer |= schema.floats_are_not_integers;
            }
        }
        merge_number(&mut flat.number, &number_rules(schema));
        merge_text(&mut flat.text, &text_rules(schema, formats));
        if let Some(branches) = &schema.any_of {
            flat.unions.push((false, branches.clone()));
        }
        if let Some(branches) = &schema.one_of {
            flat.unions.push((true, branches.clone()));
        }
    }
    flat.never |= flat.kinds.list().is_empty();
    flat
}

/// The schemas that apply to the same value: those given, with `$ref` and `allOf` followed.
pub(super) fn parts(graph: &Graph, schemas: &[SchemaId]) -> Vec<SchemaId> {
    let mut found = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut waiting: Vec<SchemaId> = schemas.iter().rev().copied().collect();
    while let Some(id) = waiting.pop() {
        if seen.insert(id) {
            found.push(id);
            let schema = &graph.schemas[id.0];
            waiting.extend(schema.references.iter().chain(&schema.all_of).rev());
        }
    }
    found
}

/// The rules for numbers that stand in one schema, `type` aside.
pub(super) fn number_rules(schema: &Schema) -> NumberRules {
    let mut rules = NumberRules::default();
    for (bound, exclusive) in [(&schema.minimum, false), (&schema.exclusive_minimum, true)] {
        if let Some(bound) = bound {
            let one = NumberRules {
                minimum: Some(Bound { value: bound.to_string(), exclusive }),
                ..NumberRules::default()
            };
            merge_number(&mut rules, &one);
        }
    }
    for (bound, exclusive) in [(&schema.maximum, false), (&schema.exclusive_maximum, true)] {
        if let Some(bound) = bound {
            let one = NumberRules {
                maximum: Some(Bound { value: bound.to_string(), exclusive }),
                ..NumberRules::default()
            };
            merge_number(&mut rules, &one);
        }
    }
    rules.multiple_of.extend(schema.multiple_of.as_ref().map(ToString::to_string));
    rules
}

/// The rules for strings that stand in one schema.
pub(super) fn text_rules(schema: &Schema, formats: bool) -> TextRules {
    TextRules {
        min_length: schema.min_length.filter(|length| *length > 0),
        max_length: schema.max_length,
        patterns: schema.pattern.iter().cloned().collect(),
        formats: schema
            .format
            .iter()
            .filter(|name| formats && Format::from_name(name).is_some())
            .cloned()
            .collect(),
    }
}

fn merge_number(rules: &mut NumberRules, other: &NumberRules) {
    // The tighter bound is the greater minimum and the smaller maximum.
    let tighter = |mine: &mut Option<Bound>, theirs: &Option<Bound>, sign: std::cmp::Ordering| {
        let Some(theirs) = theirs else { return };
        let replace = match mine {
            None => true,
            Some(mine) => match (Decimal::parse(&theirs.value), Decimal::parse(&mine.value)) {
                (Some(new), Some(old)) => new.cmp(&old) == sign || (new == old && theirs.exclusive),
                _ => false,
            },
        };
        if replace {
            *mine = Some(theirs.clone());
        }
    };
    tighter(&mut rules.minimum, &other.minimum, std::cmp::Ordering::Greater);
    tighter(&mut rules.maximum, &other.maximum, std::cmp::Ordering::Less);
    for divisor in &other.multiple_of {
        if !rules.multiple_of.contains(divisor) {
            rules.multiple_of.push(divisor.clone());
        }
    }
}

fn merge_text(rules: &mut TextRules, other: &TextRules) {
    rules.min_length = rules.min_length.max(other.min_length);
    rules.max_length = match (rules.max_length, other.max_length) {
        (Some(mine), Some(theirs)) => Some(mine.min(theirs)),
        (mine, theirs) => mine.or(theirs),
    };
    for (mine, theirs) in [(&mut rules.patterns, &other.patterns), (&mut rules.formats, &other.formats)] {
        for rule in theirs {
            if !mine.contains(rule) {
                mine.push(rule.clone());
            }
        }
    }
}
