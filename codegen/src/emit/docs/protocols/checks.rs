//! Checks of JSON values as nested lists of rules.

use super::words::{constants, number_rules, text_rules, type_of};
use crate::emit::docs::vocabulary::{Count, Counted, Rule, Type, count, one_of};
use crate::graph::JsonType;
use crate::ir::{Check, Clause, ListCheck, NumberRules, ObjectCheck, Parts, Protocol, Rest, Struct};
use serde::Serialize;

/// A rule, and what it asks in detail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Note {
    /// The rule.
    pub(super) say: Say,
    /// Its details.
    pub(super) children: Vec<Note>,
}

/// What a note says; `children` of the note say what its colon leads to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Say {
    /// What spans several members.
    Clause {
        clause: Clause,
    },
    Rule {
        rule: Rule,
    },
    /// It is of one of these types.
    Is {
        ty: Type,
    },
    NothingAllowed,
    Anything,
    AtLeastOneOf,
    ExactlyOneOf,
    AllOf,
    Not,
    If,
    Then,
    Otherwise,
    /// It passes a shared check.
    Shared {
        name: String,
    },
    OtherMembersUnnamed,
    OtherItemsUnnamed,
    /// What holds where the value is of a type.
    When {
        ty: Type,
        say: Box<Say>,
    },
    /// What holds for a part; its children say it where it does not.
    Part {
        part: Part,
        say: Option<Box<Say>>,
    },
    NoFurtherItems,
    /// So many items pass what follows.
    ItemsForWhich {
        count: Count,
    },
    Has {
        names: Vec<String>,
    },
    HasNo {
        name: String,
    },
    NoMembers,
    NoOtherMembers,
    /// What holds where a member is there.
    With {
        name: String,
    },
    /// Members in all.
    InAll {
        count: Count,
    },
    OtherMembers,
    /// What each member is that no field names.
    EachOtherMember {
        ty: Type,
        rules: Vec<Rule>,
    },
}

/// A part of a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Part {
    Item { number: usize },
    EachItem,
    EachFurtherItem,
    Member { name: String },
    Matching { pattern: String },
    EachMember,
    EachOtherMember,
    EachName,
}

/// What a check asks of any JSON value, all of it.
pub(super) fn notes(check: &Check, protocol: &Protocol) -> Vec<Note> {
    Notes { protocol, known: None }.of(check)
}

