use super::{Format, Read, RuleError};
use serde::de::Deserializer;
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// An ECMA-262 pattern.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    regex: regress::Regex,
}

impl Pattern {
    /// Compiles a pattern, as Unicode text where the pattern allows that.
    ///
    /// # Panics
    ///
    /// When it is no pattern; the generator has compiled it before.
    pub fn new(source: &'static str) -> Self {
        let regex = regress::Regex::with_flags(source, "u")
            .or_else(|_| regress::Regex::new(source))
            .expect("the generator has compiled the pattern before");
        Self { source, regex }
    }

    /// Whether it matches somewhere in `text`.
    pub fn matches(&self, text: &str) -> bool {
        self.regex.find(text).is_some()
    }

    /// Checks that it matches somewhere in `text`.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub fn check(&self, text: &str) -> Result<(), RuleError> {
        must_match(self.matches(text), self.source, text)
    }
}

/// A pattern that needs no engine: where each byte leads from each of its states. It begins in the
/// first one.
#[derive(Debug)]
pub struct Steps<const STATES: usize> {
    next: [[u8; 256]; STATES],
    accepts: [bool; STATES],
}

impl<const STATES: usize> Steps<STATES> {
    /// Each step leads from a state by the bytes from a first to a last one to a state. By all others
    /// nothing matches any more.
    pub const fn new(steps: &[(u8, u8, u8, u8)], accepting: &[u8]) -> Self {
        let mut new = Self { next: [[u8::MAX; 256]; STATES], accepts: [false; STATES] };
        let mut at = 0;
        while at < steps.len() {
            let (from, first, last, to) = steps[at];
            let mut byte = first as usize;
            while byte <= last as usize {
                new.next[from as usize][byte] = to;
                byte += 1;
            }
            at += 1;
        }
        let mut at = 0;
        while at < accepting.len() {
            new.accepts[accepting[at] as usize] = true;
            at += 1;
        }
        new
    }

    /// Whether the steps lead through the whole text to an accepting state.
    pub fn match_all(&self, text: &str) -> bool {
        let mut state = 0;
        for byte in text.bytes() {
            match self.next.get(usize::from(state)) {
                Some(next) => state = next[usize::from(byte)],
                None => return false,
            }
        }
        self.accepts.get(usize::from(state)) == Some(&true)
    }
}

/// Goes on when a pattern matches in `text`.
///
/// # Errors
///
/// When it does not.
pub fn must_match(matches: bool, pattern: &str, text: &str) -> Result<(), RuleError> {
    if matches {
        Ok(())
    } else {
        Err(RuleError::new(format!("must match {pattern}, found {:?}", shortened(text))))
    }
}

/// Checks length in code points, and formats.
///
/// # Errors
///
/// When the text is too short, too long or not of a format, in words.
pub fn check_text(
    text: &str,
    min: Option<u64>,
    max: Option<u64>,
    formats: &[Format],
) -> Result<(), RuleError> {
    // A character has one to four bytes, so most texts need no counting.
    let (least, most) = (text.len().div_ceil(4) as u64, text.len() as u64);
    if min.is_some_and(|min| least < min) || max.is_some_and(|max| most > max) {
        let length = text.chars().count() as u64;
        let unit = |count: u64| if count == 1 { "character" } else { "characters" };
        match (min, max) {
            (Some(min), _) if length < min => {
                return Err(RuleError::new(format!("must have at least {min} {}, has {length}", unit(min))));
            }
            (_, Some(max)) if length > max => {
                return Err(RuleError::new(format!("must have at most {max} {}, has {length}", unit(max))));
            }
            _ => {}
        }
    }
    match formats.iter().find(|format| !format.accepts(text)) {
        None => Ok(()),
        Some(format) => {
            Err(RuleError::new(format!("must be {}, found {:?}", format.words(), shortened(text))))
        }
    }
}

/// Text as an error shows it: its beginning.
pub fn shortened(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(end, _)| &text[..end])
}

/// A UUID (RFC 4122) in its text form of 36 characters, kept as it was written, so that an answer
/// repeats exactly what the request said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uuid([u8; 36]);

impl Uuid {
    /// The UUID of zeros only.
    pub const NIL: Self = Self(*b"00000000-0000-0000-0000-000000000000");

    /// The text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("only hexadecimal digits and hyphens get in")
    }
}

impl FromStr for Uuid {
    type Err = RuleError;
    fn from_str(text: &str) -> Result<Self, RuleError> {
        match <[u8; 36]>::try_from(text.as_bytes()) {
            Ok(bytes) if Format::Uuid.accepts(text) => Ok(Self(bytes)),
            _ => Err(RuleError::new(format!("must be a UUID, found {:?}", shortened(text)))),
        }
    }
}

impl TryFrom<&str> for Uuid {
    type Error = RuleError;
    fn try_from(text: &str) -> Result<Self, RuleError> {
        text.parse()
    }
}

impl TryFrom<String> for Uuid {
    type Error = RuleError;
    fn try_from(text: String) -> Result<Self, RuleError> {
        text.parse()
    }
}

impl AsRef<str> for Uuid {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Uuid({self})")
    }
}

impl Serialize for Uuid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Read<'de> for Uuid {
    fn read<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::text(deserializer, "UUID", Self::from_str)
    }
}

impl<'de> serde::Deserialize<'de> for Uuid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(deserializer)
    }
}
