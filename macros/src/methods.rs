//! Reads `#[tools]` and the `impl` it stands before.

use crate::attribute::{Entries, Keys, conditional};
use crate::keys::path;
use crate::mistakes::Mistakes;
use crate::parse::{Function, keyword, only_functions};
use crate::role::{Kind, Role};
use crate::types;
use proc_macro2::TokenStream;
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, ImplItemFn, ItemImpl, Meta, Path, Type};

/// An `impl` whose methods are tools, or what goes with them.
pub(crate) struct Methods {
    /// The `impl`, without what only we understand.
    pub(crate) item: ItemImpl,
    /// Each with its own mistakes, so that those of one do not hide the others.
    pub(crate) functions: Vec<(Function, Mistakes)>,
}

const TOOLS: Keys = Keys { attribute: "#[tools]", known: &["crate"] };

/// Reads both. `None` when there is no `impl`.
pub(crate) fn tools(attribute: TokenStream, item: TokenStream, mistakes: &mut Mistakes) -> Option<Methods> {
    let mut item = match syn::parse2::<ItemImpl>(item.clone()) {
        Ok(item) => item,
        Err(error) => {
            not_an_impl(item, error, mistakes);
            return None;
        }
    };
    let runtime = runtime(attribute, mistakes);
    let known = mistakes.count();
    suits(&item, mistakes);
    let suits = mistakes.count() == known;
    let shared = cfgs(&item.attrs);
    let owner = (*item.self_ty).clone();
    let mut functions = Vec::new();
    for item in &mut item.items {
        match item {
            ImplItem::Fn(method) => {
                let mut own = Mistakes::default();
                if let Some(function) = method_function(method, &owner, &shared, runtime.as_ref(), &mut own) {
                    functions.push((function, own));
                }
            }
            ImplItem::Const(item) => not_a_method(&mut item.attrs, mistakes),
            ImplItem::Type(item) => not_a_method(&mut item.attrs, mistakes),
            ImplItem::Macro(item) => not_a_method(&mut item.attrs, mistakes),
            _ => {}
        }
    }
    if functions.is_empty() && mistakes.is_empty() {
        mistakes.on(
            item.impl_token,
            "no method here is a tool: write `#[tool(\"…\")]` on those that agents may call",
        );
    }
    // Of what suits nothing, nothing follows.
    functions.retain(|_| suits);
    Some(Methods { item, functions })
}

fn not_an_impl(item: TokenStream, error: syn::Error, mistakes: &mut Mistakes) {
    match syn::parse2::<syn::Item>(item) {
        Ok(syn::Item::Fn(function)) => mistakes.on(
            function.sig.fn_token,
            "`#[tools]` stands before an `impl`; a function becomes a tool with `#[tool(\"…\")]`",
        ),
        Ok(item) => {
            mistakes.on(keyword(&item), "`#[tools]` stands before an `impl`, whose methods then can be tools")
        }
        Err(_) => mistakes.parsing(error),
    }
}

fn runtime(attribute: TokenStream, mistakes: &mut Mistakes) -> Option<Path> {
    let entries = Entries::parse(attribute, mistakes);
    for stray in entries.first.iter().chain(&entries.stray) {
        mistakes.on(stray, "names stand on the methods: `#[tool(\"…\")]`");
    }
    let known = entries.known(&TOOLS, mistakes);
    known.first().and_then(|entry| path(entry, mistakes))
}

/// Whether tools can be made of an `impl`: it is of one type, and that type's own.
fn suits(item: &ItemImpl, mistakes: &mut Mistakes) {
    if let Some((path, _)) = &item.trait_ {
        mistakes.on(
            path,
            "methods of a trait are not tools: write an `impl` of the type itself, whose methods call these",
        );
    }
    if item.generics.lt_token.is_some() && !item.generics.params.is_empty() {
        let params = &item.generics.params;
        mistakes.on(
            params,
            "a tool has one signature, which agents see: write an `impl` of one type, without parameters",
        );
    } else {
        types::check_owner(&item.self_ty, mistakes);
    }
}

fn not_a_method(attributes: &mut Vec<Attribute>, mistakes: &mut Mistakes) {
    attributes.retain(|attribute| {
        let kind = Kind::of(attribute.path());
        if let Some(kind) = kind {
            mistakes.on(attribute, only_functions(kind));
        }
        kind.is_none()
    });
}

fn method_function(
    method: &mut ImplItemFn,
    owner: &Type,
    shared: &[Attribute],
    runtime: Option<&Path>,
    mistakes: &mut Mistakes,
) -> Option<Function> {
    let (kind, meta, conditions) = take_attribute(&mut method.attrs)?;
    let mut role = Role::of(kind, &meta, mistakes);
    role.set_runtime(runtime);
    let mut function = Function::parse(role, meta.span(), &mut method.attrs, &mut method.sig, mistakes);
    function.owner = Some(owner.clone());
    function.cfgs = shared.iter().cloned().chain(conditions).chain(cfgs(&method.attrs)).collect();
    Some(function)
}

/// Takes the first attribute of ours, also out of a `#[cfg_attr]`, with the conditions of that.
fn take_attribute(attributes: &mut Vec<Attribute>) -> Option<(Kind, Meta, Vec<Attribute>)> {
    if let Some((index, kind)) = attributes
        .iter()
        .enumerate()
        .find_map(|(index, attribute)| Some((index, Kind::of(attribute.path())?)))
    {
        return Some((kind, attributes.remove(index).meta, Vec::new()));
    }
    let (index, predicate, mut metas) = attributes.iter().enumerate().find_map(|(index, attribute)| {
        let (predicate, metas) = conditional(attribute)?;
        let metas: Vec<Meta> = metas.into_iter().collect();
        metas.iter().any(|meta| Kind::of(meta.path()).is_some()).then_some((index, predicate, metas))
    })?;
    let (at, kind) =
        metas.iter().enumerate().find_map(|(index, meta)| Some((index, Kind::of(meta.path())?)))?;
    let taken = metas.remove(at);
    attributes[index] = syn::parse_quote!(#[cfg_attr(#predicate, #(#metas),*)]);
    Some((kind, taken, vec![syn::parse_quote!(#[cfg(#predicate)])]))
}

/// What says under which conditions an item is there.
fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    let mut found = Vec::new();
    for attribute in attributes {
        if attribute.path().is_ident("cfg") {
            found.push(attribute.clone());
        } else if let Some((predicate, metas)) = conditional(attribute) {
            let metas: Vec<Meta> = metas.into_iter().filter(|meta| meta.path().is_ident("cfg")).collect();
            found.push(syn::parse_quote!(#[cfg_attr(#predicate, #(#metas),*)]));
        }
    }
    found
}
