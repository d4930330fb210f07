//! Takes a description such as "What it does. sensor: reads it. actuator: acts on it." apart.

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
    let mut found = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let label = format!("{value}:");
        let mut places = description.match_indices(&label).map(|(at, _)| at).filter(|at| {
            let after = description.get(at + label.len()..).unwrap_or_default();
            starts_sentence(description.get(..*at).unwrap_or_default()) && after.starts_with([' ', '\n'])
        });
        let at = places.next()?;
        if places.next().is_some() {
            return None;
        }
        found.push((at, at + label.len(), index));
    }
    found.sort_unstable();
    let mut each = vec![String::new(); values.len()];
    let mut about = description.get(..found.first()?.0)?.trim().to_owned();
    for (position, (_, start, index)) in found.iter().enumerate() {
        let end = found.get(position + 1).map_or(description.len(), |next| next.0);
        let mut meaning = description.get(*start..end)?.trim();
        if position + 1 == found.len()
            && let Some(end) = first_sentence(meaning)
        {
            let rest = meaning.get(end..)?.trim();
            if !rest.is_empty() {
                about = format!("{about} {rest}").trim().to_owned();
            }
            meaning = meaning.get(..end)?;
        }
        // `pop` on the meaning's own full stop is left to nobody: it is a sentence.
        if let Some(slot) = each.get_mut(*index) {
            *slot = meaning.to_owned();
        }
    }
    Some(Meanings { about, each })
}

/// Whether a sentence, or an item of a list, may start after this text.
fn starts_sentence(before: &str) -> bool {
    let trimmed = before.trim_end_matches([' ', '\n', '\t', '-', '*', '`']);
    trimmed.is_empty() || trimmed.ends_with(['.', ';', ':', '!', '?']) || before.ends_with('\n')
}

/// Where the first sentence ends, if another follows.
fn first_sentence(text: &str) -> Option<usize> {
    text.match_indices(". ").map(|(at, _)| at + 1).find(|end| {
        let next = text.get(*end..).and_then(|rest| rest.trim_start().chars().next());
        next.is_some_and(char::is_uppercase)
    })
}
