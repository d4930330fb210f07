//! Writes what registers a function. It names the runtime only through `::ludwire::private`.

use crate::argument::arg;
use crate::keys::{Limits, Thread, Timeout, ToolAttribute};
use crate::parse::{Function, Parameter};
use crate::role::Role;
use crate::tokens::{code, here, located, option};
use crate::types::{Borrowed, Lent};
use crate::validate::REQUIRES_DOCS;
use crate::{resource, state};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, format_ident, quote_spanned};
use syn::{LitStr, ReturnType, Type};

/// The registration of a function without mistakes.
pub(crate) fn function(tool: &Function) -> TokenStream {
    let runtime = tool.role.runtime().map_or_else(|| code!(::ludwire), |path| code!(#path));
    let p = code!(#runtime::private);
    let (signature, run, sentence) = (signature(tool, &p), run(tool, &p), sentence(tool, &p));
    let cfgs = &tool.cfgs;
    let Some(owner) = &tool.owner else {
        let registration = registration(tool, &code!(__ludwire_signature), &code!(__ludwire_run), &p);
        return code! {
            #(#cfgs)*
            const _: () = {
                #sentence
                #signature
                #run
                #registration
            };
        };
    };
    let run_head = run_head(tool, &p);
    let of_owner = code!(<#owner as __LudwireTool>);
    let registration =
        registration(tool, &code!(#of_owner::__ludwire_signature), &code!(#of_owner::__ludwire_run), &p);
    // In an `impl`, the user's `Self` means what it means in theirs; and a trait of ours adds nothing that
    // anybody else sees.
    code! {
        #(#cfgs)*
        const _: () = {
            trait __LudwireTool {
                fn __ludwire_signature(signature: &mut #p::Signature);
                #run_head;
            }
            impl __LudwireTool for #owner {
                #signature
                #run
            }
            #sentence
            #registration
        };
    }
}

/// Refuses a long first sentence. Only the compiler can read all docs.
fn sentence(tool: &Function, p: &TokenStream) -> Option<TokenStream> {
    let at = Span::mixed_site().located_at(tool.docs.at.filter(|_| REQUIRES_DOCS)?);
    let description = tool.docs.text();
    let p = located(p, at);
    Some(quote_spanned! {at=>
        const _: () = ::core::assert!(
            #p::first_sentence(#description) <= #p::LONGEST_SENTENCE,
            "the first sentence of a description has at most 137 bytes: agents that see many tools see no more of it"
        );
    })
}

fn registration(tool: &Function, signature: &TokenStream, run: &TokenStream, p: &TokenStream) -> TokenStream {
    match &tool.role {
        Role::Tool(attribute) => tool_registration(tool, attribute, signature, run, p),
        Role::Resource(attribute) => resource::registration(tool, attribute, signature, run, p),
        Role::State(attribute) => state::state(tool, attribute, signature, run, p),
        Role::Observe(_) => state::observation(tool, signature, run, p),
    }
}

fn tool_registration(
    tool: &Function,
    attribute: &ToolAttribute,
    signature: &TokenStream,
    run: &TokenStream,
    p: &TokenStream,
) -> TokenStream {
    let title = option(attribute.title.as_ref().map(|title| code!(#title)));
    let version = option(attribute.version.as_ref().map(|version| code!(#version)));
    let class = attribute.class.clone().unwrap_or_else(|| format_ident!("Actuator"));
    let tags = &attribute.tags;
    let deprecated = attribute.deprecated || tool.is_deprecated;
    let described = described(tool, attribute.name.text(), &options(attribute, p), signature, run, p);
    code! {
        #p::inventory::submit! {
            #p::Tool {
                function: #described,
                title: #title,
                class: #p::Class::#class,
                tags: &[#(#tags),*],
                deprecated: #deprecated,
                version: #version,
            }
        }
    }
}

/// What is registered of every function.
pub(crate) fn described(
    function: &Function,
    name: &LitStr,
    options: &TokenStream,
    signature: &TokenStream,
    run: &TokenStream,
    p: &TokenStream,
) -> TokenStream {
    let description = function.docs.text();
    let kind = if is_async(function) { code!(Async) } else { code!(Plain) };
    // The macros of `core` tell the place of their own tokens.
    let location = quote_spanned! {name.span()=>
        file: ::core::file!(), line: ::core::line!(), column: ::core::column!(),
    };
    code! {
        #p::Function {
            name: #name,
            description: #description,
            location: #p::Location { #location },
            options: #options,
            signature: #signature,
            run: #p::Run::#kind(#run),
        }
    }
}

/// What only some tools say of themselves.
fn options(attribute: &ToolAttribute, p: &TokenStream) -> TokenStream {
    let mut members = Vec::new();
    if attribute.lenient {
        members.push(code!(lenient: true));
    }
    if !attribute.requires.is_empty() {
        let requires = &attribute.requires;
        members.push(code!(requires: &[#(#requires),*]));
    }
    let Limits { per_minute, per_session } = &attribute.limits;
    if per_minute.is_some() || per_session.is_some() {
        let [per_minute, per_session] =
            [per_minute, per_session].map(|limit| option(limit.map(|limit| code!(#limit))));
        members.push(code!(limits: #p::Limits { per_minute: #per_minute, per_session: #per_session }));
    }
    if let Some(timeout) = &attribute.timeout {
        let timeout = self::timeout(timeout, p);
        members.push(code!(timeout: #timeout));
    }
    if matches!(attribute.thread, Some((Thread::Game, _))) {
        members.push(code!(on_game: true));
    }
    for switch in [&attribute.read_only, &attribute.destructive, &attribute.idempotent].into_iter().flatten()
    {
        let (key, on) = (&switch.key, switch.on);
        members.push(code!(#key: ::core::option::Option::Some(#on)));
    }
    if let Some(examples) = &attribute.examples {
        members.push(code!(examples: ::core::option::Option::Some(|| #p::json!(#examples))));
    }
    match members.as_slice() {
        [] => code!(#p::Options::NONE),
        members => code!(#p::Options { #(#members,)* ..#p::Options::NONE }),
    }
}

/// The timeout that somebody wants.
pub(crate) fn timeout(timeout: &Timeout, p: &TokenStream) -> TokenStream {
    let timeout = match timeout {
        Timeout::Expr(expr) => quote_spanned!(here(expr)=> #expr),
        Timeout::Literal(timeout) => {
            let (seconds, nanos) = (timeout.as_secs(), timeout.subsec_nanos());
            code!(#p::Duration::new(#seconds, #nanos))
        }
    };
    option(Some(timeout))
}

fn is_async(tool: &Function) -> bool {
    tool.signature.asyncness.is_some()
}

/// The function that says what the tool takes and gives.
fn signature(tool: &Function, p: &TokenStream) -> TokenStream {
    let parameters = tool.parameters.iter().map(|parameter| {
        let role = role(parameter, p);
        if let Some((target, _)) = parameter.reference() {
            let wish = wish(tool, target, &role, p);
            return code!(#wish signature.reference(&#role););
        }
        let arg = arg(parameter, p);
        if parameter.arg.flatten.is_some() {
            code!(signature.flatten(&#role, &#arg);)
        } else {
            code!(signature.argument(&#role, &#arg);)
        }
    });
    let one_state = one_state(tool, p);
    let output = output(tool, p);
    let is_lenient = tool.role.tool().is_some_and(|attribute| attribute.lenient);
    let lenient = is_lenient.then(|| code!(signature.lenient();));
    let number = tool.role.number().then(|| code!(signature.number_result();));
    let returns = match &tool.role {
        Role::Tool(_) => code!(output),
        Role::Resource(_) => code!(content),
        // What a function says that sets a state goes to nobody.
        Role::State(attribute) if attribute.write => code!(output),
        Role::State(_) => code!(value),
        Role::Observe(_) => code!(object),
    };
    code! {
        fn __ludwire_signature(signature: &mut #p::Signature) {
            use #p::{AnyArgument as _, AnyOutput as _, AnyReference as _, PlainReference as _};
            #lenient
            #(#parameters)*
            #one_state
            #number
            signature.#returns(&#output);
        }
    }
}

/// Refuses the state where the tool does not run on the game's thread. Only the compiler knows which
/// reference is to the state.
fn wish(tool: &Function, target: &Type, role: &TokenStream, p: &TokenStream) -> Option<TokenStream> {
    let at = here(target);
    let p = located(p, at);
    if is_async(tool) {
        let wish = quote_spanned!(at=> #p::WhileWaiting::while_waiting(&#role));
        return Some(code!(#wish;));
    }
    let thread = tool.role.tool().and_then(|attribute| attribute.thread.as_ref());
    matches!(thread, Some((Thread::Worker, _))).then(|| {
        let wish = quote_spanned!(at=> #p::OffGame::off_game(&#role));
        code!(#wish;)
    })
}

/// Refuses a second state. Only the compiler knows which of the references is to the `Call`.
fn one_state(tool: &Function, p: &TokenStream) -> Option<TokenStream> {
    let references: Vec<(&Parameter, &Type)> =
        tool.parameters.iter().filter_map(|parameter| Some((parameter, parameter.reference()?.0))).collect();
    if references.len() < 2 {
        return None;
    }
    let count = references.into_iter().map(|(parameter, target)| {
        let (role, at) = (role(parameter, p), here(target));
        let p = located(p, at);
        let count = quote_spanned!(at=> #p::OneState::also(states, &#role));
        code!(let states = #count;)
    });
    Some(code! {
        let states = #p::NoState;
        #(#count)*
        let _ = states;
    })
}

/// The function that reads the arguments, calls the tool and writes its result.
fn run(tool: &Function, p: &TokenStream) -> TokenStream {
    let value = |index: usize| format_ident!("value_{index}", span = Span::mixed_site());
    let mut read = Vec::new();
    let mut take = Vec::new();
    for (index, parameter) in tool.parameters.iter().enumerate() {
        let (value, role) = (value(index), role(parameter, p));
        match parameter.reference() {
            Some((target, Some(_))) => {
                let at = here(target);
                let p = located(p, at);
                let state = quote_spanned!(at=> #p::ExclusiveRole::exclusive(&#role, context)?);
                take.push(code!(let #value = #state;));
            }
            Some((_, None)) => take.push(code!(let #value = #p::ReferenceRole::shared(&#role, context)?;)),
            None => {
                let arg = arg(parameter, p);
                let reads = if parameter.arg.flatten.is_some() { code!(read_flat) } else { code!(read) };
                read.push(code!(let #value = arguments.#reads(&#role, &#arg);));
                take.push(code!(let #value = #p::taken(#value)?;));
            }
        }
    }
    let values = tool.parameters.iter().enumerate().map(|(index, parameter)| {
        let value = value(index);
        match &parameter.lent {
            Some(Lent { optional: true, .. }) => code!(#value.as_deref()),
            Some(Lent { optional: false, .. }) => code!(&#value),
            None => code!(#value),
        }
    });
    let function = users(tool);
    let output = output(tool, p);
    let allow =
        tool.is_deprecated.then(|| code!(#[allow(deprecated, reason = "the tool is deprecated, too")]));
    let head = run_head(tool, p);
    let end = match &tool.signature.asyncness {
        None => code!(context.finish(&#output, #function(#(#values),*))),
        Some(asyncness) => {
            let at = here(asyncness);
            let p = located(p, at);
            let rest = code! {
                let output = #function(#(#values),*).await;
                results.write(&#output, output)
            };
            // Whatever the function keeps while it waits must be `Send`: that is told on `async`.
            let rest = quote_spanned!(at=> #p::running(async move { #rest }));
            code! {
                let results = context.results();
                ::core::result::Result::Ok(#rest)
            }
        }
    };
    code! {
        #allow
        #head {
            use #p::{AnyArgument as _, AnyOutput as _, AnyReference as _, PlainReference as _};
            let mut arguments = context.arguments();
            #(#read)*
            arguments.finish()?;
            #(#take)*
            #end
        }
    }
}

fn run_head(tool: &Function, p: &TokenStream) -> TokenStream {
    if is_async(tool) {
        code! {
            fn __ludwire_run<'a>(
                context: &mut #p::Context<'a>,
            ) -> ::core::result::Result<#p::Running<'a>, #p::ToolError>
        }
    } else {
        code! {
            fn __ludwire_run(
                context: &mut #p::Context<'_>,
            ) -> ::core::result::Result<#p::Value, #p::ToolError>
        }
    }
}

/// What a parameter is for, found by its type.
fn role(parameter: &Parameter, p: &TokenStream) -> TokenStream {
    match parameter.reference() {
        Some((target, _)) => {
            let at = here(target);
            let p = located(p, at);
            quote_spanned!(at=> #p::Probe::<#target>::new().reference())
        }
        None => {
            let at = here(&parameter.ty);
            let p = located(p, at);
            let ty = owned(parameter, &p, at);
            quote_spanned!(at=> #p::Probe::<#ty>::new().argument())
        }
    }
}

/// The type that an argument is read as.
fn owned(parameter: &Parameter, p: &TokenStream, at: Span) -> TokenStream {
    let Some(lent) = &parameter.lent else { return parameter.ty.to_token_stream() };
    let owned = match &lent.what {
        Borrowed::Text => quote_spanned!(at=> #p::String),
        Borrowed::Slice(item) => quote_spanned!(at=> #p::Vec<#item>),
    };
    if lent.optional { quote_spanned!(at=> ::core::option::Option<#owned>) } else { owned }
}

/// The user's function.
fn users(tool: &Function) -> TokenStream {
    let name = &tool.signature.ident;
    if tool.owner.is_some() { code!(Self::#name) } else { code!(#name) }
}

fn output(tool: &Function, p: &TokenStream) -> TokenStream {
    match &tool.signature.output {
        ReturnType::Default => code!(#p::Probe::<()>::new().output()),
        ReturnType::Type(_, ty) => {
            let at = here(ty);
            let p = located(p, at);
            quote_spanned!(at=> #p::Probe::<#ty>::new().output())
        }
    }
}
