//! The pages of a protocol of messages: an index, and a page for each method or message.

use super::examples;
use super::reading::{self, ReadingSection};
use super::types::{self, CheckSection, ValueRow};
use super::views::{View, Views};
use crate::emit::docs::markdown::id;
use crate::ir::{
    CodeUse, Enum, ErrorCode, Guide, Message, MessageKind, MessageNote, Presence, Protocol, Retry, Shape,
    Topic, TypeId,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What the pages of a protocol share.
#[derive(Debug, Serialize)]
pub(super) struct Reference {
    pub(super) guide: Guide,
    /// Where code in a text leads: a method, a message, an error code.
    pub(super) links: Links,
    pub(super) pages: Vec<PageRow>,
    pub(super) errors: Vec<ErrorRow>,
    pub(super) enums: Vec<EnumRow>,
    /// What has a section of its own.
    pub(super) topics: Vec<TopicView>,
    /// Whether there are types that no message uses.
    pub(super) others: bool,
}

/// A page as the index tells of it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PageRow {
    /// File name without `.md`.
    pub(super) file: String,
    /// The method or the message.
    pub(super) name: String,
    pub(super) is_method: bool,
    pub(super) direction: String,
    pub(super) kind: &'static str,
    pub(super) when: Option<String>,
    pub(super) description: Option<String>,
    /// The messages that answer.
    pub(super) answered_by: Vec<MessageLink>,
    /// The members that must be there, those left out that are always the same.
    pub(super) required: Vec<String>,
}

/// A message, and where it is told of.
#[derive(Clone, Debug, Serialize)]
pub(super) struct MessageLink {
    pub(super) name: String,
    pub(super) target: String,
}

/// A section of its own.
#[derive(Debug, Serialize)]
pub(super) struct TopicView {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) text: Vec<String>,
    pub(super) steps: Vec<StepView>,
    pub(super) points: Vec<String>,
    pub(super) sample: Option<String>,
    pub(super) framed: Option<FramedText>,
}

/// A step of a conversation.
#[derive(Debug, Serialize)]
pub(super) struct StepView {
    pub(super) message: Option<MessageLink>,
    pub(super) example: Option<String>,
    pub(super) text: String,
}

/// An error code.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ErrorRow {
    /// What links to it say.
    pub(super) anchor: String,
    /// Where it is told of.
    pub(super) target: String,
    pub(super) first: String,
    pub(super) last: Option<String>,
    pub(super) name: String,
    pub(super) rust: String,
    pub(super) when: String,
    pub(super) retry: Option<Retry>,
}

/// An enum.
#[derive(Debug, Serialize)]
pub(super) struct EnumRow {
    pub(super) title: String,
    pub(super) rust: String,
    pub(super) about: Option<String>,
    pub(super) values: Vec<ValueRow>,
    /// File names of the pages on which it stands.
    pub(super) pages: Vec<PageRow>,
}

/// A message with the bytes around it.
#[derive(Debug, Serialize)]
pub(super) struct FramedText {
    pub(super) message: MessageLink,
    pub(super) text: String,
    /// Bytes of the message.
    pub(super) length: usize,
}

/// A page.
#[derive(Debug, Serialize)]
pub(super) struct MessagePage {
    #[serde(flatten)]
    pub(super) row: PageRow,
    pub(super) messages: Vec<MessageView>,
    /// Errors that it gives beside those of any request.
    pub(super) errors: Vec<ErrorRow>,
    /// Errors that any request gives; empty where there is no request.
    pub(super) always: Vec<ErrorRow>,
    /// Messages that may follow.
    pub(super) causes: Vec<Cause>,
    /// Rules that others on it name.
    pub(super) checks: Vec<CheckSection>,
}

/// A message that may follow another.
#[derive(Debug, Serialize)]
pub(super) struct Cause {
    pub(super) message: MessageLink,
    pub(super) example: Option<Example>,
}

/// A message on its page.
#[derive(Debug, Serialize)]
pub(super) struct MessageView {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) direction: String,
    pub(super) examples: Vec<Example>,
    pub(super) view: View,
    pub(super) reading: Option<ReadingSection>,
}

