use super::{Content, RuleError, trail};
use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
    value::{MapAccessDeserializer, SeqAccessDeserializer},
};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// A type that reads exactly what its schema accepts.
///
/// Unlike serde's own implementations for the same types, an error leaves its place behind (see
/// [`super::DecodeError`]), and a member that stands twice in an object is refused.
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
as_serde_reads!(bool, String, f64);

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

/// A type that is a JSON object with known members.
pub trait Object<'de>: Sized {
    /// What it is called, for errors.
    const WHAT: &'static str;
    /// Reads the members.
    ///
    /// # Errors
    ///
    /// When a member is missing, unknown where none may be, or wrong.
    fn members<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}

impl<'de, T: Object<'de>> Object<'de> for Box<T> {
    const WHAT: &'static str = T::WHAT;
    fn members<A: MapAccess<'de>>(map: A) -> Result<Self, A::Error> {
        T::members(map).map(Box::new)
    }
}

/// Reads an object.
///
/// # Errors
///
/// As [`Object::members`], and when the value is no object.
pub fn object<'de, T: Object<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    // Written in place: a reader hands on what a visitor gives from call to call, each time a copy.
    struct ObjectVisitor<'s, T>(&'s mut Option<T>);
    impl<'de, T: Object<'de>> Visitor<'de> for ObjectVisitor<'_, T> {
        type Value = ();
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "an object ({})", T::WHAT)
        }
        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
            *self.0 = Some(T::members(map)?);
            Ok(())
        }
    }
    let mut read = None;
    deserializer.deserialize_map(ObjectVisitor(&mut read))?;
    read.ok_or_else(|| D::Error::custom("an object was not read"))
}

/// The members of an object, as they come.
#[derive(Debug)]
pub struct Members<A> {
    map: A,
    names: &'static [&'static str],
    likely: usize,
}

/// The name of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Member {
    /// Index into the names that were asked for.
    Known(usize),
    /// Another name.
    Other(String),
}

impl<'de, A: MapAccess<'de>> Members<A> {
    /// Reads the members of `map`; those called one of `names` are known.
    pub fn new(map: A, names: &'static [&'static str]) -> Self {
        Self { map, names, likely: 0 }
    }

    /// The name of the next member; its value must be read before the next call.
    ///
    /// # Errors
    ///
    /// When the document is no JSON from here on.
    pub fn next_member(&mut self) -> Result<Option<Member>, A::Error> {
        let member = self.map.next_key_seed(Name { names: self.names, likely: self.likely })?;
        if let Some(Member::Known(index)) = member {
            self.likely = index + 1;
        }
        Ok(member)
    }

    /// Reads the value of the member `name`.
    ///
    /// # Errors
    ///
    /// When the value is no `T`.
    pub fn value<T: Read<'de>>(&mut self, name: &str) -> Result<T, A::Error> {
        match self.map.next_value_seed(Seed::<T>::new()) {
            Ok(value) => Ok(value),
            Err(error) => Err(trail::member(name, error)),
        }
    }

    /// Reads the value of the member `name` into `slot`.
    ///
    /// # Errors
    ///
    /// When the value is no `T`, and when the slot is taken: the member stands twice.
    pub fn set<T: Read<'de>>(&mut self, slot: &mut Option<T>, name: &str) -> Result<(), A::Error> {
        if slot.is_some() {
            return Err(twice(name));
        }
        *slot = Some(self.value(name)?);
        Ok(())
    }

    /// Reads the value of the member `name`, which `test` must let pass.
    ///
    /// # Errors
    ///
    /// When it does not, and when the member was `seen` before.
    pub fn constant(&mut self, seen: &mut bool, name: &str, value: &'static str) -> Result<(), A::Error> {
        if std::mem::replace(seen, true) {
            return Err(twice(name));
        }
        self.map.next_value_seed(Text(value)).map_err(|error| trail::member(name, error))
    }

    /// Reads the value of the member `name`, which must equal `value`.
    ///
    /// # Errors
    ///
    /// When it does not, and when the member was `seen` before.
    pub fn equals(&mut self, seen: &mut bool, name: &str, value: &Value) -> Result<(), A::Error> {
        if std::mem::replace(seen, true) {
            return Err(twice(name));
        }
        let found: Value = self.value(name)?;
        if super::equal(&found, value) {
            Ok(())
        } else {
            Err(trail::member(name, Error::custom(format_args!("must be {value}, found {}", Shown(&found)))))
        }
    }

    /// Reads the value of an unnamed member into `rest`.
    ///
    /// # Errors
    ///
    /// When the value is no `T`, and when the member stands twice.
    pub fn keep<T: Read<'de>, M: Rest<T>>(&mut self, rest: &mut M, name: String) -> Result<(), A::Error> {
        let value = self.value(&name)?;
        if rest.has(&name) {
            return Err(twice(&name));
        }
        rest.put(name, value);
        Ok(())
    }

    /// The error for a member that may not be there.
    pub fn unknown(&self, name: &str) -> A::Error {
        let known = self.names.join("`, `");
        let expected = if known.is_empty() { "no members".to_owned() } else { format!("one of `{known}`") };
        trail::member(name, Error::custom(format_args!("unknown member, expected {expected}")))
    }
}

