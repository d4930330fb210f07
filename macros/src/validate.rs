//! Checks a tool: every rule says what to do instead, on the tokens that break it.

use crate::attribute::text;
use crate::bounds::{Bounds, Number};
use crate::mistakes::Mistakes;
use crate::parse::{Default, Parameter, Tool};
use crate::types::{self, Spelled};
use proc_macro2::Span;
use quote::quote;
use std::collections::HashSet;
use syn::{Generics, LitStr, Pat, ReturnType, Safety, Signature, Type};

/// Longest name of a tool, in bytes.
const TOOL_NAME_LIMIT: usize = 64;
/// Longest name of an argument, in bytes: what the model providers take.
const ARGUMENT_NAME_LIMIT: usize = 64;

/// Checks everything that the tokens tell.
pub(crate) fn tool(tool: &Tool, mistakes: &mut Mistakes) {
    name(tool, mistakes);
    description(tool, mistakes);
    signature(&tool.function.sig, tool, mistakes);
    if let ReturnType::Type(_, ty) = &tool.function.sig.output {
        types::check_output(ty, mistakes);
    }
    states(tool, mistakes);
    let mut names = HashSet::new();
    for parameter in &tool.parameters {
        if let Some(cfg) = &parameter.cfg {
            mistakes.on(
                cfg,
                "a parameter of a tool cannot have `#[cfg]`; write two functions, each with its `#[cfg]`",
            );
        }
        match parameter.reference() {
            Some(_) => reference(parameter, &tool.function.sig.generics, mistakes),
            None => argument(parameter, &mut names, mistakes),
        }
    }
}

fn name(tool: &Tool, mistakes: &mut Mistakes) {
    let Some(literal) = &tool.attribute.name else {
        if !tool.attribute.name_is_wrong {
            let name = proposal(&tool.function.sig.ident.to_string());
            mistakes.at(Span::call_site(), format!("a tool needs a name: `#[tool(\"{name}\")]`"));
        }
        return;
    };
    let name = literal.value();
    if name.len() > TOOL_NAME_LIMIT {
        let length = name.len();
        mistakes.on(
            literal,
            format!("the name of a tool has at most {TOOL_NAME_LIMIT} bytes, this one has {length}"),
        );
    }
    if !is_tool_name(&name) {
        let proposal = proposal(&name);
        mistakes.on(
            literal,
            format!(
                "the name of a tool is two or more words with slashes between, matching \
                 `^[a-z][a-z0-9_-]*(/[a-z][a-z0-9_-]*)+$`: try `{proposal}`"
            ),
        );
    }
}

fn is_tool_name(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-'))
    };
    name.contains('/') && name.split('/').all(is_word)
}

/// The nearest name that is one.
fn proposal(name: &str) -> String {
    let mut words = vec![String::new()];
    let mut after_lowercase = false;
    for c in name.trim_start_matches("r#").chars() {
        let word = words.last_mut().expect("there is a word");
        match c {
            '/' | '.' | ':' | '\\' => words.push(String::new()),
            'A'..='Z' => {
                if after_lowercase {
                    word.push('_');
                }
                word.push(c.to_ascii_lowercase());
            }
            'a'..='z' => word.push(c),
            '0'..='9' | '_' | '-' if !word.is_empty() => word.push(c),
            _ if !word.is_empty() && !word.ends_with('_') => word.push('_'),
            _ => {}
        }
        after_lowercase = c.is_ascii_lowercase();
    }
    let mut words: Vec<&str> = words.iter().map(|word| word.trim_end_matches(['_', '-'])).collect();
    words.retain(|word| !word.is_empty());
    match words.as_slice() {
        [] => "world/spawn".to_owned(),
        [word] => format!("world/{word}"),
        words => words.join("/"),
    }
}

fn description(tool: &Tool, mistakes: &mut Mistakes) {
    if tool.docs.is_empty() {
        let name = &tool.function.sig.ident;
        mistakes.on(
            name,
            format!("agents choose a tool by its description: write a doc comment, `/// …`, on `{name}`"),
        );
    }
}

