//! Rules that span members: what they ask, as data for pages, and in words for errors.

use crate::graph::JsonType;
use crate::ir::{Check, Clause, Condition, ObjectCheck};

/// What a check asks of an object: as far as we have words for it, else in those of its schema.
pub(super) fn clause(check: &Check, description: Option<&str>) -> Clause {
    let described = description.map(|text| text.trim().trim_end_matches('.'));
    // Whole paragraphs are no words for an error.
    let short = described.filter(|text| !text.is_empty() && !text.contains('\n') && text.len() <= 200);
    let said = || short.map(|text| Clause::Said { text: text.to_owned() });
    known(check).or_else(said).unwrap_or(Clause::Fit)
}

fn known(check: &Check) -> Option<Clause> {
    match check {
        Check::Not(inner) => Some(match names(inner)? {
            [only] => Clause::Absent { name: only.clone() },
            names => Clause::NotTogether { names: names.to_vec() },
        }),
        Check::AnyOf(checks) => Some(Clause::AtLeastOne { sets: sets(checks)? }),
        Check::OneOf(checks) => Some(Clause::ExactlyOne { sets: sets(checks)? }),
        Check::All(checks) => {
            let clauses: Option<Vec<Clause>> = checks.iter().map(known).collect();
            Some(Clause::All { clauses: clauses? })
        }
        Check::If(parts) => {
            let [when, then, otherwise] = parts.as_ref();
            let part = |check: &Check| match check {
                Check::Any => Some(None),
                check => known(check).map(|clause| Some(Box::new(clause))),
            };
            match (part(then)?, part(otherwise)?) {
                (None, None) => None,
                (then, otherwise) => Some(Clause::Where { when: conditions(when)?, then, otherwise }),
            }
        }
        Check::Object(object) => match object.dependent.as_slice() {
            [] => Some(Clause::There { names: only_required(object)?.to_vec() }),
            [(name, then)] => Some(Clause::Beside { name: name.clone(), names: names(then)?.to_vec() }),
            _ => None,
        },
        _ => None,
    }
}

/// What must hold of an object for a rule to apply: which members are there, or what they are.
fn conditions(check: &Check) -> Option<Vec<Condition>> {
    let Check::Object(object) = check else {
        let Check::All(checks) = check else { return None };
        let parts = checks
            .iter()
            .filter(|check| !matches!(check, Check::Kinds(kinds) if kinds == &[JsonType::Object]));
        let parts: Option<Vec<Vec<Condition>>> = parts.map(conditions).collect();
        return parts.map(|parts| parts.concat()).filter(|parts| !parts.is_empty());
    };
    let bare = ObjectCheck { properties: Vec::new(), required: Vec::new(), ..object.as_ref().clone() };
    if !bare.is_empty() {
        return None;
    }
    let mut parts = Vec::new();
    for (name, check) in &object.properties {
        let Check::Constants(values) = check else { return None };
        let values = values.iter().map(ToString::to_string).collect();
        let or_absent = !object.required.contains(name);
        parts.push(Condition::Is { name: name.clone(), values, or_absent });
    }
    let there = object.required.iter().filter(|name| !object.properties.iter().any(|(own, _)| own == *name));
    parts.extend(there.map(|name| Condition::There { name: name.clone() }));
    (!parts.is_empty()).then_some(parts)
}

/// The names that each of several checks asks for, when they ask for nothing else.
fn sets(checks: &[Check]) -> Option<Vec<Vec<String>>> {
    checks.iter().map(|check| names(check).map(<[String]>::to_vec)).collect()
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

/// A clause as an error says it, a sentence without a full stop.
pub(super) fn words(clause: &Clause) -> String {
    match clause {
        Clause::Said { text } => text.clone(),
        Clause::Fit => "its members must fit together".to_owned(),
        Clause::NamesFit => "names of members that fit".to_owned(),
        Clause::NoOthers => "no members beside those that its rules name".to_owned(),
        Clause::Absent { name } => format!("`{name}` must be absent"),
        Clause::NotTogether { names } => format!("{} must not stand together", listed(names)),
        Clause::There { names } => format!("{} must be there", listed(names)),
        Clause::AtLeastOne { sets } => format!("at least one of {} must be there", listed(&joined(sets))),
        Clause::ExactlyOne { sets } => format!("exactly one of {} must be there", listed(&joined(sets))),
        Clause::Beside { name, names } => format!("beside `{name}`, {} must be there", listed(names)),
        Clause::All { clauses } => clauses.iter().map(words).collect::<Vec<_>>().join(", and "),
        Clause::Where { when, then, otherwise } => {
            let when = when.iter().map(condition).collect::<Vec<_>>().join(" and ");
            match (then, otherwise) {
                (None, None) => String::new(),
                (None, Some(otherwise)) => format!("unless {when}, {}", words(otherwise)),
                (Some(then), None) => format!("where {when}, {}", words(then)),
                (Some(then), Some(otherwise)) => {
                    format!("where {when}, {}, and else {}", words(then), words(otherwise))
                }
            }
        }
    }
}

fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Is { name, values, or_absent } => {
            let absent = if *or_absent { " or absent" } else { "" };
            format!("`{name}` is {}{absent}", values.join(" or "))
        }
        Condition::There { name } => format!("`{name}` is there"),
    }
}

fn joined(sets: &[Vec<String>]) -> Vec<String> {
    sets.iter().map(|names| names.join("` with `")).collect()
}

fn listed(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| format!("`{item}`")).collect();
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, start)) => format!("{} and {end}", start.join(", ")),
    }
}
