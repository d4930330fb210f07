//! The pages of a protocol of messages: an index, and a page for each method or message.

use super::examples;
use super::markdown::id;
use super::prose::Prose;
use super::rows::{Tables, View};
use super::sections::{self, CheckSection, ValueRow, reading};
use crate::ir::{
    CodeUse, Enum, ErrorCode, Guide, Message, MessageKind, MessageNote, Presence, Protocol, Retry, Shape,
    TypeId,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What the pages of a protocol share.
#[derive(Debug, Serialize)]
pub(super) struct Reference {
    pub(super) guide: Guide,
    /// Where code in a text leads: a method, a message, an error code.
    pub(super) links: BTreeMap<String, String>,
    pub(super) pages: Vec<PageRow>,
    pub(super) errors: Vec<ErrorRow>,
    pub(super) enums: Vec<EnumRow>,
    /// The messages in frames that topics show, by topic.
    pub(super) framed: BTreeMap<String, FramedText>,
    /// The first example of each message, as text.
    pub(super) examples: BTreeMap<String, String>,
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
    /// Names of the messages that answer.
    pub(super) answered_by: Vec<String>,
    /// The members that must be there, those left out that are always the same.
    pub(super) required: Vec<String>,
}

/// An error code.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ErrorRow {
    /// What links to it say.
    pub(super) id: String,
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
    pub(super) name: String,
    pub(super) example: Option<Example>,
}

/// A message on its page.
#[derive(Debug, Serialize)]
pub(super) struct MessageView {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) direction: String,
    pub(super) known_by: Prose,
    pub(super) examples: Vec<Example>,
    pub(super) view: View,
    pub(super) reading: Option<reading::ReadingSection>,
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
    pub(super) others: Vec<OtherType>,
}

/// A type that no message uses.
#[derive(Debug, Serialize)]
pub(super) struct OtherType {
    pub(super) title: String,
    pub(super) view: View,
}

/// A method with its messages, or a message.
struct Group<'a> {
    file: String,
    name: &'a str,
    is_method: bool,
    messages: Vec<&'a Message>,
}

/// The pages of `protocol`.
pub(super) fn build(protocol: &Protocol) -> Built {
    let guide = protocol.guide.clone().unwrap_or_default();
    let groups = groups(protocol);
    let note = |message: &Message| guide.notes.iter().find(|note| note.message == message.name);
    let rows: Vec<PageRow> = groups.iter().map(|group| page_row(protocol, group, &note)).collect();
    let errors: Vec<ErrorRow> = protocol.errors.iter().map(error_row).collect();
    let links = links(&groups, &errors);
    let pages: Vec<MessagePage> = groups
        .iter()
        .zip(&rows)
        .map(|(group, row)| message_page(protocol, &guide, group, row, &errors))
        .collect();
    let others = unused(protocol);
    let first = |name: &str| guide.examples.iter().find(|example| example.of == name);
    let framed = guide.topics.iter().filter_map(|topic| {
        let framed = topic.framed.as_ref()?;
        let message = first(&framed.message)?.message.to_string();
        let put = |text: &str| text.replace("{length}", &message.len().to_string());
        let text = examples::visible(&format!("{}{message}{}", put(&framed.before), put(&framed.after)));
        Some((topic.id.clone(), FramedText { text, length: message.len() }))
    });
    let framed = framed.collect();
    let texts = guide.examples.iter().rev().map(|one| (one.of.clone(), examples::pretty(&one.message)));
    let shared = Reference {
        enums: enums(protocol, &groups, &rows),
        framed,
        examples: texts.collect(),
        links,
        pages: rows,
        errors,
        others: !others.is_empty(),
        guide,
    };
    Built { shared, pages, others }
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

fn page_row<'a>(
    protocol: &Protocol,
    group: &Group<'_>,
    note: &impl Fn(&Message) -> Option<&'a MessageNote>,
) -> PageRow {
    let first = group.messages[0];
    let answers = group.messages.iter().skip(1).filter(|message| message.kind == MessageKind::Response);
    let said = note(first);
    let answered_by = match said {
        Some(said) if !said.answered_by.is_empty() => said.answered_by.clone(),
        _ => answers.map(|message| message.name.clone()).collect(),
    };
    PageRow {
        file: group.file.clone(),
        name: group.name.to_owned(),
        is_method: group.is_method,
        direction: first.direction.clone(),
        kind: sections::kind(first.kind),
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

fn links(groups: &[Group<'_>], errors: &[ErrorRow]) -> BTreeMap<String, String> {
    let mut links = BTreeMap::new();
    for error in errors {
        let target = format!("index.md#{}", id(&error.id));
        if let Some(last) = &error.last {
            links.insert(format!("{} to {last}", error.first), target.clone());
        }
        links.insert(error.first.clone(), target);
    }
    for group in groups {
        for message in &group.messages {
            links.insert(message.name.clone(), format!("{}.md", group.file));
        }
        links.insert(group.name.to_owned(), format!("{}.md", group.file));
    }
    links
}

fn error_row(error: &ErrorCode) -> ErrorRow {
    ErrorRow {
        id: format!("error:{}", error.text()),
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
) -> MessagePage {
    let roots: Vec<TypeId> = group.messages.iter().map(|message| message.ty).collect();
    let mut tables = Tables::new(protocol, &roots);
    let example = |name: &str| {
        let shown = guide
            .examples
            .iter()
            .filter(|example| example.of == name)
            .map(|example| Example { says: example.says.clone(), text: examples::pretty(&example.message) });
        shown.collect::<Vec<_>>()
    };
    let views = group.messages.iter().map(|message| MessageView {
        name: message.name.clone(),
        kind: sections::kind(message.kind),
        direction: message.direction.clone(),
        known_by: sections::known_by(message),
        examples: example(&message.name),
        view: tables.view(message.ty),
        reading: reading::section(protocol, message),
    });
    let views = views.collect();
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
    let causes = causes.map(|name| Cause { name: name.clone(), example: example(name).into_iter().next() });
    MessagePage {
        row: row.clone(),
        messages: views,
        errors: own,
        always,
        causes: causes.collect(),
        checks: sections::checks(protocol, &used_by(protocol, roots.into_iter())),
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
        let (about, values) = sections::values(choices, def.description.as_deref());
        Some(EnumRow {
            title: sections::title(def).to_owned(),
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

/// The types that no message uses, with their titles.
fn unused(protocol: &Protocol) -> Vec<OtherType> {
    let messages = used_by(protocol, protocol.messages.iter().map(|message| message.ty));
    let known: BTreeSet<TypeId> = messages.into_iter().collect();
    let others = (0..protocol.types.len()).map(TypeId);
    let others: Vec<TypeId> = others
        .filter(|id| {
            let def = &protocol.types[id.0];
            def.reading.is_none() && !known.contains(id) && sections::has_section(protocol, *id)
        })
        .collect();
    let mut tables = Tables::new(protocol, &others);
    let other = |id: &TypeId| OtherType {
        title: sections::title(&protocol.types[id.0]).to_owned(),
        view: tables.view(*id),
    };
    others.iter().map(other).collect()
}
