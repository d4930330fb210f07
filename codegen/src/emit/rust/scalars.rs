//! Checked newtypes and enums of constants.

use super::checks;
use super::layout::Layout;
use super::literals;
use super::reasons;
use super::structs::label;
use super::types::Context;
use crate::ir::{Check, Enum, List, Map, TextRules, TypeDef, TypeRef};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// `Read` and `Deserialize` of a type, from the body of `read`.
pub(super) fn reading(name: &proc_macro2::Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl<'de> support::Read<'de> for #name {
            fn read<__D: ::serde::Deserializer<'de>>(deserializer: __D) -> Result<Self, __D::Error> {
                #body
            }
        }
        support::deserialize!(#name);
    }
}

pub(super) fn writing(name: &proc_macro2::Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl ::serde::Serialize for #name {
            fn serialize<__S: ::serde::Serializer>(&self, serializer: __S) -> Result<__S::Ok, __S::Error> {
                #body
            }
        }
    }
}

/// A string under rules.
pub(super) fn text(ty: &TypeDef, rules: &TextRules) -> TokenStream {
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let label = label(ty);
    let test = checks::text_test(rules, &quote! { text });
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct #name(String);
        impl #name {
            fn check(text: &str) -> Result<(), support::RuleError> {
                #test
            }
        }
        support::text_newtype!(#name, #label);
    }
}

