//! Listed values.

use super::check::all;
use super::flat::{Flat, flat};
use super::passes::{passes, same};
use super::shape::{Made, says_nothing};
use super::{Lowering, is_short};
use crate::graph::{JsonType, Schema, SchemaId};
use crate::ir::{Constant, Enum, Shape, TextRules, TypeRef};
use crate::json::{Json, Node};
use crate::names::{self, Scope};
use std::collections::HashSet;

impl Lowering {
    /// The values that a schema allows, when they are listed; each with a schema that describes it.
    pub(super) fn constants(&mut self, flat: &Flat) -> Option<Vec<(Node, SchemaId)>> {
        let listed = self.listed(&flat.parts)?;
        let mut checks = Vec::new();
        for id in &flat.parts {
            let schema = self.schema(*id);
            if schema.unevaluated_properties.is_some() || schema.unevaluated_items.is_some() {
                checks.push(self.check(*id));
                continue;
            }
            // References and `allOf` are parts of their own, and what a part lists itself it allows.
            let lists = listed.first().is_some_and(|(_, lists)| lists == id);
            let own = Schema {
                references: Vec::new(),
                all_of: Vec::new(),
                constants: if lists { None } else { schema.constants.clone() },
                ..schema.clone()
            };
            if !says_nothing(&own) {
                let own = self.add(own);
                checks.push(self.check(own));
            }
        }
        let check = all(checks);
        let mut found: Vec<(Node, SchemaId)> = Vec::new();
        let mut texts = HashSet::new();
        for (value, id) in listed {
            let is_new = match value.as_str() {
                Some(text) => texts.insert(text.to_owned()),
                None => !found.iter().any(|(other, _)| same(other, &value)),
            };
            if is_new && passes(&check, &self.checks, &value) {
                found.push((value, id));
            }
        }
        Some(found)
    }

    /// The values that `const`, `enum`, or every branch of a union lists.
    pub(super) fn listed(&self, parts: &[SchemaId]) -> Option<Vec<(Node, SchemaId)>> {
        for id in parts {
            if let Some(constants) = &self.schema(*id).constants {
                return Some(constants.iter().map(|value| (value.clone(), *id)).collect());
            }
        }
        for id in parts {
            let schema = self.schema(*id);
            for branches in [&schema.one_of, &schema.any_of].into_iter().flatten() {
                let lists: Option<Vec<_>> = branches
                    .iter()
                    .map(|branch| {
                        let branch_parts = super::flat::parts(&self.graph, &[*branch]);
                        branch_parts.iter().find_map(|id| {
                            let constants = self.schema(*id).constants.as_ref()?;
                            Some(constants.iter().map(|value| (value.clone(), *branch)).collect::<Vec<_>>())
                        })
                    })
                    .collect();
                if let Some(lists) = lists {
                    return Some(lists.concat());
                }
            }
        }
        None
    }

    pub(super) fn constants_shape(
        &mut self,
        key: &[SchemaId],
        flat: &Flat,
        constants: Vec<(Node, SchemaId)>,
    ) -> Made {
        if constants.is_empty() {
            return Made::Ref(TypeRef::Never);
        }
        if let [(Node { value: Json::Null, .. }, _)] = constants.as_slice() {
            return Made::Ref(TypeRef::Null);
        }
        Made::Shape(Shape::Enum(self.enumeration(key, flat, &constants)))
    }

    /// The enum of a union that lists strings and allows any other string too.
    pub(super) fn open_enum(
        &mut self,
        key: &[SchemaId],
        whole: &Flat,
        branches: &[SchemaId],
    ) -> Option<Shape> {
        let base = self.without_union(key, whole, branches);
        if base.is_some_and(|base| branches.iter().any(|branch| !self.is_implied(base, *branch))) {
            return None;
        }
        let (mut listed, mut open) = (Vec::new(), false);
        for branch in branches {
            let flat = flat(&self.graph, &[*branch], self.formats);
            match self.constants(&flat) {
                Some(constants) => {
                    let described =
                        |(value, id)| (value, if flat.parts.contains(&id) { *branch } else { id });
                    listed.extend(constants.into_iter().map(described));
                }
                None if self.is_any_text(&flat) => open = true,
                None => return None,
            }
        }
        let mut seen = HashSet::new();
        listed.retain(|(value, _): &(Node, SchemaId)| seen.insert(value.to_string()));
        let texts = listed.iter().all(|(value, _)| value.as_str().is_some());
        if !open || listed.is_empty() || !texts {
            return None;
        }
        Some(Shape::OpenEnum(self.enumeration(key, whole, &listed)))
    }

    /// Whether every string is allowed, and nothing else.
    fn is_any_text(&mut self, flat: &Flat) -> bool {
        flat.kinds.list() == [JsonType::String]
            && flat.text == TextRules::default()
            && flat.unions.is_empty()
            && self.residuals(flat).is_empty()
    }

    /// The enum of `constants`, each with a schema that describes it.
    fn enumeration(&self, key: &[SchemaId], flat: &Flat, constants: &[(Node, SchemaId)]) -> Enum {
        let mut scope = Scope::default();
        let meanings = key.iter().find_map(|id| self.schema(*id).description.clone()).unwrap_or_default();
        let spell = |with_symbols: bool| -> Vec<String> {
            constants.iter().map(|(value, _)| names::variant(&constant_words(value), with_symbols)).collect()
        };
        let plain = spell(false);
        let unique = plain.iter().collect::<HashSet<_>>().len() == plain.len();
        let variants = if unique { plain } else { spell(true) }
            .into_iter()
            .zip(constants)
            .map(|(name, (value, id))| {
                let own = if flat.parts.contains(id) { None } else { self.schema(*id).description.clone() };
                let title = if flat.parts.contains(id) { None } else { self.schema(*id).title.clone() };
                let name = title.filter(|title| is_short(title)).map_or(name, |title| names::pascal(&title));
                Constant {
                    rust: scope.take([name.as_str()]),
                    value: value.clone(),
                    description: own.or_else(|| meaning(&meanings, value)),
                }
            })
            .collect();
        Enum { variants }
    }
}

/// What an enum's value is called.
fn constant_words(value: &Node) -> String {
    match &value.value {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(text) => format!("n{}", text.replace('-', " minus ").replace('.', " point ")),
        Json::String(text) => text.clone(),
        Json::Array(_) => "list".to_owned(),
        Json::Object(_) => "object".to_owned(),
    }
}

/// The meaning of a value, where a description says it as `value: meaning.`
fn meaning(description: &str, value: &Node) -> Option<String> {
    let text = value.as_str()?;
    let label = format!("{text}: ");
    let start = description
        .match_indices(&label)
        .map(|(at, _)| at)
        .find(|at| *at == 0 || description[..*at].ends_with(". ") || description[..*at].ends_with('\n'))?;
    let rest = &description[start + label.len()..];
    let end = rest.find(". ").map_or(rest.len(), |at| at + 1);
    Some(rest[..end].trim().to_owned())
}
