//! Names of tools, and of what else is named as they are: how they are read, and what they must be.

use crate::attribute::{Entries, Entry, Keys, Value, text};
use crate::keys::NO_ENTRY;
use crate::mistakes::Mistakes;
use proc_macro2::Span;
use syn::LitStr;

/// Longest name, in bytes.
const LIMIT: usize = 64;

/// What has a name, in the words of mistakes.
pub(crate) struct Named {
    /// `the name of a tool`
    pub(crate) what: &'static str,
    /// `a tool needs a name`
    pub(crate) needed: &'static str,
    /// `tool`
    pub(crate) attribute: &'static str,
    /// What some take for its key.
    pub(crate) key: &'static str,
    /// A name.
    pub(crate) example: &'static str,
    /// How many words it has at least.
    pub(crate) words: usize,
}

pub(crate) const TOOL: Named = Named {
    what: "the name of a tool",
    needed: "a tool needs a name",
    attribute: "tool",
    key: "name",
    example: "world/spawn",
    words: 2,
};

/// The text that stands first in an attribute.
#[derive(Default)]
pub(crate) enum First {
    Text(LitStr),
    /// It is none, which has been told.
    Wrong,
    #[default]
    Missing,
}

impl First {
    /// The text, of what has no mistakes.
    pub(crate) fn text(&self) -> &LitStr {
        match self {
            Self::Text(text) => text,
            Self::Wrong | Self::Missing => unreachable!("without a name there is a mistake"),
        }
    }
}

/// Takes the text that stands first; what else is no entry is a mistake.
pub(crate) fn first(entries: &mut Entries, named: &Named, keys: &Keys, mistakes: &mut Mistakes) -> First {
    let Named { what, attribute, key, example, .. } = named;
    let literal = format!("{what} is a string literal: `#[{attribute}(\"{example}\")]`");
    let mut found = match &entries.first {
        None => First::Missing,
        Some(first) => match text(first) {
            Some(text) => First::Text(text),
            None => {
                mistakes.on(first, literal.clone());
                First::Wrong
            }
        },
    };
    for stray in &entries.stray {
        if text(stray).is_some() && !matches!(found, First::Text(_)) {
            found = First::Wrong;
            mistakes.on(stray, format!("{what} stands first: `#[{attribute}(\"{example}\", …)]`"));
        } else {
            mistakes.on(stray, NO_ENTRY);
        }
    }
    let is_key = |entry: &Entry| entry.key == key && !matches!(found, First::Text(_));
    if let Some(index) = entries.entries.iter().position(is_key) {
        let wrong = entries.entries.remove(index);
        found = First::Wrong;
        mistakes
            .on(wrong.key, format!("the {key} stands first, without a key: `#[{attribute}(\"{example}\")]`"));
    }
    // A constant looks like a key.
    let is_constant = |entry: &&Entry| {
        matches!(entry.value, Value::None) && !keys.known.contains(&entry.key.to_string().as_str())
    };
    if matches!(found, First::Missing) && entries.entries.first().filter(is_constant).is_some() {
        mistakes.on(entries.entries.remove(0).key, literal);
        return First::Wrong;
    }
    found
}

/// Says that there is no name, and proposes one that is like `near`.
pub(crate) fn missing(near: &str, at: Span, named: &Named, mistakes: &mut Mistakes) {
    let Named { needed, attribute, .. } = named;
    let name = proposal(near, named);
    mistakes.at(at, format!("{needed}: `#[{attribute}(\"{name}\")]`"));
}

/// Checks a name, and proposes a better one.
pub(crate) fn check(literal: &LitStr, named: &Named, mistakes: &mut Mistakes) {
    let (name, what) = (literal.value(), named.what);
    if name.len() > LIMIT {
        let length = name.len();
        mistakes.on(literal, format!("{what} has at most {LIMIT} bytes, this one has {length}"));
    }
    if !is_name(&name, named.words) {
        let proposal = proposal(&name, named);
        let (words, repeated) = if named.words > 1 { ("two", "+") } else { ("one", "*") };
        mistakes.on(
            literal,
            format!(
                "{what} is {words} or more words with slashes between, matching \
                 `^[a-z][a-z0-9_-]*(/[a-z][a-z0-9_-]*){repeated}$`: try `{proposal}`"
            ),
        );
    }
}

fn is_name(name: &str, words: usize) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-'))
    };
    name.split('/').count() >= words && name.split('/').all(is_word)
}

/// The nearest name that is one; what it lacks is as in the example.
fn proposal(name: &str, named: &Named) -> String {
    let example = named.example;
    let mut words = vec![String::new()];
    let mut after_lowercase = false;
    for c in name.trim_start_matches("r#").chars() {
        let word = words.last_mut().expect("there is a word");
        match c {
            '/' | '.' | ':' | '\\' => words.push(String::new()),
            'A'..='Z' => {
                if after_lowercase {
                    word.push('_');
                }
                word.push(c.to_ascii_lowercase());
            }
            'a'..='z' => word.push(c),
            '0'..='9' | '_' | '-' if !word.is_empty() => word.push(c),
            _ if !word.is_empty() && !word.ends_with('_') => word.push('_'),
            _ => {}
        }
        after_lowercase = c.is_ascii_lowercase();
    }
    let mut words: Vec<&str> = words.iter().map(|word| word.trim_end_matches(['_', '-'])).collect();
    words.retain(|word| !word.is_empty());
    match words.as_slice() {
        [] => example.to_owned(),
        [word] if named.words > 1 => format!("{}/{word}", example.split('/').next().unwrap_or_default()),
        words => words.join("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::{TOOL, is_name, proposal};

    #[test]
    fn proposals_are_names() {
        for (wrong, right) in [
            ("spawn", "world/spawn"),
            ("World/SpawnOrc", "world/spawn_orc"),
            ("world.spawn", "world/spawn"),
            ("world::spawn orc!", "world/spawn_orc"),
            ("/world/", "world/world"),
            ("9lives/7th", "lives/th"),
            ("größe/höhe", "gr_e/h_he"),
            ("r#type", "world/type"),
            ("", "world/spawn"),
        ] {
            assert!(!is_name(wrong, 2));
            assert_eq!(proposal(wrong, &TOOL), right);
            assert!(is_name(right, 2));
        }
    }
}
