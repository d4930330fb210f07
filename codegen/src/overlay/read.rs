//! Reads an overlay file, and says everything that is wrong in it at once.

mod guide;

use super::{MessageRule, Named, Operation, Overlay, Select};
use crate::config::{Config, ProtocolConfig};
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::ir::{Constant, Enforcement, ErrorCode, MessageKind, Retry};
use crate::json::{Json, Node, escape, quoted};
use crate::load;
use crate::names;
pub use guide::together;
use std::collections::HashMap;

/// Reads the overlay that `protocol` names; an empty one where it names none.
///
/// # Errors
///
/// A file that can't be read or is no JSON; every member that is unknown, missing or of the wrong
/// type, with its place.
pub fn read(config: &Config, protocol: &ProtocolConfig) -> Result<Overlay> {
    let Some(display) = &protocol.overlay else { return Ok(Overlay::default()) };
    let text = load::text(&config.root.join(display), display)?;
    let mut overlay = parse(display, &text)?;
    if let Some((guide, _)) = &mut overlay.guide
        && let Some(file) = &guide.examples_file
    {
        // It lies beside the overlay.
        let display =
            display.rsplit_once('/').map_or_else(|| file.clone(), |(folder, _)| format!("{folder}/{file}"));
        guide.examples = guide::examples(&display, &load::text(&config.root.join(&display), &display)?)?;
        guide.examples_file = Some(display);
    }
    Ok(overlay)
}

/// The guide of an overlay with this text, and these examples.
#[cfg(test)]
pub(crate) fn parsed_guide(guide: &str, examples: &str) -> crate::ir::Guide {
    let overlay = parse("o.json", &format!("{{\"guide\": {guide}}}")).expect("it is right");
    let examples = guide::examples("e.json", examples).expect("they are right");
    crate::ir::Guide { examples, ..overlay.guide.expect("there is one").0 }
}

/// Reads the text of an overlay; `display` is its file name in diagnostics.
pub(super) fn parse(display: &str, text: &str) -> Result<Overlay> {
    let root = load::json(display, text)?;
    let mut reader = Reader::new(display);
    let mut overlay = reader.overlay(At { node: &root, pointer: String::new() });
    overlay.display = display.to_owned();
    overlay.text = text.into();
    reader.finish(text, overlay)
}

struct Reader<'a> {
    display: &'a str,
    problems: Diagnostics,
}

/// A value and where it is.
#[derive(Clone)]
struct At<'a> {
    node: &'a Node,
    pointer: String,
}

impl<'a> At<'a> {
    fn get(&self, name: &str) -> Option<At<'a>> {
        self.node.get(name).map(|node| At { node, pointer: format!("{}/{}", self.pointer, escape(name)) })
    }

    fn items(&self) -> Vec<At<'a>> {
        let items = self.node.items().iter().enumerate();
        items.map(|(index, node)| At { node, pointer: format!("{}/{index}", self.pointer) }).collect()
    }

    fn members(&self) -> Vec<(&'a str, At<'a>)> {
        let members = self.node.members().iter();
        members
            .map(|member| {
                let pointer = format!("{}/{}", self.pointer, escape(&member.name));
                (member.name.as_str(), At { node: &member.node, pointer })
            })
            .collect()
    }
}

impl<'a> Reader<'a> {
    fn new(display: &'a str) -> Self {
        Self { display, problems: Diagnostics::default() }
    }

    /// What was read, unless something was wrong with it.
    fn finish<T>(mut self, text: &str, read: T) -> Result<T> {
        self.problems.add_lines(self.display, text);
        self.problems.finish(read)
    }
}

