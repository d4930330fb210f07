use super::{Kind, Number};
use serde_json::Value;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The JSON type of a value.
pub fn kind_of(value: &Value) -> Kind {
    match value {
        Value::Null => Kind::Null,
        Value::Bool(_) => Kind::Boolean,
        Value::Number(_) if is_integer(value) => Kind::Integer,
        Value::Number(_) => Kind::Fraction,
        Value::String(_) => Kind::String,
        Value::Array(_) => Kind::Array,
        Value::Object(_) => Kind::Object,
    }
}

/// The number that a value is.
pub fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => number
            .as_u64()
            .map(Number::from)
            .or_else(|| number.as_i64().map(Number::from))
            .or_else(|| number.as_f64().and_then(|float| Number::try_from(float).ok())),
        _ => None,
    }
}

/// Whether a value is a number without a fraction; 1.0 is.
pub fn is_integer(value: &Value) -> bool {
    number(value).is_some_and(Number::is_integer)
}

thread_local! {
    static UNCHECKED: Cell<bool> = const { Cell::new(false) };
}

/// What a value is in JSON, for a rule that looks into it.
///
/// # Errors
///
/// When it cannot be JSON at all.
pub fn to_value<T: serde::Serialize>(value: &T) -> serde_json::Result<Value> {
    unchecked(|| serde_json::to_value(value))
}

/// Writes without checking rules: what is only looked at, whose rules are checked when it is read and when
/// it is written in earnest, or what has just been checked as a whole. Else each value would check twice
/// what it holds, four times what that holds, and so on.
pub fn unchecked<T>(write: impl FnOnce() -> T) -> T {
    struct Restored(bool);
    impl Drop for Restored {
        fn drop(&mut self) {
            UNCHECKED.set(self.0);
        }
    }
    let _restored = Restored(UNCHECKED.replace(true));
    write()
}

/// Whether a value is written without checking rules.
pub fn is_unchecked() -> bool {
    UNCHECKED.get()
}

/// Whether two values are the same JSON: 1 and 1.0 are, in any depth.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(_), Value::Number(_)) => number(a) == number(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, value)| b.get(name).is_some_and(|b| equal(value, b)))
        }
        _ => a == b,
    }
}

/// Whether no two of `values` are the same JSON. Takes linear time, also for a hostile list.
pub fn all_different<'a>(values: impl IntoIterator<Item = &'a Value>) -> bool {
    let mut seen: HashMap<u64, Vec<&Value>> = HashMap::new();
    values.into_iter().all(|value| {
        let mut hasher = DefaultHasher::new();
        hash(value, &mut hasher);
        let alike = seen.entry(hasher.finish()).or_default();
        let new = !alike.iter().any(|other| equal(other, value));
        alike.push(value);
        new
    })
}

/// Whether no two of `items` are equal.
pub fn all_distinct<T: Eq + Hash>(items: &[T]) -> bool {
    // A short list is compared sooner than hashed.
    if items.len() <= 8 {
        return items.iter().enumerate().all(|(at, item)| !items[..at].contains(item));
    }
    let mut seen = HashSet::with_capacity(items.len());
    items.iter().all(|item| seen.insert(item))
}

/// Whether no two of `items` are the same JSON.
pub fn all_different_items<T: serde::Serialize>(items: &[T]) -> bool {
    let values: Result<Vec<Value>, _> = items.iter().map(to_value).collect();
    // What cannot be written is refused when it is written.
    values.is_ok_and(|values| all_different(&values))
}

/// Whether two values of a type are the same JSON.
pub fn same_json<T: serde::Serialize>(a: &T, b: &T) -> bool {
    matches!((to_value(a), to_value(b)), (Ok(a), Ok(b)) if equal(&a, &b))
}

/// Equal values have equal hashes.
fn hash(value: &Value, state: &mut impl Hasher) {
    match value {
        Value::Null => 0u8.hash(state),
        Value::Bool(value) => (1u8, value).hash(state),
        Value::Number(_) => (2u8, number(value).map(|number| (number.as_f64() + 0.0).to_bits())).hash(state),
        Value::String(text) => (3u8, text).hash(state),
        Value::Array(items) => {
            (4u8, items.len()).hash(state);
            items.iter().for_each(|item| hash(item, state));
        }
        Value::Object(members) => {
            (5u8, members.len()).hash(state);
            let mut names: Vec<_> = members.keys().collect();
            names.sort_unstable();
            names.iter().for_each(|name| {
                name.hash(state);
                hash(&members[name.as_str()], state);
            });
        }
    }
}
