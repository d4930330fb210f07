//! Defaults as Rust values.

use super::layout::stored;
use super::literals;
use super::types::Context;
use crate::ir::{Field, Presence, Shape, TypeRef};
use crate::json::{Json, Node};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Whether a field of `owner` differs from its default, as a condition; `None` where that cannot be
/// said.
pub(super) fn differs(
    context: &Context<'_>,
    field: &Field,
    default: &Node,
    owner: &TokenStream,
) -> Option<TokenStream> {
    let rust = format_ident!("{}", field.rust);
    Some(match (&default.value, context.resolved(&field.ty)) {
        (Json::Bool(true), TypeRef::Bool) => quote! { !#owner.#rust },
        (Json::Bool(false), TypeRef::Bool) => quote! { #owner.#rust },
        (Json::Object(members), TypeRef::Object | TypeRef::Map(_)) if members.is_empty() => {
            quote! { !#owner.#rust.is_empty() }
        }
        (Json::Array(items), TypeRef::List(_)) if items.is_empty() => quote! { !#owner.#rust.is_empty() },
        (Json::String(text), TypeRef::Text) if text.is_empty() => quote! { !#owner.#rust.is_empty() },
        (Json::String(text), TypeRef::Text) => quote! { #owner.#rust != #text },
        _ => {
            let value = default_value(context, &field.ty, default);
            quote! { #owner.#rust != #value }
        }
    })
}

/// A default as a value of the field's type.
pub(super) fn default_value(context: &Context<'_>, ty: &TypeRef, node: &Node) -> TokenStream {
    match (context.resolved(ty), &node.value) {
        (TypeRef::Any, _) => literals::value(node),
        (TypeRef::Bool, Json::Bool(value)) => quote! { #value },
        (TypeRef::Text, Json::String(text)) => quote! { #text.to_owned() },
        (TypeRef::Object, Json::Object(members)) if members.is_empty() => quote! { ::serde_json::Map::new() },
        (TypeRef::Map(_), Json::Object(members)) if members.is_empty() => {
            quote! { ::std::collections::BTreeMap::new() }
        }
        (TypeRef::Integer, Json::Number(text)) if text.parse::<i64>().is_ok() => {
            let value = literals::number(node);
            quote! { support::Integer::from(#value) }
        }
        (TypeRef::List(items), Json::Array(values)) => {
            let values = values.iter().map(|value| default_value(context, items, value));
            quote! { ::std::vec![#(#values),*] }
        }
        // It is read as all that is far, since the ways from default to default are as long.
        (TypeRef::Named(id), _) if context.protocol.types[id.0].far => parsed(node),
        (TypeRef::Named(id), _) => match (&context.protocol.types[id.0].shape, &node.value) {
            (Shape::Struct(shape), Json::Object(members))
                if members.is_empty()
                    && stored(&shape.fields).all(|field| !matches!(field.presence, Presence::Required)) =>
            {
                // Its own, also where it stands in a box.
                quote! { Default::default() }
            }
            (Shape::Enum(list), _) => {
                let name = format_ident!("{}", context.protocol.types[id.0].name);
                let text = node.to_string();
                match list.variants.iter().find(|variant| variant.value.to_string() == text) {
                    Some(variant) => {
                        let variant = format_ident!("{}", variant.rust);
                        quote! { #name::#variant }
                    }
                    None => parsed(node),
                }
            }
            _ => parsed(node),
        },
        _ => parsed(node),
    }
}

/// What is called on an option to get the default where it is `None`.
pub(super) fn or_default(context: &Context<'_>, ty: &TypeRef, node: &Node) -> TokenStream {
    let value = default_value(context, ty, node);
    match (context.resolved(ty), &node.value) {
        (TypeRef::Bool, Json::Bool(false)) => quote! { unwrap_or_default() },
        (TypeRef::Object | TypeRef::Map(_), Json::Object(members)) if members.is_empty() => {
            quote! { unwrap_or_default() }
        }
        (TypeRef::List(_), Json::Array(items)) if items.is_empty() => quote! { unwrap_or_default() },
        (TypeRef::Bool, Json::Bool(_)) => quote! { unwrap_or(#value) },
        (TypeRef::Named(id), Json::String(_))
            if matches!(context.protocol.types[id.0].shape, Shape::Enum(_)) =>
        {
            quote! { unwrap_or(#value) }
        }
        (TypeRef::Named(_), Json::Object(members)) if members.is_empty() => {
            let text = value.to_string();
            if text.ends_with("Default :: default ()") {
                quote! { unwrap_or_default() }
            } else {
                quote! { unwrap_or_else(|| #value) }
            }
        }
        _ => quote! { unwrap_or_else(|| #value) },
    }
}

/// A default that is read at run time.
fn parsed(node: &Node) -> TokenStream {
    let value = literals::value(node);
    quote! { support::from_value(&#value).expect("the generator has checked the default") }
}
