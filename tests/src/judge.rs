//! What a validator by other people says of documents.

use crate::suite::Test;
use jsonschema::Validator;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The documents with what the validator says of each, formats being remarks; none where it refuses the
/// schema, or does not come to an end of it.
pub fn judged_by_others(schema: &Value, documents: &[Value]) -> Option<Vec<Test>> {
    let judge = || -> Option<Vec<Test>> {
        let validator: Validator = jsonschema::options().should_validate_formats(false).build(schema).ok()?;
        let test = |document: &Value| Test {
            name: String::new(),
            document: document.to_string(),
            valid: validator.is_valid(document),
        };
        // It takes a large double for the number that its bits are, we for the one that is written there.
        let divides = schema.to_string().contains("multipleOf");
        Some(documents.iter().filter(|document| !(divides && has_large_double(document))).map(test).collect())
    };
    catch_unwind(AssertUnwindSafe(judge)).ok()?
}

/// Whether a number somewhere is a double beyond those that are exact integers.
fn has_large_double(document: &Value) -> bool {
    match document {
        Value::Number(number) => {
            number.is_f64() && number.as_f64().is_some_and(|value| value.abs() > 9_007_199_254_740_992.0)
        }
        Value::Array(items) => items.iter().any(has_large_double),
        Value::Object(members) => members.values().any(has_large_double),
        _ => false,
    }
}
