//! A function that peers can have run: what its macro says of it, and what is made of that.

use crate::arguments::Known;
use crate::error::ToolError;
use crate::private::{Context, Running, Signature};
use crate::quick::Pace;
use crate::schema::{self, Form, Held, Plan, Way};
use crate::state::PLAYER;
use serde_json::{Map, Value};
use std::any::TypeId;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Where something is written.
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

/// A function as a macro registers it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Function {
    /// `world/spawn`, or whatever else it is known by.
    pub name: &'static str,
    pub description: &'static str,
    pub location: Location,
    pub options: Options,
    /// Schemas and state.
    pub signature: fn(&mut Signature),
    pub run: Run,
}

/// What only some functions say of themselves.
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

impl Function {
    /// The state it runs on.
    pub(crate) fn state(&self) -> Option<Kind> {
        let mut signature = Signature::of_state();
        (self.signature)(&mut signature);
        signature.state()
    }

    /// What tells it from all others. One literal in a macro can name several.
    pub(crate) fn identity(&self) -> (&'static str, usize) {
        (self.name, self.signature as usize)
    }
}

/// What a macro says of a function beside what it says of every function, and the function.
pub(crate) struct Entry<T> {
    pub(crate) declared: T,
    pub(crate) function: Arc<Registered>,
}

/// A function whose schemas have been made.
pub(crate) struct Registered {
    pub(crate) function: Function,
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
    /// How quick it has been.
    pub(crate) pace: Pace,
}

/// Where a function runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the game's thread.
    Game,
    /// On a thread where it may block.
    Worker,
    /// On the async runtime.
    Runtime,
}

/// The type of a function's state, or of what it needs of the host.
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
    pub(crate) fn new(function: Function) -> Self {
        let mut signature = Signature::new();
        (function.signature)(&mut signature);
        signature.registered(function)
    }

    pub(crate) fn place(&self) -> Place {
        match self.function.run {
            Run::Async(_) => Place::Runtime,
            Run::Plain(_) if self.state.is_some() || self.function.options.on_game => Place::Game,
            Run::Plain(_) => Place::Worker,
        }
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled.load(Ordering::Relaxed)
    }

    /// Tells the game's log what agents will miss.
    pub(crate) fn warn(&self, what: &str) {
        self.tell_missed(what, self.function.description, &[]);
    }

    /// The same of one that reads or sets a state: of what sets it, agents see the value only.
    pub(crate) fn warn_of_state(&self, writes: bool) {
        match writes {
            false => self.tell_missed("state", self.function.description, &[PLAYER]),
            true => self.tell_missed("function that sets the state", "", &[PLAYER]),
        }
    }

    fn tell_missed(&self, what: &str, description: &str, unseen: &[&str]) {
        let mut missed: Vec<String> =
            self.remarks.iter().map(|remark| format!("{remark}, and agents only see the schema")).collect();
        let mut silent = undescribed(&self.input_schema);
        silent.retain(|name| !unseen.contains(name));
        if !silent.is_empty() {
            missed.push(format!("write a doc comment on `{}`", silent.join("`, `")));
        }
        let length = first_sentence(description);
        if length > LONGEST_SENTENCE {
            missed.push(format!(
                "the first sentence has {length} bytes, of which agents that see many tools see {LONGEST_SENTENCE}"
            ));
        }
        if !missed.is_empty() {
            let (name, location) = (self.function.name, self.function.location);
            tracing::warn!("the {what} `{name}` at {location}: {}", missed.join("; "));
        }
    }

    /// Holds a result to its schema, and writes large integers as peers read them.
    pub(crate) fn hold_result(&self, value: &mut Value) -> Result<(), ToolError> {
        self.output.hold(self.output_plan.as_ref(), value).map_err(|problems| {
            ToolError::internal(format!("the result is not what its schema says: {problems}"))
        })
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
        let Some(Value::Array(examples)) = self.function.options.examples.map(|examples| examples()) else {
            return Vec::new();
        };
        let mut wrong = Vec::new();
        for (index, example) in examples.iter().enumerate() {
            let problems = match example {
                Value::Object(arguments) => self.problems(arguments),
                _ => vec!["must be an object, with a member for each argument".to_owned()],
            };
            if !problems.is_empty() {
                wrong.push(format!("the example {}: {}", index + 1, problems.join("; ")));
            }
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
                if !self.function.options.lenient {
                    problems.push(format!("/{name}: {}", schema::unknown("argument", name, names())));
                }
            } else if !value.is_null() || self.requires(name) {
                let found = self.input.argument(Way::In, name, &mut value.clone());
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
            for problem in self.input.argument(Way::In, name, &mut default) {
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
}
