//! From what is written to the wider type that is read, where every value is seen to fit.

use super::defaults::differs;
use super::layout::{is_stored, stored};
use super::types::Context;
use crate::diagnostics::Place;
use crate::ir::{Field, Presence, Rest, Shape, Struct, TextRules, TypeDef, TypeId, TypeRef};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// `From` for the type at `index`, if it is one that is only read, and what is written in its place
/// can be seen to fit.
pub(super) fn tokens(context: &Context<'_>, index: usize) -> Option<TokenStream> {
    let (own, wider) = (own(context, index)?, &context.protocol.types[index].name);
    let body = structs(context, own, index, &mut Vec::new()).ok()?;
    let (own, wider) = (format_ident!("{}", context.protocol.types[own].name), format_ident!("{wider}"));
    Some(quote! {
        impl From<#own> for #wider {
            fn from(value: #own) -> Self {
                #body
            }
        }
    })
}

/// Whether [`tokens`] gives something.
pub(super) fn is_possible(context: &Context<'_>, index: usize) -> bool {
    own(context, index).is_some_and(|own| structs(context, own, index, &mut Vec::new()).is_ok())
}

/// The structs that are only read and that nothing is seen to turn what is written into: the name of
/// the type, where it stands, and why.
pub(super) fn gaps(context: &Context<'_>) -> Vec<(String, Place, String)> {
    let types = context.protocol.types.iter().enumerate();
    let gap = |(index, ty): (usize, &TypeDef)| {
        let own = own(context, index)?;
        let is_struct = |index: usize| matches!(context.protocol.types[index].shape, Shape::Struct(_));
        let is_message =
            context.protocol.messages.iter().any(|message| message.reading == Some(TypeId(index)));
        let why = structs(context, own, index, &mut Vec::new()).err()?;
        let told = is_message || (is_struct(own) && is_struct(index));
        let own = &context.protocol.types[own].name;
        told.then(|| (ty.name.clone(), ty.place.clone(), format!("nothing makes it of {own}: {why}")))
    };
    types.filter_map(gap).collect()
}

/// What is written in the place of a type that is only read.
fn own(context: &Context<'_>, index: usize) -> Option<usize> {
    let of = context.protocol.types[index].reading.as_ref()?.of.as_ref()?;
    context.protocol.types.iter().position(|ty| ty.name == *of)
}

