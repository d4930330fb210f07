//! Types of the intermediate representation and their rules, as a page tells of them.

use crate::emit::docs::vocabulary::{Choice, Counted, Place, Rule, Type, count, one_of};
use crate::graph::JsonType;
use crate::ir::{
    Bound, Check, Enum, List, NumberRules, Presence, Protocol, Shape, TextRules, Tuple, TypeId, TypeRef,
};
use crate::json::{Json, Node};
use serde::Serialize;
use std::collections::BTreeMap;

/// A use of a type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Described {
    /// What it is.
    pub(super) ty: Type,
    /// What holds for it beyond that.
    pub(super) rules: Vec<Rule>,
}

impl Described {
    fn plain(ty: Type) -> Self {
        Self { ty, rules: Vec::new() }
    }
}

/// Describes types; those that have a section of their own are links to it.
pub(super) struct Words<'a> {
    /// Whose types they are.
    pub(super) protocol: &'a Protocol,
    /// The heading and the link target of each section.
    pub(super) sections: BTreeMap<TypeId, (String, String)>,
}

impl Words<'_> {
    /// A use of a type.
    pub(super) fn describe(&self, ty: &TypeRef) -> Described {
        self.reference(ty, &mut Vec::new())
    }

    /// What a named type is, although it has a section of its own.
    pub(super) fn define(&self, id: TypeId) -> Described {
        self.shape(id, &mut vec![id])
    }

    /// `within`: the types that are being spelled out, lest one that holds itself never end.
    fn reference(&self, ty: &TypeRef, within: &mut Vec<TypeId>) -> Described {
        match ty {
            TypeRef::Any => Described::plain(Type::Any),
            TypeRef::Null => Described::plain(Type::Null),
            TypeRef::Bool => Described::plain(Type::Boolean),
            TypeRef::Text => Described::plain(Type::Text),
            TypeRef::Number => Described::plain(Type::Number),
            TypeRef::Integer => Described::plain(Type::Integer),
            TypeRef::Uuid => {
                Described { ty: Type::Text, rules: vec![Rule::Format { name: "uuid".to_owned() }] }
            }
            TypeRef::Object => Described::plain(Type::Object),
            TypeRef::Never => Described { ty: Type::Nothing, rules: vec![Rule::Absent] },
            TypeRef::List(items) => self.items(items, within),
            TypeRef::Map(values) => self.values(values, within),
            TypeRef::Nullable(inner) => {
                let Described { ty, rules } = self.reference(inner, within);
                Described { ty: one_of([ty, Type::Null]), rules }
            }
            TypeRef::Named(id) => self.named(*id, within),
        }
    }

    fn items(&self, items: &TypeRef, within: &mut Vec<TypeId>) -> Described {
        let Described { ty, rules } = self.reference(items, within);
        let rules = rules.into_iter().map(|rule| Rule::Each { rule: Box::new(rule) });
        Described { ty: Type::ListOf { items: Box::new(ty) }, rules: rules.collect() }
    }

    fn values(&self, values: &TypeRef, within: &mut Vec<TypeId>) -> Described {
        let Described { ty, rules } = self.reference(values, within);
        let rules = rules.into_iter().map(|rule| Rule::EachValue { rule: Box::new(rule) });
        Described { ty: Type::MapOf { values: Box::new(ty) }, rules: rules.collect() }
    }

    fn named(&self, id: TypeId, within: &mut Vec<TypeId>) -> Described {
        if let Some((label, target)) = self.sections.get(&id) {
            return Described::plain(Type::Link { label: label.clone(), target: target.clone() });
        }
        if within.contains(&id) {
            let name = self.protocol.types.get(id.0).map_or("?", |def| def.name.as_str());
            return Described::plain(Type::Name { name: name.to_owned() });
        }
        within.push(id);
        let described = self.shape(id, within);
        within.pop();
        described
    }

    fn shape(&self, id: TypeId, within: &mut Vec<TypeId>) -> Described {
        let Some(def) = self.protocol.types.get(id.0) else { return Described::default() };
        match &def.shape {
            Shape::Struct(_) => Described::plain(Type::Object),
            Shape::Union(union) => {
                let variants = union.variants.iter().map(|variant| self.reference(&variant.ty, within).ty);
                Described::plain(one_of(variants))
            }
            Shape::Enum(choices) => choice(choices),
            Shape::OpenEnum(_) => Described::plain(Type::Text),
            Shape::Text(rules) => Described { ty: Type::Text, rules: text_rules(rules) },
            Shape::Number(rules) => {
                let ty = if rules.integer { Type::Integer } else { Type::Number };
                Described { ty, rules: number_rules(rules) }
            }
            Shape::List(list) => self.list(list, within),
            Shape::Tuple(tuple) => self.tuple(tuple, within),
            Shape::Map(map) => {
                let mut described = self.values(&map.values, within);
                let names =
                    text_rules(&map.names).into_iter().map(|rule| Rule::EachName { rule: Box::new(rule) });
                let count = count(Counted::Members, map.min_members, map.max_members).map(Rule::Count);
                described.rules = count.into_iter().chain(names).chain(described.rules).collect();
                described
            }
            Shape::Alias(ty) => self.reference(ty, within),
            Shape::Value(check) => value(check),
            Shape::Sealed(sealed) => {
                let mut described = self.reference(&sealed.inner, within);
                described.rules.extend(value(&sealed.check).rules);
                described
            }
        }
    }

    fn tuple(&self, tuple: &Tuple, within: &mut Vec<TypeId>) -> Described {
        let mut places = Vec::new();
        for (place, item) in tuple.items.iter().enumerate() {
            let Described { ty, rules } = self.reference(item, within);
            places.push(Place { ty, rules, optional: place >= tuple.required });
        }
        let rest = tuple.rest.as_ref().map(|rest| Box::new(self.reference(rest, within).ty));
        let count = count(Counted::Items, tuple.min_items, tuple.max_items).map(Rule::Count);
        let unique = tuple.unique.then_some(Rule::Unique);
        Described { ty: Type::Places { places, rest }, rules: count.into_iter().chain(unique).collect() }
    }

    fn list(&self, list: &List, within: &mut Vec<TypeId>) -> Described {
        let mut described = self.items(&list.items, within);
        let count = count(Counted::Items, list.min_items, list.max_items).map(Rule::Count);
        let unique = list.unique.then_some(Rule::Unique);
        described.rules = count.into_iter().chain(unique).chain(described.rules).collect();
        described
    }
}

