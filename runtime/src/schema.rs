//! Schemas of arguments and results: made by schemars, cleaned up for agents, and held to.

mod check;
mod clean;

pub(crate) use check::{Check, Patterns, compare, unknown};

use crate::error::ToolError;
use schemars::generate::{Contract, SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Makes the schemas of one tool's arguments.
pub(crate) fn for_arguments() -> SchemaGenerator {
    generator(Contract::Deserialize)
}

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

/// The schema of all arguments. Where it is open, it has members that it does not name.
pub(crate) fn arguments(
    properties: Map<String, Value>,
    required: Vec<Value>,
    open: bool,
    generator: &mut SchemaGenerator,
) -> Value {
    let mut schema = closed_object(properties, required);
    if let (true, Value::Object(members)) = (open, &mut schema) {
        members.remove("additionalProperties");
    }
    add_definitions(&mut schema, generator);
    clean::input(&mut schema, open);
    schema
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
}

/// The schema of a result, from that of its value.
pub(crate) fn result(mut schema: Value, generator: &mut SchemaGenerator) -> (Value, Form) {
    let is = |schema: &Value, kind: &str| schema.get("type").is_some_and(|found| found == kind);
    if is(&schema, "null") {
        return (closed_object(Map::new(), Vec::new()), Form::Nothing);
    }
    let form = if is(&schema, "object") { Form::Object } else { Form::Wrapped };
    if form == Form::Wrapped {
        schema = closed_object(Map::from_iter([(RESULT.to_owned(), schema)]), vec![Value::from(RESULT)]);
    }
    add_definitions(&mut schema, generator);
    clean::output(&mut schema);
    (schema, form)
}

/// A result as JSON.
pub(crate) fn write<T: Serialize>(output: &T, form: Form) -> Result<Value, ToolError> {
    let value = serde_json::to_value(output)
        .map_err(|error| ToolError::internal(format!("the result is no JSON: {error}")))?;
    Ok(match form {
        Form::Object => value,
        Form::Wrapped => json!({ RESULT: value }),
        Form::Nothing => json!({}),
    })
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
fn add_definitions(schema: &mut Value, generator: &mut SchemaGenerator) {
    let definitions = generator.take_definitions(true);
    if let (Value::Object(members), false) = (schema, definitions.is_empty()) {
        members.insert("$defs".to_owned(), Value::Object(definitions));
    }
}