/// Where unnamed members go.
pub trait Rest<T> {
    /// Whether a member of this name is there.
    fn has(&self, name: &str) -> bool;
    /// Adds a member.
    fn put(&mut self, name: String, value: T);
}

impl Rest<Value> for serde_json::Map<String, Value> {
    fn has(&self, name: &str) -> bool {
        self.contains_key(name)
    }
    fn put(&mut self, name: String, value: Value) {
        self.insert(name, value);
    }
}

impl<T> Rest<T> for BTreeMap<String, T> {
    fn has(&self, name: &str) -> bool {
        self.contains_key(name)
    }
    fn put(&mut self, name: String, value: T) {
        self.insert(name, value);
    }
}

/// What was read of a member that must be there.
///
/// # Errors
///
/// When nothing was.
#[inline]
pub fn required<T, E: Error>(value: Option<T>, name: &str) -> Result<T, E> {
    match value {
        Some(value) => Ok(value),
        None => Err(missing(name)),
    }
}

#[cold]
fn twice<E: Error>(name: &str) -> E {
    trail::member(name, E::custom("stands twice"))
}

#[cold]
fn missing<E: Error>(name: &str) -> E {
    trail::member(name, E::custom("is missing"))
}

/// Notes whether a constant member was there.
///
/// # Errors
///
/// When it was not.
#[inline]
pub fn constant<E: Error>(seen: bool, name: &str) -> Result<(), E> {
    if seen { Ok(()) } else { Err(missing(name)) }
}

/// The error for a rule that is broken at the place being read.
pub fn refuse<E: Error>(error: &RuleError) -> E {
    Error::custom(error)
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

/// Where the trail of places stands, before something is tried that may fail.
pub fn mark() -> usize {
    trail::mark()
}

/// Reads what is known to be the message `name`, and notes that name when it cannot be read.
///
/// # Errors
///
/// As [`Object::members`].
pub fn taken_for<'de, T: Object<'de>, A: MapAccess<'de>>(name: &'static str, map: A) -> Result<T, A::Error> {
    T::members(map).inspect_err(|_| trail::subject(name))
}

/// Forgets the places that a failed try left behind.
pub fn forget(mark: usize) {
    trail::forget(mark);
}

struct Name {
    names: &'static [&'static str],
    likely: usize,
}

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Member;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Member, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Member;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }
    fn visit_str<E>(self, name: &str) -> Result<Member, E> {
        // Most documents keep the order of the schema, so the next name is the likely one.
        if self.names.get(self.likely) == Some(&name) {
            return Ok(Member::Known(self.likely));
        }
        Ok(self
            .names
            .iter()
            .position(|known| *known == name)
            .map_or_else(|| Member::Other(name.to_owned()), Member::Known))
    }
}

/// Reads exactly one string.
struct Text(&'static str);

impl<'de> DeserializeSeed<'de> for Text {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Text {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if text == self.0 {
            Ok(())
        } else {
            Err(Error::invalid_value(Unexpected::Str(super::text::shortened(text)), &self))
        }
    }
}

/// A value as an error shows it: cut when it is long.
pub(crate) struct Shown<'a>(pub(crate) &'a Value);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::Array(_) => f.write_str("an array"),
            Value::Object(_) => f.write_str("an object"),
            Value::String(text) => write!(f, "{:?}", super::text::shortened(text)),
            other => write!(f, "{other}"),
        }
    }
}
