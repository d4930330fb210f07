//! Takes a description such as "What it does. sensor: reads it. actuator: acts on it." apart.

use std::ops::Range;

/// A description, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Meanings {
    /// What is said of the whole.
    pub(super) about: String,
    /// What is said of each value, in the order of the values.
    pub(super) each: Vec<String>,
}

/// Finds `value: meaning.` for every one of `values`; `None` unless all are there, each once.
///
/// What follows the first sentence about the last value is about the whole again: "… abstract: none
/// of these. It is a hint."
pub(super) fn split(description: &str, values: &[&str]) -> Option<Meanings> {
    if values.len() < 2 {
        return None;
    }
    let mut labels = values
        .iter()
        .enumerate()
        .map(|(index, value)| Some((label(description, value)?, index)))
        .collect::<Option<Vec<_>>>()?;
    labels.sort_unstable_by_key(|(label, _)| label.start);

    let mut each = vec![String::new(); values.len()];
    let mut about = description.get(..labels.first()?.0.start)?.trim().to_owned();
    for (position, (label, index)) in labels.iter().enumerate() {
        let next = labels.get(position + 1).map(|(next, _)| next.start);
        let mut meaning = description.get(label.end..next.unwrap_or(description.len()))?.trim();
        if next.is_none()
            && let Some(end) = first_sentence(meaning)
        {
            let rest = meaning.get(end..)?.trim();
            about = format!("{about} {rest}").trim().to_owned();
            meaning = meaning.get(..end)?;
        }
        meaning.clone_into(each.get_mut(*index)?);
    }
    Some(Meanings { about, each })
}

/// Where `value:` stands at the start of a sentence or of an item of a list, what leads to it
/// included; `None` unless that is one place.
fn label(description: &str, value: &str) -> Option<Range<usize>> {
    let mut found = None;
    for label in [format!("{value}:"), format!("`{value}`:"), format!("'{value}':"), format!("\"{value}\":")]
    {
        for (at, _) in description.match_indices(&label) {
            let end = at + label.len();
            let before = description.get(..at)?;
            let lead = before.trim_end_matches([' ', '\n', '\r', '\t', '-', '*', '•']);
            let starts = lead.is_empty()
                || (lead.len() < at && lead.ends_with(['.', ';', ':', '!', '?']))
                || before.get(lead.len()..)?.contains('\n');
            if starts && description.get(end..)?.starts_with([' ', '\n']) {
                if found.is_some() {
                    return None;
                }
                found = Some(lead.len()..end);
            }
        }
    }
    found
}

/// Where the first sentence ends, if another follows.
fn first_sentence(text: &str) -> Option<usize> {
    text.match_indices(". ").map(|(at, _)| at + 1).find(|end| {
        let next = text.get(*end..).and_then(|rest| rest.trim_start().chars().next());
        next.is_some_and(char::is_uppercase)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(description: &str, values: &[&str]) -> Option<(String, Vec<String>)> {
        split(description, values).map(|meanings| (meanings.about, meanings.each))
    }

    #[test]
    fn meanings_follow_their_values_in_any_order() {
        let text = "How it moves. event: by calls. So it waits. fixed: evenly.";
        let expected = ("How it moves.", ["evenly.", "by calls. So it waits."]);
        let found = parts(text, &["fixed", "event"]).expect("both are there");
        assert_eq!((found.0.as_str(), [found.1[0].as_str(), found.1[1].as_str()]), expected);
    }

    #[test]
    fn what_follows_the_last_sentence_is_about_the_whole() {
        let text = "Its look. 2d: flat. abstract: none, e.g. a board, v. 2 say. It is a hint. Any will do.";
        let (about, each) = parts(text, &["2d", "abstract"]).expect("both are there");
        assert_eq!(about, "Its look. It is a hint. Any will do.");
        assert_eq!(each, ["flat.", "none, e.g. a board, v. 2 say."]);
    }

    #[test]
    fn a_list_is_understood_too() {
        let (about, each) = parts("One of:\n- a: first\n- b: second", &["a", "b"]).expect("both are there");
        assert_eq!((about.as_str(), each), ("One of:", vec!["first".to_owned(), "second".to_owned()]));
    }

    #[test]
    fn anything_else_is_left_alone() {
        for (text, values) in [
            ("a: first.", &["a", "b"][..]),
            ("Say a: first. b: second.", &["a", "b"]),
            ("a: first. b: second. a: again.", &["a", "b"]),
            ("a: only.", &["a"]),
            ("a:first. b:second.", &["a", "b"]),
            ("Good.a: first. b: second", &["a", "b", "c"]),
            ("", &["a", "b"]),
        ] {
            assert_eq!(parts(text, values), None, "{text}");
        }
    }
}
