//! Defaults that hold themselves: an absent member that means an object in which the same member is
//! absent would mean a value without an end.

use super::Lowering;
use super::passes::has_kind;
use crate::graph::JsonType;
use crate::ir::{Presence, Rest, Shape, Struct, TypeDef, TypeRef};
use crate::json::Node;
use std::collections::HashMap;

/// A field: the index of its type, and its own.
type FieldId = (usize, usize);

impl Lowering {
    /// Takes the default from fields whose default would hold itself.
    pub(super) fn end_defaults(&mut self) {
        let mut walk = Walk { types: &self.types, entered: HashMap::new(), endless: Vec::new() };
        for (index, ty) in self.types.iter().enumerate() {
            if let Some(TypeDef { shape: Shape::Struct(shape), .. }) = ty {
                (0..shape.fields.len()).for_each(|field| walk.absent(shape, (index, field)));
            }
        }
        for (index, field) in walk.endless {
            if let Some(TypeDef { shape: Shape::Struct(shape), .. }) = &mut self.types[index] {
                shape.fields[field].presence = Presence::Optional;
            }
        }
    }
}

/// Goes through all that defaults hold.
struct Walk<'a> {
    types: &'a [Option<TypeDef>],
    /// The fields that were met, and whether their defaults are through.
    entered: HashMap<FieldId, bool>,
    endless: Vec<FieldId>,
}

impl<'a> Walk<'a> {
    /// What an absent field means.
    fn absent(&mut self, owner: &'a Struct, id: FieldId) {
        let field = &owner.fields[id.1];
        let Presence::Default(default) = &field.presence else { return };
        match self.entered.get(&id) {
            Some(true) => {}
            Some(false) => self.endless.push(id),
            None => {
                self.entered.insert(id, false);
                self.value(&field.ty, default, &mut Vec::new());
                self.entered.insert(id, true);
            }
        }
    }

    /// A value of a type; `inside` are the types that hold the same value.
    fn value(&mut self, ty: &'a TypeRef, value: &'a Node, inside: &mut Vec<usize>) {
        match ty {
            TypeRef::Nullable(inner) => self.value(inner, value, inside),
            TypeRef::List(items) => {
                value.items().iter().for_each(|item| self.value(items, item, &mut Vec::new()));
            }
            TypeRef::Map(values) => {
                value.members().iter().for_each(|member| self.value(values, &member.node, &mut Vec::new()));
            }
            TypeRef::Named(id) if !inside.contains(&id.0) => {
                inside.push(id.0);
                self.named(id.0, value, inside);
            }
            _ => {}
        }
    }

    fn named(&mut self, index: usize, value: &'a Node, inside: &mut Vec<usize>) {
        let types = self.types;
        let Some(ty) = &types[index] else { return };
        match &ty.shape {
            Shape::Struct(shape) if has_kind(value, JsonType::Object) => {
                for (number, field) in shape.fields.iter().enumerate() {
                    match value.get(&field.wire) {
                        Some(member) => self.value(&field.ty, member, &mut Vec::new()),
                        None => self.absent(shape, (index, number)),
                    }
                }
                if let Rest::Typed(ty) = &shape.rest {
                    let is_field = |name: &str| shape.fields.iter().any(|field| field.wire == name);
                    for member in value.members().iter().filter(|member| !is_field(&member.name)) {
                        self.value(ty, &member.node, &mut Vec::new());
                    }
                }
            }
            Shape::Union(union) => {
                for variant in &union.variants {
                    if variant.kinds.iter().any(|kind| has_kind(value, *kind)) {
                        self.value(&variant.ty, value, inside);
                    }
                }
            }
            Shape::List(list) => {
                value.items().iter().for_each(|item| self.value(&list.items, item, &mut Vec::new()));
            }
            Shape::Tuple(tuple) => {
                let types = tuple.items.iter().chain(tuple.rest.iter().cycle());
                for (ty, item) in types.zip(value.items()) {
                    self.value(ty, item, &mut Vec::new());
                }
            }
            Shape::Map(map) => {
                let members = value.members().iter();
                members.for_each(|member| self.value(&map.values, &member.node, &mut Vec::new()));
            }
            Shape::Alias(ty) => self.value(ty, value, inside),
            Shape::Sealed(sealed) => self.value(&sealed.inner, value, inside),
            _ => {}
        }
    }
}
