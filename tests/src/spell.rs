//! One JSON value, many texts.

use fastrand::Rng;
use serde_json::{Number, Value};
use std::fmt::Write as _;

/// Writes a value down: members in any order, blanks anywhere, numbers in another form, characters
/// escaped that need not be. A reader must take every such text for the same value.
pub fn spell(value: &Value, rng: &mut Rng) -> String {
    let mut text = String::new();
    let plain = rng.u8(..4) == 0;
    Speller { rng, plain }.value(value, &mut text);
    text
}

struct Speller<'r> {
    rng: &'r mut Rng,
    /// As a program writes it, but for the order.
    plain: bool,
}

impl Speller<'_> {
    fn value(&mut self, value: &Value, text: &mut String) {
        self.blank(text);
        match value {
            Value::Number(number) => text.push_str(&self.number(number)),
            Value::String(string) => self.string(string, text),
            Value::Array(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    self.value(item, text);
                }
                self.blank(text);
                text.push(']');
            }
            Value::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                self.rng.shuffle(&mut members);
                text.push('{');
                for (index, (name, value)) in members.into_iter().enumerate() {
                    text.push_str(if index == 0 { "" } else { "," });
                    self.blank(text);
                    self.string(name, text);
                    self.blank(text);
                    text.push(':');
                    self.value(value, text);
                }
                self.blank(text);
                text.push('}');
            }
            other => text.push_str(&other.to_string()),
        }
        self.blank(text);
    }

    fn blank(&mut self, text: &mut String) {
        if !self.plain && self.rng.u8(..8) == 0 {
            text.push_str([" ", "\n", "\r\n", "\t", "  "][self.rng.usize(..5)]);
        }
    }

    /// The same number, written in another way where that loses nothing.
    fn number(&mut self, number: &Number) -> String {
        const EXACT: u64 = 1 << 53;
        let text = number.to_string();
        let whole = number.as_i64().filter(|value| value.unsigned_abs() <= EXACT);
        match (whole, self.rng.u8(..8)) {
            _ if self.plain => text,
            (Some(0), choice) => {
                ["0", "-0", "0.0", "-0.0", "0e7", "0E-2", "0", "0"][choice as usize].to_owned()
            }
            (Some(_), 0) => format!("{text}.0"),
            (Some(_), 1) => format!("{text}e0"),
            (Some(_), 2) => format!("{text}.000E+00"),
            (Some(_), 3) => format!("{text}00e-2"),
            (Some(value), 4) if value % 100 == 0 => format!("{}e2", value / 100),
            (Some(value), 5) if value.unsigned_abs() < 1_000_000 => {
                let sign = if value < 0 { "-" } else { "" };
                format!("{sign}{}.{}e1", value.unsigned_abs() / 10, value.unsigned_abs() % 10)
            }
            _ => text,
        }
    }

    fn string(&mut self, string: &str, text: &mut String) {
        if self.plain {
            text.push_str(&Value::from(string).to_string());
            return;
        }
        let rate = [0, 1, 16, 255][self.rng.usize(..4)];
        text.push('"');
        for character in string.chars() {
            let escape = self.rng.u8(..) < rate;
            match character {
                '"' => text.push_str("\\\""),
                '\\' => text.push_str("\\\\"),
                '/' if escape => text.push_str("\\/"),
                '\n' if escape => text.push_str("\\n"),
                _ if escape || character < ' ' => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        let done = if self.rng.bool() {
                            write!(text, "\\u{unit:04x}")
                        } else {
                            write!(text, "\\u{unit:04X}")
                        };
                        done.expect("a String takes all");
                    }
                }
                _ => text.push(character),
            }
        }
        text.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::spell;
    use crate::same::same;
    use fastrand::Rng;
    use serde_json::{Value, json};
    use std::collections::HashSet;

    #[test]
    fn every_spelling_is_the_same_value() {
        let value =
            json!({ "a/b": [0, 1, -100, 1.5, 25, 1e300, u64::MAX], "é\u{1F600}\"\\\n\u{1}": null, "": {} });
        let mut texts = HashSet::new();
        for seed in 0..300 {
            let text = spell(&value, &mut Rng::with_seed(seed));
            let read: Value = serde_json::from_str(&text).expect(&text);
            assert!(same(&value, &read), "{text}");
            texts.insert(text);
        }
        assert!(texts.len() > 200, "only {} texts", texts.len());
    }
}
