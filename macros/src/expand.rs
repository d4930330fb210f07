//! Writes what registers a tool. It names the runtime only through `::ludwire::private`.

use crate::attribute::{literal, text};
use crate::bounds::{Bound, Bounds, Number};
use crate::parse::{Default, Parameter, Tool, ungrouped_type};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Lit, ReturnType, Type};

/// The registration of a tool without mistakes.
pub(crate) fn tool(tool: &Tool) -> TokenStream {
    let runtime = tool.attribute.runtime.as_ref().map_or_else(|| quote!(::ludwire), |path| quote!(#path));
    let p = quote!(#runtime::private);
    let registration = registration(tool, &p);
    let signature = signature(tool, &p);
    let run = run(tool, &p);
    quote! {
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
    let title = option(attribute.title.as_ref().map(|title| quote!(#title)));
    let version = option(attribute.version.as_ref().map(|version| quote!(#version)));
    let description = tool.docs.text();
    let class = attribute.class.clone().unwrap_or_else(|| format_ident!("Actuator"));
    let tags = &attribute.tags;
    let deprecated = attribute.deprecated || is_deprecated(tool);
    // The macros of `core` tell the place of their own tokens.
    let location = quote_spanned! {name.span()=>
        file: ::core::file!(), line: ::core::line!(), column: ::core::column!(),
    };
    quote! {
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
            return quote!(signature.reference(&#role););
        }
        let arg = arg(parameter, p);
        quote!(signature.argument(&#role, &#arg);)
    });
    let one_state = one_state(tool, p);
    let output = output(tool, p);
    quote! {
        fn __ludwire_signature() -> #p::Signature {
            use #p::{AnyArgument as _, AnyOutput as _, AnyReference as _};
            let mut signature = #p::Signature::new();
            #(#parameters)*
            #one_state
            signature.output(&#output);
            signature
        }
    }
}

/// Refuses a second state. Only the compiler knows which of the references is to the `Call`.
fn one_state(tool: &Tool, p: &TokenStream) -> Option<TokenStream> {
    let references: Vec<&Parameter> =
        tool.parameters.iter().filter(|parameter| parameter.reference().is_some()).collect();
    if references.len() < 2 {
        return None;
    }
    let states = Ident::new("states", Span::mixed_site());
    let count = references.iter().map(|parameter| {
        let role = role(parameter, p);
        let count = quote_spanned!(here(&parameter.ty)=> #p::OneState::also(#states, &#role));
        quote!(let #states = #count;)
    });
    Some(quote! {
        let #states = #p::NoState;
        #(#count)*
        let _ = #states;
    })
}

/// The function that reads the arguments, calls the tool and writes its result.
fn run(tool: &Tool, p: &TokenStream) -> TokenStream {
    let context = Ident::new("context", Span::mixed_site());
    let value = |index: usize| format_ident!("value_{index}", span = Span::mixed_site());
    let mut read = Vec::new();
    let mut take = Vec::new();
    for (index, parameter) in tool.parameters.iter().enumerate() {
        let (value, role) = (value(index), role(parameter, p));
        match parameter.reference() {
            Some((_, Some(_))) => {
                let state = quote_spanned! {here(&parameter.ty)=>
                    #p::ExclusiveRole::exclusive(&#role, #context)?
                };
                take.push(quote!(let #value = #state;));
            }
            Some((_, None)) => take.push(quote!(let #value = #p::ReferenceRole::shared(&#role, #context)?;)),
            None => {
                let arg = arg(parameter, p);
                read.push(quote!(let #value = arguments.read(&#role, &#arg);));
                take.push(quote!(let #value = #p::taken(#value)?;));
            }
        }
    }
    let values = (0..tool.parameters.len()).map(value);
    let function = &tool.function.sig.ident;
    let output = output(tool, p);
    let allow = is_deprecated(tool).then(|| quote!(#[allow(deprecated)]));
    quote! {
        #allow
        fn __ludwire_run(
            #context: &mut #p::Context<'_>,
        ) -> ::core::result::Result<#p::Value, #p::ToolError> {
            use #p::{AnyArgument as _, AnyOutput as _, AnyReference as _};
            let mut arguments = #context.arguments();
            #(#read)*
            arguments.finish()?;
            #(#take)*
            #p::OutputRole::finish(&#output, #function(#(#values),*))
        }
    }
}

/// What a parameter is for, found by its type.
fn role(parameter: &Parameter, p: &TokenStream) -> TokenStream {
    match parameter.reference() {
        Some((target, _)) => {
            let find = quote_spanned!(here(target)=> reference());
            quote!(#p::Probe::<#target>::new().#find)
        }
        None => {
            let ty = &parameter.ty;
            let find = quote_spanned!(here(ty)=> argument());
            quote!(#p::Probe::<#ty>::new().#find)
        }
    }
}

fn output(tool: &Tool, p: &TokenStream) -> TokenStream {
    match &tool.function.sig.output {
        ReturnType::Default => quote!(#p::Probe::<()>::new().output()),
        ReturnType::Type(_, ty) => {
            let find = quote_spanned!(here(ty)=> output());
            quote!(#p::Probe::<#ty>::new().#find)
        }
    }
}

/// Where the user wrote something, for errors; names in tokens there still mean what they mean here.
fn here(tokens: &impl Spanned) -> Span {
    Span::mixed_site().located_at(tokens.span())
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
    let pattern = option(parameter.arg.pattern.as_ref().map(|pattern| quote!(#pattern)));
    quote! {
        #p::Arg {
            name: #name,
            description: #description,
            default: #default,
            range: #range,
            length: #length,
            pattern: #pattern,
        }
    }
}

fn default_value(default: &Default, ty: &Type, p: &TokenStream) -> TokenStream {
    let (span, default) = match default {
        Default::Expr(expr) if is_json(expr, ty) => return quote!(|| #p::Value::from(#expr)),
        Default::Expr(expr) => (here(expr), quote!(#expr)),
        Default::OfType(span) => {
            let span = Span::mixed_site().located_at(*span);
            (span, quote_spanned!(span=> ::core::default::Default::default()))
        }
    };
    let value = Ident::new("value", span);
    let write = quote_spanned!(span=> #p::default_value(#value));
    quote! {
        || {
            let #value: #ty = #default;
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
            option(Some(quote!(#p::Number::from(#literal))))
        }
        Some(Bound::Number(Number::Float(value))) => {
            let literal = Literal::f64_suffixed(*value);
            quote!(#p::Number::from_f64(#literal))
        }
        Some(Bound::Expr(expr)) => quote!(#p::Bound::included(#expr)),
        Some(Bound::Below(expr)) => quote!(#p::Bound::excluded(#expr)),
    };
    let (least, greatest) =
        bounds.map_or((none(), none()), |bounds| (number(&bounds.least), number(&bounds.greatest)));
    quote!(|| (#least, #greatest))
}

fn length(bounds: Option<&Bounds>) -> TokenStream {
    let number = |bound: &Option<Bound>| match bound {
        None => none(),
        Some(Bound::Number(Number::Integer(value))) => {
            let literal =
                Literal::u64_suffixed(u64::try_from(*value).expect("lengths are whole numbers from 0"));
            option(Some(quote!(#literal)))
        }
        Some(Bound::Number(Number::Float(_))) => unreachable!("lengths are whole numbers"),
        Some(Bound::Expr(expr)) => option(Some(quote!({ let length: usize = #expr; length as u64 }))),
        Some(Bound::Below(expr)) => option(Some(quote!({ let length: usize = #expr; length as u64 - 1 }))),
    };
    let (least, greatest) =
        bounds.map_or((none(), none()), |bounds| (number(&bounds.least), number(&bounds.greatest)));
    quote!((#least, #greatest))
}

/// A function with Rust's own `#[deprecated]` is a deprecated tool.
fn is_deprecated(tool: &Tool) -> bool {
    tool.function.attrs.iter().any(|attribute| attribute.path().is_ident("deprecated"))
}

fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(none, |value| quote!(::core::option::Option::Some(#value)))
}

fn none() -> TokenStream {
    quote!(::core::option::Option::None)
}
