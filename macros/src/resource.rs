//! `#[resource]`: its keys, its rules, and its registration.

use crate::attribute::{Entries, Keys};
use crate::expand;
use crate::keys::{Timeout, path, timeout};
use crate::mistakes::Mistakes;
use crate::names::{First, Named, first};
use crate::parse::Function;
use crate::template::{Segment, Template};
use crate::tokens::{code, option};
use crate::types;
use proc_macro2::TokenStream;
use syn::{LitStr, Path};

/// `#[resource(…)]`
#[derive(Default)]
pub(crate) struct ResourceAttribute {
    pub(crate) uri: First,
    pub(crate) name: Option<LitStr>,
    pub(crate) mime: Option<LitStr>,
    pub(crate) number: bool,
    pub(crate) timeout: Option<Timeout>,
    pub(crate) runtime: Option<Path>,
}

const RESOURCE: Keys =
    Keys { attribute: "#[resource]", known: &["name", "mime", "number", "timeout", "crate"] };

const URI: Named = Named {
    what: "the URI of a resource",
    needed: "a resource needs a URI",
    attribute: "resource",
    key: "uri",
    example: "gabp://game/world",
    words: 2,
};

/// Reads what stands in the brackets.
pub(crate) fn attribute(tokens: TokenStream, mistakes: &mut Mistakes) -> ResourceAttribute {
    let mut entries = Entries::parse(tokens, mistakes);
    let mut found = ResourceAttribute {
        uri: first(&mut entries, &URI, &RESOURCE, mistakes),
        ..ResourceAttribute::default()
    };
    for entry in entries.known(&RESOURCE, mistakes) {
        match entry.key.to_string().as_str() {
            "name" => found.name = entry.text("name = \"World\"", mistakes),
            "mime" => found.mime = entry.text("mime = \"application/json\"", mistakes),
            "number" => found.number = entry.flag(mistakes),
            "timeout" => found.timeout = timeout(&entry, mistakes),
            _ => found.runtime = path(&entry, mistakes),
        }
    }
    found
}

/// Checks what only resources have: the URI, which names every argument.
pub(crate) fn check(function: &Function, attribute: &ResourceAttribute, mistakes: &mut Mistakes) {
    if let Some(mime) = &attribute.mime
        && !is_mime(&mime.value())
    {
        mistakes.on(mime, "a media type has two parts: `application/json`, `text/plain; charset=utf-8`");
    }
    if function.returns_nothing() {
        mistakes
            .on(&function.signature.ident, "a resource is what its function returns: write a return type");
    }
    let uri = match &attribute.uri {
        First::Text(uri) => uri,
        First::Wrong => return,
        First::Missing => {
            let name = function.signature.ident.to_string();
            let name = name.trim_start_matches("r#");
            let message = format!("a resource needs a URI: `#[resource(\"gabp://game/{name}\")]`");
            mistakes.at(function.at, message);
            return;
        }
    };
    match Template::parse(&uri.value()) {
        Ok(template) => variables(function, uri, &template, mistakes),
        Err(error) => mistakes.on(uri, format!("the URI of a resource {error}")),
    }
}

/// Whether arguments and variables are the same.
fn variables(function: &Function, uri: &LitStr, template: &Template, mistakes: &mut Mistakes) {
    let variables = template.variables();
    let arguments: Vec<_> = function.arguments().collect();
    // What is flattened is known when it is registered.
    let has_flat = arguments.iter().any(|argument| argument.arg.flatten.is_some());
    for name in &variables {
        let argument =
            arguments.iter().find(|argument| argument.json_name().is_some_and(|(own, _)| own == *name));
        let is_in_path =
            template.path.iter().any(|segment| matches!(segment, Segment::Variable(own) if own == name));
        match argument {
            None if has_flat => {}
            None => mistakes.on(
                uri,
                format!("the variable `{name}` is no argument: give the function a parameter `{name}`, or leave it out here"),
            ),
            Some(argument) if is_in_path && (types::is_option(&argument.ty) || argument.arg.default.is_some()) => {
                mistakes.on(
                    &argument.ty,
                    format!("`{{{name}}}` is always there, since it is part of the path: take the type itself, without a default"),
                );
            }
            Some(_) => {}
        }
    }
    for argument in arguments.iter().filter(|argument| argument.arg.flatten.is_none()) {
        let Some((name, span)) = argument.json_name() else { continue };
        if !variables.contains(&name.as_str()) {
            mistakes.at(
                span,
                format!("the URI does not name `{name}`: write it as a segment, `/{{{name}}}`, or at the end, `{{?{name}}}`"),
            );
        }
        if types::Spelled::of(&argument.ty) == Some(types::Spelled::List) {
            mistakes.on(
                &argument.ty,
                format!("`{name}` stands in a URI, and a list has no text: take a number, a text, a `bool` or an enum without fields"),
            );
        }
        if let Some(alias) = argument.arg.aliases.first() {
            mistakes.on(alias, "the URI names the arguments of a resource: leave out `alias`");
        }
    }
}

fn is_mime(text: &str) -> bool {
    let is_token = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "!#$&-^_.+".contains(c))
    };
    let essence = text.split(';').next().unwrap_or_default().trim_end();
    essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
}

/// What registers a resource.
pub(crate) fn registration(
    function: &Function,
    attribute: &ResourceAttribute,
    signature: &TokenStream,
    run: &TokenStream,
    p: &TokenStream,
) -> TokenStream {
    let uri = attribute.uri.text();
    let template = Template::parse(&uri.value()).expect("a resource without mistakes has a URI");
    let timeout = attribute.timeout.as_ref().map(|timeout| expand::timeout(timeout, p));
    let options = match timeout {
        None => code!(#p::Options::NONE),
        Some(timeout) => code!(#p::Options { timeout: #timeout, ..#p::Options::NONE }),
    };
    let described = expand::described(function, uri, &options, signature, run, p);
    let title = option(attribute.name.as_ref().map(|name| code!(#name)));
    let mime = option(attribute.mime.as_ref().map(|mime| code!(#mime)));
    let Template { base, path, query } = &template;
    let path = path.iter().map(|segment| match segment {
        Segment::Literal(text) => code!(#p::Segment::Literal(#text)),
        Segment::Variable(name) => code!(#p::Segment::Variable(#name)),
    });
    code! {
        #p::inventory::submit! {
            #p::Resource {
                function: #described,
                title: #title,
                mime: #mime,
                base: #base,
                path: &[#(#path),*],
                query: &[#(#query),*],
            }
        }
    }
}
