//! Uses of types, and which types hold themselves.

use super::builders;
use crate::ir::{Protocol, Routing, Sealed, Shape, TypeRef};
use crate::names::Scope;
use crate::reach::components;
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
        let held: Vec<Vec<usize>> = (0..protocol.types.len()).map(|index| holds(protocol, index)).collect();
        let cycles = components(&held);
        Self { protocol, cycles, wide: wide(protocol), builders: builders(protocol) }
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
                let ty = &self.protocol.types[id.0];
                let name = format_ident!("{}", ty.name);
                match owner {
                    _ if ty.far => quote! { support::Far<#name> },
                    Some(owner) if self.is_boxed(owner, id.0) => quote! { Box<#name> },
                    _ => quote! { #name },
                }
            }
            TypeRef::Never => quote! { ::std::convert::Infallible },
        }
    }

    /// Whether a use of `inner` in `owner` stands behind a pointer.
    pub(super) fn is_boxed(&self, owner: usize, inner: usize) -> bool {
        let direct = owner != inner || holds(self.protocol, owner).contains(&inner);
        self.protocol.types[inner].far || (direct && self.cycles[owner] == self.cycles[inner])
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

/// The types that a type holds in itself: not those that are far, nor behind a list or a map, which are on
/// the heap anyway.
fn holds(protocol: &Protocol, index: usize) -> Vec<usize> {
    let add = |mut ty: &TypeRef, found: &mut Vec<usize>| {
        while let TypeRef::Nullable(inner) = ty {
            ty = inner;
        }
        if let TypeRef::Named(id) = ty
            && !protocol.types[id.0].far
        {
            found.push(id.0);
        }
    };
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
