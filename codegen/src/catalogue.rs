//! A catalogue of rules, methods and codes, turned into JSON Schemas and lists.
//!
//! A catalogue is one JSON file. Its lists hold entries with a stable id and a requirement; the list
//! `methods` gives the shapes of params and results, `command_fields` the members of a command,
//! `error_codes` the codes; `outputs` holds facts, and repeats methods and codes for a check.

mod anchors;
mod contract;
pub(crate) mod phrases;
mod schemas;

use crate::diagnostics::{Diagnostics, Place, Result};
use crate::ir::{Constant, ErrorCode, RuleEntry, RuleList};
use crate::json::{Json, Node, escape};
use crate::load::{Document, Source};
use crate::names;
pub use anchors::check as check_sources;

/// The lists that a catalogue is known to have. Any other array at the root is a list too if its
/// entries have an id and a requirement.
const LISTS: [&str; 7] = [
    "wire_rules",
    "methods",
    "error_codes",
    "command_fields",
    "security_rules",
    "integration_rules",
    "validation_rules",
];

/// The version of the form of catalogues that is read here.
const VERSION: &str = "1";

/// The facts that a catalogue is known to give.
const FACTS: [&str; 5] =
    ["protocol_version", "jsonrpc_version", "default_host", "default_port", "max_line_bytes"];

/// Takes the one document of `source`, the catalogue, for the schemas and lists that it stands for.
///
/// # Errors
///
/// What [`lists`] refuses, and shapes that cannot be read.
pub fn source(source: Source) -> Result<Source> {
    read(source, schemas::documents)
}

/// Takes the one document of `source`, the catalogue, for the lists that it stands for, and leaves the
/// shapes in it as they are.
///
/// # Errors
///
/// Everything that is malformed in the catalogue: entries without id, name or requirement where they
/// need one, ids, methods, fields and codes that occur twice, values of a wrong type, and `outputs`
/// that contradict the lists. Another `schema_version` than ours, too: what such a catalogue says may
/// mean something else.
pub fn lists(source: Source) -> Result<Source> {
    read(source, |_, _, _| Vec::new())
}

/// How the schemas of a catalogue are made.
type Schemas = fn(&mut Reader, &[List], Option<&Spot>) -> Vec<Document>;

fn read(source: Source, schemas: Schemas) -> Result<Source> {
    let mut documents = source.documents.into_iter();
    let (Some(document), None) = (documents.next(), documents.next()) else {
        return Err(Diagnostics::one(Place::default(), "a catalogue is exactly one file"));
    };
    let mut reader = Reader { file: &document.display, problems: Diagnostics::default() };
    let root = Spot { node: &document.root, pointer: String::new() };

    reader.check_version(&root);
    let description = reader.text(root.member("description")).unwrap_or_default();
    let contract = reader.contract(&root);
    let before = reader.problems.0.len();
    let lists = reader.lists(&root);
    let lists_are_sound = reader.problems.0.len() == before;
    let errors = reader.errors(&lists);
    let outputs = reader.outputs(&root);
    let constants = reader.constants(outputs.as_ref());
    if lists_are_sound {
        // Otherwise each mistake there would show here once more.
        reader.compare_methods(outputs.as_ref(), &lists);
        reader.compare_codes(outputs.as_ref(), &lists);
    }
    let jsonrpc = outputs.as_ref().and_then(|outputs| outputs.member("jsonrpc_version"));
    reader.text(jsonrpc.clone());
    let documents = schemas(&mut reader, &lists, jsonrpc.as_ref());

    let lists = lists.into_iter().map(List::into_rules).collect();
    let mut problems = reader.problems;
    document.add_lines(&mut problems);
    let (sources, amendments) = (source.sources, source.amendments);
    problems.finish(Source {
        documents,
        reading: None,
        sources,
        lists,
        contract,
        errors,
        constants,
        description,
        amendments,
    })
}

/// A value of the catalogue and its JSON pointer.
#[derive(Clone)]
struct Spot<'a> {
    node: &'a Node,
    pointer: String,
}

