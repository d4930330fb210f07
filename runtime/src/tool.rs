//! What is known of a tool.

use crate::error::ToolError;
use crate::private::{Context, Signature};
use crate::schema::{Form, Held};
use serde_json::Value;
use std::any::TypeId;
use std::fmt;

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
    /// Schemas and state.
    pub signature: fn() -> Signature,
    /// Reads the arguments, runs the function, writes its result.
    pub run: for<'a> fn(&mut Context<'a>) -> Result<Value, ToolError>,
}

inventory::collect!(Tool);

/// A tool whose schemas have been made.
pub(crate) struct Registered {
    pub(crate) tool: Tool,
    pub(crate) title: String,
    pub(crate) input_schema: Value,
    pub(crate) output_schema: Value,
    pub(crate) input: Held,
    pub(crate) output: Held,
    /// The state it runs on; without one it runs on a worker.
    pub(crate) state: Option<State>,
    /// How its result is written.
    pub(crate) form: Form,
    /// What is wrong with it that the compiler could not see.
    pub(crate) defects: Vec<String>,
}

/// The type of a tool's state.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub id: TypeId,
    pub name: &'static str,
}

impl Registered {
    pub(crate) fn new(tool: Tool) -> Self {
        let title = tool.title.map_or_else(|| title(tool.name), str::to_owned);
        (tool.signature)().registered(tool, title)
    }

    /// Holds a result to its schema, and writes large integers as peers read them.
    pub(crate) fn hold_result(&self, value: &mut Value) -> Result<(), ToolError> {
        let problems = self.output.result(value);
        if problems.is_empty() {
            return Ok(());
        }
        let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Err(ToolError::internal(format!("the result is not what its schema says: {}", list.join("; "))))
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
    fn titles_come_from_names() {
        assert_eq!(super::title("world/spawn_orc"), "World: spawn orc");
        assert_eq!(super::title("a/b/c"), "A: b c");
    }
}
