//! Reads the arguments of a call, and says everything that is wrong with them at once.

use crate::error::{ENOUGH_PROBLEMS, Problem, ToolError};
use crate::function::Registered;
use crate::private::ArgumentRole;
use crate::schema::{self, At, Cursor, Given, Held, Plan, ReadError, TWICE, Way, compare};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;

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

/// The arguments of a call, as they were sent.
pub(crate) enum Sent {
    Members(Map<String, Value>),
    /// JSON, of any kind, whose syntax has been looked at.
    Text(String),
}

impl From<Map<String, Value>> for Sent {
    fn from(members: Map<String, Value>) -> Self {
        Self::Members(members)
    }
}

/// The names under which arguments of a tool are given.
pub(crate) struct Known(Vec<Name>);

struct Name {
    name: String,
    is_alias: bool,
    /// How it is read from text.
    plan: Option<Plan>,
}

impl Known {
    /// Those of arguments, which messages list in this order, and their aliases.
    pub(crate) fn of(input: &Held, names: Vec<String>, aliases: &[&str]) -> Self {
        let own = names.into_iter().map(|name| Name { plan: input.plan(&name), is_alias: false, name });
        let aliases =
            aliases.iter().map(|alias| Name { plan: None, is_alias: true, name: (*alias).to_owned() });
        Self(own.chain(aliases).collect())
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| known.name == name)
    }
}

/// The arguments of a call while they are read.
pub struct Arguments<'a> {
    tool: &'a Registered,
    way: Way,
    /// What is given under each of the names that the tool knows.
    given: Vec<Option<Part<'a>>>,
    unknown: BTreeSet<Cow<'a, str>>,
    problems: Vec<Problem>,
}

/// One argument, as it was sent.
enum Part<'a> {
    Value(Value),
    Text(&'a str),
}

impl Part<'_> {
    fn is_null(&self) -> bool {
        match self {
            Self::Value(value) => value.is_null(),
            Self::Text(text) => *text == "null",
        }
    }
}

/// Reads what is given, and lays it down.
type Reads<'r> = dyn FnMut(Given<'_, '_>) -> Result<(), ReadError> + 'r;

/// What becomes of an argument.
enum Found<'a> {
    /// It is held to its schema while it is read.
    Planned(&'a Plan, &'a str),
    /// It has been held to it.
    Value(Value),
    /// The function has a value for it.
    Absent,
    /// What is wrong with it is noted.
    Wrong,
}

impl<'a> Arguments<'a> {
    pub(crate) fn new(sent: Option<&'a mut Sent>, tool: &'a Registered, way: Way) -> Self {
        let given = tool.known.0.iter().map(|_| None).collect();
        let mut arguments = Self { tool, way, given, unknown: BTreeSet::new(), problems: Vec::new() };
        match sent {
            None => {}
            Some(Sent::Members(members)) => {
                for (name, value) in std::mem::take(members) {
                    arguments.add(name.into(), Part::Value(value));
                }
            }
            Some(Sent::Text(text)) => {
                if let Err(message) = arguments.split(text) {
                    arguments.problems.push(Problem { pointer: String::new(), message: message.to_owned() });
                }
            }
        }
        arguments
    }

    /// Finds the members in the text of an object; or tells why there are none.
    fn split(&mut self, text: &'a str) -> Result<(), &'static str> {
        const NO_JSON: &str = "arguments are no JSON";
        let mut cursor = Cursor::new(text);
        let mut is_first = true;
        if !cursor.take(b'{') {
            return Err("arguments are an object, with a member for each");
        }
        while let Some(name) = cursor.member(is_first).ok_or(NO_JSON)? {
            is_first = false;
            self.add(name, Part::Text(cursor.skip().ok_or(NO_JSON)?));
        }
        Ok(())
    }

    fn add(&mut self, name: Cow<'a, str>, part: Part<'a>) {
        let Some(index) = self.tool.known.position(&name) else {
            self.unknown.insert(name);
            return;
        };
        if self.given[index].is_some() {
            self.note(&name, TWICE.to_owned());
        }
        self.given[index] = Some(part);
    }

    /// Reads one argument. `None` notes a problem, so that [`Arguments::finish`] fails.
    pub fn read<R: ArgumentRole>(&mut self, role: &R, arg: &Arg) -> Option<R::Type> {
        let mut value = None;
        let is_absent = self.read_into(arg, R::OPTIONAL, &mut |given| {
            value = Some(role.read(given)?);
            Ok(())
        });
        if is_absent { R::absent() } else { value }
    }

    /// The same, by what lays the value down. It is compiled once, not for each type. Whether the function has
    /// a value for what is not given.
    fn read_into(&mut self, arg: &Arg, is_optional: bool, read: &mut Reads<'_>) -> bool {
        let value = match self.find(arg, is_optional) {
            Found::Planned(plan, text) => {
                if read(Given::planned(plan, &mut Cursor::new(text))).is_ok() {
                    return false;
                }
                // Plans do not take all that is right, and do not say what is wrong.
                self.held(arg.name, Part::Text(text))
            }
            Found::Value(value) => Some(value),
            Found::Absent => return true,
            Found::Wrong => None,
        };
        if let Some(Err(error)) = value.map(|value| read(Given::value(value))) {
            self.unread(arg.name, &error);
        }
        false
    }

    /// Looks for an argument.
    fn find(&mut self, arg: &Arg, is_optional: bool) -> Found<'a> {
        let tool = self.tool;
        // Agents write null for what they leave out.
        let part = match self.take(arg).map(|part| self.coerced(arg.name, part)) {
            Some(part) if part.is_null() && is_optional => return Found::Absent,
            Some(part) if part.is_null() && arg.default.is_some() => None,
            part => part,
        };
        let plan = || tool.known.0[tool.known.position(arg.name)?].plan.as_ref();
        match (part, arg.default) {
            (Some(part), _) => match (part, plan()) {
                (Part::Text(text), Some(plan)) => Found::Planned(plan, text),
                (part, _) => self.held(arg.name, part).map_or(Found::Wrong, Found::Value),
            },
            // It was checked when the tool was registered.
            (None, Some(default)) => Found::Value(default()),
            (None, None) if is_optional => Found::Absent,
            (None, None) => {
                self.note(arg.name, "is missing".to_owned());
                Found::Wrong
            }
        }
    }

