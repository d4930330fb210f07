//! Rules that span members, in words, for errors and pages.

use crate::graph::JsonType;
use crate::ir::{Check, ObjectCheck};

/// What a check asks of an object, as a sentence without a full stop: in our words, else in those of
/// its schema.
pub(super) fn words(check: &Check, description: Option<&str>) -> String {
    let described = description.map(|text| text.trim().trim_end_matches('.'));
    // Whole paragraphs are no words for an error.
    let short = described.filter(|text| !text.is_empty() && !text.contains('\n') && text.len() <= 200);
    clause(check)
        .or_else(|| short.map(str::to_owned))
        .unwrap_or_else(|| "its members must fit together".to_owned())
}

fn clause(check: &Check) -> Option<String> {
    match check {
        Check::Not(inner) => match names(inner)? {
            [only] => Some(format!("`{only}` must be absent")),
            names => Some(format!("{} must not stand together", listed(names, "and"))),
        },
        Check::AnyOf(checks) => alternatives(checks, "at least one"),
        Check::OneOf(checks) => alternatives(checks, "exactly one"),
        Check::All(checks) => {
            let clauses: Option<Vec<String>> = checks.iter().map(clause).collect();
            Some(clauses?.join(", and "))
        }
        Check::If(parts) => {
            let [when, then, otherwise] = parts.as_ref();
            let when = condition(when)?;
            match (then, otherwise) {
                (Check::Any, otherwise) => Some(format!("unless {when}, {}", clause(otherwise)?)),
                (then, Check::Any) => Some(format!("where {when}, {}", clause(then)?)),
                (then, otherwise) => {
                    Some(format!("where {when}, {}, and else {}", clause(then)?, clause(otherwise)?))
                }
            }
        }
        Check::Object(object) => match object.dependent.as_slice() {
            [] => Some(format!("{} must be there", listed(only_required(object)?, "and"))),
            [(name, then)] => Some(format!("beside `{name}`, {} must be there", listed(names(then)?, "and"))),
            _ => None,
        },
        _ => None,
    }
}

/// What must hold of an object for a rule to apply: which members are there, or what they are.
fn condition(check: &Check) -> Option<String> {
    let Check::Object(object) = check else {
        let Check::All(checks) = check else { return None };
        let parts = checks
            .iter()
            .filter(|check| !matches!(check, Check::Kinds(kinds) if kinds == &[JsonType::Object]));
        let parts: Option<Vec<String>> = parts.map(condition).collect();
        return parts.filter(|parts| !parts.is_empty()).map(|parts| parts.join(" and "));
    };
    let bare = ObjectCheck { properties: Vec::new(), required: Vec::new(), ..object.as_ref().clone() };
    if !bare.is_empty() {
        return None;
    }
    let mut parts = Vec::new();
    for (name, check) in &object.properties {
        let Check::Constants(values) = check else { return None };
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        let absent = if object.required.contains(name) { "" } else { " or absent" };
        parts.push(format!("`{name}` is {}{absent}", values.join(" or ")));
    }
    let there = object.required.iter().filter(|name| !object.properties.iter().any(|(own, _)| own == *name));
    parts.extend(there.map(|name| format!("`{name}` is there")));
    (!parts.is_empty()).then(|| parts.join(" and "))
}

fn alternatives(checks: &[Check], how_many: &str) -> Option<String> {
    let names: Option<Vec<String>> =
        checks.iter().map(|check| names(check).map(|names| names.join("` with `"))).collect();
    Some(format!("{how_many} of {} must be there", listed(&names?, "and")))
}

/// The names that a check asks for, when it asks for nothing else.
fn names(check: &Check) -> Option<&[String]> {
    match check {
        Check::Object(object) => only_required(object),
        _ => None,
    }
}

fn only_required(check: &ObjectCheck) -> Option<&[String]> {
    let bare = ObjectCheck { required: Vec::new(), ..check.clone() };
    (bare.is_empty() && !check.required.is_empty()).then_some(&check.required)
}

fn listed(items: &[String], last: &str) -> String {
    let items: Vec<String> = items.iter().map(|item| format!("`{item}`")).collect();
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, start)) => format!("{} {last} {end}", start.join(", ")),
    }
}
