//! Checks of JSON values as nested lists of rules.

use super::prose::{Prose, Span, after, code, labelled, listed, sentence, text};
use super::words::{count, kind_word, kinds_of, number_rules, text_rules};
use crate::graph::JsonType;
use crate::ir::{Check, ListCheck, NumberRules, ObjectCheck, Parts, Protocol, Rest, Struct};
use serde::Serialize;

/// A rule, and what it asks in detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Note {
    /// The rule.
    pub(super) text: Prose,
    /// Its details.
    pub(super) children: Vec<Note>,
}

/// What a check asks of any JSON value, all of it.
pub(super) fn notes(check: &Check, protocol: &Protocol) -> Vec<Note> {
    Notes { protocol, known: None }.of(check)
}

/// What an object asks beside the types of its members. `rest` says what other members may be, where
/// no check does.
pub(super) fn object_notes(
    object: &Struct,
    protocol: &Protocol,
    rest: impl Fn(&Rest) -> Option<Note>,
) -> Vec<Note> {
    let count = count(object.min_members, object.max_members, "member", "members");
    let count = count.map(|words| leaf(after("In all: ", words).into_iter().chain(text(".")).collect()));
    let rules = object.rules.iter().map(|rule| leaf(text(sentence(&rule.words))));
    let rest = match &object.rest {
        Rest::Checked(check) => Some(branch(
            "Other members:",
            Notes { protocol, known: Some(JsonType::Object) }.or_anything(check),
        )),
        other => rest(other),
    };
    count.into_iter().chain(rules).chain(rest).collect()
}

/// Whether the words of a type and a few phrases say all that a check asks.
pub(super) fn fits_a_line(check: &Check) -> bool {
    match check {
        Check::All(checks) => {
            let kinds = checks.iter().filter(|check| matches!(check, Check::Kinds(_))).count();
            kinds < 2 && checks.iter().all(fits_a_line)
        }
        Check::Any | Check::Kinds(_) | Check::Constants(_) | Check::Text(_) | Check::Number(_) => true,
        _ => false,
    }
}

/// A rule without details.
pub(super) fn leaf(text: Prose) -> Note {
    Note { text, children: Vec::new() }
}

fn branch(words: &str, children: Vec<Note>) -> Note {
    Note { text: text(words), children }
}

/// Says checks of one value in words.
#[derive(Clone, Copy)]
struct Notes<'a> {
    protocol: &'a Protocol,
    /// The type of the value, where a check beside says it: "at least 1 item", not "when it is a
    /// list: at least 1 item".
    known: Option<JsonType>,
}

