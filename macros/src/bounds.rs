//! `1..=100` in `range` and `len`.

use crate::attribute::literal;
use crate::mistakes::Mistakes;
use std::fmt;
use syn::{Expr, ExprRange, Lit, RangeLimits};

/// A least and a greatest value, both included.
pub(crate) struct Bounds {
    /// What the user wrote.
    pub(crate) written: Expr,
    pub(crate) least: Option<Bound>,
    pub(crate) greatest: Option<Bound>,
}

/// One end of a range.
pub(crate) enum Bound {
    Number(Number),
    /// A constant of the user's; only the compiler knows it.
    Expr(Expr),
    /// A constant that is not included itself.
    Below(Expr),
}

/// The value of a literal.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
}

/// What the ends of a range can be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    /// Any numbers: `range`.
    Numbers,
    /// Counts: `len`.
    Lengths,
}

impl Bounds {
    /// Reads a range. What is wrong is noted.
    pub(crate) fn parse(expr: &Expr, of: Of, mistakes: &mut Mistakes) -> Option<Self> {
        let Expr::Range(ExprRange { start, limits, end, .. }) = expr else {
            let example = if of == Of::Lengths { "`1..=200`" } else { "`1..=100`, `0..`" };
            mistakes.on(expr, format!("expected a range, such as {example}"));
            return None;
        };
        if start.is_none() && end.is_none() {
            mistakes.on(expr, "this range bounds nothing; give it an end, or leave it out");
            return None;
        }
        let least = start.as_ref().map(|start| Bound::parse(start, of, mistakes));
        let greatest = end.as_ref().map(|end| match (Bound::parse(end, of, mistakes)?, limits) {
            (bound, RangeLimits::Closed(_)) => Some(bound),
            (Bound::Number(Number::Integer(end)), _) => Some(Bound::Number(Number::Integer(end - 1))),
            (Bound::Number(Number::Float(_)), _) => {
                mistakes.on(expr, "a range of floating-point numbers includes its end: write `..=`");
                None
            }
            (Bound::Expr(end) | Bound::Below(end), _) => Some(Bound::Below(end)),
        });
        if matches!(least, Some(None)) || matches!(greatest, Some(None)) {
            return None;
        }
        let bounds = Self { written: expr.clone(), least: least.flatten(), greatest: greatest.flatten() };
        let nothing = Number::Integer(0);
        let least = match &bounds.least {
            Some(Bound::Number(least)) => Some(least),
            None if of == Of::Lengths => Some(&nothing),
            _ => None,
        };
        if let (Some(least), Some(Bound::Number(greatest))) = (least, &bounds.greatest)
            && !least.at_most(*greatest)
        {
            mistakes.on(expr, "this range is empty: nothing lies in it");
            return None;
        }
        Some(bounds)
    }

    /// The ends that are literals.
    pub(crate) fn ends(&self) -> impl Iterator<Item = Number> {
        [&self.least, &self.greatest].into_iter().filter_map(|end| match end {
            Some(Bound::Number(number)) => Some(*number),
            _ => None,
        })
    }

    /// Whether a number lies within, as far as literals tell.
    pub(crate) fn contains(&self, number: Number) -> bool {
        let above = match &self.least {
            Some(Bound::Number(least)) => least.at_most(number),
            _ => true,
        };
        let below = match &self.greatest {
            Some(Bound::Number(greatest)) => number.at_most(*greatest),
            _ => true,
        };
        above && below
    }
}

impl Bound {
    fn parse(expr: &Expr, of: Of, mistakes: &mut Mistakes) -> Option<Self> {
        let Some((_, literal)) = literal(expr) else { return Some(Self::Expr(expr.clone())) };
        let number = Number::of(expr);
        match (number, of) {
            (None, Of::Numbers) if matches!(literal, Lit::Int(_) | Lit::Float(_)) => {
                mistakes.on(expr, "this number is too large");
            }
            (None, _) => mistakes.on(expr, "the ends of a range are numbers"),
            (Some(Number::Integer(number)), Of::Numbers)
                if i64::try_from(number).is_err() && u64::try_from(number).is_err() =>
            {
                mistakes.on(expr, "this number is too large: ends of ranges have 64 bits");
                return None;
            }
            (Some(Number::Integer(number)), Of::Lengths) if u64::try_from(number).is_err() => {
                mistakes.on(expr, "a length is a whole number from 0");
                return None;
            }
            (Some(Number::Float(_)), Of::Lengths) => mistakes.on(expr, "a length is a whole number from 0"),
            (Some(number), _) => return Some(Self::Number(number)),
        }
        None
    }
}

impl Number {
    /// The value of a literal number.
    pub(crate) fn of(expr: &Expr) -> Option<Self> {
        let (negative, literal) = literal(expr)?;
        match literal {
            Lit::Int(literal) if matches!(literal.suffix(), "f32" | "f64") => {
                let value: f64 = literal.base10_digits().parse().ok()?;
                Some(Self::Float(if negative { -value } else { value }))
            }
            Lit::Int(literal) => {
                let value: i128 = literal.base10_parse().ok()?;
                Some(Self::Integer(if negative { -value } else { value }))
            }
            Lit::Float(literal) => {
                let value: f64 = literal.base10_parse().ok().filter(|value: &f64| value.is_finite())?;
                Some(Self::Float(if negative { -value } else { value }))
            }
            _ => None,
        }
    }

    pub(crate) fn at_most(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a <= b,
            (Self::Integer(a), Self::Float(b)) => a as f64 <= b,
            (Self::Float(a), Self::Integer(b)) => a <= b as f64,
            (Self::Float(a), Self::Float(b)) => a <= b,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}
