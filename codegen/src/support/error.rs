use super::Read;
use super::trail;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// A document is not what it should be: where, and what was expected there.
///
/// It is printed in one line: what the document was taken for, where that is known, then the place and
/// what is wrong there, as in `tools/call request: /params/name: is missing`. Values and the place are cut
/// when they are long, and values of a wrong type are not shown at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    subject: Option<String>,
    pointer: String,
    message: String,
    variant: Option<String>,
    syntax: bool,
}

impl DecodeError {
    /// An error at a place. `pointer` is a JSON pointer (RFC 6901), empty for the whole document.
    pub fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { subject: None, pointer: pointer.into(), message: message.into(), variant: None, syntax: false }
    }

    /// The same error, said of a message: `tools/call request`.
    pub fn of(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// What the document was taken for, where that was known.
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// JSON pointer (RFC 6901) to the value that is wrong; empty for the whole document.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What was expected, and what was found.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Of a value inside a union: `Damage of Effect`, where it was told by a tag or by its JSON type that
    /// the value was meant to be that. Where variants had to be tried, [`message`](Self::message) says it.
    pub fn variant(&self) -> Option<&str> {
        self.variant.as_deref()
    }

    /// The bytes are not JSON at all.
    pub fn is_syntax(&self) -> bool {
        self.syntax
    }

    /// An error at the end of a way.
    pub(crate) fn at(way: &trail::Steps, message: String) -> Self {
        Self { variant: way.variant(), ..Self::new(way.pointer(), message) }
    }

    /// Takes over what serde_json says, with the place that the reader noted on its way out.
    pub(crate) fn from_json(error: &serde_json::Error) -> Self {
        let syntax = !error.is_data();
        let message = match reason(error) {
            reason if syntax => format!("{reason} at line {}, column {}", error.line(), error.column()),
            reason => reason,
        };
        let subject = trail::take_subject().map(str::to_owned);
        Self { subject, syntax, ..Self::at(&trail::take(), message) }
    }
}

/// What is said of a document that is nested deeper than serde_json reads.
pub(crate) const TOO_DEEP: &str = "the text is nested deeper than 127 levels";

/// What is said of a number that no reader of JSON takes.
pub(crate) const TOO_LARGE: &str = "the text has a number that is out of range";

/// What serde_json says in our words, without the position.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let text = without_position(error);
    if error.is_data() {
        return in_our_words(&text);
    }
    let why = match text.as_str() {
        "recursion limit exceeded" => return TOO_DEEP.to_owned(),
        "number out of range" => return TOO_LARGE.to_owned(),
        "EOF while parsing a list" => "it ends inside an array",
        "EOF while parsing an object" => "it ends inside an object",
        "EOF while parsing a string" => "it ends inside a string",
        "EOF while parsing a value" => "it ends before a value does",
        other => other,
    };
    format!("the text is no JSON: {why}")
}

fn without_position(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    if text.ends_with(&position) {
        text.truncate(text.len() - position.len());
    }
    text
}

/// What serde says of a value of a wrong type in our words, and without the value: that may be long,
/// or a secret. All else is in our words already.
pub(crate) fn in_our_words(message: &str) -> String {
    // The value may say anything, our own words behind it do not.
    let said = message.strip_prefix("invalid type: ").and_then(|rest| rest.rsplit_once(", expected "));
    let Some((found, expected)) = said else { return message.to_owned() };
    let kind = match found.split(' ').next() {
        Some("boolean") => "a boolean",
        Some("integer" | "floating") => "a number",
        Some("map") => "an object",
        Some("null") => "null",
        Some("sequence") => "an array",
        Some("string") => "a string",
        _ => "another value",
    };
    format!("must be {expected}, found {kind}")
}

/// Characters of a pointer that are printed: it has the names that stand in the document, however long.
const LONGEST_POINTER: usize = 200;

