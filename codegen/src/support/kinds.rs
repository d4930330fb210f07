use super::Content;
use serde::de::{
    Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
    value::{MapAccessDeserializer, SeqAccessDeserializer},
};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// The JSON type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number without a fraction, 1.0 included.
    Integer,
    /// Another number.
    Fraction,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// What it is called, for errors.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Integer | Self::Fraction => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

/// A type whose variants are told apart by their JSON type.
pub trait ByKind<'de>: Sized {
    /// What it is called, for errors.
    const WHAT: &'static str;
    /// Reads a value of a known type.
    ///
    /// # Errors
    ///
    /// When no variant has this type, or the one that has it refuses the value.
    fn read_as<D: Deserializer<'de>>(kind: Kind, deserializer: D) -> Result<Self, D::Error>;
}

/// Reads a value whose variant depends on its JSON type.
///
/// # Errors
///
/// As [`ByKind::read_as`].
pub fn kinds<'de, T: ByKind<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct KindVisitor<T>(PhantomData<T>);
    impl<'de, T: ByKind<'de>> Visitor<'de> for KindVisitor<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(T::WHAT)
        }
        fn visit_unit<E: Error>(self) -> Result<T, E> {
            T::read_as(Kind::Null, ().into_deserializer())
        }
        fn visit_bool<E: Error>(self, value: bool) -> Result<T, E> {
            T::read_as(Kind::Boolean, value.into_deserializer())
        }
        fn visit_u64<E: Error>(self, value: u64) -> Result<T, E> {
            T::read_as(Kind::Integer, value.into_deserializer())
        }
        fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
            T::read_as(Kind::Integer, value.into_deserializer())
        }
        fn visit_f64<E: Error>(self, value: f64) -> Result<T, E> {
            let kind = if value.fract() == 0.0 { Kind::Integer } else { Kind::Fraction };
            T::read_as(kind, value.into_deserializer())
        }
        fn visit_str<E: Error>(self, value: &str) -> Result<T, E> {
            T::read_as(Kind::String, Content::Text(Cow::Owned(value.to_owned())).into_deserializer())
        }
        fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<T, E> {
            T::read_as(Kind::String, Content::Text(Cow::Borrowed(value)).into_deserializer())
        }
        fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T, A::Error> {
            T::read_as(Kind::Array, SeqAccessDeserializer::new(items))
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::read_as(Kind::Object, MapAccessDeserializer::new(map))
        }
    }
    deserializer.deserialize_any(KindVisitor(PhantomData))
}
