//! Checks as conditions on a `&serde_json::Value`.

use super::{literals, patterns};
use crate::graph::JsonType;
use crate::ir::{
    Bound, Check, Evaluated, ListCheck, NumberRules, ObjectCheck, Parts, Protocol, TextRules, Unevaluated,
};
use crate::json::Json;
use crate::support::Format;
use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};

/// A condition on `value`, an expression of type `&Value`.
pub(super) fn tokens(protocol: &Protocol, check: &Check, value: &TokenStream) -> TokenStream {
    match check {
        Check::Any => quote! { true },
        Check::Never => quote! { false },
        Check::All(checks) => {
            let checks = checks.iter().map(|check| tokens(protocol, check, value));
            quote! { (#((#checks))&&*) }
        }
        Check::AnyOf(checks) if checks.is_empty() => quote! { false },
        Check::AnyOf(checks) => {
            let checks = checks.iter().map(|check| tokens(protocol, check, value));
            quote! { (#((#checks))||*) }
        }
        Check::OneOf(checks) => {
            let checks = checks.iter().map(|check| tokens(protocol, check, value));
            quote! { [#(#checks),*].into_iter().filter(|passes| *passes).count() == 1 }
        }
        Check::Not(check) => {
            let check = tokens(protocol, check, value);
            quote! { !(#check) }
        }
        Check::If(parts) => {
            let [when, then, otherwise] =
                parts.as_ref().each_ref().map(|check| tokens(protocol, check, value));
            quote! { (if #when { #then } else { #otherwise }) }
        }
        Check::Shared(index) => {
            let name = format_ident!("{}", protocol.checks[*index].name);
            quote! { #name(#value) }
        }
        Check::Kinds(kinds) => {
            let kinds = kind_patterns(kinds);
            quote! { ::std::matches!(support::kind_of(#value), #(#kinds)|*) }
        }
        Check::Constants(constants) if constants.is_empty() => quote! { false },
        Check::Constants(constants) => {
            let tests = constants.iter().map(|constant| match &constant.value {
                Json::String(text) => quote! { #value.as_str() == Some(#text) },
                Json::Null => quote! { #value.is_null() },
                _ => {
                    let constant = literals::value(constant);
                    quote! { support::equal(#value, &#constant) }
                }
            });
            quote! { (#(#tests)||*) }
        }
        Check::Text(rules) => {
            let test = text_test(rules, &quote! { text });
            quote! { #value.as_str().is_none_or(|text| #test.is_ok()) }
        }
        Check::Number(rules) => {
            let test = number_test(rules, &quote! { number });
            let strict = rules.strict_integer.then(|| quote! { number.is_written_as_integer() && });
            quote! { support::number(#value).is_none_or(|number| #strict #test.is_ok()) }
        }
        Check::List(check) => list_test(protocol, check, value),
        Check::Object(check) => object_test(protocol, check, value),
        Check::Unevaluated(rest) => unevaluated_test(protocol, rest, value),
    }
}

/// Patterns of `support::Kind` for JSON types, each once.
pub(super) fn kind_patterns(kinds: &[JsonType]) -> Vec<TokenStream> {
    let mut names: Vec<&str> = Vec::new();
    for kind in kinds {
        let own: &[&str] = match kind {
            JsonType::Null => &["Null"],
            JsonType::Boolean => &["Boolean"],
            JsonType::Integer => &["Integer"],
            JsonType::Number => &["Integer", "Fraction"],
            JsonType::String => &["String"],
            JsonType::Array => &["Array"],
            JsonType::Object => &["Object"],
        };
        for name in own {
            if !names.contains(name) {
                names.push(name);
            }
        }
    }
    let pattern = |name| {
        let name = format_ident!("{name}");
        quote! { support::Kind::#name }
    };
    names.into_iter().map(pattern).collect()
}

/// A check of a `&str` as a `Result<(), RuleError>`.
pub(super) fn text_test(rules: &TextRules, text: &TokenStream) -> TokenStream {
    let min = option(rules.min_length);
    let max = option(rules.max_length);
    let format = |format: Format| {
        let format = format_ident!("{format:?}");
        quote! { support::Format::#format }
    };
    let formats: Vec<TokenStream> =
        rules.formats.iter().filter_map(|name| Format::from_name(name)).map(format).collect();
    let mut patterns = rules.patterns.iter().map(|pattern| patterns::check(pattern, text));
    if rules.min_length.is_none()
        && rules.max_length.is_none()
        && formats.is_empty()
        && let Some(first) = patterns.next()
    {
        return quote! { { #first }#(.and_then(|()| { #patterns }))* };
    }
    quote! { support::check_text(#text, #min, #max, &[#(#formats),*])#(.and_then(|()| { #patterns }))* }
}

/// A check of a `Number` as a `Result<Number, RuleError>`.
pub(super) fn number_test(rules: &NumberRules, number: &TokenStream) -> TokenStream {
    let whole = |bound: &Option<Bound>| match bound {
        None => Some(None),
        Some(bound) if bound.exclusive => None,
        Some(bound) => bound.value.parse::<i128>().ok().map(Some),
    };
    if let (Some(min), Some(max), true) =
        (whole(&rules.minimum), whole(&rules.maximum), rules.multiple_of.is_empty())
    {
        let (min, max) = (option(min), option(max));
        return quote! { #number.check_range(#min, #max) };
    }
    let (min, max) = (bound(&rules.minimum), bound(&rules.maximum));
    let divisors = &rules.multiple_of;
    quote! { #number.check(#min, #max, &[#(#divisors),*]) }
}

/// A bound as an `Option<(&str, bool)>`: the number, and whether it is itself outside.
pub(super) fn bound(bound: &Option<Bound>) -> TokenStream {
    match bound {
        None => quote! { None },
        Some(Bound { value, exclusive }) => quote! { Some((#value, #exclusive)) },
    }
}

fn option<T: quote::ToTokens>(value: Option<T>) -> TokenStream {
    match value {
        None => quote! { None },
        Some(value) => quote! { Some(#value) },
    }
}

fn list_test(protocol: &Protocol, check: &ListCheck, value: &TokenStream) -> TokenStream {
    let mut tests = Vec::new();
    if let Some(min) = check.min_items {
        tests.push(quote! { items.len() as u64 >= #min });
    }
    if let Some(max) = check.max_items {
        tests.push(quote! { items.len() as u64 <= #max });
    }
    if check.unique {
        tests.push(quote! { support::all_different(items) });
    }
    for (index, check) in check.prefix.iter().enumerate() {
        if !matches!(check, Check::Any) {
            let test = tokens(protocol, check, &quote! { item });
            let item = if index == 0 {
                quote! { items.first() }
            } else {
                quote! { items.get(#index) }
            };
            tests.push(if_some(&item, "item", &test, calls(check)));
        }
    }
    if !matches!(check.items, Check::Any) {
        let test = tokens(protocol, &check.items, &quote! { item });
        let skip = check.prefix.len();
        let rest = (skip > 0).then(|| quote! { .skip(#skip) });
        tests.push(every(&quote! { items.iter()#rest }, "item", &test, calls(&check.items)));
    }
    for (contained, least, most) in &check.contains {
        let test = tokens(protocol, contained, &quote! { item });
        let count = if calls(contained) {
            quote! { { let mut count = 0u64; for item in items { count += u64::from(#test); } count } }
        } else {
            let closure = closure("item", &test);
            quote! { items.iter().filter(#closure).count() as u64 }
        };
        tests.extend(match (least, most) {
            (0, None) => None,
            (0, Some(most)) => Some(quote! { #count <= #most }),
            (least, Some(most)) if least > most => Some(quote! { false }),
            (least, Some(most)) => Some(quote! { (#least..=#most).contains(&(#count)) }),
            (least, None) => Some(quote! { #count >= #least }),
        });
    }
    if tests.is_empty() {
        return quote! { true };
    }
    let calls = check.parts().any(calls);
    if_some(&quote! { #value.as_array() }, "items", &quote! { #((#tests))&&* }, calls)
}

fn object_test(protocol: &Protocol, check: &ObjectCheck, value: &TokenStream) -> TokenStream {
    let mut tests = Vec::new();
    for name in &check.required {
        tests.push(quote! { members.contains_key(#name) });
    }
    if let Some(min) = check.min_members {
        tests.push(quote! { members.len() as u64 >= #min });
    }
    if let Some(max) = check.max_members {
        tests.push(quote! { members.len() as u64 <= #max });
    }
    if !matches!(check.names, Check::Any) {
        let test = tokens(protocol, &check.names, &quote! { name });
        tests.push(if calls(&check.names) {
            quote! {
                {
                    let mut pass = true;
                    for name in members.keys() {
                        let name = &::serde_json::Value::from(name.as_str());
                        if !(#test) {
                            pass = false;
                            break;
                        }
                    }
                    pass
                }
            }
        } else if mentions(&test, "name") {
            quote! {
                members.keys().all(|name| {
                    let name = &::serde_json::Value::from(name.as_str());
                    #test
                })
            }
        } else {
            quote! { members.keys().all(|_| #test) }
        });
    }
    for (name, check) in &check.dependent {
        let test = tokens(protocol, check, value);
        tests.push(quote! { (!members.contains_key(#name) || (#test)) });
    }
    for (name, check) in &check.properties {
        if !matches!(check, Check::Any) {
            let test = tokens(protocol, check, &quote! { member });
            tests.push(if_some(&quote! { members.get(#name) }, "member", &test, calls(check)));
        }
    }
    if !check.patterns.is_empty() || !matches!(check.additional, Check::Any) {
        tests.push(members_test(protocol, check));
    }
    if tests.is_empty() {
        return quote! { true };
    }
    let calls = check.parts().any(calls);
    if_some(&quote! { #value.as_object() }, "members", &quote! { #((#tests))&&* }, calls)
}

/// What holds for members by the pattern of their names, and for those that nothing names.
fn members_test(protocol: &Protocol, check: &ObjectCheck) -> TokenStream {
    let additional = tokens(protocol, &check.additional, &quote! { member });
    let of_all = calls(&check.additional) || check.patterns.iter().any(|(_, check)| calls(check));
    if check.properties.is_empty() && check.patterns.is_empty() {
        return every(&quote! { members.values() }, "member", &additional, of_all);
    }
    let refuse = if of_all {
        quote! { pass = false; break; }
    } else {
        quote! { return false; }
    };
    let names = check.properties.iter().map(|(name, _)| name);
    let known = if check.properties.is_empty() {
        quote! { false }
    } else {
        quote! { ::std::matches!(name.as_str(), #(#names)|*) }
    };
    let patterns = check.patterns.iter().map(|(pattern, check)| {
        let test = tokens(protocol, check, &quote! { member });
        let matches = patterns::matches(pattern, &quote! { name });
        quote! {
            let matches = #matches;
            if matches {
                named = true;
                if !(#test) {
                    #refuse
                }
            }
        }
    });
    let mutable = (!check.patterns.is_empty()).then(|| quote! { mut });
    let head = quote! {
        let #mutable named = #known;
        #(#patterns)*
    };
    if of_all {
        return quote! {
            {
                let mut pass = true;
                for (name, member) in members {
                    #head
                    if !(named || (#additional)) {
                        pass = false;
                        break;
                    }
                }
                pass
            }
        };
    }
    let body = quote! {
        #head
        named || (#additional)
    };
    let member = argument("member", &body);
    quote! { members.iter().all(|(name, #member)| { #body }) }
}

/// What holds for the parts of a value that nothing else has looked at.
fn unevaluated_test(protocol: &Protocol, rest: &Unevaluated, value: &TokenStream) -> TokenStream {
    let mut conditions = Vec::new();
    let is_evaluated = evaluated(protocol, &rest.evaluated, &mut conditions);
    let conditions: Vec<TokenStream> =
        conditions.iter().map(|check| tokens(protocol, check, value)).collect();
    let holds = (!conditions.is_empty()).then(|| quote! { let holds = [#(#conditions),*]; });
    let check = match rest.of {
        Parts::Members => tokens(protocol, &rest.check, &quote! { member }),
        Parts::Items => tokens(protocol, &rest.check, &quote! { item }),
    };
    let test = quote! { #is_evaluated || #check };
    let (parts, each, key, part) = match rest.of {
        Parts::Members => (quote! { as_object }, quote! { parts }, "name", "member"),
        Parts::Items => (quote! { as_array }, quote! { parts.iter().enumerate() }, "index", "item"),
    };
    let (key, part) = (argument(key, &is_evaluated), argument(part, &test));
    if calls(&rest.check) || rest.evaluated.checks().into_iter().any(calls) {
        return quote! {
            (if let Some(parts) = #value.#parts() {
                #holds
                let mut pass = true;
                for (#key, #part) in #each {
                    if !(#test) {
                        pass = false;
                        break;
                    }
                }
                pass
            } else {
                true
            })
        };
    }
    let each = match rest.of {
        Parts::Members => quote! { parts.iter() },
        Parts::Items => each,
    };
    quote! { #value.#parts().is_none_or(|parts| { #holds #each.all(|(#key, #part)| #test) }) }
}

/// Whether a part is evaluated, as a condition on `name`, or on `index` and `item`; what depends on
/// the whole value is the item of `holds` that has the index of its check in `conditions`.
fn evaluated<'e>(protocol: &Protocol, some: &'e Evaluated, conditions: &mut Vec<&'e Check>) -> TokenStream {
    match some {
        Evaluated::All => quote! { true },
        Evaluated::Names(names) => quote! { ::std::matches!(name.as_str(), #(#names)|*) },
        Evaluated::Patterns(patterns) => {
            let tests = patterns.iter().map(|pattern| patterns::matches(pattern, &quote! { name }));
            quote! { (#(#tests)||*) }
        }
        Evaluated::First(count) => quote! { index < #count },
        Evaluated::Matching(check) => {
            let test = tokens(protocol, check, &quote! { item });
            quote! { (#test) }
        }
        Evaluated::Each(each) if each.is_empty() => quote! { false },
        Evaluated::Each(each) => {
            let tests: Vec<TokenStream> =
                each.iter().map(|some| evaluated(protocol, some, conditions)).collect();
            quote! { (#(#tests)||*) }
        }
        Evaluated::When(check, some) => {
            let index = proc_macro2::Literal::usize_unsuffixed(conditions.len());
            conditions.push(check);
            let some = evaluated(protocol, some, conditions);
            quote! { (holds[#index] && #some) }
        }
    }
}

/// Whether tokens name a variable.
pub(super) fn mentions(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// Whether a check calls shared ones. What does must not be in a closure: each closure makes a new
/// function of the one that it is given to, and the compiler follows 128 of them at most.
fn calls(check: &Check) -> bool {
    matches!(check, Check::Shared(_)) || check.parts().into_iter().any(calls)
}

/// What holds where an option is something, which gets the name `name`.
fn if_some(option: &TokenStream, name: &str, test: &TokenStream, calls: bool) -> TokenStream {
    if calls {
        let name = argument(name, test);
        return quote! { (if let Some(#name) = #option { #test } else { true }) };
    }
    let closure = closure(name, test);
    quote! { #option.is_none_or(#closure) }
}

/// What holds for all that an iterator gives.
fn every(iterator: &TokenStream, name: &str, test: &TokenStream, calls: bool) -> TokenStream {
    if calls {
        let name = argument(name, test);
        return quote! {
            {
                let mut pass = true;
                for #name in #iterator {
                    if !(#test) {
                        pass = false;
                        break;
                    }
                }
                pass
            }
        };
    }
    let closure = closure(name, test);
    quote! { #iterator.all(#closure) }
}

/// A closure over one variable, which is `_` where the body does not name it.
fn closure(name: &str, body: &TokenStream) -> TokenStream {
    let argument = argument(name, body);
    quote! { |#argument| #body }
}

/// A variable as an argument, `_` where the body does not name it.
pub(super) fn argument(name: &str, body: &TokenStream) -> TokenStream {
    if mentions(body, name) {
        let name = format_ident!("{name}");
        quote! { #name }
    } else {
        quote! { _ }
    }
}
