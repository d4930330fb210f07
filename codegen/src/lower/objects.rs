//! Objects with known members.

use super::check::{all, any_of, one_of};
use super::flat::{Flat, flat};
use super::passes::{matches, violation};
use super::shape::Made;
use super::words::{clause, words};
use super::{Lowering, Naming};
use crate::diagnostics::Place;
use crate::graph::{Schema, SchemaId};
use crate::ir::{
    Check, Clause, Field, Map, ObjectCheck, Presence, Rest, Rule, Shape, Struct, TextRules, TypeRef,
};
use crate::json::{Json, Node};
use crate::names::{self, Scope};
use std::collections::HashSet;

impl Lowering {
    pub(super) fn object_shape(&mut self, flat: &Flat, naming: &Naming) -> Made {
        let parts: Vec<Schema> = flat.parts.iter().map(|id| self.schema(*id).clone()).collect();
        let mut required = Vec::new();
        let mut is_required = HashSet::new();
        for name in parts.iter().flat_map(|part| &part.required) {
            if is_required.insert(name.as_str()) {
                required.push(name);
            }
        }
        let mut seen = HashSet::new();
        let names = parts.iter().flat_map(|part| part.properties.iter().map(|(name, _)| name));
        let declared: Vec<&String> =
            names.chain(required).filter(|name| seen.insert(name.as_str())).collect();
        let min_members =
            parts.iter().filter_map(|part| part.min_properties.filter(|count| *count > 0)).max();
        let max_members = parts.iter().filter_map(|part| part.max_properties).min();
        let rules = self.object_rules(flat, &parts);
        let plain = declared.is_empty() && rules.is_empty();

        let rest = self.rest(flat, &parts, naming);
        if plain {
            let patterns: Vec<&(String, SchemaId)> =
                parts.iter().flat_map(|part| &part.pattern_properties).collect();
            let unbounded = min_members.is_none() && max_members.is_none();
            match (&rest, patterns.as_slice()) {
                (Rest::Open, _) if unbounded => return Made::Ref(TypeRef::Object),
                (Rest::Typed(ty), _) if unbounded => return Made::Ref(TypeRef::Map(Box::new(ty.clone()))),
                (Rest::Open | Rest::Typed(_), _) => {
                    let values = if let Rest::Typed(ty) = rest { ty } else { TypeRef::Any };
                    let names = TextRules::default();
                    return Made::Shape(Shape::Map(Map { names, values, min_members, max_members }));
                }
                (Rest::Checked(_), [(pattern, values)]) if self.is_closed(&parts) => {
                    let values = self.use_of(&[*values], &naming.member("", "value"));
                    if values != TypeRef::Never {
                        let names = TextRules { patterns: vec![pattern.clone()], ..TextRules::default() };
                        return Made::Shape(Shape::Map(Map { names, values, min_members, max_members }));
                    }
                }
                _ => {}
            }
        }
        let mut scope = Scope::reserving(if matches!(rest, Rest::Closed) { &[] } else { &["additional"] });
        // Where a rule asks whether a member is there, absent and default are two things.
        let defaults = rules.is_empty() && min_members.is_none() && max_members.is_none();
        let fields = declared
            .iter()
            .map(|name| {
                let rust = scope.take([names::snake(name).as_str()]);
                let presence = match is_required.contains(name.as_str()) {
                    true => Presence::Required,
                    false => Presence::Optional,
                };
                let schemas = self.member_schemas(name, flat, &parts);
                self.field(name, rust, &schemas, presence, defaults, naming)
            })
            .collect();
        Made::Shape(Shape::Struct(Struct { fields, rest, min_members, max_members, rules }))
    }

