//! Reads `#[tool]` and the function it stands before. What cannot be read is noted, and the rest goes on.

use crate::attribute::{Entries, Entry, Keys, text, ungrouped};
use crate::bounds::{Bounds, Of};
use crate::docs::Docs;
use crate::mistakes::{Mistakes, suggestion};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{Attribute, Expr, FnArg, Ident, ItemFn, LitStr, Pat, Path, Receiver, Token, Type};

/// A tool as the user wrote it.
pub(crate) struct Tool {
    pub(crate) attribute: ToolAttribute,
    pub(crate) docs: Docs,
    /// The function, without what only we understand.
    pub(crate) function: ItemFn,
    pub(crate) receiver: Option<Receiver>,
    pub(crate) parameters: Vec<Parameter>,
}

/// `#[tool(…)]`
#[derive(Default)]
pub(crate) struct ToolAttribute {
    pub(crate) name: Option<LitStr>,
    /// Why there is no name has been told.
    pub(crate) name_is_wrong: bool,
    pub(crate) title: Option<LitStr>,
    pub(crate) class: Option<Ident>,
    pub(crate) tags: Vec<LitStr>,
    pub(crate) deprecated: bool,
    pub(crate) version: Option<LitStr>,
    /// 64-bit integers of the result are JSON numbers.
    pub(crate) number: bool,
    /// Where the runtime is.
    pub(crate) runtime: Option<Path>,
}

/// A parameter of the function.
pub(crate) struct Parameter {
    pub(crate) pattern: Pat,
    pub(crate) ty: Type,
    pub(crate) docs: Docs,
    pub(crate) arg: ArgAttribute,
    /// `#[cfg]` before it.
    pub(crate) cfg: Option<Attribute>,
}

/// `#[arg(…)]`
#[derive(Default)]
pub(crate) struct ArgAttribute {
    /// The attribute, when there is one.
    pub(crate) written: Option<Attribute>,
    pub(crate) default: Option<Default>,
    pub(crate) range: Option<Bounds>,
    pub(crate) len: Option<Bounds>,
    pub(crate) pattern: Option<LitStr>,
    pub(crate) rename: Option<LitStr>,
    /// 64-bit integers are JSON numbers.
    pub(crate) number: bool,
}

/// The value of an argument that is not given.
pub(crate) enum Default {
    /// What the type says.
    OfType(Span),
    /// What the user says.
    Expr(Box<Expr>),
}

const TOOL: Keys = Keys {
    attribute: "#[tool]",
    known: &["title", "class", "tags", "deprecated", "version", "number", "crate"],
    later: &[
        "requires",
        "limits",
        "lenient",
        "timeout",
        "thread",
        "read_only",
        "destructive",
        "idempotent",
        "examples",
    ],
};

const ARG: Keys = Keys {
    attribute: "#[arg]",
    known: &["default", "range", "len", "pattern", "rename", "number"],
    later: &["alias", "flatten"],
};

const NO_ENTRY: &str = "expected `key` or `key = value`";

const CLASSES: &[&str] = &["sensor", "actuator", "generator"];

/// Reads both. `None` when there is no function.
pub(crate) fn tool(attribute: TokenStream, item: TokenStream, mistakes: &mut Mistakes) -> Option<Tool> {
    let mut function = match syn::parse2::<ItemFn>(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            not_a_function(item, error, mistakes);
            return None;
        }
    };
    let attribute = tool_attribute(attribute, mistakes);
    let docs = Docs::of(&function.attrs);
    let mut receiver = None;
    let mut parameters = Vec::new();
    for input in &mut function.sig.inputs {
        match input {
            FnArg::Receiver(found) => receiver = Some(found.clone()),
            FnArg::Typed(typed) => {
                let docs = Docs::of(&typed.attrs);
                let arg = arg_attribute(&typed.attrs, mistakes);
                let is_ours = |attribute: &Attribute| {
                    attribute.path().is_ident("doc") || attribute.path().is_ident("arg")
                };
                typed.attrs.retain(|attribute| !is_ours(attribute));
                let cfg = typed.attrs.iter().find(|attribute| attribute.path().is_ident("cfg")).cloned();
                let (pattern, ty) = ((*typed.pat).clone(), (*typed.ty).clone());
                parameters.push(Parameter { pattern, ty, docs, arg, cfg });
            }
        }
    }
    Some(Tool { attribute, docs, function, receiver, parameters })
}

