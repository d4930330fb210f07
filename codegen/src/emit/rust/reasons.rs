//! Why a value does not pass a check: rule by rule, in words where there are some.

use super::checks::{number_test, text_test, tokens};
use super::scalars::counted;
use crate::graph::JsonType;
use crate::ir::{Check, ListCheck, ObjectCheck, Protocol};
use crate::json::Node;
use proc_macro2::TokenStream;
use quote::quote;

/// Constants that are longer are not written out.
const LONGEST: usize = 120;

/// Statements that leave with an error where `value`, an expression of type `&Value`, does not pass.
pub(super) fn statements(
    protocol: &Protocol,
    check: &Check,
    value: &TokenStream,
    label: &str,
) -> TokenStream {
    let rules = rules(check).into_iter().map(|rule| match &rule {
        Check::Text(rules) => {
            let test = text_test(rules, &quote! { text });
            quote! {
                if let Some(text) = #value.as_str() {
                    let result: Result<(), support::RuleError> = #test;
                    result?;
                }
            }
        }
        Check::Number(rules) if !rules.strict_integer => {
            let test = number_test(rules, &quote! { number });
            quote! {
                if let Some(number) = support::number(#value) {
                    #test?;
                }
            }
        }
        rule => {
            let test = tokens(protocol, rule, value);
            let words = words(rule).unwrap_or_else(|| format!("does not fit {label}"));
            quote! { support::ensure(#test, #words)?; }
        }
    });
    quote! { #(#rules)* }
}

/// The rules that a check is made of, in order.
fn rules(check: &Check) -> Vec<Check> {
    match check {
        Check::Any => Vec::new(),
        Check::All(checks) => checks.iter().flat_map(rules).collect(),
        Check::List(list) => {
            let bare = ListCheck::default();
            let counts = [
                ListCheck { min_items: list.min_items, ..bare.clone() },
                ListCheck { max_items: list.max_items, ..bare.clone() },
                ListCheck { unique: list.unique, ..bare.clone() },
                ListCheck { prefix: list.prefix.clone(), items: list.items.clone(), ..bare.clone() },
            ];
            let contained =
                list.contains.iter().map(|one| ListCheck { contains: vec![one.clone()], ..bare.clone() });
            let rules = counts.into_iter().chain(contained).filter(|rule| !rule.is_empty());
            rules.map(|rule| Check::List(Box::new(rule))).collect()
        }
        Check::Object(object) => {
            let bare = ObjectCheck::default();
            let counts = [
                ObjectCheck { required: object.required.clone(), ..bare.clone() },
                ObjectCheck { min_members: object.min_members, ..bare.clone() },
                ObjectCheck { max_members: object.max_members, ..bare },
            ];
            let others = ObjectCheck {
                required: Vec::new(),
                min_members: None,
                max_members: None,
                ..object.as_ref().clone()
            };
            let rules = counts.into_iter().chain([others]).filter(|rule| !rule.is_empty());
            rules.map(|rule| Check::Object(Box::new(rule))).collect()
        }
        other => vec![other.clone()],
    }
}

/// What a rule asks.
fn words(rule: &Check) -> Option<String> {
    match rule {
        Check::Kinds(kinds) => {
            Some(format!("must be {}", either(kinds.iter().map(|kind| kind_words(*kind)))))
        }
        Check::Constants(values) => Some(format!("must be {}", constants(values)?)),
        Check::Not(inner) => match inner.as_ref() {
            Check::Kinds(kinds) => {
                Some(format!("must not be {}", either(kinds.iter().map(|kind| kind_words(*kind)))))
            }
            Check::Constants(values) => Some(format!("must not be {}", constants(values)?)),
            _ => None,
        },
        Check::List(list) => match (list.min_items, list.max_items, list.contains.as_slice()) {
            (Some(min), ..) => Some(format!("must have at least {}", counted(min, "item"))),
            (_, Some(max), _) => Some(format!("must have at most {}", counted(max, "item"))),
            (.., [(check, least, most)]) => Some(contained(check, *least, *most)),
            _ if list.unique => Some("must not have two equal items".to_owned()),
            _ => None,
        },
        Check::Object(object) => match (object.min_members, object.max_members, object.required.as_slice()) {
            (Some(min), ..) => Some(format!("must have at least {}", counted(min, "member"))),
            (_, Some(max), _) => Some(format!("must have at most {}", counted(max, "member"))),
            (.., []) => None,
            (.., names) => Some(format!("must have `{}`", names.join("` and `"))),
        },
        _ => None,
    }
}

/// What `contains` asks.
fn contained(check: &Check, least: u64, most: Option<u64>) -> String {
    let many = (least, most) != (1, None) && !matches!(most, Some(0 | 1));
    let items = match check {
        Check::Kinds(kinds) => Some(either(kinds.iter().map(|kind| kind_words(*kind)))),
        Check::Constants(values) => constants(values),
        _ => None,
    };
    let items = match items {
        Some(what) if many => format!("items that are {what}"),
        Some(what) => format!("item that is {what}"),
        None if many => "items that fit `contains`".to_owned(),
        None => "item that fits `contains`".to_owned(),
    };
    match (least, most) {
        (1, None) => format!("must have an {items}"),
        (least, None) => format!("must have at least {least} {items}"),
        (0, Some(0)) => format!("must have no {items}"),
        (0, Some(most)) => format!("must have at most {most} {items}"),
        (least, Some(most)) if least == most => format!("must have exactly {least} {items}"),
        (least, Some(most)) => format!("must have {least} to {most} {items}"),
    }
}

fn constants(values: &[Node]) -> Option<String> {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    let words = either(texts.iter().map(String::as_str));
    (!texts.is_empty() && words.len() <= LONGEST).then_some(words)
}

fn either<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.collect();
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        Some((only, _)) => (*only).to_owned(),
        None => "nothing".to_owned(),
    }
}

fn kind_words(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}