    /// The rules of an object that span members.
    pub(super) fn object_rules(&mut self, flat: &Flat, parts: &[Schema]) -> Vec<Rule> {
        let mut rules: Vec<Rule> = self
            .residuals(flat)
            .into_iter()
            .map(|(id, check)| {
                let schema = self.schema(id);
                // What is said of a schema that is a rule and nothing else is said of the rule.
                let only = schema.types.is_none() && schema.properties.is_empty();
                let clause = clause(&check, schema.description.as_deref().filter(|_| only));
                rule(clause, check, self.place(id))
            })
            .collect();
        for (exactly_one, branches) in &flat.unions {
            if self.is_rule(branches, flat.kinds) {
                let checks: Vec<Check> = branches.iter().map(|id| self.check_of_object(*id)).collect();
                let check = if *exactly_one { one_of(checks) } else { any_of(checks) };
                rules.push(rule(clause(&check, None), check, self.place(branches[0])));
            }
        }
        let patterns = parts.iter().any(|part| !part.pattern_properties.is_empty());
        for (part, id) in parts.iter().zip(&flat.parts) {
            // Else it is in the types of the members.
            let in_types = !patterns && self.evaluates_members_of(*id, parts);
            if !in_types
                && let Some(check) = self.unevaluated_members(*id)
                && !matches!(check, Check::Any)
            {
                rules.push(rule(Clause::NoOthers, check, self.place(*id)));
            }
            if let Some(names) = part.property_names {
                let names = self.check(names);
                let check = Check::Object(Box::new(ObjectCheck { names, ..ObjectCheck::default() }));
                rules.push(rule(Clause::NamesFit, check, self.place(*id)));
            }
        }
        rules
    }

    /// The condition that a schema makes on an object.
    fn check_of_object(&mut self, id: SchemaId) -> Check {
        let mut schema = self.schema(id).clone();
        if schema.types.take().is_none() {
            return self.check(id);
        }
        let rule = self.add(schema);
        self.check(rule)
    }

    /// Whether all that `unevaluatedProperties` of a schema does not bind are members that the object
    /// declares.
    fn evaluates_members_of(&mut self, id: SchemaId, parts: &[Schema]) -> bool {
        let Some(always) = self.always_evaluated(id) else { return false };
        let (names, patterns) = always.as_ref();
        let declares =
            |name: &String| parts.iter().any(|part| part.properties.iter().any(|(own, _)| own == name));
        patterns.is_empty() && names.iter().all(declares)
    }

    /// What binds the member `name`.
    pub(super) fn member_schemas(&mut self, name: &str, flat: &Flat, parts: &[Schema]) -> Vec<SchemaId> {
        let mut schemas = Vec::new();
        for (part, id) in parts.iter().zip(&flat.parts) {
            let before = schemas.len();
            schemas.extend(part.properties.iter().filter(|(own, _)| own == name).map(|(_, id)| *id));
            schemas.extend(
                part.pattern_properties
                    .iter()
                    .filter(|(pattern, _)| matches(pattern, name))
                    .map(|(_, id)| *id),
            );
            if schemas.len() == before {
                schemas.extend(part.additional_properties);
            }
            if let Some(unevaluated) = part.unevaluated_properties
                && let Some((names, patterns)) = self.always_evaluated(*id).as_deref()
                && !names.iter().any(|own| own == name)
                && !patterns.iter().any(|pattern| matches(pattern, name))
            {
                schemas.push(unevaluated);
            }
        }
        schemas
    }

    /// The member `name`, to which all of `schemas` apply; its default counts where `defaults` says so.
    pub(super) fn field(
        &mut self,
        name: &str,
        rust: String,
        schemas: &[SchemaId],
        presence: Presence,
        defaults: bool,
        naming: &Naming,
    ) -> Field {
        let required = matches!(presence, Presence::Required);
        let constant = self.constant_of(schemas);
        let ty = match &constant {
            // A required constant is not stored, so it needs no type.
            Some(value) if required => constant_type(value),
            _ => self.use_of(schemas, &naming.member("", name)),
        };
        let mut field = Field {
            wire: name.to_owned(),
            rust,
            title: schemas.iter().find_map(|id| self.schema(*id).title.clone()),
            description: schemas.iter().find_map(|id| self.described(*id)),
            ty,
            presence,
            constant,
            deprecated: schemas.iter().any(|id| self.schema(*id).deprecated),
        };
        let default = schemas.iter().find_map(|id| self.schema(*id).default.clone().map(|node| (*id, node)));
        if let Some((id, default)) = default {
            let own = self.check(id);
            if let Some((pointer, rule)) = violation(&own, &self.checks, &default) {
                let mut place = self.place(id);
                place.pointer = format!("{}/default{pointer}", place.pointer);
                place.span = default.span;
                if is_empty(&default) {
                    let what = "the default is no value of its own schema, and taken for none";
                    self.graph.notes.push(place, format!("{what}: {rule}"));
                } else {
                    self.problems.push(place, format!("the default is no value of its own schema: {rule}"));
                }
            } else if !required && defaults && field.constant.is_none() {
                // Beside others, say in a branch of a union, it may be no value.
                let check = self.check_all(schemas);
                if violation(&check, &self.checks, &default).is_none() {
                    field.presence = Presence::Default(default);
                }
            }
        }
        field
    }