/// An example as it is shown.
#[derive(Debug, Serialize)]
pub(super) struct Example {
    pub(super) says: Option<String>,
    pub(super) text: String,
}

/// All that the pages of a protocol show.
pub(super) struct Built {
    pub(super) shared: Reference,
    pub(super) pages: Vec<MessagePage>,
    /// The types that no message uses.
    pub(super) others: Vec<View>,
}

/// Whether messages have a page each, or one for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Pages,
    OnePage,
}

/// A method with its messages, or a message.
struct Group<'a> {
    file: String,
    name: &'a str,
    is_method: bool,
    messages: Vec<&'a Message>,
}

/// The pages of `protocol`.
pub(super) fn build(protocol: &Protocol, layout: Layout) -> Built {
    let guide = protocol.guide.clone().unwrap_or_default();
    let groups = groups(protocol);
    let errors: Vec<ErrorRow> = protocol.errors.iter().map(error_row).collect();
    let links = links(&groups, &errors, layout);
    let rows: Vec<PageRow> = groups.iter().map(|group| page_row(protocol, group, &guide, &links)).collect();
    let unused = unused(protocol);
    let roots = |group: &Group<'_>| group.messages.iter().map(|message| message.ty).collect::<Vec<_>>();
    // On one page nothing may stand twice.
    let all: Vec<TypeId> = groups.iter().flat_map(roots).chain(unused.iter().copied()).collect();
    let mut views = Views::new(protocol, &all, BTreeMap::new());
    let mut pages = Vec::new();
    for (group, row) in groups.iter().zip(&rows) {
        if layout == Layout::Pages {
            views = Views::new(protocol, &roots(group), BTreeMap::new());
        }
        let page = message_page(protocol, &guide, group, row, &errors, &links, &mut views);
        pages.push(page);
    }
    if layout == Layout::Pages {
        let page = |group: &Group<'_>| format!("{}.md", group.file);
        let messages = groups.iter().flat_map(|group| {
            group.messages.iter().map(move |message| (message.ty, (message.name.clone(), page(group))))
        });
        views = Views::new(protocol, &unused, messages.collect());
    }
    let others: Vec<View> = unused.into_iter().map(|id| views.view(id)).collect();
    let shared = Reference {
        enums: enums(protocol, &groups, &rows),
        topics: guide.topics.iter().map(|topic| topic_view(&guide, topic, &links)).collect(),
        links,
        pages: rows,
        errors,
        others: !others.is_empty(),
        guide,
    };
    Built { shared, pages, others }
}

fn topic_view(guide: &Guide, topic: &Topic, links: &Links) -> TopicView {
    let first = |name: &str| guide.examples.iter().find(|example| example.of == name);
    let steps = topic.steps.iter().map(|step| StepView {
        message: step.message.as_ref().map(|name| message_link(name, links)),
        example: step.message.as_deref().and_then(first).map(|example| examples::pretty(&example.message)),
        text: step.text.clone(),
    });
    let framed = topic.framed.as_ref().and_then(|framed| {
        let message = first(&framed.message)?.message.to_string();
        let put = |text: &str| text.replace("{length}", &message.len().to_string());
        let text = examples::visible(&format!("{}{message}{}", put(&framed.before), put(&framed.after)));
        let length = message.len();
        Some(FramedText { message: message_link(&framed.message, links), text, length })
    });
    TopicView {
        id: topic.id.clone(),
        title: topic.title.clone(),
        text: topic.text.clone(),
        steps: steps.collect(),
        points: topic.points.clone(),
        sample: topic.sample.clone(),
        framed,
    }
}