impl Notes<'_> {
    fn of(self, check: &Check) -> Vec<Note> {
        match check {
            Check::Any => Vec::new(),
            Check::Never => vec![leaf(text("nothing is allowed"))],
            Check::All(checks) => self.all(checks),
            Check::AnyOf(checks) => vec![branch("at least one of these:", self.each(checks))],
            Check::OneOf(checks) => vec![branch("exactly one of these:", self.each(checks))],
            Check::Not(check) => vec![branch("not:", self.or_anything(check))],
            Check::If(parts) => {
                let [when, then, otherwise] = parts.as_ref();
                let mut notes = vec![branch("if:", self.or_anything(when))];
                for (words, check) in [("then:", then), ("otherwise:", otherwise)] {
                    let children = self.of(check);
                    if !children.is_empty() {
                        notes.push(branch(words, children));
                    }
                }
                notes
            }
            Check::Shared(index) => {
                let name = self.protocol.checks.get(*index).map_or("?", |check| check.name.as_str());
                vec![leaf(labelled("passes the shared rule ", name))]
            }
            Check::Kinds(kinds) => vec![leaf(text(kinds_of(kinds.iter().map(|kind| kind_word(*kind)))))],
            Check::Constants(values) => {
                let words = if values.len() > 1 { "one of " } else { "always " };
                vec![leaf(after(
                    words,
                    listed(values.iter().map(|value| code(value.to_string())), ", ", " and "),
                ))]
            }
            Check::Text(rules) => self.when(JsonType::String, text_rules(rules)),
            Check::Number(rules) => {
                let rules = NumberRules { integer: false, strict_integer: false, ..rules.clone() };
                self.when(JsonType::Number, number_rules(&rules))
            }
            Check::List(rules) => self.list(rules),
            Check::Object(rules) => self.object(rules),
            Check::Unevaluated(rest) => {
                let words = match rest.of {
                    Parts::Members => "members that no other rule names:",
                    Parts::Items => "items that no other rule names:",
                };
                vec![branch(words, self.or_anything(&rest.check))]
            }
        }
    }

    /// Checks that hold together; one that says the type comes first and is known to the others.
    fn all(self, checks: &[Check]) -> Vec<Note> {
        let kinds = checks.iter().position(|check| matches!(check, Check::Kinds(_)));
        let known = match kinds.and_then(|at| checks.get(at)) {
            Some(Check::Kinds(kinds)) => match kinds.as_slice() {
                [JsonType::Integer] => Some(JsonType::Number),
                [kind] => Some(*kind),
                _ => self.known,
            },
            _ => self.known,
        };
        let first = kinds.and_then(|at| checks.get(at)).map(|check| self.of(check)).unwrap_or_default();
        let others = checks.iter().enumerate().filter(|(at, _)| Some(*at) != kinds);
        first.into_iter().chain(others.flat_map(|(_, check)| Self { known, ..self }.of(check))).collect()
    }

    /// One note for each check, so that it shows what belongs together.
    fn each(self, checks: &[Check]) -> Vec<Note> {
        let each = checks.iter().map(|check| {
            let mut notes = self.or_anything(check);
            if notes.len() == 1 { notes.remove(0) } else { branch("all of these:", notes) }
        });
        each.collect()
    }

    fn or_anything(self, check: &Check) -> Vec<Note> {
        let notes = self.of(check);
        if notes.is_empty() { vec![leaf(text("anything"))] } else { notes }
    }

    /// The checks of a value inside this one, of which no type is known.
    fn inside(self, check: &Check) -> Vec<Note> {
        Self { known: None, ..self }.of(check)
    }

    /// Phrases that bind one type of value only.
    fn when(self, kind: JsonType, phrases: Vec<Prose>) -> Vec<Note> {
        phrases.into_iter().map(|phrase| self.bound(kind, leaf(phrase))).collect()
    }

    /// A note that binds one type of value only.
    fn bound(self, kind: JsonType, mut note: Note) -> Note {
        if self.known != Some(kind) {
            note.text = after(
                match kind {
                    JsonType::String => "when it is text: ",
                    JsonType::Array => "when it is a list: ",
                    JsonType::Object => "when it is an object: ",
                    _ => "when it is a number: ",
                },
                note.text,
            );
        }
        note
    }

    fn list(self, rules: &ListCheck) -> Vec<Note> {
        let size = count(rules.min_items, rules.max_items, "item", "items");
        let unique = rules.unique.then(|| text("no two equal"));
        let mut notes: Vec<Note> = size.into_iter().chain(unique).map(leaf).collect();
        for (index, check) in rules.prefix.iter().enumerate() {
            notes.extend(self.part(text(format!("item {}", index + 1)), check));
        }
        let which = if rules.prefix.is_empty() { "each item" } else { "each further item" };
        match &rules.items {
            Check::Never => notes.push(leaf(text("no further items"))),
            check => notes.extend(self.part(text(which), check)),
        }
        for (check, least, greatest) in &rules.contains {
            if let Some(mut words) = count(Some(*least), *greatest, "item", "items") {
                words.push(Span::Text(" for which:".to_owned()));
                let children = Self { known: None, ..self }.or_anything(check);
                notes.push(Note { text: words, children });
            }
        }
        notes.into_iter().map(|note| self.bound(JsonType::Array, note)).collect()
    }

    fn object(self, rules: &ObjectCheck) -> Vec<Note> {
        let size = count(rules.min_members, rules.max_members, "member", "members");
        let mut notes: Vec<Note> = size.into_iter().map(leaf).collect();
        if !rules.required.is_empty() {
            notes.push(leaf(after("has ", listed(rules.required.iter().map(code), ", ", " and "))));
        }
        for (name, check) in &rules.properties {
            match check {
                Check::Never => notes.push(leaf(labelled("has no ", name))),
                check => notes.extend(self.part(code(name), check)),
            }
        }
        for (pattern, check) in &rules.patterns {
            notes.extend(self.part(labelled("each member whose name matches ", pattern), check));
        }
        let named = !(rules.properties.is_empty() && rules.patterns.is_empty());
        match &rules.additional {
            Check::Never => notes.push(leaf(text(if named { "no other members" } else { "no members" }))),
            check => {
                notes.extend(self.part(text(if named { "each other member" } else { "each member" }), check));
            }
        }
        notes.extend(self.part(text("each name"), &rules.names));
        for (name, check) in &rules.dependent {
            let children = self.of(check);
            if !children.is_empty() {
                let mut text = labelled("with ", name);
                text.push(Span::Text(":".to_owned()));
                notes.push(Note { text, children });
            }
        }
        notes.into_iter().map(|note| self.bound(JsonType::Object, note)).collect()
    }

    /// What holds for a part of the value; nothing where nothing does. A single rule without
    /// details stands on the line of the part.
    fn part(self, mut which: Prose, check: &Check) -> Option<Note> {
        let mut children = self.inside(check);
        match children.as_mut_slice() {
            [] => return None,
            [only] if only.children.is_empty() => {
                which.push(Span::Text(": ".to_owned()));
                which.append(&mut only.text);
                children.clear();
            }
            _ => which.push(Span::Text(":".to_owned())),
        }
        Some(Note { text: which, children })
    }
}

#[cfg(test)]
mod tests;
