//! Schemas of arguments and results: made by schemars, cleaned up for agents, and held to.

mod bytes;
mod check;
mod clean;
mod coerce;
mod digits;
mod flatten;
mod integers;
mod measure;
mod patterns;
mod place;
mod plan;
mod probe;
mod read;
mod share;
mod steps;
mod text;
mod token;
mod words;
mod write;
mod written;

pub(crate) use read::read;
pub use read::{Given, ReadError};

pub(crate) use measure::compare;
pub(crate) use place::At;
pub(crate) use plan::Plan;
pub(crate) use share::share;
pub use text::twice;
pub(crate) use text::{Cursor, TWICE};
#[cfg(feature = "serve")]
pub(crate) use text::{member, repeats};
pub(crate) use words::{counted, shown, unknown};
pub(crate) use write::{WriteError, to_json};
pub(crate) use written::written;

use crate::error::{Problem, ToolError};
use check::Check;
pub(crate) use check::Way;
use patterns::Patterns;
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use steps::Steps;

/// Makes the schema of a result.
pub(crate) fn for_result() -> SchemaGenerator {
    generator(Contract::Serialize)
}

fn generator(contract: Contract) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
        settings.contract = contract;
    });
    settings.into_generator()
}

/// The schema of a type, as schemars has it.
pub(crate) fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    Schema::to_value(generator.subschema_for::<T>())
}

/// Makes large integers numbers, within what a JSON number holds everywhere. Tells why it cannot.
pub(crate) fn as_numbers(schema: &mut Value) -> Option<&'static str> {
    let (mut found, mut has_references) = (false, false);
    clean::for_each(schema, &mut |members| {
        found |= integers::as_number(members);
        has_references |= members.contains_key("$ref");
    });
    match (has_references, found) {
        // What a reference means may be meant elsewhere too.
        (true, _) => Some("its type contains itself, so that all places have one form"),
        (_, false) => Some("there are no integers of 64 bits or more in its type"),
        _ => None,
    }
}

/// A schema that values are held to.
pub(crate) struct Held {
    /// With marks that only we read.
    schema: Value,
    patterns: Patterns,
}

/// The schema of all arguments, while it is made.
pub(crate) struct ArgumentsSchema {
    /// Made when it is needed.
    generator: Option<SchemaGenerator>,
    properties: Map<String, Value>,
    required: Vec<Value>,
    definitions: Map<String, Value>,
    /// It has members that it does not name.
    is_open: bool,
    /// What cannot be held to.
    pub(crate) defects: Vec<String>,
    /// What the schema does not tell.
    pub(crate) remarks: Vec<String>,
}

