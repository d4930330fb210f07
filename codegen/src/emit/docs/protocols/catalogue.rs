//! The lists of a catalogue, spread over pages.

use super::{ENFORCEMENT, MESSAGES};
use crate::emit::docs::markdown::id;
use crate::emit::docs::prose::{Prose, Span, code, text};
use crate::ir::{ErrorCode, Protocol, RuleEntry, RuleList};
use serde::Serialize;
use std::collections::BTreeMap;

/// Which lists share a page; a list that stands nowhere here has its own.
const PAGES: [(&str, &[&str]); 5] = [
    ("wire", &["wire_rules", "error_codes"]),
    ("methods", &["methods"]),
    ("commands-and-events", &["command_fields"]),
    ("security", &["security_rules"]),
    ("integration-and-validation", &["integration_rules", "validation_rules"]),
];

/// The list that error codes come from, where the protocol has them in a list of its own.
const ERROR_CODES: &str = "error_codes";

/// A page of lists.
#[derive(Debug, Serialize)]
pub(super) struct ListPage {
    /// File name without `.md`.
    pub(super) file: String,
    /// What to call it where the templates know no better.
    pub(super) name: String,
    pub(super) lists: Vec<List>,
}

/// A list.
#[derive(Debug, Serialize)]
pub(super) struct List {
    /// Member of the catalogue: `wire_rules`.
    pub(super) key: String,
    /// What to call it where the templates know no better.
    pub(super) name: String,
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
    pub(super) stability: String,
    pub(super) requirement: String,
    pub(super) rationale: String,
    pub(super) code: Option<String>,
    /// The last code, where it is a range.
    pub(super) last: Option<String>,
    pub(super) params: Prose,
    pub(super) result: Prose,
    pub(super) value_type: String,
    /// Each a path or a link.
    pub(super) sources: Vec<Span>,
}

/// What the catalogue promises as a whole.
#[derive(Debug, Serialize)]
pub(super) struct Contract {
    pub(super) surface: String,
    pub(super) stability: String,
    pub(super) since: Option<String>,
    pub(super) support_note: String,
    pub(super) included: Vec<String>,
    pub(super) excluded: Vec<String>,
    pub(super) references: Vec<Reference>,
}

/// A file that the catalogue as a whole comes from.
#[derive(Debug, Serialize)]
pub(super) struct Reference {
    /// Member of the catalogue: `reference_client`.
    pub(super) key: String,
    /// What to call it where the templates know no better.
    pub(super) name: String,
    pub(super) source: Span,
}

/// How many entries say of themselves that they are `experimental`, `stable` and so on.
#[derive(Debug, Serialize)]
pub(super) struct Stability {
    pub(super) name: String,
    pub(super) count: usize,
}

/// The pages of all lists, in order.
pub(super) fn pages(protocol: &Protocol, source_url: Option<&str>) -> Vec<ListPage> {
    let mut lists: Vec<List> = protocol.lists.iter().map(|list| rules(list, source_url)).collect();
    if !protocol.errors.is_empty() && !lists.iter().any(|list| list.kind == Kind::Errors) {
        let entries = protocol.errors.iter().map(|code| error(code, source_url)).collect();
        let (key, name) = (ERROR_CODES.to_owned(), words(ERROR_CODES));
        lists.push(List { key, name, kind: Kind::Errors, entries });
    }
    let mut pages: Vec<ListPage> = Vec::new();
    for (file, keys) in PAGES {
        let mut found = Vec::new();
        for key in keys {
            if let Some(at) = lists.iter().position(|list| list.key == *key) {
                found.push(lists.remove(at));
            }
        }
        if !found.is_empty() {
            pages.push(ListPage { file: file.to_owned(), name: words(file), lists: found });
        }
    }
    for list in lists {
        let name = list.name.clone();
        pages.push(ListPage { file: file_name(&list.key, &pages), name, lists: vec![list] });
    }
    pages
}

/// Where code in a text leads: ids, methods and error codes.
pub(super) fn links(pages: &[ListPage]) -> BTreeMap<String, String> {
    let mut links = BTreeMap::new();
    for page in pages {
        for list in &page.lists {
            for entry in list.entries.iter().filter(|entry| !entry.id.is_empty()) {
                let target = format!("{}.md#{}", page.file, id(&entry.id));
                if list.kind == Kind::Methods {
                    links.insert(entry.name.clone(), target.clone());
                }
                links.extend(entry.code.iter().map(|code| (code.clone(), target.clone())));
                links.insert(entry.id.clone(), target);
            }
        }
    }
    links
}

/// What the catalogue promises as a whole; `None` where it says nothing.
pub(super) fn contract(protocol: &Protocol, source_url: Option<&str>) -> Option<Contract> {
    let contract = protocol.contract.clone()?;
    let reference = |(key, path): (String, String)| Reference {
        name: words(&key),
        source: source(&path, source_url),
        key,
    };
    Some(Contract {
        surface: contract.surface,
        stability: contract.stability,
        since: contract.since,
        support_note: contract.support_note,
        included: contract.included,
        excluded: contract.excluded,
        references: contract.references.into_iter().map(reference).collect(),
    })
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
    let kind = if list.key == ERROR_CODES || any(|entry| entry.code.is_some()) {
        Kind::Errors
    } else if list.key == "methods" || any(|entry| entry.params.is_some() || entry.result.is_some()) {
        Kind::Methods
    } else if list.key == "command_fields" || any(|entry| entry.value_type.is_some()) {
        Kind::Fields
    } else {
        Kind::Rules
    };
    let entries = list.entries.iter().map(|entry| Entry {
        id: entry.id.clone(),
        name: entry.name.clone(),
        stability: entry.stability.clone(),
        requirement: entry.requirement.clone(),
        rationale: entry.rationale.clone(),
        code: entry.code.map(|code| code.to_string()),
        last: None,
        params: shape(entry.params.as_deref()),
        result: shape(entry.result.as_deref()),
        value_type: entry.value_type.clone().unwrap_or_default(),
        sources: entry.sources.iter().map(|(path, _)| source(path, source_url)).collect(),
    });
    List { key: list.key.clone(), name: words(&list.key), kind, entries: entries.collect() }
}

fn error(error: &ErrorCode, source_url: Option<&str>) -> Entry {
    Entry {
        id: error.id.clone().unwrap_or_default(),
        name: error.name.clone(),
        stability: String::new(),
        requirement: error.description.clone(),
        rationale: String::new(),
        code: Some(error.text()),
        last: error.last.map(|last| last.to_string()),
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

/// How long a file name may be that is made of a key.
const LONGEST: usize = 60;

/// A key as the name of a page that is none of `pages` yet: what is neither letter nor digit becomes
/// a hyphen, so that no key leads out of the folder, and is a file on no system what it is not on
/// another.
fn file_name(key: &str, pages: &[ListPage]) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = key.chars().map(plain).take(LONGEST).collect();
    let name = match name.trim_matches('-') {
        "" => "list",
        name => name,
    };
    let device = ["con", "prn", "aux", "nul"].contains(&name)
        || name.strip_prefix("com").or(name.strip_prefix("lpt")).is_some_and(|rest| rest.len() == 1);
    let reserved = ["index", "readme", MESSAGES, ENFORCEMENT];
    let taken = |name: &str| {
        reserved.contains(&name)
            || PAGES.iter().any(|(file, _)| *file == name)
            || pages.iter().any(|page| page.file == name)
    };
    let mut free = if device { format!("{name}-list") } else { name.to_owned() };
    let mut number = 2_usize;
    while taken(&free) {
        free = format!("{name}-{number}");
        number += 1;
    }
    free
}
