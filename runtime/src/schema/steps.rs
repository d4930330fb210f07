//! How long a value may be looked at.

use serde_json::Value;
use std::cell::Cell;

/// Looks at values that may still be taken. Where unions stand in unions, each try may try again; that
/// must end before the game stands still.
pub(super) struct Steps(Cell<usize>);

impl Steps {
    /// Many looks at each part of a small value, some at each part of a large one.
    pub(super) fn of(value: &Value) -> Self {
        let weight = weight(value);
        Self(Cell::new((20_000 + weight.saturating_mul(300)).min(1_000_000 + weight.saturating_mul(100))))
    }

    /// Takes some; false when there are no more.
    pub(super) fn take(&self, count: usize) -> bool {
        let left = self.0.get().checked_sub(count);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// How many values there are in one, with itself.
pub(super) fn weight(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(weight).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(weight).sum::<usize>(),
        _ => 1,
    }
}
