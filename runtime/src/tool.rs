//! What is known of a tool beside its function.

use crate::function::{Entry, Function, Options, Place};
use serde_json::{Map, Value, json};
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

/// A tool as `#[tool]` registers it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Tool {
    pub function: Function,
    /// `None`: made from the name.
    pub title: Option<&'static str>,
    pub class: Class,
    pub tags: &'static [&'static str],
    pub deprecated: bool,
    pub version: Option<&'static str>,
}

inventory::collect!(Tool);

impl Entry<Tool> {
    pub(crate) fn title(&self) -> String {
        self.declared.title.map_or_else(|| title(self.declared.function.name), str::to_owned)
    }

    /// What a manifest says of it beside what GABP's tool object can.
    pub(crate) fn annotations(&self) -> Map<String, Value> {
        let Options { lenient, requires, limits, timeout, read_only, destructive, idempotent, .. } =
            self.declared.function.options;
        let thread = match self.function.place() {
            Place::Game => "game",
            Place::Worker => "worker",
            Place::Runtime => "async",
        };
        let mut said = Map::new();
        said.insert("class".to_owned(), Value::from(self.declared.class.as_str()));
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
        said
    }
}

/// `world/spawn_orc` becomes `World: spawn orc`.
pub(crate) fn title(name: &str) -> String {
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
