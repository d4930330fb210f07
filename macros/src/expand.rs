//! Writes what registers a tool. It names the runtime only through `::ludwire::private`.

use crate::attribute::{literal, text};
use crate::bounds::{Bound, Bounds, Number};
use crate::parse::{Default, Parameter, Tool, ungrouped_type};
use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Lit, ReturnType, Type};

/// `quote!`, with local names that the user's expressions do not see.
macro_rules! code {
    ($($token:tt)*) => {
        quote_spanned!(Span::mixed_site()=> $($token)*)
    };
}

/// The registration of a tool without mistakes.
pub(crate) fn tool(tool: &Tool) -> TokenStream {
    let runtime = tool.attribute.runtime.as_ref().map_or_else(|| code!(::ludwire), |path| code!(#path));
    let p = code!(#runtime::private);
    let registration = registration(tool, &p);
    let signature = signature(tool, &p);
    let run = run(tool, &p);
    code! {
        const _: () = {
            #signature
            #run
            #registration
        };
    }
}

fn registration(tool: &Tool, p: &TokenStream) -> TokenStream {
    let attribute = &tool.attribute;
    let name = attribute.name.as_ref().expect("a tool without mistakes has a name");
    let title = option(attribute.title.as_ref().map(|title| code!(#title)));
    let version = option(attribute.version.as_ref().map(|version| code!(#version)));
    let description = tool.docs.text();
    let class = attribute.class.clone().unwrap_or_else(|| format_ident!("Actuator"));
    let tags = &attribute.tags;
    let deprecated = attribute.deprecated || is_deprecated(tool);
    // The macros of `core` tell the place of their own tokens.
    let location = quote_spanned! {name.span()=>
        file: ::core::file!(), line: ::core::line!(), column: ::core::column!(),
    };
    code! {
        #p::inventory::submit! {
            #p::Tool {
                name: #name,
                title: #title,
                description: #description,
                class: #p::Class::#class,
                tags: &[#(#tags),*],
                deprecated: #deprecated,
                version: #version,
                location: #p::Location { #location },
                signature: __ludwire_signature,
                run: __ludwire_run,
            }
        }
    }
}

/// The function that says what the tool takes and gives.
fn signature(tool: &Tool, p: &TokenStream) -> TokenStream {
    let parameters = tool.parameters.iter().map(|parameter| {
        let role = role(parameter, p);
        if parameter.reference().is_some() {
            return code!(signature.reference(&#role););
        }
        let arg = arg(parameter, p);
        code!(signature.argument(&#role, &#arg);)
    });
    let one_state = one_state(tool, p);
    let output = output(tool, p);
    let number = tool.attribute.number.then(|| code!(signature.number_result();));
    code! {
        fn __ludwire_signature() -> #p::Signature {
            use #p::{AnyArgument as _, AnyOutput as _, AnyReference as _};
            let mut signature = #p::Signature::new();
            #(#parameters)*
            #one_state
            #number
            signature.output(&#output);
            signature
        }
    }
}

/// Refuses a second state. Only the compiler knows which of the references is to the `Call`.
fn one_state(tool: &Tool, p: &TokenStream) -> Option<TokenStream> {
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
fn run(tool: &Tool, p: &TokenStream) -> TokenStream {
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
                read.push(code!(let #value = arguments.read(&#role, &#arg);));
                take.push(code!(let #value = #p::taken(#value)?;));
            }
        }
    }
    let values = (0..tool.parameters.len()).map(value);
    let function = &tool.function.sig.ident;
    let output = output(tool, p);
    let allow = is_deprecated(tool).then(|| code!(#[allow(deprecated)]));
    code! {
        #allow
        fn __ludwire_run(
            context: &mut #p::Context<'_>,
        ) -> ::core::result::Result<#p::Value, #p::ToolError> {
            use #p::{AnyArgument as _, AnyOutput as _, AnyReference as _};
            let mut arguments = context.arguments();
            #(#read)*
            arguments.finish()?;
            #(#take)*
            context.finish(&#output, #function(#(#values),*))
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
            let ty = &parameter.ty;
            let at = here(ty);
            let p = located(p, at);
            quote_spanned!(at=> #p::Probe::<#ty>::new().argument())
        }
    }
}

fn output(tool: &Tool, p: &TokenStream) -> TokenStream {
    match &tool.function.sig.output {
        ReturnType::Default => code!(#p::Probe::<()>::new().output()),
        ReturnType::Type(_, ty) => {
            let at = here(ty);
            let p = located(p, at);
            quote_spanned!(at=> #p::Probe::<#ty>::new().output())
        }
    }
}

/// Where the user wrote something, so that errors point there; names in tokens that stand there still
/// mean what they mean here.
fn here(tokens: &impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
}

/// The same path, elsewhere.
fn located(path: &TokenStream, at: Span) -> TokenStream {
    let locate = |mut token: TokenTree| {
        token.set_span(token.span().located_at(at));
        token
    };
    path.clone().into_iter().map(locate).collect()
}

/// What is known of an argument beside its type.
fn arg(parameter: &Parameter, p: &TokenStream) -> TokenStream {
    let (name, span) = parameter.json_name().expect("an argument without mistakes has a name");
    let name = syn::LitStr::new(&name, span);
    let description = parameter.docs.text();
    let default =
        option(parameter.arg.default.as_ref().map(|default| default_value(default, &parameter.ty, p)));
    let range = range(parameter.arg.range.as_ref(), p);
    let length = length(parameter.arg.len.as_ref());
    let pattern = option(parameter.arg.pattern.as_ref().map(|pattern| code!(#pattern)));
    let number = parameter.arg.number;
    code! {
        #p::Arg {
            name: #name,
            description: #description,
            default: #default,
            range: #range,
            length: #length,
            pattern: #pattern,
            number: #number,
        }
    }
}

fn default_value(default: &Default, ty: &Type, p: &TokenStream) -> TokenStream {
    let (span, default) = match default {
        Default::Expr(expr) if is_json(expr, ty) => return code!(|| #p::Value::from(#expr)),
        Default::Expr(expr) => (here(expr), code!(#expr)),
        Default::OfType(span) => {
            let span = Span::mixed_site().located_at(*span);
            (span, quote_spanned!(span=> ::core::default::Default::default()))
        }
    };
    let p = located(p, span);
    let write = quote_spanned!(span=> #p::default_value(value));
    code! {
        || {
            let value: #ty = #default;
            #write
        }
    }
}

/// Whether a default is a literal that stands for itself in JSON. Where the type is one of Rust's
/// own, it is not, so that the compiler says when the literal does not fit.
fn is_json(expr: &Expr, ty: &Type) -> bool {
    if text(expr).is_some() {
        return !is_named(ty, PRIMITIVES);
    }
    matches!(literal(expr), Some((_, Lit::Int(_) | Lit::Float(_) | Lit::Bool(_))))
        && !is_named(ty, PRIMITIVES)
        && !is_named(ty, &["String"])
}

const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
    "u128", "usize",
];

fn is_named(ty: &Type, names: &[&str]) -> bool {
    match ungrouped_type(ty) {
        Type::Path(path) if path.qself.is_none() => {
            path.path.get_ident().is_some_and(|ident| names.iter().any(|name| ident == name))
        }
        _ => false,
    }
}

fn range(bounds: Option<&Bounds>, p: &TokenStream) -> TokenStream {
    let number = |bound: &Option<Bound>| match bound {
        None => none(),
        Some(Bound::Number(Number::Integer(value))) => {
            let literal = match i64::try_from(*value) {
                Ok(value) => Literal::i64_suffixed(value),
                Err(_) => Literal::u64_suffixed(u64::try_from(*value).expect("ends of ranges have 64 bits")),
            };
            option(Some(code!(#p::Number::from(#literal))))
        }
        Some(Bound::Number(Number::Float(value))) => {
            let literal = Literal::f64_suffixed(*value);
            code!(#p::Number::from_f64(#literal))
        }
        Some(Bound::Expr(expr)) => code!(#p::Bound::included(#expr)),
        Some(Bound::Below(expr)) => code!(#p::Bound::excluded(#expr)),
    };
    let (least, greatest) =
        bounds.map_or((none(), none()), |bounds| (number(&bounds.least), number(&bounds.greatest)));
    code!(|| (#least, #greatest))
}

fn length(bounds: Option<&Bounds>) -> TokenStream {
    let number = |bound: &Option<Bound>| match bound {
        None => none(),
        Some(Bound::Number(Number::Integer(value))) => {
            let literal =
                Literal::u64_suffixed(u64::try_from(*value).expect("lengths are whole numbers from 0"));
            option(Some(code!(#literal)))
        }
        Some(Bound::Number(Number::Float(_))) => unreachable!("lengths are whole numbers"),
        Some(Bound::Expr(expr)) => option(Some(code!({ let length: usize = #expr; length as u64 }))),
        Some(Bound::Below(expr)) => option(Some(code!({ let length: usize = #expr; length as u64 - 1 }))),
    };
    let (least, greatest) =
        bounds.map_or((none(), none()), |bounds| (number(&bounds.least), number(&bounds.greatest)));
    code!((#least, #greatest))
}

/// A function with Rust's own `#[deprecated]` is a deprecated tool.
fn is_deprecated(tool: &Tool) -> bool {
    tool.function.attrs.iter().any(|attribute| attribute.path().is_ident("deprecated"))
}

fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(none, |value| code!(::core::option::Option::Some(#value)))
}

fn none() -> TokenStream {
    code!(::core::option::Option::None)
}
