//! Writes values as JSON. What serde_json's own writer does not do: NaN and infinities are errors that
//! name their place, and integers that a JSON number does not hold become decimal strings.

use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde_json::{Map, Number, Value};
use std::fmt;

/// A value as JSON.
///
/// # Errors
///
/// What is no JSON, and where.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Value, WriteError> {
    value.serialize(Writer)
}

/// Why a value could not be written.
#[derive(Debug)]
pub(crate) struct WriteError {
    /// The place, from the innermost out.
    path: Vec<String>,
    message: String,
}

impl WriteError {
    pub(crate) fn within(mut self, segment: impl Into<String>) -> Self {
        self.path.push(segment.into());
        self
    }

    fn of_variant(self, variant: Option<&str>) -> Self {
        match variant {
            Some(variant) => self.within(variant),
            None => self,
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for segment in self.path.iter().rev() {
            write!(f, "/{}", segment.replace('~', "~0").replace('/', "~1"))?;
        }
        let colon = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{colon}{}", self.message)
    }
}

impl std::error::Error for WriteError {}

impl serde::ser::Error for WriteError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { path: Vec::new(), message: message.to_string() }
    }
}

type Written = Result<Value, WriteError>;

#[derive(Clone, Copy)]
struct Writer;

macro_rules! plain {
    ($($method:ident $type:ty)*) => {$(
        fn $method(self, value: $type) -> Written {
            Ok(Value::from(value))
        }
    )*};
}

impl Serializer for Writer {
    type Ok = Value;
    type Error = WriteError;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Members;
    type SerializeStruct = Members;
    type SerializeStructVariant = Members;

    plain! {
        serialize_bool bool
        serialize_i8 i8 serialize_i16 i16 serialize_i32 i32 serialize_i64 i64
        serialize_u8 u8 serialize_u16 u16 serialize_u32 u32 serialize_u64 u64
        serialize_str &str
        serialize_bytes &[u8]
    }

    fn serialize_i128(self, value: i128) -> Written {
        Ok(Number::from_i128(value).map_or_else(|| value.to_string().into(), Value::Number))
    }

    fn serialize_u128(self, value: u128) -> Written {
        Ok(Number::from_u128(value).map_or_else(|| value.to_string().into(), Value::Number))
    }

    fn serialize_f32(self, value: f32) -> Written {
        // The shortest text, not that of the nearest double: 0.1 and not 0.10000000149011612.
        let double = value.to_string().parse().unwrap_or(f64::from(value));
        self.serialize_f64(double)
    }

    fn serialize_f64(self, value: f64) -> Written {
        let number = Number::from_f64(value).map(Value::Number);
        number.ok_or_else(|| WriteError::custom(format!("must be a finite number, found {value}")))
    }

    fn serialize_char(self, value: char) -> Written {
        Ok(value.to_string().into())
    }

    fn serialize_none(self) -> Written {
        Ok(Value::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        Ok(Value::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Written {
        Ok(Value::Null)
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Written {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        let value = value.serialize(self).map_err(|error| error.within(variant))?;
        Ok(of_variant(Some(variant), value))
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Items, WriteError> {
        Ok(Items { items: Vec::new(), variant: None })
    }

    fn serialize_tuple(self, len: usize) -> Result<Items, WriteError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Items, WriteError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Items, WriteError> {
        Ok(Items { items: Vec::new(), variant: Some(variant) })
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Members, WriteError> {
        Ok(Members { members: Map::new(), key: None, variant: None, is_text: false })
    }

    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Members, WriteError> {
        // `RawValue`, and `Number` where it has any precision: their text is JSON.
        let is_text = name.starts_with("$serde_json::");
        Ok(Members { members: Map::new(), key: None, variant: None, is_text })
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Members, WriteError> {
        Ok(Members { members: Map::new(), key: None, variant: Some(variant), is_text: false })
    }
}

/// What a variant holds stands under its name.
fn of_variant(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        Some(variant) => Value::Object(Map::from_iter([(variant.to_owned(), value)])),
        None => value,
    }
}

struct Items {
    items: Vec<Value>,
    variant: Option<&'static str>,
}

impl Items {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        match value.serialize(Writer) {
            Ok(item) => {
                self.items.push(item);
                Ok(())
            }
            Err(error) => Err(error.within(self.items.len().to_string()).of_variant(self.variant)),
        }
    }

    fn done(self) -> Written {
        Ok(of_variant(self.variant, Value::Array(self.items)))
    }
}

macro_rules! items {
    ($($trait:ident $method:ident)*) => {$(
        impl $trait for Items {
            type Ok = Value;
            type Error = WriteError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
                self.push(value)
            }

            fn end(self) -> Written {
                self.done()
            }
        }
    )*};
}
items! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

struct Members {
    members: Map<String, Value>,
    key: Option<String>,
    variant: Option<&'static str>,
    /// The one member is JSON text.
    is_text: bool,
}

impl Members {
    fn insert<T: Serialize + ?Sized>(&mut self, name: String, value: &T) -> Result<(), WriteError> {
        match value.serialize(Writer) {
            Ok(value) => {
                self.members.insert(name, value);
                Ok(())
            }
            Err(error) => Err(error.within(name).of_variant(self.variant)),
        }
    }

    fn done(self) -> Written {
        if self.is_text {
            let text = self.members.values().next().and_then(Value::as_str).unwrap_or_default();
            return serde_json::from_str(text).map_err(WriteError::custom);
        }
        Ok(of_variant(self.variant, Value::Object(self.members)))
    }
}

impl SerializeMap for Members {
    type Ok = Value;
    type Error = WriteError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), WriteError> {
        self.key = Some(match key.serialize(Writer)? {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            Value::Bool(value) => value.to_string(),
            _ => return Err(WriteError::custom("the keys of a map are strings or numbers in JSON")),
        });
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WriteError> {
        let key = self.key.take().ok_or_else(|| WriteError::custom("a value comes after its key"))?;
        self.insert(key, value)
    }

    fn end(self) -> Written {
        self.done()
    }
}

macro_rules! members {
    ($($trait:ident)*) => {$(
        impl $trait for Members {
            type Ok = Value;
            type Error = WriteError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), WriteError> {
                self.insert(name.to_owned(), value)
            }

            fn end(self) -> Written {
                self.done()
            }
        }
    )*};
}
members! { SerializeStruct SerializeStructVariant }
