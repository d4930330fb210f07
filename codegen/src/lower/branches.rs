//! What the variants of a union are called.

use super::flat::Flat;
use super::passes::has_kind;
use super::{Lowering, is_short};
use crate::graph::{JsonType, SchemaId};
use crate::json::{Json, Node};
use crate::names;
use std::collections::{HashMap, HashSet};

/// How long a text may be to be a name, in bytes.
const LONGEST: usize = 60;

/// A branch of a union, with all that binds it.
pub(super) struct Branch {
    pub(super) id: SchemaId,
    pub(super) schemas: Vec<SchemaId>,
    pub(super) flat: Flat,
}

impl Lowering {
    /// The names of the branches: of their definitions and titles, of constants, of the JSON type, or
    /// of a member that no other branch has.
    pub(super) fn branch_names(&self, branches: &[Branch]) -> Vec<String> {
        let mut naming: HashMap<&str, usize> = HashMap::new();
        for branch in branches {
            let members: HashSet<&str> = self.members(branch).collect();
            members.into_iter().for_each(|name| *naming.entry(name).or_default() += 1);
        }
        let is_alone = |kind| branches.iter().filter(|branch| self.may_be(branch, kind)).count() == 1;
        let name = |(index, branch): (usize, &Branch)| {
            self.given_name(branch.id)
                .or_else(|| self.name_by_constant(branch))
                .or_else(|| match branch.flat.kinds.list().as_slice() {
                    [JsonType::Object] if !is_alone(JsonType::Object) => None,
                    [only] => Some(self.name_by_kind(branch, *only, is_alone(*only))),
                    _ => None,
                })
                .or_else(|| {
                    let own = self.members(branch).find(|name| naming.get(name) == Some(&1))?;
                    Some(names::pascal(own))
                })
                .or_else(|| name_by_kinds(&branch.flat))
                .unwrap_or_else(|| format!("Variant{}", index + 1))
        };
        branches.iter().enumerate().map(name).collect()
    }

    fn may_be(&self, branch: &Branch, kind: JsonType) -> bool {
        let mut constants = branch.flat.parts.iter().filter_map(|id| self.schema(*id).constants.as_ref());
        branch.flat.kinds.has(kind)
            && constants.all(|values| values.iter().any(|value| has_kind(value, kind)))
    }

    /// The name of the definition or the title that a branch has.
    fn given_name(&self, branch: SchemaId) -> Option<String> {
        let target = self.plain_reference(branch).unwrap_or(branch);
        let reserved = self.reserved.get(&branch).or_else(|| self.reserved.get(&target));
        let title =
            || self.schema(branch).title.as_deref().filter(|title| is_short(title)).map(names::pascal);
        reserved.cloned().or_else(title)
    }

    /// The one value that a branch has, or that a required member of it has.
    fn name_by_constant(&self, branch: &Branch) -> Option<String> {
        let only = |id: SchemaId| match self.schema(id).constants.as_deref() {
            Some([only]) => Some(only),
            _ => None,
        };
        if let Some(value) = branch.flat.parts.iter().find_map(|id| only(*id)) {
            return match &value.value {
                Json::String(text) => (text.len() <= LONGEST).then(|| names::variant(text, false)),
                Json::Number(_) | Json::Bool(_) | Json::Null => Some(names::pascal(&value.to_string())),
                Json::Array(_) | Json::Object(_) => None,
            };
        }
        let members = |texts: bool| {
            branch.flat.parts.iter().find_map(|id| {
                let schema = self.schema(*id);
                let required = schema.properties.iter().filter(|(name, _)| schema.required.contains(name));
                required.clone().find_map(|(name, member)| match only(*member) {
                    Some(Node { value: Json::String(text), .. }) if texts && text.len() <= LONGEST => {
                        Some(names::pascal(text))
                    }
                    Some(value @ Node { value: Json::Number(_) | Json::Bool(_), .. }) if !texts => {
                        let text = format!("{name} {value}");
                        (text.len() <= LONGEST).then(|| names::pascal(&text))
                    }
                    _ => None,
                })
            })
        };
        members(true).or_else(|| members(false))
    }

    /// The members that a branch names, those that must be there first.
    fn members<'l>(&'l self, branch: &'l Branch) -> impl Iterator<Item = &'l str> {
        let schemas = || branch.flat.parts.iter().map(|id| self.schema(*id));
        let required = schemas().flat_map(|schema| &schema.required);
        let properties = schemas().flat_map(|schema| schema.properties.iter().map(|(name, _)| name));
        required.chain(properties).map(String::as_str).filter(|name| name.len() <= LONGEST)
    }

    /// The name of a JSON type, or of the format where other branches have the type too.
    fn name_by_kind(&self, branch: &Branch, kind: JsonType, is_alone: bool) -> String {
        match branch.flat.text.formats.as_slice() {
            [format] if kind == JsonType::String && !is_alone => names::pascal(format),
            _ => kind_name(kind, &branch.flat).to_owned(),
        }
    }
}

/// The names of a few JSON types together.
fn name_by_kinds(flat: &Flat) -> Option<String> {
    const MOST: usize = 3;
    let kinds = flat.kinds.list();
    let few = kinds.len() <= MOST;
    let names = || kinds.iter().map(|kind| kind_name(*kind, flat)).collect::<Vec<_>>().join("Or");
    (few && kinds.as_slice() != [JsonType::Object]).then(names)
}

/// The variant name of a JSON type.
pub(super) fn kind_name(kind: JsonType, flat: &Flat) -> &'static str {
    match kind {
        JsonType::Null => "Null",
        JsonType::Boolean => "Bool",
        JsonType::Number if flat.number.integer => "Integer",
        JsonType::Integer => "Integer",
        JsonType::Number => "Number",
        JsonType::String => "Text",
        JsonType::Array => "List",
        JsonType::Object => "Object",
    }
}
