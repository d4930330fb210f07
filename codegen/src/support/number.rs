use super::{Decimal, Read, RuleError};
use serde::de::{Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// A JSON number as it was read: an integer of 64 bits where it is one, else a double.
#[derive(Clone, Copy, Debug)]
pub struct Number(Repr);

#[derive(Clone, Copy, Debug)]
enum Repr {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
}

impl Number {
    /// The number as a double, rounded to the nearest one.
    pub fn as_f64(self) -> f64 {
        match self.0 {
            Repr::Unsigned(value) => value as f64,
            Repr::Signed(value) => value as f64,
            Repr::Float(value) => value,
        }
    }

    /// The number as `u64`, when it is one; 1.0 is.
    pub fn as_u64(self) -> Option<u64> {
        match self.0 {
            Repr::Unsigned(value) => Some(value),
            Repr::Signed(value) => u64::try_from(value).ok(),
            // 2^64 is a double, u64::MAX is not.
            Repr::Float(value)
                if value.fract() == 0.0 && (0.0..18_446_744_073_709_551_616.0).contains(&value) =>
            {
                Some(value as u64)
            }
            Repr::Float(_) => None,
        }
    }

    /// The number as `i64`, when it is one; 1.0 is.
    pub fn as_i64(self) -> Option<i64> {
        match self.0 {
            Repr::Unsigned(value) => i64::try_from(value).ok(),
            Repr::Signed(value) => Some(value),
            Repr::Float(value)
                if value.fract() == 0.0
                    && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&value) =>
            {
                Some(value as i64)
            }
            Repr::Float(_) => None,
        }
    }

    /// No digits after the point; 1.0 is an integer.
    pub fn is_integer(self) -> bool {
        match self.0 {
            Repr::Float(value) => value.fract() == 0.0,
            _ => true,
        }
    }

    /// It was written without point and exponent.
    pub fn is_written_as_integer(self) -> bool {
        !matches!(self.0, Repr::Float(_))
    }

    /// The exact value.
    pub fn decimal(self) -> Decimal {
        Decimal::parse(&self.to_string()).expect("what Rust prints of a finite number is a decimal number")
    }

    /// Checks bounds that are integers and belong to the range.
    ///
    /// # Errors
    ///
    /// When the number is below the minimum or above the maximum, in words.
    #[doc(hidden)]
    pub fn check_range(self, minimum: Option<i128>, maximum: Option<i128>) -> Result<Self, RuleError> {
        // A double beyond 128 bits becomes the greatest integer, which is beyond every bound too.
        let (floor, ceiling) = match self.0 {
            Repr::Unsigned(value) => (i128::from(value), i128::from(value)),
            Repr::Signed(value) => (i128::from(value), i128::from(value)),
            Repr::Float(value) => (value.floor() as i128, value.ceil() as i128),
        };
        match (minimum, maximum) {
            (Some(least), _) if floor < least => {
                Err(RuleError::new(format!("must be at least {least}, found {self}")))
            }
            (_, Some(most)) if ceiling > most => {
                Err(RuleError::new(format!("must be at most {most}, found {self}")))
            }
            _ => Ok(self),
        }
    }

    /// Checks bounds and divisors.
    ///
    /// # Errors
    ///
    /// When the number is below the minimum, above the maximum or no multiple, in words.
    #[doc(hidden)]
    pub fn check(
        self,
        minimum: Option<(&str, bool)>,
        maximum: Option<(&str, bool)>,
        multiple_of: &[&str],
    ) -> Result<Self, RuleError> {
        self.decimal().check(minimum, maximum, multiple_of).map(|()| self)
    }
}