fn not_a_function(item: TokenStream, error: syn::Error, mistakes: &mut Mistakes) {
    match syn::parse2::<syn::Item>(item.clone()) {
        // A function that syn keeps as tokens has no body, or syntax of tomorrow.
        Ok(syn::Item::Verbatim(tokens)) => {
            let is_fn = |token: &TokenTree| matches!(token, TokenTree::Ident(word) if word == "fn");
            let name = tokens.clone().into_iter().skip_while(|token| !is_fn(token)).nth(1);
            mistakes.on(name.map_or(tokens, TokenTree::into), "`#[tool]` needs a function with a body");
        }
        Ok(syn::Item::Impl(item)) => mistakes.on(
            item.impl_token,
            "`#[tool]` stands before a function; methods of an `impl` become tools with `#[ludwire::tools]`, \
             which is not there yet: write a free function that takes the state, `world: &mut World`",
        ),
        Ok(_) => mistakes
            .on(item.into_iter().next(), "`#[tool]` stands before a function; only functions can be tools"),
        Err(_) => mistakes.parsing(error),
    }
}

fn tool_attribute(tokens: TokenStream, mistakes: &mut Mistakes) -> ToolAttribute {
    let mut entries = Entries::parse(tokens, mistakes);
    let mut found = ToolAttribute::default();
    if let Some(first) = &entries.first {
        found.name = text(first);
        if found.name.is_none() {
            found.name_is_wrong = true;
            mistakes.on(first, "the name of a tool is a string literal: `#[tool(\"world/spawn\")]`");
        }
    }
    for stray in &entries.stray {
        if text(stray).is_some() && found.name.is_none() {
            found.name_is_wrong = true;
            mistakes.on(stray, "the name of a tool stands first: `#[tool(\"world/spawn\", …)]`");
        } else {
            mistakes.on(stray, NO_ENTRY);
        }
    }
    if let Some(index) = entries.entries.iter().position(|entry| entry.key == "name") {
        let wrong = entries.entries.remove(index);
        found.name_is_wrong = true;
        mistakes.on(wrong.key, "the name stands first, without a key: `#[tool(\"world/spawn\")]`");
    }
    for entry in entries.known(&TOOL, mistakes) {
        match entry.key.to_string().as_str() {
            "title" => found.title = entry.text("title = \"Spawn an orc\"", mistakes),
            "class" => found.class = class(&entry, mistakes),
            "tags" => found.tags = tags(&entry, mistakes),
            "deprecated" => found.deprecated = entry.flag(mistakes),
            "version" => found.version = entry.text("version = \"1.0\"", mistakes),
            "number" => found.number = entry.flag(mistakes),
            _ => found.runtime = path(&entry, mistakes),
        }
    }
    found
}

