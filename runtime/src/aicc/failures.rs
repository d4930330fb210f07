//! What is said when something fails, in AICC's codes.

use crate::error::{ToolError, ToolErrorKind};
use crate::schema::{member, repeats};
use ludwire_protocols::aicc::{Error, ErrorCode, NonEmptyString};
use ludwire_protocols::support::DecodeError;

/// Bytes of a message that are told; what an agent has written may stand in it.
const LONGEST: usize = 4096;

/// A failure, and what to do about it. Whether another try may help goes with the code.
pub(super) fn error(code: ErrorCode, message: impl Into<String>) -> Error {
    let retryable =
        matches!(code, ErrorCode::ToolUnavailable | ErrorCode::Timeout | ErrorCode::InternalError);
    let mut message = message.into();
    if message.len() > LONGEST {
        let begin: String = message.chars().take(LONGEST / 4).collect();
        message = format!("{begin}… (too long to be told, {} bytes)", message.len());
    }
    let message = NonEmptyString::try_from(message)
        .unwrap_or_else(|_| NonEmptyString::try_from("no reason was given").expect("it is not empty"));
    Error::new(code, message, retryable)
}

/// A call that failed. One that never `began`, because the game stands still or is busy, can be tried again
/// without harm.
pub(super) fn of_tool(failed: &ToolError, began: bool) -> Error {
    let message = failed.message();
    match failed.kind() {
        ToolErrorKind::NotFound => error(ErrorCode::ToolUnknown, message),
        ToolErrorKind::Unavailable => error(ErrorCode::ToolUnavailable, message),
        ToolErrorKind::InvalidArguments => error(ErrorCode::InvalidInput, message),
        ToolErrorKind::Failed | ToolErrorKind::Missing => {
            Error { retryable: failed.is_retryable(), ..error(ErrorCode::ExecutionFailed, message) }
        }
        ToolErrorKind::TimedOut if began => error(ErrorCode::Timeout, message),
        ToolErrorKind::TimedOut => {
            error(ErrorCode::ToolUnavailable, format!("{message}; it did not run, so try again later"))
        }
        ToolErrorKind::Internal => error(ErrorCode::InternalError, message),
    }
}

/// What is said of a text that is no message.
pub(super) fn of_message(text: &str, wrong: &DecodeError) -> Error {
    let names_another = || {
        let named = member(text, "protocol").filter(|_| !repeats(text, "protocol"));
        named.is_some_and(|protocol| protocol.starts_with('"'))
    };
    let code = match wrong.pointer() {
        "/protocol" if names_another() => ErrorCode::ProtocolMismatch,
        _ => ErrorCode::InvalidInput,
    };
    error(code, wrong.to_string())
}
