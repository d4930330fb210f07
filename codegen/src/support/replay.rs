use super::exact;
use super::trail;
use super::{Decimal, Kind, Read};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
    value::{BorrowedStrDeserializer, MapDeserializer, SeqDeserializer},
};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// A value that was read before it was known what it is. Unlike `serde_json::Value` it keeps every
/// member of an object, also one that stands twice, so that reading it later loses nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Content<'de> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer from 0 on.
    Unsigned(u64),
    /// An integer below 0.
    Signed(i64),
    /// Another number.
    Float(f64),
    /// A number of which a double would lose digits; only where that matters.
    Exact(Cow<'de, str>),
    /// A string.
    Text(Cow<'de, str>),
    /// An array.
    List(Vec<Content<'de>>),
    /// An object.
    Members(Vec<(Cow<'de, str>, Content<'de>)>),
}

impl Content<'_> {
    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The member `name` of an object; the last one where it stands twice.
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Members(members) => {
                members.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Its JSON type.
    pub(crate) fn kind(&self) -> Kind {
        let whole = |is_whole| if is_whole { Kind::Integer } else { Kind::Fraction };
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Boolean,
            Self::Unsigned(_) | Self::Signed(_) => Kind::Integer,
            Self::Float(value) => whole(value.fract() == 0.0),
            Self::Exact(text) => whole(Decimal::parse(text).is_some_and(|value| value.is_integer())),
            Self::Text(_) => Kind::String,
            Self::List(_) => Kind::Array,
            Self::Members(_) => Kind::Object,
        }
    }

    /// What it is, as an error says it.
    pub fn shown(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Unsigned(value) => value.to_string(),
            Self::Signed(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Exact(text) => super::text::shortened(text).to_owned(),
            Self::Text(text) => format!("{:?}", super::text::shortened(text)),
            Self::List(_) => "an array".to_owned(),
            Self::Members(_) => "an object".to_owned(),
        }
    }
}

impl<'de> Read<'de> for Content<'de> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyContent { exact: false })
    }
}

/// Reads any value; where it is `exact`, it may get the text of one.
pub(crate) struct AnyContent {
    pub(crate) exact: bool,
}

impl<'de> Visitor<'de> for AnyContent {
    type Value = Content<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Content::Null)
    }
    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(Content::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        Content::read(deserializer)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Content::Bool(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Content::Unsigned(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(u64::try_from(value).map_or(Content::Signed(value), Content::Unsigned))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(Content::Float(value))
    }
    fn visit_str<E>(self, value: &str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Owned(value.to_owned())))
    }
    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Borrowed(value)))
    }
    fn visit_string<E>(self, value: String) -> Result<Self::Value, E> {
        Ok(Content::Text(Cow::Owned(value)))
    }
    // A reader that is asked for the text and can't tell it gives what it has.
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        Content::read(deserializer)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<Content<'de>>()? {
            list.push(item);
        }
        Ok(Content::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(Key(name)) = map.next_key()? {
            if self.exact && members.is_empty() && name == exact::TOKEN {
                return match map.next_value::<Content<'de>>()? {
                    Content::Text(text) => exact::content(text).map_err(A::Error::custom),
                    _ => Err(A::Error::custom("the text of a value is no text")),
                };
            }
            members.push((name, map.next_value::<Content<'de>>()?));
        }
        Ok(Content::Members(members))
    }
}

impl<'de> Deserialize<'de> for Content<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)
    }
}

/// Reads a value in which numbers keep all their digits.
struct ExactSeed;

impl<'de> DeserializeSeed<'de> for ExactSeed {
    type Value = Content<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content<'de>, D::Error> {
        Content::read_exact(deserializer)
    }
}

/// The name of a member, borrowed where the document allows it.
struct Key<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a member")
            }
            fn visit_str<E>(self, name: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(name.to_owned())))
            }
            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(name)))
            }
            fn visit_string<E>(self, name: String) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(name)))
            }
        }
        deserializer.deserialize_identifier(KeyVisitor)
    }
}