/// As JSON values: 1 and 1.0 are equal.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Repr::Unsigned(a), Repr::Unsigned(b)) => a == b,
            (Repr::Signed(a), Repr::Signed(b)) => a == b,
            (Repr::Float(a), Repr::Float(b)) => a == b,
            _ => self.decimal() == other.decimal(),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Unsigned(value) => value.fmt(f),
            Repr::Signed(value) => value.fmt(f),
            Repr::Float(value) => value.fmt(f),
        }
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(Repr::Unsigned(value))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(u64::try_from(value).map_or(Repr::Signed(value), Repr::Unsigned))
    }
}

macro_rules! small_numbers {
    ($($type:ty as $wide:ty),*) => {$(
        impl From<$type> for Number {
            fn from(value: $type) -> Self {
                Self::from(<$wide>::from(value))
            }
        }
    )*};
}
small_numbers!(u8 as u64, u16 as u64, u32 as u64, i8 as i64, i16 as i64, i32 as i64);

/// JSON has no infinity and no NaN.
impl TryFrom<f64> for Number {
    type Error = RuleError;
    fn try_from(value: f64) -> Result<Self, RuleError> {
        if value.is_finite() { Ok(Self(Repr::Float(value))) } else { Err(RuleError::new("must be finite")) }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Repr::Unsigned(value) => serializer.serialize_u64(value),
            Repr::Signed(value) => serializer.serialize_i64(value),
            Repr::Float(value) => serializer.serialize_f64(value),
        }
    }
}

impl<'de> Read<'de> for Number {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor;
        impl Visitor<'_> for NumberVisitor {
            type Value = Number;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }
            fn visit_u64<E>(self, value: u64) -> Result<Number, E> {
                Ok(value.into())
            }
            fn visit_i64<E>(self, value: i64) -> Result<Number, E> {
                Ok(value.into())
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                Number::try_from(value).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(NumberVisitor)
    }
}

impl<'de> serde::Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)
    }
}

/// An integer of any size that JSON can carry. Up to 64 bits it is exact; a greater one is the
/// nearest double, as in every reader of JSON that has no numbers of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Integer(Number);

impl Integer {
    /// The integer as `u64`, when it fits.
    pub fn as_u64(self) -> Option<u64> {
        self.0.as_u64()
    }

    /// The integer as `i64`, when it fits.
    pub fn as_i64(self) -> Option<i64> {
        self.0.as_i64()
    }

    /// The integer as a double, rounded to the nearest one.
    pub fn as_f64(self) -> f64 {
        self.0.as_f64()
    }

    /// The integer as a number.
    pub fn number(self) -> Number {
        self.0
    }
}

impl From<Integer> for Number {
    fn from(value: Integer) -> Self {
        value.0
    }
}

impl TryFrom<Number> for Integer {
    type Error = RuleError;
    fn try_from(value: Number) -> Result<Self, RuleError> {
        if value.is_integer() {
            Ok(Self(value))
        } else {
            Err(RuleError::new(format!("must be an integer, found {value}")))
        }
    }
}

macro_rules! from_integers {
    ($($type:ty as $wide:ty),*) => {$(
        impl From<$type> for Integer {
            fn from(value: $type) -> Self {
                Self(Number::from(<$wide>::from(value)))
            }
        }
    )*};
}
from_integers!(u8 as u64, u16 as u64, u32 as u64, u64 as u64, i8 as i64, i16 as i64, i32 as i64, i64 as i64);

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Read<'de> for Integer {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct IntegerVisitor;
        impl Visitor<'_> for IntegerVisitor {
            type Value = Integer;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer")
            }
            fn visit_u64<E>(self, value: u64) -> Result<Integer, E> {
                Ok(value.into())
            }
            fn visit_i64<E>(self, value: i64) -> Result<Integer, E> {
                Ok(value.into())
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Integer, E> {
                if value.is_finite() && value.fract() == 0.0 {
                    Ok(Integer(Number(Repr::Float(value))))
                } else {
                    Err(E::custom(format_args!("must be an integer, found {value}")))
                }
            }
        }
        deserializer.deserialize_any(IntegerVisitor)
    }
}

impl<'de> serde::Deserialize<'de> for Integer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)
    }
}