    /// The description where a member stands, or that of what it refers to.
    pub(super) fn described(&self, id: SchemaId) -> Option<String> {
        let mut seen = HashSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let schema = self.schema(id);
            if schema.description.is_some() {
                return schema.description.clone();
            }
            if seen.insert(id) {
                open.extend(schema.references.iter().rev());
            }
        }
        None
    }

    /// The one value that a member may have.
    pub(super) fn constant_of(&mut self, schemas: &[SchemaId]) -> Option<Node> {
        let flat = flat(&self.graph, schemas, self.formats);
        let constants = self.constants(&flat)?;
        match constants.as_slice() {
            [(value, _)] => Some(value.clone()),
            _ => None,
        }
    }

    /// Whether members that match no pattern are forbidden.
    pub(super) fn is_closed(&self, parts: &[Schema]) -> bool {
        parts
            .iter()
            .any(|part| part.additional_properties.is_some_and(|id| self.schema(id).boolean == Some(false)))
    }

    /// The members that no schema names.
    pub(super) fn rest(&mut self, flat: &Flat, parts: &[Schema], naming: &Naming) -> Rest {
        let patterns: Vec<String> = parts
            .iter()
            .flat_map(|part| part.pattern_properties.iter().map(|(pattern, _)| pattern.clone()))
            .collect();
        if patterns.is_empty() {
            let mut schemas: Vec<SchemaId> =
                parts.iter().filter_map(|part| part.additional_properties).collect();
            for (part, id) in parts.iter().zip(&flat.parts) {
                if let Some(unevaluated) = part.unevaluated_properties
                    && self.evaluates_members_of(*id, parts)
                {
                    schemas.push(unevaluated);
                }
            }
            return match self.use_of(&schemas, &naming.member("", "value")) {
                TypeRef::Never => Rest::Closed,
                TypeRef::Any => Rest::Open,
                ty => Rest::Typed(ty),
            };
        }
        // With several schemas, each has its own idea of what is left over.
        let checks: Vec<Check> = flat
            .parts
            .iter()
            .map(|id| {
                let schema = self.schema(*id).clone();
                let own = Schema {
                    properties: schema.properties,
                    pattern_properties: schema.pattern_properties,
                    additional_properties: schema.additional_properties,
                    ..Schema::default()
                };
                let own = self.add(own);
                self.check(own)
            })
            .collect();
        Rest::Checked(all(checks))
    }
}

/// Whether a value holds nothing: as a default that is no value of its schema, it is how people write
/// that there is no default, while any other is a mistake.
fn is_empty(value: &Node) -> bool {
    match &value.value {
        Json::Null => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        Json::Bool(_) | Json::Number(_) => false,
    }
}

fn rule(clause: Clause, check: Check, place: Place) -> Rule {
    Rule { words: words(&clause), clause, check, place }
}

/// The type of one value.
fn constant_type(value: &Node) -> TypeRef {
    match &value.value {
        Json::Null => TypeRef::Null,
        Json::Bool(_) => TypeRef::Bool,
        Json::Number(_) => TypeRef::Number,
        Json::String(_) => TypeRef::Text,
        Json::Array(_) => TypeRef::List(Box::new(TypeRef::Any)),
        Json::Object(_) => TypeRef::Object,
    }
}
