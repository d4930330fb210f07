//! The keys of `#[tool]` and `#[arg]`, and what they say.

use crate::attribute::{Entries, Entry, Keys, Value, literal, text, ungrouped};
use crate::bounds::{Bounds, Number, Of};
use crate::json;
use crate::mistakes::{Mistakes, suggestion};
use crate::names::{self, First, first};
use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens as _, format_ident};
use std::time::Duration;
use syn::ext::IdentExt;
use syn::{Attribute, Expr, Ident, Lit, LitStr, Path};

/// `#[tool(…)]`
#[derive(Default)]
pub(crate) struct ToolAttribute {
    pub(crate) name: First,
    pub(crate) title: Option<LitStr>,
    pub(crate) class: Option<Ident>,
    pub(crate) tags: Vec<LitStr>,
    pub(crate) deprecated: bool,
    pub(crate) version: Option<LitStr>,
    /// 64-bit integers of the result are JSON numbers.
    pub(crate) number: bool,
    /// Where the runtime is.
    pub(crate) runtime: Option<Path>,
    pub(crate) lenient: bool,
    pub(crate) requires: Vec<LitStr>,
    pub(crate) limits: Limits,
    pub(crate) timeout: Option<Timeout>,
    pub(crate) thread: Option<(Thread, Ident)>,
    pub(crate) read_only: Option<Switch>,
    pub(crate) destructive: Option<Switch>,
    pub(crate) idempotent: Option<Switch>,
    /// A list in brackets, as JSON or expressions.
    pub(crate) examples: Option<TokenStream>,
}

/// `limits(…)`
#[derive(Default)]
pub(crate) struct Limits {
    pub(crate) per_minute: Option<u32>,
    pub(crate) per_session: Option<u32>,
}

/// How long a peer waits.
pub(crate) enum Timeout {
    Literal(Duration),
    /// A `Duration`.
    Expr(Expr),
}

/// Where the user wants a tool to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thread {
    Game,
    Worker,
}

