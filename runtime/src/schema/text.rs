//! JSON text whose syntax has been looked at before. What is no JSON for all that, is no panic.

use super::place::At;
use crate::error::{ENOUGH_PROBLEMS, Problem};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;

/// A place in a text.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

/// A member of an object, as it is written.
pub(crate) fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let mut cursor = Cursor::new(object);
    let mut is_first = true;
    if !cursor.take(b'{') {
        return None;
    }
    while let Some(next) = cursor.member(is_first)? {
        is_first = false;
        let value = cursor.skip()?;
        if next == name {
            return Some(value);
        }
    }
    None
}

/// Whether an object has more than one member of this name.
#[cfg(feature = "serve")]
pub(crate) fn repeats(object: &str, name: &str) -> bool {
    let mut count = 0;
    Cursor::new(object).members(|cursor, next| {
        count += usize::from(next == name);
        cursor.skip().map(drop)
    });
    count > 1
}

/// The pointer of a member that stands twice in an object somewhere in a JSON text.
#[doc(hidden)]
pub fn twice(text: &str) -> Option<String> {
    if Cursor::new(text).is_single(DEEPEST) == Some(true) {
        return None;
    }
    let mut problems = Vec::new();
    Cursor::new(text).value(At::Root, &mut problems);
    problems.into_iter().find(|problem| problem.message == TWICE).map(|problem| problem.pointer)
}

