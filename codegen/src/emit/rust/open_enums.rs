//! Lists of strings beside which any other string is allowed.

use super::literals;
use super::scalars::reading;
use super::structs::label;
use crate::ir::{Enum, TypeDef};
use crate::names::Scope;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// An enum with a variant for the strings that it does not name. Two values of one string are equal,
/// however they were made.
pub(super) fn tokens(ty: &TypeDef, list: &Enum) -> TokenStream {
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let label = label(ty);
    let idents: Vec<_> = list.variants.iter().map(|variant| format_ident!("{}", variant.rust)).collect();
    let texts: Vec<&str> = list.variants.iter().filter_map(|variant| variant.value.as_str()).collect();
    let variants = list.variants.iter().zip(&idents).map(|(variant, ident)| {
        let fallback = format!("The value {}.", variant.value);
        let docs = literals::docs(&[variant.description.as_deref().unwrap_or(&fallback)]);
        quote! { #docs #ident }
    });
    let mut scope = Scope::default();
    for variant in &list.variants {
        scope.take([variant.rust.as_str()]);
    }
    let other = format_ident!("{}", scope.take(["Other", "Unlisted"]));
    let read = reading(&name, &quote! { support::text(deserializer, #label, |text| Ok(Self::from(text))) });
    quote! {
        #docs
        #[derive(Clone, Debug)]
        pub enum #name {
            #(#variants,)*
            /// A value that the schema does not name.
            #other(String),
        }
        impl #name {
            /// The variants that the schema names, in its order.
            pub const NAMED: &'static [Self] = &[#(Self::#idents),*];
            /// The value in JSON.
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#idents => #texts,)*
                    Self::#other(text) => text,
                }
            }
        }
        impl From<&str> for #name {
            fn from(text: &str) -> Self {
                match text {
                    #(#texts => Self::#idents,)*
                    other => Self::#other(other.to_owned()),
                }
            }
        }
        impl From<String> for #name {
            fn from(text: String) -> Self {
                match text.as_str() {
                    #(#texts => Self::#idents,)*
                    _ => Self::#other(text),
                }
            }
        }
        impl ::std::str::FromStr for #name {
            type Err = ::std::convert::Infallible;
            fn from_str(text: &str) -> Result<Self, ::std::convert::Infallible> {
                Ok(Self::from(text))
            }
        }
        impl PartialEq for #name {
            fn eq(&self, other: &Self) -> bool {
                self.as_str() == other.as_str()
            }
        }
        impl Eq for #name {}
        impl ::std::hash::Hash for #name {
            fn hash<__H: ::std::hash::Hasher>(&self, state: &mut __H) {
                self.as_str().hash(state);
            }
        }
        impl PartialOrd for #name {
            fn partial_cmp(&self, other: &Self) -> Option<::std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for #name {
            fn cmp(&self, other: &Self) -> ::std::cmp::Ordering {
                self.as_str().cmp(other.as_str())
            }
        }
        #read
        support::write_text!(#name);
    }
}
