use super::RuleError;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A decimal number of any size, without rounding.
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
        let rest = self.digits.iter().fold(0u128, |rest, digit| (rest * 10 + u128::from(*digit)) % modulus);
        let shift = u64::try_from(shift).unwrap_or(u64::MAX);
        Some(product(rest, power_of_ten(shift, modulus), modulus) == 0)
    }

    /// Checks bounds, each with whether it is itself outside, and divisors.
    ///
    /// # Errors
    ///
    /// When the number is below the minimum, above the maximum or no multiple, in words.
    #[doc(hidden)]
    pub fn check(
        &self,
        minimum: Option<(&str, bool)>,
        maximum: Option<(&str, bool)>,
        multiple_of: &[&str],
    ) -> Result<(), RuleError> {
        let beyond = |bound: &str, exclusive: bool, side: Ordering| {
            Self::parse(bound).is_some_and(|bound| {
                let order = self.cmp(&bound);
                order == side || (exclusive && order == Ordering::Equal)
            })
        };
        let broken = minimum.filter(|(bound, exclusive)| beyond(bound, *exclusive, Ordering::Less));
        if let Some((bound, exclusive)) = broken {
            let words = if exclusive { "greater than" } else { "at least" };
            return Err(RuleError::new(format!("must be {words} {bound}, found {self}")));
        }
        let broken = maximum.filter(|(bound, exclusive)| beyond(bound, *exclusive, Ordering::Greater));
        if let Some((bound, exclusive)) = broken {
            let words = if exclusive { "less than" } else { "at most" };
            return Err(RuleError::new(format!("must be {words} {bound}, found {self}")));
        }
        for divisor in multiple_of {
            if Self::parse(divisor).and_then(|divisor| self.is_multiple_of(&divisor)) != Some(true) {
                return Err(RuleError::new(format!("must be a multiple of {divisor}, found {self}")));
            }
        }
        Ok(())
    }

    /// The number as `u64`, when it is one.
    pub fn as_u64(&self) -> Option<u64> {
        self.whole().filter(|_| !self.negative || self.digits.is_empty())
    }

    /// The number as `i64`, when it is one.
    pub fn as_i64(&self) -> Option<i64> {
        let value = i128::from(self.whole()?);
        i64::try_from(if self.negative { -value } else { value }).ok()
    }

    /// The number as a double, rounded to the nearest one.
    pub fn as_f64(&self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// The size, when it is an integer of 64 bits.
    fn whole(&self) -> Option<u64> {
        if !self.is_integer() || self.exponent > 20 {
            return None;
        }
        let zeros = usize::try_from(self.exponent).unwrap_or(0).saturating_sub(self.digits.len());
        let digits = self.digits.iter().copied().chain(std::iter::repeat_n(0, zeros));
        let mut value: u64 = 0;
        for digit in digits {
            value = value.checked_mul(10)?.checked_add(u64::from(digit))?;
        }
        Some(value)
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

/// `a` times `b`, modulo a number below 2^127.
fn product(a: u128, b: u128, modulus: u128) -> u128 {
    let (mut sum, mut a, mut b) = (0, a % modulus, b);
    while b > 0 {
        if b & 1 == 1 {
            sum = (sum + a) % modulus;
        }
        a = a * 2 % modulus;
        b >>= 1;
    }
    sum
}

/// Ten to a power, modulo a number below 2^127.
fn power_of_ten(power: u64, modulus: u128) -> u128 {
    let (mut result, mut base, mut power) = (1 % modulus, 10 % modulus, power);
    while power > 0 {
        if power & 1 == 1 {
            result = product(result, base, modulus);
        }
        base = product(base, base, modulus);
        power >>= 1;
    }
    result
}

/// A JSON number: in full where that is short.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let sign = if self.negative { "-" } else { "" };
        match usize::try_from(self.exponent) {
            _ if digits.is_empty() => f.write_str("0"),
            Ok(whole) if whole >= digits.len() && whole <= 400 => {
                write!(f, "{sign}{digits}{}", "0".repeat(whole - digits.len()))
            }
            Ok(whole) if 0 < whole && whole < digits.len() => {
                write!(f, "{sign}{}.{}", &digits[..whole], &digits[whole..])
            }
            // As a double is shown that is not very small.
            Err(_) if self.exponent > -10 => {
                let zeros = usize::try_from(self.exponent.unsigned_abs()).unwrap_or(0);
                write!(f, "{sign}0.{}{digits}", "0".repeat(zeros))
            }
            Ok(0) => write!(f, "{sign}0.{digits}"),
            _ => write!(f, "{sign}0.{digits}e{}", self.exponent),
        }
    }
}

impl FromStr for Decimal {
    type Err = RuleError;
    fn from_str(text: &str) -> Result<Self, RuleError> {
        Self::parse(text).ok_or_else(|| RuleError::new("must be a number"))
    }
}

impl From<u64> for Decimal {
    fn from(value: u64) -> Self {
        Self::parse(&value.to_string()).expect("what Rust prints of an integer is a decimal number")
    }
}

impl From<i64> for Decimal {
    fn from(value: i64) -> Self {
        Self::parse(&value.to_string()).expect("what Rust prints of an integer is a decimal number")
    }
}

/// JSON has no infinity and no NaN.
impl TryFrom<f64> for Decimal {
    type Error = RuleError;
    fn try_from(value: f64) -> Result<Self, RuleError> {
        if value.is_finite() { value.to_string().parse() } else { Err(RuleError::new("must be finite")) }
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
