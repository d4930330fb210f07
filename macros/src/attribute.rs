//! Attributes as a list of keys with values.

use crate::mistakes::{Mistakes, suggestion};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, ExprUnary, Ident, Lit, LitStr, Meta, Token, UnOp, token};

/// `key`, `key = value`, or `key(…)`
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

/// What follows a key.
pub(crate) enum Value {
    /// Nothing.
    None,
    /// `= expression`
    Expr(Box<Expr>),
    /// `(…)`
    List(TokenStream),
    /// `= anything`, up to the comma, of a key whose value is no Rust.
    Tokens(TokenStream),
}

/// An attribute, read without knowing its keys.
#[derive(Default)]
pub(crate) struct Entries {
    /// What stands before the first comma, if it is no entry.
    pub(crate) first: Option<Expr>,
    /// What else is no entry.
    pub(crate) stray: Vec<Expr>,
    pub(crate) entries: Vec<Entry>,
}

/// The keys of an attribute.
pub(crate) struct Keys {
    /// `#[arg]`
    pub(crate) attribute: &'static str,
    pub(crate) known: &'static [&'static str],
}

impl Entries {
    /// Reads as much as can be read.
    pub(crate) fn parse(tokens: TokenStream, mistakes: &mut Mistakes) -> Self {
        let known = mistakes.count();
        let mut found = Self::default();
        let parse = |input: ParseStream<'_>| {
            let mut is_first = true;
            while !input.is_empty() {
                found.parse_one(input, is_first, mistakes)?;
                is_first = false;
                if !input.is_empty() && !input.peek(Token![,]) {
                    mistakes.at(input.span(), "expected a comma here");
                    skip(input)?;
                }
                input.parse::<Option<Token![,]>>()?;
            }
            Ok(())
        };
        // The parser also complains of tokens left in brackets; then their mistake is known already.
        if let Err(error) = parse.parse2(tokens)
            && mistakes.count() == known
        {
            mistakes.parsing(error);
        }
        found
    }

    fn parse_one(
        &mut self,
        input: ParseStream<'_>,
        is_first: bool,
        mistakes: &mut Mistakes,
    ) -> syn::Result<()> {
        if is_entry(input) {
            let key = Ident::parse_any(input)?;
            match value(&key, input) {
                Ok(value) => self.entries.push(Entry { key, value }),
                Err(error) => {
                    mistakes.parsing(error);
                    skip(input)?;
                }
            }
            return Ok(());
        }
        match input.parse::<Expr>() {
            Ok(expr) if is_first => self.first = Some(expr),
            Ok(expr) => self.stray.push(expr),
            Err(error) => {
                mistakes.parsing(error);
                skip(input)?;
            }
        }
        Ok(())
    }

    /// The entries whose keys are known, each once; the others are mistakes.
    pub(crate) fn known(self, keys: &Keys, mistakes: &mut Mistakes) -> Vec<Entry> {
        let mut kept: Vec<Entry> = Vec::new();
        for entry in self.entries {
            let key = entry.key.to_string();
            if !keys.known.contains(&key.as_str()) {
                let hint = suggestion(&key, keys.known);
                mistakes.on(&entry.key, format!("`{}` has no key `{key}`; {hint}", keys.attribute));
            } else if kept.iter().any(|other| other.key == entry.key) {
                mistakes.on(&entry.key, format!("`{key}` is given twice; leave one out"));
            } else {
                kept.push(entry);
            }
        }
        kept
    }
}

impl Entry {
    /// The value, which must be there. `example` is the whole entry, written well.
    pub(crate) fn expr(&self, example: &str, mistakes: &mut Mistakes) -> Option<&Expr> {
        match &self.value {
            Value::Expr(expr) => Some(ungrouped(expr)),
            Value::None => {
                mistakes.on(&self.key, format!("`{}` needs a value: `{example}`", self.key));
                None
            }
            Value::List(list) | Value::Tokens(list) => {
                mistakes
                    .on(list, format!("`{}` takes its value after an equals sign: `{example}`", self.key));
                None
            }
        }
    }

