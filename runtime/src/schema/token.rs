//! What serde is told of what is read: of values, and of text that is held to a plan.

use super::plan::{List, Object, Plan};
use super::read::{Given, ReadError};
use super::text::Cursor;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Number, Value};
use std::borrow::Cow;

/// What serde is told of a value.
pub(super) enum Token<'a, 'c> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(Cow<'a, str>),
    Items(Items<'a, 'c>),
    Members(Members<'a, 'c>),
}

impl<'a, 'c> Token<'a, 'c> {
    pub(super) fn of(number: Number) -> Self {
        match (number.as_u64(), number.as_i64()) {
            (Some(value), _) => Self::Unsigned(value),
            (None, Some(value)) => Self::Signed(value),
            // Without digits of its own every number has one of the three.
            (None, None) => Self::Float(number.as_f64().unwrap_or(f64::NAN)),
        }
    }

    pub(super) fn visit<'de, V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, ReadError> {
        // What is matched is not moved: each move would be compiled with its end, for each type.
        let read = match &mut self {
            Self::Null => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(*value),
            Self::Unsigned(value) => visitor.visit_u64(*value),
            Self::Signed(value) => visitor.visit_i64(*value),
            Self::Float(value) => visitor.visit_f64(*value),
            Self::Text(Cow::Borrowed(text)) => visitor.visit_str(text),
            Self::Text(Cow::Owned(text)) => visitor.visit_string(std::mem::take(text)),
            Self::Items(items) => visitor.visit_seq(items),
            Self::Members(members) => visitor.visit_map(members),
        };
        match read {
            Ok(read) => self.finish().map(|()| read),
            error => error,
        }
    }

    /// Whether all has been read of what it holds.
    fn finish(&mut self) -> Result<(), ReadError> {
        match self {
            Self::Items(items) => items.finish(),
            Self::Members(members) => members.finish(),
            _ => Ok(()),
        }
    }

    pub(super) fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Null => Unexpected::Unit,
            Self::Bool(value) => Unexpected::Bool(*value),
            Self::Unsigned(_) | Self::Signed(_) | Self::Float(_) => Unexpected::Other("number"),
            Self::Text(text) => Unexpected::Str(text),
            Self::Items(_) => Unexpected::Seq,
            Self::Members(_) => Unexpected::Map,
        }
    }

    /// The variant of an enum.
    pub(super) fn variant(self) -> Result<Variant<'a>, ReadError> {
        match self {
            Self::Text(variant) => Ok(Variant { variant, value: None }),
            Self::Members(Members::Values { mut members, .. }) if members.len() == 1 => {
                let (variant, value) = members.next().expect("it has one member");
                Ok(Variant { variant: variant.into(), value: Some(value) })
            }
            other => {
                Err(ReadError::invalid_type(other.unexpected(), &"a variant's name, or an object with one"))
            }
        }
    }
}
pub(super) enum Items<'a, 'c> {
    Values { index: usize, items: std::vec::IntoIter<Value> },
    Planned { plan: &'a List, cursor: &'c mut Cursor<'a>, count: u64, is_over: bool },
}

impl<'a, 'c> Items<'a, 'c> {
    /// Of a list that has begun.
    pub(super) fn planned(plan: &'a List, cursor: &'c mut Cursor<'a>) -> Self {
        Self::Planned { plan, cursor, count: 0, is_over: false }
    }

    fn next(&mut self) -> Result<Option<Given<'a, '_>>, ReadError> {
        match self {
            Self::Values { index, items } => {
                *index += 1;
                Ok(items.next().map(Given::value))
            }
            Self::Planned { is_over: true, .. } => Ok(None),
            Self::Planned { plan, cursor, count, is_over } => {
                if cursor.item(*count == 0).ok_or_else(ReadError::unplanned)? {
                    let item = plan.item(*count).ok_or_else(ReadError::unplanned)?;
                    *count += 1;
                    return Ok(Some(Given::planned(item, cursor)));
                }
                *is_over = true;
                if plan.may_end(*count) { Ok(None) } else { Err(ReadError::unplanned()) }
            }
        }
    }

    /// Says where an error is.
    fn within(&self, error: ReadError) -> ReadError {
        match self {
            Self::Values { index, .. } => error.within((index - 1).to_string()),
            Self::Planned { .. } => error,
        }
    }

    /// Whether all has been read.
    fn finish(&mut self) -> Result<(), ReadError> {
        if let Self::Values { index, items } = &self {
            return match items.len() {
                0 => Ok(()),
                left => Err(ReadError::invalid_length(index + left, &"fewer items")),
            };
        }
        if self.next()?.is_none() { Ok(()) } else { Err(ReadError::unplanned()) }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let Some(item) = self.next()? else { return Ok(None) };
        seed.deserialize(item).map(Some).map_err(|error| self.within(error))
    }