/// The struct `wider` made of a `value` of the struct `own`; why that is not seen to be possible.
/// `open` are those on the way here.
fn structs(
    context: &Context<'_>,
    own: usize,
    wider: usize,
    open: &mut Vec<usize>,
) -> Result<TokenStream, String> {
    let types = &context.protocol.types;
    let (Shape::Struct(from), Shape::Struct(to)) = (&types[own].shape, &types[wider].shape) else {
        return Err("they are not both objects with known members".to_owned());
    };
    if open.contains(&wider) {
        return Err("it holds itself".to_owned());
    }
    // Nothing that is written gets lost: what is no field in one, because it is constant, is none in
    // the other.
    let known = |field: &&Field| {
        let other = to.fields.iter().find(|other| other.wire == field.wire);
        other.is_some_and(|other| match (is_stored(field), is_stored(other)) {
            (true, true) => true,
            (false, false) => field.constant == other.constant,
            _ => false,
        })
    };
    if let Some(lost) = from.fields.iter().find(|field| !known(field)) {
        return Err(format!("the member `{}` has no place in it", lost.wire));
    }
    open.push(wider);
    let fields: Result<Vec<TokenStream>, String> = stored(&to.fields)
        .map(|field| {
            let made = member(context, from, field, (own, wider), open);
            made.ok_or_else(|| format!("the member `{}` is not seen to fit", field.wire))
        })
        .collect();
    open.pop();
    let additional = match (&from.rest, &to.rest) {
        (Rest::Closed, Rest::Closed) => None,
        (Rest::Open, Rest::Open) => Some(quote! { additional: value.additional }),
        (Rest::Closed, Rest::Open) => Some(quote! { additional: Default::default() }),
        _ => return Err("members without a name of their own are not seen to fit".to_owned()),
    };
    let fields = fields?.into_iter().chain(additional);
    Ok(quote! { Self { #(#fields),* } })
}

fn member(
    context: &Context<'_>,
    from: &Struct,
    to: &Field,
    (own, wider): (usize, usize),
    open: &mut Vec<usize>,
) -> Option<TokenStream> {
    let name = format_ident!("{}", to.rust);
    let Some(field) = stored(&from.fields).find(|field| field.wire == to.wire) else {
        return matches!(to.presence, Presence::Optional).then(|| quote! { #name: None });
    };
    let rust = format_ident!("{}", field.rust);
    let held = quote! { value.#rust };
    let mut made = |held: &TokenStream| value(context, &field.ty, &to.ty, held, (own, wider), open);
    Some(match (&field.presence, &to.presence) {
        (Presence::Optional, Presence::Optional) => {
            let inner = quote! { inner };
            let made = made(&inner)?;
            // What stays the same moves as it is.
            let map = match made.to_string() {
                made if made == inner.to_string() => None,
                made if made == quote! { Some(inner) }.to_string() => Some(quote! { .map(Some) }),
                _ => Some(quote! { .map(|inner| #made) }),
            };
            quote! { #name: #held #map }
        }
        (Presence::Required, Presence::Required) => {
            let made = made(&held)?;
            quote! { #name: #made }
        }
        (Presence::Required, Presence::Optional) => {
            let made = made(&held)?;
            quote! { #name: Some(#made) }
        }
        (Presence::Default(a), Presence::Default(b)) if a == b => {
            let made = made(&held)?;
            quote! { #name: #made }
        }
        // What is not written does not become a member.
        (Presence::Default(default), Presence::Optional) => {
            let (made, differs) = (made(&held)?, differs(context, field, default, &quote! { value })?);
            quote! { #name: if #differs { Some(#made) } else { None } }
        }
        _ => return None,
    })
}

/// What is `held` in a place of the type `own`, as a value of the type `wider`.
fn value(
    context: &Context<'_>,
    own: &TypeRef,
    wider: &TypeRef,
    held: &TokenStream,
    owners: (usize, usize),
    open: &mut Vec<usize>,
) -> Option<TokenStream> {
    if context.expanded(own) == context.expanded(wider) {
        return same_boxes(context, own, wider, owners).then(|| held.clone());
    }
    match (context.resolved(own), context.resolved(wider)) {
        (own, TypeRef::Nullable(inner)) if !matches!(own, TypeRef::Nullable(_)) => {
            let inner = value(context, own, inner, held, owners, open)?;
            Some(quote! { Some(#inner) })
        }
        (TypeRef::Uuid, TypeRef::Text) => Some(quote! { #held.to_string() }),
        (TypeRef::Integer, TypeRef::Number) => Some(quote! { #held.into() }),
        (TypeRef::Named(id), TypeRef::Text) => match &context.protocol.types[id.0].shape {
            Shape::Text(_) => Some(quote! { #held.into_string() }),
            Shape::Enum(list) if list.variants.iter().all(|variant| variant.value.as_str().is_some()) => {
                Some(quote! { #held.as_str().to_owned() })
            }
            _ => None,
        },
        (own, TypeRef::Any) => is_scalar(context, own).then(|| {
            quote! { ::serde_json::to_value(&#held).expect("a scalar is always written") }
        }),
        (own, TypeRef::Named(id)) => match &context.protocol.types[id.0].shape {
            Shape::Text(rules) => text(context, own, held, rules, &context.protocol.types[id.0].name),
            Shape::Struct(_) => {
                let TypeRef::Named(from) = own else { return None };
                let boxed = context.is_boxed(owners.0, from.0) || context.is_boxed(owners.1, id.0);
                let fits = self::own(context, id.0) == Some(from.0)
                    && !boxed
                    && structs(context, from.0, id.0, open).is_ok();
                fits.then(|| quote! { #held.into() })
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether the values of a type are texts, numbers and the like, which no rule keeps from being
/// written.
fn is_scalar(context: &Context<'_>, ty: &TypeRef) -> bool {
    match context.resolved(ty) {
        TypeRef::Null
        | TypeRef::Bool
        | TypeRef::Text
        | TypeRef::Uuid
        | TypeRef::Number
        | TypeRef::Integer => true,
        TypeRef::Named(id) => match &context.protocol.types[id.0].shape {
            Shape::Text(_) | Shape::Enum(_) => true,
            Shape::Union(union) => union.variants.iter().all(|variant| match &variant.ty {
                TypeRef::Named(_) => false,
                plain => is_scalar(context, plain),
            }),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a type is boxed in both owners or in none.
fn same_boxes(context: &Context<'_>, own: &TypeRef, wider: &TypeRef, owners: (usize, usize)) -> bool {
    let tokens = |ty: &TypeRef, owner: usize| context.of(&context.expanded(ty), Some(owner)).to_string();
    tokens(own, owners.0) == tokens(wider, owners.1)
}

/// What is `held` as a text under wider rules, which the rules of its own type are seen to imply.
fn text(
    context: &Context<'_>,
    own: &TypeRef,
    held: &TokenStream,
    wider: &TextRules,
    name: &str,
) -> Option<TokenStream> {
    let fits = |length: u64| {
        wider.min_length.is_none_or(|min| min <= length) && wider.max_length.is_none_or(|max| length <= max)
    };
    let plain = wider.patterns.is_empty() && wider.formats.is_empty();
    let string = match own {
        // A UUID is written with its hyphens.
        TypeRef::Uuid if plain && fits(36) => quote! { #held.to_string() },
        TypeRef::Named(id) => match &context.protocol.types[id.0].shape {
            Shape::Enum(list) => {
                let texts: Option<Vec<&str>> =
                    list.variants.iter().map(|variant| variant.value.as_str()).collect();
                let fit = texts?.iter().all(|text| fits(text.chars().count() as u64));
                (plain && fit).then(|| quote! { #held.as_str() })?
            }
            Shape::Text(rules) if implies(rules, wider) => quote! { #held.into_string() },
            _ => return None,
        },
        _ => return None,
    };
    let name = format_ident!("{name}");
    Some(quote! { #name::try_from(#string).expect("the generator has compared the rules") })
}

/// Whether what keeps one set of rules keeps the other too.
fn implies(rules: &TextRules, wider: &TextRules) -> bool {
    wider.min_length.is_none_or(|min| rules.min_length.is_some_and(|own| own >= min))
        && wider.max_length.is_none_or(|max| rules.max_length.is_some_and(|own| own <= max))
        && wider.patterns.iter().all(|pattern| rules.patterns.contains(pattern))
        && wider.formats.iter().all(|format| rules.formats.contains(format))
}
