//! The messages of a protocol and the types that they use, each with its table of fields.

pub(super) mod reading;

use super::checks::{self, Note, leaf};
use super::markdown::anchor;
use super::meanings;
use super::prose::{Prose, Span, after, code, labelled, listed, text};
use super::words::{Described, Words, kind_word, kinds_of};
use crate::ir::{
    Check, Enum, Field, Message, MessageKind, Presence, Protocol, Rest, Routing, Sealed, Shape, Struct,
    TypeDef, TypeId, TypeRef, Union,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// All messages and types of a protocol.
#[derive(Debug, Serialize)]
pub(super) struct Sections {
    /// The messages, in order.
    pub(super) messages: Vec<MessageSection>,
    /// Types that several messages use.
    pub(super) shared: Vec<TypeSection>,
    /// Types that no message uses.
    pub(super) unused: Vec<TypeSection>,
    /// Checks that others name.
    pub(super) checks: Vec<CheckSection>,
}

/// A message.
#[derive(Debug, Serialize)]
pub(super) struct MessageSection {
    pub(super) heading: String,
    pub(super) anchor: String,
    pub(super) kind: &'static str,
    pub(super) direction: String,
    /// Its Rust type.
    pub(super) rust: String,
    /// For a response: the request that it answers, or its method.
    pub(super) answers: Option<Span>,
    /// How a reader knows it: "`type` is `event`".
    pub(super) known_by: Prose,
    /// What is read beyond what is written.
    pub(super) reading: Option<reading::ReadingSection>,
    /// Its own type; none when a message above has the same.
    pub(super) body: Option<TypeSection>,
    /// The message above that has the same type.
    pub(super) same_as: Option<Span>,
    /// Types that only this message uses.
    pub(super) types: Vec<TypeSection>,
}

/// A type.
#[derive(Debug, Serialize)]
pub(super) struct TypeSection {
    pub(super) heading: String,
    pub(super) anchor: String,
    pub(super) rust: String,
    pub(super) description: Option<String>,
    /// The members of an object.
    pub(super) fields: Vec<FieldRow>,
    /// The values of an enum.
    pub(super) values: Vec<ValueRow>,
    /// The variants of a union.
    pub(super) variants: Vec<VariantRow>,
    /// What it is, where it has none of these.
    pub(super) is: Option<Prose>,
    /// What else holds.
    pub(super) notes: Vec<Note>,
}

/// A member of an object.
#[derive(Debug, Serialize)]
pub(super) struct FieldRow {
    pub(super) name: String,
    pub(super) ty: Prose,
    pub(super) required: bool,
    pub(super) constraints: Vec<Prose>,
    pub(super) deprecated: bool,
    pub(super) description: Option<String>,
}

/// A value of an enum.
#[derive(Debug, Serialize)]
pub(super) struct ValueRow {
    pub(super) value: String,
    pub(super) meaning: Option<String>,
}

/// A variant of a union.
#[derive(Debug, Serialize)]
pub(super) struct VariantRow {
    pub(super) ty: Prose,
    pub(super) constraints: Vec<Prose>,
    pub(super) known_by: Prose,
    pub(super) description: Option<String>,
}

/// A check that others name.
#[derive(Debug, Serialize)]
pub(super) struct CheckSection {
    pub(super) name: String,
    pub(super) notes: Vec<Note>,
}

/// Everything that has a section. `reserved`: the headings that the page has besides.
pub(super) fn sections(protocol: &Protocol, reserved: &[&str]) -> Sections {
    let plan = Plan::new(protocol, reserved);
    let words = Words { protocol, sections: plan.targets };
    let types = |ids: &[TypeId]| ids.iter().filter_map(|id| type_section(&words, *id)).collect::<Vec<_>>();
    let messages = protocol.messages.iter().zip(&plan.messages).map(|(message, planned)| {
        let (heading, anchor) = planned.heading.clone();
        let same_as = planned
            .same_as
            .as_ref()
            .map(|(heading, anchor)| Span::Link { label: heading.clone(), target: format!("#{anchor}") });
        MessageSection {
            heading,
            anchor,
            kind: kind(message.kind),
            direction: message.direction.clone(),
            rust: rust_name(protocol, message.ty),
            answers: answers(protocol, message, &plan.messages),
            known_by: known_by(message),
            reading: reading::section(protocol, message),
            body: if same_as.is_none() { type_section(&words, message.ty) } else { None },
            same_as,
            types: types(&planned.types),
        }
    });
    let messages = messages.collect();
    let all: Vec<TypeId> = (0..protocol.types.len()).map(TypeId).collect();
    let checks = self::checks(protocol, &all);
    Sections { messages, shared: types(&plan.shared), unused: types(&plan.unused), checks }
}

/// The checks that those name which the sections of `types` spell out.
pub(super) fn checks(protocol: &Protocol, types: &[TypeId]) -> Vec<CheckSection> {
    let shown = types.iter().filter_map(|id| protocol.types.get(id.0)).flat_map(|ty| shown(&ty.shape));
    let called = protocol.called(shown).into_iter().map(|index| CheckSection {
        name: protocol.checks[index].name.clone(),
        notes: checks::notes(&protocol.checks[index].check, protocol),
    });
    called.collect()
}

/// The checks that the section of a type spells out; a rule that spans members has words.
fn shown(shape: &Shape) -> Vec<&Check> {
    match shape {
        Shape::Struct(object) => match &object.rest {
            Rest::Checked(check) => vec![check],
            _ => Vec::new(),
        },
        shape => shape.checks(),
    }
}

/// Which type stands where, under which heading.
struct Plan {
    messages: Vec<PlannedMessage>,
    shared: Vec<TypeId>,
    unused: Vec<TypeId>,
    targets: BTreeMap<TypeId, (String, String)>,
}

struct PlannedMessage {
    heading: (String, String),
    same_as: Option<(String, String)>,
    types: Vec<TypeId>,
}

impl Plan {
    fn new(protocol: &Protocol, reserved: &[&str]) -> Self {
        let mut headings = Headings(reserved.iter().map(|heading| anchor(heading)).collect());
        let mut targets = BTreeMap::new();
        let bodies: BTreeSet<TypeId> = protocol.messages.iter().map(|message| message.ty).collect();
        let mut messages = Vec::new();
        let mut shown: BTreeMap<TypeId, (String, String)> = BTreeMap::new();
        // Which messages use a type: the first, and whether there are more.
        let mut users: BTreeMap<TypeId, (usize, bool)> = BTreeMap::new();
        let mut order = Vec::new();
        for (index, message) in protocol.messages.iter().enumerate() {
            let heading = headings.claim(&message_headings(protocol, message));
            let same_as = shown.get(&message.ty).cloned();
            if same_as.is_none() {
                shown.insert(message.ty, heading.clone());
                targets.insert(message.ty, (heading.0.clone(), format!("#{}", heading.1)));
                for id in used(protocol, message.ty, &bodies) {
                    match users.get_mut(&id) {
                        Some((_, more)) => *more = true,
                        None => {
                            users.insert(id, (index, false));
                            order.push(id);
                        }
                    }
                }
            }
            messages.push(PlannedMessage { heading, same_as, types: Vec::new() });
        }
        let mut shared = Vec::new();
        for id in order {
            match users.get(&id) {
                Some((index, false)) => {
                    if let Some(message) = messages.get_mut(*index) {
                        message.types.push(id);
                    }
                }
                _ => shared.push(id),
            }
        }
        let all = (0..protocol.types.len()).map(TypeId);
        let unused: Vec<TypeId> = all
            .filter(|id| {
                // What is only read is told where the message is.
                let reading = protocol.types[id.0].reading.is_some();
                !reading && !bodies.contains(id) && !users.contains_key(id) && has_section(protocol, *id)
            })
            .collect();
        let own = messages.iter().flat_map(|message| &message.types);
        for id in own.chain(&shared).chain(&unused) {
            if let Some(def) = protocol.types.get(id.0) {
                let (heading, anchor) = headings.claim(&type_headings(def));
                targets.insert(*id, (heading, format!("#{anchor}")));
            }
        }
        Self { messages, shared, unused, targets }
    }
}

/// Headings of one page, all with different anchors.
struct Headings(BTreeSet<String>);

impl Headings {
    /// The first of the wanted headings whose anchor is free, else the last of them with a number;
    /// with its anchor.
    fn claim(&mut self, wanted: &[String]) -> (String, String) {
        let last = wanted.last().cloned().unwrap_or_default();
        let numbered = (2..).map(|number| format!("{last} {number}"));
        let free = wanted.iter().cloned().chain(numbered).find_map(|heading| {
            let anchor = anchor(&heading);
            (!anchor.is_empty() && self.0.insert(anchor.clone())).then_some((heading, anchor))
        });
        free.unwrap_or_default()
    }
}

/// What a message may be called, its name first; with its type where another has the same name.
fn message_headings(protocol: &Protocol, message: &Message) -> [String; 2] {
    let named = protocol.messages.iter().filter(|other| other.name == message.name).count();
    let full = format!("{} ({})", message.name, rust_name(protocol, message.ty));
    [if named > 1 { full.clone() } else { message.name.clone() }, full]
}

/// What a type may be called, its title first.
fn type_headings(def: &TypeDef) -> [String; 3] {
    let title = title(def);
    let full = |more: &str| format!("{title} ({more})");
    let same = anchor(title).replace('-', "") == anchor(&def.name);
    [title.to_owned(), full(if same { "type" } else { &def.name }), full(&def.name)]
}

pub(super) fn rust_name(protocol: &Protocol, id: TypeId) -> String {
    protocol.types.get(id.0).map_or_else(String::new, |def| def.name.clone())
}

pub(super) fn title(def: &TypeDef) -> &str {
    def.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or(&def.name)
}

/// Whether a type has a section, or is spelled out wherever it is used.
pub(super) fn has_section(protocol: &Protocol, id: TypeId) -> bool {
    let Some(def) = protocol.types.get(id.0) else { return false };
    def.recursive
        || match &def.shape {
            Shape::Struct(_) | Shape::Union(_) | Shape::OpenEnum(_) => true,
            Shape::Enum(choices) => choices.variants.len() > 1,
            Shape::Value(check) | Shape::Sealed(Sealed { check, .. }) => !checks::fits_a_line(check),
            _ => false,
        }
}

/// The types with sections that a type uses, in order, itself and the messages' own left out.
fn used(protocol: &Protocol, root: TypeId, bodies: &BTreeSet<TypeId>) -> Vec<TypeId> {
    let mut seen = BTreeSet::from([root]);
    let mut found = Vec::new();
    let mut open = references(protocol, root);
    open.reverse();
    while let Some(id) = open.pop() {
        if bodies.contains(&id) || !seen.insert(id) {
            continue;
        }
        if has_section(protocol, id) {
            found.push(id);
        }
        open.extend(references(protocol, id).into_iter().rev());
    }
    found
}

/// The named types that stand in a type, in order.
fn references(protocol: &Protocol, id: TypeId) -> Vec<TypeId> {
    protocol.types.get(id.0).map_or_else(Vec::new, |def| def.shape.uses().into_iter().map(TypeId).collect())
}

pub(super) fn type_section(words: &Words, id: TypeId) -> Option<TypeSection> {
    let def = words.protocol.types.get(id.0)?;
    let (heading, target) = words.sections.get(&id)?;
    let mut section = TypeSection {
        heading: heading.clone(),
        anchor: target.trim_start_matches('#').to_owned(),
        rust: def.name.clone(),
        description: def.description.clone(),
        fields: Vec::new(),
        values: Vec::new(),
        variants: Vec::new(),
        is: None,
        notes: Vec::new(),
    };
    match &def.shape {
        Shape::Struct(object) => fill_struct(&mut section, words, object),
        Shape::Enum(choices) => fill_enum(&mut section, choices),
        Shape::OpenEnum(choices) => {
            fill_enum(&mut section, choices);
            section.notes = vec![leaf(text("Any other text is allowed too."))];
        }
        Shape::Union(union) => fill_union(&mut section, words, union),
        Shape::Value(check) => section.notes = checks::notes(check, words.protocol),
        Shape::Sealed(sealed) => {
            section.is = Some(words.reference(&sealed.inner, &mut Vec::new()).ty);
            section.notes = checks::notes(&sealed.check, words.protocol);
        }
        _ => {
            let Described { mut ty, rules } = words.define(id);
            for rule in rules {
                ty.push(Span::Text(", ".to_owned()));
                ty.extend(rule);
            }
            section.is = Some(ty);
        }
    }
    Some(section)
}

fn fill_struct(section: &mut TypeSection, words: &Words, object: &Struct) {
    section.fields = object.fields.iter().map(|field| field_row(words, field)).collect();
    section.notes = checks::object_notes(object, words.protocol, |rest| match rest {
        Rest::Closed if object.fields.is_empty() => Some(leaf(text("It has no members."))),
        Rest::Closed => Some(leaf(text("No other members are allowed."))),
        Rest::Typed(_) => Some(typed_rest(words, rest)),
        Rest::Open | Rest::Checked(_) => Some(leaf(text("Other members are allowed and kept."))),
    });
}

/// What members are that no field names, where they have a type.
pub(super) fn typed_rest(words: &Words, rest: &Rest) -> Note {
    let Rest::Typed(ty) = rest else { return leaf(Prose::new()) };
    let Described { ty, rules } = words.describe(ty);
    let line = [after("Each other member: ", ty)].into_iter().chain(rules);
    leaf(listed(line, ", ", ", ").into_iter().chain(text(".")).collect())
}

fn field_row(words: &Words, field: &Field) -> FieldRow {
    let Described { ty, mut rules } = words.describe(&field.ty);
    if let Some(constant) = &field.constant {
        let always = labelled("always ", constant.to_string());
        if !rules.contains(&always) {
            rules.insert(0, always);
        }
    }
    if let Presence::Default(value) = &field.presence {
        rules.push(labelled("default ", value.to_string()));
    }
    FieldRow {
        name: field.wire.clone(),
        ty,
        required: matches!(field.presence, Presence::Required),
        constraints: rules,
        deprecated: field.deprecated,
        description: description(words, field),
    }
}

/// What is said of a field. The meanings of an enum's values stand in its section.
pub(super) fn description(words: &Words, field: &Field) -> Option<String> {
    let mut ty = &field.ty;
    while let TypeRef::List(inner) | TypeRef::Nullable(inner) = ty {
        ty = inner;
    }
    let def = match ty {
        TypeRef::Named(id) => words.protocol.types.get(id.0),
        _ => None,
    };
    let said = field.description.as_ref().or(field.title.as_ref());
    match (said, def) {
        (Some(said), Some(TypeDef { shape: Shape::Enum(choices), .. })) => {
            Some(about(choices, said).map_or_else(|| said.clone(), |meanings| meanings.about))
        }
        (Some(said), _) => Some(said.clone()),
        // A type without a section is described where it is used.
        (None, Some(def)) => def.description.clone(),
        (None, None) => None,
    }
}

fn about(choices: &Enum, description: &str) -> Option<meanings::Meanings> {
    let values: Vec<&str> = choices.variants.iter().filter_map(|variant| variant.value.as_str()).collect();
    if values.len() < choices.variants.len() { None } else { meanings::split(description, &values) }
}

fn fill_enum(section: &mut TypeSection, choices: &Enum) {
    let (about, values) = values(choices, section.description.as_deref());
    if let Some(about) = about {
        section.description = Some(about).filter(|about| !about.is_empty());
    }
    section.values = values;
}

/// The values of an enum with the meanings that its description has for them, and what else it says, where
/// it has such.
pub(super) fn values(choices: &Enum, description: Option<&str>) -> (Option<String>, Vec<ValueRow>) {
    let split = description.and_then(|said| about(choices, said));
    let (about, each) = split.map_or((None, Vec::new()), |meanings| (Some(meanings.about), meanings.each));
    let values = choices.variants.iter().enumerate().map(|(index, variant)| {
        let own = variant.description.clone();
        // The lowering takes the first sentence of a meaning for the variant's own.
        let longer =
            each.get(index).filter(|meaning| own.as_ref().is_none_or(|own| meaning.starts_with(own)));
        ValueRow { value: variant.value.to_string(), meaning: longer.cloned().or(own) }
    });
    (about, values.collect())
}

fn fill_union(section: &mut TypeSection, words: &Words, union: &Union) {
    let variants = union.variants.iter().map(|variant| {
        let Described { ty, rules } = words.describe(&variant.ty);
        let known_by = match &union.routing {
            Routing::Tag(member) => is_one_of(member, variant.tags.iter().map(ToString::to_string)),
            Routing::Kind => text(kinds_of(variant.kinds.iter().map(|kind| kind_word(*kind)))),
            Routing::ExactlyOne | Routing::First => Prose::new(),
        };
        VariantRow { ty, constraints: rules, known_by, description: variant.description.clone() }
    });
    section.variants = variants.collect();
    section.notes = match &union.routing {
        Routing::Tag(member) => {
            vec![leaf(
                labelled("A reader tells them apart by the member ", member)
                    .into_iter()
                    .chain(text("."))
                    .collect(),
            )]
        }
        Routing::Kind => vec![leaf(text("A reader tells them apart by the type of the JSON value."))],
        Routing::ExactlyOne => vec![leaf(text("A value must be exactly one of them."))],
        Routing::First => {
            vec![leaf(text("A value may be several of them; the first one that fits is taken."))]
        }
    };
}

fn answers(protocol: &Protocol, message: &Message, planned: &[PlannedMessage]) -> Option<Span> {
    let method = message.method.as_ref().filter(|_| message.kind == MessageKind::Response)?;
    let asks = |other: &Message| other.kind == MessageKind::Request && other.method.as_ref() == Some(method);
    let request = protocol.messages.iter().position(asks).and_then(|at| planned.get(at));
    Some(match request {
        Some(PlannedMessage { heading: (heading, anchor), .. }) => {
            Span::Link { label: heading.clone(), target: format!("#{anchor}") }
        }
        None => Span::Code(method.clone()),
    })
}

pub(super) fn known_by(message: &Message) -> Prose {
    let marks = message.discriminators.iter().map(|mark| {
        let values = mark.values.iter().map(ToString::to_string);
        is_one_of(&mark.member, values)
    });
    listed(marks, ", ", " and ")
}

/// "`member` is `a` or `b`".
fn is_one_of(member: &str, values: impl Iterator<Item = String>) -> Prose {
    let mut line = code(member);
    line.push(Span::Text(" is ".to_owned()));
    line.extend(listed(values.map(code), ", ", " or "));
    line
}

pub(super) fn kind(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Request => "request",
        MessageKind::Response => "response",
        MessageKind::Event => "event",
        MessageKind::Message => "message",
    }
}

#[cfg(test)]
mod tests;
