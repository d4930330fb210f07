//! What a game says of itself, as `Host::manifest()` has it or as a client has put it together.

use crate::diagnostics::{Diagnostics, Place, Result};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The form of a manifest that is read here.
pub const FORMAT: &str = "ludwire-manifest/1";

/// A manifest, read.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    pub(super) name: String,
    pub(super) version: String,
    /// The protocol over which all this was told; empty where the host itself has.
    pub(super) told_by: String,
    /// How long a peer waits for a tool that does not say so itself.
    pub(super) timeout: Option<Value>,
    pub(super) tools: Vec<Tool>,
    pub(super) events: Vec<Event>,
    pub(super) resources: Vec<Resource>,
    pub(super) states: Vec<State>,
    pub(super) observation: Option<Value>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: String,
    /// `sensor`, `actuator` or `generator`; empty where it is not known.
    pub(super) class: String,
    pub(super) tags: Vec<String>,
    pub(super) deprecated: bool,
    pub(super) version: String,
    pub(super) input: Option<Value>,
    pub(super) output: Option<Value>,
    pub(super) names: Names,
    pub(super) notes: Map<String, Value>,
}

/// What a tool is called where it is called so.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) gabp: Option<String>,
    pub(super) aicc: Option<String>,
    pub(super) ai_control: Option<String>,
    pub(super) rust: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Event {
    pub(super) channel: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) schema: Option<Value>,
    /// What AICC's agents subscribe to for it.
    pub(super) topic: String,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Resource {
    pub(super) uri: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) mime: String,
    pub(super) arguments: Option<Value>,
    pub(super) schema: Option<Value>,
    pub(super) paged: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) schema: Option<Value>,
    pub(super) writable: bool,
    /// `required` or `optional` where each player has an own one.
    pub(super) player: String,
    pub(super) write: Option<Value>,
}

impl Names {
    /// How `ludwire-agent` calls it: its option for the protocol, and the name there.
    pub(super) fn agent(&self) -> Option<(Option<&'static str>, &str)> {
        let gabp = self.gabp.as_deref().map(|name| (None, name));
        let aicc = self.aicc.as_deref().map(|name| (Some("aicc"), name));
        gabp.or(aicc).or_else(|| Some((Some("aicontrol"), self.ai_control.as_deref()?)))
    }
}

impl Manifest {
    /// Reads a manifest; `file` is its name in diagnostics.
    ///
    /// # Errors
    ///
    /// Everything that makes it none, each with a JSON pointer.
    pub fn of(value: &Value, file: &str) -> Result<Self> {
        let mut reader = Reader { file, problems: Diagnostics::default() };
        let manifest = reader.manifest(value);
        reader.problems.finish(manifest)
    }
}

struct Reader<'a> {
    file: &'a str,
    problems: Diagnostics,
}