    fn size_hint(&self) -> Option<usize> {
        match self {
            Self::Values { items, .. } => Some(items.len()),
            Self::Planned { .. } => None,
        }
    }
}

pub(super) enum Members<'a, 'c> {
    Values {
        members: serde_json::map::IntoIter,
        name: String,
        value: Option<Value>,
    },
    Planned {
        plan: &'a Object,
        cursor: &'c mut Cursor<'a>,
        seen: u64,
        value: Option<&'a Plan>,
        is_over: bool,
    },
}

impl<'a, 'c> Members<'a, 'c> {
    pub(super) fn of(members: Map<String, Value>) -> Self {
        Self::Values { members: members.into_iter(), name: String::new(), value: None }
    }

    /// Of an object that has begun.
    pub(super) fn planned(plan: &'a Object, cursor: &'c mut Cursor<'a>) -> Self {
        Self::Planned { plan, cursor, seen: 0, value: None, is_over: false }
    }

    fn next_name(&mut self) -> Result<Option<Cow<'a, str>>, ReadError> {
        match self {
            Self::Values { members, name, value } => {
                let Some((next, its_value)) = members.next() else { return Ok(None) };
                name.clone_from(&next);
                *value = Some(its_value);
                Ok(Some(next.into()))
            }
            Self::Planned { is_over: true, .. } => Ok(None),
            Self::Planned { plan, cursor, seen, value, is_over } => {
                match cursor.member(*seen == 0).ok_or_else(ReadError::unplanned)? {
                    Some(name) => {
                        *value = Some(plan.member(&name, seen).ok_or_else(ReadError::unplanned)?);
                        Ok(Some(name))
                    }
                    None => {
                        *is_over = true;
                        if plan.may_end(*seen) { Ok(None) } else { Err(ReadError::unplanned()) }
                    }
                }
            }
        }
    }

    fn value(&mut self) -> Result<Given<'a, '_>, ReadError> {
        let given = match self {
            Self::Values { value, .. } => value.take().map(Given::value),
            Self::Planned { value, cursor, .. } => value.take().map(|plan| Given::planned(plan, cursor)),
        };
        given.ok_or_else(|| ReadError::custom("a value comes after its key"))
    }

    /// Says where an error is.
    fn within(&self, error: ReadError) -> ReadError {
        match self {
            Self::Values { name, .. } => error.within(name.as_str()),
            Self::Planned { .. } => error,
        }
    }

    /// Whether all has been read, as far as that matters.
    fn finish(&mut self) -> Result<(), ReadError> {
        let is_read = matches!(self, Self::Values { .. }) || self.next_name()?.is_none();
        if is_read { Ok(()) } else { Err(ReadError::unplanned()) }
    }
}

impl<'de> MapAccess<'de> for Members<'_, '_> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        let Some(name) = self.next_name()? else { return Ok(None) };
        seed.deserialize(Key(name)).map(Some).map_err(|error| self.within(error.structural()))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let value = self.value()?;
        seed.deserialize(value).map_err(|error| self.within(error))
    }

    fn size_hint(&self) -> Option<usize> {
        match self {
            Self::Values { members, .. } => Some(members.len()),
            Self::Planned { .. } => None,
        }
    }
}

/// The name of a member, which may be a number where the type of the map says so.
struct Key<'a>(Cow<'a, str>);

macro_rules! integer_key {
    ($($method:ident $integer:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.0.parse::<$integer>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(ReadError::invalid_value(Unexpected::Str(&self.0), &"a whole number as a key")
                    .keys($integer::MIN, $integer::MAX)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        Token::Text(self.0).visit(visitor)
    }

    integer_key! {
        deserialize_i8 i8 visit_i8
        deserialize_i16 i16 visit_i16
        deserialize_i32 i32 visit_i32
        deserialize_i64 i64 visit_i64
        deserialize_i128 i128 visit_i128
        deserialize_u8 u8 visit_u8
        deserialize_u16 u16 visit_u16
        deserialize_u32 u32 visit_u32
        deserialize_u64 u64 visit_u64
        deserialize_u128 u128 visit_u128
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.parse() {
            Ok(value) => visitor.visit_bool(value),
            Err(_) => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

/// The variant of an enum, with what it holds.
pub(super) struct Variant<'a> {
    variant: Cow<'a, str>,
    value: Option<Value>,
}

impl<'de, 'a> EnumAccess<'de> for Variant<'a> {
    type Error = ReadError;
    type Variant = Content<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content<'a>), ReadError> {
        let variant = seed.deserialize(Key(Cow::Borrowed(&self.variant)))?;
        Ok((variant, Content { variant: self.variant, value: self.value }))
    }
}

/// What a variant holds.
pub(super) struct Content<'a> {
    variant: Cow<'a, str>,
    value: Option<Value>,
}

impl Content<'_> {
    fn read<T>(self, read: impl FnOnce(Given<'_, '_>) -> Result<T, ReadError>) -> Result<T, ReadError> {
        let value = self.value.ok_or_else(|| ReadError::custom("the variant holds something"))?;
        read(Given::value(value)).map_err(|error| error.within(self.variant))
    }
}

impl<'de> VariantAccess<'de> for Content<'_> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match self.value {
            None | Some(Value::Null) => Ok(()),
            Some(other) => {
                let other = Given::value(other).token()?;
                Err(ReadError::invalid_type(other.unexpected(), &"nothing"))
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        self.read(|value| seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.read(|value| value.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.read(|value| value.deserialize_any(visitor))
    }
}
