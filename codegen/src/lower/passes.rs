//! Whether a value of a schema file passes a check.

use crate::graph::JsonType;
use crate::ir::{
    Check, Evaluated, ListCheck, NumberRules, ObjectCheck, Parts, SharedCheck, TextRules, Unevaluated,
};
use crate::json::{Json, Node, escape};
use crate::support::{Decimal, Format};

/// Why a value of a schema file does not pass: the pointer from it on, and the rule in words.
pub(super) fn violation(check: &Check, shared: &[SharedCheck], node: &Node) -> Option<(String, String)> {
    let here = |words: String| Some((String::new(), words));
    match check {
        Check::Any => None,
        Check::Never => here("no value is allowed here".to_owned()),
        Check::All(checks) => checks.iter().find_map(|check| violation(check, shared, node)),
        Check::AnyOf(checks) => {
            if checks.iter().any(|check| passes(check, shared, node)) {
                None
            } else {
                here("no branch of `anyOf` accepts it".to_owned())
            }
        }
        Check::OneOf(checks) => match checks.iter().filter(|check| passes(check, shared, node)).count() {
            1 => None,
            count => here(format!("`oneOf` wants exactly one branch to accept it, {count} do")),
        },
        Check::Not(check) => {
            if passes(check, shared, node) {
                here("`not` forbids it".to_owned())
            } else {
                None
            }
        }
        Check::If(parts) => {
            let [when, then, otherwise] = parts.as_ref();
            violation(if passes(when, shared, node) { then } else { otherwise }, shared, node)
        }
        Check::Shared(index) => violation(&shared[*index].check, shared, node),
        Check::Kinds(kinds) => {
            if kinds.iter().any(|kind| has_kind(node, *kind)) {
                None
            } else {
                here(format!("`type` does not allow {}", node.kind()))
            }
        }
        Check::Constants(constants) => {
            if constants.iter().any(|constant| same(constant, node)) {
                None
            } else {
                let allowed: Vec<String> = constants.iter().map(ToString::to_string).collect();
                here(format!("it must be {}", allowed.join(" or ")))
            }
        }
        Check::Text(rules) => node.as_str().and_then(|text| text_violation(rules, text)).and_then(here),
        Check::Number(rules) => number_violation(rules, node).and_then(here),
        Check::List(check) => list_violation(check, shared, node),
        Check::Object(check) => object_violation(check, shared, node),
        Check::Unevaluated(rest) => unevaluated_violation(rest, shared, node),
    }
}

/// Whether a value of a schema file passes.
pub(super) fn passes(check: &Check, shared: &[SharedCheck], node: &Node) -> bool {
    violation(check, shared, node).is_none()
}

fn text_violation(rules: &TextRules, text: &str) -> Option<String> {
    let length = text.chars().count() as u64;
    if rules.min_length.is_some_and(|min| length < min) {
        return Some("it breaks `minLength`".to_owned());
    }
    if rules.max_length.is_some_and(|max| length > max) {
        return Some("it breaks `maxLength`".to_owned());
    }
    for pattern in &rules.patterns {
        if !matches(pattern, text) {
            return Some(format!("it breaks `pattern` {pattern}"));
        }
    }
    let broken =
        rules.formats.iter().find(|name| Format::from_name(name).is_some_and(|format| !format.accepts(text)));
    broken.map(|format| format!("it breaks `format` {format}"))
}

/// Whether an ECMA-262 pattern matches somewhere; the patterns were compiled when they were loaded.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    regress::Regex::with_flags(pattern, "u")
        .or_else(|_| regress::Regex::new(pattern))
        .is_ok_and(|regex| regex.find(text).is_some())
}

fn number_violation(rules: &NumberRules, node: &Node) -> Option<String> {
    let Json::Number(text) = &node.value else { return None };
    let value = Decimal::parse(text)?;
    if rules.strict_integer && text.contains(['.', 'e', 'E']) {
        return Some("`type` does not allow a fraction".to_owned());
    }
    let below = rules.minimum.as_ref().is_some_and(|bound| {
        Decimal::parse(&bound.value).is_some_and(|least| value < least || (bound.exclusive && value == least))
    });
    if below {
        return Some(if rules.minimum.as_ref().is_some_and(|bound| bound.exclusive) {
            "it breaks `exclusiveMinimum`".to_owned()
        } else {
            "it breaks `minimum`".to_owned()
        });
    }
    let above = rules.maximum.as_ref().is_some_and(|bound| {
        Decimal::parse(&bound.value).is_some_and(|most| value > most || (bound.exclusive && value == most))
    });
    if above {
        return Some(if rules.maximum.as_ref().is_some_and(|bound| bound.exclusive) {
            "it breaks `exclusiveMaximum`".to_owned()
        } else {
            "it breaks `maximum`".to_owned()
        });
    }
    let odd = rules.multiple_of.iter().any(|divisor| {
        Decimal::parse(divisor).and_then(|divisor| value.is_multiple_of(&divisor)) != Some(true)
    });
    odd.then(|| "it breaks `multipleOf`".to_owned())
}