fn arg_attribute(attributes: &[Attribute], mistakes: &mut Mistakes) -> ArgAttribute {
    let mut found = ArgAttribute::default();
    let mut all = Entries::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("arg")) {
        match attribute.meta.require_list() {
            Ok(list) => {
                let entries = Entries::parse(list.tokens.clone(), mistakes);
                for stray in entries.first.iter().chain(&entries.stray) {
                    mistakes.on(stray, NO_ENTRY);
                }
                all.entries.extend(entries.entries);
            }
            Err(_) => mistakes.on(attribute, "`#[arg]` takes keys: `#[arg(default = 10, range = 1..=100)]`"),
        }
        found.written = Some(attribute.clone());
    }
    for entry in all.known(&ARG, mistakes) {
        match entry.key.to_string().as_str() {
            "default" => {
                found.default = match entry.value {
                    crate::attribute::Value::None => Some(Default::OfType(entry.key.span())),
                    _ => {
                        entry.expr("default = 10", mistakes).map(|expr| Default::Expr(Box::new(expr.clone())))
                    }
                }
            }
            "range" => {
                let expr = entry.expr("range = 1..=100", mistakes);
                found.range = expr.cloned().and_then(|expr| Bounds::parse(&expr, Of::Numbers, mistakes));
            }
            "len" => {
                let expr = entry.expr("len = 1..=200", mistakes);
                found.len = expr.cloned().and_then(|expr| Bounds::parse(&expr, Of::Lengths, mistakes));
            }
            "number" => found.number = entry.flag(mistakes),
            "pattern" => found.pattern = entry.text("pattern = \"^[a-z]+$\"", mistakes),
            _ => found.rename = entry.text("rename = \"label\"", mistakes),
        }
    }
    found
}

fn class(entry: &Entry, mistakes: &mut Mistakes) -> Option<Ident> {
    let expr = entry.expr("class = sensor", mistakes)?;
    let word = match ungrouped(expr) {
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    };
    match word {
        Some(word) if CLASSES.contains(&word.to_string().as_str()) => {
            let word = word.unraw().to_string();
            let (first, rest) = word.split_at(1);
            Some(format_ident!("{}{rest}", first.to_uppercase()))
        }
        Some(word) => {
            let hint = suggestion(&word.to_string(), CLASSES);
            mistakes.on(expr, format!("there is no class `{word}`; {hint}"));
            None
        }
        None => {
            mistakes
                .on(expr, format!("a class is one of the words `{}`, without quotes", CLASSES.join("`, `")));
            None
        }
    }
}

fn tags(entry: &Entry, mistakes: &mut Mistakes) -> Vec<LitStr> {
    let Some(expr) = entry.expr("tags = [\"spawn\"]", mistakes) else { return Vec::new() };
    let Expr::Array(array) = expr else {
        mistakes.on(expr, "`tags` takes a list: `tags = [\"spawn\"]`");
        return Vec::new();
    };
    let mut tags: Vec<LitStr> = Vec::new();
    for element in &array.elems {
        match text(element) {
            Some(tag) if tag.value().trim().is_empty() => mistakes.on(tag, "this tag is empty; leave it out"),
            Some(tag) if tags.iter().any(|other| other.value() == tag.value()) => {
                mistakes.on(tag, "this tag stands here twice; leave one out")
            }
            Some(tag) => tags.push(tag),
            None => mistakes.on(element, "a tag is a string literal"),
        }
    }
    tags
}

fn path(entry: &Entry, mistakes: &mut Mistakes) -> Option<Path> {
    let expr = entry.expr("crate = engine::ludwire", mistakes)?;
    match ungrouped(expr) {
        Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
        _ => {
            mistakes.on(expr, "`crate` takes the path of the crate: `crate = engine::ludwire`");
            None
        }
    }
}

impl Parameter {
    /// The name, where the pattern is one.
    pub(crate) fn ident(&self) -> Option<&Ident> {
        match &self.pattern {
            Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
                Some(&pattern.ident)
            }
            _ => None,
        }
    }

    /// The type behind the reference, and its `mut`.
    pub(crate) fn reference(&self) -> Option<(&Type, Option<Token![mut]>)> {
        match ungrouped_type(&self.ty) {
            Type::Reference(reference) => Some((&reference.elem, reference.mutability)),
            _ => None,
        }
    }

    /// The name in JSON, and where it is written.
    pub(crate) fn json_name(&self) -> Option<(String, Span)> {
        if let Some(rename) = &self.arg.rename {
            return Some((rename.value(), rename.span()));
        }
        self.ident().map(|ident| (ident.unraw().to_string(), ident.span()))
    }
}

/// `macro_rules!` puts what it captured into invisible groups.
pub(crate) fn ungrouped_type(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungrouped_type(&group.elem),
        Type::Paren(paren) => ungrouped_type(&paren.elem),
        other => other,
    }
}
