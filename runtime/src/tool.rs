//! What is known of a tool.

use crate::error::ToolError;
use crate::private::{Context, Signature};
use crate::schema::{Check, Form, Patterns};
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
    /// The state it runs on; without one it runs on a worker.
    pub(crate) state: Option<State>,
    /// How its result is written.
    pub(crate) form: Form,
    pub(crate) patterns: Patterns,
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

    /// Holds arguments to the schema.
    pub(crate) fn check(&self) -> Check<'_> {
        Check::new(&self.input_schema, &self.patterns)
    }

    /// Defaults that the schema does not accept.
    pub(crate) fn wrong_defaults(&self) -> Vec<String> {
        let properties = self.input_schema.get("properties").and_then(Value::as_object);
        let mut wrong = Vec::new();
        for (name, property) in properties.into_iter().flatten() {
            // Null stands for an optional argument that is not given.
            let Some(default) = property.get("default").filter(|default| !default.is_null()) else {
                continue;
            };
            for problem in self.check().argument(name, &mut default.clone()) {
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
