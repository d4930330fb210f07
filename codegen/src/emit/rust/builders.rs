//! How a struct is made in code, so that a member which the schema gains breaks nobody: `new` with
/// what must be there (a builder, where that is much), and a method for each thing that need not.
use super::defaults::default_value;
use super::layout::stored;
use super::literals;
use super::structs::Parts;
use crate::ir::{Field, Presence, Struct, TypeRef};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// So many arguments can be told apart by their places.
const MOST_ARGUMENTS: usize = 7;

/// `new` or `builder`, `with_…`, and `Default` where nothing must be given; only the last of
/// them for what is only read.
pub(super) fn tokens(parts: &Parts<'_>) -> TokenStream {
    let required = required(parts.shape);
    if parts.is_only_read() && required > 0 {
        return TokenStream::new();
    }
    let make = match required {
        0 => default(parts),
        1..=MOST_ARGUMENTS => constructor(parts),
        _ => builder(parts),
    };
    if parts.is_only_read() {
        return make;
    }
    let setters = setters(parts);
    quote! { #make #setters }
}

/// Whether a struct is made by a builder.
pub(super) fn has_builder(shape: &Struct) -> bool {
    required(shape) > MOST_ARGUMENTS
}

fn required(shape: &Struct) -> usize {
    stored(&shape.fields).filter(|field| is_required(field)).count()
}

fn is_required(field: &Field) -> bool {
    matches!(field.presence, Presence::Required)
}

/// A field where nothing was given for it.
fn initial(parts: &Parts<'_>, field: &Field) -> TokenStream {
    let rust = format_ident!("{}", field.rust);
    match &field.presence {
        Presence::Required => quote! { #rust },
        Presence::Optional => quote! { #rust: None },
        Presence::Default(value) => {
            let value = default_value(parts.context, &field.ty, value);
            quote! { #rust: #value }
        }
    }
}

fn initials(parts: &Parts<'_>) -> TokenStream {
    let values = stored(&parts.shape.fields).map(|field| initial(parts, field));
    let additional = parts.additional_type().map(|_| quote! { additional: Default::default(), });
    quote! { #(#values,)* #additional }
}

fn default(parts: &Parts<'_>) -> TokenStream {
    let name = parts.name();
    let values = initials(parts);
    quote! {
        #[allow(clippy::derivable_impls, reason = "one form for all, also where a default is a value of its own")]
        impl Default for #name {
            fn default() -> Self {
                Self { #values }
            }
        }
        impl #name {
            /// One in which everything is absent.
            pub fn new() -> Self {
                Self::default()
            }
        }
    }
}

fn constructor(parts: &Parts<'_>) -> TokenStream {
    let name = parts.name();
    let arguments = stored(&parts.shape.fields).filter(|field| is_required(field)).map(|field| {
        let rust = format_ident!("{}", field.rust);
        let ty = parts.value_type(field);
        quote! { #rust: #ty }
    });
    let values = initials(parts);
    quote! {
        impl #name {
            /// One with what it must have; what is optional is absent.
            pub fn new(#(#arguments),*) -> Self {
                Self { #values }
            }
        }
    }
}

/// The method that sets a field, which is an option where it may be unset.
fn setter(parts: &Parts<'_>, field: &Field, is_option: bool) -> TokenStream {
    let name = format_ident!("with_{}", field.rust.trim_end_matches('_'));
    let rust = format_ident!("{}", field.rust);
    let ty = parts.value_type(field);
    let docs = literals::docs(&[&format!("The same with {}.", field.wire)]);
    let (argument, value) = match parts.context.resolved(&field.ty) {
        // There is one value only.
        TypeRef::Null => (TokenStream::new(), quote! { () }),
        _ => (quote! { value: impl Into<#ty> }, quote! { value.into() }),
    };
    let value = if is_option {
        quote! { Some(#value) }
    } else {
        value
    };
    quote! {
        #docs
        #[must_use]
        pub fn #name(mut self, #argument) -> Self {
            self.#rust = #value;
            self
        }
    }
}

fn setters(parts: &Parts<'_>) -> TokenStream {
    let optional = stored(&parts.shape.fields).filter(|field| !is_required(field));
    let setters: Vec<TokenStream> =
        optional.map(|field| setter(parts, field, matches!(field.presence, Presence::Optional))).collect();
    if setters.is_empty() {
        return TokenStream::new();
    }
    let name = parts.name();
    quote! { impl #name { #(#setters)* } }
}

fn builder(parts: &Parts<'_>) -> TokenStream {
    let name = parts.name();
    let builder = parts.builder();
    let required: Vec<&Field> = stored(&parts.shape.fields).filter(|field| is_required(field)).collect();
    let idents: Vec<Ident> = required.iter().map(|field| format_ident!("{}", field.rust)).collect();
    let types: Vec<TokenStream> = required.iter().map(|field| parts.value_type(field)).collect();
    let setters = required.iter().map(|field| setter(parts, field, true));
    let wires = required.iter().map(|field| &field.wire);
    let values = initials(parts);
    let docs = format!(" Makes one [`{name}`] from what it must have.");
    quote! {
        impl #name {
            /// A builder for what it must have. What it may have is added when it is built.
            pub fn builder() -> #builder {
                #builder::default()
            }
        }
        #[doc = #docs]
        #[derive(Clone, Debug, Default)]
        pub struct #builder { #(#idents: Option<#types>,)* }
        impl #builder {
            #(#setters)*
            /// What was built; what is optional is absent.
            ///
            /// # Errors
            ///
            /// When members that must be there were not set: all of them.
            pub fn build(self) -> Result<#name, support::RuleError> {
                let given = [#((#wires, self.#idents.is_some())),*];
                match self {
                    Self { #(#idents: Some(#idents)),* } => Ok(#name { #values }),
                    _ => Err(support::missing(&given)),
                }
            }
        }
    }
}
