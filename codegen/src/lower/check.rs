//! Checks: from a schema to a condition on JSON values, and whether a value of a schema file passes.

use super::Lowering;
use super::flat::{number_rules, parts, text_rules};
use crate::graph::{JsonType, SchemaId};
use crate::ir::{Check, ListCheck, NumberRules, ObjectCheck, SharedCheck, TextRules};
use crate::json::{Json, Node, escape};
use crate::support::{Decimal, Format};

impl Lowering<'_> {
    /// The condition that all of `schemas` together make.
    pub(super) fn check_all(&mut self, schemas: &[SchemaId]) -> Check {
        all(schemas.iter().map(|id| self.check(*id)).collect())
    }

    /// The condition that a schema makes.
    pub(super) fn check(&mut self, id: SchemaId) -> Check {
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
            checks.push(Check::Kinds(types.clone()));
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
    fn shared_check(&mut self, id: SchemaId) -> Check {
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
        self.checks[index].check = self.check(id);
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
        if let Some(contains) = schema.contains {
            check.contains.push((self.check(contains), schema.min_contains, schema.max_contains));
        }
        if let Some(unevaluated) = schema.unevaluated_items
            && let Some(start) = self.evaluated_items(id)
        {
            let rest = self.check(unevaluated);
            let mut prefix = vec![Check::Any; start];
            prefix.truncate(start);
            let extra = ListCheck { prefix, items: rest, ..ListCheck::default() };
            let own = Check::List(Box::new(check));
            return Some(all(vec![own, Check::List(Box::new(extra))]));
        }
        let plain = check.prefix.is_empty()
            && matches!(check.items, Check::Any)
            && check.min_items.is_none()
            && check.max_items.is_none()
            && !check.unique
            && check.contains.is_empty();
        (!plain).then(|| Check::List(Box::new(check)))
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
        let mut found = Vec::new();
        if !check.is_empty() {
            found.push(Check::Object(Box::new(check)));
        }
        if let Some(unevaluated) = schema.unevaluated_properties
            && let Some((names, patterns)) = self.evaluated_members(id)
        {
            let additional = self.check(unevaluated);
            found.push(Check::Object(Box::new(ObjectCheck {
                properties: names.into_iter().map(|name| (name, Check::Any)).collect(),
                patterns: patterns.into_iter().map(|pattern| (pattern, Check::Any)).collect(),
                additional,
                ..ObjectCheck::default()
            })));
        }
        (!found.is_empty()).then(|| all(found))
    }

    /// The names and patterns of members that `unevaluatedProperties` of a schema does not bind;
    /// `None` when all members are evaluated. Only what holds for every value counts; where it
    /// depends on the value, the schema is refused.
    pub(super) fn evaluated_members(&mut self, id: SchemaId) -> Option<(Vec<String>, Vec<String>)> {
        let (mut names, mut patterns) = (Vec::new(), Vec::new());
        for part in parts(&self.graph, &[id]) {
            self.refuse_dynamic(id, part, "unevaluatedProperties");
            let schema = &self.graph.schemas[part.0];
            names.extend(schema.properties.iter().map(|(name, _)| name.clone()));
            patterns.extend(schema.pattern_properties.iter().map(|(pattern, _)| pattern.clone()));
            let evaluates_all = schema.additional_properties.is_some()
                || (part != id && schema.unevaluated_properties.is_some());
            if evaluates_all {
                return None;
            }
        }
        names.dedup();
        Some((names, patterns))
    }

    /// The number of first items that `unevaluatedItems` of a schema does not bind; `None` when all
    /// items are evaluated.
    fn evaluated_items(&mut self, id: SchemaId) -> Option<usize> {
        let mut start = 0;
        for part in parts(&self.graph, &[id]) {
            self.refuse_dynamic(id, part, "unevaluatedItems");
            let schema = &self.graph.schemas[part.0];
            start = start.max(schema.prefix_items.len());
            if schema.items.is_some() || (part != id && schema.unevaluated_items.is_some()) {
                return None;
            }
            if schema.contains.is_some() {
                let place = self.graph.schemas[id.0].place.clone();
                self.problems.push(
                    place,
                    "`unevaluatedItems` beside `contains` depends on the value and cannot be typed",
                );
                return None;
            }
        }
        Some(start)
    }

    fn refuse_dynamic(&mut self, id: SchemaId, part: SchemaId, keyword: &str) {
        let schema = &self.graph.schemas[part.0];
        let dynamic = schema.any_of.is_some()
            || schema.one_of.is_some()
            || schema.condition.is_some()
            || !schema.dependent_schemas.is_empty();
        if dynamic {
            let place = self.graph.schemas[id.0].place.clone();
            self.problems.push(
                place,
                format!("`{keyword}` beside `anyOf`, `oneOf`, `if` or `dependentSchemas` depends on the value and cannot be typed"),
            );
        }
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

impl ObjectCheck {
    fn is_empty(&self) -> bool {
        self.properties.is_empty()
            && self.patterns.is_empty()
            && matches!(self.additional, Check::Any)
            && matches!(self.names, Check::Any)
            && self.required.is_empty()
            && self.min_members.is_none()
            && self.max_members.is_none()
            && self.dependent.is_empty()
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
fn present(required: Vec<String>) -> Check {
    Check::Object(Box::new(ObjectCheck { required, ..ObjectCheck::default() }))
}

/// Why a value of a schema file does not pass: the pointer from it on, and the rule in words.
pub(super) fn violation(check: &Check, shared: &[SharedCheck], node: &Node) -> Option<(String, String)> {
    let here = |words: String| Some((String::new(), words));
    match check {
        Check::Any => None,
        Check::Never => here("no value is allowed here".to_owned()),
        Check::All(checks) => checks.iter().find_map(|check| violation(check, shared, node)),
        Check::AnyOf(checks) => {
            if checks.iter().any(|check| passes(check, shared, node)) {
                None
            } else {
                here("no branch of `anyOf` accepts it".to_owned())
            }
        }
        Check::OneOf(checks) => match checks.iter().filter(|check| passes(check, shared, node)).count() {
            1 => None,
            count => here(format!("`oneOf` wants exactly one branch to accept it, {count} do")),
        },
        Check::Not(check) => {
            if passes(check, shared, node) {
                here("`not` forbids it".to_owned())
            } else {
                None
            }
        }
        Check::If(parts) => {
            let [when, then, otherwise] = parts.as_ref();
            violation(if passes(when, shared, node) { then } else { otherwise }, shared, node)
        }
        Check::Shared(index) => violation(&shared[*index].check, shared, node),
        Check::Kinds(kinds) => {
            if kinds.iter().any(|kind| has_kind(node, *kind)) {
                None
            } else {
                here(format!("`type` does not allow {}", node.kind()))
            }
        }
        Check::Constants(constants) => {
            if constants.iter().any(|constant| same(constant, node)) {
                None
            } else {
                let allowed: Vec<String> = constants.iter().map(ToString::to_string).collect();
                here(format!("it must be {}", allowed.join(" or ")))
            }
        }
        Check::Text(rules) => node.as_str().and_then(|text| text_violation(rules, text)).and_then(here),
        Check::Number(rules) => number_violation(rules, node).and_then(here),
        Check::List(check) => list_violation(check, shared, node),
        Check::Object(check) => object_violation(check, shared, node),
    }
}

/// Whether a value of a schema file passes.
pub(super) fn passes(check: &Check, shared: &[SharedCheck], node: &Node) -> bool {
    violation(check, shared, node).is_none()
}

fn text_violation(rules: &TextRules, text: &str) -> Option<String> {
    let length = text.chars().count() as u64;
    if rules.min_length.is_some_and(|min| length < min) {
        return Some("it breaks `minLength`".to_owned());
    }
    if rules.max_length.is_some_and(|max| length > max) {
        return Some("it breaks `maxLength`".to_owned());
    }
    for pattern in &rules.patterns {
        if !matches(pattern, text) {
            return Some(format!("it breaks `pattern` {pattern}"));
        }
    }
    let broken =
        rules.formats.iter().find(|name| Format::from_name(name).is_some_and(|format| !format.accepts(text)));
    broken.map(|format| format!("it breaks `format` {format}"))
}

/// Whether an ECMA-262 pattern matches somewhere; the patterns were compiled when they were loaded.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    regress::Regex::with_flags(pattern, "u")
        .or_else(|_| regress::Regex::new(pattern))
        .is_ok_and(|regex| regex.find(text).is_some())
}

fn number_violation(rules: &NumberRules, node: &Node) -> Option<String> {
    let Json::Number(text) = &node.value else { return None };
    let value = Decimal::parse(text)?;
    if rules.strict_integer && text.contains(['.', 'e', 'E']) {
        return Some("`type` does not allow a fraction".to_owned());
    }
    let below = rules.minimum.as_ref().is_some_and(|bound| {
        Decimal::parse(&bound.value).is_some_and(|least| value < least || (bound.exclusive && value == least))
    });
    if below {
        return Some(if rules.minimum.as_ref().is_some_and(|bound| bound.exclusive) {
            "it breaks `exclusiveMinimum`".to_owned()
        } else {
            "it breaks `minimum`".to_owned()
        });
    }
    let above = rules.maximum.as_ref().is_some_and(|bound| {
        Decimal::parse(&bound.value).is_some_and(|most| value > most || (bound.exclusive && value == most))
    });
    if above {
        return Some(if rules.maximum.as_ref().is_some_and(|bound| bound.exclusive) {
            "it breaks `exclusiveMaximum`".to_owned()
        } else {
            "it breaks `maximum`".to_owned()
        });
    }
    let odd = rules.multiple_of.iter().any(|divisor| {
        Decimal::parse(divisor).and_then(|divisor| value.is_multiple_of(&divisor)) != Some(true)
    });
    odd.then(|| "it breaks `multipleOf`".to_owned())
}

fn list_violation(check: &ListCheck, shared: &[SharedCheck], node: &Node) -> Option<(String, String)> {
    let Json::Array(items) = &node.value else { return None };
    let here = |words: &str| Some((String::new(), words.to_owned()));
    let count = items.len() as u64;
    if check.min_items.is_some_and(|min| count < min) {
        return here("it breaks `minItems`");
    }
    if check.max_items.is_some_and(|max| count > max) {
        return here("it breaks `maxItems`");
    }
    if check.unique
        && (1..items.len()).any(|index| items[..index].iter().any(|other| same(other, &items[index])))
    {
        return here("it breaks `uniqueItems`");
    }
    for (contained, least, most) in &check.contains {
        let count = items.iter().filter(|item| passes(contained, shared, item)).count() as u64;
        if count < *least || most.is_some_and(|most| count > most) {
            return here("it breaks `contains`");
        }
    }
    items.iter().enumerate().find_map(|(index, item)| {
        let (pointer, words) = violation(check.prefix.get(index).unwrap_or(&check.items), shared, item)?;
        Some((format!("/{index}{pointer}"), words))
    })
}

fn object_violation(check: &ObjectCheck, shared: &[SharedCheck], node: &Node) -> Option<(String, String)> {
    let Json::Object(members) = &node.value else { return None };
    let here = |words: String| Some((String::new(), words));
    if let Some(name) = check.required.iter().find(|name| node.get(name).is_none()) {
        return here(format!("`{name}` is missing"));
    }
    let count = members.len() as u64;
    if check.min_members.is_some_and(|min| count < min) {
        return here("it breaks `minProperties`".to_owned());
    }
    if check.max_members.is_some_and(|max| count > max) {
        return here("it breaks `maxProperties`".to_owned());
    }
    for (name, dependent) in &check.dependent {
        if node.get(name).is_some()
            && let Some(found) = violation(dependent, shared, node)
        {
            return Some(found);
        }
    }
    members.iter().find_map(|member| {
        let name = Node { value: Json::String(member.name.clone()), span: member.span };
        if let Some((_, words)) = violation(&check.names, shared, &name) {
            return here(format!("the name {name}: {words}"));
        }
        let mut checks: Vec<&Check> = check
            .properties
            .iter()
            .filter(|(name, _)| *name == member.name)
            .map(|(_, check)| check)
            .collect();
        checks.extend(
            check
                .patterns
                .iter()
                .filter(|(pattern, _)| matches(pattern, &member.name))
                .map(|(_, check)| check),
        );
        if checks.is_empty() {
            checks.push(&check.additional);
        }
        let (pointer, words) = checks.into_iter().find_map(|check| violation(check, shared, &member.node))?;
        Some((format!("/{}{pointer}", escape(&member.name)), words))
    })
}

/// Whether a value of a schema file has a JSON type.
pub(super) fn has_kind(node: &Node, kind: JsonType) -> bool {
    match (&node.value, kind) {
        (Json::Null, JsonType::Null)
        | (Json::Bool(_), JsonType::Boolean)
        | (Json::Number(_), JsonType::Number)
        | (Json::String(_), JsonType::String)
        | (Json::Array(_), JsonType::Array)
        | (Json::Object(_), JsonType::Object) => true,
        (Json::Number(text), JsonType::Integer) => {
            Decimal::parse(text).is_some_and(|value| value.is_integer())
        }
        _ => false,
    }
}

/// Whether two values are the same JSON.
pub(super) fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Json::Null, Json::Null) => true,
        (Json::Bool(a), Json::Bool(b)) => a == b,
        (Json::String(a), Json::String(b)) => a == b,
        (Json::Number(a), Json::Number(b)) => Decimal::parse(a) == Decimal::parse(b),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(members), Json::Object(others)) => {
            members.len() == others.len()
                && members
                    .iter()
                    .all(|member| b.get(&member.name).is_some_and(|value| same(&member.node, value)))
        }
        _ => false,
    }
}