/// A key that is on or off.
pub(crate) struct Switch {
    pub(crate) key: Ident,
    pub(crate) on: bool,
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
    /// Other names under which it is read.
    pub(crate) aliases: Vec<LitStr>,
    /// Its members stand beside the other arguments.
    pub(crate) flatten: Option<Span>,
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
    known: &[
        "title",
        "class",
        "tags",
        "deprecated",
        "version",
        "number",
        "crate",
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
    known: &["default", "range", "len", "pattern", "rename", "number", "alias", "flatten"],
};

const LIMITS: Keys = Keys { attribute: "limits", known: &["per_minute", "per_session"] };

pub(crate) const NO_ENTRY: &str = "expected `key` or `key = value`";

const CLASSES: &[&str] = &["sensor", "actuator", "generator"];

/// Reads `#[tool(…)]`.
pub(crate) fn tool_attribute(tokens: TokenStream, mistakes: &mut Mistakes) -> ToolAttribute {
    let mut entries = Entries::parse(tokens, mistakes);
    let mut found = ToolAttribute {
        name: first(&mut entries, &names::TOOL, &TOOL, mistakes),
        ..ToolAttribute::default()
    };
    for entry in entries.known(&TOOL, mistakes) {
        match entry.key.to_string().as_str() {
            "title" => found.title = entry.text("title = \"Spawn an orc\"", mistakes),
            "class" => found.class = class(&entry, mistakes),
            "tags" => found.tags = texts(&entry, "tags = [\"spawn\"]", "tag", mistakes),
            "requires" => {
                found.requires = texts(&entry, "requires = \"world:write\"", "capability", mistakes);
            }
            "limits" => found.limits = limits(&entry, mistakes),
            "number" => found.number = entry.flag(mistakes),
            "lenient" => found.lenient = entry.flag(mistakes),
            "timeout" => found.timeout = timeout(&entry, mistakes),
            "thread" => found.thread = thread(&entry, mistakes),
            "read_only" => found.read_only = switch(entry, mistakes),
            "destructive" => found.destructive = switch(entry, mistakes),
            "idempotent" => found.idempotent = switch(entry, mistakes),
            "examples" => found.examples = examples(&entry, mistakes),
            "deprecated" => found.deprecated = entry.flag(mistakes),
            "version" => found.version = entry.text("version = \"1.0\"", mistakes),
            _ => found.runtime = path(&entry, mistakes),
        }
    }
    found
}

/// Reads the `#[arg(…)]` of a parameter.
pub(crate) fn arg_attribute(attributes: &[Attribute], mistakes: &mut Mistakes) -> ArgAttribute {
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
                    Value::None => Some(Default::OfType(entry.key.span())),
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
            "pattern" => found.pattern = entry.text("pattern = \"^[a-z]+$\"", mistakes),
            "number" => found.number = entry.flag(mistakes),
            "alias" => found.aliases = texts(&entry, "alias = \"count\"", "alias", mistakes),
            "flatten" => found.flatten = entry.flag(mistakes).then(|| entry.key.span()),
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

/// A text, or a list of texts.
fn texts(entry: &Entry, example: &str, what: &str, mistakes: &mut Mistakes) -> Vec<LitStr> {
    let Some(expr) = entry.expr(example, mistakes) else { return Vec::new() };
    let elements: Vec<&Expr> = match expr {
        Expr::Array(array) => array.elems.iter().collect(),
        one if text(one).is_some() && entry.key != "tags" => vec![one],
        _ => {
            let key = &entry.key;
            mistakes.on(expr, format!("`{key}` takes a list: `{key} = [\"…\"]`"));
            return Vec::new();
        }
    };
    let mut texts: Vec<LitStr> = Vec::new();
    for element in elements {
        match text(element) {
            Some(text) if text.value().trim().is_empty() => {
                mistakes.on(text, format!("this {what} is empty; leave it out"))
            }
            Some(text) if texts.iter().any(|other| other.value() == text.value()) => {
                mistakes.on(text, format!("this {what} stands here twice; leave one out"))
            }
            Some(text) => texts.push(text),
            None => mistakes.on(element, format!("expected a string literal: the {what}")),
        }
    }
    texts
}

fn limits(entry: &Entry, mistakes: &mut Mistakes) -> Limits {
    const EXAMPLE: &str = "limits(per_minute = 60, per_session = 500)";
    let mut found = Limits::default();
    let tokens = match &entry.value {
        Value::List(tokens) => tokens.clone(),
        _ => {
            mistakes.on(&entry.key, format!("`limits` says how often a tool may be called: `{EXAMPLE}`"));
            return found;
        }
    };
    let inside = match syn::parse2::<Group>(tokens.clone()) {
        Ok(group) => group.stream(),
        Err(error) => {
            mistakes.parsing(error);
            return found;
        }
    };
    if inside.is_empty() {
        mistakes.on(tokens, format!("no limit stands here: `{EXAMPLE}`"));
    }
    let entries = Entries::parse(inside, mistakes);
    for stray in entries.first.iter().chain(&entries.stray) {
        mistakes.on(stray, NO_ENTRY);
    }
    for entry in entries.known(&LIMITS, mistakes) {
        let Some(expr) = entry.expr("per_minute = 60", mistakes) else { continue };
        let count = match Number::of(expr) {
            Some(Number::Integer(count)) => u32::try_from(count).ok().filter(|count| *count > 0),
            _ => None,
        };
        match count {
            None => mistakes.on(expr, "a limit is a whole number from 1"),
            Some(_) if entry.key == "per_minute" => found.per_minute = count,
            Some(_) => found.per_session = count,
        }
    }
    found
}

pub(crate) fn timeout(entry: &Entry, mistakes: &mut Mistakes) -> Option<Timeout> {
    /// A year: nobody waits for longer, and no clock overflows.
    const LONGEST: f64 = 31_536_000.0;
    let expr = entry.expr("timeout = 5", mistakes)?;
    if literal(expr).is_none() {
        return Some(Timeout::Expr(expr.clone()));
    }
    let seconds = match Number::of(expr) {
        Some(Number::Integer(seconds)) => seconds as f64,
        Some(Number::Float(seconds)) => seconds,
        None => 0.0,
    };
    let timeout = Duration::try_from_secs_f64(seconds.min(LONGEST)).ok().filter(|timeout| !timeout.is_zero());
    if timeout.is_none() {
        mistakes.on(
            expr,
            "a timeout is a number of seconds above 0, or a `Duration`: `timeout = 0.5`, \
             `timeout = Duration::from_millis(500)`",
        );
    }
    timeout.map(Timeout::Literal)
}

fn thread(entry: &Entry, mistakes: &mut Mistakes) -> Option<(Thread, Ident)> {
    let expr = entry.expr("thread = game", mistakes)?;
    let word = match ungrouped(expr) {
        Expr::Path(path) => path.path.get_ident().cloned(),
        _ => None,
    };
    let thread = word.as_ref().and_then(|word| match word.to_string().as_str() {
        "game" => Some(Thread::Game),
        "worker" => Some(Thread::Worker),
        _ => None,
    });
    if thread.is_none() {
        mistakes.on(expr, "a tool runs on one of the threads `game` and `worker`, without quotes");
    }
    thread.zip(word)
}

fn switch(entry: Entry, mistakes: &mut Mistakes) -> Option<Switch> {
    let on = match &entry.value {
        Value::None => true,
        Value::Expr(expr) if boolean(expr).is_some() => boolean(expr) == Some(true),
        _ => {
            let key = &entry.key;
            mistakes.on(key, format!("`{key}` is on or off: `{key}`, or `{key} = false`"));
            return None;
        }
    };
    Some(Switch { key: entry.key, on })
}

fn boolean(expr: &Expr) -> Option<bool> {
    match literal(expr) {
        Some((false, Lit::Bool(value))) => Some(value.value),
        _ => None,
    }
}

fn examples(entry: &Entry, mistakes: &mut Mistakes) -> Option<TokenStream> {
    let list = match &entry.value {
        Value::Tokens(tokens) => syn::parse2::<Group>(tokens.clone()).ok(),
        _ => None,
    };
    let list = list.filter(|list| list.delimiter() == Delimiter::Bracket && !list.stream().is_empty());
    if list.is_none() {
        let example = "examples = [{ \"count\": 3 }]";
        mistakes.on(&entry.key, format!("`examples` takes a list of arguments as JSON: `{example}`"));
    }
    if let Some(Err(error)) = list.as_ref().map(|list| json::check(list.stream())) {
        mistakes.parsing(error);
        return None;
    }
    list.map(|list| list.into_token_stream())
}

pub(crate) fn path(entry: &Entry, mistakes: &mut Mistakes) -> Option<Path> {
    let expr = entry.expr("crate = engine::ludwire", mistakes)?;
    match ungrouped(expr) {
        Expr::Path(path) if path.qself.is_none() => Some(path.path.clone()),
        _ => {
            mistakes.on(expr, "`crate` takes the path of the crate: `crate = engine::ludwire`");
            None
        }
    }
}
