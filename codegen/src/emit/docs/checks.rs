//! Checks of JSON values as nested lists of rules.

use super::prose::{Prose, Span, after, code, labelled, listed, text};
use super::words::{count, kind_word, kinds_of, number_rules, text_rules};
use crate::ir::{Check, ListCheck, NumberRules, ObjectCheck, Protocol, Rest, Struct, TextRules};
use serde::Serialize;

/// A rule, and what it asks in detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Note {
    /// The rule.
    pub(super) text: Prose,
    /// Its details.
    pub(super) children: Vec<Note>,
}

/// What a check asks, all of it.
pub(super) fn notes(check: &Check, protocol: &Protocol) -> Vec<Note> {
    match check {
        Check::Any => Vec::new(),
        Check::Never => vec![leaf(text("nothing is allowed"))],
        Check::All(checks) => checks.iter().flat_map(|check| notes(check, protocol)).collect(),
        Check::AnyOf(checks) => vec![branch("at least one of these holds:", group(checks, protocol))],
        Check::OneOf(checks) => vec![branch("exactly one of these holds:", group(checks, protocol))],
        Check::Not(check) => vec![branch("not:", notes_or_anything(check, protocol))],
        Check::If(parts) => {
            let [when, then, otherwise] = parts.as_ref();
            let mut list = vec![branch("if:", notes_or_anything(when, protocol))];
            if !matches!(then, Check::Any) {
                list.push(branch("then:", notes(then, protocol)));
            }
            if !matches!(otherwise, Check::Any) {
                list.push(branch("otherwise:", notes(otherwise, protocol)));
            }
            list
        }
        Check::Shared(index) => {
            let name = protocol.checks.get(*index).map_or("?", |check| check.name.as_str());
            vec![leaf(labelled("what shared rule ", name).into_iter().chain(text(" asks")).collect())]
        }
        Check::Kinds(kinds) => {
            vec![leaf(text(format!("{}", kinds_of(kinds.iter().map(|kind| kind_word(*kind))))))]
        }
        Check::Constants(values) => {
            let many = values.len() > 1;
            let values = listed(values.iter().map(|value| code(value.to_string())), ", ", " and ");
            vec![leaf(after(if many { "one of " } else { "always " }, values))]
        }
        Check::Text(rules) => when("a text: ", text_rules(rules)),
        Check::Number(rules) => {
            let rules = NumberRules { integer: false, strict_integer: false, ..rules.clone() };
            when("a number: ", number_rules(&rules))
        }
        Check::List(rules) => list(rules, protocol),
        Check::Object(rules) => object(rules, protocol),
    }
}

/// What an object asks beside the types of its members.
pub(super) fn object_notes(
    object: &Struct,
    protocol: &Protocol,
    rest: impl Fn(&Rest) -> Vec<Note>,
) -> Vec<Note> {
    let count = count(object.min_members, object.max_members, "member", "members");
    let count = count.map(|words| leaf(after("In all: ", words)));
    let rules = object.rules.iter().map(|rule| leaf(text(rule.words.clone())));
    let checked = match &object.rest {
        Rest::Checked(check) => notes(check, protocol),
        other => rest(other),
    };
    count.into_iter().chain(rules).chain(checked).collect()
}

/// A rule without details.
pub(super) fn leaf(text: Prose) -> Note {
    Note { text, children: Vec::new() }
}

fn branch(words: &str, children: Vec<Note>) -> Note {
    Note { text: text(words), children }
}

/// One note for each check, so that it shows what belongs together.
fn group(checks: &[Check], protocol: &Protocol) -> Vec<Note> {
    checks
        .iter()
        .map(|check| {
            let mut notes = notes_or_anything(check, protocol);
            if notes.len() == 1 { notes.remove(0) } else { branch("all of these:", notes) }
        })
        .collect()
}

fn notes_or_anything(check: &Check, protocol: &Protocol) -> Vec<Note> {
    let notes = notes(check, protocol);
    if notes.is_empty() { vec![leaf(text("anything"))] } else { notes }
}

/// Rules that bind one kind of value only.
fn when(kind: &str, rules: Vec<Prose>) -> Vec<Note> {
    rules.into_iter().map(|rule| leaf(after(kind, rule))).collect()
}

fn list(rules: &ListCheck, protocol: &Protocol) -> Vec<Note> {
    let count_items = count(rules.min_items, rules.max_items, "item", "items");
    let unique = rules.unique.then(|| text("no two equal"));
    let mut list = when("a list: ", count_items.into_iter().chain(unique).collect());
    for (index, check) in rules.prefix.iter().enumerate() {
        let notes = notes(check, protocol);
        if !notes.is_empty() {
            list.push(branch(&format!("a list: item {}:", index + 1), notes));
        }
    }
    let items = notes(&rules.items, protocol);
    if !items.is_empty() {
        let which = if rules.prefix.is_empty() { "a list: each item:" } else { "a list: each further item:" };
        list.push(branch(which, items));
    }
    for (check, least, greatest) in &rules.contains {
        let Some(mut words) = count(Some(*least), *greatest, "item", "items") else { continue };
        words = after("a list: ", words);
        words.push(Span::Text(" for which:".to_owned()));
        list.push(Note { text: words, children: notes_or_anything(check, protocol) });
    }
    list
}

fn object(rules: &ObjectCheck, protocol: &Protocol) -> Vec<Note> {
    let mut list: Vec<Note> = when(
        "an object: ",
        count(rules.min_members, rules.max_members, "member", "members").into_iter().collect(),
    );
    if !rules.required.is_empty() {
        let names = listed(rules.required.iter().map(code), ", ", " and ");
        list.push(leaf(after("an object: has ", names)));
    }
    let named = |words: &str, name: &str, check: &Check| {
        let children = notes(check, protocol);
        (!children.is_empty()).then(|| {
            let mut text = labelled(words, name);
            text.push(Span::Text(":".to_owned()));
            Note { text, children }
        })
    };
    list.extend(rules.properties.iter().filter_map(|(name, check)| named("an object: member ", name, check)));
    list.extend(
        rules
            .patterns
            .iter()
            .filter_map(|(name, check)| named("an object: members whose name matches ", name, check)),
    );
    match &rules.additional {
        Check::Never => list.push(leaf(text("an object: no other members"))),
        other => {
            let notes = notes(other, protocol);
            if !notes.is_empty() {
                list.push(branch("an object: each other member:", notes));
            }
        }
    }
    let names = notes(&rules.names, protocol);
    if !names.is_empty() {
        list.push(branch("an object: each name:", names));
    }
    list.extend(
        rules.dependent.iter().filter_map(|(name, check)| named("an object: when it has ", name, check)),
    );
    list
}

/// Whether a line of text says all that the check asks.
pub(super) fn fits_a_line(check: &Check) -> bool {
    match check {
        Check::All(checks) => {
            checks.iter().all(fits_a_line) && checks.iter().filter(|check| is_kinds(check)).count() < 2
        }
        Check::Any | Check::Kinds(_) | Check::Constants(_) => true,
        Check::Text(rules) => *rules == TextRules::default() || rules.patterns.len() < 2,
        Check::Number(_) => true,
        _ => false,
    }
}

fn is_kinds(check: &Check) -> bool {
    matches!(check, Check::Kinds(_))
}
