//! Schemas of arguments and results, cleaned up for agents.

use crate::error::ToolError;
use schemars::JsonSchema;
use schemars::generate::{Contract, SchemaSettings};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// The schema of an argument of this type.
pub(crate) fn input<T: JsonSchema>() -> Value {
    schema::<T>(Contract::Deserialize)
}

/// The schema of a result of this type: an object, in which anything else stands as `result`.
pub(crate) fn output<T: JsonSchema>() -> Value {
    let schema = schema::<T>(Contract::Serialize);
    if is_nothing(&schema) {
        return closed_object(Map::new(), Vec::new());
    }
    if is_object(&schema) {
        return schema;
    }
    closed_object(Map::from_iter([(RESULT.to_owned(), schema)]), vec![Value::from(RESULT)])
}

/// A result as JSON, of the form that [`output`] describes.
pub(crate) fn result<T: Serialize + JsonSchema>(output: &T) -> Result<Value, ToolError> {
    let value = serde_json::to_value(output)
        .map_err(|error| ToolError::internal(format!("the result is no JSON: {error}")))?;
    let schema = schema::<T>(Contract::Serialize);
    Ok(if is_nothing(&schema) {
        json!({})
    } else if is_object(&schema) {
        value
    } else {
        json!({ RESULT: value })
    })
}

/// An object with these members and no others.
pub(crate) fn closed_object(properties: Map<String, Value>, required: Vec<Value>) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), Value::from("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), Value::Array(required));
    }
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    Value::Object(schema)
}

/// The member in which a result stands that is no object.
const RESULT: &str = "result";

fn schema<T: JsonSchema>(contract: Contract) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
        settings.contract = contract;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    clean(&mut schema);
    schema
}

/// What agents stumble over, taken out: titles that repeat type names, formats that JSON Schema does
/// not define, boolean schemas, `null` as the type of what is optional.
fn clean(schema: &mut Value) {
    match schema {
        Value::Bool(true) => *schema = json!({}),
        Value::Object(members) => {
            members.remove("title");
            let odd = members.get("format").and_then(Value::as_str).is_some_and(|format| {
                format.starts_with("int")
                    || format.starts_with("uint")
                    || matches!(format, "float" | "double")
            });
            if odd {
                members.remove("format");
            }
            for keyword in ["properties", "patternProperties", "$defs"] {
                if let Some(Value::Object(children)) = members.get_mut(keyword) {
                    children.values_mut().for_each(clean);
                }
            }
            for keyword in ["items", "additionalProperties", "not"] {
                if let Some(child) = members.get_mut(keyword)
                    && child.is_object()
                {
                    clean(child);
                }
            }
            for keyword in ["oneOf", "anyOf", "allOf", "prefixItems"] {
                if let Some(Value::Array(children)) = members.get_mut(keyword) {
                    children.iter_mut().for_each(clean);
                }
            }
        }
        _ => {}
    }
}

fn is_object(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

fn is_nothing(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "null")
}
