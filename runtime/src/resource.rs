//! What a game shows under URIs.

use crate::call::{Caller, Course};
use crate::dispatch::Core;
use crate::error::{Problem, ToolError, ToolErrorKind};
use crate::function::{Entry, Function};
use crate::registry::nearest;
use crate::schema::{At, Form, shown};
use percent_encoding::percent_decode_str;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::any::Any;
use std::sync::Arc;
use tokio::runtime::Handle;

/// A resource as `#[resource]` registers it. The name of its function is the URI as it is written.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Resource {
    pub function: Function,
    /// `None`: made from the path.
    pub title: Option<&'static str>,
    /// `None`: as its content says.
    pub mime: Option<&'static str>,
    /// Scheme and namespace: `gabp://game`.
    pub base: &'static str,
    pub path: &'static [Segment],
    /// Arguments that stand in the query.
    pub query: &'static [&'static str],
}

/// What stands between two slashes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Segment {
    Literal(&'static str),
    /// An argument.
    Variable(&'static str),
}

inventory::collect!(Resource);

/// What a resource holds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Content {
    /// JSON, or a string: the text, or bytes in base64.
    pub value: Value,
    /// What `value` is.
    pub encoding: Encoding,
    /// Its media type: `application/json`.
    pub mime: String,
}

/// How [`Content`] stands in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Json,
    /// As the text that it is.
    Text,
    /// Bytes, in base64.
    Base64,
}

/// A part of a list, and where the rest is.
///
/// A resource with the query `{?limit,offset}` returns one:
///
/// ```standalone_crate
/// use ludwire::{Host, Page, resource};
///
/// struct World { orcs: Vec<String> }
///
/// /// The orcs, by name.
/// #[resource("gabp://game/orcs{?limit,offset}")]
/// fn orcs(
///     world: &World,
///     /// At most so many.
///     #[arg(default = 50, range = 1..=500)] limit: usize,
///     /// So many are skipped.
///     #[arg(default = 0)] offset: usize,
/// ) -> Page<String> {
///     Page::of(world.orcs.iter().cloned(), limit, offset)
/// }
///
/// let host = Host::builder("Orcs", "1").tools(ludwire::registered::<World>()).build()?;
/// let mut world = World { orcs: vec!["Ada".into(), "Bob".into(), "Cy".into()] };
/// let page = host.read_resource(&mut world, "gabp://game/orcs?limit=2")?.value;
/// assert_eq!(page, serde_json::json!({ "items": ["Ada", "Bob"], "total": 3, "next": 2 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Page<T> {
    /// Those that were asked for.
    pub items: Vec<T>,
    /// How many there are in all.
    pub total: usize,
    /// The offset of the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
}

impl<T> Page<T> {
    /// At most `limit` of all items, from `offset` on.
    pub fn of(all: impl IntoIterator<Item = T>, limit: usize, offset: usize) -> Self {
        let mut items = Vec::new();
        let mut total = 0;
        for (index, item) in all.into_iter().enumerate() {
            total += 1;
            if index >= offset && items.len() < limit {
                items.push(item);
            }
        }
        let end = offset.saturating_add(items.len());
        Self { next: (end < total && !items.is_empty()).then_some(end), items, total }
    }
}

impl Resource {
    /// The URI with all variables alike: what two resources cannot share.
    pub(crate) fn shape(&self) -> String {
        let segment = |segment: &Segment| match segment {
            Segment::Literal(text) => format!("/{text}"),
            Segment::Variable(_) => "/{}".to_owned(),
        };
        self.base.chars().chain(self.path.iter().map(segment).collect::<String>().chars()).collect()
    }

    /// Whether its path is one, not many.
    pub(crate) fn is_concrete(&self) -> bool {
        self.path.iter().all(|segment| matches!(segment, Segment::Literal(_)))
    }