impl<'a> Spot<'a> {
    fn member(&self, name: &str) -> Option<Spot<'a>> {
        let node = self.node.get(name)?;
        Some(Spot { node, pointer: format!("{}/{}", self.pointer, escape(name)) })
    }

    fn items(&self) -> impl Iterator<Item = Spot<'a>> + use<'a> {
        let pointer = self.pointer.clone();
        let items = self.node.items().iter().enumerate();
        items.map(move |(index, node)| Spot { node, pointer: format!("{pointer}/{index}") })
    }
}

/// An entry of a list, and where it stands.
struct Entry<'a> {
    rule: RuleEntry,
    spot: Spot<'a>,
}

/// A list of the catalogue.
struct List<'a> {
    key: &'a str,
    entries: Vec<Entry<'a>>,
}

impl List<'_> {
    fn into_rules(self) -> RuleList {
        let entries = self.entries.into_iter().map(|entry| entry.rule).collect();
        RuleList { key: self.key.to_owned(), entries }
    }
}

/// The entries of the list `key`, none where the catalogue has no such list.
fn entries<'l, 'a>(lists: &'l [List<'a>], key: &str) -> &'l [Entry<'a>] {
    lists.iter().find(|list| list.key == key).map_or(&[], |list| &list.entries)
}

/// Reads values and notes what is wrong with them. What it returns in place of a wrong value does not
/// matter, since the catalogue as a whole is refused then.
struct Reader<'a> {
    file: &'a str,
    problems: Diagnostics,
}