fn list_violation(check: &ListCheck, shared: &[SharedCheck], node: &Node) -> Option<(String, String)> {
    let Json::Array(items) = &node.value else { return None };
    let here = |words: &str| Some((String::new(), words.to_owned()));
    let count = items.len() as u64;
    if check.min_items.is_some_and(|min| count < min) {
        return here("it breaks `minItems`");
    }
    if check.max_items.is_some_and(|max| count > max) {
        return here("it breaks `maxItems`");
    }
    if check.unique
        && (1..items.len()).any(|index| items[..index].iter().any(|other| same(other, &items[index])))
    {
        return here("it breaks `uniqueItems`");
    }
    for (contained, least, most) in &check.contains {
        let count = items.iter().filter(|item| passes(contained, shared, item)).count() as u64;
        if count < *least || most.is_some_and(|most| count > most) {
            return here("it breaks `contains`");
        }
    }
    items.iter().enumerate().find_map(|(index, item)| {
        let (pointer, words) = violation(check.prefix.get(index).unwrap_or(&check.items), shared, item)?;
        Some((format!("/{index}{pointer}"), words))
    })
}

fn object_violation(check: &ObjectCheck, shared: &[SharedCheck], node: &Node) -> Option<(String, String)> {
    let Json::Object(members) = &node.value else { return None };
    let here = |words: String| Some((String::new(), words));
    if let Some(name) = check.required.iter().find(|name| node.get(name).is_none()) {
        return here(format!("`{name}` is missing"));
    }
    let count = members.len() as u64;
    if check.min_members.is_some_and(|min| count < min) {
        return here("it breaks `minProperties`".to_owned());
    }
    if check.max_members.is_some_and(|max| count > max) {
        return here("it breaks `maxProperties`".to_owned());
    }
    for (name, dependent) in &check.dependent {
        if node.get(name).is_some()
            && let Some(found) = violation(dependent, shared, node)
        {
            return Some(found);
        }
    }
    members.iter().find_map(|member| {
        let name = Node { value: Json::String(member.name.clone()), span: member.span };
        if let Some((_, words)) = violation(&check.names, shared, &name) {
            return here(format!("the name {name}: {words}"));
        }
        let mut checks: Vec<&Check> = check
            .properties
            .iter()
            .filter(|(name, _)| *name == member.name)
            .map(|(_, check)| check)
            .collect();
        checks.extend(
            check
                .patterns
                .iter()
                .filter(|(pattern, _)| matches(pattern, &member.name))
                .map(|(_, check)| check),
        );
        if checks.is_empty() {
            checks.push(&check.additional);
        }
        let (pointer, words) = checks.into_iter().find_map(|check| violation(check, shared, &member.node))?;
        Some((format!("/{}{pointer}", escape(&member.name)), words))
    })
}

fn unevaluated_violation(
    rest: &Unevaluated,
    shared: &[SharedCheck],
    node: &Node,
) -> Option<(String, String)> {
    let parts: Vec<(String, &Node)> = match (rest.of, &node.value) {
        (Parts::Members, Json::Object(members)) => {
            members.iter().map(|member| (member.name.clone(), &member.node)).collect()
        }
        (Parts::Items, Json::Array(items)) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        _ => return None,
    };
    parts.into_iter().enumerate().find_map(|(index, (name, part))| {
        if is_evaluated(&rest.evaluated, shared, node, (index, &name, part)) {
            return None;
        }
        let (pointer, words) = violation(&rest.check, shared, part)?;
        Some((format!("/{}{pointer}", escape(&name)), words))
    })
}

fn is_evaluated(
    evaluated: &Evaluated,
    shared: &[SharedCheck],
    whole: &Node,
    part: (usize, &str, &Node),
) -> bool {
    let (index, name, node) = part;
    match evaluated {
        Evaluated::All => true,
        Evaluated::Names(names) => names.iter().any(|own| own == name),
        Evaluated::Patterns(patterns) => patterns.iter().any(|pattern| matches(pattern, name)),
        Evaluated::First(count) => index < *count,
        Evaluated::Matching(check) => passes(check, shared, node),
        Evaluated::Each(each) => each.iter().any(|some| is_evaluated(some, shared, whole, part)),
        Evaluated::When(check, some) => {
            passes(check, shared, whole) && is_evaluated(some, shared, whole, part)
        }
    }
}

/// The JSON type of a value of a schema file.
pub(super) fn kind_of(node: &Node) -> JsonType {
    match &node.value {
        Json::Null => JsonType::Null,
        Json::Bool(_) => JsonType::Boolean,
        Json::Number(_) => JsonType::Number,
        Json::String(_) => JsonType::String,
        Json::Array(_) => JsonType::Array,
        Json::Object(_) => JsonType::Object,
    }
}

/// Whether a value of a schema file has a JSON type.
pub(super) fn has_kind(node: &Node, kind: JsonType) -> bool {
    match (&node.value, kind) {
        (Json::Number(text), JsonType::Integer) => {
            Decimal::parse(text).is_some_and(|value| value.is_integer())
        }
        _ => kind_of(node) == kind,
    }
}

/// Whether two values are the same JSON.
pub(super) fn same(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Json::Null, Json::Null) => true,
        (Json::Bool(a), Json::Bool(b)) => a == b,
        (Json::String(a), Json::String(b)) => a == b,
        (Json::Number(a), Json::Number(b)) => Decimal::parse(a) == Decimal::parse(b),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(members), Json::Object(others)) => {
            members.len() == others.len()
                && members
                    .iter()
                    .all(|member| b.get(&member.name).is_some_and(|value| same(&member.node, value)))
        }
        _ => false,
    }
}
