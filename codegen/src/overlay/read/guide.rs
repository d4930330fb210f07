//! Reads what an overlay says for the pages.

use super::{At, Reader, integer};
use crate::diagnostics::Result;
use crate::ir::{
    CodeUse, Example, Framed, Guide, Happening, Limit, MessageNote, NameRule, Question, Role, Situation,
    Step, Together, ToolNames, Topic, Transport,
};
use crate::json::{Json, Node, quoted};
use crate::load;

/// Reads the text of a file of examples; `display` is its name in diagnostics.
///
/// # Errors
///
/// A file that is no JSON; every member that is unknown, missing or of the wrong type, with its place.
pub(super) fn examples(display: &str, text: &str) -> Result<Vec<Example>> {
    let root = load::json(display, text)?;
    let mut reader = Reader::new(display);
    let at = At { node: &root, pointer: String::new() };
    if !matches!(root.value, Json::Array(_)) {
        reader.problem(&at, format!("the examples are an array, not {}", root.kind()));
    }
    let examples = at.items().iter().filter_map(|item| reader.example(item)).collect();
    reader.finish(text, examples)
}

/// Reads the text of what holds over all protocols; `display` is its file name in diagnostics.
///
/// # Errors
///
/// A text that is no JSON; every member that is unknown, missing or of the wrong type, with its place.
pub fn together(display: &str, text: &str) -> Result<Together> {
    let root = load::json(display, text)?;
    let mut reader = Reader::new(display);
    let together = reader.together(&At { node: &root, pointer: String::new() });
    reader.finish(text, together)
}

