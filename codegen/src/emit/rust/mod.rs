//! Rust types, their reading and writing, and dispatch.

mod builders;
mod checks;
mod client;
mod defaults;
mod dispatch;
mod exchanges;
mod far;
mod layout;
mod literals;
mod numbers;
mod open_enums;
mod patterns;
mod reasons;
mod rules;
mod scalars;
mod sealed;
mod service;
mod structs;
mod summary;
mod support;
mod tuples;
mod types;
mod unions;
mod views;
mod widen;

use crate::OutputFile;
use crate::config::Config;
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::format;
use crate::ir::{Constant, ErrorCode, Protocol, Shape, TypeDef, TypeRef};
use crate::json::{Json, Node};
use crate::names;
use exchanges::Exchanges;
use layout::Layout;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
pub use summary::Summary;
pub use support::DEPENDENCIES;
use types::Context;

/// The modules of all protocols, and the support code that they share; and what their types became.
///
/// # Errors
///
/// When what was made is no Rust, which is a fault of the generator.
pub fn files(config: &Config, protocols: &[Protocol]) -> Result<(Vec<OutputFile>, Vec<Summary>)> {
    let (mut files, mut summaries) = (Vec::new(), Vec::new());
    for (name, text) in support::files() {
        let path = format!("{}/support/{name}", config.src);
        files.push(OutputFile { path, content: format::as_written(&format::Header::default(), text) });
    }
    for protocol in protocols {
        let header = format::Header { sources: digests(protocol), ..format::Header::default() };
        let path = |name: &str| format!("{}/{}/{name}.rs", config.src, protocol.name);
        let mut types = format::RustFile::new(&header);
        types.add(quote! { #![doc = #TYPES] })?;
        summaries.push(add_types(&mut types, protocol)?);
        files.push(OutputFile { path: path("types"), content: types.into_text() });
        let context = Context::new(protocol);
        let exchanges = Exchanges::of(&context);
        let service = exchanges.as_ref().map(|exchanges| service::module(&context, exchanges));
        let client = exchanges.as_ref().and_then(|exchanges| client::module(&context, exchanges));
        let both_sides = [("client", client.is_some()), ("service", service.is_some())];
        let both_sides = both_sides.into_iter().filter_map(|(name, is_there)| is_there.then_some(name));
        let modules = [
            ("mod", Some(root(protocol, &both_sides.collect::<Vec<_>>()))),
            ("messages", Some(dispatch::module(protocol))),
            ("service", service),
            ("client", client),
        ];
        for (name, tokens) in modules {
            let Some(tokens) = tokens else { continue };
            files.push(OutputFile { path: path(name), content: format::rust(&header, tokens)? });
        }
    }
    Ok((files, summaries))
}

/// Where a module finds the support code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// In itself: a module inside it.
    Inline,
    /// At this path, which `use` takes: `super::support`. It must be of the same crate, as its macros are.
    At(String),
}

/// The text of the support code as one file, with `pub mod support` in it.
///
/// # Errors
///
/// When it is no Rust, which is a fault of the generator.
pub fn support() -> Result<String> {
    format::rust(&format::Header::default(), support::module()?)
}

/// One module with all types, which works at any place in a crate. It has no inner attributes, so
/// `include!` takes it too; and what its types became.
///
/// # Errors
///
/// When what was made is no Rust, which is a fault of the generator.
pub fn module(protocol: &Protocol, support: &Support, command: &str) -> Result<(String, Summary)> {
    let header = format::Header { sources: digests(protocol), command: command.to_owned() };
    let mut file = format::RustFile::new(&header);
    if let Support::At(path) = support {
        let path: syn::Path = syn::parse_str(path).map_err(|error| {
            Diagnostics::one(Place::default(), format!("{path:?} is no path of a module: {error}"))
        })?;
        file.add(quote! { use #path as support; })?;
    }
    file.add(quote! {
        #[allow(unreachable_pub, unused_imports, reason = "who includes the module need not use it")]
        pub use types::*;
        #[allow(unreachable_pub, unused_imports, reason = "who includes the module need not use it")]
        pub use support::{DecodeError, RuleError, from_slice};
    })?;
    let head = quote! {
        #[doc = #TYPES]
        #[allow(dead_code, unused_imports, unreachable_pub, reason = "who includes the module need not use all of it")]
        #[allow(clippy::pedantic, reason = "generated code has one form for all schemas")]
        #[allow(
            clippy::disallowed_names,
            clippy::enum_variant_names,
            clippy::type_complexity,
            clippy::upper_case_acronyms,
            reason = "the schema has these names and this depth"
        )]
        #[allow(
            clippy::absurd_extreme_comparisons,
            clippy::cmp_owned,
            clippy::eq_op,
            clippy::identity_op,
            clippy::if_same_then_else,
            clippy::needless_bool,
            clippy::never_loop,
            clippy::nonminimal_bool,
            clippy::overly_complex_bool_expr,
            clippy::redundant_closure,
            clippy::unit_cmp,
            clippy::unnecessary_lazy_evaluations,
            clippy::unused_enumerate_index,
            clippy::useless_conversion,
            reason = "the schema asks for what is always so, never so, or said twice"
        )]
        mod types
    };
    let summary = file.module(head, |types| add_types(types, protocol))?;
    if *support == Support::Inline {
        file.add(support::module()?)?;
    }
    Ok((file.into_text(), summary))
}

