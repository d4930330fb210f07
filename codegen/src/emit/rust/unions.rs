//! One of several types.

use super::checks;
use super::literals;
use super::scalars::reading;
use super::structs::label;
use super::types::Context;
use crate::ir::{Presence, Routing, TypeRef, Union};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// A union and how it is read and written.
pub(super) fn tokens(context: &Context<'_>, index: usize, union: &Union) -> TokenStream {
    let ty = &context.protocol.types[index];
    let name = format_ident!("{}", ty.name);
    let docs = literals::type_docs(ty);
    let label = label(ty);
    let idents: Vec<_> = union.variants.iter().map(|variant| format_ident!("{}", variant.rust)).collect();
    let types: Vec<TokenStream> =
        union.variants.iter().map(|variant| context.of(&variant.ty, Some(index))).collect();
    let variants = union.variants.iter().zip(&idents).zip(&types).map(|((variant, ident), ty)| {
        let fallback = format!("The variant {}.", variant.rust);
        let docs = literals::docs(&[variant.description.as_deref().unwrap_or(&fallback)]);
        quote! { #docs #ident(#ty) }
    });
    let expanded: Vec<TypeRef> = union.variants.iter().map(|variant| context.expanded(&variant.ty)).collect();
    let is_unique = |ty: &TypeRef| expanded.iter().filter(|other| *other == ty).count() == 1;
    let unique = idents.iter().zip(&types).zip(&expanded).filter(|(_, ty)| is_unique(ty));
    let conversions = unique.map(|((ident, ty), _)| {
        quote! {
            impl From<#ty> for #name {
                fn from(value: #ty) -> Self {
                    Self::#ident(value)
                }
            }
        }
    });
    let wide = context.is_wide(index);
    let read = match &union.routing {
        Routing::Tag(tag) => by_tag(&name, (label, wide), tag, union, &idents, &types),
        Routing::Kind => by_kind(&name, (label, wide), union, &idents, &types),
        Routing::ExactlyOne | Routing::First => {
            by_trying(context, &name, (label, wide), union, &idents, &types)
        }
    };
    let check = (union.routing == Routing::ExactlyOne).then(|| {
        let words = format!("must fit exactly one of {}", listed(union));
        quote! {
            if !support::is_unchecked() {
                let value = match self {
                    #(Self::#idents(value) => support::to_value(value)),*
                }
                .map_err(::serde::ser::Error::custom)?;
                let accepting = [#(support::from_value::<#types>(&value).is_ok()),*].into_iter().filter(|accepts| *accepts).count();
                if accepting != 1 {
                    return Err(::serde::ser::Error::custom(#words));
                }
                // What a variant reads is right in all that it holds.
                return support::unchecked(|| ::serde::Serialize::serialize(self, serializer));
            }
        }
    });
    // What fits several variants is read as the first of them, whichever it was written as.
    let by_json = union.routing == Routing::First && union.variants.len() > 1;
    let derived = (!by_json).then(|| quote! { #[derive(PartialEq)] });
    let equality = by_json.then(|| {
        quote! {
            /// Two values are equal when they are the same JSON, be it as two variants.
            impl PartialEq for #name {
                fn eq(&self, other: &Self) -> bool {
                    match (self, other) {
                        #((Self::#idents(a), Self::#idents(b)) => a == b,)*
                        _ => support::same_json(self, other),
                    }
                }
            }
        }
    });
    quote! {
        #docs
        #[derive(Clone, Debug)]
        #derived
        #[allow(clippy::large_enum_variant, reason = "values are made once and matched, seldom moved")]
        pub enum #name { #(#variants),* }
        #equality
        #(#conversions)*
        #read
        impl ::serde::Serialize for #name {
            fn serialize<__S: ::serde::Serializer>(&self, serializer: __S) -> Result<__S::Ok, __S::Error> {
                #check
                match self {
                    #(Self::#idents(value) => ::serde::Serialize::serialize(value, serializer)),*
                }
            }
        }
    }
}

fn listed(union: &Union) -> String {
    union.variants.iter().map(|variant| variant.rust.as_str()).collect::<Vec<_>>().join(", ")
}

fn by_tag(
    name: &proc_macro2::Ident,
    (label, wide): (&str, bool),
    tag: &str,
    union: &Union,
    idents: &[proc_macro2::Ident],
    types: &[TokenStream],
) -> TokenStream {
    let values: Vec<&str> = union
        .variants
        .iter()
        .flat_map(|variant| variant.tags.iter().filter_map(|tag| tag.as_str()))
        .collect();
    let mut next = 0usize;
    let arms = union.variants.iter().zip(idents).zip(types).map(|((variant, ident), ty)| {
        let cases: Vec<usize> = variant
            .tags
            .iter()
            .map(|_| {
                next += 1;
                next - 1
            })
            .collect();
        let (cases, variant) = (literals::indices(&cases), &variant.rust);
        quote! {
            support::Choice::Case(#cases) => {
                <#ty as support::Object>::members(head.replay())
                    .map(Self::#ident)
                    .map_err(|error| support::taken_for_variant(#label, #variant, error))
            }
        }
    });
    let head = if wide {
        quote! { exact }
    } else {
        quote! { new }
    };
    quote! {
        impl<'de> support::Object<'de> for #name {
            const WHAT: &'static str = #label;
            fn members<__A: ::serde::de::MapAccess<'de>>(map: __A) -> Result<Self, __A::Error> {
                const VALUES: &[&str] = &[#(#values),*];
                let mut head = support::Head::#head(map);
                match head.choose(#tag, VALUES)? {
                    #(#arms)*
                    choice => Err(support::Head::<__A>::refuse(#tag, &choice, VALUES)),
                }
            }
        }
        support::read_object!(#name);
    }
}

fn by_kind(
    name: &proc_macro2::Ident,
    (label, wide): (&str, bool),
    union: &Union,
    idents: &[proc_macro2::Ident],
    types: &[TokenStream],
) -> TokenStream {
    let arms = union.variants.iter().zip(idents).zip(types).map(|((variant, ident), ty)| {
        let (kinds, variant) = (checks::kind_patterns(&variant.kinds), &variant.rust);
        quote! {
            #(#kinds)|* => <#ty as support::Read>::read(deserializer)
                .map(Self::#ident)
                .map_err(|error| support::taken_for_variant(#label, #variant, error))
        }
    });
    let covered: Vec<TokenStream> =
        union.variants.iter().flat_map(|variant| checks::kind_patterns(&variant.kinds)).collect();
    let other = (covered.len() < 7).then(|| {
        quote! { other => Err(support::other_kind(#label, &[#(#covered),*], other)) }
    });
    let read = if wide {
        quote! { exact_kinds }
    } else {
        quote! { kinds }
    };
    let reading = reading(name, &quote! { support::#read(deserializer) });
    quote! {
        impl<'de> support::ByKind<'de> for #name {
            const WHAT: &'static str = #label;
            fn read_as<__D: ::serde::Deserializer<'de>>(kind: support::Kind, deserializer: __D) -> Result<Self, __D::Error> {
                match kind {
                    #(#arms,)*
                    #other
                }
            }
        }
        #reading
    }
}

fn by_trying(
    context: &Context<'_>,
    name: &proc_macro2::Ident,
    (label, wide): (&str, bool),
    union: &Union,
    idents: &[proc_macro2::Ident],
    types: &[TokenStream],
) -> TokenStream {
    let exactly_one = union.routing == Routing::ExactlyOne;
    let variants = union.variants.iter().map(|variant| {
        let name = &variant.rust;
        let kinds = checks::kind_patterns(&variant.kinds);
        let object = variant.ty.named().and_then(|id| context.protocol.object(id));
        let fields = object.map_or(&[][..], |object| &object.fields);
        let named = || fields.iter().filter(|field| field.ty != TypeRef::Never);
        let members = named().map(|field| &field.wire);
        let required =
            named().filter(|field| matches!(field.presence, Presence::Required)).map(|field| &field.wire);
        quote! {
            support::Variant {
                name: #name,
                kinds: &[#(#kinds),*],
                members: &[#(#members),*],
                required: &[#(#required),*],
            }
        }
    });
    let tries = idents.iter().zip(types).enumerate().map(|(index, (ident, ty))| {
        let accept = if exactly_one {
            let check = (index > 0).then(|| {
                quote! {
                    if let Some((first, _)) = found {
                        return Err(support::two_fit(#label, &VARIANTS[first], &VARIANTS[#index]));
                    }
                }
            });
            quote! {
                #check
                found = Some((#index, Self::#ident(value)));
            }
        } else {
            quote! { return Ok(Self::#ident(value)); }
        };
        quote! {
            if tries.may_fit(#index, VARIANTS, &content) {
                match <#ty as support::Read>::read(IntoDeserializer::<__D::Error>::into_deserializer(content.clone())) {
                    Ok(value) => { #accept }
                    Err(error) => tries.failed(#index, error),
                }
            }
        }
    });
    let end = if exactly_one {
        quote! {
            match found {
                Some((_, value)) => Ok(value),
                None => Err(tries.none_fits(#label, VARIANTS, &content)),
            }
        }
    } else {
        quote! { Err(tries.none_fits(#label, VARIANTS, &content)) }
    };
    let found = exactly_one.then(|| quote! { let mut found: Option<(usize, Self)> = None; });
    let content = if wide {
        quote! { support::Content::read_exact }
    } else {
        quote! { <support::Content<'de> as support::Read>::read }
    };
    reading(
        name,
        &quote! {
            use ::serde::de::IntoDeserializer;
            const VARIANTS: &[support::Variant] = &[#(#variants),*];
            let content = #content(deserializer)?;
            let mut tries = support::Tries::new();
            #found
            #(#tries)*
            #end
        },
    )
}
