//! What is known of a tool.

use crate::arguments::Known;
use crate::error::ToolError;
use crate::private::{Context, Running, Signature};
use crate::schema::{self, Form, Held, Plan};
use serde_json::{Map, Value, json};
use std::any::TypeId;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a tool does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Class {
    /// It only looks.
    Sensor,
    /// It acts in the world, as a player could.
    #[default]
    Actuator,
    /// It makes things, as a designer could.
    Generator,
}

impl Class {
    /// The word for it in schemas and tags.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sensor => "sensor",
            Self::Actuator => "actuator",
            Self::Generator => "generator",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where a tool is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Source file, as the compiler names it.
    pub file: &'static str,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A tool as `#[tool]` registers it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Tool {
    pub name: &'static str,
    /// `None`: made from the name.
    pub title: Option<&'static str>,
    pub description: &'static str,
    pub class: Class,
    pub tags: &'static [&'static str],
    pub deprecated: bool,
    pub version: Option<&'static str>,
    pub location: Location,
    pub options: Options,
    /// Says what it takes and gives.
    pub signature: fn(&mut Signature),
    pub run: Run,
}

/// What only some tools say of themselves.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Options {
    /// Members of the arguments that it does not know are ignored.
    pub lenient: bool,
    /// Capabilities that a caller must have.
    pub requires: &'static [&'static str],
    /// How often it may be called.
    pub limits: Limits,
    /// How long a peer waits for it; `None`: as the host says.
    pub timeout: Option<Duration>,
    /// It runs on the game's thread though it takes no state.
    pub on_game: bool,
    /// What it does not change is the world.
    pub read_only: Option<bool>,
    /// What it does cannot be taken back.
    pub destructive: Option<bool>,
    /// Twice is as once.
    pub idempotent: Option<bool>,
    /// Arguments as they could be: a list.
    pub examples: Option<fn() -> Value>,
}

impl Options {
    pub const NONE: Self = Self {
        lenient: false,
        requires: &[],
        limits: Limits { per_minute: None, per_session: None },
        timeout: None,
        on_game: false,
        read_only: None,
        destructive: None,
        idempotent: None,
        examples: None,
    };
}

/// How often a tool may be called.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Limits {
    pub per_minute: Option<u32>,
    pub per_session: Option<u32>,
}

/// Reads the arguments, runs the function, writes its result.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum Run {
    Plain(for<'a> fn(&mut Context<'a>) -> Result<Value, ToolError>),
    /// Reads the arguments now, and the rest is a future.
    Async(for<'a> fn(&mut Context<'a>) -> Result<Running<'a>, ToolError>),
}

inventory::collect!(Tool);

impl Tool {
    /// The state it runs on.
    pub(crate) fn state(&self) -> Option<Kind> {
        let mut signature = Signature::of_state();
        (self.signature)(&mut signature);
        signature.state()
    }
}

/// A tool whose schemas have been made.
pub(crate) struct Registered {
    pub(crate) tool: Tool,
    pub(crate) title: String,
    pub(crate) input_schema: Value,
    pub(crate) output_schema: Value,
    pub(crate) input: Held,
    pub(crate) output: Held,
    pub(crate) output_plan: Option<Plan>,
    /// The names that its arguments have.
    pub(crate) known: Known,
    /// The state it runs on.
    pub(crate) state: Option<Kind>,
    /// What the host must hold for it.
    pub(crate) needs: Vec<Kind>,
    /// Arguments that are flattened, with their members.
    pub(crate) flat: Vec<(&'static str, Vec<String>)>,
    /// How its result is written.
    pub(crate) form: Form,
    /// What its schema does not tell.
    pub(crate) remarks: Vec<String>,
    /// What is wrong with it that the compiler could not see.
    pub(crate) defects: Vec<String>,
    /// Peers see it and may call it.
    pub(crate) enabled: AtomicBool,
}

/// Where a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the game's thread.
    Game,
    /// On a thread where it may block.
    Worker,
    /// On the async runtime.
    Runtime,
}

