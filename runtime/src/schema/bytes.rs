//! Lists of bytes, which JSON has as texts in base64.

use data_encoding::BASE64;
use serde_json::Value;

/// Whether a schema, as schemars has it, is that of a list of bytes of any length.
pub(super) fn are_meant(schema: &Value) -> bool {
    let is = |pointer: &str, wanted: &str| schema.pointer(pointer).is_some_and(|value| value == wanted);
    let has = |keyword: &str| schema.get(keyword).is_some();
    is("/type", "array")
        && is("/items/type", "integer")
        && is("/items/format", "uint8")
        && !has("minItems")
        && !has("maxItems")
        && !has("uniqueItems")
}

/// The bytes that a list of numbers has.
pub(super) fn base64(list: &Value) -> String {
    let bytes = list.as_array().into_iter().flatten().filter_map(Value::as_u64);
    let bytes: Vec<u8> = bytes.filter_map(|byte| u8::try_from(byte).ok()).collect();
    BASE64.encode(&bytes)
}
