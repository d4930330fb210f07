//! The patterns in a schema, compiled once.

use regress::Regex;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The patterns of a schema, compiled.
#[derive(Debug, Default)]
pub(super) struct Patterns(HashMap<String, Regex>);

impl Patterns {
    /// Compiles what stands anywhere in a schema.
    pub(super) fn of(schema: &Value) -> Self {
        let mut found = Self::default();
        found.add(schema);
        found
    }

    fn add(&mut self, schema: &Value) {
        match schema {
            Value::Object(members) => {
                let keys = members.get("patternProperties").and_then(Value::as_object).into_iter();
                let patterns = keys.flat_map(Map::keys).map(String::as_str);
                for pattern in patterns.chain(members.get("pattern").and_then(Value::as_str)) {
                    // What is no pattern of ECMA-262 binds nothing.
                    if let Ok(regex) = Regex::with_flags(pattern, "u") {
                        self.0.insert(pattern.to_owned(), regex);
                    }
                }
                members.values().for_each(|child| self.add(child));
            }
            Value::Array(children) => children.iter().for_each(|child| self.add(child)),
            _ => {}
        }
    }

    pub(super) fn get(&self, pattern: &str) -> Option<&Regex> {
        self.0.get(pattern)
    }

    pub(super) fn matches(&self, pattern: &str, text: &str) -> bool {
        self.0.get(pattern).is_none_or(|regex| regex.find(text).is_some())
    }
}
