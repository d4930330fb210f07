//! What `unevaluatedProperties` and `unevaluatedItems` do not bind: the parts of a value that other
//! keywords of the schema, and of those that apply to the same value, have looked at.

use super::Lowering;
use super::check::{negated, present};
use super::flat::parts;
use crate::graph::SchemaId;
use crate::ir::{Check, Evaluated, Parts, Unevaluated};
use std::rc::Rc;

/// How many schemas are looked at for one `unevaluatedProperties`. A schema that is reached in two
/// ways counts twice, and so do all behind it.
const MOST: usize = 5_000;

/// Names and patterns of members.
pub(super) type Always = (Vec<String>, Vec<String>);

impl Lowering {
    /// What `unevaluatedProperties` of a schema asks.
    pub(super) fn unevaluated_members(&mut self, id: SchemaId) -> Option<Check> {
        let schema = self.graph.schemas[id.0].unevaluated_properties?;
        Some(self.unevaluated(id, Parts::Members, schema))
    }

    /// What `unevaluatedItems` of a schema asks.
    pub(super) fn unevaluated_items(&mut self, id: SchemaId) -> Option<Check> {
        let schema = self.graph.schemas[id.0].unevaluated_items?;
        Some(self.unevaluated(id, Parts::Items, schema))
    }

    fn unevaluated(&mut self, id: SchemaId, of: Parts, schema: SchemaId) -> Check {
        let check = self.check(schema);
        match self.evaluated(id, of, true) {
            _ if matches!(check, Check::Any) => Check::Any,
            Evaluated::All => Check::Any,
            evaluated => Check::Unevaluated(Box::new(Unevaluated { of, evaluated, check })),
        }
    }

    /// The names and patterns of the members that `unevaluatedProperties` of a schema does not bind,
    /// whatever the object; `None` where it depends on the object, or where all are evaluated.
    pub(super) fn always_evaluated(&mut self, id: SchemaId) -> Option<Rc<Always>> {
        if let Some(known) = self.always_evaluated.get(&id) {
            return known.clone();
        }
        let found = self.find_always_evaluated(id).map(Rc::new);
        self.always_evaluated.insert(id, found.clone());
        found
    }

    fn find_always_evaluated(&mut self, id: SchemaId) -> Option<Always> {
        let (mut names, mut patterns) = (Vec::new(), Vec::new());
        let mut open = vec![self.evaluated(id, Parts::Members, true)];
        while let Some(evaluated) = open.pop() {
            match evaluated {
                Evaluated::Names(more) => names.extend(more),
                Evaluated::Patterns(more) => patterns.extend(more),
                Evaluated::Each(more) => open.extend(more),
                _ => return None,
            }
        }
        Some((names, patterns))
    }

    /// Whether a part of a value asks for what is not evaluated. Then the part can't be looked at
    /// without what applies beside it.
    pub(super) fn looks_around(&self, schemas: &[SchemaId]) -> bool {
        parts(&self.graph, schemas).into_iter().any(|id| {
            let schema = self.schema(id);
            schema.unevaluated_properties.is_some() || schema.unevaluated_items.is_some()
        })
    }

    /// What a schema evaluates; its own `unevaluated…` does not count when it is the one that asks.
    fn evaluated(&mut self, id: SchemaId, of: Parts, asks: bool) -> Evaluated {
        if asks {
            self.evaluations = 0;
        }
        self.evaluations += 1;
        if self.evaluations > MOST {
            if self.evaluations == MOST + 1 {
                let message = format!(
                    "what is evaluated here depends on more than {MOST} schemas, those counted again that are \
                     reached in several ways"
                );
                self.problems.push(self.place(id), message);
            }
            return Evaluated::All;
        }
        let schema = self.graph.schemas[self.followed(id).0].clone();
        let mut found = Vec::new();
        match of {
            Parts::Members => {
                if schema.additional_properties.is_some()
                    || (!asks && schema.unevaluated_properties.is_some())
                {
                    return Evaluated::All;
                }
                let names = schema.properties.iter().map(|(name, _)| name.clone()).collect();
                let patterns = schema.pattern_properties.iter().map(|(pattern, _)| pattern.clone());
                found.push(Evaluated::Names(names));
                found.push(Evaluated::Patterns(patterns.collect()));
            }
            Parts::Items => {
                if schema.items.is_some() || (!asks && schema.unevaluated_items.is_some()) {
                    return Evaluated::All;
                }
                found.push(Evaluated::First(schema.prefix_items.len()));
                if let Some(contains) = schema.contains.filter(|_| schema.contains_evaluates) {
                    found.push(Evaluated::Matching(self.shared_check(contains)));
                }
            }
        }
        for inner in schema.references.iter().chain(&schema.all_of) {
            found.push(self.evaluated(*inner, of, false));
        }
        for branch in [&schema.any_of, &schema.one_of].into_iter().flatten().flatten() {
            let evaluated = self.evaluated(*branch, of, false);
            found.push(self.where_passes(*branch, evaluated));
        }
        if let Some(condition) = &schema.condition {
            let mut when = vec![self.evaluated(condition.when, of, false)];
            when.extend(condition.then.map(|then| self.evaluated(then, of, false)));
            found.push(self.where_passes(condition.when, each(when)));
            if let Some(otherwise) = condition.otherwise {
                let evaluated = self.evaluated(otherwise, of, false);
                let check = negated(self.shared_check(condition.when));
                found.push(conditional(check, evaluated));
            }
        }
        for (name, inner) in &schema.dependent_schemas {
            let evaluated = self.evaluated(*inner, of, false);
            found.push(conditional(present(vec![name.clone()]), evaluated));
        }
        each(found)
    }

    fn where_passes(&mut self, id: SchemaId, evaluated: Evaluated) -> Evaluated {
        match evaluated {
            Evaluated::Each(none) if none.is_empty() => Evaluated::Each(none),
            // A shared check, since the schema that asks may stand inside this one.
            evaluated => conditional(self.shared_check(id), evaluated),
        }
    }
}

/// What is evaluated where a condition holds.
fn conditional(check: Check, evaluated: Evaluated) -> Evaluated {
    match (&check, &evaluated) {
        (Check::Never, _) => Evaluated::Each(Vec::new()),
        (Check::Any, _) => evaluated,
        (_, Evaluated::Each(none)) if none.is_empty() => evaluated,
        _ => Evaluated::When(check, Box::new(evaluated)),
    }
}

/// What any of several evaluate, in the simplest form.
fn each(all: Vec<Evaluated>) -> Evaluated {
    let (mut names, mut patterns, mut first, mut rest) = (Vec::new(), Vec::new(), 0, Vec::new());
    let mut open = all;
    open.reverse();
    while let Some(evaluated) = open.pop() {
        match evaluated {
            Evaluated::All => return Evaluated::All,
            Evaluated::Names(more) => names.extend(more),
            Evaluated::Patterns(more) => patterns.extend(more),
            Evaluated::First(count) => first = first.max(count),
            Evaluated::Each(more) => open.extend(more.into_iter().rev()),
            other => rest.push(other),
        }
    }
    names.sort();
    names.dedup();
    patterns.sort();
    patterns.dedup();
    let mut found = Vec::new();
    if !names.is_empty() {
        found.push(Evaluated::Names(names));
    }
    if !patterns.is_empty() {
        found.push(Evaluated::Patterns(patterns));
    }
    if first > 0 {
        found.push(Evaluated::First(first));
    }
    found.extend(rest);
    match found.len() {
        1 => found.remove(0),
        _ => Evaluated::Each(found),
    }
}
