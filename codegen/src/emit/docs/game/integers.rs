//! Integers that stand in JSON as text, since its numbers are exact up to 2^53 - 1 only. Their schema is a
//! string with a pattern that says exactly which.

use regress::Regex;

/// The ends of what such a pattern takes; `None` where it is another pattern.
pub(super) fn bounds(pattern: &str) -> Option<(String, String)> {
    let inside = pattern.strip_prefix("^(")?.strip_suffix(")$")?;
    let is_of_digits = inside.chars().all(|c| c.is_ascii_digit() || "-?[](){},|".contains(c));
    if !is_of_digits || !inside.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let regex = Regex::with_flags(pattern, "u").ok()?;
    let takes = |text: &str| regex.find(text).is_some();
    let zero = takes("0").then(|| "0".to_owned());
    let above = ends(|number| takes(&number.to_string()));
    let below = ends(|number| takes(&format!("-{number}")));
    let least = below.map(|(_, far)| format!("-{far}")).or_else(|| zero.clone());
    let greatest = above.map(|(_, far)| far.to_string()).or(zero);
    let least = least.or_else(|| above.map(|(near, _)| near.to_string()))?;
    Some((least, greatest.or_else(|| below.map(|(near, _)| format!("-{near}")))?))
}

/// The least and the greatest number above 0 that are taken. They have no gaps between them, and where one
/// is taken, so is a power of ten or an end.
fn ends(takes: impl Fn(u128) -> bool) -> Option<(u128, u128)> {
    let powers = (0..39).map(|power| 10_u128.pow(power));
    let nines = (1..39).map(|power| 10_u128.pow(power) - 1);
    let known = powers.chain(nines).find(|number| takes(*number))?;
    let search = |mut within: u128, mut outside: u128| {
        while within.abs_diff(outside) > 1 {
            let middle = within.min(outside) + within.abs_diff(outside) / 2;
            *(if takes(middle) { &mut within } else { &mut outside }) = middle;
        }
        within
    };
    let greatest = if takes(u128::MAX) { u128::MAX } else { search(known, u128::MAX) };
    Some((search(known, 0), greatest))
}

#[cfg(test)]
mod tests {
    use super::bounds;

    #[test]
    fn ends_are_found() {
        for (pattern, ends) in [
            ("^(0|[1-9][0-9]{0,2})$", Some(("0", "999"))),
            ("^(0|-?[1-9]|-10)$", Some(("-10", "9"))),
            ("^([1-9])$", Some(("1", "9"))),
            ("^([a-z])$", None),
            ("^[0-9]+$", None),
            (
                "^(0|-?[1-9][0-9]{0,400})$",
                Some(("-340282366920938463463374607431768211455", "340282366920938463463374607431768211455")),
            ),
        ] {
            let ends = ends.map(|(least, greatest)| (least.to_owned(), greatest.to_owned()));
            assert_eq!(bounds(pattern), ends, "{pattern}");
        }
    }
}