impl ArgumentsSchema {
    pub(crate) fn new() -> Self {
        Self {
            generator: None,
            properties: Map::new(),
            required: Vec::new(),
            definitions: Map::new(),
            is_open: false,
            defects: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Where the schemas of the arguments' types come from.
    pub(crate) fn generator(&mut self) -> &mut SchemaGenerator {
        self.generator.get_or_insert_with(|| generator(Contract::Deserialize))
    }

    /// Members that the schema does not name are ignored. Said before the arguments.
    pub(crate) fn open(&mut self) {
        self.is_open = true;
    }

    /// Whether there is an argument of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.properties.contains_key(name)
    }

    /// Adds an argument, and tries whether it is read as its schema says.
    pub(crate) fn add(
        &mut self,
        name: &str,
        schema: Value,
        is_required: bool,
        read: &dyn Fn(Given<'_, '_>) -> Result<(), ReadError>,
    ) {
        let required = if is_required { vec![Value::from(name)] } else { Vec::new() };
        let properties = self.tried(name, schema, required.clone(), read);
        self.insert(properties, required);
    }

    /// Adds the members of an argument as arguments. Gives their names, or tells why it cannot.
    pub(crate) fn flatten(
        &mut self,
        name: &str,
        mut schema: Value,
        read: &dyn Fn(Given<'_, '_>) -> Result<(), ReadError>,
    ) -> Result<Vec<String>, String> {
        const TIMEOUTS: [&str; 2] = ["timeout", "timeoutMs"];
        // Bridges read these themselves, as numbers.
        for timeout in TIMEOUTS {
            if let Some(member) = schema.pointer_mut(&format!("/properties/{timeout}")) {
                as_numbers(member);
            }
        }
        members(schema.clone())?;
        let mut tried = self.tried(name, schema, vec![Value::from(name)], read);
        let (members, required) = members(tried.remove(name).unwrap_or_default())?;
        for timeout in TIMEOUTS.iter().filter_map(|timeout| Some((timeout, members.get(*timeout)?))) {
            if timeout.1.get("type").is_none_or(|kind| kind != "integer") {
                let name = timeout.0;
                self.defects.push(format!(
                    "the argument `{name}` is no whole number, as bridges expect of that name"
                ));
            }
        }
        let names = members.keys().cloned().collect();
        self.insert(members, required);
        Ok(names)
    }

    fn insert(&mut self, properties: Map<String, Value>, required: Vec<Value>) {
        for name in properties.keys().filter(|name| self.properties.contains_key(*name)) {
            self.defects.push(format!("two arguments are named `{name}`; rename one"));
        }
        self.properties.extend(properties);
        self.required.extend(required);
    }

    /// Cleans the schema of an argument, and tries whether it is read so.
    fn tried(
        &mut self,
        name: &str,
        schema: Value,
        required: Vec<Value>,
        read: &dyn Fn(Given<'_, '_>) -> Result<(), ReadError>,
    ) -> Map<String, Value> {
        let mut alone = closed_object(Map::from_iter([(name.to_owned(), schema)]), required);
        add_definitions(&mut alone, self.generator().definitions().clone());
        clean::input(&mut alone, self.is_open);
        self.defects.extend(clean::unsupported(&mut alone).into_iter().map(|keyword| {
            format!("the schema of the argument `{name}` has `{keyword}`, which arguments are not held to")
        }));
        let mut held = Held::new(alone);
        let found = probe::argument(&held, name, read);
        self.defects.extend(found.contradictions);
        self.remarks.extend(found.remarks);
        for (place, pattern) in found.keys {
            if let Some(Value::Object(patterns)) = held.schema.pointer_mut(&place) {
                *patterns = std::mem::take(patterns)
                    .into_iter()
                    .map(|(_, schema)| (pattern.clone(), schema))
                    .collect();
            }
        }
        let mut part = |keyword: &str| match held.schema.get_mut(keyword).map(Value::take) {
            Some(Value::Object(children)) => children,
            _ => Map::new(),
        };
        let properties = part("properties");
        // The argument that brought a definition has tried it.
        for (name, definition) in part("$defs") {
            self.definitions.entry(name).or_insert(definition);
        }
        properties
    }

    /// The schema.
    pub(crate) fn finish(self) -> Held {
        let mut schema = closed_object(self.properties, self.required);
        if let (true, Value::Object(members)) = (self.is_open, &mut schema) {
            members.remove("additionalProperties");
        }
        add_definitions(&mut schema, self.definitions);
        Held::new(schema)
    }
}

/// The members of a plain object, and which of them must be there; or why it is none.
pub(crate) fn members(schema: Value) -> Result<(Map<String, Value>, Vec<Value>), String> {
    let Value::Object(mut keywords) = schema else { return Err("its type takes any value".to_owned()) };
    if keywords.remove("type").is_none_or(|kind| kind != "object") {
        return Err("its type is no struct with named fields".to_owned());
    }
    let Some(Value::Object(members)) = keywords.remove("properties") else {
        return Err("its type has no fields with names of their own".to_owned());
    };
    let required = match keywords.remove("required") {
        Some(Value::Array(required)) => required,
        _ => Vec::new(),
    };
    let is_plain = |(keyword, value): (&String, &Value)| match keyword.as_str() {
        "title" | "description" | "default" | "examples" | "deprecated" => true,
        "additionalProperties" => *value == Value::Bool(false),
        _ => false,
    };
    match keywords.iter().find(|member| !is_plain(*member)) {
        Some((keyword, _)) => {
            Err(format!("its type has more than fields: its schema has `{keyword}`; flatten nothing into it"))
        }
        None => Ok((members, required)),
    }
}

/// How a value becomes a result, which is an object always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// It is an object.
    Object,
    /// It is anything else, and stands as `result`.
    Wrapped,
    /// It is nothing: `{}`.
    Nothing,
    /// It is whatever it is, and no object must be made of it.
    Json,
    /// The same, and always a text.
    Text,
    /// Bytes, which become a text in base64.
    Base64,
}

impl Form {
    /// A value in this form.
    pub(crate) fn of(self, value: Value) -> Value {
        match self {
            Self::Object | Self::Json | Self::Text => value,
            Self::Base64 => Value::from(bytes::base64(&value)),
            Self::Wrapped => json!({ RESULT: value }),
            Self::Nothing => json!({}),
        }
    }
}

/// The schema of a result, from that of its value.
pub(crate) fn result(mut schema: Value, generator: &mut SchemaGenerator) -> (Held, Form) {
    if schema.get("type").is_some_and(|kind| kind == "null") {
        return (Held::new(closed_object(Map::new(), Vec::new())), Form::Nothing);
    }
    add_definitions(&mut schema, generator.take_definitions(true));
    clean::output(&mut schema);
    at_root(&mut schema);
    let is_union = ["oneOf", "anyOf", "allOf", "$ref"].iter().any(|keyword| schema.get(keyword).is_some());
    if schema.get("type").is_some_and(|kind| kind == "object") && !is_union {
        return (Held::new(schema), Form::Object);
    }
    let definitions = schema.as_object_mut().and_then(|members| members.remove("$defs"));
    // As a member of an object, nothing is left out.
    let required = if clean::is_nullable(&schema) { Vec::new() } else { vec![Value::from(RESULT)] };
    if required.is_empty() {
        clean::without_null(&mut schema);
    }
    let mut wrapped = closed_object(Map::from_iter([(RESULT.to_owned(), schema)]), required);
    if let (Value::Object(members), Some(definitions)) = (&mut wrapped, definitions) {
        members.insert("$defs".to_owned(), definitions);
    }
    (Held::new(wrapped), Form::Wrapped)
}