    /// The arguments as texts, when the URI is one of this resource's.
    fn take(&self, uri: &str) -> Option<Result<Map<String, Value>, Vec<Problem>>> {
        let uri = uri.split('#').next().unwrap_or_default();
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        let path = path.strip_prefix(self.base)?.strip_prefix('/')?;
        let mut arguments = Map::new();
        let mut given = path.split('/');
        for segment in self.path {
            let text = percent_decode_str(given.next()?).decode_utf8().ok()?;
            match segment {
                Segment::Literal(literal) if *literal == text => {}
                Segment::Variable(name) if !text.is_empty() => {
                    arguments.insert((*name).to_owned(), Value::from(text));
                }
                _ => return None,
            }
        }
        if given.next().is_some() {
            return None;
        }
        let mut problems = Vec::new();
        for member in query.split('&').filter(|member| !member.is_empty()) {
            let (name, text) = member.split_once('=').unwrap_or((member, ""));
            let decoded = |text| percent_decode_str(text).decode_utf8().ok();
            let message = match (decoded(name), decoded(text)) {
                (Some(name), _) if !self.query.contains(&&*name) => {
                    let known = match self.query {
                        [] => "this resource has no query".to_owned(),
                        names => format!("expected one of `{}`", names.join("`, `")),
                    };
                    format!("unknown member of the query, {known}")
                }
                (Some(name), Some(text)) => match arguments.insert(name.into_owned(), Value::from(text)) {
                    None => continue,
                    Some(_) => "is given twice".to_owned(),
                },
                _ => "is no UTF-8 behind its percent signs".to_owned(),
            };
            problems.push(At::Member(&At::Root, name).problem(message));
        }
        Some(if problems.is_empty() { Ok(arguments) } else { Err(problems) })
    }
}

impl Entry<Resource> {
    /// What it is called.
    pub(crate) fn title(&self) -> String {
        self.declared.title.map_or_else(
            || {
                let literals = self.declared.path.iter().filter_map(|segment| match segment {
                    Segment::Literal(text) => Some(*text),
                    Segment::Variable(_) => None,
                });
                crate::tool::title(&literals.collect::<Vec<_>>().join("/"))
            },
            str::to_owned,
        )
    }

    fn encoding(&self) -> Encoding {
        match self.function.form {
            Form::Text => Encoding::Text,
            Form::Base64 => Encoding::Base64,
            _ => Encoding::Json,
        }
    }

    pub(crate) fn mime(&self) -> &'static str {
        self.declared.mime.unwrap_or_else(|| match self.encoding() {
            Encoding::Json => "application/json",
            Encoding::Text => "text/plain",
            Encoding::Base64 => "application/octet-stream",
        })
    }

    /// As a manifest has it.
    pub(crate) fn described(&self) -> Value {
        let mut described = json!({
            "uri": self.declared.function.name,
            "name": self.title(),
            "description": self.declared.function.description,
            "mimeType": self.mime(),
            "arguments": self.function.input_schema,
        });
        if self.encoding() == Encoding::Json {
            described["schema"] = self.function.output_schema.clone();
        }
        if self.is_paged() {
            described["paged"] = Value::Bool(true);
        }
        described
    }

    /// It is a [`Page`], whose URI says of which part.
    fn is_paged(&self) -> bool {
        let has = |name: &str| self.function.output_schema["properties"].get(name).is_some();
        ["limit", "offset"].iter().all(|name| self.declared.query.contains(name))
            && ["items", "total", "next"].iter().all(|name| has(name))
    }

    /// Arguments that are no variables, and the reverse: what is flattened is known now only; and
    /// arguments that have no text.
    pub(crate) fn defects(&self) -> Vec<String> {
        let properties = self.function.input_schema.get("properties").and_then(Value::as_object);
        let properties = || properties.into_iter().flatten();
        let in_path = self.declared.path.iter().filter_map(|segment| match segment {
            Segment::Variable(name) => Some(*name),
            Segment::Literal(_) => None,
        });
        let variables: Vec<&str> = in_path.chain(self.declared.query.iter().copied()).collect();
        let mut defects = Vec::new();
        for name in variables.iter().filter(|name| properties().all(|(own, _)| own != *name)) {
            defects.push(format!("the variable `{name}` of its URI is no argument"));
        }
        for (name, schema) in properties() {
            if !variables.contains(&name.as_str()) {
                defects.push(format!("its URI does not name the argument `{name}`"));
            }
            if !kinds(schema).any(|kind| matches!(kind, "string" | "integer" | "number" | "boolean")) {
                defects.push(format!(
                    "the argument `{name}` stands in a URI, and its type has no text: take a number, a text, a `bool` \
                     or an enum without fields"
                ));
            }
        }
        defects
    }

    /// Gives texts the kinds that the arguments have. What is none of a kind stays a text, of which the
    /// reader of arguments says what is wrong.
    fn read(&self, arguments: Map<String, Value>) -> Map<String, Value> {
        let read = |(name, text): (String, Value)| {
            let schema = self.function.input_schema.get("properties").and_then(|all| all.get(&name));
            let value = match (&text, schema) {
                (Value::String(text), Some(schema)) => from_text(schema, text),
                _ => None,
            };
            (name, value.unwrap_or(text))
        };
        arguments.into_iter().map(read).collect()
    }

    fn content(&self, value: Value) -> Content {
        Content { value, encoding: self.encoding(), mime: self.mime().to_owned() }
    }
}

