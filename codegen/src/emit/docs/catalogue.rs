//! The lists of a catalogue, spread over pages.

use super::prose::{Prose, Span, code, text};
use crate::ir::{ErrorCode, Protocol, RuleEntry, RuleList};
use serde::Serialize;

/// Which lists share a page, and what it is called; a list that stands nowhere here has its own.
const PAGES: [(&str, &str, &[&str]); 3] = [
    ("wire", "Wire contract", &["wire_rules", "error_codes"]),
    ("commands-and-events", "Commands and events", &["methods", "command_fields"]),
    (
        "integration-and-validation",
        "Integration and validation",
        &["security_rules", "integration_rules", "validation_rules"],
    ),
];

/// The list that error codes come from, where the protocol has them in a list of its own.
const ERROR_CODES: &str = "error_codes";

/// A page of lists.
#[derive(Debug, Serialize)]
pub(super) struct ListPage {
    /// File name without `.md`.
    pub(super) file: String,
    pub(super) title: String,
    pub(super) lists: Vec<List>,
}

/// A list.
#[derive(Debug, Serialize)]
pub(super) struct List {
    pub(super) heading: String,
    /// Which columns its table has.
    pub(super) kind: Kind,
    pub(super) entries: Vec<Entry>,
}

/// What a list is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Rules,
    Errors,
    Methods,
    Fields,
}

/// An entry of a list.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) requirement: String,
    pub(super) rationale: String,
    pub(super) code: String,
    pub(super) params: Prose,
    pub(super) result: Prose,
    pub(super) value_type: String,
    /// Each a path or a link.
    pub(super) sources: Vec<Span>,
}

/// The pages of all lists, in order.
pub(super) fn pages(protocol: &Protocol, source_url: Option<&str>) -> Vec<ListPage> {
    let mut lists: Vec<(String, List)> =
        protocol.lists.iter().map(|list| (list.key.clone(), rules(list, source_url))).collect();
    if !protocol.errors.is_empty() && !lists.iter().any(|(_, list)| list.kind == Kind::Errors) {
        let entries = protocol.errors.iter().map(|code| error(code, source_url)).collect();
        let list = List { heading: "Error codes".to_owned(), kind: Kind::Errors, entries };
        lists.push((ERROR_CODES.to_owned(), list));
    }
    let mut pages = Vec::new();
    for (file, title, keys) in PAGES {
        let mut found = Vec::new();
        for key in keys {
            if let Some(at) = lists.iter().position(|(name, _)| name == key) {
                found.push(lists.remove(at).1);
            }
        }
        if !found.is_empty() {
            pages.push(ListPage { file: file.to_owned(), title: title.to_owned(), lists: found });
        }
    }
    for (key, list) in lists {
        pages.push(ListPage { file: file_name(&key), title: list.heading.clone(), lists: vec![list] });
    }
    pages
}

/// How many entries say of themselves that they are `experimental`, `stable` and so on.
#[derive(Debug, Serialize)]
pub(super) struct Stability {
    pub(super) name: String,
    pub(super) count: usize,
}

/// The stabilities of all entries, in the order in which they occur.
pub(super) fn stability(protocol: &Protocol) -> Vec<Stability> {
    let mut found: Vec<Stability> = Vec::new();
    for entry in
        protocol.lists.iter().flat_map(|list| &list.entries).filter(|entry| !entry.stability.is_empty())
    {
        match found.iter_mut().find(|known| known.name == entry.stability) {
            Some(known) => known.count += 1,
            None => found.push(Stability { name: entry.stability.clone(), count: 1 }),
        }
    }
    found
}

fn rules(list: &RuleList, source_url: Option<&str>) -> List {
    let any = |has: fn(&RuleEntry) -> bool| list.entries.iter().any(has);
    let kind = if any(|entry| entry.code.is_some()) {
        Kind::Errors
    } else if any(|entry| entry.params.is_some() || entry.result.is_some()) {
        Kind::Methods
    } else if any(|entry| entry.value_type.is_some()) {
        Kind::Fields
    } else {
        Kind::Rules
    };
    let entries = list.entries.iter().map(|entry| Entry {
        id: entry.id.clone(),
        name: entry.name.clone(),
        requirement: entry.requirement.clone(),
        rationale: entry.rationale.clone(),
        code: entry.code.map_or_else(String::new, |code| code.to_string()),
        params: shape(entry.params.as_deref()),
        result: shape(entry.result.as_deref()),
        value_type: entry.value_type.clone().unwrap_or_default(),
        sources: entry.sources.iter().map(|(path, _)| source(path, source_url)).collect(),
    });
    List { heading: words(&list.key), kind, entries: entries.collect() }
}

fn error(error: &ErrorCode, source_url: Option<&str>) -> Entry {
    Entry {
        id: error.id.clone().unwrap_or_default(),
        name: error.name.clone(),
        requirement: error.description.clone(),
        rationale: String::new(),
        code: super::protocol::code_text(error),
        params: Prose::new(),
        result: Prose::new(),
        value_type: String::new(),
        sources: error.sources.iter().map(|path| source(path, source_url)).collect(),
    }
}

/// Params and results are written in a notation, which is code, or in prose.
fn shape(notation: Option<&str>) -> Prose {
    match notation {
        Some(notation) if notation.trim_start().starts_with(['{', '[']) => code(notation),
        Some(words) => text(words),
        None => Prose::new(),
    }
}

/// Where an entry comes from.
fn source(path: &str, source_url: Option<&str>) -> Span {
    match source_url {
        Some(url) => Span::Link {
            label: path.to_owned(),
            target: format!("{}/{}", url.trim_end_matches('/'), path.trim_start_matches('/')),
        },
        None => Span::Text(path.to_owned()),
    }
}

/// `wire_rules` as a heading: `Wire rules`.
fn words(key: &str) -> String {
    let words = key.replace(['_', '-'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A key as a file name: what is neither letter nor digit becomes a hyphen.
fn file_name(key: &str) -> String {
    key.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
}
