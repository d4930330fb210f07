//! Integers of 64 bits and more, which JSON numbers do not hold everywhere: they stand as decimal
//! strings, whose pattern says exactly which.

use super::digits::{group, magnitudes};
use serde_json::{Map, Number, Value, json};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Marks such a place in a schema, for us only: the bounds stand there.
const MARK: &str = "ludwire:integer";

/// The greatest integer up to which JSON numbers are exact everywhere, 2^53 − 1.
pub(super) const SAFE: i64 = 9_007_199_254_740_991;

/// A whole number of up to 128 bits, with or without a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whole {
    negative: bool,
    magnitude: u128,
}

/// Which numbers may stand at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    least: Whole,
    greatest: Whole,
    /// Zero may not.
    nonzero: bool,
}

impl Bounds {
    /// Those of the Rust type that schemars calls `format`, if numbers do not hold it.
    fn of_format(format: &str) -> Option<Self> {
        let (least, greatest) = match format {
            "int64" => (i64::MIN.into(), u128::from(i64::MAX.unsigned_abs())),
            "uint64" => (0.into(), u64::MAX.into()),
            "int128" => (i128::MIN.into(), i128::MAX.unsigned_abs()),
            "uint128" => (0.into(), u128::MAX),
            _ => return None,
        };
        Some(Self { least, greatest: Whole { negative: false, magnitude: greatest }, nonzero: false })
    }

    /// Those of a marked place.
    pub(super) fn marked(keywords: &Map<String, Value>) -> Option<Self> {
        let mark = keywords.get(MARK)?;
        let end = |index: usize| mark.get(index)?.as_str()?.parse().ok();
        Some(Self { least: end(0)?, greatest: end(1)?, nonzero: mark.get(2)?.as_bool()? })
    }

    pub(super) fn contain(self, whole: Whole) -> bool {
        self.least <= whole && whole <= self.greatest && !(self.nonzero && whole.magnitude == 0)
    }

    /// The least and the greatest, and whether the type has more than 64 bits.
    pub(super) fn ends(self) -> [(String, bool); 2] {
        let is_wide = [self.least, self.greatest].iter().any(|end| end.number().is_none());
        [self.least, self.greatest].map(|end| (end.to_string(), is_wide))
    }

    /// What is meant, in a message.
    pub(super) fn words(self) -> String {
        let (least, greatest) = (self.least, self.greatest);
        let nonzero = if self.nonzero { " but 0" } else { "" };
        format!("a whole number from {least} to {greatest}{nonzero}, as a decimal string")
    }

    /// ECMA-262 pattern of these numbers in decimal, each in its one form.
    fn pattern(self) -> String {
        let mut forms = Vec::new();
        if self.contain(0.into()) {
            forms.push("0".to_owned());
        }
        let above = |whole: Whole, negative: bool| (whole.negative == negative).then_some(whole.magnitude);
        // The magnitudes on both sides of zero, from least to greatest.
        let side = |near: Whole, far: Whole, negative: bool| {
            let far = above(far, negative).filter(|far| *far > 0)?;
            Some((above(near, negative).unwrap_or(0).max(1), far))
        };
        let negatives = side(self.greatest, self.least, true);
        let positives = side(self.least, self.greatest, false);
        match (negatives, positives) {
            // What differs in the sign only stands there once.
            (Some((1, below)), Some((1, above))) => {
                let both = below.min(above);
                forms.push(format!("-?{}", group(magnitudes(1, both))));
                if below > both {
                    forms.push(format!("-{}", group(magnitudes(both + 1, below))));
                }
                if above > both {
                    forms.extend(magnitudes(both + 1, above));
                }
            }
            (negatives, positives) => {
                if let Some((near, far)) = negatives {
                    forms.push(format!("-{}", group(magnitudes(near, far))));
                }
                if let Some((near, far)) = positives {
                    forms.extend(magnitudes(near, far));
                }
            }
        }
        // Where nothing fits, neither does any text.
        if forms.is_empty() { "^\\b\\B$".to_owned() } else { format!("^({})$", forms.join("|")) }
    }
}

/// Makes a schema of a large integer one of a decimal string; its format is no longer needed then.
pub(super) fn as_string(members: &mut Map<String, Value>, format: &str) {
    let Some(mut bounds) = Bounds::of_format(format) else { return };
    let Some(kinds) = members.get_mut("type") else { return };
    match kinds {
        Value::String(kind) if kind == "integer" => *kind = "string".to_owned(),
        Value::Array(kinds) if kinds.iter().all(|kind| kind == "integer" || kind == "null") => {
            kinds.iter_mut().filter(|kind| *kind == "integer").for_each(|kind| *kind = "string".into());
        }
        _ => return,
    }
    let mut end = |keyword: &str, round: fn(f64) -> f64, step: i64| {
        let end = Whole::near(members.remove(keyword)?.as_number()?, round)?;
        // No end of such a type is so far out that a step more would not fit.
        Some(if step == 0 { end } else { end.plus(step) })
    };
    for least in [end("minimum", f64::ceil, 0), end("exclusiveMinimum", f64::floor, 1)].into_iter().flatten()
    {
        bounds.least = bounds.least.max(least);
    }
    for greatest in
        [end("maximum", f64::floor, 0), end("exclusiveMaximum", f64::ceil, -1)].into_iter().flatten()
    {
        bounds.greatest = bounds.greatest.min(greatest);
    }
    // So schemars says it of `NonZeroI64`.
    if members.get("not") == Some(&json!({ "const": 0 })) {
        members.remove("not");
        bounds.nonzero = true;
    }
    members.insert("pattern".to_owned(), bounds.pattern().into());
    let (least, greatest) = (bounds.least.to_string(), bounds.greatest.to_string());
    members.insert(MARK.to_owned(), json!([least, greatest, bounds.nonzero]));
}

