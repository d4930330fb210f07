use super::members::twice;
use super::{RuleError, trail};
use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
    value::{BorrowedStrDeserializer, MapAccessDeserializer, SeqAccessDeserializer},
};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// A type that reads exactly what its schema accepts.
///
/// Unlike serde's own implementations for the same types, an error leaves its place behind (see
/// [`DecodeError`](super::DecodeError)), and a member that stands twice in an object is refused.
pub trait Read<'de>: Sized {
    /// Reads a value.
    ///
    /// # Errors
    ///
    /// When the value is not one of this type.
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// Reads a `T` where serde wants a seed.
#[derive(Debug)]
pub struct Seed<T>(PhantomData<T>);

impl<T> Seed<T> {
    /// The seed.
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T> Default for Seed<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'de, T: Read<'de>> DeserializeSeed<'de> for Seed<T> {
    type Value = T;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::read(deserializer)
    }
}

macro_rules! as_serde_reads {
    ($($type:ty),*) => {$(
        impl<'de> Read<'de> for $type {
            fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$type as serde::Deserialize>::deserialize(deserializer)
            }
        }
    )*};
}
as_serde_reads!(bool, String);

/// Only `null`.
impl<'de> Read<'de> for () {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Null;
        impl Visitor<'_> for Null {
            type Value = ();
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("null")
            }
            fn visit_unit<E>(self) -> Result<(), E> {
                Ok(())
            }
        }
        deserializer.deserialize_any(Null)
    }
}

impl<'de, T: Read<'de>> Read<'de> for Box<T> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Box::new)
    }
}

/// The value or `null`.
impl<'de, T: Read<'de>> Read<'de> for Option<T> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Nullable<T>(PhantomData<T>);
        impl<'de, T: Read<'de>> Visitor<'de> for Nullable<T> {
            type Value = Option<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value or null")
            }
            fn visit_none<E>(self) -> Result<Self::Value, E> {
                Ok(None)
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(None)
            }
            fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
                T::read(deserializer).map(Some)
            }
            // What has been looked at already comes as it is, by serde's own deserializers of one value.
            fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
                T::read(value.into_deserializer()).map(Some)
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Self::Value, E> {
                T::read(value.into_deserializer()).map(Some)
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Self::Value, E> {
                T::read(value.into_deserializer()).map(Some)
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
                T::read(value.into_deserializer()).map(Some)
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<Self::Value, E> {
                T::read(value.into_deserializer()).map(Some)
            }
            fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<Self::Value, E> {
                T::read(BorrowedStrDeserializer::new(value)).map(Some)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Self::Value, A::Error> {
                T::read(SeqAccessDeserializer::new(items)).map(Some)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::read(MapAccessDeserializer::new(map)).map(Some)
            }
        }
        deserializer.deserialize_option(Nullable(PhantomData))
    }
}

impl<'de, T: Read<'de>> Read<'de> for Vec<T> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List<T>(PhantomData<T>);
        impl<'de, T: Read<'de>> Visitor<'de> for List<T> {
            type Value = Vec<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
                // The hint comes from the document: do not let it reserve memory without end.
                let mut list = Vec::with_capacity(items.size_hint().unwrap_or(0).min(1024));
                loop {
                    match items.next_element_seed(Seed::<T>::new()) {
                        Ok(Some(item)) => list.push(item),
                        Ok(None) => return Ok(list),
                        Err(error) => return Err(trail::item(list.len(), error)),
                    }
                }
            }
        }
        deserializer.deserialize_seq(List(PhantomData))
    }
}

impl<'de, T: Read<'de>> Read<'de> for BTreeMap<String, T> {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Read<'de>> Visitor<'de> for Entries<T> {
            type Value = BTreeMap<String, T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    let value =
                        map.next_value_seed(Seed::<T>::new()).map_err(|error| trail::member(&name, error))?;
                    if entries.contains_key(&name) {
                        return Err(twice(&name));
                    }
                    entries.insert(name, value);
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// The error for a rule that is broken at the place being read.
pub fn refuse<E: Error>(error: &RuleError) -> E {
    match error.parts() {
        (message, Some(member)) => trail::member(member, Error::custom(message)),
        (message, None) => Error::custom(message),
    }
}

/// Reads a string through `make`, which sees it before anything is allocated.
///
/// # Errors
///
/// When the value is no string, or `make` refuses it.
pub fn text<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    what: &'static str,
    make: impl FnOnce(&str) -> Result<T, RuleError>,
) -> Result<T, D::Error> {
    struct TextVisitor<F>(&'static str, F);
    impl<T, F: FnOnce(&str) -> Result<T, RuleError>> Visitor<'_> for TextVisitor<F> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a string ({})", self.0)
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            (self.1)(text).map_err(|error| refuse(&error))
        }
    }
    deserializer.deserialize_str(TextVisitor(what, make))
}