/// A file as what stands in a `mod name { … }`: its docs and attributes belong before that.
fn outer(mut file: syn::File) -> syn::File {
    for attribute in &mut file.attrs {
        attribute.style = syn::AttrStyle::Outer;
    }
    file
}

fn digests(protocol: &Protocol) -> Vec<(String, String)> {
    protocol.sources.iter().map(|source| (source.path.clone(), source.sha256.clone())).collect()
}

/// `mod.rs`: docs, facts and re-exports.
fn root(protocol: &Protocol, both_sides: &[&str]) -> TokenStream {
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
    let both_sides: Vec<_> = both_sides.iter().map(|name| format_ident!("{name}")).collect();
    quote! {
        #docs
        #(mod #both_sides;)*
        mod messages;
        mod types;
        use super::support;
        pub use messages::*;
        #(pub use #both_sides::*;)*
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

/// What the module of the types says of itself.
const TYPES: &str = " The types of all messages and of what they hold.";

/// Adds every named type, and says what they became.
fn add_types(file: &mut format::RustFile, protocol: &Protocol) -> Result<Summary> {
    let layout = layout::layout(protocol)?;
    let context = Context::new(protocol);
    file.add(quote! { use super::support; })?;
    if protocol.types.iter().any(|ty| matches!(ty.shape, Shape::Struct(_))) {
        file.add(quote! { use ::serde::ser::SerializeMap as _; })?;
    }
    file.add(numbers::conversions(protocol))?;
    for (index, ty) in protocol.types.iter().enumerate() {
        file.add(type_tokens(&context, index, ty, &layout))?;
        file.add(widen::tokens(&context, index))?;
    }
    file.add(far::tokens(&context))?;
    let used = protocol.called(protocol.types.iter().flat_map(|ty| ty.shape.checks()));
    for (_, check) in protocol.checks.iter().enumerate().filter(|(index, _)| used.contains(index)) {
        let name = format_ident!("{}", check.name);
        let body = checks::tokens(protocol, &check.check, &quote! { value });
        let value = checks::argument("value", &body);
        file.add(quote! { fn #name(#value: &::serde_json::Value) -> bool { #body } })?;
    }
    Ok(Summary::new(&context, &layout))
}

/// A type, and what makes it read and write.
fn type_tokens(context: &Context<'_>, index: usize, ty: &TypeDef, layout: &Layout) -> TokenStream {
    match &ty.shape {
        Shape::Struct(shape) => structs::tokens(context, index, shape, layout),
        Shape::Enum(shape) => scalars::enumeration(ty, shape, layout, index),
        Shape::OpenEnum(list) => open_enums::tokens(ty, list),
        Shape::Union(shape) => unions::tokens(context, index, shape),
        Shape::Text(rules) => scalars::text(ty, rules),
        Shape::Number(rules) => numbers::number(ty, rules),
        Shape::List(list) => scalars::list(context, index, list),
        Shape::Tuple(tuple) => tuples::tokens(context, index, tuple),
        Shape::Map(map) => scalars::map(context, index, map),
        Shape::Sealed(sealed) => sealed::tokens(context, index, sealed),
        Shape::Alias(TypeRef::Never) => scalars::value(context, ty, &crate::ir::Check::Never),
        Shape::Alias(target) => {
            let docs = literals::type_docs(ty);
            let name = format_ident!("{}", ty.name);
            let target = match target {
                // What uses the name puts it behind a pointer.
                TypeRef::Named(id) if ty.far => {
                    let name = format_ident!("{}", context.protocol.types[id.0].name);
                    quote! { #name }
                }
                target => context.of(target, Some(index)),
            };
            quote! { #docs pub type #name = #target; }
        }
        Shape::Value(check) => scalars::value(context, ty, check),
    }
}