impl Reader<'_> {
    /// The member `guide` of an overlay.
    pub(super) fn guide(&mut self, at: &At<'_>) -> Guide {
        let known = [
            "for",
            "questions",
            "roles",
            "transports",
            "topics",
            "limits",
            "names",
            "tool_names",
            "always",
            "messages",
            "situations",
            "examples",
        ];
        if !self.object(at, "the guide", &known) {
            return Guide::default();
        }
        Guide {
            audience: self.text(at, "for").unwrap_or_default(),
            questions: self.each(at, "questions", "a question", &["ask", "answer", "see"], |reader, at| {
                let see = reader.optional_text(at, "see");
                Some(Question { ask: reader.text(at, "ask")?, answer: reader.text(at, "answer")?, see })
            }),
            roles: self.each(at, "roles", "a role", &["name", "text"], Self::role),
            transports: self.each(
                at,
                "transports",
                "a transport",
                &["name", "address", "token", "text"],
                |reader, at| {
                    Some(Transport {
                        name: reader.text(at, "name")?,
                        address: reader.text(at, "address")?,
                        token: reader.text(at, "token")?,
                        text: reader.text(at, "text")?,
                    })
                },
            ),
            topics: self.each(
                at,
                "topics",
                "a topic",
                &["id", "title", "text", "steps", "points", "sample", "framed"],
                Self::topic,
            ),
            limits: self.each(at, "limits", "a limit", &["what", "value", "text"], |reader, at| {
                Some(Limit {
                    what: reader.text(at, "what")?,
                    value: reader.text(at, "value")?,
                    text: reader.text(at, "text")?,
                })
            }),
            names: self.each(at, "names", "a name", &["what", "pattern", "example", "text"], |reader, at| {
                Some(NameRule {
                    what: reader.text(at, "what")?,
                    pattern: reader.text(at, "pattern")?,
                    example: reader.text(at, "example")?,
                    text: reader.optional_text(at, "text").unwrap_or_default(),
                })
            }),
            tool_names: at.get("tool_names").and_then(|at| self.tool_names(&at)),
            always: self.codes(at, "always"),
            notes: self.notes(at),
            situations: self
                .texts(at, "situations")
                .into_iter()
                .map(|named| Situation { id: named.name, is: named.text })
                .collect(),
            examples_file: self.optional_text(at, "examples"),
            examples: Vec::new(),
        }
    }

    fn role(&mut self, at: &At<'_>) -> Option<Role> {
        Some(Role { name: self.text(at, "name")?, text: self.text(at, "text")? })
    }

    fn topic(&mut self, at: &At<'_>) -> Option<Topic> {
        let framed = at.get("framed").and_then(|at| {
            if !self.object(&at, "a framed message", &["message", "before", "after"]) {
                return None;
            }
            Some(Framed {
                message: self.text(&at, "message")?,
                before: self.optional_text(&at, "before").unwrap_or_default(),
                after: self.optional_text(&at, "after").unwrap_or_default(),
            })
        });
        Some(Topic {
            id: self.text(at, "id")?,
            title: self.text(at, "title")?,
            text: self.strings(at, "text"),
            steps: self.each(at, "steps", "a step", &["message", "text"], |reader, at| {
                Some(Step { message: reader.optional_text(at, "message"), text: reader.text(at, "text")? })
            }),
            points: self.strings(at, "points"),
            sample: self.optional_text(at, "sample"),
            framed,
        })
    }

    fn tool_names(&mut self, at: &At<'_>) -> Option<ToolNames> {
        if !self.object(at, "names of tools", &["title", "replace", "pattern", "longest", "place"]) {
            return None;
        }
        let replaced = self.texts(at, "replace");
        let longest = at.get("longest").and_then(|longest| {
            let number = integer(longest.node).and_then(|number| u64::try_from(number).ok());
            if number.is_none() {
                self.problem(&longest, format!("`longest` is a number of bytes, not {}", longest.node));
            }
            number
        });
        Some(ToolNames {
            title: self.text(at, "title")?,
            replace: replaced.into_iter().map(|named| (named.name, named.text)).collect(),
            pattern: self.text(at, "pattern")?,
            longest,
            place: self.optional_text(at, "place").unwrap_or_default(),
        })
    }

    fn notes(&mut self, at: &At<'_>) -> Vec<MessageNote> {
        let Some(found) = at.get("messages") else { return Vec::new() };
        if !matches!(found.node.value, Json::Object(_)) {
            self.problem(&found, format!("`messages` is an object, not {}", found.node.kind()));
        }
        let mut notes = Vec::new();
        for (name, at) in found.members() {
            if self.object(&at, "what is said of a message", &["when", "answered_by", "errors", "causes"]) {
                let when = self.text(&at, "when").unwrap_or_default();
                let errors = self.codes(&at, "errors");
                let (answered_by, causes) = (self.strings(&at, "answered_by"), self.strings(&at, "causes"));
                notes.push(MessageNote { message: name.to_owned(), when, answered_by, errors, causes });
            }
        }
        notes
    }

    /// Codes, each as it is or with the words when it is given.
    fn codes(&mut self, at: &At<'_>, name: &str) -> Vec<CodeUse> {
        let items = self.list(at, name);
        let code = |node: &Node| match &node.value {
            Json::Number(_) => Some(node.to_string()),
            Json::String(text) => Some(text.clone()),
            _ => None,
        };
        let mut codes = Vec::new();
        for item in items {
            if let Some(code) = code(item.node) {
                codes.push(CodeUse { code, when: None });
            } else if self.object(&item, "the use of a code", &["code", "when"]) {
                let when = self.text(&item, "when");
                match item.node.get("code").and_then(code) {
                    Some(code) => codes.push(CodeUse { code, when }),
                    None => self.problem(&item, "`code` is an integer or a string, and must be there"),
                }
            }
        }
        codes
    }

    fn example(&mut self, at: &At<'_>) -> Option<Example> {
        if !self.object(at, "an example", &["of", "says", "message"]) {
            return None;
        }
        let (of, says) = (self.text(at, "of"), self.optional_text(at, "says"));
        let message = self.required(at, "message")?;
        if !matches!(message.node.value, Json::Object(_)) {
            self.problem(&message, format!("`message` is an object, not {}", message.node.kind()));
        }
        let place = self.place(at);
        Some(Example { of: of?, says, message: message.node.clone(), place })
    }

    fn together(&mut self, at: &At<'_>) -> Together {
        if !self.object(at, "the file", &["situations", "marks", "names", "meeting", "others"]) {
            return Together::default();
        }
        let mut meeting = Vec::new();
        for pair in self.list(at, "meeting") {
            match pair.node.items() {
                [one, other] => meeting.extend(one.as_str().zip(other.as_str())),
                _ => self.problem(&pair, "names that meet are two strings"),
            }
        }
        let others = self.list(at, "others");
        Together {
            situations: self.each(
                at,
                "situations",
                "a situation",
                &["id", "what", "advice"],
                |reader, at| {
                    Some(Happening {
                        id: reader.text(at, "id")?,
                        what: reader.text(at, "what")?,
                        advice: reader.text(at, "advice")?,
                    })
                },
            ),
            marks: self.each(at, "marks", "a mark", &["name", "text"], Self::role),
            names: self.strings(at, "names"),
            meeting: meeting.into_iter().map(|(one, other)| (one.to_owned(), other.to_owned())).collect(),
            others: others.iter().filter_map(|at| self.tool_names(at)).collect(),
        }
    }

    /// The objects of a list.
    fn each<T>(
        &mut self,
        at: &At<'_>,
        name: &str,
        what: &str,
        known: &[&str],
        read: impl Fn(&mut Self, &At<'_>) -> Option<T>,
    ) -> Vec<T> {
        let items = self.list(at, name);
        items.iter().filter_map(|at| self.object(at, what, known).then(|| read(self, at)).flatten()).collect()
    }

    /// The texts of a list.
    fn strings(&mut self, at: &At<'_>, name: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for item in self.list(at, name) {
            match item.node.as_str() {
                Some(text) => texts.push(text.to_owned()),
                None => {
                    let kind = item.node.kind();
                    self.problem(&item, format!("{} holds strings, not {kind}", quoted(name)));
                }
            }
        }
        texts
    }
}
