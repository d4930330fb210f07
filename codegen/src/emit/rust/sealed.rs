//! Types of whose values not all are allowed.

use super::checks;
use super::literals;
use super::reasons;
use super::scalars::reading;
use super::structs::label;
use super::types::Context;
use crate::ir::{Sealed, TypeRef};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// A newtype over the type without the rules.
pub(super) fn tokens(context: &Context<'_>, index: usize, sealed: &Sealed) -> TokenStream {
    let ty = &context.protocol.types[index];
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let label = label(ty);
    let inner = context.of(&sealed.inner, Some(index));
    let rules = reasons::statements(context.protocol, &sealed.check, &quote! { value }, label);
    let value = checks::argument("value", &rules);
    let read = reading(
        &name,
        &quote! {
            let inner = <#inner as support::Read>::read(deserializer)?;
            Self::try_from(inner).map_err(|error| support::refuse(&error))
        },
    );
    let text = *context.resolved(&sealed.inner) == TypeRef::Text;
    let write = if text {
        text_methods(&name)
    } else {
        quote! { support::write_inner!(#name); }
    };
    let order = context.is_hashable(&sealed.inner).then(|| quote! { , Eq, Hash, PartialOrd, Ord });
    let object = context.is_object(&sealed.inner).then(|| {
        quote! {
            impl<'de> support::Object<'de> for #name {
                const WHAT: &'static str = #label;
                fn members<__A: ::serde::de::MapAccess<'de>>(map: __A) -> Result<Self, __A::Error> {
                    let inner = <#inner as support::Object>::members(map)?;
                    Self::try_from(inner).map_err(|error| support::refuse(&error))
                }
            }
        }
    });
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq #order)]
        pub struct #name(#inner);
        impl #name {
            /// The value, which its rules bind no longer.
            pub fn into_inner(self) -> #inner {
                self.0
            }
        }
        impl TryFrom<#inner> for #name {
            type Error = support::RuleError;
            fn try_from(inner: #inner) -> Result<Self, support::RuleError> {
                let #value = &support::to_value(&inner).map_err(|error| support::RuleError::new(error.to_string()))?;
                #rules
                Ok(Self(inner))
            }
        }
        impl ::std::ops::Deref for #name {
            type Target = #inner;
            fn deref(&self) -> &#inner {
                &self.0
            }
        }
        #object
        #read
        #write
    }
}

/// What every type of strings has.
fn text_methods(name: &proc_macro2::Ident) -> TokenStream {
    quote! {
        impl #name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl TryFrom<&str> for #name {
            type Error = support::RuleError;
            fn try_from(text: &str) -> Result<Self, support::RuleError> {
                Self::try_from(text.to_owned())
            }
        }
        impl ::std::str::FromStr for #name {
            type Err = support::RuleError;
            fn from_str(text: &str) -> Result<Self, support::RuleError> {
                Self::try_from(text)
            }
        }
        support::write_text!(#name);
    }
}
