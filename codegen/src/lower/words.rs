//! Rules in words, for errors and pages.

use crate::ir::{Check, ObjectCheck};

/// What a check asks of an object, in words.
pub(super) fn words(check: &Check) -> String {
    match check {
        Check::Object(object) => match only_required(object) {
            Some(names) => listed(names, "and"),
            None => dependent(object).unwrap_or_else(|| "members that fit together".to_owned()),
        },
        Check::Not(inner) => match inner.as_ref() {
            Check::Object(object) if only_required(object).is_some_and(|names| names.len() == 1) => {
                format!("no {}", words(inner))
            }
            Check::Object(object) if only_required(object).is_some() => {
                format!("not {} together", words(inner))
            }
            _ => "members that fit together".to_owned(),
        },
        Check::AnyOf(checks) if checks.iter().all(is_presence) => {
            format!(
                "at least one of {}",
                listed(&checks.iter().map(words).collect::<Vec<_>>(), "or").replace('`', "`")
            )
        }
        Check::OneOf(checks) if checks.iter().all(is_presence) => {
            format!("exactly one of {}", listed(&checks.iter().map(words).collect::<Vec<_>>(), "or"))
        }
        Check::All(checks) => listed(&checks.iter().map(words).collect::<Vec<_>>(), "and"),
        _ => "members that fit together".to_owned(),
    }
}

/// The names that a check asks for, when it asks for nothing else.
pub(super) fn only_required(check: &ObjectCheck) -> Option<&[String]> {
    let plain = check.properties.is_empty()
        && check.patterns.is_empty()
        && matches!(check.additional, Check::Any)
        && matches!(check.names, Check::Any)
        && check.min_members.is_none()
        && check.max_members.is_none()
        && check.dependent.is_empty();
    (plain && !check.required.is_empty()).then_some(&check.required)
}

fn is_presence(check: &Check) -> bool {
    matches!(check, Check::Object(object) if only_required(object).is_some())
}

fn dependent(check: &ObjectCheck) -> Option<String> {
    let [(name, then)] = check.dependent.as_slice() else { return None };
    is_presence(then).then(|| format!("{} beside `{name}`", words(then)))
}

fn listed<T: AsRef<str>>(items: &[T], last: &str) -> String {
    let items: Vec<String> = items
        .iter()
        .map(|item| {
            if item.as_ref().contains('`') || item.as_ref().contains(' ') {
                item.as_ref().to_owned()
            } else {
                format!("`{}`", item.as_ref())
            }
        })
        .collect();
    match items.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, start)) => format!("{} {last} {end}", start.join(", ")),
    }
}
