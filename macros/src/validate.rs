//! Checks a function: every rule says what to do instead, on the tokens that break it.

use crate::attribute::text;
use crate::bounds::{Bounds, Number};
use crate::keys::{Default, Switch, Thread, ToolAttribute};
use crate::mistakes::Mistakes;
use crate::names::{self, First};
use crate::parse::{Function, Parameter};
use crate::role::{Kind, Role};
use crate::types::{self, Spelled};
use crate::{resource, state};
use proc_macro2::Span;
use quote::{ToTokens as _, quote};
use std::collections::HashSet;
use syn::{LitStr, Pat, ReturnType, Safety, Signature, Type};

/// Longest name of an argument, in bytes: what the model providers take.
const ARGUMENT_NAME_LIMIT: usize = 64;

/// What agents would only miss is a mistake, too.
pub(crate) const REQUIRES_DOCS: bool = cfg!(feature = "require-docs");

/// Checks everything that the tokens tell.
pub(crate) fn function(function: &Function, mistakes: &mut Mistakes) {
    if let Role::Tool(attribute) = &function.role {
        match &attribute.name {
            First::Text(name) => names::check(name, &names::TOOL, mistakes),
            First::Wrong => {}
            First::Missing => {
                names::missing(&function.signature.ident.to_string(), function.at, &names::TOOL, mistakes);
            }
        }
    }
    description(function, mistakes);
    signature(&function.signature, function, mistakes);
    if let ReturnType::Type(_, ty) = &function.signature.output {
        types::check_output(ty, function.noun(), function.owner.is_some(), mistakes);
    }
    match &function.role {
        Role::Tool(attribute) => keys(function, attribute, mistakes),
        Role::Resource(attribute) => resource::check(function, attribute, mistakes),
        Role::State(attribute) => state::check_state(function, attribute, mistakes),
        Role::Observe(_) => state::check_observation(function, mistakes),
    }
    states(function, mistakes);
    let mut names = HashSet::new();
    for parameter in &function.parameters {
        if let Some(cfg) = &parameter.cfg {
            mistakes.on(
                cfg,
                "what agents see of a parameter cannot hang on a `#[cfg]`; write two functions, each with its `#[cfg]`",
            );
        }
        match parameter.reference() {
            Some(_) => reference(parameter, function, mistakes),
            None => argument(parameter, function, &mut names, mistakes),
        }
    }
}

fn description(function: &Function, mistakes: &mut Mistakes) {
    // Agents see no description of the others.
    let is_seen = match &function.role {
        Role::Tool(_) | Role::Resource(_) => true,
        Role::State(attribute) => !attribute.write,
        Role::Observe(_) => false,
    };
    if is_seen && function.docs.is_empty() {
        let (name, noun) = (&function.signature.ident, function.noun());
        mistakes.on(
            name,
            format!("agents choose {noun} by its description: write a doc comment, `/// …`, on `{name}`"),
        );
    }
}

