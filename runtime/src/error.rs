//! Why a call failed.

use serde_json::{Value, json};
use std::error::Error;
use std::fmt;

/// Why a call failed: whose fault it is, and what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolError {
    kind: ToolErrorKind,
    message: String,
    problems: Vec<Problem>,
    retryable: bool,
}

/// Whose fault a failed call is. Each protocol has a code for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolErrorKind {
    /// There is no such tool.
    NotFound,
    /// The tool cannot be called now.
    Unavailable,
    /// The arguments are not what the tool takes; it did not run.
    InvalidArguments,
    /// The tool says that it failed.
    Failed,
    /// What the arguments, or the URI, name is not there.
    Missing,
    /// The tool panicked, or returned what is no JSON.
    Internal,
    /// The deadline passed.
    TimedOut,
}

/// What is wrong with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// JSON pointer (RFC 6901) into the arguments: `/at/x`.
    pub pointer: String,
    /// What was expected, and what was found.
    pub message: String,
}

/// Problems that are told of one call: a message of arguments may have more than an answer can hold.
pub(crate) const MOST_PROBLEMS: usize = 64;
/// Problems after which nobody looks for more: what is wrong with a megabyte of arguments is not found out while
/// the game stands still.
pub(crate) const ENOUGH_PROBLEMS: usize = 100;

impl ToolError {
    /// The tool failed; `message` tells the agent why and what it could do instead.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Failed, message)
    }

    /// What the arguments, or the URI of a resource, name is not there; `message` tells the agent what is.
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Missing, message)
    }

    /// The tool cannot be called now; `message` says when it can.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self { retryable: true, ..Self::new(ToolErrorKind::Unavailable, message) }
    }

    /// The same error, worth another try later.
    pub fn retryable(self) -> Self {
        Self { retryable: true, ..self }
    }

    /// Whose fault it is.
    pub fn kind(&self) -> ToolErrorKind {
        self.kind
    }

    /// What went wrong, for the agent.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What is wrong with each argument; empty unless the arguments are at fault.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        self.retryable
    }

    pub(crate) fn new(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        let mut message = message.into();
        if message.trim().is_empty() {
            // No protocol allows an empty message.
            message = "no reason was given".to_owned();
        }
        Self { kind, message, problems: Vec::new(), retryable: kind == ToolErrorKind::TimedOut }
    }

    pub(crate) fn invalid(mut problems: Vec<Problem>) -> Self {
        if problems.len() > MOST_PROBLEMS {
            let message = match problems.len() {
                ENOUGH_PROBLEMS.. => "and more".to_owned(),
                count => format!("and {} more", count - MOST_PROBLEMS),
            };
            problems.truncate(MOST_PROBLEMS);
            problems.push(Problem { pointer: String::new(), message });
        }
        Self { message: list(&problems), problems, ..Self::new(ToolErrorKind::InvalidArguments, "") }
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::Internal, message)
    }

    /// The same of the one argument of that name, whose value then is all that there is.
    pub(crate) fn within_value(self, name: &str) -> Self {
        if self.problems.is_empty() {
            return self;
        }
        let prefix = format!("/{name}");
        let within = |problem: Problem| {
            let pointer = problem.pointer.strip_prefix(&prefix).unwrap_or(&problem.pointer).to_owned();
            Problem { pointer, ..problem }
        };
        let problems: Vec<Problem> = self.problems.into_iter().map(within).collect();
        Self { message: list(&problems), problems, ..self }
    }

    /// What a protocol can say of it beside the message.
    pub(crate) fn data(&self) -> Option<Value> {
        if self.problems.is_empty() {
            return None;
        }
        let problems: Vec<Value> = self
            .problems
            .iter()
            .map(|problem| json!({ "pointer": problem.pointer, "message": problem.message }))
            .collect();
        Some(json!({ "problems": problems }))
    }
}

/// Problems in one line.
fn list(problems: &[Problem]) -> String {
    let list: Vec<String> = problems.iter().map(ToString::to_string).collect();
    format!("invalid arguments: {}", list.join("; "))
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.pointer.is_empty() { "" } else { ": " };
        write!(f, "{}{colon}{}", self.pointer, self.message)
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for ToolError {}

impl From<String> for ToolError {
    fn from(message: String) -> Self {
        Self::failed(message)
    }
}

impl From<&str> for ToolError {
    fn from(message: &str) -> Self {
        Self::failed(message)
    }
}

impl From<std::io::Error> for ToolError {
    fn from(error: std::io::Error) -> Self {
        Self::failed(error.to_string())
    }
}

/// A [`ToolError`] that is in the box is taken out as it is; any other error is a failed tool, in its words.
impl From<Box<dyn Error>> for ToolError {
    fn from(error: Box<dyn Error>) -> Self {
        match error.downcast() {
            Ok(own) => *own,
            Err(other) => Self::failed(other.to_string()),
        }
    }
}

/// As of a box without `Send` and `Sync`.
impl From<Box<dyn Error + Send + Sync>> for ToolError {
    fn from(error: Box<dyn Error + Send + Sync>) -> Self {
        Self::from(error as Box<dyn Error>)
    }
}