/// A JSON type.
pub(super) fn type_of(kind: JsonType) -> Type {
    match kind {
        JsonType::Null => Type::Null,
        JsonType::Boolean => Type::Boolean,
        JsonType::Integer => Type::Integer,
        JsonType::Number => Type::Number,
        JsonType::String => Type::Text,
        JsonType::Array => Type::List,
        JsonType::Object => Type::Object,
    }
}

/// What a constant is.
fn type_of_value(value: &Node) -> Type {
    match &value.value {
        Json::Null => Type::Null,
        Json::Bool(_) => Type::Boolean,
        Json::Number(number) if number.contains(['.', 'e', 'E']) => Type::Number,
        Json::Number(_) => Type::Integer,
        Json::String(_) => Type::Text,
        Json::Array(_) => Type::List,
        Json::Object(_) => Type::Object,
    }
}

/// A closed list of constants.
fn choice(choices: &Enum) -> Described {
    let values = choices.variants.iter().map(|variant| &variant.value);
    Described { ty: one_of(values.clone().map(type_of_value)), rules: vec![constants(values)] }
}

/// One of these values.
pub(super) fn constants<'a>(values: impl Iterator<Item = &'a Node>) -> Rule {
    Rule::of_values(values.map(|value| Choice { value: value.to_string(), meaning: None }).collect())
}

/// What the rules of a member are, beside those of its type.
pub(super) fn member_rules(rules: &mut Vec<Rule>, constant: Option<&Node>, presence: &Presence) {
    if let Some(constant) = constant {
        let always = Rule::Always { value: constant.to_string() };
        if !rules.contains(&always) {
            rules.insert(0, always);
        }
    }
    if let Presence::Default(value) = presence {
        rules.push(Rule::Default { value: value.to_string() });
    }
}

/// A checked JSON value: what its types are, and those rules that fit in a line. The section of the
/// type has all of them.
fn value(check: &Check) -> Described {
    let mut ty = None;
    let mut rules = Vec::new();
    let mut open = vec![check];
    while let Some(check) = open.pop() {
        match check {
            Check::All(checks) => open.extend(checks.iter().rev()),
            Check::Kinds(kinds) if ty.is_none() => ty = Some(one_of(kinds.iter().copied().map(type_of))),
            Check::Constants(values) => rules.push(constants(values.iter())),
            Check::Text(of) => rules.extend(text_rules(of)),
            Check::Number(of) => rules.extend(number_rules(of)),
            _ => {}
        }
    }
    Described { ty: ty.unwrap_or_default(), rules }
}

/// Rules of a string.
pub(super) fn text_rules(rules: &TextRules) -> Vec<Rule> {
    let count = count(Counted::Characters, rules.min_length, rules.max_length).map(Rule::Count);
    let formats = rules.formats.iter().map(|name| Rule::Format { name: name.clone() });
    let patterns = rules.patterns.iter().map(|pattern| Rule::Pattern { pattern: pattern.clone() });
    count.into_iter().chain(formats).chain(patterns).collect()
}

/// Rules of a number.
pub(super) fn number_rules(rules: &NumberRules) -> Vec<Rule> {
    let mut found = Vec::new();
    let closed = |bound: &Bound| !bound.exclusive;
    match (&rules.minimum, &rules.maximum) {
        (Some(least), Some(most)) if closed(least) && closed(most) => {
            let (least, most) = (least.value.clone(), most.value.clone());
            found.push(if least == most {
                Rule::Exactly { value: least }
            } else {
                Rule::Between { least, most }
            });
        }
        (least, most) => {
            found.extend(least.clone().map(|Bound { value, exclusive }| match exclusive {
                true => Rule::Above { value },
                false => Rule::AtLeast { value },
            }));
            found.extend(most.clone().map(|Bound { value, exclusive }| match exclusive {
                true => Rule::Below { value },
                false => Rule::AtMost { value },
            }));
        }
    }
    found.extend(rules.multiple_of.iter().map(|value| Rule::MultipleOf { value: value.clone() }));
    found.extend(rules.strict_integer.then_some(Rule::NoFraction));
    found
}

#[cfg(test)]
mod tests;
