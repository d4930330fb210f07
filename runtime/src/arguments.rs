//! Reads the arguments of a call, and says everything that is wrong with them at once.

use crate::error::{Problem, ToolError};
use crate::private::ArgumentRole;
use crate::registry::nearest;
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

/// What `#[tool]` knows of an argument beside its type.
pub struct Arg {
    /// Its name in JSON.
    pub name: &'static str,
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
}

impl Arg {
    /// The schema of the argument, from that of its type; and whether it may be left out.
    pub(crate) fn schema(&self, of_type: Value) -> (Value, bool) {
        let mut schema = match of_type {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        if !self.description.is_empty() {
            schema.insert("description".to_owned(), Value::from(self.description));
        }
        let (least, greatest) = (self.range)();
        for (keyword, bound) in [("minimum", least), ("maximum", greatest)] {
            if let Some(bound) = bound {
                schema.insert(keyword.to_owned(), Value::Number(bound));
            }
        }
        let is_list = schema.get("type").is_some_and(|kind| kind == "array");
        let keywords = if is_list { ["minItems", "maxItems"] } else { ["minLength", "maxLength"] };
        for (keyword, bound) in keywords.into_iter().zip([self.length.0, self.length.1]) {
            if let Some(bound) = bound {
                schema.insert(keyword.to_owned(), Value::from(bound));
            }
        }
        if let Some(pattern) = self.pattern {
            schema.insert("pattern".to_owned(), Value::from(pattern));
        }
        if let Some(default) = self.default {
            schema.insert("default".to_owned(), default());
        }
        (Value::Object(schema), self.default.is_some())
    }

    /// What a value breaks.
    fn problem(&self, value: &Value) -> Option<String> {
        if let Value::Number(number) = value {
            let (least, greatest) = (self.range)();
            if let Some(least) = least.filter(|least| compare(number, least) == Some(Ordering::Less)) {
                return Some(format!("must be at least {least}, found {number}"));
            }
            if let Some(greatest) =
                greatest.filter(|greatest| compare(number, greatest) == Some(Ordering::Greater))
            {
                return Some(format!("must be at most {greatest}, found {number}"));
            }
        }
        let (length, unit) = match value {
            Value::String(text) => (text.chars().count() as u64, "characters"),
            Value::Array(items) => (items.len() as u64, "items"),
            _ => return None,
        };
        if let Some(least) = self.length.0.filter(|least| length < *least) {
            return Some(format!("must have at least {least} {unit}, has {length}"));
        }
        if let Some(greatest) = self.length.1.filter(|greatest| length > *greatest) {
            return Some(format!("must have at most {greatest} {unit}, has {length}"));
        }
        match (self.pattern, value) {
            (Some(pattern), Value::String(text)) if !matches(pattern, text) => {
                Some(format!("must match {pattern}"))
            }
            _ => None,
        }
    }
}

/// The arguments of a call while they are read.
pub struct Arguments {
    given: Map<String, Value>,
    names: Vec<&'static str>,
    problems: Vec<Problem>,
}

impl Arguments {
    pub(crate) fn new(given: Map<String, Value>) -> Self {
        Self { given, names: Vec::new(), problems: Vec::new() }
    }

    /// Reads one argument. `None` notes a problem, so that [`Arguments::finish`] fails.
    pub fn read<R: ArgumentRole>(&mut self, role: &R, arg: &Arg) -> Option<R::Type> {
        self.names.push(arg.name);
        let value = match (self.given.remove(arg.name), arg.default) {
            (Some(value), _) => value,
            (None, Some(default)) => default(),
            (None, None) => {
                let absent = R::absent();
                if absent.is_none() {
                    self.note(pointer(arg.name), "is missing".to_owned());
                }
                return absent;
            }
        };
        // A null that stands for "absent" has no length or range.
        if let Some(problem) = arg.problem(&value) {
            self.note(pointer(arg.name), problem);
            return None;
        }
        match role.read(value) {
            Ok(value) => Some(value),
            Err(error) => {
                let within = path_pointer(error.path());
                self.note(format!("{}{within}", pointer(arg.name)), error.inner().to_string());
                None
            }
        }
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// All problems, when there are any; members that no argument took are problems.
    pub fn finish(mut self) -> Result<(), ToolError> {
        for name in self.given.keys().cloned().collect::<Vec<_>>() {
            let hint = match (nearest(&name, self.names.iter().copied()), self.names.as_slice()) {
                (Some(near), _) => format!("unknown argument, did you mean `{near}`?"),
                (None, []) => "unknown argument, the tool takes none".to_owned(),
                (None, names) => format!("unknown argument, expected one of `{}`", names.join("`, `")),
            };
            self.note(pointer(&name), hint);
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

/// The path that serde_path_to_error gives, as a JSON pointer.
fn path_pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter()
        .map(|segment| match segment {
            Segment::Seq { index } => format!("/{index}"),
            Segment::Map { key } => pointer(key),
            Segment::Enum { .. } | Segment::Unknown => String::new(),
        })
        .collect()
}

fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

fn matches(pattern: &str, text: &str) -> bool {
    // `#[tool]` has compiled the pattern; were it wrong, no text would match.
    regress::Regex::with_flags(pattern, "u").is_ok_and(|regex| regex.find(text).is_some())
}
