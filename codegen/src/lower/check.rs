//! Checks: from a schema to a condition on JSON values.

use super::Lowering;
use super::flat::{Kinds, number_rules, text_rules};
use crate::graph::{JsonType, SchemaId};
use crate::ir::{Check, ListCheck, NumberRules, ObjectCheck, SharedCheck, TextRules};

/// How many checks are made inside each other before a shared one has to wait until they are done:
/// references can form chains of any length.
const DEEPEST: usize = 128;

impl Lowering {
    /// The condition that all of `schemas` together make.
    pub(super) fn check_all(&mut self, schemas: &[SchemaId]) -> Check {
        all(schemas.iter().map(|id| self.check(*id)).collect())
    }

    /// The condition that a schema makes.
    pub(super) fn check(&mut self, id: SchemaId) -> Check {
        self.checking += 1;
        let check = self.check_inside(id);
        self.checking -= 1;
        if self.checking == 0 {
            while let Some((index, id)) = self.unchecked.pop_front() {
                self.checking += 1;
                self.checks[index].check = self.check_inside(id);
                self.checking -= 1;
            }
        }
        check
    }

    fn check_inside(&mut self, id: SchemaId) -> Check {
        let schema = self.graph.schemas[id.0].clone();
        match schema.boolean {
            Some(true) => return Check::Any,
            Some(false) => return Check::Never,
            None => {}
        }
        let mut checks = Vec::new();
        for reference in &schema.references {
            checks.push(self.shared_check(*reference));
        }
        if let Some(types) = &schema.types {
            if Kinds::of(types) != Kinds::ALL || !types.contains(&JsonType::Number) {
                checks.push(Check::Kinds(types.clone()));
            }
            if types.contains(&JsonType::Integer)
                && !types.contains(&JsonType::Number)
                && schema.floats_are_not_integers
            {
                checks.push(Check::Number(NumberRules { strict_integer: true, ..NumberRules::default() }));
            }
        }
        if let Some(constants) = &schema.constants {
            checks.push(Check::Constants(constants.clone()));
        }
        let number = number_rules(&schema);
        if number != NumberRules::default() {
            checks.push(Check::Number(number));
        }
        let text = text_rules(&schema, self.formats);
        if text != TextRules::default() {
            checks.push(Check::Text(text));
        }
        checks.extend(self.list_check(id));
        checks.extend(self.object_check(id));
        for branch in &schema.all_of {
            checks.push(self.check(*branch));
        }
        if let Some(branches) = &schema.any_of {
            checks.push(any_of(branches.iter().map(|branch| self.check(*branch)).collect()));
        }
        if let Some(branches) = &schema.one_of {
            checks.push(one_of(branches.iter().map(|branch| self.check(*branch)).collect()));
        }
        checks.extend(self.residual(id));
        checks.extend(self.unevaluated_members(id));
        checks.extend(self.unevaluated_items(id));
        all(checks)
    }

    /// What stands in a schema beside type, bounds, members, items and unions: conditions that no
    /// Rust type says.
    pub(super) fn residual(&mut self, id: SchemaId) -> Vec<Check> {
        let schema = self.graph.schemas[id.0].clone();
        let mut checks = Vec::new();
        if let Some(not) = schema.not {
            checks.push(negated(self.check(not)));
        }
        if let Some(condition) = &schema.condition {
            let then = condition.then.map_or(Check::Any, |id| self.check(id));
            let otherwise = condition.otherwise.map_or(Check::Any, |id| self.check(id));
            let when = self.check(condition.when);
            checks.push(match (&when, &then, &otherwise) {
                (Check::Any, ..) => then,
                (Check::Never, ..) => otherwise,
                (_, Check::Any, Check::Any) => Check::Any,
                _ => Check::If(Box::new([when, then, otherwise])),
            });
        }
        let mut dependent: Vec<(String, Check)> = Vec::new();
        for (name, required) in &schema.dependent_required {
            dependent.push((name.clone(), present(required.clone())));
        }
        for (name, schema) in &schema.dependent_schemas {
            dependent.push((name.clone(), self.check(*schema)));
        }
        if !dependent.is_empty() {
            checks.push(Check::Object(Box::new(ObjectCheck { dependent, ..ObjectCheck::default() })));
        }
        checks
    }

    /// The check of a referenced schema, as one that can be called by name.
    pub(super) fn shared_check(&mut self, id: SchemaId) -> Check {
        let id = self.followed(id);
        if let Some(boolean) = self.graph.schemas[id.0].boolean {
            return if boolean { Check::Any } else { Check::Never };
        }
        if let Some(index) = self.shared.get(&id) {
            return Check::Shared(*index);
        }
        let index = self.checks.len();
        self.shared.insert(id, index);
        let schema = &self.graph.schemas[id.0];
        self.checks.push(SharedCheck { name: String::new(), place: schema.place.clone(), check: Check::Any });
        if self.checking < DEEPEST {
            self.checks[index].check = self.check(id);
        } else {
            self.unchecked.push_back((index, id));
        }
        Check::Shared(index)
    }

