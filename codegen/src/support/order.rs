//! Numbers among each other, and the integers of Rust as numbers.

use super::{Decimal, Integer, Number, RuleError};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

// No number is NaN.
impl Eq for Number {}
impl Eq for Integer {}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        // Rounding keeps the order, and nothing equal apart. It adds 0 so that there is no other zero.
        let rounded = |number: &Self| number.as_f64() + 0.0;
        rounded(self).total_cmp(&rounded(other)).then_with(|| {
            match (self.is_written_as_integer(), other.is_written_as_integer()) {
                (true, true) => whole(*self).cmp(&whole(*other)),
                (false, false) => Ordering::Equal,
                _ => self.decimal().cmp(&other.decimal()),
            }
        })
    }
}

/// An integer of 64 bits.
fn whole(number: Number) -> Option<i128> {
    number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from))
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Equal numbers have equal hashes, 1 and 1.0 too.
impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.as_f64() + 0.0).to_bits().hash(state);
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number().cmp(&other.number())
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Integer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number().hash(state);
    }
}

macro_rules! machine_integers {
    ($($type:ty as $wide:ty),*) => {$(
        impl From<$type> for Integer {
            fn from(value: $type) -> Self {
                Self::from(value as $wide)
            }
        }
    )*};
}
machine_integers!(usize as u64, isize as i64);

macro_rules! large_integers {
    ($($type:ty),*) => {$(
        /// No integer beyond 64 bits is taken, since a reader would round it.
        impl TryFrom<$type> for Integer {
            type Error = RuleError;
            fn try_from(value: $type) -> Result<Self, RuleError> {
                let fits = u64::try_from(value).map(Self::from).or_else(|_| i64::try_from(value).map(Self::from));
                fits.map_err(|_| RuleError::new(format!("must be an integer of 64 bits, found {value}")))
            }
        }
        impl From<$type> for Decimal {
            fn from(value: $type) -> Self {
                Self::parse(&value.to_string()).expect("what Rust prints of an integer is a decimal number")
            }
        }
    )*};
}
large_integers!(u128, i128);

macro_rules! small_integers {
    ($($type:ty as $wide:ty),*) => {$(
        impl From<$type> for Decimal {
            fn from(value: $type) -> Self {
                Self::from(value as $wide)
            }
        }
    )*};
}
small_integers!(
    u8 as u64,
    u16 as u64,
    u32 as u64,
    usize as u64,
    i8 as i64,
    i16 as i64,
    i32 as i64,
    isize as i64
);