/// A pointer as it is printed.
fn cut(pointer: &str) -> Cow<'_, str> {
    match pointer.char_indices().nth(LONGEST_POINTER) {
        Some((end, _)) => format!("{}…", &pointer[..end]).into(),
        None => pointer.into(),
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(subject) = &self.subject {
            write!(f, "{subject}: ")?;
        }
        if !self.pointer.is_empty() {
            write!(f, "{}: ", cut(&self.pointer))?;
        }
        f.write_str(&self.message)?;
        match &self.variant {
            Some(variant) => write!(f, " (taken for {variant})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DecodeError {}

/// A value breaks a rule of its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    message: String,
    member: Option<String>,
}

impl RuleError {
    /// What the rule asks, and what was found.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), member: None }
    }

    /// The message, and the member of the value that it is said of, where it is not said of all.
    pub(crate) fn parts(&self) -> (&str, Option<&str>) {
        (&self.message, self.member.as_deref())
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.member {
            Some(member) => write!(f, "{}: {}", cut(&trail::named(member)), self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for RuleError {}

/// What cannot fail breaks no rule.
impl From<std::convert::Infallible> for RuleError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

/// Which of the members that must be there were not given.
pub fn missing(given: &[(&str, bool)]) -> RuleError {
    let missing: Vec<&str> = given.iter().filter(|(_, given)| !given).map(|(name, _)| *name).collect();
    RuleError::new(format!("must have {}", missing.join(", ")))
}

/// Goes on when a rule holds.
///
/// # Errors
///
/// When it does not: `words`, which say what the rule asks.
pub fn ensure(holds: bool, words: &str) -> Result<(), RuleError> {
    if holds { Ok(()) } else { Err(RuleError::new(words)) }
}

/// Goes on when the members of an object that no field has pass a check.
///
/// # Errors
///
/// When they do not; the first that does not pass by itself is named.
pub fn ensure_members(
    members: &Map<String, Value>,
    passes: impl Fn(&Value) -> bool,
) -> Result<(), RuleError> {
    if passes(&Value::Object(members.clone())) {
        return Ok(());
    }
    let alone = |(name, value): &(&String, &Value)| {
        !passes(&Value::Object(Map::from_iter([((*name).clone(), (*value).clone())])))
    };
    Err(match members.iter().find(alone) {
        Some((name, _)) => RuleError {
            message: "has a name or a value that the schema does not allow".to_owned(),
            member: Some(name.clone()),
        },
        None => RuleError::new("has members that the schema does not allow together"),
    })
}

/// Reads a whole document.
///
/// # Errors
///
/// When the bytes are not JSON, or not what `T` accepts: with the place and what was expected.
pub fn from_slice<'de, T: Read<'de>>(bytes: &'de [u8]) -> Result<T, DecodeError> {
    trail::clear();
    // To check all of the text at once is faster than each string by itself.
    let Ok(text) = std::str::from_utf8(bytes) else { return Err(not_text(bytes)) };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    match T::read(&mut deserializer) {
        Ok(value) => match deserializer.end() {
            Ok(()) => Ok(value),
            Err(error) => Err(DecodeError::from_json(&error)),
        },
        Err(error) => Err(wrong(bytes, &error)),
    }
}

/// The error for a document that was not read to its end. That it is no JSON comes first, also where
/// it is wrong in another way before.
#[cold]
fn wrong(bytes: &[u8], error: &serde_json::Error) -> DecodeError {
    let found = DecodeError::from_json(error);
    match serde_json::from_slice::<IgnoredAny>(bytes) {
        Err(error) if !found.syntax => {
            DecodeError { subject: found.subject, ..DecodeError::from_json(&error) }
        }
        _ => found,
    }
}

/// What is wrong with a response: where it is that `error` stands beside `result`, the rule says it
/// better than the type of the result, to which one of them is merely unknown.
pub fn not_both(error: DecodeError, bytes: &[u8]) -> DecodeError {
    let has_both = |response: &Value| {
        response.get("result").is_some() && response.get("error").is_some_and(|error| !error.is_null())
    };
    if error.pointer != "/error" || !serde_json::from_slice(bytes).is_ok_and(|response| has_both(&response)) {
        return error;
    }
    let message = "`result` and `error` must not stand together".to_owned();
    DecodeError { pointer: String::new(), message, variant: None, ..error }
}

/// The error for bytes that are not UTF-8, with the place where a reader of JSON stumbles.
fn not_text(bytes: &[u8]) -> DecodeError {
    match serde_json::from_slice::<Value>(bytes) {
        Err(error) => DecodeError::from_json(&error),
        Ok(_) => DecodeError { syntax: true, ..DecodeError::new("", "is not UTF-8") },
    }
}

/// Reads a JSON value.
///
/// # Errors
///
/// When the value is not what `T` accepts: with the place and what was expected.
pub fn from_value<T: for<'de> Read<'de>>(value: &Value) -> Result<T, DecodeError> {
    trail::clear();
    T::read(value).map_err(|error| DecodeError::from_json(&error))
}
