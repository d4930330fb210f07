//! Reads the arguments of a call, and says everything that is wrong with them at once.

use crate::error::{Problem, ToolError};
use crate::function::Registered;
use crate::private::ArgumentRole;
use crate::schema::{self, compare};
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

/// What `#[tool]` knows of an argument beside its type.
pub struct Arg {
    /// Its name in JSON.
    pub name: &'static str,
    /// Other names under which it is read; agents do not see them.
    pub aliases: &'static [&'static str],
    /// What it means; may be empty.
    pub description: &'static str,
    /// Its value when it is not given.
    pub default: Option<fn() -> Value>,
    /// Least and greatest value.
    pub range: fn() -> (Option<Number>, Option<Number>),
    /// Least and greatest length: characters of a text, items of a list.
    pub length: (Option<u64>, Option<u64>),
    /// ECMA-262 pattern that must match somewhere.
    pub pattern: Option<&'static str>,
    /// Its 64-bit integers are JSON numbers, not strings.
    pub number: bool,
}

impl Arg {
    /// Adds what is known here to the schema of the type. What does not fit is told.
    pub(crate) fn schema(&self, mut of_type: Value, defects: &mut Vec<String>) -> Value {
        // Bridges read these themselves, as numbers.
        let is_timeout = matches!(self.name, "timeout" | "timeoutMs");
        if (self.number || is_timeout)
            && let Some(why) = schema::as_numbers(&mut of_type)
            && self.number
        {
            defects.push(format!("the argument `{}` has `number`, but {why}", self.name));
        }
        let mut schema = match of_type {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        if !self.description.is_empty() {
            schema.insert("description".to_owned(), Value::from(self.description));
        }
        let kinds = match schema.get("type") {
            Some(Value::Array(kinds)) => kinds.clone(),
            kind => kind.into_iter().cloned().collect(),
        };
        let is = |kind: &str| kinds.iter().any(|found| found == kind);
        if is_timeout && !is("integer") {
            let name = self.name;
            defects.push(format!("the argument `{name}` is no whole number, as bridges expect of that name"));
        }
        let mut bind = |given: &str, fits: bool, keyword: &str, bound: Value, looser: Ordering| {
            if !fits {
                let name = self.name;
                defects.push(format!("the argument `{name}` has `{given}`, which its type does not go with"));
            }
            // A bound of the type that is tighter stays.
            let is_tighter = |own: &Value| match (own, &bound) {
                (Value::Number(own), Value::Number(bound)) => compare(bound, own) == Some(looser),
                _ => false,
            };
            if !schema.get(keyword).is_some_and(is_tighter) {
                schema.insert(keyword.to_owned(), bound);
            }
        };
        let (least, greatest) = (self.range)();
        let is_number = is("integer") || is("number");
        if let Some(least) = least {
            bind("range", is_number, "minimum", Value::Number(least), Ordering::Less);
        }
        if let Some(greatest) = greatest {
            bind("range", is_number, "maximum", Value::Number(greatest), Ordering::Greater);
        }
        let (has_length, keywords) = if is("array") {
            (true, ["minItems", "maxItems"])
        } else {
            (is("string"), ["minLength", "maxLength"])
        };
        for ((keyword, bound), looser) in
            keywords.into_iter().zip([self.length.0, self.length.1]).zip([Ordering::Less, Ordering::Greater])
        {
            if let Some(bound) = bound {
                bind("len", has_length, keyword, Value::from(bound), looser);
            }
        }
        if let Some(pattern) = self.pattern {
            bind("pattern", is("string"), "pattern", Value::from(pattern), Ordering::Equal);
        }
        if let Some(default) = self.default {
            schema.insert("default".to_owned(), default());
        }
        Value::Object(schema)
    }
}

/// The arguments of a call while they are read.
pub struct Arguments<'a> {
    given: Map<String, Value>,
    tool: &'a Registered,
    names: Vec<&'a str>,
    problems: Vec<Problem>,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(given: Map<String, Value>, tool: &'a Registered) -> Self {
        Self { given, tool, names: Vec::new(), problems: Vec::new() }
    }

    /// Reads one argument. `None` notes a problem, so that [`Arguments::finish`] fails.
    pub fn read<R: ArgumentRole>(&mut self, role: &R, arg: &Arg) -> Option<R::Type> {
        self.names.push(arg.name);
        let given = self.take(arg);
        // Agents write null for what they leave out.
        let is_null = given.as_ref().is_some_and(Value::is_null);
        let given = given.filter(|_| !is_null || R::OPTIONAL || arg.default.is_none());
        let value = match (given, arg.default) {
            (Some(value), _) if is_null && R::OPTIONAL => value,
            (Some(mut value), _) => {
                let problems = self.tool.input.argument(arg.name, &mut value);
                if !problems.is_empty() {
                    self.problems.extend(problems);
                    return None;
                }
                value
            }
            // It was checked when the tool was registered.
            (None, Some(default)) => default(),
            (None, None) => {
                let absent = R::absent();
                if absent.is_none() {
                    self.note(pointer(arg.name), "is missing".to_owned());
                }
                return absent;
            }
        };
        match role.read(value) {
            Ok(value) => Some(value),
            Err(error) => {
                self.note(format!("{}{}", pointer(arg.name), error.pointer()), error.to_string());
                None
            }
        }
    }

    /// Reads an argument whose members stand beside the other arguments.
    pub fn read_flat<R: ArgumentRole>(&mut self, role: &R, arg: &Arg) -> Option<R::Type> {
        let tool = self.tool;
        let before = self.problems.len();
        let mut members = Map::new();
        for name in tool.members_of(arg.name) {
            self.names.push(name);
            match self.given.remove(name) {
                None if tool.requires(name) => self.note(pointer(name), "is missing".to_owned()),
                None => {}
                // Agents write null for what they leave out.
                Some(Value::Null) if !tool.requires(name) => {}
                Some(mut value) => {
                    self.problems.extend(tool.input.argument(name, &mut value));
                    members.insert(name.clone(), value);
                }
            }
        }
        if self.problems.len() > before {
            return None;
        }
        let read = role.read(Value::Object(members));
        read.map_err(|error| self.note(error.pointer().to_string(), error.to_string())).ok()
    }

    /// The value that is given, under whatever name.
    fn take(&mut self, arg: &Arg) -> Option<Value> {
        let mut found = self.given.remove(arg.name).map(|value| (arg.name, value));
        for alias in arg.aliases {
            match (self.given.remove(*alias), &found) {
                (Some(_), Some((name, _))) => {
                    let message = format!("is given twice, as `{name}` and as `{alias}`");
                    self.note(pointer(alias), message);
                }
                (Some(value), None) => found = Some((alias, value)),
                (None, _) => {}
            }
        }
        found.map(|(_, value)| value)
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// All problems, when there are any; members that no argument took are problems, unless the tool is
    /// lenient.
    pub fn finish(mut self) -> Result<(), ToolError> {
        let unknown =
            if self.tool.function.options.lenient { Map::new() } else { std::mem::take(&mut self.given) };
        for name in unknown.keys() {
            let message = schema::unknown("argument", name, self.names.iter().copied());
            self.note(pointer(name), message);
        }
        if self.problems.is_empty() { Ok(()) } else { Err(ToolError::invalid(self.problems)) }
    }

    fn note(&mut self, pointer: String, message: String) {
        self.problems.push(Problem { pointer, message });
    }
}

fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}
