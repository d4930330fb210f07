//! What is said when a request fails, in AiControl's codes.

use crate::error::{ToolError, ToolErrorKind};
use crate::schema::{member, repeats};
use ludwire_protocols::aicontrol::{Error, Response, error_codes};
use ludwire_protocols::support::DecodeError;
use serde_json::Value;

/// A failure of the bridge or the game, for which the catalogue has no code; JSON-RPC does.
pub(super) const INTERNAL: i64 = -32603;

/// A failure, and what to do about it.
pub(super) fn error(code: i64, message: impl Into<String>) -> Error {
    Error::new(code.into(), message.into())
}

/// What could not be observed.
pub(super) fn of_observation(failed: &ToolError) -> Error {
    let code = match failed.kind() {
        ToolErrorKind::InvalidArguments => error_codes::INVALID_PARAMS,
        _ => INTERNAL,
    };
    error(code, failed.message())
}

/// What is said of a line that is no request.
pub(super) fn of_line(line: &str, wrong: &DecodeError) -> Error {
    let code = match wrong.pointer() {
        // What nests too deeply is JSON all the same.
        _ if wrong.is_syntax() && !is_json(line) => error_codes::PARSE_ERROR,
        "/method" if method(line).is_some_and(|method| !method.is_empty()) => error_codes::METHOD_NOT_FOUND,
        pointer if pointer.starts_with("/params/") => error_codes::INVALID_PARAMS,
        _ => error_codes::INVALID_REQUEST,
    };
    error(code, wrong.to_string())
}

/// A failure as a line, without its LF.
pub(super) fn answer(id: Value, error: Error) -> Vec<u8> {
    let response = Response { error: Some(error), ..Response::new(id) };
    serde_json::to_vec(&response).expect("a response with an error and without a result is valid")
}

/// The id of what may be no request; null where there is none, or more than one.
pub(super) fn id(line: &str) -> Value {
    member(line, "id")
        .filter(|_| !repeats(line, "id"))
        .and_then(|id| serde_json::from_str(id).ok())
        .unwrap_or_default()
}

/// The method that a line asks for, though it may be no request.
pub(super) fn method(line: &str) -> Option<String> {
    serde_json::from_str(member(line, "method").filter(|_| !repeats(line, "method"))?).ok()
}

/// Whether it is JSON, however deep it nests and whatever its numbers are.
pub(super) fn is_json(line: &str) -> bool {
    serde_json::from_str::<&serde_json::value::RawValue>(line).is_ok()
}
