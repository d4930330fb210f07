//! Rust types, their reading and writing, and dispatch.

mod checks;
mod dispatch;
mod layout;
mod literals;
mod scalars;
mod structs;
mod types;
mod unions;

use crate::OutputFile;
use crate::config::Config;
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::format;
use crate::ir::{Constant, ErrorCode, Protocol, Shape, TypeRef};
use crate::json::{Json, Node};
use crate::names;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use types::Context;

/// The modules of all protocols, and the support code that they share.
///
/// # Errors
///
/// When what was made is no Rust, which is a fault of the generator.
pub fn files(config: &Config, protocols: &[Protocol]) -> Result<Vec<OutputFile>> {
    let mut files = Vec::new();
    for (name, text) in SUPPORT {
        let place = || Place { file: format!("support/{name}"), ..Place::default() };
        let file = syn::parse_file(text).map_err(|error| Diagnostics::one(place(), error.to_string()))?;
        let path = format!("{}/support/{name}", config.src);
        files.push(OutputFile { path, content: format::rust(&[], quote! { #file })? });
    }
    for protocol in protocols {
        let sources: Vec<(String, String)> =
            protocol.sources.iter().map(|source| (source.path.clone(), source.sha256.clone())).collect();
        let modules = [
            ("mod", root(protocol)),
            ("types", types_module(protocol)?),
            ("messages", dispatch::module(protocol)),
        ];
        for (name, tokens) in modules {
            let path = format!("{}/{}/{name}.rs", config.src, protocol.name);
            files.push(OutputFile { path, content: format::rust(&sources, tokens)? });
        }
    }
    Ok(files)
}

/// The support code, as it stands in this package.
const SUPPORT: &[(&str, &str)] = &[
    ("mod.rs", include_str!("../../support/mod.rs")),
    ("decimal.rs", include_str!("../../support/decimal.rs")),
    ("error.rs", include_str!("../../support/error.rs")),
    ("format.rs", include_str!("../../support/format.rs")),
    ("number.rs", include_str!("../../support/number.rs")),
    ("read.rs", include_str!("../../support/read.rs")),
    ("replay.rs", include_str!("../../support/replay.rs")),
    ("text.rs", include_str!("../../support/text.rs")),
    ("value.rs", include_str!("../../support/value.rs")),
];

/// `mod.rs`: docs, facts and re-exports.
fn root(protocol: &Protocol) -> TokenStream {
    let docs = literals::inner_docs(&[&format!("{}.", protocol.title), &protocol.description]);
    let constants = protocol.constants.iter().map(constant);
    let methods: Vec<&String> = protocol
        .messages
        .iter()
        .filter(|message| message.kind == crate::ir::MessageKind::Request)
        .filter_map(|message| message.method.as_ref())
        .collect();
    let method_constants = methods.iter().map(|method| {
        let name = format_ident!("{}", names::screaming(method));
        let docs = literals::docs(&[&format!("The method {method}.")]);
        quote! { #docs pub const #name: &str = #method; }
    });
    let methods = if methods.is_empty() {
        TokenStream::new()
    } else {
        quote! {
            /// The methods that the protocol defines.
            pub mod methods {
                #(#method_constants)*
                /// All of them, in the order of the schemas.
                pub const ALL: &[&str] = &[#(#methods),*];
            }
        }
    };
    let errors = error_module(protocol);
    quote! {
        #docs
        mod messages;
        mod types;
        use super::support;
        pub use messages::*;
        pub use types::*;
        pub use support::{DecodeError, RuleError};
        #(#constants)*
        #methods
        #errors
    }
}

fn error_module(protocol: &Protocol) -> TokenStream {
    if protocol.errors.is_empty() {
        return TokenStream::new();
    }
    let codes = protocol.errors.iter().map(error_code);
    quote! {
        /// The error codes that the protocol knows.
        pub mod error_codes {
            #(#codes)*
        }
    }
}

fn error_code(error: &ErrorCode) -> TokenStream {
    let name = format_ident!("{}", error.rust);
    let docs = literals::docs(&[&format!("{}.", error.name.trim_end_matches('.')), &error.description]);
    let (ty, value) = plain(&error.code);
    match error.last.map(proc_macro2::Literal::i64_unsuffixed) {
        Some(last) => quote! { #docs pub const #name: ::std::ops::RangeInclusive<#ty> = #value..=#last; },
        None => quote! { #docs pub const #name: #ty = #value; },
    }
}

fn constant(constant: &Constant) -> TokenStream {
    let name = format_ident!("{}", constant.rust);
    let fallback = format!("The constant {}.", constant.rust);
    let docs = literals::docs(&[constant.description.as_deref().unwrap_or(&fallback)]);
    let (ty, value) = plain(&constant.value);
    quote! { #docs pub const #name: #ty = #value; }
}

/// Type and value of a scalar as a Rust constant; the JSON text of anything else.
fn plain(node: &Node) -> (TokenStream, TokenStream) {
    match &node.value {
        Json::Bool(value) => (quote! { bool }, quote! { #value }),
        Json::Number(text) => match text.parse::<i64>() {
            Ok(value) => {
                let value = proc_macro2::Literal::i64_unsuffixed(value);
                (quote! { i64 }, quote! { #value })
            }
            Err(_) => (quote! { &str }, quote! { #text }),
        },
        Json::String(text) => (quote! { &str }, quote! { #text }),
        _ => {
            let text = node.to_string();
            (quote! { &str }, quote! { #text })
        }
    }
}

/// `types.rs`: every named type.
fn types_module(protocol: &Protocol) -> Result<TokenStream> {
    let layout = layout::layout(protocol)?;
    let context = Context::new(protocol);
    let mut items = Vec::new();
    for (index, ty) in protocol.types.iter().enumerate() {
        let docs = literals::type_docs(ty);
        let tokens = match &ty.shape {
            Shape::Struct(shape) => structs::tokens(&context, index, shape, &layout),
            Shape::Enum(shape) => scalars::enumeration(ty, shape, &layout, index),
            Shape::Union(shape) => unions::tokens(&context, index, shape),
            Shape::Text(rules) => scalars::text(ty, rules),
            Shape::Number(rules) => scalars::number(ty, rules),
            Shape::List(list) => scalars::list(&context, index, list),
            Shape::Map(map) => scalars::map(&context, index, map),
            Shape::Alias(TypeRef::Never) => scalars::value(&context, ty, &crate::ir::Check::Never),
            Shape::Alias(target) => {
                let name = format_ident!("{}", ty.name);
                let target = context.of(target, Some(index));
                quote! { #docs pub type #name = #target; }
            }
            Shape::Value(check) => scalars::value(&context, ty, check),
        };
        items.push(tokens);
    }
    let shared = protocol.checks.iter().map(|check| {
        let name = format_ident!("{}", check.name);
        let body = checks::tokens(protocol, &check.check, &quote! { value });
        quote! { fn #name(value: &::serde_json::Value) -> bool { #body } }
    });
    let used = checks::used(protocol);
    let shared = shared.enumerate().filter(|(index, _)| used.contains(index)).map(|(_, tokens)| tokens);
    Ok(quote! {
        //! The types of all messages and of what they hold.
        use super::support;
        use ::serde::ser::{Error as _, SerializeMap as _};
        #(#items)*
        #(#shared)*
    })
}
