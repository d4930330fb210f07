//! What a rule over members looks at, as a JSON value: not the whole object where a part will do.

use super::layout::is_stored;
use super::literals;
use super::structs::Parts;
use crate::ir::{Check, Field, ObjectCheck, Presence, TypeRef};
use crate::json::Json;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::BTreeSet;

/// A reference to the value of `self` that a check sees: its members, and null in place of those whose
/// values the check does not look at.
pub(super) fn tokens(parts: &Parts<'_>, check: &Check) -> TokenStream {
    let mut names = BTreeSet::new();
    let by_default = |field: &Field| matches!(field.presence, Presence::Default(_));
    if !looked_at(parts, check, &mut names, &mut BTreeSet::new()) || parts.shape.fields.iter().any(by_default)
    {
        return quote! {
            &support::unchecked(|| self.write(::serde_json::value::Serializer))
                .map_err(|error| support::RuleError::new(error.to_string()))?
        };
    }
    let members = parts.shape.fields.iter().map(|field| member(field, names.contains(field.wire.as_str())));
    let declared = |name: &str| parts.shape.fields.iter().any(|field| field.wire == name);
    let others: Vec<&str> = names.iter().copied().filter(|name| !declared(name)).collect();
    let additional = parts.additional_type().map(|_| {
        let value = if others.is_empty() {
            quote! { ::serde_json::Value::Null }
        } else {
            quote! {
                match name.as_str() {
                    #(#others)|* => support::to_value(value)
                        .map_err(|error| support::RuleError::new(error.to_string()))?,
                    _ => ::serde_json::Value::Null,
                }
            }
        };
        let (binding, entries) = if others.is_empty() {
            (quote! { name }, quote! { self.additional.keys() })
        } else {
            (quote! { (name, value) }, quote! { &self.additional })
        };
        quote! {
            for #binding in #entries {
                members.insert(name.clone(), #value);
            }
        }
    });
    let filled = parts.shape.fields.iter().any(|field| field.ty != TypeRef::Never) || additional.is_some();
    let mutable = filled.then(|| quote! { mut });
    quote! {
        &{
            let #mutable members = ::serde_json::Map::new();
            #(#members)*
            #additional
            ::serde_json::Value::Object(members)
        }
    }
}

fn member(field: &Field, is_looked_at: bool) -> TokenStream {
    let (wire, rust) = (&field.wire, format_ident!("{}", field.rust));
    if field.ty == TypeRef::Never {
        return TokenStream::new();
    }
    let value = |value: TokenStream| match is_looked_at {
        true => quote! {
            support::to_value(#value).map_err(|error| support::RuleError::new(error.to_string()))?
        },
        false => quote! { ::serde_json::Value::Null },
    };
    if !is_stored(field) {
        let constant = field.constant.as_ref().filter(|_| is_looked_at).map(literals::value);
        let constant = constant.unwrap_or_else(|| quote! { ::serde_json::Value::Null });
        return quote! { members.insert(#wire.to_owned(), #constant); };
    }
    match (&field.presence, is_looked_at) {
        (Presence::Optional, true) => {
            let value = value(quote! { value });
            quote! {
                if let Some(value) = &self.#rust {
                    members.insert(#wire.to_owned(), #value);
                }
            }
        }
        (Presence::Optional, false) => {
            let value = value(TokenStream::new());
            quote! {
                if self.#rust.is_some() {
                    members.insert(#wire.to_owned(), #value);
                }
            }
        }
        _ => {
            let value = value(quote! { &self.#rust });
            quote! { members.insert(#wire.to_owned(), #value); }
        }
    }
}

/// Notes the members whose values a check of an object looks at; false where it looks at all.
fn looked_at<'a>(
    parts: &Parts<'a>,
    check: &'a Check,
    names: &mut BTreeSet<&'a str>,
    called: &mut BTreeSet<usize>,
) -> bool {
    match check {
        Check::Shared(index) => {
            !called.insert(*index)
                || looked_at(parts, &parts.context.protocol.checks[*index].check, names, called)
        }
        Check::Constants(values) => !values.iter().any(|value| matches!(value.value, Json::Object(_))),
        Check::Object(object) => {
            let bare = ObjectCheck {
                properties: Vec::new(),
                required: Vec::new(),
                dependent: Vec::new(),
                ..object.as_ref().clone()
            };
            names.extend(object.properties.iter().map(|(name, _)| name.as_str()));
            bare.is_empty()
                && object.dependent.iter().all(|(_, check)| looked_at(parts, check, names, called))
        }
        Check::Unevaluated(_) => false,
        // What it asks of lists does not bind an object.
        Check::List(_) => true,
        check => check.parts().into_iter().all(|check| looked_at(parts, check, names, called)),
    }
}
