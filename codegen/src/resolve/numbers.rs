//! Numbers of keywords, exactly as their text has them.

/// A length or count.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// `3`, `3.0` and `30e-1` are three. What is greater than `u64::MAX` is that, which no string,
    /// array or object reaches.
    Is(u64),
    /// Less than zero.
    Negative,
    /// Not a whole number.
    Fractional,
}

/// Reads a JSON number as a length or count.
pub(super) fn count(text: &str) -> Count {
    let (negative, digits, exponent) = decimal(text);
    let digits = digits.trim_start_matches('0');
    let whole = digits.trim_end_matches('0');
    if digits.is_empty() {
        return Count::Is(0);
    }
    let dropped = i64::try_from(digits.len() - whole.len()).unwrap_or(i64::MAX);
    let exponent = exponent.saturating_add(dropped);
    if exponent < 0 {
        return Count::Fractional;
    }
    if negative {
        return Count::Negative;
    }
    let zeros = usize::try_from(exponent).unwrap_or(usize::MAX);
    if whole.len().saturating_add(zeros) > 20 {
        return Count::Is(u64::MAX);
    }
    Count::Is(format!("{whole}{}", "0".repeat(zeros)).parse().unwrap_or(u64::MAX))
}

/// Whether a JSON number is greater than zero.
pub(super) fn is_positive(text: &str) -> bool {
    let (negative, digits, _) = decimal(text);
    !negative && digits.bytes().any(|digit| digit != b'0')
}

/// A JSON number as sign, digits and the power of ten that they count in.
fn decimal(text: &str) -> (bool, String, i64) {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // An exponent beyond i64 is as good as the greatest.
    let limit = if exponent.starts_with('-') { i64::MIN } else { i64::MAX };
    let exponent = exponent.parse().unwrap_or(limit);
    let places = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    (negative, format!("{whole}{fraction}"), exponent.saturating_sub(places))
}

#[cfg(test)]
mod tests {
    use super::{Count, count, is_positive};

    #[test]
    fn counts_are_whole_however_they_are_written() {
        for (text, expected) in [
            ("0", Count::Is(0)),
            ("-0", Count::Is(0)),
            ("0.0e5", Count::Is(0)),
            ("3", Count::Is(3)),
            ("3.0", Count::Is(3)),
            ("30e-1", Count::Is(3)),
            ("0.3E+1", Count::Is(3)),
            ("18446744073709551615", Count::Is(u64::MAX)),
            ("1e300", Count::Is(u64::MAX)),
            ("99999999999999999999", Count::Is(u64::MAX)),
            ("1.5", Count::Fractional),
            ("-1.5", Count::Fractional),
            ("1e-99999999999999999999", Count::Fractional),
            ("-1", Count::Negative),
            ("-1.0", Count::Negative),
        ] {
            assert_eq!(count(text), expected, "{text}");
        }
    }

    #[test]
    fn only_numbers_above_zero_are_positive() {
        for (text, expected) in
            [("0", false), ("-0.0", false), ("0e7", false), ("-2", false), ("1e-300", true), ("0.01", true)]
        {
            assert_eq!(is_positive(text), expected, "{text}");
        }
    }
}
