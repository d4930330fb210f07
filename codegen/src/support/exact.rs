use super::error::{TOO_DEEP, TOO_LARGE, reason};
use super::replay::AnyContent;
use super::{ByKind, Content, Decimal, Read, RuleError};
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The name by which serde_json is asked for the text of a value.
pub(crate) const TOKEN: &str = "$serde_json::private::RawValue";

/// Deeper documents are refused, as serde_json refuses them.
const DEEPEST: usize = 127;

/// A number with all its digits: serde_json's own numbers end at 64 bits.
impl<'de> Read<'de> for Decimal {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(&Content::read_exact(deserializer)?)
    }
}

impl Decimal {
    /// Reads a number that has no point and no exponent.
    ///
    /// # Errors
    ///
    /// When the value is none.
    #[doc(hidden)]
    pub fn read_written_as_integer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let content = Content::read_exact(deserializer)?;
        let has_point = match &content {
            Content::Float(_) => true,
            Content::Exact(text) => text.contains(['.', 'e', 'E']),
            _ => false,
        };
        if has_point {
            return Err(D::Error::custom(format_args!(
                "must be written without a fraction, found {}",
                content.shown()
            )));
        }
        Self::of(&content)
    }

    fn of<E: Error>(content: &Content<'_>) -> Result<Self, E> {
        match content {
            Content::Unsigned(value) => Ok(Self::from(*value)),
            Content::Signed(value) => Ok(Self::from(*value)),
            Content::Float(value) => Self::try_from(*value).map_err(E::custom),
            Content::Exact(text) => text.parse().map_err(E::custom),
            other => Err(E::custom(format_args!("must be a number, found {}", other.kind().words()))),
        }
    }
}

impl<'de> serde::Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(value) = self.as_u64() {
            return serializer.serialize_u64(value);
        }
        if let Some(value) = self.as_i64() {
            return serializer.serialize_i64(value);
        }
        let float = self.as_f64();
        if Self::try_from(float).is_ok_and(|same| same == *self) {
            return serializer.serialize_f64(float);
        }
        RawValue::from_string(self.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Content<'de> {
    /// Reads a value in which numbers keep all their digits.
    ///
    /// # Errors
    ///
    /// When the document is no JSON.
    pub fn read_exact<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(TOKEN, AnyContent { exact: true })
    }

    /// The same value, borrowing nothing.
    fn into_owned(self) -> Content<'static> {
        match self {
            Self::Null => Content::Null,
            Self::Bool(value) => Content::Bool(value),
            Self::Unsigned(value) => Content::Unsigned(value),
            Self::Signed(value) => Content::Signed(value),
            Self::Float(value) => Content::Float(value),
            Self::Exact(text) => Content::Exact(Cow::Owned(text.into_owned())),
            Self::Text(text) => Content::Text(Cow::Owned(text.into_owned())),
            Self::List(items) => Content::List(items.into_iter().map(Content::into_owned).collect()),
            Self::Members(members) => Content::Members(
                members
                    .into_iter()
                    .map(|(name, value)| (Cow::Owned(name.into_owned()), value.into_owned()))
                    .collect(),
            ),
        }
    }
}

/// The value of a text that serde_json has seen to be JSON.
///
/// # Errors
///
/// When it is too deep.
pub(crate) fn content(text: Cow<'_, str>) -> Result<Content<'_>, RuleError> {
    match text {
        Cow::Borrowed(text) => parsed(text, 0),
        Cow::Owned(text) => parsed(&text, 0).map(Content::into_owned),
    }
}

fn parsed(text: &str, depth: usize) -> Result<Content<'_>, RuleError> {
    let text = text.trim();
    let wrong = |error: serde_json::Error| RuleError::new(reason(&error));
    if depth > DEEPEST {
        return Err(RuleError::new(TOO_DEEP));
    }
    match text.as_bytes().first() {
        Some(b'[' | b'{') => {
            let mut deserializer = serde_json::Deserializer::from_str(text);
            Level { depth }.deserialize(&mut deserializer).map_err(wrong)
        }
        Some(b'-' | b'0'..=b'9') => Ok(number(text)),
        _ => Content::read(&mut serde_json::Deserializer::from_str(text)).map_err(wrong),
    }
}

/// A number as serde_json would have it, where that is the same number.
fn number(text: &str) -> Content<'_> {
    if let Ok(value) = text.parse::<u64>() {
        return Content::Unsigned(value);
    }
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(value), _) if value < 0 => Content::Signed(value),
        (_, Ok(value)) if Decimal::try_from(value).ok() == Decimal::parse(text) => Content::Float(value),
        _ => Content::Exact(Cow::Borrowed(text)),
    }
}

/// Reads an array or an object, of whose parts only the texts are read.
struct Level {
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Content<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Content<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array or an object")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Content<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<&'de RawValue>()? {
            list.push(parsed(item.get(), self.depth + 1).map_err(A::Error::custom)?);
        }
        Ok(Content::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let value = parsed(map.next_value::<&'de RawValue>()?.get(), self.depth + 1);
            members.push((Cow::Owned(name), value.map_err(A::Error::custom)?));
        }
        Ok(Content::Members(members))
    }
}

/// How a reader is asked for the text of a value: as a map of one entry.
pub(crate) fn as_map<'de, E: Error, V: Visitor<'de>>(text: Cow<'de, str>, visitor: V) -> Result<V::Value, E> {
    let entry = (Content::Text(Cow::Borrowed(TOKEN)), Content::Text(text));
    visitor.visit_map(serde::de::value::MapDeserializer::new(std::iter::once(entry)))
}

/// The double that is nearest to a number's text, which any reader takes.
pub(crate) fn rounded<E: Error>(text: &str) -> Result<f64, E> {
    text.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(|| E::custom(TOO_LARGE))
}

/// As `kinds`, for types in which numbers keep all their digits.
///
/// # Errors
///
/// As [`super::ByKind::read_as`].
pub fn exact_kinds<'de, T: ByKind<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let content = Content::read_exact(deserializer)?;
    T::read_as(content.kind(), IntoDeserializer::<D::Error>::into_deserializer(content))
}
