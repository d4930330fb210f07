//! Uses of types, and which types hold themselves.

use super::builders;
use crate::ir::{Protocol, Routing, Sealed, Shape, TypeRef};
use crate::names::Scope;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::HashMap;

/// A protocol, and what is known of its types as a whole.
pub(super) struct Context<'a> {
    pub(super) protocol: &'a Protocol,
    /// For each type the number of the cycle it belongs to: types of one cycle hold each other
    /// without a list or map in between, so one of them must be boxed.
    cycles: Vec<usize>,
    /// For each type whether a number somewhere in it needs more than 64 bits.
    wide: Vec<bool>,
    /// The names of the builders, by the types that have one.
    pub(super) builders: HashMap<usize, String>,
}

impl<'a> Context<'a> {
    pub(super) fn new(protocol: &'a Protocol) -> Self {
        Self { protocol, cycles: cycles(protocol), wide: wide(protocol), builders: builders(protocol) }
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
                    Some(owner) if self.in_one_cycle(owner, id.0) => quote! { Box<#name> },
                    _ => quote! { #name },
                }
            }
            TypeRef::Never => quote! { ::std::convert::Infallible },
        }
    }

    /// Whether a use of `inner` in `owner` must be boxed.
    pub(super) fn in_one_cycle(&self, owner: usize, inner: usize) -> bool {
        let direct = owner != inner || holds(self.protocol, owner).contains(&inner);
        direct && self.cycles[owner] == self.cycles[inner]
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

    /// Whether equal values of a type are equal JSON and have equal hashes.
    pub(super) fn is_hashable(&self, ty: &TypeRef) -> bool {
        match self.resolved(ty) {
            TypeRef::Null | TypeRef::Bool | TypeRef::Text | TypeRef::Uuid => true,
            TypeRef::Nullable(inner) => self.is_hashable(inner),
            TypeRef::Named(id) => match &self.protocol.types[id.0].shape {
                Shape::Text(_) | Shape::OpenEnum(_) => true,
                Shape::Number(rules) => rules.are_wide(),
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
            holders[used.0].push(index);
        }
    }
    while let Some(index) = waiting.pop() {
        if !std::mem::replace(&mut found[index], true) {
            waiting.extend(&holders[index]);
        }
    }
    found
}

/// Tarjan's strongly connected components, without recursion: schemas can be deep.
fn cycles(protocol: &Protocol) -> Vec<usize> {
    let count = protocol.types.len();
    let edges: Vec<Vec<usize>> = (0..count).map(|index| holds(protocol, index)).collect();
    let (mut order, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let mut component = vec![usize::MAX; count];
    let (mut stack, mut next, mut components) = (Vec::new(), 0, 0);
    for start in 0..count {
        if order[start] != usize::MAX {
            continue;
        }
        let mut work = vec![(start, 0)];
        while let Some((node, edge)) = work.pop() {
            if edge == 0 {
                order[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
            }
            if let Some(&to) = edges[node].get(edge) {
                work.push((node, edge + 1));
                if order[to] == usize::MAX {
                    work.push((to, 0));
                } else if component[to] == usize::MAX {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = stack.pop() {
                    component[member] = components;
                    if member == node {
                        break;
                    }
                }
                components += 1;
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    component
}
