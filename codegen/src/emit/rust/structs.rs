//! Objects with known members.

use super::builders;
use super::checks;
use super::defaults::{differs, or_default};
use super::layout::{Layout, is_stored, stored};
use super::literals;
use super::scalars::counted;
use super::types::Context;
use super::views;
use crate::ir::{Check, Field, Presence, Rest, Struct, TypeDef, TypeRef};
use crate::json::{Json, Node};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// A struct and how it is read and written.
pub(super) fn tokens(context: &Context<'_>, index: usize, shape: &Struct, layout: &Layout) -> TokenStream {
    let ty = &context.protocol.types[index];
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let parts = Parts { context, index, shape };
    let fields = stored(&shape.fields).enumerate().map(|(position, field)| {
        let rust = format_ident!("{}", field.rust);
        let docs = field_docs(field);
        let ty = match layout.field(index, position) {
            Some(ty) => quote! { #ty },
            None => parts.stored_type(field),
        };
        let deprecated = field.deprecated.then(|| quote! { #[doc = " Deprecated."] });
        quote! { #docs #deprecated pub #rust: #ty }
    });
    let additional = parts.additional_type().map(|ty| {
        quote! {
            /// The members that the schema does not name.
            pub additional: #ty,
        }
    });
    let new = builders::tokens(&parts);
    let read = parts.read();
    let write = parts.write();
    quote! {
        #docs
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name { #(#fields,)* #additional }
        #new
        #read
        #write
    }
}

fn field_docs(field: &Field) -> TokenStream {
    let fallback = format!("The member {}.", field.wire);
    let text = field.description.as_deref().or(field.title.as_deref()).map(literals::sentence);
    let default = match &field.presence {
        Presence::Default(value) => format!("Absent means {value}."),
        _ => String::new(),
    };
    literals::docs(&[text.as_deref().unwrap_or(&fallback), &default])
}

/// A struct in its surroundings.
pub(super) struct Parts<'a> {
    pub(super) context: &'a Context<'a>,
    index: usize,
    pub(super) shape: &'a Struct,
}

impl Parts<'_> {
    pub(super) fn name(&self) -> proc_macro2::Ident {
        format_ident!("{}", self.context.protocol.types[self.index].name)
    }

    /// Whether nobody makes one but by reading it.
    pub(super) fn is_only_read(&self) -> bool {
        self.context.protocol.types[self.index].reading.is_some()
    }

    /// The name of the type that builds it.
    pub(super) fn builder(&self) -> proc_macro2::Ident {
        format_ident!("{}", self.context.builders[&self.index])
    }

    /// The type of a field as it is read when it is there.
    pub(super) fn value_type(&self, field: &Field) -> TokenStream {
        self.context.of(&field.ty, Some(self.index))
    }

    fn stored_type(&self, field: &Field) -> TokenStream {
        let ty = self.value_type(field);
        match field.presence {
            Presence::Optional => quote! { Option<#ty> },
            _ => ty,
        }
    }

    pub(super) fn additional_type(&self) -> Option<TokenStream> {
        match &self.shape.rest {
            Rest::Closed => None,
            Rest::Open | Rest::Checked(_) => Some(self.context.of(&TypeRef::Object, None)),
            Rest::Typed(ty) => Some(self.context.of(&TypeRef::Map(Box::new(ty.clone())), None)),
        }
    }

    /// Whether something must be checked that the fields do not say.
    fn has_rules(&self) -> bool {
        !self.shape.rules.is_empty()
            || self.shape.min_members.is_some()
            || self.shape.max_members.is_some()
            || !matches!(self.shape.rest, Rest::Closed)
    }

    fn read(&self) -> TokenStream {
        let name = self.name();
        let what = label(&self.context.protocol.types[self.index]);
        let names: Vec<&String> = self.shape.fields.iter().map(|field| &field.wire).collect();
        let slots: Vec<_> = (0..self.shape.fields.len()).map(|at| format_ident!("member_{at}")).collect();
        let declare = self.shape.fields.iter().zip(&slots).map(|(field, slot)| {
            if is_stored(field) {
                let ty = self.value_type(field);
                quote! { let mut #slot: Option<#ty> = None; }
            } else if field.ty == TypeRef::Never {
                TokenStream::new()
            } else {
                quote! { let mut #slot = false; }
            }
        });
        let count = self.shape.fields.len();
        let arms = self.shape.fields.iter().zip(&slots).enumerate().map(|(at, (field, slot))| {
            let wire = &field.wire;
            let pattern = if at + 1 == count {
                quote! { _ }
            } else {
                quote! { #at }
            };
            let action = match (&field.constant, &field.ty) {
                _ if is_stored(field) => quote! { members.set(&mut #slot, #wire)? },
                (_, TypeRef::Never) => quote! { return Err(members.unknown(#wire)) },
                (Some(Node { value: Json::String(text), .. }), _) => {
                    quote! { members.constant(&mut #slot, #wire, #text)? }
                }
                (Some(value), _) => {
                    let value = literals::value(value);
                    quote! { members.equals(&mut #slot, #wire, &#value)? }
                }
                (None, _) => TokenStream::new(),
            };
            quote! { support::Member::Known(#pattern) => #action, }
        });
        let none = (count == 0).then(|| quote! { support::Member::Known(_) => {} });
        let other = match self.shape.rest {
            Rest::Closed => quote! { return Err(members.unknown(&name)) },
            _ => quote! { members.keep(&mut additional, name)? },
        };
        let declare_additional = self.additional_type().map(|ty| {
            quote! { let mut additional: #ty = Default::default(); }
        });
        let constants = self.shape.fields.iter().zip(&slots).filter(|(field, _)| !is_stored(field)).map(
            |(field, slot)| {
                let wire = &field.wire;
                let must = matches!(field.presence, Presence::Required) && field.ty != TypeRef::Never;
                match (must, &field.ty, &field.presence) {
                    (true, ..) => quote! { support::constant(#slot, #wire)?; },
                    (false, TypeRef::Never, Presence::Required) => {
                        quote! { support::constant(false, #wire)?; }
                    }
                    _ => TokenStream::new(),
                }
            },
        );
        let values = self.shape.fields.iter().zip(&slots).filter(|(field, _)| is_stored(field)).map(
            |(field, slot)| {
                let rust = format_ident!("{}", field.rust);
                let wire = &field.wire;
                match &field.presence {
                    Presence::Required => quote! { #rust: support::required(#slot, #wire)? },
                    Presence::Optional => quote! { #rust: #slot },
                    Presence::Default(value) => {
                        let value = or_default(self.context, &field.ty, value);
                        quote! { #rust: #slot.#value }
                    }
                }
            },
        );
        let additional = self.additional_type().map(|_| quote! { additional, });
        let build = quote! { Self { #(#values,)* #additional } };
        let result = if self.has_rules() {
            quote! {
                let value = #build;
                value.check().map_err(|error| support::refuse(&error))?;
                Ok(value)
            }
        } else {
            quote! { Ok(#build) }
        };
        quote! {
            impl<'de> support::Object<'de> for #name {
                const WHAT: &'static str = #what;
                fn members<__A: ::serde::de::MapAccess<'de>>(map: __A) -> Result<Self, __A::Error> {
                    let mut members = support::Members::new(map, &[#(#names),*]);
                    #(#declare)*
                    #declare_additional
                    while let Some(member) = members.next_member()? {
                        match member {
                            #(#arms)*
                            #none
                            support::Member::Other(name) => #other,
                        }
                    }
                    #(#constants)*
                    #result
                }
            }
            support::read_object!(#name);
        }
    }

    fn write(&self) -> TokenStream {
        let name = self.name();
        let entries = self.shape.fields.iter().map(|field| self.entry(field));
        let additional = self.additional_type().map(|_| {
            quote! {
                for (name, value) in &self.additional {
                    map.serialize_entry(name, value)?;
                }
            }
        });
        let anything =
            self.shape.fields.iter().any(|field| field.ty != TypeRef::Never) || additional.is_some();
        let mutable = anything.then(|| quote! { mut });
        let body = quote! {
            let #mutable map = serializer.serialize_map(None)?;
            #(#entries)*
            #additional
            map.end()
        };
        if !self.has_rules() {
            return quote! {
                impl ::serde::Serialize for #name {
                    fn serialize<__S: ::serde::Serializer>(&self, serializer: __S) -> Result<__S::Ok, __S::Error> {
                        #body
                    }
                }
            };
        }
        let checks = self.checks();
        quote! {
            impl #name {
                /// Checks what the fields by themselves do not say; reading and writing do it too.
                ///
                /// # Errors
                ///
                /// When a rule is broken, in words.
                pub fn check(&self) -> Result<(), support::RuleError> {
                    #checks
                    Ok(())
                }
                fn write<__S: ::serde::Serializer>(&self, serializer: __S) -> Result<__S::Ok, __S::Error> {
                    #body
                }
            }
            support::write_checked!(#name);
        }
    }

    fn entry(&self, field: &Field) -> TokenStream {
        let wire = &field.wire;
        let rust = format_ident!("{}", field.rust);
        if field.ty == TypeRef::Never {
            return TokenStream::new();
        }
        if !is_stored(field) {
            return match &field.constant {
                Some(Node { value: Json::String(text), .. }) => {
                    quote! { map.serialize_entry(#wire, #text)?; }
                }
                Some(value) => {
                    let value = literals::value(value);
                    quote! { map.serialize_entry(#wire, &#value)?; }
                }
                None => TokenStream::new(),
            };
        }
        match &field.presence {
            Presence::Required => quote! { map.serialize_entry(#wire, &self.#rust)?; },
            Presence::Optional => quote! {
                if let Some(value) = &self.#rust {
                    map.serialize_entry(#wire, value)?;
                }
            },
            Presence::Default(value) => match differs(self.context, field, value, &quote! { self }) {
                Some(differs) => quote! {
                    if #differs {
                        map.serialize_entry(#wire, &self.#rust)?;
                    }
                },
                None => quote! { map.serialize_entry(#wire, &self.#rust)?; },
            },
        }
    }

    fn checks(&self) -> TokenStream {
        let mut tests = TokenStream::new();
        let names: Vec<&String> = self.shape.fields.iter().map(|field| &field.wire).collect();
        if self.additional_type().is_some() && !names.is_empty() {
            tests.extend(quote! {
                for name in [#(#names),*] {
                    if self.additional.contains_key(name) {
                        return Err(support::RuleError::new(
                            ::std::format!("{name} has a field of its own and cannot be an additional member"),
                        ));
                    }
                }
            });
        }
        if let Rest::Checked(check) = &self.shape.rest {
            let test = checks::tokens(self.context.protocol, check, &quote! { value });
            let value = checks::argument("value", &test);
            tests.extend(quote! { support::ensure_members(&self.additional, |#value| #test)?; });
        }
        if self.shape.min_members.is_some() || self.shape.max_members.is_some() {
            let fixed = self
                .shape
                .fields
                .iter()
                .filter(|field| field.ty != TypeRef::Never && !matches!(field.presence, Presence::Optional))
                .count();
            let optional = stored(&self.shape.fields)
                .filter(|field| matches!(field.presence, Presence::Optional))
                .map(|field| format_ident!("{}", field.rust));
            let additional = self.additional_type().map(|_| quote! { + self.additional.len() });
            tests.extend(
                quote! { let count = #fixed #(+ usize::from(self.#optional.is_some()))* #additional; },
            );
            if let Some(min) = self.shape.min_members {
                let words = format!("must have at least {}", counted(min, "member"));
                let min = usize::try_from(min).unwrap_or(usize::MAX);
                tests.extend(quote! {
                    support::ensure(count >= #min, #words)?;
                });
            }
            if let Some(max) = self.shape.max_members.and_then(|max| usize::try_from(max).ok()) {
                let words = format!("must have at most {}", counted(max as u64, "member"));
                tests.extend(quote! {
                    support::ensure(count <= #max, #words)?;
                });
            }
        }
        for rule in &self.shape.rules {
            let words = &rule.words;
            let test = match self.presence(&rule.check) {
                Some(test) => test,
                None => {
                    let test = checks::tokens(self.context.protocol, &rule.check, &quote! { value });
                    if !checks::mentions(&test, "value") {
                        tests.extend(quote! { support::ensure(#test, #words)?; });
                        continue;
                    }
                    let value = views::tokens(self, &rule.check);
                    quote! {{
                        let value = #value;
                        #test
                    }}
                }
            };
            tests.extend(quote! {
                support::ensure(#test, #words)?;
            });
        }
        tests
    }

    /// A check that asks only which members are there, as a condition on the fields.
    fn presence(&self, check: &Check) -> Option<TokenStream> {
        Some(match check {
            Check::Any => quote! { true },
            Check::Never => quote! { false },
            Check::All(checks) => {
                let tests = checks.iter().map(|check| self.presence(check)).collect::<Option<Vec<_>>>()?;
                quote! { (#((#tests))&&*) }
            }
            Check::AnyOf(checks) => {
                let tests = checks.iter().map(|check| self.presence(check)).collect::<Option<Vec<_>>>()?;
                quote! { (#((#tests))||*) }
            }
            Check::OneOf(checks) => {
                let tests = checks.iter().map(|check| self.presence(check)).collect::<Option<Vec<_>>>()?;
                quote! { [#(#tests),*].into_iter().filter(|passes| *passes).count() == 1 }
            }
            Check::Not(check) => {
                let test = self.presence(check)?;
                quote! { !(#test) }
            }
            Check::If(parts) => {
                let [when, then, otherwise] = parts.as_ref();
                let (when, then, otherwise) =
                    (self.presence(when)?, self.presence(then)?, self.presence(otherwise)?);
                quote! { if #when { #then } else { #otherwise } }
            }
            Check::Object(object) => {
                let plain = object.properties.is_empty()
                    && object.patterns.is_empty()
                    && matches!((&object.additional, &object.names), (Check::Any, Check::Any))
                    && object.min_members.is_none()
                    && object.max_members.is_none();
                if !plain {
                    return None;
                }
                let required = object.required.iter().map(|name| self.has(name));
                let dependent = object
                    .dependent
                    .iter()
                    .map(|(name, check)| {
                        let has = self.has(name);
                        let test = self.presence(check)?;
                        Some(quote! { (!(#has) || (#test)) })
                    })
                    .collect::<Option<Vec<_>>>()?;
                let tests: Vec<TokenStream> = required.chain(dependent).collect();
                if tests.is_empty() {
                    quote! { true }
                } else {
                    quote! { #((#tests))&&* }
                }
            }
            Check::Kinds(kinds) => {
                let object = kinds.contains(&crate::graph::JsonType::Object);
                quote! { #object }
            }
            _ => return None,
        })
    }

    /// Whether a member is there.
    fn has(&self, name: &str) -> TokenStream {
        match self.shape.fields.iter().find(|field| field.wire == name) {
            Some(field) if field.ty == TypeRef::Never => quote! { false },
            Some(field) if matches!(field.presence, Presence::Optional) => {
                let rust = format_ident!("{}", field.rust);
                quote! { self.#rust.is_some() }
            }
            Some(_) => quote! { true },
            None if self.additional_type().is_some() => quote! { self.additional.contains_key(#name) },
            None => quote! { false },
        }
    }
}

/// What a type is, as errors say it.
pub(super) fn label(ty: &TypeDef) -> &str {
    ty.title.as_deref().unwrap_or(&ty.name)
}