/// Makes a schema of a large integer, which is not clean yet, one of a number that JSON holds.
pub(super) fn as_number(members: &mut Map<String, Value>) -> bool {
    let Some(Value::String(format)) = members.get_mut("format") else { return false };
    let is_large = Bounds::of_format(format).is_some();
    if is_large {
        *format = if format.starts_with('u') { "uint" } else { "int" }.to_owned();
    }
    is_large
}

/// Takes away what only we read.
pub(super) fn unmark(members: &mut Map<String, Value>) {
    members.remove(MARK);
}

/// ECMA-262 pattern of the keys of a map whose keys are the integers between these.
pub(super) fn key_pattern(least: &str, greatest: &str) -> Option<String> {
    let bounds = Bounds { least: least.parse().ok()?, greatest: greatest.parse().ok()?, nonzero: false };
    Some(bounds.pattern())
}

impl Whole {
    /// A number without fraction, where it is exact.
    pub(super) fn of(number: &Number) -> Option<Self> {
        if number.is_f64() {
            let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= SAFE as f64);
            return float.map(|float| Self::from(float as i128));
        }
        number.as_i128().map(Self::from)
    }

    /// The same, of a bound, which may lie between two.
    fn near(number: &Number, round: fn(f64) -> f64) -> Option<Self> {
        match number.as_i128() {
            Some(whole) if !number.is_f64() => Some(whole.into()),
            _ => Some(Self::from(round(number.as_f64()?) as i128)),
        }
    }

    fn plus(self, step: i64) -> Self {
        match i128::try_from(self.magnitude) {
            Ok(magnitude) => {
                let signed = if self.negative { -magnitude } else { magnitude };
                signed.saturating_add(step.into()).into()
            }
            Err(_) => self,
        }
    }

    /// As a number, where JSON has it.
    pub(super) fn number(self) -> Option<Number> {
        if self.negative {
            let signed = i128::try_from(self.magnitude).map_or(i128::MIN, |magnitude| -magnitude);
            return Number::from_i128(signed);
        }
        Number::from_u128(self.magnitude)
    }
}

impl From<i128> for Whole {
    fn from(value: i128) -> Self {
        Self { negative: value < 0, magnitude: value.unsigned_abs() }
    }
}

impl From<i64> for Whole {
    fn from(value: i64) -> Self {
        i128::from(value).into()
    }
}

impl From<i32> for Whole {
    fn from(value: i32) -> Self {
        i128::from(value).into()
    }
}

/// In its one form: no leading zeros, no plus, no minus before zero.
impl FromStr for Whole {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        let is_canonical = digits.bytes().all(|byte| byte.is_ascii_digit())
            && (!digits.starts_with('0') || (digits == "0" && !negative));
        let magnitude = digits.parse().ok().filter(|_| is_canonical).ok_or(())?;
        Ok(Self { negative, magnitude })
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{}", self.magnitude)
    }
}

impl Ord for Whole {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, false) => self.magnitude.cmp(&other.magnitude),
            (true, true) => other.magnitude.cmp(&self.magnitude),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Whole {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Whole};
    use regress::Regex;

    fn bounds(least: &str, greatest: &str) -> Bounds {
        let end = |text: &str| text.parse::<Whole>().expect("a number");
        Bounds { least: end(least), greatest: end(greatest), nonzero: false }
    }

    #[test]
    fn patterns_are_the_bounds() {
        let small: Vec<i64> = (-1250..=1250).collect();
        for (least, greatest) in [
            (0, 0),
            (0, 9),
            (1, 1),
            (-1, 1),
            (5, 17),
            (10, 99),
            (-17, -5),
            (-9, 1200),
            (99, 1001),
            (-1001, 100),
            (7, 1234),
        ] {
            let bounds = bounds(&least.to_string(), &greatest.to_string());
            let regex = Regex::with_flags(&bounds.pattern(), "u").expect("a pattern");
            for number in &small {
                let is_within = (least..=greatest).contains(number);
                assert_eq!(
                    regex.find(&number.to_string()).is_some(),
                    is_within,
                    "{number} {}",
                    bounds.pattern()
                );
                assert_eq!(bounds.contain((*number).into()), is_within);
            }
            for wrong in ["", "-", "-0", "00", "01", "+1", " 1", "1 ", "1.0", "1e0", "١"] {
                assert!(regex.find(wrong).is_none(), "{wrong} {}", bounds.pattern());
                assert!(wrong.parse::<Whole>().is_err(), "{wrong}");
            }
        }
    }

    #[test]
    fn patterns_of_types_end_where_they_end() {
        for (format, right, wrong) in [
            (
                "int64",
                ["-9223372036854775808", "9223372036854775807"],
                ["-9223372036854775809", "9223372036854775808"],
            ),
            ("uint64", ["0", "18446744073709551615"], ["-1", "18446744073709551616"]),
            (
                "int128",
                ["-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"],
                ["-170141183460469231731687303715884105729", "170141183460469231731687303715884105728"],
            ),
            (
                "uint128",
                ["0", "340282366920938463463374607431768211455"],
                ["-1", "340282366920938463463374607431768211456"],
            ),
        ] {
            let bounds = Bounds::of_format(format).expect("a format of schemars");
            let regex = Regex::with_flags(&bounds.pattern(), "u").expect("a pattern");
            for text in right {
                assert!(
                    regex.find(text).is_some() && bounds.contain(text.parse().expect("a number")),
                    "{text}"
                );
            }
            for text in wrong {
                assert!(regex.find(text).is_none(), "{text}");
                assert!(text.parse().map_or(true, |whole| !bounds.contain(whole)), "{text}");
            }
        }
    }
}
