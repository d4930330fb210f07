//! Agents that write all values as texts: where no text is meant, what is in the text is.

use super::check::{Check, Way, has_kind};
use super::place::At;
use super::text::Cursor;
use serde_json::Value;

impl Check<'_> {
    /// Puts what a text holds in its place, where no text is meant.
    pub(super) fn coerce(self, schema: &Value, value: &mut Value) {
        let Value::String(text) = &*value else { return };
        if self.way != Way::Coerced || !self.steps.take(text.len()) || self.may_be_text(schema) {
            return;
        }
        let (mut cursor, mut problems) = (Cursor::new(text), Vec::new());
        let held = cursor.value(At::Root, &mut problems).filter(|held| !held.is_string());
        if let (Some(held), true, None) = (held, problems.is_empty(), cursor.peek()) {
            *value = held;
        }
    }

    /// Whether a text may be meant.
    fn may_be_text(self, schema: &Value) -> bool {
        let Value::Object(keywords) = self.target(schema) else { return true };
        let is_text = |kinds: &Value| has_kind(kinds, &Value::from(""));
        if let Some(kinds) = keywords.get("type") {
            return is_text(kinds);
        }
        let branches = ["oneOf", "anyOf"].into_iter().find_map(|keyword| keywords.get(keyword)?.as_array());
        branches.is_none_or(|branches| {
            !self.steps.take(branches.len()) || branches.iter().any(|branch| self.may_be_text(branch))
        })
    }
}
