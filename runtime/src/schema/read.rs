//! Reads values that have been held to their schema. What serde_json's own reader lacks: 128 bits, which
//! stand as decimal strings where a JSON number does not hold them, and the place of what is wrong.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, Expected, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};
use std::fmt;

/// Reads a value.
///
/// # Errors
///
/// What serde says, and where.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, ReadError> {
    T::deserialize(Reader(value))
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
        let token = |segment: &String| format!("/{}", segment.replace('~', "~0").replace('/', "~1"));
        self.path.iter().rev().map(token).collect()
    }

    /// The key that is none.
    pub(super) fn key(&self) -> Option<&str> {
        self.path.first().map(String::as_str)
    }

    fn structural(self) -> Self {
        Self { is_structural: true, ..self }
    }

    fn within(mut self, segment: impl Into<String>) -> Self {
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

impl serde::de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { path: Vec::new(), message: message.to_string(), keys: None, is_structural: false }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid type: {found}, expected {expected}")).structural()
    }

    fn invalid_length(found: usize, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid length {found}, expected {expected}")).structural()
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("missing field `{field}`")).structural()
    }

    fn unknown_field(field: &str, _expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("unknown field `{field}`")).structural()
    }

    fn unknown_variant(variant: &str, _expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("unknown variant `{variant}`")).structural()
    }
}

struct Reader(Value);

impl<'de> Deserializer<'de> for Reader {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(value), ..) => visitor.visit_u64(value),
                (None, Some(value), _) => visitor.visit_i64(value),
                (None, None, Some(value)) => visitor.visit_f64(value),
                (None, None, None) => Err(ReadError::custom("the number has no value")),
            },
            Value::String(text) => visitor.visit_string(text),
            Value::Array(items) => {
                let mut items = Items { index: 0, items: items.into_iter() };
                let read = visitor.visit_seq(&mut items)?;
                match items.items.len() {
                    0 => Ok(read),
                    left => Err(ReadError::invalid_length(items.index + left, &"fewer items")),
                }
            }
            Value::Object(members) => visitor.visit_map(Members::new(members)),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.as_str().and_then(|text| text.parse().ok()) {
            Some(value) => visitor.visit_i128(value),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.as_str().and_then(|text| text.parse().ok()) {
            Some(value) => visitor.visit_u128(value),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        // `RawValue`, which only serde_json's own reader makes.
        if name.starts_with("$serde_json::") {
            return self.0.deserialize_newtype_struct(name, visitor).map_err(ReadError::custom);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::String(variant) => visitor.visit_enum(Variant { variant, value: None }),
            Value::Object(members) if members.len() == 1 => {
                let (variant, value) = members.into_iter().next().expect("it has one member");
                visitor.visit_enum(Variant { variant, value: Some(value) })
            }
            other => Err(ReadError::invalid_type(kind(&other), &"a variant's name, or an object with one")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

fn kind(value: &Value) -> Unexpected<'_> {
    match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(value) => Unexpected::Bool(*value),
        Value::Number(_) => Unexpected::Other("number"),
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    }
}

struct Items {
    index: usize,
    items: std::vec::IntoIter<Value>,
}

impl<'de> SeqAccess<'de> for Items {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(Reader(item)).map(Some).map_err(|error| error.within(index.to_string()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Members {
    members: serde_json::map::IntoIter,
    member: Option<(String, Value)>,
}

impl Members {
    fn new(members: Map<String, Value>) -> Self {
        Self { members: members.into_iter(), member: None }
    }
}

impl<'de> MapAccess<'de> for Members {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        let Some((name, value)) = self.members.next() else { return Ok(None) };
        let in_key = |error: ReadError| error.structural().within(name.clone());
        let key = seed.deserialize(Key(name.clone())).map_err(in_key)?;
        self.member = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let (name, value) =
            self.member.take().ok_or_else(|| ReadError::custom("a value comes after its key"))?;
        seed.deserialize(Reader(value)).map_err(|error| error.within(name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.members.len())
    }
}

/// The name of a member, which may be a number where the type of the map says so.
struct Key(String);

macro_rules! integer_key {
    ($($method:ident $integer:ident $visit:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.0.parse::<$integer>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(ReadError {
                    keys: Some(($integer::MIN.to_string(), $integer::MAX.to_string())),
                    ..ReadError::invalid_value(Unexpected::Str(&self.0), &"a whole number as a key")
                }),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_string(self.0)
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

struct Variant {
    variant: String,
    value: Option<Value>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = ReadError;
    type Variant = Content;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content), ReadError> {
        let variant = seed.deserialize(Key(self.variant.clone()))?;
        Ok((variant, Content { variant: self.variant, value: self.value }))
    }
}

/// What a variant holds.
struct Content {
    variant: String,
    value: Option<Value>,
}

impl Content {
    fn read<'de, T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        let value = self.value.ok_or_else(|| ReadError::custom("the variant holds something"))?;
        seed.deserialize(Reader(value)).map_err(|error| error.within(self.variant))
    }

    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let value = self.value.ok_or_else(|| ReadError::custom("the variant holds something"))?;
        Reader(value).deserialize_any(visitor).map_err(|error| error.within(self.variant))
    }
}

impl<'de> VariantAccess<'de> for Content {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match self.value {
            None | Some(Value::Null) => Ok(()),
            Some(other) => Err(ReadError::invalid_type(kind(&other), &"nothing")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        self.read(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.visit(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.visit(visitor)
    }
}
