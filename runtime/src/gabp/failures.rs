//! What is said when a request fails, in GABP's words and codes.

use crate::error::{ToolError, ToolErrorKind};
use crate::schema::{member, repeats, shown};
use ludwire_protocols::gabp::{self, EnvelopeError, error_codes, methods};
use ludwire_protocols::support::{DecodeError, Uuid};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// A failure with a code of GABP's registry, and what to do about it.
pub(super) fn error(code: i64, message: &str) -> EnvelopeError {
    let message = gabp::NonEmptyString::try_from(message)
        .unwrap_or_else(|_| gabp::NonEmptyString::try_from("no reason was given").expect("it is not empty"));
    EnvelopeError { code: code.into(), message, data: None }
}

/// A method that this host does not have.
pub(super) fn unknown_method(method: &str) -> EnvelopeError {
    error(error_codes::METHOD_NOT_FOUND, &format!("there is no method `{}` here", shown(method)))
}

/// A call that failed.
pub(super) fn of_tool(failed: &ToolError) -> EnvelopeError {
    let code = match failed.kind() {
        ToolErrorKind::NotFound => error_codes::TOOL_NOT_FOUND,
        ToolErrorKind::Unavailable => error_codes::TOOL_UNAVAILABLE,
        ToolErrorKind::InvalidArguments => error_codes::INVALID_PARAMS,
        ToolErrorKind::Failed | ToolErrorKind::Missing => error_codes::TOOL_EXECUTION_FAILED,
        ToolErrorKind::TimedOut => error_codes::TOOL_TIMEOUT,
        ToolErrorKind::Internal => error_codes::INTERNAL_ERROR,
    };
    EnvelopeError { data: failed.data(), ..error(code, failed.message()) }
}

/// A resource that could not be read.
pub(super) fn of_resource(failed: &ToolError) -> EnvelopeError {
    let code = match failed.kind() {
        ToolErrorKind::NotFound | ToolErrorKind::Missing => error_codes::RESOURCE_NOT_FOUND,
        ToolErrorKind::Unavailable => error_codes::RESOURCE_LOCKED,
        _ => general(failed.kind()),
    };
    EnvelopeError { data: failed.data(), ..error(code, failed.message()) }
}

/// States that could not be read, or none of which could be set.
pub(super) fn of_state(failed: &ToolError) -> EnvelopeError {
    EnvelopeError { data: failed.data(), ..error(general(failed.kind()), failed.message()) }
}

/// The code of a failure of what is no tool.
fn general(kind: ToolErrorKind) -> i64 {
    match kind {
        ToolErrorKind::NotFound | ToolErrorKind::Missing | ToolErrorKind::InvalidArguments => {
            error_codes::INVALID_PARAMS
        }
        ToolErrorKind::Failed | ToolErrorKind::Unavailable | ToolErrorKind::TimedOut => {
            *error_codes::SERVER_ERROR.end()
        }
        ToolErrorKind::Internal => error_codes::INTERNAL_ERROR,
    }
}

/// The answer to what is no message.
pub(super) fn undecodable(body: &[u8], wrong: &DecodeError) -> Vec<u8> {
    let members = members(body);
    let stands_twice =
        |name: &str| std::str::from_utf8(body).is_ok_and(|text| repeats(text, name.trim_start_matches('/')));
    let code = match wrong.pointer() {
        // What nests too deeply is JSON all the same.
        _ if wrong.is_syntax() && members.is_none() => error_codes::PARSE_ERROR,
        // Neither of two versions or types is the wrong one.
        member @ ("/v" | "/type" | "/params") if stands_twice(member) => error_codes::INVALID_REQUEST,
        "/v" => error_codes::VERSION_MISMATCH,
        "/type" => error_codes::INVALID_MESSAGE_TYPE,
        // What is no name of a method is the name of none.
        "/method" if std::str::from_utf8(body).is_ok_and(|text| once(text, "method").is_some()) => {
            error_codes::METHOD_NOT_FOUND
        }
        pointer if pointer == "/params" || pointer.starts_with("/params/") => error_codes::INVALID_PARAMS,
        _ => error_codes::INVALID_REQUEST,
    };
    answer(members.and_then(|members| id_of(&members)).unwrap_or(Uuid::NIL), error(code, &wrong.to_string()))
}

/// The id of a request about a tool whose name is no name of a tool, and that name.
pub(super) fn misnamed(body: &[u8], wrong: &DecodeError) -> Option<(Uuid, String)> {
    let text = std::str::from_utf8(body).ok().filter(|_| wrong.pointer() == "/params/name")?;
    let method = once(text, "method")?;
    let is_about_tools = [methods::TOOLS_CALL, methods::TOOLS_GET].contains(&method.as_str());
    Some((id_in(body)?, once(member(text, "params")?, "name")?)).filter(|_| is_about_tools)
}

/// A text that stands once in what may be no message: of two, neither counts.
fn once(text: &str, name: &str) -> Option<String> {
    serde_json::from_str(member(text, name).filter(|_| !repeats(text, name))?).ok()
}

/// A failure as a message.
pub(super) fn answer(id: Uuid, error: EnvelopeError) -> Vec<u8> {
    serde_json::to_vec(&gabp::ResponseEnvelope { id, result: None, error: Some(error) }).expect(ALWAYS)
}

/// The answer, if it is no larger than that. One with a result is not: what is larger is a failure that
/// repeats what it was asked, and loses its data and most of its words.
pub(super) fn shortened(answer: Vec<u8>, largest: usize) -> Vec<u8> {
    if answer.len() <= largest {
        return answer;
    }
    let Ok(gabp::ResponseEnvelope { id, error: Some(failed), .. }) = serde_json::from_slice(&answer) else {
        return answer;
    };
    let begin: String = failed.message.as_str().chars().take(FIRST_WORDS).collect();
    let text = format!("{begin}… (too long to be told, {} bytes)", answer.len());
    let message = error(error_codes::INTERNAL_ERROR, &text).message;
    self::answer(id, EnvelopeError { message, data: None, ..failed })
}

/// What stands in place of an answer that finds no room, since its peer reads nothing.
pub(super) fn unread(answer: &[u8], waiting: usize) -> Vec<u8> {
    let id = members(answer).and_then(|members| id_of(&members)).unwrap_or(Uuid::NIL);
    let size = answer.len();
    let text = format!(
        "what was asked has been done, and its answer of {size} bytes is lost: {waiting} bytes of others wait to be \
         read; read them, and ask for less at a time"
    );
    self::answer(id, error(*error_codes::SERVER_ERROR.end(), &text))
}

/// Characters that fit into the smallest messages that a host may be limited to, whatever they are.
const FIRST_WORDS: usize = 100;

/// Why a failure can always be written.
pub(super) const ALWAYS: &str = "a response with an error and without a result is valid";

/// The members of an object, as deep as it may be.
fn members(body: &[u8]) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_slice(body).ok()
}

/// The same, of what need not be an object.
pub(crate) fn id_in(body: &[u8]) -> Option<Uuid> {
    members(body).and_then(|members| id_of(&members))
}

/// The id of a message that is none, so that its sender can tell which one it was.
fn id_of(members: &BTreeMap<String, &RawValue>) -> Option<Uuid> {
    let id: String = serde_json::from_str(members.get("id")?.get()).ok()?;
    id.parse().ok()
}