/// The schema of what stands for itself, from that of its value; `is_content` where texts and bytes are
/// told from JSON.
pub(crate) fn value(mut schema: Value, generator: &mut SchemaGenerator, is_content: bool) -> (Held, Form) {
    if is_content && bytes::are_meant(&schema) {
        return (Held::new(json!({ "type": "string", "contentEncoding": "base64" })), Form::Base64);
    }
    let is_text = is_content && schema.get("type").is_some_and(|kind| kind == "string");
    add_definitions(&mut schema, generator.take_definitions(true));
    clean::output(&mut schema);
    at_root(&mut schema);
    (Held::new(schema), if is_text { Form::Text } else { Form::Json })
}

/// A type that contains itself is a reference; at the root it stands in full.
fn at_root(schema: &mut Value) {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix("#/$defs/"));
    let target = name.and_then(|name| schema.get("$defs")?.get(name.replace("~1", "/").replace("~0", "~")));
    if let (Some(Value::Object(target)), Value::Object(members)) = (target.cloned(), schema) {
        members.remove("$ref");
        for (keyword, value) in target {
            members.entry(keyword).or_insert(value);
        }
    }
}

/// A result as JSON.
pub(crate) fn write<T: Serialize>(output: &T, form: Form) -> Result<Value, ToolError> {
    let value = to_json(output).map_err(|error| {
        let error = if form == Form::Wrapped { error.within(RESULT) } else { error };
        ToolError::internal(format!("the result is no JSON: {error}"))
    })?;
    Ok(form.of(value))
}

/// The member in which a result stands that is no object.
const RESULT: &str = "result";

/// An object with these members and no others.
fn closed_object(properties: Map<String, Value>, required: Vec<Value>) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), Value::from("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    Value::Object(schema)
}

/// Types that contain themselves are the only ones with a `$ref`, into the `$defs` of the root.
fn add_definitions(schema: &mut Value, definitions: Map<String, Value>) {
    if let (Value::Object(members), false) = (schema, definitions.is_empty()) {
        members.insert("$defs".to_owned(), Value::Object(definitions));
    }
}

impl Held {
    /// A schema that is clean.
    fn new(schema: Value) -> Self {
        let patterns = Patterns::of(&schema);
        let mut held = Self { schema, patterns };
        let mut schema = held.schema.clone();
        clean::for_each(&mut schema, &mut |members| held.clean_default(members));
        held.schema = schema;
        held
    }

    /// A default is a value of its schema, as peers write it; what is none only misleads them.
    fn clean_default(&self, members: &mut Map<String, Value>) {
        let Some(mut default) = members.remove("default") else { return };
        let schema = Value::Object(members.clone());
        if self.check(Way::Out, &Steps::of(&default)).part(&schema, &mut default).is_empty() {
            members.insert("default".to_owned(), default);
        }
    }

    /// The schema as peers see it.
    pub(crate) fn published(&self) -> Value {
        let mut schema = self.schema.clone();
        clean::for_each(&mut schema, &mut integers::unmark);
        schema
    }

    /// What is wrong with an argument, which becomes what the tool reads.
    pub(crate) fn argument(&self, way: Way, name: &str, value: &mut Value) -> Vec<Problem> {
        let steps = if way == Way::Coerced { Steps::of_texts(value) } else { Steps::of(value) };
        self.check(way, &steps).argument(name, value)
    }

    /// Puts what a text holds in its place, where the argument is none.
    pub(crate) fn coerce(&self, name: &str, value: &mut Value) {
        if let Some(schema) = self.schema.get("properties").and_then(|properties| properties.get(name)) {
            self.check(Way::Coerced, &Steps::of_texts(value)).coerce(schema, value);
        }
    }

    /// How an argument is read from text, where its schema is plain enough.
    pub(crate) fn plan(&self, name: &str) -> Option<Plan> {
        Plan::of(self.schema.get("properties")?.get(name)?, &self.patterns)
    }

    /// How the whole is held to, where that is plain enough.
    pub(crate) fn whole_plan(&self) -> Option<Plan> {
        Plan::of(&self.schema, &self.patterns)
    }

    /// Holds a result to the schema, with its plan if there is one. It becomes what peers read, or what is
    /// wrong with it is told.
    pub(crate) fn hold(&self, plan: Option<&Plan>, value: &mut Value) -> Result<(), String> {
        if plan.is_some_and(|plan| plan.hold(value)) {
            return Ok(());
        }
        let problems = self.check(Way::Out, &Steps::of(value)).part(&self.schema, value);
        if problems.is_empty() {
            return Ok(());
        }
        let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Err(list.join("; "))
    }

    fn check<'a>(&'a self, way: Way, steps: &'a Steps) -> Check<'a> {
        Check::new(&self.schema, &self.patterns, way, steps)
    }
}