/// JSON that is nested deeper is not read; it is what serde_json reads.
const DEEPEST: usize = 127;

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The first byte of what comes.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\n' | b'\t' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Whether this byte came; then it is behind.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    /// Whether this word came; then it is behind.
    pub(super) fn word(&mut self, word: &str) -> bool {
        self.peek();
        let is_next =
            self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes()));
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// The next member of an object that has begun; `Some(None)` is its end.
    pub(crate) fn member(&mut self, is_first: bool) -> Option<Option<Cow<'a, str>>> {
        if self.take(b'}') {
            return Some(None);
        }
        if !is_first && !self.take(b',') {
            return None;
        }
        let name = self.string()?;
        self.take(b':').then_some(Some(name))
    }

    /// Has each member of the object that comes read, by what is told its name. `None` where it is none, or not
    /// read on.
    pub(crate) fn members(&mut self, mut read: impl FnMut(&mut Self, &str) -> Option<()>) -> Option<()> {
        let mut is_first = true;
        if !self.take(b'{') {
            return None;
        }
        while let Some(name) = self.member(is_first)? {
            is_first = false;
            read(self, &name)?;
        }
        Some(())
    }

    /// Whether there is another item in a list that has begun.
    pub(super) fn item(&mut self, is_first: bool) -> Option<bool> {
        if self.take(b']') {
            return Some(false);
        }
        (is_first || self.take(b',')).then_some(true)
    }

    /// A string, borrowed where nothing in it is escaped.
    pub(crate) fn string(&mut self) -> Option<Cow<'a, str>> {
        let (whole, is_plain) = self.raw_string()?;
        if is_plain {
            return Some(Cow::Borrowed(whole.get(1..whole.len() - 1)?));
        }
        serde_json::from_str(whole).ok().map(Cow::Owned)
    }

    /// A string with its quotes, and whether nothing in it is escaped.
    fn raw_string(&mut self) -> Option<(&'a str, bool)> {
        if self.peek() != Some(b'"') {
            return None;
        }
        let bytes = self.text.as_bytes();
        let (start, mut at, mut is_plain) = (self.at, self.at + 1, true);
        loop {
            match bytes.get(at)? {
                b'"' => break,
                b'\\' => {
                    is_plain = false;
                    at += 2;
                }
                _ => at += 1,
            }
        }
        self.at = at + 1;
        Some((self.text.get(start..self.at)?, is_plain))
    }

    /// A number, as serde_json has it.
    pub(super) fn number(&mut self) -> Option<Number> {
        let text = self.word_text();
        let (digits, is_negative) = text.strip_prefix('-').map_or((text, false), |digits| (digits, true));
        // Of more digits some have no such number.
        if digits.len() <= 18 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            let magnitude: i64 = digits.parse().ok()?;
            if !is_negative {
                return Some(magnitude.unsigned_abs().into());
            }
            if magnitude > 0 {
                return Some((-magnitude).into());
            }
        }
        serde_json::from_str(text).ok()
    }

    /// What is neither a string nor in brackets.
    fn word_text(&mut self) -> &'a str {
        self.peek();
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_end = |byte: u8| matches!(byte, b',' | b']' | b'}' | b':' | b' ' | b'\n' | b'\t' | b'\r');
        let length = rest.bytes().position(is_end).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// The text of the value that comes.
    pub(crate) fn skip(&mut self) -> Option<&'a str> {
        self.peek();
        let start = self.at;
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => drop(self.raw_string()?),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                _ if self.word_text().is_empty() => return None,
                _ => {}
            }
            if depth == 0 {
                return self.text.get(start..self.at);
            }
        }
    }

    /// Whether no member stands twice in an object of the value that comes; `None` where that is not found out
    /// in passing.
    fn is_single(&mut self, depth: usize) -> Option<bool> {
        /// Members of an object that are compared with each other.
        const FEW: usize = 16;
        match self.peek()? {
            b'[' => {
                self.at += 1;
                let mut is_first = true;
                while self.item(is_first)? {
                    is_first = false;
                    if !self.is_single(depth.checked_sub(1)?)? {
                        return Some(false);
                    }
                }
            }
            b'{' => {
                self.at += 1;
                let mut names: Vec<Cow<'a, str>> = Vec::new();
                while let Some(name) = self.member(names.is_empty())? {
                    if names.contains(&name) {
                        return Some(false);
                    }
                    if names.len() == FEW {
                        return None;
                    }
                    names.push(name);
                    if !self.is_single(depth.checked_sub(1)?)? {
                        return Some(false);
                    }
                }
            }
            b'"' => drop(self.raw_string()?),
            _ if self.word_text().is_empty() => return None,
            _ => {}
        }
        Some(true)
    }

    /// The value that comes. What serde_json's own reader would pass over is told: a member that stands
    /// twice in an object.
    pub(crate) fn value(&mut self, at: At<'_>, problems: &mut Vec<Problem>) -> Option<Value> {
        self.value_within(DEEPEST, at, problems)
    }

    fn value_within(&mut self, depth: usize, at: At<'_>, problems: &mut Vec<Problem>) -> Option<Value> {
        let first = self.peek()?;
        if matches!(first, b'[' | b'{') && depth == 0 {
            problems.push(at.problem("is nested too deep".to_owned()));
            return None;
        }
        match first {
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                while self.item(items.is_empty())? {
                    let item = self.value_within(depth - 1, At::Item(&at, items.len()), problems)?;
                    items.push(item);
                }
                Some(Value::Array(items))
            }
            b'{' => {
                self.at += 1;
                let mut members = Map::new();
                let mut is_first = true;
                while let Some(name) = self.member(is_first)? {
                    is_first = false;
                    let here = At::Member(&at, &name);
                    let member = self.value_within(depth - 1, here, problems)?;
                    if members.contains_key(&*name) && problems.len() < ENOUGH_PROBLEMS {
                        problems.push(here.problem(TWICE.to_owned()));
                    }
                    members.insert(name.into_owned(), member);
                }
                Some(Value::Object(members))
            }
            _ => {
                let text = if first == b'"' { self.raw_string()?.0 } else { self.word_text() };
                let read = serde_json::from_str(text);
                read.map_err(|error| problems.push(at.problem(without_place(&error)))).ok()
            }
        }
    }
}

/// Said of a member that stands twice in an object.
pub(crate) const TWICE: &str = "is given twice";