/// What a function must not be.
fn signature(signature: &Signature, function: &Function, mistakes: &mut Mistakes) {
    let noun = function.noun();
    if let Some(receiver) = &function.consumed {
        mistakes.on(
            receiver,
            if function.owner.is_some() {
                format!("the game goes on after {noun}: take the state as `&self` or `&mut self`")
            } else {
                types::TOOLS_ON_IMPL.to_owned()
            },
        );
    }
    if let Some(constness) = &signature.constness {
        mistakes.on(constness, format!("{noun} runs at run time only: leave out `const`"));
    }
    if let Some(asyncness) = &signature.asyncness
        && matches!(function.kind(), Kind::Tool | Kind::Resource)
        && let Some(parameter) = takes_state(function)
    {
        let what = noun.trim_start_matches("a ");
        let call = "`call: &Call`, and `call.on_game(|world: &mut World| …).await` where it needs the state";
        mistakes.on(
            if parameter.is_receiver() {
                parameter.ty.to_token_stream()
            } else {
                asyncness.to_token_stream()
            },
            format!(
                "an `async` {what} cannot take the game's state: the game does not stand still while it waits; \
                 take {call}"
            ),
        );
    }
    if let Safety::Unsafe(token) = &signature.safety {
        mistakes.on(
            token,
            if function.kind() == Kind::Tool {
                "agents call a tool with any arguments, so it must be safe: leave out `unsafe`".to_owned()
            } else {
                format!("agents ask for {noun} whenever they like, so it must be safe: leave out `unsafe`")
            },
        );
    }
    if let Some(abi) = &signature.abi {
        mistakes.on(abi, format!("{noun} is a plain Rust function: leave out `extern`"));
    }
    if let Some(variadic) = &signature.variadic {
        mistakes.on(variadic, format!("{noun} has a fixed list of parameters; take a `Vec` for a list"));
    }
    if let (true, Some(first)) = (signature.generics.lt_token.is_some(), signature.generics.params.first()) {
        let (params, where_clause) = (&signature.generics.params, &signature.generics.where_clause);
        let message = match first {
            syn::GenericParam::Lifetime(_)
                if params.iter().all(|p| matches!(p, syn::GenericParam::Lifetime(_))) =>
            {
                format!("{noun} has no lifetime parameters: write references to the state without them")
            }
            _ => format!(
                "{noun} has one signature, which agents see: leave out type parameters, and name the types"
            ),
        };
        mistakes.on(quote!(#params #where_clause), message);
    }
}

/// A parameter that must be the state, as far as tokens tell.
fn takes_state(function: &Function) -> Option<&Parameter> {
    let is_state = |parameter: &&Parameter| {
        parameter.reference().is_some_and(|(target, exclusive)| {
            parameter.is_receiver() || (exclusive.is_some() && !types::is_lent(target))
        })
    };
    function.parameters.iter().find(is_state)
}

/// What keys say that contradicts the signature, or each other.
fn keys(tool: &Function, attribute: &ToolAttribute, mistakes: &mut Mistakes) {
    if let Some((thread, word)) = &attribute.thread {
        if tool.signature.asyncness.is_some() {
            let message = "an `async` tool runs on the async runtime, where it may not block: leave out `thread`, \
                           or `async`";
            mistakes.on(word, message);
        } else if *thread == Thread::Worker && takes_state(tool).is_some() {
            let message = "a tool that takes the game's state runs on the game's thread: leave out `thread`";
            mistakes.on(word, message);
        }
    }
    let is_on = |switch: &Option<Switch>| switch.as_ref().is_some_and(|switch| switch.on);
    if let Some(destructive) = attribute.destructive.as_ref().filter(|switch| switch.on) {
        if is_on(&attribute.read_only) {
            mistakes.on(&destructive.key, "what is `read_only` destroys nothing: leave one out");
        } else if attribute.class.as_ref().is_some_and(|class| class == "Sensor") {
            mistakes.on(&destructive.key, "a sensor only looks, and destroys nothing: leave out one");
        }
    }
}

/// At most one parameter is exclusive: the state. More is found by the types, in the expansion.
fn states(function: &Function, mistakes: &mut Mistakes) {
    let exclusive = |parameter: &&Parameter| {
        parameter
            .reference()
            .is_some_and(|(target, exclusive)| exclusive.is_some() && !types::is_lent(target))
    };
    for parameter in function.parameters.iter().filter(exclusive).skip(1) {
        mistakes.on(&parameter.ty, types::one_state(function.noun()));
    }
}

fn reference(parameter: &Parameter, function: &Function, mistakes: &mut Mistakes) {
    let in_impl = function.owner.is_some();
    if parameter.is_receiver() && !in_impl {
        mistakes.on(&parameter.ty, types::TOOLS_ON_IMPL);
        return;
    }
    types::check_reference(&parameter.ty, &function.signature.generics, in_impl, mistakes);
    if let Some(arg) = &parameter.arg.written {
        mistakes
            .on(arg, "`#[arg]` is for arguments, and a reference is none: it is the state, or the `&Call`");
    }
}

fn argument(
    parameter: &Parameter,
    function: &Function,
    names: &mut HashSet<String>,
    mistakes: &mut Mistakes,
) {
    let (ty, lent) = (&parameter.ty, parameter.lent.as_ref());
    types::check_argument(ty, lent, function.owner.is_some(), mistakes);
    if lent.is_some() {
        types::check_lifetime(ty, &function.signature.generics, mistakes);
    }
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
    if let Some(flatten) = parameter.arg.flatten {
        flattened(parameter, flatten, mistakes);
        return;
    }
    let is_seen = match function.kind() {
        Kind::Tool | Kind::Resource => true,
        // The player is the protocol's.
        Kind::State => parameter.json_name().is_none_or(|(name, _)| name != state::PLAYER),
        Kind::Observe => false,
    };
    if let Some(name) = parameter.ident().filter(|_| REQUIRES_DOCS && is_seen && parameter.docs.is_empty()) {
        mistakes.on(
            name,
            format!("agents choose the value by its description: write a doc comment, `/// …`, on `{name}`"),
        );
    }
    let aliases = parameter.arg.aliases.iter().map(|alias| (alias.value(), alias.span()));
    for (name, span) in parameter.json_name().into_iter().chain(aliases) {
        argument_name(&name, span, mistakes);
        timeout(&name, &parameter.ty, mistakes);
        if !names.insert(name.clone()) {
            mistakes.at(span, format!("two arguments are named `{name}`; rename one"));
        }
    }
    bounds(parameter, mistakes);
    default(parameter, mistakes);
}

/// An argument without a name of its own.
fn flattened(parameter: &Parameter, flatten: Span, mistakes: &mut Mistakes) {
    let arg = &parameter.arg;
    let others = [
        ("default", arg.default.is_some()),
        ("range", arg.range.is_some()),
        ("len", arg.len.is_some()),
        ("pattern", arg.pattern.is_some()),
        ("rename", arg.rename.is_some()),
        ("alias", !arg.aliases.is_empty()),
        ("number", arg.number),
    ];
    for (key, _) in others.iter().filter(|(_, is_given)| *is_given) {
        mistakes.at(
            flatten,
            format!("`flatten` goes without `{key}`: the fields of the struct say it, each for itself"),
        );
    }
    if parameter.lent.is_some() || types::is_option(&parameter.ty) || Spelled::of(&parameter.ty).is_some() {
        mistakes.on(&parameter.ty, "`flatten` is for structs, whose fields then are arguments");
    }
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
