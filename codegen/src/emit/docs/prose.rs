//! What a page says in a line, before anyone decides how to write it down.

use serde::Serialize;

/// A line of text in pieces.
pub(super) type Prose = Vec<Span>;

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Span {
    /// Words; `` `code` `` in them is code.
    Text(String),
    /// Something that a program reads or writes, to be shown letter by letter.
    Code(String),
    /// The same, leading to another place.
    CodeLink {
        /// What is shown.
        code: String,
        /// The place, as of a [`Span::Link`].
        target: String,
    },
    /// Words that lead to another place.
    Link {
        /// The words.
        label: String,
        /// The place: `#anchor`, a file beside this one, or a URL.
        target: String,
    },
}

/// One piece of words.
pub(super) fn text(words: impl Into<String>) -> Prose {
    vec![Span::Text(words.into())]
}

/// One piece of code.
pub(super) fn code(letters: impl Into<String>) -> Prose {
    vec![Span::Code(letters.into())]
}

/// Words as a sentence, with a capital letter and a full stop.
pub(super) fn sentence(words: &str) -> String {
    let words = words.trim();
    let mut letters = words.chars();
    let capital = letters.next().into_iter().flat_map(char::to_uppercase);
    let stop = if words.is_empty() || words.ends_with(['.', '!', '?']) { "" } else { "." };
    capital.chain(letters).chain(stop.chars()).collect()
}

/// Words in which code that has a link is one. `link` says where code leads.
pub(super) fn linked(words: &str, link: impl Fn(&str) -> Option<String>) -> Prose {
    let mut line = Prose::new();
    for (at, part) in words.split('`').enumerate() {
        match (at % 2, link(part)) {
            (1, Some(target)) => line.push(Span::CodeLink { code: part.to_owned(), target }),
            (1, None) => line.push(Span::Code(part.to_owned())),
            _ => line.push(Span::Text(part.to_owned())),
        }
    }
    line.retain(|span| !matches!(span, Span::Text(words) if words.is_empty()));
    line
}