/// What serde_json says, without line and column, which count from the beginning of a part.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Cursor, member};
    use crate::schema::place::At;
    use serde_json::{Value, json};

    fn read(text: &str) -> (Option<Value>, Vec<String>) {
        let mut problems = Vec::new();
        let value = Cursor::new(text).value(At::Root, &mut problems);
        (value, problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn text_is_read_as_serde_json_reads_it() {
        for text in [
            " { \"a\\u0062\" : [ 1 , -2 , 1.5e3 , -0 , true , null , \"\\\"x\\\\\" , [ ] , { } ] } ",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775808",
            "-9223372036854775809",
            "999999999999999999",
            "1E400",
            "\"\\ud800\"",
            "\"🎮\\n\"",
            "[[],[[]],{\"a\":{}}]",
        ] {
            let theirs: Result<Value, _> = serde_json::from_str(text);
            let (ours, problems) = read(text);
            assert_eq!(ours, theirs.as_ref().ok().cloned(), "{text}");
            assert_eq!(problems.is_empty(), theirs.is_ok(), "{text}: {problems:?}");
            if let Some(Value::Number(number)) = &ours {
                assert_eq!(Cursor::new(text).number().as_ref(), Some(number), "{text}");
            }
            assert_eq!(Cursor::new(text).skip(), Some(text.trim()), "{text}");
        }
    }

    #[test]
    fn members_are_found() {
        let object = r#" { "a" : "{\"b\":1}" , "c":[{"b":2}],"\u0062" : { "b" : 3 } } "#;
        assert_eq!(member(object, "b"), Some(r#"{ "b" : 3 }"#));
        assert_eq!(member(object, "c"), Some(r#"[{"b":2}]"#));
        assert_eq!(member(object, "d"), None);
        assert_eq!(member("[]", "a"), None);
    }

    #[cfg(feature = "serve")]
    #[test]
    fn members_that_repeat_are_seen() {
        let repeats = super::repeats;
        assert!(repeats(r#"{"a":1,"b":{"a":2},"\u0061":3}"#, "a"));
        assert!(!repeats(r#"{"a":1,"b":{"a":2,"a":3}}"#, "a"));
        assert!(!repeats(r#"{"a":1,"a"}"#, "a") && !repeats("[]", "a"));
    }

    #[test]
    fn what_stands_twice_is_told() {
        let (value, problems) = read("{\"a\":1,\"b\":[{\"c\":1,\"c\":2,\"\\u0063\":3}],\"a\":2}");
        assert_eq!(value, Some(json!({ "a": 2, "b": [{ "c": 3 }] })));
        assert_eq!(problems, ["/b/0/c: is given twice", "/b/0/c: is given twice", "/a: is given twice"]);
        let many: String = (0..40).map(|number| format!("\"{number}\":0,")).collect();
        for (text, pointer) in [
            ("{\"a\":[{\"b\":1,\"\\u0062\":2}],\"c\":3}".to_owned(), Some("/a/0/b")),
            ("{\"a\":[{\"b\":1},{\"b\":2}],\"b\":3}".to_owned(), None),
            (format!("{{{many}\"x\":{{}}}}"), None),
            (format!("{{{many}\"7\":{{}}}}"), Some("/7")),
            ("[".repeat(200) + &"]".repeat(200), None),
            ("5".to_owned(), None),
        ] {
            assert_eq!(super::twice(&text).as_deref(), pointer, "{text}");
        }
        let deep = "[".repeat(128) + &"]".repeat(128);
        assert!(read(&deep).1[0].ends_with("is nested too deep"));
        assert_eq!(read(&deep[1..255]).1, [""; 0]);
    }

    #[test]
    fn what_is_no_json_is_nothing() {
        for text in [
            "", " ", "{", "[", "\"", "\"\\", "{\"a\"", "{\"a\":", "{\"a\":1", "[1", "[1 2]", "{1:2}", "]",
            ",",
        ] {
            assert_eq!(read(text).0, None, "{text}");
            assert_eq!(Cursor::new(text).number(), None, "{text}");
            let mut cursor = Cursor::new(text);
            while cursor.skip().is_some() {}
        }
    }
}