/// The type of a tool's state, or of what it needs of the host.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub id: TypeId,
    pub name: &'static str,
}

impl Kind {
    pub fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>(), name: std::any::type_name::<T>() }
    }
}

impl Registered {
    pub(crate) fn new(tool: Tool) -> Self {
        let title = tool.title.map_or_else(|| title(tool.name), str::to_owned);
        let mut signature = Signature::new();
        (tool.signature)(&mut signature);
        signature.registered(tool, title)
    }

    pub(crate) fn place(&self) -> Place {
        match self.tool.run {
            Run::Async(_) => Place::Runtime,
            Run::Plain(_) if self.state.is_some() || self.tool.options.on_game => Place::Game,
            Run::Plain(_) => Place::Worker,
        }
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled.load(Ordering::Relaxed)
    }

    /// What a manifest says of it beside what GABP's tool object can.
    pub(crate) fn annotations(&self) -> Value {
        let Options { lenient, requires, limits, timeout, read_only, destructive, idempotent, .. } =
            self.tool.options;
        let thread = match self.place() {
            Place::Game => "game",
            Place::Worker => "worker",
            Place::Runtime => "async",
        };
        let mut said = Map::new();
        said.insert("class".to_owned(), Value::from(self.tool.class.as_str()));
        said.insert("thread".to_owned(), Value::from(thread));
        let mut say = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                said.insert(key.to_owned(), value);
            }
        };
        say("lenient", lenient.then_some(Value::Bool(true)));
        say("requires", (!requires.is_empty()).then(|| json!(requires)));
        let limits = [("perMinute", limits.per_minute), ("perSession", limits.per_session)];
        let limits: Map<String, Value> = limits
            .into_iter()
            .filter_map(|(key, limit)| Some((key.to_owned(), Value::from(limit?))))
            .collect();
        say("limits", (!limits.is_empty()).then_some(Value::Object(limits)));
        say("timeoutSeconds", timeout.map(|timeout| Value::from(timeout.as_secs_f64())));
        say("readOnly", read_only.map(Value::Bool));
        say("destructive", destructive.map(Value::Bool));
        say("idempotent", idempotent.map(Value::Bool));
        Value::Object(said)
    }

    /// Tells the game's log what agents will miss.
    pub(crate) fn warn(&self) {
        let mut missed: Vec<String> =
            self.remarks.iter().map(|remark| format!("{remark}, and agents only see the schema")).collect();
        let silent = undescribed(&self.input_schema);
        if !silent.is_empty() {
            missed.push(format!("write a doc comment on `{}`", silent.join("`, `")));
        }
        let length = first_sentence(self.tool.description);
        if length > LONGEST_SENTENCE {
            missed.push(format!(
                "the first sentence has {length} bytes, of which agents that see many tools see {LONGEST_SENTENCE}"
            ));
        }
        if !missed.is_empty() {
            let (name, location) = (self.tool.name, self.tool.location);
            tracing::warn!("the tool `{name}` at {location}: {}", missed.join("; "));
        }
    }

    /// Holds a result to its schema, and writes large integers as peers read them.
    pub(crate) fn hold_result(&self, value: &mut Value) -> Result<(), ToolError> {
        let problems = self.output.result(self.output_plan.as_ref(), value);
        if problems.is_empty() {
            return Ok(());
        }
        let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Err(ToolError::internal(format!("the result is not what its schema says: {}", list.join("; "))))
    }

    /// The members of a flattened argument.
    pub(crate) fn members_of(&self, argument: &str) -> &[String] {
        self.flat.iter().find(|(name, _)| *name == argument).map_or(&[], |(_, members)| members)
    }

    /// Whether an argument must be given.
    pub(crate) fn requires(&self, argument: &str) -> bool {
        let required = self.input_schema.get("required").and_then(Value::as_array);
        required.into_iter().flatten().any(|name| name == argument)
    }

    /// Shows the examples in the schema. What the tool would not accept is told.
    pub(crate) fn add_examples(&mut self) -> Vec<String> {
        let Some(Value::Array(examples)) = self.tool.options.examples.map(|examples| examples()) else {
            return Vec::new();
        };
        let mut wrong = Vec::new();
        for (index, example) in examples.iter().enumerate() {
            let problems = match example {
                Value::Object(arguments) => self.problems(arguments),
                _ => vec!["must be an object, with a member for each argument".to_owned()],
            };
            wrong.extend(problems.into_iter().map(|problem| format!("the example {}: {problem}", index + 1)));
        }
        if let Value::Object(schema) = &mut self.input_schema {
            schema.insert("examples".to_owned(), Value::Array(examples));
        }
        wrong
    }

    fn problems(&self, arguments: &Map<String, Value>) -> Vec<String> {
        let properties = self.input_schema.get("properties").and_then(Value::as_object);
        let names = || properties.into_iter().flat_map(Map::keys).map(String::as_str);
        let missing = names().filter(|name| self.requires(name) && !arguments.contains_key(*name));
        let mut problems: Vec<String> = missing.map(|name| format!("/{name}: is missing")).collect();
        for (name, value) in arguments {
            if !names().any(|known| known == name) {
                if !self.tool.options.lenient {
                    problems.push(format!("/{name}: {}", schema::unknown("argument", name, names())));
                }
            } else if !value.is_null() || self.requires(name) {
                let found = self.input.argument(name, &mut value.clone());
                problems.extend(
                    found.into_iter().map(|problem| format!("{}: {}", problem.pointer, problem.message)),
                );
            }
        }
        problems
    }

    /// Defaults that the schema does not accept.
    pub(crate) fn wrong_defaults(&self, defaults: Vec<(&'static str, Value)>) -> Vec<String> {
        let mut wrong = Vec::new();
        // Null stands for an optional argument that is not given.
        for (name, mut default) in defaults.into_iter().filter(|(_, default)| !default.is_null()) {
            for problem in self.input.argument(name, &mut default) {
                wrong.push(format!("the default of the argument `{name}` {}", problem.message));
            }
        }
        wrong
    }
}

