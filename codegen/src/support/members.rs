use super::{Read, Seed, trail};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, Visitor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

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
        self.map.next_value_seed(Text(value)).map_err(|error| trail::misfit(name, error))
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
            Err(trail::misfit(name, Error::custom(format_args!("must be {value}, found {}", Shown(&found)))))
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
        trail::misfit(name, Error::custom(format_args!("unknown member, expected {expected}")))
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
pub(crate) fn twice<E: Error>(name: &str) -> E {
    trail::misfit(name, E::custom("stands twice"))
}

#[cold]
pub(crate) fn missing<E: Error>(name: &str) -> E {
    trail::misfit(name, E::custom("is missing"))
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

/// Reads what is known to be the message `name`, and notes that name when it cannot be read.
///
/// # Errors
///
/// As [`Object::members`].
pub fn taken_for<'de, T: Object<'de>, A: MapAccess<'de>>(name: &'static str, map: A) -> Result<T, A::Error> {
    T::members(map).inspect_err(|_| trail::subject(name))
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
            let found = super::text::shortened(text);
            Err(E::custom(format_args!("must be {:?}, found {found:?}", self.0)))
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
