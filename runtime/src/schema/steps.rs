//! How long a value may be looked at.

use serde_json::Value;
use std::cell::Cell;

/// Looks at values that may still be taken. Where unions stand in unions, each try may try again; that
/// must end before the game stands still.
pub(super) struct Steps {
    left: Cell<usize>,
    depth: Cell<usize>,
}

/// JSON that is nested deeper does not come from outside.
const DEEPEST: usize = 128;

impl Steps {
    /// Many looks at each part of a small value, some at each part of a large one.
    pub(super) fn of(value: &Value) -> Self {
        Self::of_weight(weight(value))
    }

    /// The same, where a text may hold values: none has less than two letters of it.
    pub(super) fn of_texts(value: &Value) -> Self {
        Self::of_weight(weight(value) + texts(value) / 2)
    }

    fn of_weight(weight: usize) -> Self {
        let steps = (20_000 + weight.saturating_mul(300)).min(1_000_000 + weight.saturating_mul(100));
        Self { left: Cell::new(steps), depth: Cell::new(0) }
    }

    /// Takes some; false when there are no more.
    pub(super) fn take(&self, count: usize) -> bool {
        let left = self.left.get().checked_sub(count);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }
}

impl Steps {
    /// Looks into a value, unless it is nested too deep.
    pub(super) fn within(&self, look: impl FnOnce()) -> bool {
        let depth = self.depth.get();
        if depth >= DEEPEST {
            return false;
        }
        self.depth.set(depth + 1);
        look();
        self.depth.set(depth);
        true
    }
}

/// How long the texts in a value are, together.
fn texts(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(texts).sum(),
        Value::Object(members) => members.values().map(texts).sum(),
        _ => 0,
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