/// Each method with its messages, and each other message, in the order of the messages.
fn groups(protocol: &Protocol) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut files = BTreeSet::from(["index".to_owned(), OTHERS.to_owned()]);
    for message in &protocol.messages {
        let is_method = message.method.is_some();
        let name = message.method.as_deref().unwrap_or(&message.name);
        if let Some(group) =
            groups.iter_mut().find(|group| is_method && group.is_method && group.name == name)
        {
            group.messages.push(message);
            continue;
        }
        let wanted = file_name(name);
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        let free = std::iter::once(wanted.clone()).chain(numbered).find(|file| files.insert(file.clone()));
        groups.push(Group { file: free.unwrap_or(wanted), name, is_method, messages: vec![message] });
    }
    groups
}

/// The page of the types that no message uses.
pub(super) const OTHERS: &str = "other-types";

/// A name as a file name: what is neither letter nor digit becomes a hyphen.
fn file_name(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    if name.trim_matches('-').is_empty() { "message".to_owned() } else { name }
}

fn page_row(protocol: &Protocol, group: &Group<'_>, guide: &Guide, links: &Links) -> PageRow {
    let first = group.messages[0];
    let answers = group.messages.iter().skip(1).filter(|message| message.kind == MessageKind::Response);
    let said = guide.notes.iter().find(|note| note.message == first.name);
    let answered_by: Vec<String> = match said {
        Some(said) if !said.answered_by.is_empty() => said.answered_by.clone(),
        _ => answers.map(|message| message.name.clone()).collect(),
    };
    let answered_by: Vec<MessageLink> = answered_by.iter().map(|name| message_link(name, links)).collect();
    PageRow {
        file: group.file.clone(),
        name: group.name.to_owned(),
        is_method: group.is_method,
        direction: first.direction.clone(),
        kind: kind(first.kind),
        when: said.map(|said| said.when.clone()),
        description: protocol.types.get(first.ty.0).and_then(|def| def.description.clone()),
        answered_by,
        required: protocol.object(first.ty).map_or_else(Vec::new, |object| {
            let given = object.fields.iter().filter(|field| field.constant.is_none());
            let required = given.filter(|field| matches!(field.presence, Presence::Required));
            required.map(|field| field.wire.clone()).collect()
        }),
    }
}

/// Where code in a text leads: a method, a message, an error code.
type Links = BTreeMap<String, String>;

fn message_link(name: &str, links: &Links) -> MessageLink {
    MessageLink { name: name.to_owned(), target: links.get(name).cloned().unwrap_or_default() }
}