/// Reads a value out of [`Content`].
#[derive(Debug)]
pub struct ContentDeserializer<'de, E> {
    content: Content<'de>,
    error: PhantomData<E>,
}

impl<'de, E: Error> IntoDeserializer<'de, E> for Content<'de> {
    type Deserializer = ContentDeserializer<'de, E>;
    fn into_deserializer(self) -> Self::Deserializer {
        ContentDeserializer { content: self, error: PhantomData }
    }
}

impl<'de, E: Error> Deserializer<'de> for ContentDeserializer<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Null => visitor.visit_unit(),
            Content::Bool(value) => visitor.visit_bool(value),
            Content::Unsigned(value) => visitor.visit_u64(value),
            Content::Signed(value) => visitor.visit_i64(value),
            Content::Float(value) => visitor.visit_f64(value),
            Content::Exact(text) => visitor.visit_f64(exact::rounded(&text)?),
            Content::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            Content::Text(Cow::Owned(text)) => visitor.visit_string(text),
            Content::List(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter())),
            Content::Members(members) => visitor.visit_map(MapDeserializer::new(
                members.into_iter().map(|(name, value)| (Content::Text(name), value)),
            )),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Null => visitor.visit_unit(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.content {
            Content::Exact(text) if name == exact::TOKEN => exact::as_map(text, visitor),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    // Names and constants, the most of what is read again.
    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Text(Cow::Borrowed(text)) => visitor.visit_borrowed_str(text),
            _ => self.deserialize_any(visitor),
        }
    }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.deserialize_str(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char string bytes byte_buf unit unit_struct seq
        tuple tuple_struct map struct enum ignored_any
    }
}

/// What a member says that tells objects apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The value of this index.
    Case(usize),
    /// Another value, as an error shows it.
    Other(String),
    /// There is no such member.
    Absent,
}

/// The members of an object up to those by which it is known.
#[derive(Debug)]
pub struct Head<'de, A> {
    exact: bool,
    read: Vec<(Cow<'de, str>, Content<'de>)>,
    /// The name of a member whose value has not been read.
    begun: Option<Cow<'de, str>>,
    rest: Option<A>,
}

