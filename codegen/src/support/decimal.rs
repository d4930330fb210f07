use std::cmp::Ordering;

/// A decimal number of any size, for comparing without rounding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Decimal {
    negative: bool,
    /// Digits without zeros at either end; empty for zero.
    digits: Vec<u8>,
    /// The number is `0.digits` times ten to this power.
    exponent: i64,
}

impl Decimal {
    /// Reads a JSON number; also what Rust prints for its own number types. `None` for other text.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, power) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0').collect();
        let Some(first) = all.iter().position(|digit| *digit != 0) else {
            return Some(Self { negative: false, digits: Vec::new(), exponent: 0 });
        };
        let last = all.iter().rposition(|digit| *digit != 0).unwrap_or(first);
        let exponent = i64::try_from(whole.len()).ok()?.checked_sub(i64::try_from(first).ok()?)?;
        Some(Self { negative, digits: all[first..=last].to_vec(), exponent: exponent.checked_add(power)? })
    }

    /// No digits after the point.
    pub fn is_integer(&self) -> bool {
        self.digits.is_empty() || i64::try_from(self.digits.len()).is_ok_and(|length| length <= self.exponent)
    }

    /// Whether it is `divisor` times an integer. `None` when the divisor is not above zero, or has
    /// more than 36 digits.
    pub fn is_multiple_of(&self, divisor: &Self) -> Option<bool> {
        if divisor.negative || divisor.digits.is_empty() || divisor.digits.len() > 36 {
            return None;
        }
        // Both are integers times a power of ten; `shift` is by how much ours is greater.
        let low = |number: &Self| number.exponent - number.digits.len() as i64;
        let shift = low(self) - low(divisor);
        if self.digits.is_empty() {
            return Some(true);
        }
        let modulus = divisor.digits.iter().fold(0u128, |value, digit| value * 10 + u128::from(*digit));
        if shift < 0 {
            // Our last digit is not zero, so no multiple of a higher power of ten.
            return Some(false);
        }
        let mut rest =
            self.digits.iter().fold(0u128, |rest, digit| (rest * 10 + u128::from(*digit)) % modulus);
        for _ in 0..shift {
            if rest == 0 {
                break;
            }
            let next = rest * 10 % modulus;
            if next == rest {
                break;
            }
            rest = next;
        }
        Some(rest == 0)
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
        }
    }
}
