//! Writes what is known of an argument beside its type.

use crate::attribute::{literal, text};
use crate::bounds::{Bound, Bounds, Number};
use crate::keys::Default;
use crate::parse::Parameter;
use crate::tokens::{code, here, located, none, option};
use crate::types::ungrouped_type;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::{Expr, Lit, Type};

/// The description of an argument.
pub(crate) fn arg(parameter: &Parameter, p: &TokenStream) -> TokenStream {
    let (name, span) = parameter.json_name().expect("an argument without mistakes has a name");
    let name = syn::LitStr::new(&name, span);
    let aliases = &parameter.arg.aliases;
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
            aliases: &[#(#aliases),*],
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