/// What an object asks beside the types of its members, but for what its other members are.
pub(super) fn object_notes(object: &Struct, protocol: &Protocol) -> Vec<Note> {
    let count = count(Counted::Members, object.min_members, object.max_members);
    let count = count.map(|count| leaf(Say::InAll { count }));
    let rules = object.rules.iter().map(|rule| leaf(Say::Clause { clause: rule.clause.clone() }));
    let rest = match &object.rest {
        Rest::Checked(check) => {
            let children = Notes { protocol, known: Some(JsonType::Object) }.or_anything(check);
            Some(branch(Say::OtherMembers, children))
        }
        _ => None,
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
pub(super) fn leaf(say: Say) -> Note {
    Note { say, children: Vec::new() }
}

fn branch(say: Say, children: Vec<Note>) -> Note {
    Note { say, children }
}

/// Says checks of one value.
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
            Check::Never => vec![leaf(Say::NothingAllowed)],
            Check::All(checks) => self.all(checks),
            Check::AnyOf(checks) => vec![branch(Say::AtLeastOneOf, self.each(checks))],
            Check::OneOf(checks) => vec![branch(Say::ExactlyOneOf, self.each(checks))],
            Check::Not(check) => vec![branch(Say::Not, self.or_anything(check))],
            Check::If(parts) => {
                let [when, then, otherwise] = parts.as_ref();
                let mut notes = vec![branch(Say::If, self.or_anything(when))];
                for (say, check) in [(Say::Then, then), (Say::Otherwise, otherwise)] {
                    let children = self.of(check);
                    if !children.is_empty() {
                        notes.push(branch(say, children));
                    }
                }
                notes
            }
            Check::Shared(index) => {
                let name = self.protocol.checks.get(*index).map_or("?", |check| check.name.as_str());
                vec![leaf(Say::Shared { name: name.to_owned() })]
            }
            Check::Kinds(kinds) => vec![leaf(Say::Is { ty: one_of(kinds.iter().copied().map(type_of)) })],
            Check::Constants(values) => vec![rule(constants(values.iter()))],
            Check::Text(rules) => self.when(JsonType::String, text_rules(rules)),
            Check::Number(rules) => {
                let rules = NumberRules { integer: false, strict_integer: false, ..rules.clone() };
                self.when(JsonType::Number, number_rules(&rules))
            }
            Check::List(rules) => self.list(rules),
            Check::Object(rules) => self.object(rules),
            Check::Unevaluated(rest) => {
                let say = match rest.of {
                    Parts::Members => Say::OtherMembersUnnamed,
                    Parts::Items => Say::OtherItemsUnnamed,
                };
                vec![branch(say, self.or_anything(&rest.check))]
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
            if notes.len() == 1 { notes.remove(0) } else { branch(Say::AllOf, notes) }
        });
        each.collect()
    }

    fn or_anything(self, check: &Check) -> Vec<Note> {
        let notes = self.of(check);
        if notes.is_empty() { vec![leaf(Say::Anything)] } else { notes }
    }

    /// The checks of a value inside this one, of which no type is known.
    fn inside(self, check: &Check) -> Vec<Note> {
        Self { known: None, ..self }.of(check)
    }

    /// Rules that bind one type of value only.
    fn when(self, kind: JsonType, rules: Vec<Rule>) -> Vec<Note> {
        rules.into_iter().map(|of| self.bound(kind, rule(of))).collect()
    }

    /// A note that binds one type of value only.
    fn bound(self, kind: JsonType, note: Note) -> Note {
        if self.known == Some(kind) {
            return note;
        }
        Note { say: Say::When { ty: type_of(kind), say: Box::new(note.say) }, ..note }
    }

    fn list(self, rules: &ListCheck) -> Vec<Note> {
        let size = count(Counted::Items, rules.min_items, rules.max_items).map(Rule::Count);
        let unique = rules.unique.then_some(Rule::Unique);
        let mut notes: Vec<Note> = size.into_iter().chain(unique).map(rule).collect();
        for (index, check) in rules.prefix.iter().enumerate() {
            notes.extend(self.part(Part::Item { number: index + 1 }, check));
        }
        let which = if rules.prefix.is_empty() { Part::EachItem } else { Part::EachFurtherItem };
        match &rules.items {
            Check::Never => notes.push(leaf(Say::NoFurtherItems)),
            check => notes.extend(self.part(which, check)),
        }
        for (check, least, most) in &rules.contains {
            if let Some(count) = count(Counted::Items, Some(*least), *most) {
                let children = Self { known: None, ..self }.or_anything(check);
                notes.push(Note { say: Say::ItemsForWhich { count }, children });
            }
        }
        notes.into_iter().map(|note| self.bound(JsonType::Array, note)).collect()
    }

    fn object(self, rules: &ObjectCheck) -> Vec<Note> {
        let size = count(Counted::Members, rules.min_members, rules.max_members).map(Rule::Count);
        let mut notes: Vec<Note> = size.into_iter().map(rule).collect();
        if !rules.required.is_empty() {
            notes.push(leaf(Say::Has { names: rules.required.clone() }));
        }
        for (name, check) in &rules.properties {
            match check {
                Check::Never => notes.push(leaf(Say::HasNo { name: name.clone() })),
                check => notes.extend(self.part(Part::Member { name: name.clone() }, check)),
            }
        }
        for (pattern, check) in &rules.patterns {
            notes.extend(self.part(Part::Matching { pattern: pattern.clone() }, check));
        }
        let named = !(rules.properties.is_empty() && rules.patterns.is_empty());
        match &rules.additional {
            Check::Never => notes.push(leaf(if named { Say::NoOtherMembers } else { Say::NoMembers })),
            check => {
                notes.extend(self.part(if named { Part::EachOtherMember } else { Part::EachMember }, check));
            }
        }
        notes.extend(self.part(Part::EachName, &rules.names));
        for (name, check) in &rules.dependent {
            let children = self.of(check);
            if !children.is_empty() {
                notes.push(Note { say: Say::With { name: name.clone() }, children });
            }
        }
        notes.into_iter().map(|note| self.bound(JsonType::Object, note)).collect()
    }

    /// What holds for a part of the value; nothing where nothing does. A single rule without
    /// details stands on the line of the part.
    fn part(self, part: Part, check: &Check) -> Option<Note> {
        let mut children = self.inside(check);
        let say = match children.as_slice() {
            [] => return None,
            [only] if only.children.is_empty() => Some(Box::new(children.remove(0).say)),
            _ => None,
        };
        Some(Note { say: Say::Part { part, say }, children })
    }
}

fn rule(rule: Rule) -> Note {
    leaf(Say::Rule { rule })
}

#[cfg(test)]
mod tests;