impl<'de, A: MapAccess<'de>> Head<'de, A> {
    /// Nothing read yet.
    pub fn new(map: A) -> Self {
        Self { exact: false, read: Vec::new(), begun: None, rest: Some(map) }
    }

    /// Nothing read yet; numbers will keep all their digits.
    pub fn exact(map: A) -> Self {
        Self { exact: true, ..Self::new(map) }
    }

    /// The value of the member `name`, for which as much is read as is needed; `None` when the
    /// object has no such member.
    ///
    /// # Errors
    ///
    /// When the document is no JSON.
    pub fn find(&mut self, name: &str) -> Result<Option<&Content<'de>>, A::Error> {
        let mut at = self.read.iter().position(|(read, _)| read == name);
        while at.is_none() && self.read_on()? {
            at = self.read.last().filter(|(read, _)| read == name).map(|_| self.read.len() - 1);
        }
        Ok(at.map(|index| &self.read[index].1))
    }

    /// Reads one more member; false when there is none.
    fn read_on(&mut self) -> Result<bool, A::Error> {
        let Some(name) = self.next_name()? else { return Ok(false) };
        self.read_value(name)?;
        Ok(true)
    }

    fn next_name(&mut self) -> Result<Option<Cow<'de, str>>, A::Error> {
        if let Some(name) = self.begun.take() {
            return Ok(Some(name));
        }
        let Some(map) = &mut self.rest else { return Ok(None) };
        let name = map.next_key::<Key<'de>>()?.map(|key| key.0);
        if name.is_none() {
            self.rest = None;
        }
        Ok(name)
    }

    fn read_value(&mut self, name: Cow<'de, str>) -> Result<(), A::Error> {
        let Some(map) = &mut self.rest else { return Ok(()) };
        let value =
            if self.exact { map.next_value_seed(ExactSeed) } else { map.next_value::<Content<'de>>() };
        let value = value.map_err(|error| trail::member(&name, error))?;
        self.read.push((name, value));
        Ok(())
    }

    /// Which of `names` comes first among the members; `None` when the object has none of them. Its
    /// value is not looked at.
    ///
    /// # Errors
    ///
    /// When the document is no JSON.
    pub fn first(&mut self, names: &[&str]) -> Result<Option<usize>, A::Error> {
        let index = |read: &str| names.iter().position(|name| *name == read);
        if let Some(found) = self.read.iter().find_map(|(read, _)| index(read)) {
            return Ok(Some(found));
        }
        while let Some(name) = self.next_name()? {
            if let Some(found) = index(&name) {
                self.begun = Some(name);
                return Ok(Some(found));
            }
            self.read_value(name)?;
        }
        Ok(None)
    }

    /// Whether a response is that of a failure: it has `error` and no `result`.
    ///
    /// # Errors
    ///
    /// When the document is no JSON.
    pub fn is_failure(&mut self) -> Result<bool, A::Error> {
        Ok(self.first(&["result", "error"])? == Some(1) && self.find("result")?.is_none())
    }

    /// Which of `values` the member `name` has.
    ///
    /// # Errors
    ///
    /// When the document is no JSON.
    pub fn choose(&mut self, name: &str, values: &[&str]) -> Result<Choice, A::Error> {
        Ok(match self.find(name)? {
            None => Choice::Absent,
            Some(content) => {
                match content.as_str().and_then(|text| values.iter().position(|value| *value == text)) {
                    Some(index) => Choice::Case(index),
                    None => Choice::Other(content.shown()),
                }
            }
        })
    }

    /// The error for a member that has, or lacks, the value by which the object would be known.
    pub fn refuse(name: &str, choice: &Choice, values: &[&str]) -> A::Error {
        let expected = match values {
            [only] => format!("{only:?}"),
            _ => format!(
                "one of {}",
                values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
            ),
        };
        let error = match choice {
            Choice::Other(found) => A::Error::custom(format_args!("must be {expected}, found {found}")),
            _ => A::Error::custom(format_args!("is missing, must be {expected}")),
        };
        trail::misfit(name, error)
    }

    /// All members.
    ///
    /// # Errors
    ///
    /// When the document is no JSON.
    pub(crate) fn into_content(mut self) -> Result<Content<'de>, A::Error> {
        while self.read_on()? {}
        Ok(Content::Members(self.read))
    }

    /// All members again, from the first one on.
    pub fn replay(self) -> Replay<'de, A> {
        Replay { read: self.read.into_iter(), value: None, begun: self.begun, rest: self.rest }
    }
}

/// Gives the members that a [`Head`] has read once more, then the others.
#[derive(Debug)]
pub struct Replay<'de, A> {
    read: std::vec::IntoIter<(Cow<'de, str>, Content<'de>)>,
    value: Option<Content<'de>>,
    begun: Option<Cow<'de, str>>,
    rest: Option<A>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Replay<'de, A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let name = match self.read.next() {
            Some((name, value)) => {
                self.value = Some(value);
                Some(name)
            }
            None => self.begun.take(),
        };
        match (name, &mut self.rest) {
            (Some(Cow::Borrowed(name)), _) => seed.deserialize(BorrowedStrDeserializer::new(name)).map(Some),
            (Some(Cow::Owned(name)), _) => seed.deserialize(name.into_deserializer()).map(Some),
            (None, Some(map)) => map.next_key_seed(seed),
            (None, None) => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match (self.value.take(), &mut self.rest) {
            (Some(value), _) => seed.deserialize(value.into_deserializer()),
            (None, Some(map)) => map.next_value_seed(seed),
            (None, None) => Err(Error::custom("a value was asked for before its name")),
        }
    }
}