/// An array under rules.
pub(super) fn list(context: &Context<'_>, index: usize, list: &List) -> TokenStream {
    let ty = &context.protocol.types[index];
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let items = context.of(&list.items, None);
    let mut tests = TokenStream::new();
    if let Some(min) = list.min_items {
        let words = format!("must have at least {}", counted(min, "item"));
        tests.extend(quote! {
            support::ensure(items.len() as u64 >= #min, #words)?;
        });
    }
    if let Some(max) = list.max_items {
        let words = format!("must have at most {}", counted(max, "item"));
        tests.extend(quote! {
            support::ensure(items.len() as u64 <= #max, #words)?;
        });
    }
    if list.unique {
        let test = if context.is_hashable(&list.items) {
            quote! { support::all_distinct(items) }
        } else {
            quote! { support::all_different_items(items) }
        };
        tests.extend(quote! { support::ensure(#test, "must not have two equal items")?; });
    }
    let used = if tests.is_empty() {
        quote! { _items }
    } else {
        quote! { items }
    };
    let read = reading(
        &name,
        &quote! {
            let items = <Vec<#items> as support::Read>::read(deserializer)?;
            Self::try_from(items).map_err(|error| support::refuse(&error))
        },
    );
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name(Vec<#items>);
        impl #name {
            /// The items, owned.
            pub fn into_inner(self) -> Vec<#items> {
                self.0
            }
            fn check(#used: &[#items]) -> Result<(), support::RuleError> {
                #tests
                Ok(())
            }
        }
        impl TryFrom<Vec<#items>> for #name {
            type Error = support::RuleError;
            fn try_from(items: Vec<#items>) -> Result<Self, support::RuleError> {
                Self::check(&items)?;
                Ok(Self(items))
            }
        }
        impl ::std::ops::Deref for #name {
            type Target = [#items];
            fn deref(&self) -> &[#items] {
                &self.0
            }
        }
        #read
        support::write_inner!(#name);
    }
}

/// An object whose members all have one type, under rules.
pub(super) fn map(context: &Context<'_>, index: usize, map: &Map) -> TokenStream {
    let ty = &context.protocol.types[index];
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let inner = context.of(&TypeRef::Map(Box::new(map.values.clone())), None);
    let mut tests = TokenStream::new();
    if let Some(min) = map.min_members {
        let words = format!("must have at least {}", counted(min, "member"));
        tests.extend(quote! {
            support::ensure(entries.len() as u64 >= #min, #words)?;
        });
    }
    if let Some(max) = map.max_members {
        let words = format!("must have at most {}", counted(max, "member"));
        tests.extend(quote! {
            support::ensure(entries.len() as u64 <= #max, #words)?;
        });
    }
    if map.names != TextRules::default() {
        let test = checks::text_test(&map.names, &quote! { text });
        tests.extend(quote! {
            for text in entries.keys() {
                let result: Result<(), support::RuleError> = #test;
                result.map_err(|error| support::RuleError::new(::std::format!("the name {text:?}: {error}")))?;
            }
        });
    }
    let used = if tests.is_empty() {
        quote! { _entries }
    } else {
        quote! { entries }
    };
    let read = reading(
        &name,
        &quote! {
            let entries = <#inner as support::Read>::read(deserializer)?;
            Self::try_from(entries).map_err(|error| support::refuse(&error))
        },
    );
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name(#inner);
        impl #name {
            /// The members, owned.
            pub fn into_inner(self) -> #inner {
                self.0
            }
            fn check(#used: &#inner) -> Result<(), support::RuleError> {
                #tests
                Ok(())
            }
        }
        impl TryFrom<#inner> for #name {
            type Error = support::RuleError;
            fn try_from(entries: #inner) -> Result<Self, support::RuleError> {
                Self::check(&entries)?;
                Ok(Self(entries))
            }
        }
        impl ::std::ops::Deref for #name {
            type Target = #inner;
            fn deref(&self) -> &#inner {
                &self.0
            }
        }
        #read
        support::write_inner!(#name);
    }
}

pub(super) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// One of a closed list of constants.
pub(super) fn enumeration(ty: &TypeDef, list: &Enum, layout: &Layout, index: usize) -> TokenStream {
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let idents: Vec<_> = list.variants.iter().map(|variant| format_ident!("{}", variant.rust)).collect();
    let variants = list.variants.iter().zip(&idents).map(|(variant, ident)| {
        let fallback = format!("The value {}.", variant.value);
        let docs = literals::docs(&[variant.description.as_deref().unwrap_or(&fallback)]);
        quote! { #docs #ident }
    });
    let all = quote! {
        /// All variants, in the order of the schema.
        pub const ALL: &'static [Self] = &[#(Self::#idents),*];
    };
    let texts: Option<Vec<&str>> = list.variants.iter().map(|variant| variant.value.as_str()).collect();
    let expected: Vec<String> = list.variants.iter().map(|variant| variant.value.to_string()).collect();
    let expected = match expected.as_slice() {
        [only] => format!("must be {only}"),
        _ => format!("must be one of {}", expected.join(", ")),
    };
    let body = match texts {
        Some(texts) if layout.has_enum(index, texts.len()) || list.variants.is_empty() => {
            string_enum(&name, label(ty), &idents, &texts, &expected)
        }
        _ => value_enum(&name, list, &idents, &expected),
    };
    quote! {
        #docs
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum #name { #(#variants),* }
        impl #name { #all }
        #body
    }
}

fn string_enum(
    name: &proc_macro2::Ident,
    label: &str,
    idents: &[proc_macro2::Ident],
    texts: &[&str],
    expected: &str,
) -> TokenStream {
    let message = format!("{}, found {{:?}}", expected.replace('{', "{{").replace('}', "}}"));
    quote! {
        impl #name {
            /// The value in JSON.
            pub const fn as_str(self) -> &'static str {
                match self {
                    #(Self::#idents => #texts),*
                }
            }
        }
        impl TryFrom<&str> for #name {
            type Error = support::RuleError;
            fn try_from(text: &str) -> Result<Self, support::RuleError> {
                match text {
                    #(#texts => Ok(Self::#idents),)*
                    _ => Err(support::RuleError::new(::std::format!(#message, support::shortened(text)))),
                }
            }
        }
        support::read_text!(#name, #label);
        support::write_text!(#name);
    }
}

fn value_enum(
    name: &proc_macro2::Ident,
    list: &Enum,
    idents: &[proc_macro2::Ident],
    expected: &str,
) -> TokenStream {
    let values = list.variants.iter().map(|variant| literals::value(&variant.value));
    let read = reading(
        name,
        &quote! {
            let value = ::serde_json::Value::read(deserializer)?;
            Self::try_from(&value).map_err(|error| support::refuse(&error))
        },
    );
    let write = writing(name, &quote! { ::serde::Serialize::serialize(&self.to_value(), serializer) });
    quote! {
        impl #name {
            /// The value in JSON.
            pub fn to_value(self) -> ::serde_json::Value {
                match self {
                    #(Self::#idents => #values),*
                }
            }
        }
        impl TryFrom<&::serde_json::Value> for #name {
            type Error = support::RuleError;
            fn try_from(value: &::serde_json::Value) -> Result<Self, support::RuleError> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|variant| support::equal(&variant.to_value(), value))
                    .ok_or_else(|| support::RuleError::new(#expected))
            }
        }
        #read
        #write
    }
}

/// Any JSON value that passes a check.
pub(super) fn value(context: &Context<'_>, ty: &TypeDef, check: &Check) -> TokenStream {
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let rules = reasons::statements(context.protocol, check, &quote! { value }, label(ty));
    let argument = checks::argument("value", &rules);
    let read = reading(
        &name,
        &quote! {
            let value = <::serde_json::Value as support::Read>::read(deserializer)?;
            Self::try_from(value).map_err(|error| support::refuse(&error))
        },
    );
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name(::serde_json::Value);
        impl #name {
            /// The value.
            pub fn as_value(&self) -> &::serde_json::Value {
                &self.0
            }
            /// The value, owned.
            pub fn into_value(self) -> ::serde_json::Value {
                self.0
            }
            fn check(#argument: &::serde_json::Value) -> Result<(), support::RuleError> {
                #rules
                Ok(())
            }
        }
        impl TryFrom<::serde_json::Value> for #name {
            type Error = support::RuleError;
            fn try_from(value: ::serde_json::Value) -> Result<Self, support::RuleError> {
                Self::check(&value)?;
                Ok(Self(value))
            }
        }
        #read
        support::write_inner!(#name);
    }
}
