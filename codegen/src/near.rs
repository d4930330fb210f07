//! Which of the words that are known a word was meant to be.

/// The nearest of `known`, if it is near enough to be a slip: a letter in four, at most three.
pub(crate) fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let near = known.into_iter().filter_map(|known| {
        if known.eq_ignore_ascii_case(word) {
            return Some((0, known));
        }
        let distance = strsim::osa_distance(word, known);
        (distance <= (known.chars().count() / 4).min(3)).then_some((distance, known))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_and_other_words() {
        let known = ["not", "type", "required", "minLength", "additionalProperties"];
        for (word, meant) in [
            ("requird", Some("required")),
            ("reqiured", Some("required")),
            ("minlength", Some("minLength")),
            ("additonalPropertys", Some("additionalProperties")),
            ("typ", Some("type")),
            ("Not", Some("not")),
            ("note", None),
            ("title", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
    }
}