impl Reader<'_> {
    fn overlay(&mut self, at: At<'_>) -> Overlay {
        let mut overlay = Overlay::default();
        let known = [
            "title",
            "description",
            "operations",
            "messages",
            "answers",
            "constants",
            "errors",
            "enforcement",
            "guide",
        ];
        if !self.object(&at, "the overlay", &known) {
            return overlay;
        }
        overlay.title = self.optional_text(&at, "title");
        overlay.description = self.optional_text(&at, "description");
        for item in self.list(&at, "operations") {
            overlay.operations.extend(self.operations(&item));
        }
        for item in self.list(&at, "messages") {
            overlay.messages.extend(self.message(&item));
        }
        overlay.answers = self.texts(&at, "answers");
        for item in self.list(&at, "constants") {
            overlay.constants.extend(self.constant(&item));
        }
        for item in self.list(&at, "errors") {
            overlay.errors.extend(self.error(&item));
        }
        for item in self.list(&at, "enforcement") {
            overlay.enforcement.extend(self.enforcement(&item).map(|said| (said, self.place(&item))));
        }
        overlay.guide = at.get("guide").map(|at| (self.guide(&at), self.place(&at)));
        self.check_names(&at, "constants", overlay.constants.iter().map(|constant| constant.rust.as_str()));
        self.check_names(&at, "errors", overlay.errors.iter().map(|error| error.rust.as_str()));
        overlay
    }

    /// An operation, once for each file that it is about.
    fn operations(&mut self, at: &At<'_>) -> Vec<Operation> {
        let known = ["operation", "for", "file", "pointer", "value", "reason"];
        if !self.object(at, "an operation", &known) {
            return Vec::new();
        }
        let operation = self.text(at, "operation");
        let reading = at.get("for").map(|of| self.reading(&of));
        let files = self.files(at);
        let pointer = self.optional_text(at, "pointer").unwrap_or_default();
        let reason = self.text(at, "reason");
        let value = at.get("value").map(|value| value.node.clone());
        if !is_pointer(&pointer) {
            let message = format!("{} is no JSON pointer: it starts with /, and ~ is ~0", quoted(&pointer));
            self.problem_at(at, "pointer", message);
        }
        match (operation.as_deref(), &value) {
            (None, _) => {}
            (Some("add" | "replace"), None) => self.problem(at, "`value` is missing in an operation"),
            (Some("remove"), Some(_)) => self.problem_at(at, "value", "`remove` takes no `value`"),
            (Some("add" | "replace" | "remove"), _) => {}
            (Some(other), _) => {
                let message = format!("{} is no operation; expected add, replace or remove", quoted(other));
                self.problem_at(at, "operation", message);
            }
        }
        let (Some(operation), Some(reason)) = (operation, reason) else { return Vec::new() };
        let made = |(file, file_place)| Operation {
            operation: operation.clone(),
            file,
            pointer: pointer.clone(),
            value: value.clone(),
            reason: reason.clone(),
            reading: reading.unwrap_or(false),
            place: self.place(at),
            file_place,
            pointer_place: self.place(at.get("pointer").as_ref().unwrap_or(at)),
        };
        files.into_iter().map(made).collect()
    }

    /// Whether `for` says that an operation is for reading, which is all it can say.
    fn reading(&mut self, at: &At<'_>) -> bool {
        let reading = at.node.as_str() == Some("reading");
        if !reading {
            let message = format!("{} is nothing to be for; expected \"reading\", or no `for`", at.node);
            self.problem(at, message);
        }
        reading
    }

    /// What `file` names: one file, or several in a list.
    fn files(&mut self, at: &At<'_>) -> Vec<(String, Place)> {
        let Some(file) = at.get("file").filter(|file| matches!(file.node.value, Json::Array(_))) else {
            let file = self.text(at, "file");
            return file
                .into_iter()
                .map(|file| (file, self.place(&at.get("file").unwrap_or(at.clone()))))
                .collect();
        };
        if file.node.items().is_empty() {
            self.problem(&file, "`file` names no file");
        }
        let mut files = Vec::new();
        for item in file.items() {
            match item.node.as_str() {
                Some(file) => files.push((file.to_owned(), self.place(&item))),
                None => {
                    let message =
                        format!("`file` is a string or a list of strings, not of {}", item.node.kind());
                    self.problem(&item, message);
                }
            }
        }
        files
    }

    fn message(&mut self, at: &At<'_>) -> Option<MessageRule> {
        let known = ["kind", "direction", "files", "schema", "branches", "name", "directions"];
        if !self.object(at, "a message", &known) {
            return None;
        }
        let kind = self.kind(at);
        // It may be empty: some protocols do not say it.
        let direction = self.required(at, "direction").and_then(|_| self.optional_text(at, "direction"));
        let name = self.optional_text(at, "name");
        let directions = self.texts(at, "directions");
        let selects: Vec<Select> = [
            self.optional_text(at, "files").map(Select::Files),
            self.optional_text(at, "schema").map(Select::Schema),
            self.optional_text(at, "branches").map(Select::Branches),
        ]
        .into_iter()
        .flatten()
        .collect();
        let given = ["files", "schema", "branches"].iter().filter(|name| at.get(name).is_some()).count();
        if given != 1 {
            self.problem(at, "a message has exactly one of `files`, `schema` and `branches`");
        }
        let select = selects.into_iter().next()?;
        Some(MessageRule {
            kind: kind?,
            direction: direction?,
            select,
            name,
            directions,
            place: self.place(at),
        })
    }

    fn kind(&mut self, at: &At<'_>) -> Option<MessageKind> {
        match self.text(at, "kind")?.as_str() {
            "request" => Some(MessageKind::Request),
            "response" => Some(MessageKind::Response),
            "event" => Some(MessageKind::Event),
            "message" => Some(MessageKind::Message),
            other => {
                let message =
                    format!("{} is no kind; expected request, response, event or message", quoted(other));
                self.problem(&at.get("kind")?, message);
                None
            }
        }
    }

    fn constant(&mut self, at: &At<'_>) -> Option<Constant> {
        if !self.object(at, "a constant", &["name", "value", "description"]) {
            return None;
        }
        let rust = self.rust_name(at);
        let description = self.optional_text(at, "description");
        let value = self.required(at, "value").map(|value| value.node.clone());
        Some(Constant { rust: rust?.1, value: value?, description })
    }

    fn error(&mut self, at: &At<'_>) -> Option<ErrorCode> {
        if !self.object(at, "an error", &["name", "code", "last", "description", "retry"]) {
            return None;
        }
        let name = self.rust_name(at);
        let description = self.text(at, "description");
        let code = self.required(at, "code");
        let integer = code.as_ref().and_then(|code| integer(code.node));
        if let Some(code) = code.as_ref().filter(|code| integer.is_none() && code.node.as_str().is_none()) {
            self.problem(code, format!("`code` is an integer or a string, not {}", code.node));
        }
        let last = at.get("last").and_then(|last| {
            let number = integer_of(last.node, integer);
            if number.is_none() {
                self.problem(&last, format!("`last` is an integer from `code` up, not {}", last.node));
            }
            number
        });
        let retry = at.get("retry").and_then(|retry| self.retry(&retry));
        let (name, rust) = name?;
        Some(ErrorCode {
            rust,
            id: None,
            code: code?.node.clone(),
            name,
            description: description?,
            last,
            retry,
            sources: vec![self.display.to_owned()],
        })
    }

    fn retry(&mut self, at: &At<'_>) -> Option<Retry> {
        let known =
            [("never", Retry::Never), ("later", Retry::Later), ("then", Retry::Then), ("told", Retry::Told)];
        let found = known.iter().find(|(name, _)| at.node.as_str() == Some(name)).map(|(_, retry)| *retry);
        if found.is_none() {
            self.problem(at, format!("`retry` is one of never, later, then and told, not {}", at.node));
        }
        found
    }

    /// What becomes of a rule: it is enforced and tested, or advised.
    fn enforcement(&mut self, at: &At<'_>) -> Option<Enforcement> {
        if !self.object(at, "what becomes of a rule", &["id", "by", "test", "advice"]) {
            return None;
        }
        let id = self.text(at, "id");
        if at.get("advice").is_some() {
            if at.get("by").is_some() || at.get("test").is_some() {
                self.problem(at, "a rule is enforced `by` something and has a `test`, or it has an `advice`");
            }
            let by = self.text(at, "advice");
            return Some(Enforcement { id: id?, by: by?, test: None });
        }
        let (by, test) = (self.text(at, "by"), self.text(at, "test"));
        Some(Enforcement { id: id?, by: by?, test: Some(test?) })
    }

    /// The `name` of a constant or an error, and the Rust constant's name made from it.
    fn rust_name(&mut self, at: &At<'_>) -> Option<(String, String)> {
        let name = self.text(at, "name")?;
        let rust = Some(names::screaming(&name))
            .filter(|_| name.is_ascii() && name.starts_with(|first: char| first.is_ascii_alphabetic()));
        let Some(rust) = rust else {
            let message =
                format!("{} makes no Rust name: ASCII letters and digits, a letter first", quoted(&name));
            self.problem(&at.get("name")?, message);
            return None;
        };
        Some((name, rust))
    }

    /// Notes every second entry of a list that has the Rust name of one before.
    fn check_names<'n>(&mut self, at: &At<'_>, list: &str, names: impl Iterator<Item = &'n str>) {
        let mut seen = HashMap::new();
        for (index, name) in names.enumerate() {
            if let Some(first) = seen.insert(name, index) {
                let Some(entry) = at.get(list).and_then(|list| list.items().into_iter().nth(index)) else {
                    continue;
                };
                self.problem(&entry, format!("{name} is already the name of {list}/{first}"));
            }
        }
    }

    /// Whether a value is an object, and notes its unknown members.
    fn object(&mut self, at: &At<'_>, what: &str, known: &[&str]) -> bool {
        let Json::Object(members) = &at.node.value else {
            self.problem(at, format!("{what} is an object, not {}", at.node.kind()));
            return false;
        };
        for member in members.iter().filter(|member| !known.contains(&member.name.as_str())) {
            let place = Place {
                file: self.display.to_owned(),
                span: member.span,
                pointer: format!("#{}/{}", at.pointer, escape(&member.name)),
            };
            let message =
                format!("{} is no member of {what}; there are {}", quoted(&member.name), known.join(", "));
            self.problems.push(place, message);
        }
        true
    }

    fn required<'n>(&mut self, at: &At<'n>, name: &str) -> Option<At<'n>> {
        let found = at.get(name);
        if found.is_none() {
            self.problem(at, format!("`{name}` is missing"));
        }
        found
    }

    /// A text that must be there and must not be blank.
    fn text(&mut self, at: &At<'_>, name: &str) -> Option<String> {
        self.required(at, name)?;
        let text = self.optional_text(at, name)?;
        if text.trim().is_empty() {
            self.problem(&at.get(name)?, format!("`{name}` must not be empty"));
        }
        Some(text)
    }

    fn optional_text(&mut self, at: &At<'_>, name: &str) -> Option<String> {
        let found = at.get(name)?;
        let text = found.node.as_str().map(str::to_owned);
        if text.is_none() {
            self.problem(&found, format!("`{name}` is a string, not {}", found.node.kind()));
        }
        text
    }

    fn list<'n>(&mut self, at: &At<'n>, name: &str) -> Vec<At<'n>> {
        let Some(found) = at.get(name) else { return Vec::new() };
        if !matches!(found.node.value, Json::Array(_)) {
            self.problem(&found, format!("`{name}` is an array, not {}", found.node.kind()));
        }
        found.items()
    }

    /// An object of texts.
    fn texts(&mut self, at: &At<'_>, name: &str) -> Vec<Named> {
        let Some(found) = at.get(name) else { return Vec::new() };
        if !matches!(found.node.value, Json::Object(_)) {
            self.problem(&found, format!("`{name}` is an object of strings, not {}", found.node.kind()));
        }
        let mut texts = Vec::new();
        for (name, value) in found.members() {
            match value.node.as_str() {
                Some(text) => {
                    let place = self.place(&value);
                    texts.push(Named { name: name.to_owned(), text: text.to_owned(), place });
                }
                None => {
                    self.problem(&value, format!("{} is a string, not {}", quoted(name), value.node.kind()))
                }
            }
        }
        texts
    }

    fn place(&self, at: &At<'_>) -> Place {
        Place { file: self.display.to_owned(), span: at.node.span, pointer: format!("#{}", at.pointer) }
    }

    /// Notes a problem of the member `name`.
    fn problem_at(&mut self, at: &At<'_>, name: &str, message: impl Into<String>) {
        self.problem(at.get(name).as_ref().unwrap_or(at), message);
    }

    fn problem(&mut self, at: &At<'_>, message: impl Into<String>) {
        let place = self.place(at);
        self.problems.push(place, message);
    }
}

fn integer(node: &Node) -> Option<i64> {
    match &node.value {
        Json::Number(text) => text.parse().ok(),
        _ => None,
    }
}

/// The end of a range that starts at `first`.
fn integer_of(node: &Node, first: Option<i64>) -> Option<i64> {
    integer(node).filter(|last| first.is_some_and(|first| *last >= first))
}

fn is_pointer(text: &str) -> bool {
    let escapes = text.split('~').skip(1).all(|after| after.starts_with(['0', '1']));
    (text.is_empty() || text.starts_with('/')) && escapes
}