/// What a function must not be.
fn signature(signature: &Signature, tool: &Tool, mistakes: &mut Mistakes) {
    if let Some(receiver) = &tool.receiver {
        mistakes.on(
            receiver,
            "methods become tools in an `impl` with `#[ludwire::tools]`, which is not there yet: write a free \
             function that takes the state, `world: &mut World`",
        );
    }
    if let Some(constness) = &signature.constness {
        mistakes.on(constness, "a tool runs at run time only: leave out `const`");
    }
    if let Some(asyncness) = &signature.asyncness {
        let takes_state =
            tool.parameters.iter().any(|parameter| matches!(parameter.reference(), Some((_, Some(_)))));
        mistakes.on(asyncness, if takes_state {
            "a tool that takes the state as `&mut` cannot be `async`: the game does not stand still while it \
             waits; leave out `async`"
        } else {
            "async tools are not there yet: leave out `async`; a tool that takes no state runs on a worker \
             thread, where it may block"
        });
    }
    if let Safety::Unsafe(token) = &signature.safety {
        mistakes.on(token, "agents call a tool with any arguments, so it must be safe: leave out `unsafe`");
    }
    if let Some(abi) = &signature.abi {
        mistakes.on(abi, "a tool is a plain Rust function: leave out `extern`");
    }
    if let Some(variadic) = &signature.variadic {
        mistakes.on(variadic, "a tool has a fixed list of parameters; take a `Vec` for a list");
    }
    if let (true, Some(first)) = (signature.generics.lt_token.is_some(), signature.generics.params.first()) {
        let (params, where_clause) = (&signature.generics.params, &signature.generics.where_clause);
        let message = match first {
            syn::GenericParam::Lifetime(_)
                if params.iter().all(|p| matches!(p, syn::GenericParam::Lifetime(_))) =>
            {
                "a tool has no lifetime parameters: write references to the state without them"
            }
            _ => "a tool has one signature, which agents see: leave out type parameters, and name the types",
        };
        mistakes.on(quote!(#params #where_clause), message);
    }
}

/// At most one parameter is exclusive: the state. More is found by the types, in the expansion.
fn states(tool: &Tool, mistakes: &mut Mistakes) {
    let exclusive =
        tool.parameters.iter().filter(|parameter| matches!(parameter.reference(), Some((_, Some(_)))));
    for parameter in exclusive.skip(1) {
        mistakes.on(&parameter.ty, types::ONE_STATE);
    }
}

fn reference(parameter: &Parameter, generics: &Generics, mistakes: &mut Mistakes) {
    types::check_reference(&parameter.ty, generics, mistakes);
    if let Some(arg) = &parameter.arg.written {
        mistakes
            .on(arg, "`#[arg]` is for arguments, and a reference is none: it is the state, or the `&Call`");
    }
}

fn argument(parameter: &Parameter, names: &mut HashSet<String>, mistakes: &mut Mistakes) {
    types::check_argument(&parameter.ty, mistakes);
    match (&parameter.pattern, parameter.ident()) {
        (_, Some(_)) => {}
        (Pat::Wild(pattern), None) => {
            mistakes.on(pattern, "agents give arguments by name: write a name in place of `_`");
        }
        (pattern, None) => {
            mistakes.on(
                pattern,
                "agents give arguments by name: write a name here, and take it apart in the body",
            );
        }
    }
    if let Some((name, span)) = parameter.json_name() {
        argument_name(&name, span, mistakes);
        timeout(&name, &parameter.ty, mistakes);
        if !names.insert(name.clone()) {
            mistakes.at(span, format!("two arguments are named `{name}`; rename one"));
        }
    }
    bounds(parameter, mistakes);
    default(parameter, mistakes);
}

fn argument_name(name: &str, span: Span, mistakes: &mut Mistakes) {
    let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if name.is_empty() || name.len() > ARGUMENT_NAME_LIMIT || !name.chars().all(is_good) {
        mistakes.at(
            span,
            format!(
                "the name of an argument matches `^[a-zA-Z0-9_.-]{{1,{ARGUMENT_NAME_LIMIT}}}$`: rename it, or give \
                 its name to agents with `#[arg(rename = \"…\")]`"
            ),
        );
    }
}

/// Bridges read these arguments themselves, to know how long they wait. Types that are not spelled like
/// Rust's own are looked at when the tool is registered.
fn timeout(name: &str, ty: &Type, mistakes: &mut Mistakes) {
    let is_integer = matches!(Spelled::of(ty), Some(Spelled::Integer { .. }) | None);
    if matches!(name, "timeout" | "timeoutMs") && !is_integer {
        mistakes.on(
            ty,
            format!(
                "bridges read an argument named `{name}` as a whole number: take a `u32` or an `Option<u32>`, \
                 or rename it"
            ),
        );
    }
}

/// Whether `range`, `len` and `pattern` fit the type, as far as its spelling tells.
fn bounds(parameter: &Parameter, mistakes: &mut Mistakes) {
    let arg = &parameter.arg;
    let Some(spelled) = Spelled::of(&parameter.ty) else { return pattern(arg.pattern.as_ref(), mistakes) };
    if let Some(range) = &arg.range {
        match spelled {
            Spelled::Integer { name, least, greatest } => {
                let of_type = [least, greatest].map(Number::Integer);
                if let Some(wrong) =
                    range.ends().find(|end| !of_type[0].at_most(*end) || !end.at_most(of_type[1]))
                {
                    let message =
                        format!("`{name}` has no value {wrong}: it goes from {least} to {greatest}");
                    mistakes.on(&range.written, message);
                }
            }
            Spelled::Float => {}
            Spelled::Text => {
                mistakes.on(&range.written, "`range` is for numbers; the length of a text is `len`")
            }
            Spelled::List => {
                mistakes.on(&range.written, "`range` is for numbers; the length of a list is `len`")
            }
            Spelled::Other(name) => {
                mistakes.on(&range.written, format!("`range` is for numbers, not for `{name}`"))
            }
        }
    }
    if let Some(len) = &arg.len
        && !matches!(spelled, Spelled::Text | Spelled::List)
    {
        mistakes.on(&len.written, "`len` is for texts and lists; the least and greatest number is `range`");
    }
    match &arg.pattern {
        Some(pattern) if spelled != Spelled::Text => mistakes.on(pattern, "`pattern` is for texts"),
        written => pattern(written.as_ref(), mistakes),
    }
}

fn pattern(pattern: Option<&LitStr>, mistakes: &mut Mistakes) {
    if let Some(pattern) = pattern
        && let Err(error) = regress::Regex::with_flags(&pattern.value(), "u")
    {
        mistakes.on(pattern, format!("this is no ECMA-262 pattern: {error}"));
    }
}

/// Whether a literal default is one that an agent could give.
fn default(parameter: &Parameter, mistakes: &mut Mistakes) {
    let arg = &parameter.arg;
    let Some(Default::Expr(expr)) = &arg.default else { return };
    if let (Some(number), Some(range)) = (Number::of(expr), &arg.range)
        && !range.contains(number)
    {
        mistakes.on(expr, format!("the default lies outside of the range `{}`", source(range)));
    }
    let Some(text) = text(expr) else { return };
    let length = Number::Integer(text.value().chars().count() as i128);
    if let Some(len) = &arg.len
        && !len.contains(length)
    {
        mistakes
            .on(expr, format!("the default has {length} characters, which `len = {}` excludes", source(len)));
    }
    if let Some(pattern) = &arg.pattern
        && let Ok(regex) = regress::Regex::with_flags(&pattern.value(), "u")
        && regex.find(&text.value()).is_none()
    {
        mistakes.on(expr, format!("the default does not match the pattern `{}`", pattern.value()));
    }
}

/// A range as it is written.
fn source(bounds: &Bounds) -> String {
    let written = &bounds.written;
    quote!(#written).to_string().replace(' ', "")
}

#[cfg(test)]
mod tests {
    use super::{is_tool_name, proposal};

    #[test]
    fn proposals_are_names() {
        for (wrong, right) in [
            ("spawn", "world/spawn"),
            ("World/SpawnOrc", "world/spawn_orc"),
            ("world.spawn", "world/spawn"),
            ("world::spawn orc!", "world/spawn_orc"),
            ("/world/", "world/world"),
            ("9lives/7th", "lives/th"),
            ("größe/höhe", "gr_e/h_he"),
            ("r#type", "world/type"),
            ("", "world/spawn"),
        ] {
            assert!(!is_tool_name(wrong));
            assert_eq!(proposal(wrong), right);
            assert!(is_tool_name(right));
        }
    }
}