/// The longest first sentence of a description that all agents see whole, in bytes.
#[doc(hidden)]
pub const LONGEST_SENTENCE: usize = 137;

/// How many bytes the first sentence of a text has, which ends with a full stop or with the paragraph.
#[doc(hidden)]
pub const fn first_sentence(text: &str) -> usize {
    let text = text.as_bytes();
    let mut at = 0;
    while at < text.len() {
        let next = if at + 1 < text.len() { text[at + 1] } else { b' ' };
        match text[at] {
            b'.' | b'!' | b'?' if next.is_ascii_whitespace() => return at + 1,
            b'\n' if next == b'\n' => return at,
            _ => at += 1,
        }
    }
    text.len()
}

/// Arguments that nothing is said of.
fn undescribed(schema: &Value) -> Vec<&str> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let silent = properties.into_iter().flatten().filter(|(_, schema)| schema.get("description").is_none());
    silent.map(|(name, _)| name.as_str()).collect()
}

/// `world/spawn_orc` becomes `World: spawn orc`.
fn title(name: &str) -> String {
    let words = |segment: &str| segment.replace(['_', '-'], " ");
    let text = match name.split_once('/') {
        Some((first, rest)) => format!("{}: {}", words(first), words(rest).replace('/', " ")),
        None => words(name),
    };
    let mut chars = text.chars();
    chars.next().map_or(text.clone(), |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn first_sentences_end_where_they_end() {
        for (text, sentence) in [
            ("", ""),
            ("Looks", "Looks"),
            ("Looks. Then looks away.", "Looks."),
            ("Looks at 1.5 of it.\nOr more.", "Looks at 1.5 of it."),
            ("Looks\nagain\n\nMore.", "Looks\nagain"),
            ("Größe!", "Größe!"),
        ] {
            assert_eq!(&text[..super::first_sentence(text)], sentence);
        }
    }

    #[test]
    fn titles_come_from_names() {
        assert_eq!(super::title("world/spawn_orc"), "World: spawn orc");
        assert_eq!(super::title("a/b/c"), "A: b c");
    }
}