    /// What a text holds, where no text is meant and the host wants that.
    fn coerced(&self, name: &str, part: Part<'a>) -> Part<'a> {
        let text = match &part {
            _ if self.way != Way::Coerced => None,
            Part::Value(Value::String(text)) => Some(Cow::from(text)),
            Part::Text(text) => Cursor::new(text).string(),
            Part::Value(_) => None,
        };
        let Some(text) = text else { return part };
        let mut value = Value::from(text.into_owned());
        self.tool.input.coerce(name, &mut value);
        if value.is_string() { part } else { Part::Value(value) }
    }

    /// A value that has been held to its schema. `None` when something is wrong with it.
    fn held(&mut self, name: &str, part: Part<'_>) -> Option<Value> {
        let before = self.problems.len();
        let value = match part {
            Part::Value(value) => Some(value),
            Part::Text(text) => Cursor::new(text).value(At::Member(&At::Root, name), &mut self.problems),
        };
        let Some(mut value) = value else {
            if self.problems.len() == before {
                self.note(name, "is no JSON".to_owned());
            }
            return None;
        };
        self.problems.extend(self.tool.input.argument(self.way, name, &mut value));
        (self.problems.len() == before).then_some(value)
    }

    /// Reads an argument whose members stand beside the other arguments.
    pub fn read_flat<R: ArgumentRole>(&mut self, role: &R, arg: &Arg) -> Option<R::Type> {
        let members = self.members(arg)?;
        match role.read(Given::value(Value::Object(members))) {
            Ok(value) => Some(value),
            Err(error) => {
                let message = error.to_string();
                self.problems.push(Problem { pointer: error.pointer(), message });
                None
            }
        }
    }

    fn members(&mut self, arg: &Arg) -> Option<Map<String, Value>> {
        let tool = self.tool;
        let before = self.problems.len();
        let mut members = Map::new();
        for name in tool.members_of(arg.name) {
            let part = tool.known.position(name).and_then(|index| self.given[index].take());
            match part.map(|part| self.coerced(name, part)) {
                None if tool.requires(name) => self.note(name, "is missing".to_owned()),
                None => {}
                // Agents write null for what they leave out.
                Some(part) if part.is_null() && !tool.requires(name) => {}
                Some(part) => members.extend(self.held(name, part).map(|value| (name.clone(), value))),
            }
        }
        (self.problems.len() == before).then_some(members)
    }

    /// What is given, under whatever name.
    fn take(&mut self, arg: &Arg) -> Option<Part<'a>> {
        let tool = self.tool;
        let mut found = None;
        for name in std::iter::once(&arg.name).chain(arg.aliases) {
            let part = tool.known.position(name).and_then(|index| self.given[index].take());
            match (part, &found) {
                (Some(_), Some((other, _))) => {
                    self.note(name, format!("is given twice, as `{other}` and as `{name}`"));
                }
                (Some(part), None) => found = Some((name, part)),
                (None, _) => {}
            }
        }
        found.map(|(_, part)| part)
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// All problems, when there are any; members that no argument took are problems, unless the tool is
    /// lenient.
    pub fn finish(mut self) -> Result<(), ToolError> {
        if !self.tool.function.options.lenient {
            for name in std::mem::take(&mut self.unknown) {
                if self.problems.len() >= ENOUGH_PROBLEMS {
                    break;
                }
                let known = self.tool.known.0.iter().filter(|known| !known.is_alias);
                let known = known.map(|known| known.name.as_str());
                self.note(&name, schema::unknown("argument", &name, known));
            }
        }
        if self.problems.is_empty() { Ok(()) } else { Err(ToolError::invalid(self.problems)) }
    }

    fn note(&mut self, name: &str, message: String) {
        if self.problems.len() >= ENOUGH_PROBLEMS {
            return;
        }
        self.problems.push(At::Member(&At::Root, name).problem(message));
    }

    /// Notes what serde says.
    fn unread(&mut self, name: &str, error: &ReadError) {
        let mut problem = At::Member(&At::Root, name).problem(error.to_string());
        problem.pointer.push_str(&error.pointer());
        self.problems.push(problem);
    }
}
