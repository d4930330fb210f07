//! Reads values that have been held to their schema, and text that is held to it meanwhile. What serde_json's
//! own reader lacks: 128 bits, which stand as decimal strings where a JSON number does not hold them, and
//! the place of what is wrong.
//!
//! Whatever is read for a type is compiled for that type: so that is little, and the rest is not generic.

use super::plan::Plan;
use super::text::Cursor;
use super::token::{Items, Members, Token};
use super::words::shown;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Expected, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;
use std::fmt;

/// Reads a value.
///
/// # Errors
///
/// What serde says, and where.
pub(crate) fn read<T: DeserializeOwned>(given: Given<'_, '_>) -> Result<T, ReadError> {
    T::deserialize(given)
}

/// What is read.
pub struct Given<'a, 'c>(Source<'a, 'c>);

enum Source<'a, 'c> {
    Value(Value),
    /// An error then only says that the plan does not take it.
    Planned(&'a Plan, &'c mut Cursor<'a>),
}

impl Given<'_, '_> {
    /// A value that has been held to its schema.
    pub(crate) fn value(value: Value) -> Self {
        Given(Source::Value(value))
    }
}

impl<'a, 'c> Given<'a, 'c> {
    /// Text that is held to a plan.
    pub(crate) fn planned(plan: &'a Plan, cursor: &'c mut Cursor<'a>) -> Self {
        Self(Source::Planned(plan, cursor))
    }

    /// Whether it is null, which then has been read.
    pub(crate) fn null(&mut self) -> Result<bool, ReadError> {
        match &mut self.0 {
            Source::Value(value) => Ok(value.is_null()),
            Source::Planned(plan, cursor) => plan.null(cursor),
        }
    }

    pub(super) fn token(self) -> Result<Token<'a, 'c>, ReadError> {
        match self.0 {
            Source::Value(value) => Ok(match value {
                Value::Null => Token::Null,
                Value::Bool(value) => Token::Bool(value),
                Value::Number(number) => Token::of(number),
                Value::String(text) => Token::Text(text.into()),
                Value::Array(items) => Token::Items(Items::Values { index: 0, items: items.into_iter() }),
                Value::Object(members) => Token::Members(Members::of(members)),
            }),
            Source::Planned(plan, cursor) => plan.token(cursor),
        }
    }
}
/// Why a value could not be read.
#[derive(Debug)]
pub struct ReadError {
    /// The place, from the innermost out.
    path: Vec<String>,
    message: String,
    /// The text is no key of a map with integer keys; these are the least and the greatest.
    pub(super) keys: Option<(String, String)>,
    /// It is not the content of a text or a number that is wrong.
    pub(super) is_structural: bool,
}

impl ReadError {
    /// JSON pointer into the value.
    pub(crate) fn pointer(&self) -> String {
        let token = |segment: &String| format!("/{}", shown(segment).replace('~', "~0").replace('/', "~1"));
        self.path.iter().rev().map(token).collect()
    }

    /// The key that is none.
    pub(super) fn key(&self) -> Option<&str> {
        self.path.first().map(String::as_str)
    }

    /// The plan does not take it, whatever the schema says.
    pub(super) fn unplanned() -> Self {
        Self::custom("")
    }

    /// These are the ends of the keys that a map has.
    pub(super) fn keys(self, least: impl ToString, greatest: impl ToString) -> Self {
        Self { keys: Some((least.to_string(), greatest.to_string())), ..self }
    }

    pub(super) fn structural(self) -> Self {
        Self { is_structural: true, ..self }
    }

    pub(super) fn within(mut self, segment: impl Into<String>) -> Self {
        self.path.push(segment.into());
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

/// What was found, of a very long text the beginning.
struct Shown<'a>(Unexpected<'a>);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Unexpected::Str(text) => Unexpected::Str(&shown(text)).fmt(f),
            other => other.fmt(f),
        }
    }
}

impl serde::de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { path: Vec::new(), message: message.to_string(), keys: None, is_structural: false }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid type: {}, expected {expected}", Shown(found))).structural()
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid value: {}, expected {expected}", Shown(found)))
    }

    fn invalid_length(found: usize, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid length {found}, expected {expected}")).structural()
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("missing field `{field}`")).structural()
    }

    fn unknown_field(field: &str, _expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("unknown field `{}`", shown(field))).structural()
    }

    fn unknown_variant(variant: &str, _expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("unknown variant `{}`", shown(variant))).structural()
    }
}

impl<'de> Deserializer<'de> for Given<'_, '_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.token()?.visit(visitor)
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.token()? {
            Token::Text(text) => match text.parse() {
                Ok(value) => visitor.visit_i128(value),
                Err(_) => Token::Text(text).visit(visitor),
            },
            other => other.visit(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.token()? {
            Token::Text(text) => match text.parse() {
                Ok(value) => visitor.visit_u128(value),
                Err(_) => Token::Text(text).visit(visitor),
            },
            other => other.visit(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, ReadError> {
        if self.null()? { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        // `RawValue`, which only serde_json's own reader makes.
        if name.starts_with("$serde_json::") {
            let Source::Value(value) = self.0 else { return Err(ReadError::unplanned()) };
            return value.deserialize_newtype_struct(name, visitor).map_err(ReadError::custom);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_enum(self.token()?.variant()?)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Source::Value(_) => visitor.visit_unit(),
            // It must be held to the plan for all that.
            Source::Planned(..) => Err(ReadError::unplanned()),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier
    }
}