/// A text as the value that it stands for, where the schema wants no text.
pub(crate) fn from_text(schema: &Value, text: &str) -> Option<Value> {
    let is = |wanted: &str| kinds(schema).any(|kind| kind == wanted);
    if is("string") {
        return None;
    }
    // White space may stand around JSON, and is no part of a number.
    let number = || serde_json::from_str(text).ok().filter(|_| text.trim_ascii() == text).map(Value::Number);
    match text {
        "true" | "false" if is("boolean") => Some(Value::Bool(text == "true")),
        _ if is("integer") || is("number") => number(),
        _ => None,
    }
}

pub(crate) fn kinds(schema: &Value) -> impl Iterator<Item = &str> {
    let (one, many) = match schema.get("type") {
        Some(Value::Array(kinds)) => (None, Some(kinds)),
        kind => (kind, None),
    };
    one.into_iter().chain(many.into_iter().flatten()).filter_map(Value::as_str)
}

/// A resource, and the arguments that a URI of it has.
type Found = (Arc<Entry<Resource>>, Map<String, Value>);

/// The resource of a URI. A literal segment goes before a variable, so that `units/all` beside
/// `units/{id}` is what it says.
pub(crate) fn find(resources: &[Arc<Entry<Resource>>], uri: &str) -> Result<Found, ToolError> {
    let fitting = resources.iter().filter_map(|entry| Some((entry, entry.declared.take(uri)?)));
    match fitting.min_by_key(|(entry, _)| entry.declared.path) {
        Some((entry, Ok(arguments))) => Ok((Arc::clone(entry), entry.read(arguments))),
        Some((_, Err(problems))) => Err(ToolError::invalid(problems)),
        None => {
            let near = nearest(uri, resources.iter().map(|entry| entry.declared.function.name));
            let hint = near.map_or_else(
                || "the list of resources gives the URIs".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            let text = format!("there is no resource `{}`; {hint}", shown(uri));
            Err(ToolError::new(ToolErrorKind::NotFound, text))
        }
    }
}

impl Core {
    /// Reads a resource for a peer.
    pub(crate) async fn read(self: &Arc<Self>, uri: &str, caller: Caller) -> Result<Content, ToolError> {
        let (entry, arguments) = find(&self.registry.resources(), uri)?;
        let course = Arc::new(Course::new());
        self.run(&entry.function, arguments.into(), caller, course).await.map(|value| entry.content(value))
    }

    /// Reads a resource at once.
    pub(crate) fn read_here(
        self: &Arc<Self>,
        state: &mut dyn Any,
        uri: &str,
        runtime: impl FnOnce() -> Result<Handle, ToolError>,
    ) -> Result<Content, ToolError> {
        let (entry, arguments) = find(&self.registry.resources(), uri)?;
        self.run_here(&entry.function, state, arguments.into(), runtime).map(|value| entry.content(value))
    }
}

#[cfg(test)]
mod tests {
    use super::Page;

    #[test]
    fn pages() {
        let page = |limit, offset| {
            let page = Page::of(0..5, limit, offset);
            (page.items, page.total, page.next)
        };
        assert_eq!(page(2, 0), (vec![0, 1], 5, Some(2)));
        assert_eq!(page(2, 3), (vec![3, 4], 5, None));
        assert_eq!(page(9, 0), (vec![0, 1, 2, 3, 4], 5, None));
        assert_eq!(page(0, 0), (vec![], 5, None));
        assert_eq!(page(2, 7), (vec![], 5, None));
        assert_eq!(page(2, usize::MAX), (vec![], 5, None));
    }
}
