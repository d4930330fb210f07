//! Uses of types, and which types hold themselves.

use super::builders;
use crate::ir::{Protocol, Routing, Sealed, Shape, TypeRef};
use crate::names::Scope;
use crate::reach::{components, longest};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::HashMap;

/// A protocol, and what is known of its types as a whole.
pub(super) struct Context<'a> {
    pub(super) protocol: &'a Protocol,
    /// For each type the number of the cycle it belongs to: types of one cycle hold each other
    /// without a list or map in between, so one of them must be boxed.
    cycles: Vec<usize>,
    /// For each type how many others it holds inside each other.
    levels: Vec<usize>,
    /// For each type whether a number somewhere in it needs more than 64 bits.
    wide: Vec<bool>,
    /// The names of the builders, by the types that have one.
    pub(super) builders: HashMap<usize, String>,
}

impl<'a> Context<'a> {
    pub(super) fn new(protocol: &'a Protocol) -> Self {
        let held: Vec<Vec<usize>> = (0..protocol.types.len()).map(|index| holds(protocol, index)).collect();
        let cycles = components(&held);
        let (levels, wide, builders) = (levels(protocol, &cycles), wide(protocol), builders(protocol));
        Self { protocol, levels, cycles, wide, builders }
    }

    /// A use of a type inside the type `owner`.
    pub(super) fn of(&self, ty: &TypeRef, owner: Option<usize>) -> TokenStream {
        match ty {
            TypeRef::Any => quote! { ::serde_json::Value },
            TypeRef::Null => quote! { () },
            TypeRef::Bool => quote! { bool },
            TypeRef::Text => quote! { String },
            TypeRef::Number => quote! { support::Number },
            TypeRef::Integer => quote! { support::Integer },
            TypeRef::Uuid => quote! { support::Uuid },
            TypeRef::Object => quote! { ::serde_json::Map<String, ::serde_json::Value> },
            TypeRef::List(items) => {
                let items = self.of(items, None);
                quote! { Vec<#items> }
            }
            TypeRef::Map(values) => {
                let values = self.of(values, None);
                quote! { ::std::collections::BTreeMap<String, #values> }
            }
            TypeRef::Nullable(inner) => {
                let inner = self.of(inner, owner);
                quote! { Option<#inner> }
            }
            TypeRef::Named(id) => {
                let name = format_ident!("{}", self.protocol.types[id.0].name);
                match owner {
                    Some(owner) if self.is_boxed(owner, id.0) => quote! { Box<#name> },
                    _ => quote! { #name },
                }
            }
            TypeRef::Never => quote! { ::std::convert::Infallible },
        }
    }

    /// Whether a use of `inner` in `owner` must be boxed: in a cycle, and here and there in a long
    /// chain, since the compiler follows 128 steps at most to see how large a type is.
    pub(super) fn is_boxed(&self, owner: usize, inner: usize) -> bool {
        const MOST: usize = 32;
        let direct = owner != inner || holds(self.protocol, owner).contains(&inner);
        let is_far = self.levels[owner] / MOST != self.levels[inner] / MOST;
        (direct && self.cycles[owner] == self.cycles[inner]) || is_far
    }

    /// Whether a type must be read with all digits of its numbers.
    pub(super) fn is_wide(&self, index: usize) -> bool {
        self.wide[index]
    }

    /// What a use stands for, aliases followed.
    pub(super) fn resolved<'t>(&'t self, ty: &'t TypeRef) -> &'t TypeRef {
        match ty {
            TypeRef::Named(id) => match &self.protocol.types[id.0].shape {
                Shape::Alias(target) => self.resolved(target),
                _ => ty,
            },
            _ => ty,
        }
    }

    /// A use with no alias left in it, so that two of one type are equal.
    pub(super) fn expanded(&self, ty: &TypeRef) -> TypeRef {
        match self.resolved(ty) {
            TypeRef::List(inner) => TypeRef::List(Box::new(self.expanded(inner))),
            TypeRef::Map(inner) => TypeRef::Map(Box::new(self.expanded(inner))),
            TypeRef::Nullable(inner) => TypeRef::Nullable(Box::new(self.expanded(inner))),
            other => other.clone(),
        }
    }

    /// Whether a type is read member by member.
    pub(super) fn is_object(&self, ty: &TypeRef) -> bool {
        match self.resolved(ty) {
            TypeRef::Named(id) => match &self.protocol.types[id.0].shape {
                Shape::Struct(_) => true,
                Shape::Union(union) => matches!(union.routing, Routing::Tag(_)),
                Shape::Sealed(Sealed { inner, .. }) => self.is_object(inner),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether equal values of a type are equal JSON and have equal hashes; and they have an order.
    pub(super) fn is_hashable(&self, ty: &TypeRef) -> bool {
        match self.resolved(ty) {
            TypeRef::Null
            | TypeRef::Bool
            | TypeRef::Text
            | TypeRef::Number
            | TypeRef::Integer
            | TypeRef::Uuid => true,
            TypeRef::Nullable(inner) => self.is_hashable(inner),
            TypeRef::Named(id) => match &self.protocol.types[id.0].shape {
                Shape::Text(_) | Shape::OpenEnum(_) | Shape::Number(_) => true,
                Shape::Sealed(sealed) => self.is_hashable(&sealed.inner),
                Shape::Enum(list) => list.variants.iter().all(|variant| variant.value.as_str().is_some()),
                _ => false,
            },
            _ => false,
        }
    }
}

fn builders(protocol: &Protocol) -> HashMap<usize, String> {
    let names: Vec<&str> = protocol.types.iter().map(|ty| ty.name.as_str()).collect();
    let mut scope = Scope::reserving(&names);
    let built = protocol
        .types
        .iter()
        .enumerate()
        .filter(|(_, ty)| matches!(&ty.shape, Shape::Struct(shape) if builders::has_builder(shape)));
    built.map(|(index, ty)| (index, scope.take([format!("{}Builder", ty.name).as_str()]))).collect()
}

/// What a crate must have for the compiler to follow types that lead to each other in long circles.
pub(super) fn needs(protocol: &Protocol) -> Option<String> {
    const FOLLOWED: usize = 100;
    let edges: Vec<Vec<usize>> = protocol.types.iter().map(|ty| ty.shape.uses()).collect();
    let longest = longest(&edges).into_iter().max().filter(|longest| *longest > FOLLOWED)?;
    let limit = (2 * longest).next_power_of_two();
    Some(format!(
        "Its types lead to each other in long circles: a crate may need `#![recursion_limit = \"{limit}\"]`."
    ))
}

/// The types that a type holds in itself: not behind a list or a map, which are on the heap anyway.
fn holds(protocol: &Protocol, index: usize) -> Vec<usize> {
    fn add(ty: &TypeRef, found: &mut Vec<usize>) {
        match ty {
            TypeRef::Named(id) => found.push(id.0),
            TypeRef::Nullable(inner) => add(inner, found),
            _ => {}
        }
    }
    let mut found = Vec::new();
    match &protocol.types[index].shape {
        Shape::Struct(shape) => shape.fields.iter().for_each(|field| add(&field.ty, &mut found)),
        Shape::Union(shape) => shape.variants.iter().for_each(|variant| add(&variant.ty, &mut found)),
        Shape::Tuple(tuple) => tuple.items.iter().for_each(|item| add(item, &mut found)),
        Shape::Alias(target) => add(target, &mut found),
        Shape::Sealed(sealed) => add(&sealed.inner, &mut found),
        _ => {}
    }
    found
}

/// Which types hold a number that needs more than 64 bits, however deep.
pub(super) fn wide(protocol: &Protocol) -> Vec<bool> {
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); protocol.types.len()];
    let mut found = vec![false; protocol.types.len()];
    let mut waiting = Vec::new();
    for (index, ty) in protocol.types.iter().enumerate() {
        if matches!(&ty.shape, Shape::Number(rules) if rules.are_wide()) {
            waiting.push(index);
        }
        for used in ty.shape.uses() {
            holders[used].push(index);
        }
    }
    while let Some(index) = waiting.pop() {
        if !std::mem::replace(&mut found[index], true) {
            waiting.extend(&holders[index]);
        }
    }
    found
}

/// How many types each type holds inside each other; an alias is none, a cycle is one. The numbers of
/// `cycles` are in such an order that what a type holds comes before it.
fn levels(protocol: &Protocol, cycles: &[usize]) -> Vec<usize> {
    let mut by_cycle: Vec<usize> = (0..cycles.len()).collect();
    by_cycle.sort_by_key(|index| cycles[*index]);
    let mut levels = vec![0; cycles.len()];
    for index in by_cycle {
        let cycle = cycles[index];
        let own = usize::from(!matches!(protocol.types[index].shape, Shape::Alias(_)));
        let inner = holds(protocol, index).into_iter().filter(|held| cycles[*held] != cycle);
        let level = inner.map(|held| levels[cycles[held]] + own).max().unwrap_or(0);
        levels[cycle] = levels[cycle].max(level);
    }
    cycles.iter().map(|cycle| levels[*cycle]).collect()
}