fn links(groups: &[Group<'_>], errors: &[ErrorRow], layout: Layout) -> Links {
    let mut links = BTreeMap::new();
    for error in errors.iter().filter(|_| layout == Layout::Pages) {
        links.insert(error.first.clone(), error.target.clone());
    }
    for group in groups {
        let target = match layout {
            Layout::Pages => format!("{}.md", group.file),
            Layout::OnePage => format!("#{}", id(&format!("message:{}", group.file))),
        };
        let names = group.messages.iter().map(|message| message.name.clone()).chain([group.name.to_owned()]);
        links.extend(names.map(|name| (name, target.clone())));
    }
    links
}

fn error_row(error: &ErrorCode) -> ErrorRow {
    let anchor = format!("error:{}", error.text());
    ErrorRow {
        target: format!("index.md#{}", id(&anchor)),
        anchor,
        first: error.text(),
        last: error.last.map(|last| last.to_string()),
        name: error.name.clone(),
        rust: error.rust.clone(),
        when: error.description.clone(),
        retry: error.retry,
    }
}

fn message_page(
    protocol: &Protocol,
    guide: &Guide,
    group: &Group<'_>,
    row: &PageRow,
    errors: &[ErrorRow],
    links: &Links,
    views: &mut Views<'_>,
) -> MessagePage {
    let example = |name: &str| {
        let shown = guide
            .examples
            .iter()
            .filter(|example| example.of == name)
            .map(|example| Example { says: example.says.clone(), text: examples::pretty(&example.message) });
        shown.collect::<Vec<_>>()
    };
    let messages = group.messages.iter().map(|message| MessageView {
        name: message.name.clone(),
        kind: kind(message.kind),
        direction: message.direction.clone(),
        examples: example(&message.name),
        view: views.view(message.ty),
        reading: reading::section(protocol, message),
    });
    let messages = messages.collect();
    let notes = group.messages.iter();
    let notes: Vec<&MessageNote> =
        notes.filter_map(|message| guide.notes.iter().find(|note| note.message == message.name)).collect();
    let used = |used: &CodeUse| {
        let error = errors.iter().find(|error| error.first == used.code)?.clone();
        Some(ErrorRow { when: used.when.clone().unwrap_or(error.when), ..error })
    };
    let own: Vec<ErrorRow> = notes.iter().flat_map(|note| &note.errors).filter_map(used).collect();
    let asks = group.messages.iter().any(|message| message.kind == MessageKind::Request)
        || notes.iter().any(|note| !note.answered_by.is_empty());
    let always = guide.always.iter().filter(|_| asks).filter_map(used);
    let always = always.filter(|error| !own.iter().any(|other| other.first == error.first)).collect();
    let causes = notes.iter().flat_map(|note| &note.causes);
    let causes = causes
        .map(|name| Cause { message: message_link(name, links), example: example(name).into_iter().next() });
    MessagePage {
        row: row.clone(),
        messages,
        errors: own,
        always,
        causes: causes.collect(),
        checks: types::checks(protocol, &used_by(protocol, group.messages.iter().map(|message| message.ty))),
    }
}

/// The enums that messages use, with the pages on which they stand.
fn enums(protocol: &Protocol, groups: &[Group<'_>], rows: &[PageRow]) -> Vec<EnumRow> {
    let mut users: BTreeMap<TypeId, Vec<PageRow>> = BTreeMap::new();
    let mut order = Vec::new();
    for (group, row) in groups.iter().zip(rows) {
        for id in used_by(protocol, group.messages.iter().map(|message| message.ty)) {
            if !users.contains_key(&id) {
                order.push(id);
            }
            users.entry(id).or_default().push(row.clone());
        }
    }
    let row = |id: TypeId| {
        let def = protocol.types.get(id.0)?;
        let Shape::Enum(choices @ Enum { variants }) = &def.shape else { return None };
        if variants.len() < 2 {
            return None;
        }
        let (about, values) = types::values(choices, def.description.as_deref());
        Some(EnumRow {
            title: types::title(def).to_owned(),
            rust: def.name.clone(),
            about: about.or_else(|| def.description.clone()),
            values,
            pages: users.get(&id).cloned().unwrap_or_default(),
        })
    };
    order.into_iter().filter_map(row).collect()
}

/// All types that are used by `roots`, themselves included, in order.
fn used_by(protocol: &Protocol, roots: impl Iterator<Item = TypeId>) -> Vec<TypeId> {
    let mut open: Vec<TypeId> = roots.collect();
    open.reverse();
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            found.push(id);
            let uses = protocol.types.get(id.0).map_or_else(Vec::new, |def| def.shape.uses());
            open.extend(uses.into_iter().rev().map(TypeId));
        }
    }
    found
}

/// The types that no message uses.
fn unused(protocol: &Protocol) -> Vec<TypeId> {
    let messages = used_by(protocol, protocol.messages.iter().map(|message| message.ty));
    let known: BTreeSet<TypeId> = messages.into_iter().collect();
    let others = (0..protocol.types.len()).map(TypeId);
    let others: Vec<TypeId> = others
        .filter(|id| {
            let def = &protocol.types[id.0];
            def.reading.is_none() && !known.contains(id) && types::has_section(protocol, *id)
        })
        .collect();
    // What stands in another one is shown there.
    let uses = others.iter().flat_map(|id| protocol.types[id.0].shape.uses()).map(TypeId);
    let inside: BTreeSet<TypeId> = used_by(protocol, uses).into_iter().collect();
    others.into_iter().filter(|id| !inside.contains(id) || protocol.types[id.0].recursive).collect()
}

fn kind(kind: MessageKind) -> &'static str {
    match kind {
        MessageKind::Request => "request",
        MessageKind::Response => "response",
        MessageKind::Event => "event",
        MessageKind::Message => "message",
    }
}