impl Reader<'_> {
    fn check_version(&mut self, root: &Spot) {
        let Some(version) = root.member("schema_version") else { return };
        if !matches!(&version.node.value, Json::Number(text) if text == VERSION) {
            let message = format!("{} is no version of catalogues that is known; {VERSION} is", version.node);
            self.report(&version, message);
        }
    }

    fn lists<'a>(&mut self, root: &Spot<'a>) -> Vec<List<'a>> {
        self.expect_object(root);
        let mut lists = Vec::new();
        for member in root.node.members() {
            let spot = Spot { node: &member.node, pointer: format!("/{}", escape(&member.name)) };
            let looks_like_entry =
                |item: &Node| item.get("id").is_some() && item.get("requirement").is_some();
            if LISTS.contains(&member.name.as_str()) {
                self.expect_array(&spot);
            } else if !spot.node.items().iter().any(looks_like_entry) {
                continue;
            }
            let entries = spot.items().map(|item| self.entry(item, &member.name)).collect();
            lists.push(List { key: &member.name, entries });
        }
        if lists.is_empty() {
            self.report(root, "this is no catalogue: it has no list of entries with `id` and `requirement`");
        }
        let all = lists.iter().flat_map(|list| &list.entries);
        self.refuse_repeats(all, "id", |rule| Some(&rule.id));
        self.refuse_repeats(entries(&lists, "methods"), "name", |rule| Some(&rule.name));
        self.refuse_repeats(entries(&lists, "command_fields"), "name", |rule| Some(&rule.name));
        self.refuse_repeats(entries(&lists, "error_codes"), "code", |rule| rule.code.as_ref());
        lists
    }

    fn entry<'a>(&mut self, spot: Spot<'a>, list: &str) -> Entry<'a> {
        let is_object = self.expect_object(&spot);
        let id = self.needed(&spot, "id");
        let has_name = spot.node.get("name").is_some();
        let name = if has_name || matches!(list, "methods" | "command_fields") {
            self.needed(&spot, "name")
        } else {
            last_segment(&id).replace(['-', '_'], " ")
        };
        let rule = RuleEntry {
            name,
            stability: self.text(spot.member("stability")).unwrap_or_default(),
            requirement: self.needed(&spot, "requirement"),
            rationale: self.text(spot.member("rationale")).unwrap_or_default(),
            sources: spot.member("source").map(|source| self.sources(&source)).unwrap_or_default(),
            params: self.text(spot.member("params")),
            result: self.text(spot.member("result")),
            value_type: self.text(spot.member("value_type")),
            code: spot.member("code").and_then(|code| self.integer(&code)),
            place: self.place(&spot),
            id,
        };
        if list == "error_codes" && is_object && spot.node.get("code").is_none() {
            self.report(&spot, "a member `code` is missing");
        }
        Entry { rule, spot }
    }

    fn sources(&mut self, spot: &Spot) -> Vec<(String, Vec<String>)> {
        self.expect_array(spot);
        let mut sources = Vec::new();
        for source in spot.items() {
            self.expect_object(&source);
            let path = self.needed(&source, "path");
            let anchors = source.member("anchors");
            if let Some(anchors) = &anchors {
                self.expect_array(anchors);
            }
            let anchors = anchors.iter().flat_map(Spot::items);
            sources.push((path, anchors.filter_map(|anchor| self.text(Some(anchor))).collect()));
        }
        sources
    }

    fn errors(&mut self, lists: &[List]) -> Vec<ErrorCode> {
        let mut errors: Vec<ErrorCode> = Vec::new();
        for Entry { rule, spot } in entries(lists, "error_codes") {
            let Some(code) = spot.node.get("code") else { continue };
            let rust = error_constant(rule);
            if let Some(earlier) = errors.iter().find(|earlier| earlier.rust == rust) {
                let other = earlier.id.as_deref().unwrap_or_default();
                self.report(spot, format!("`{}` and `{other}` both give the constant {rust}", rule.id));
            }
            errors.push(ErrorCode {
                rust,
                id: Some(rule.id.clone()),
                code: code.clone(),
                name: rule.name.clone(),
                description: rule.requirement.clone(),
                last: None,
                retry: None,
                sources: rule.sources.iter().map(|(path, _)| path.clone()).collect(),
            });
        }
        errors
    }

    fn outputs<'a>(&mut self, root: &Spot<'a>) -> Option<Spot<'a>> {
        let outputs = root.member("outputs")?;
        self.expect_object(&outputs);
        Some(outputs)
    }

    fn constants(&mut self, outputs: Option<&Spot>) -> Vec<Constant> {
        let mut constants: Vec<Constant> = Vec::new();
        let Some(outputs) = outputs else { return constants };
        for member in outputs.node.members() {
            let scalar = matches!(member.node.value, Json::Bool(_) | Json::Number(_) | Json::String(_));
            if !scalar {
                continue;
            }
            let rust = names::screaming(&member.name);
            if constants.iter().any(|earlier| earlier.rust == rust) {
                self.report(outputs, format!("two members give the constant {rust}"));
            }
            let known = FACTS.iter().find(|key| **key == member.name);
            let description = known.and_then(|key| phrases::phrase(key)).map(str::to_owned);
            constants.push(Constant { rust, value: member.node.clone(), description });
        }
        constants
    }

    /// `outputs.methods` names exactly the methods, in their order.
    fn compare_methods(&mut self, outputs: Option<&Spot>, lists: &[List]) {
        let Some(listed) = outputs.and_then(|outputs| outputs.member("methods")) else { return };
        if !self.expect_array(&listed) {
            return;
        }
        let methods = entries(lists, "methods").iter();
        let defined: Vec<&str> = methods.map(|entry| entry.rule.name.as_str()).collect();
        let before = self.problems.0.len();
        let mut names: Vec<&str> = Vec::new();
        for item in listed.items() {
            match item.node.as_str() {
                None => self.report(&item, format!("expected a string, found {}", item.node.kind())),
                Some(name) if !defined.contains(&name) => {
                    self.report(&item, format!("`{name}` is not in the list `methods`"));
                }
                Some(name) if names.contains(&name) => {
                    self.report(&item, format!("`{name}` stands here twice"));
                }
                Some(name) => names.push(name),
            }
        }
        for name in defined.iter().filter(|name| !names.contains(name)) {
            self.report(&listed, format!("`{name}` of the list `methods` is missing here"));
        }
        if self.problems.0.len() == before && names != defined {
            self.report(&listed, "the order differs from that of the list `methods`");
        }
    }

    /// `outputs.error_codes` gives exactly the codes, by the last segments of their ids.
    fn compare_codes(&mut self, outputs: Option<&Spot>, lists: &[List]) {
        let Some(listed) = outputs.and_then(|outputs| outputs.member("error_codes")) else { return };
        if !self.expect_object(&listed) {
            return;
        }
        let defined = entries(lists, "error_codes");
        let key = |rule: &RuleEntry| last_segment(&rule.id).replace('-', "_");
        for member in listed.node.members() {
            let Some(spot) = listed.member(&member.name) else { continue };
            let Some(code) = self.integer(&spot) else { continue };
            match defined.iter().find(|entry| key(&entry.rule) == member.name) {
                None => {
                    self.report(&spot, format!("`{}` is not in the list `error_codes`", member.name));
                }
                Some(Entry { rule, .. }) => match rule.code {
                    Some(other) if other != code => {
                        self.report(&spot, format!("{code} here, but {other} in the list `error_codes`"));
                    }
                    _ => {}
                },
            }
        }
        for Entry { rule, .. } in defined {
            if listed.node.get(&key(rule)).is_none() {
                self.report(&listed, format!("`{}` of the list `error_codes` is missing here", key(rule)));
            }
        }
    }

    /// A string that must be there and must not be empty.
    fn needed(&mut self, parent: &Spot, name: &str) -> String {
        let Some(spot) = parent.member(name) else {
            if matches!(parent.node.value, Json::Object(_)) {
                self.report(parent, format!("a member `{name}` is missing"));
            }
            return String::new();
        };
        let text = self.text(Some(spot.clone())).unwrap_or_default();
        if spot.node.as_str() == Some("") {
            self.report(&spot, format!("`{name}` is empty"));
        }
        text
    }

    fn text(&mut self, spot: Option<Spot>) -> Option<String> {
        let spot = spot?;
        if spot.node.as_str().is_none() {
            self.report(&spot, format!("expected a string, found {}", spot.node.kind()));
        }
        spot.node.as_str().map(str::to_owned)
    }

    fn integer(&mut self, spot: &Spot) -> Option<i64> {
        let integer = match &spot.node.value {
            Json::Number(text) => text.parse().ok(),
            _ => None,
        };
        if integer.is_none() {
            self.report(spot, format!("expected an integer, found {}", spot.node));
        }
        integer
    }

    fn expect_object(&mut self, spot: &Spot) -> bool {
        let is_object = matches!(spot.node.value, Json::Object(_));
        if !is_object {
            self.report(spot, format!("expected an object, found {}", spot.node.kind()));
        }
        is_object
    }

    fn expect_array(&mut self, spot: &Spot) -> bool {
        let is_array = matches!(spot.node.value, Json::Array(_));
        if !is_array {
            self.report(spot, format!("expected an array, found {}", spot.node.kind()));
        }
        is_array
    }

    fn refuse_repeats<'e, 'a: 'e, Key: PartialEq + std::fmt::Display + 'e>(
        &mut self,
        entries: impl IntoIterator<Item = &'e Entry<'a>>,
        member: &str,
        key: impl Fn(&'e RuleEntry) -> Option<&'e Key>,
    ) {
        let mut seen: Vec<&Key> = Vec::new();
        for entry in entries {
            // A member that is missing or wrong has been reported already.
            let Some(key) = key(&entry.rule) else { continue };
            if key.to_string().is_empty() {
                continue;
            }
            if seen.contains(&key) {
                let spot = entry.spot.member(member).unwrap_or_else(|| entry.spot.clone());
                self.report(&spot, format!("a second entry with the {member} `{key}`"));
            }
            seen.push(key);
        }
    }

    fn place(&self, spot: &Spot) -> Place {
        Place { file: self.file.to_owned(), span: spot.node.span, pointer: format!("#{}", spot.pointer) }
    }

    fn report(&mut self, spot: &Spot, message: impl Into<String>) {
        let place = self.place(spot);
        self.problems.push(place, message);
    }
}

/// `a.b.queue-full` → `queue-full`
fn last_segment(id: &str) -> &str {
    id.rsplit('.').next().unwrap_or(id)
}

/// The constant of an error code: the last segment of its id, or its name where that begins with the
/// same words and has more of them (`parse`, "Parse error").
fn error_constant(rule: &RuleEntry) -> String {
    let short = names::screaming(last_segment(&rule.id));
    let full = names::screaming(&rule.name);
    if full.strip_prefix(&short).is_some_and(|rest| rest.starts_with('_')) { full } else { short }
}

#[cfg(test)]
mod tests;
