//! Reads `#[tools]` and the `impl` it stands before.

use crate::attribute::{Entries, Keys, conditional, is_tool};
use crate::keys::{ToolAttribute, path, tool_attribute};
use crate::mistakes::Mistakes;
use crate::parse::Tool;
use crate::types;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Attribute, ImplItem, ImplItemFn, ItemImpl, Meta, Path, Type};

/// An `impl` whose methods are tools.
pub(crate) struct Methods {
    /// The `impl`, without what only we understand.
    pub(crate) item: ItemImpl,
    /// Each with its own mistakes, so that those of one do not hide the others.
    pub(crate) tools: Vec<(Tool, Mistakes)>,
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
    let mut tools = Vec::new();
    for item in &mut item.items {
        match item {
            ImplItem::Fn(method) => {
                let mut own = Mistakes::default();
                if let Some(tool) = method_tool(method, &owner, &shared, runtime.as_ref(), &mut own) {
                    tools.push((tool, own));
                }
            }
            ImplItem::Const(item) => not_a_method(&mut item.attrs, mistakes),
            ImplItem::Type(item) => not_a_method(&mut item.attrs, mistakes),
            ImplItem::Macro(item) => not_a_method(&mut item.attrs, mistakes),
            _ => {}
        }
    }
    if tools.is_empty() && mistakes.is_empty() {
        mistakes.on(
            item.impl_token,
            "no method here is a tool: write `#[tool(\"…\")]` on those that agents may call",
        );
    }
    // Of what suits nothing, nothing follows.
    tools.retain(|_| suits);
    Some(Methods { item, tools })
}

fn not_an_impl(item: TokenStream, error: syn::Error, mistakes: &mut Mistakes) {
    match syn::parse2::<syn::Item>(item) {
        Ok(syn::Item::Fn(function)) => mistakes.on(
            function.sig.fn_token,
            "`#[tools]` stands before an `impl`; a function becomes a tool with `#[tool(\"…\")]`",
        ),
        Ok(item) => mistakes.on(
            quote!(#item).into_iter().next(),
            "`#[tools]` stands before an `impl`, whose methods then can be tools",
        ),
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
        if is_tool(attribute.path()) {
            mistakes.on(attribute, "`#[tool]` stands before a function; only functions can be tools");
        }
        !is_tool(attribute.path())
    });
}

fn method_tool(
    method: &mut ImplItemFn,
    owner: &Type,
    shared: &[Attribute],
    runtime: Option<&Path>,
    mistakes: &mut Mistakes,
) -> Option<Tool> {
    let (meta, conditions) = take_tool(&mut method.attrs)?;
    let mut attribute = match &meta {
        Meta::Path(_) => tool_attribute(TokenStream::new(), mistakes),
        Meta::List(list) => tool_attribute(list.tokens.clone(), mistakes),
        Meta::NameValue(_) => {
            mistakes.on(&meta, "the name of a tool stands in brackets: `#[tool(\"world/spawn\")]`");
            ToolAttribute { name_is_wrong: true, ..ToolAttribute::default() }
        }
    };
    attribute.runtime = attribute.runtime.or_else(|| runtime.cloned());
    let mut tool = Tool::parse(attribute, meta.span(), &mut method.attrs, &mut method.sig, mistakes);
    tool.owner = Some(owner.clone());
    tool.cfgs = shared.iter().cloned().chain(conditions).chain(cfgs(&method.attrs)).collect();
    Some(tool)
}

/// Takes `#[tool]` out of the attributes, also out of a `#[cfg_attr]`, with the conditions of that.
fn take_tool(attributes: &mut Vec<Attribute>) -> Option<(Meta, Vec<Attribute>)> {
    if let Some(index) = attributes.iter().position(|attribute| is_tool(attribute.path())) {
        return Some((attributes.remove(index).meta, Vec::new()));
    }
    let (index, predicate, metas) = attributes.iter().enumerate().find_map(|(index, attribute)| {
        let (predicate, metas) = conditional(attribute)?;
        metas.iter().any(|meta| is_tool(meta.path())).then_some((index, predicate, metas))
    })?;
    let (tool, others): (Vec<Meta>, Vec<Meta>) = metas.into_iter().partition(|meta| is_tool(meta.path()));
    attributes[index] = syn::parse_quote!(#[cfg_attr(#predicate, #(#others),*)]);
    Some((tool.into_iter().next()?, vec![syn::parse_quote!(#[cfg(#predicate)])]))
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