    fn list_check(&mut self, id: SchemaId) -> Option<Check> {
        let schema = self.graph.schemas[id.0].clone();
        let mut check = ListCheck {
            prefix: schema.prefix_items.iter().map(|item| self.check(*item)).collect(),
            items: schema.items.map_or(Check::Any, |items| self.check(items)),
            min_items: schema.min_items.filter(|count| *count > 0),
            max_items: schema.max_items,
            unique: schema.unique_items,
            contains: Vec::new(),
        };
        if let Some(contains) =
            schema.contains.filter(|_| schema.min_contains > 0 || schema.max_contains.is_some())
        {
            check.contains.push((self.check(contains), schema.min_contains, schema.max_contains));
        }
        if matches!(check.items, Check::Any) {
            let bound = check.prefix.iter().rposition(|item| !matches!(item, Check::Any));
            check.prefix.truncate(bound.map_or(0, |last| last + 1));
        }
        (!check.is_empty()).then(|| Check::List(Box::new(check)))
    }

    fn object_check(&mut self, id: SchemaId) -> Option<Check> {
        let schema = self.graph.schemas[id.0].clone();
        let mut check = ObjectCheck {
            properties: schema.properties.iter().map(|(name, id)| (name.clone(), self.check(*id))).collect(),
            patterns: schema
                .pattern_properties
                .iter()
                .map(|(name, id)| (name.clone(), self.check(*id)))
                .collect(),
            additional: schema.additional_properties.map_or(Check::Any, |id| self.check(id)),
            names: schema.property_names.map_or(Check::Any, |id| self.check(id)),
            required: schema.required.clone(),
            min_members: schema.min_properties.filter(|count| *count > 0),
            max_members: schema.max_properties,
            dependent: Vec::new(),
        };
        check.properties.retain(|(_, check_of)| {
            !matches!(check_of, Check::Any)
                || !matches!(check.additional, Check::Any)
                || !check.patterns.is_empty()
        });
        (!check.is_empty()).then(|| Check::Object(Box::new(check)))
    }
}

impl Default for ListCheck {
    fn default() -> Self {
        Self {
            prefix: Vec::new(),
            items: Check::Any,
            min_items: None,
            max_items: None,
            unique: false,
            contains: Vec::new(),
        }
    }
}

impl Default for ObjectCheck {
    fn default() -> Self {
        Self {
            properties: Vec::new(),
            patterns: Vec::new(),
            additional: Check::Any,
            names: Check::Any,
            required: Vec::new(),
            min_members: None,
            max_members: None,
            dependent: Vec::new(),
        }
    }
}

/// All of `checks`, flattened.
pub(super) fn all(checks: Vec<Check>) -> Check {
    let mut flat = Vec::new();
    for check in checks {
        match check {
            Check::Any => {}
            Check::Never => return Check::Never,
            Check::All(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Check::Any,
        1 => flat.remove(0),
        _ => Check::All(flat),
    }
}

/// At least one of `checks`.
pub(super) fn any_of(mut checks: Vec<Check>) -> Check {
    if checks.iter().any(|check| matches!(check, Check::Any)) {
        return Check::Any;
    }
    checks.retain(|check| !matches!(check, Check::Never));
    match checks.len() {
        0 => Check::Never,
        1 => checks.remove(0),
        _ => Check::AnyOf(checks),
    }
}

/// Exactly one of `checks`.
pub(super) fn one_of(mut checks: Vec<Check>) -> Check {
    checks.retain(|check| !matches!(check, Check::Never));
    let any = checks.iter().filter(|check| matches!(check, Check::Any)).count();
    match (any, checks.len()) {
        (0, 0) | (2.., _) => Check::Never,
        (_, 1) => checks.remove(0),
        (1, _) => {
            checks.retain(|check| !matches!(check, Check::Any));
            negated(any_of(checks))
        }
        _ => Check::OneOf(checks),
    }
}

/// What does not pass `check`.
pub(super) fn negated(check: Check) -> Check {
    match check {
        Check::Any => Check::Never,
        Check::Never => Check::Any,
        Check::Not(inner) => *inner,
        other => Check::Not(Box::new(other)),
    }
}

/// Members that must be there.
pub(super) fn present(required: Vec<String>) -> Check {
    Check::Object(Box::new(ObjectCheck { required, ..ObjectCheck::default() }))
}
