//! `#[derive(Event)]`: reads the struct, checks it, and writes what declares it.

use crate::attribute::{Entries, Keys};
use crate::docs::Docs;
use crate::keys::path;
use crate::mistakes::Mistakes;
use crate::names::{self, First, Named, first};
use crate::tokens::{code, here, located};
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::{Data, DeriveInput, Fields, GenericParam, Path};

/// `#[event(…)]`
#[derive(Default)]
struct Attribute {
    channel: First,
    /// 64-bit integers of the payload are JSON numbers.
    number: bool,
    runtime: Option<Path>,
}

const EVENT: Keys = Keys { attribute: "#[event]", known: &["number", "crate"] };

const CHANNEL: Named = Named {
    what: "the channel of an event",
    needed: "an event needs a channel",
    attribute: "event",
    key: "channel",
    example: "unit/moved",
    words: 2,
};

/// What declares an event, or its mistakes.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let item = match syn::parse2::<DeriveInput>(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let attribute = attribute(&item, &mut mistakes);
    let docs = Docs::of(&item.attrs);
    check(&item, &attribute, &docs, &mut mistakes);
    if !mistakes.is_empty() {
        return mistakes.into_items();
    }
    expand(&item, &attribute, &docs)
}

fn attribute(item: &DeriveInput, mistakes: &mut Mistakes) -> Attribute {
    let mut found = Attribute::default();
    for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("event")) {
        if !matches!(found.channel, First::Missing) {
            mistakes.on(attribute, "an event has one channel: leave out this attribute");
            continue;
        }
        let list = match &attribute.meta {
            syn::Meta::List(list) => list.tokens.clone(),
            meta => {
                found.channel = First::Wrong;
                mistakes.on(meta, "the channel of an event stands in brackets: `#[event(\"unit/moved\")]`");
                continue;
            }
        };
        let mut entries = Entries::parse(list, mistakes);
        found.channel = first(&mut entries, &CHANNEL, &EVENT, mistakes);
        for entry in entries.known(&EVENT, mistakes) {
            if entry.key == "number" {
                found.number = entry.flag(mistakes);
            } else {
                found.runtime = path(&entry, mistakes);
            }
        }
    }
    found
}

fn check(item: &DeriveInput, attribute: &Attribute, docs: &Docs, mistakes: &mut Mistakes) {
    let ident = &item.ident;
    match &attribute.channel {
        First::Text(channel) => {
            names::check(channel, &CHANNEL, mistakes);
            if channel.value().starts_with("attention/") {
                mistakes.on(
                    channel,
                    "the channels `attention/…` belong to the protocol: begin with another word",
                );
            }
        }
        First::Wrong => {}
        First::Missing => names::missing(&parted(&ident.to_string()), ident.span(), &CHANNEL, mistakes),
    }
    if docs.is_empty() {
        mistakes.on(
            ident,
            format!("agents choose an event by its description: write a doc comment, `/// …`, on `{ident}`"),
        );
    }
    const OBJECT: &str = "the payload of an event is an object";
    match &item.data {
        Data::Struct(data) => {
            if let Fields::Unnamed(fields) = &data.fields {
                mistakes.on(fields, format!("{OBJECT}: give the fields names, `{ident} {{ … }}`"));
            }
        }
        Data::Enum(data) => mistakes.on(
            data.enum_token,
            format!("{OBJECT}: derive `Event` for a struct, in which an enum can stand, or for one struct a variant"),
        ),
        Data::Union(data) => {
            mistakes.on(data.union_token, format!("{OBJECT}, and a union cannot be written: take a struct"))
        }
    }
    for param in &item.generics.params {
        if !matches!(param, GenericParam::Lifetime(_)) {
            mistakes.on(
                param,
                "an event has one payload, which agents see: leave out type parameters, and name the types",
            );
        }
    }
}

/// `UnitMoved` as `Unit/Moved`.
fn parted(name: &str) -> String {
    match name.char_indices().skip(1).find(|(_, c)| c.is_uppercase()) {
        Some((at, _)) => format!("{}/{}", &name[..at], &name[at..]),
        None => name.to_owned(),
    }
}

fn expand(item: &DeriveInput, attribute: &Attribute, docs: &Docs) -> TokenStream {
    let runtime = attribute.runtime.as_ref().map_or_else(|| code!(::ludwire), |path| code!(#path));
    let p = code!(#runtime::private);
    let (ident, number) = (&item.ident, attribute.number);
    let channel = attribute.channel.text();
    let description = docs.text();
    let with = |lifetime: &str| {
        let lifetimes = item.generics.lifetimes().map(|_| syn::Lifetime::new(lifetime, Span::call_site()));
        if item.generics.params.is_empty() { code!(#ident) } else { code!(#ident<#(#lifetimes),*>) }
    };
    // What a payload borrows is in no schema.
    let (any, lasting) = (with("'_"), with("'static"));
    let location = quote_spanned! {channel.span()=>
        file: ::core::file!(), line: ::core::line!(), column: ::core::column!(),
    };
    // What the type must implement is asked for here and nowhere else, so that a type that lacks it is one
    // error.
    let at = here(ident);
    let payload = located(&p, at);
    let payload = quote_spanned!(at=> #payload::Payload::new());
    code! {
        const _: () = {
            impl #p::Event for #any {
                const CHANNEL: &'static str = #channel;

                fn declaration() -> &'static #p::Declaration {
                    static DECLARATION: #p::Declaration = #p::Declaration::of::<#lasting>(
                        #description,
                        #p::Location { #location },
                        #number,
                    );
                    &DECLARATION
                }

                fn payload() -> #p::Payload<Self> {
                    #payload
                }
            }
            #p::inventory::submit! {
                #p::Declared(<#lasting as #p::Event>::declaration)
            }
        };
    }
}