    /// The value, which must be a text that is not blank.
    pub(crate) fn text(&self, example: &str, mistakes: &mut Mistakes) -> Option<LitStr> {
        let expr = self.expr(example, mistakes)?;
        let text = text(expr);
        match &text {
            None => mistakes.on(expr, format!("`{}` takes a string literal: `{example}`", self.key)),
            Some(text) if text.value().trim().is_empty() => {
                mistakes.on(text, format!("`{}` is empty; write one or leave it out", self.key));
                return None;
            }
            Some(_) => {}
        }
        text
    }

    /// A key that stands alone.
    pub(crate) fn flag(&self, mistakes: &mut Mistakes) -> bool {
        match &self.value {
            Value::None => true,
            Value::Expr(expr) => {
                mistakes.on(expr, format!("`{0}` takes no value; write `{0}`, or leave it out", self.key));
                false
            }
            Value::List(list) | Value::Tokens(list) => {
                mistakes.on(list, format!("`{0}` takes no value; write `{0}`, or leave it out", self.key));
                false
            }
        }
    }
}

/// `macro_rules!` puts what it captured into invisible groups.
pub(crate) fn ungrouped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungrouped(&group.expr),
        Expr::Paren(paren) => ungrouped(&paren.expr),
        other => other,
    }
}

/// A string literal.
pub(crate) fn text(expr: &Expr) -> Option<LitStr> {
    match ungrouped(expr) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.clone()),
        _ => None,
    }
}

/// A literal, perhaps with a minus.
pub(crate) fn literal(expr: &Expr) -> Option<(bool, &Lit)> {
    match ungrouped(expr) {
        Expr::Lit(literal) => Some((false, &literal.lit)),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => match ungrouped(expr) {
            Expr::Lit(literal) => Some((true, &literal.lit)),
            _ => None,
        },
        _ => None,
    }
}

fn is_entry(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    Ident::parse_any(&ahead).is_ok()
        && (ahead.is_empty()
            || ahead.peek(Token![,])
            || ahead.peek(token::Paren)
            || ahead.peek(Lit)
            || (ahead.peek(Token![=]) && !ahead.peek(Token![==])))
}

fn value(key: &Ident, input: ParseStream<'_>) -> syn::Result<Value> {
    if input.peek(token::Paren) {
        let list;
        let paren = syn::parenthesized!(list in input);
        let inside: TokenStream = list.parse()?;
        let mut group = proc_macro2::Group::new(proc_macro2::Delimiter::Parenthesis, inside);
        group.set_span(paren.span.join());
        return Ok(Value::List(group.into_token_stream()));
    }
    if input.parse::<Option<Token![=]>>()?.is_none() {
        if input.is_empty() || input.peek(Token![,]) {
            return Ok(Value::None);
        }
        return Err(input.error("expected `=` before the value"));
    }
    if key == VERBATIM {
        return Ok(Value::Tokens(skip(input)?));
    }
    input.parse().map(|expr| Value::Expr(Box::new(expr)))
}

/// The key whose value is JSON.
const VERBATIM: &str = "examples";

/// The parts of `#[cfg_attr(predicate, attributes…)]`.
pub(crate) fn conditional(attribute: &Attribute) -> Option<(Meta, Punctuated<Meta, Token![,]>)> {
    if !attribute.path().is_ident("cfg_attr") {
        return None;
    }
    let Meta::List(list) = &attribute.meta else { return None };
    let parse = |input: ParseStream<'_>| {
        let predicate = input.parse()?;
        input.parse::<Option<Token![,]>>()?;
        Ok((predicate, Punctuated::parse_terminated(input)?))
    };
    parse.parse2(list.tokens.clone()).ok()
}

/// Goes on at the next comma; what stands before it.
fn skip(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut skipped = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        skipped.extend([input.parse::<proc_macro2::TokenTree>()?]);
    }
    Ok(skipped)
}