impl Reader<'_> {
    fn manifest(&mut self, value: &Value) -> Manifest {
        let Some(members) =
            value.as_object().filter(|members| members.get("format").is_some_and(|format| format == FORMAT))
        else {
            self.wrong(
                "",
                &format!("this is no manifest of a game: it has no \"format\": {FORMAT:?}, as what `host.manifest()` gives has"),
            );
            return Manifest::default();
        };
        let at = "";
        let mut manifest = Manifest {
            name: self.name(members, at, "name"),
            version: self.text(members, at, "version"),
            told_by: self.text(members, at, "toldBy"),
            timeout: members.get("timeoutSeconds").filter(|timeout| timeout.is_number()).cloned(),
            observation: self.schema(members, at, "observation"),
            ..Manifest::default()
        };
        let nothing = Map::new();
        let annotations = members.get("annotations").and_then(Value::as_object).unwrap_or(&nothing);
        manifest.tools = self.list(members, "tools", "name", |reader, at, tool| {
            let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
            let notes = annotations.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
            reader.tool(at, tool, notes, &manifest.told_by)
        });
        manifest.events = self.list(members, "events", "channel", |reader, at, event| Event {
            channel: reader.name(event, at, "channel"),
            title: reader.text(event, at, "title"),
            description: reader.text(event, at, "description"),
            schema: reader.schema(event, at, "schema"),
            topic: reader.text(event, at, "topic"),
        });
        manifest.resources = self.list(members, "resources", "uri", |reader, at, resource| Resource {
            uri: reader.name(resource, at, "uri"),
            name: reader.text(resource, at, "name"),
            description: reader.text(resource, at, "description"),
            mime: reader.text(resource, at, "mimeType"),
            arguments: reader.schema(resource, at, "arguments"),
            schema: reader.schema(resource, at, "schema"),
            paged: resource.get("paged") == Some(&Value::Bool(true)),
        });
        manifest.states = self.list(members, "state", "name", |reader, at, state| State {
            name: reader.name(state, at, "name"),
            description: reader.text(state, at, "description"),
            schema: reader.schema(state, at, "schema"),
            writable: state.get("writable") == Some(&Value::Bool(true)),
            player: reader.text(state, at, "player"),
            write: reader.schema(state, at, "writeSchema"),
        });
        manifest
    }

    fn tool(
        &mut self,
        at: &str,
        tool: &Map<String, Value>,
        notes: Map<String, Value>,
        told_by: &str,
    ) -> Tool {
        let mut tags = Vec::new();
        for tag in self.array(tool, at, "tags") {
            match tag {
                Value::String(tag) if !tags.contains(tag) => tags.push(tag.clone()),
                Value::String(_) => {}
                _ => self.wrong(&format!("{at}/tags"), "tags are texts"),
            }
        }
        let name = self.name(tool, at, "name");
        let known = ["sensor", "actuator", "generator"];
        let said = notes.get("class").and_then(Value::as_str).filter(|class| known.contains(class));
        let tagged = || tags.iter().map(String::as_str).rev().find(|tag| known.contains(tag));
        let class = said.or_else(tagged).unwrap_or_default().to_owned();
        tags.retain(|tag| *tag != class);
        tags.sort();
        Tool {
            title: self.text(tool, at, "title"),
            description: self.text(tool, at, "description"),
            deprecated: tool.get("deprecated") == Some(&Value::Bool(true)),
            version: self.text(tool, at, "version"),
            input: self.schema(tool, at, "inputSchema"),
            output: self.schema(tool, at, "outputSchema"),
            names: names(&name, &notes, told_by),
            name,
            class,
            tags,
            notes,
        }
    }

    /// The entries of a list, sorted by the member that names them.
    fn list<T>(
        &mut self,
        members: &Map<String, Value>,
        list: &str,
        key: &str,
        mut entry: impl FnMut(&mut Self, &str, &Map<String, Value>) -> T,
    ) -> Vec<T> {
        let mut seen = BTreeSet::new();
        let mut entries = Vec::new();
        for (index, value) in self.array(members, "", list).iter().enumerate() {
            let at = format!("/{list}/{index}");
            let Some(value) = value.as_object() else {
                self.wrong(&at, "this must be an object");
                continue;
            };
            let name = value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            entries.push((name.clone(), entry(self, &at, value)));
            if !name.is_empty() && !seen.insert(name.clone()) {
                self.wrong(&format!("{at}/{key}"), &format!("{name:?} stands twice in the list"));
            }
        }
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        entries.into_iter().map(|(_, entry)| entry).collect()
    }

    fn array<'v>(&mut self, members: &'v Map<String, Value>, at: &str, name: &str) -> &'v [Value] {
        match members.get(name) {
            None | Some(Value::Null) => &[],
            Some(Value::Array(items)) => items,
            Some(_) => {
                self.wrong(&format!("{at}/{name}"), "this must be a list");
                &[]
            }
        }
    }

    fn name(&mut self, members: &Map<String, Value>, at: &str, name: &str) -> String {
        let text = self.text(members, at, name);
        if text.trim().is_empty() {
            let at = if members.contains_key(name) { format!("{at}/{name}") } else { at.to_owned() };
            self.wrong(&at, &format!("the member `{name}` must be there, and no empty text"));
        } else if super::file_name(&text).len() > LONGEST {
            self.wrong(
                &format!("{at}/{name}"),
                &format!("a name of {} bytes is too long for a page", text.len()),
            );
        }
        text
    }

    fn text(&mut self, members: &Map<String, Value>, at: &str, name: &str) -> String {
        match members.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(_) => {
                self.wrong(&format!("{at}/{name}"), "this must be a text");
                String::new()
            }
        }
    }

    fn schema(&mut self, members: &Map<String, Value>, at: &str, name: &str) -> Option<Value> {
        match members.get(name) {
            None | Some(Value::Null) => None,
            Some(schema @ (Value::Object(_) | Value::Bool(_))) => Some(schema.clone()),
            Some(_) => {
                self.wrong(&format!("{at}/{name}"), "this must be a JSON Schema, an object or a boolean");
                None
            }
        }
    }

    fn wrong(&mut self, pointer: &str, message: &str) {
        let pointer = if pointer.is_empty() { String::new() } else { format!("#{pointer}") };
        self.problems.push(Place { file: self.file.to_owned(), pointer, ..Place::default() }, message);
    }
}

/// Names of files have an end.
const LONGEST: usize = 200;

/// What a tool is called over each protocol: as it says, else as this runtime makes it, where it was not told
/// by a protocol, which has its own name only.
fn names(name: &str, notes: &Map<String, Value>, told_by: &str) -> Names {
    let said = |protocol: &str| {
        notes.get("names").and_then(|names| names.get(protocol)?.as_str()).map(str::to_owned)
    };
    let is_gabp = |name: &String| {
        let is_segment = |segment: &str| {
            segment.starts_with(|c: char| c.is_ascii_lowercase())
                && segment.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-".contains(c))
        };
        name.contains('/') && name.split('/').all(is_segment)
    };
    let is_flat = |name: &String| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    let own = || Some(name.to_owned());
    match told_by {
        "aicc" => Names { aicc: own().filter(is_flat), ..Names::default() },
        "aicontrol" => Names { ai_control: own(), ..Names::default() },
        "gabp" => Names { gabp: own().filter(is_gabp), ..Names::default() },
        _ => Names {
            gabp: said("gabp").or_else(own).filter(is_gabp),
            aicc: said("aicc").or_else(|| Some(name.replace(['/', '-'], "_"))).filter(is_flat),
            ai_control: said("aicontrol").or_else(own),
            rust: own(),
        },
    }
}
