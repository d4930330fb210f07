//! Numbers and lengths between bounds.

use super::place::At;
use crate::error::Problem;
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

/// Keywords that bound a number, in words, and how a number may not compare with the bound.
pub(super) const BOUNDS: [(&str, &str, &[Ordering]); 4] = [
    ("minimum", "at least", &[Ordering::Less]),
    ("maximum", "at most", &[Ordering::Greater]),
    ("exclusiveMinimum", "more than", &[Ordering::Less, Ordering::Equal]),
    ("exclusiveMaximum", "less than", &[Ordering::Greater, Ordering::Equal]),
];

/// Compares a number with its bounds.
pub(super) fn within(
    keywords: &Map<String, Value>,
    number: &Number,
    at: At<'_>,
    problems: &mut Vec<Problem>,
) {
    let bound = |keyword: &str| match keywords.get(keyword) {
        Some(Value::Number(bound)) => Some((bound, compare(number, bound)?)),
        _ => None,
    };
    for (keyword, words, refused) in BOUNDS {
        if let Some((bound, _)) = bound(keyword).filter(|(_, order)| refused.contains(order)) {
            problems.push(at.problem(format!("must be {words} {bound}, found {number}")));
        }
    }
}

/// Counts what there is of a thing.
pub(super) fn sized(
    keywords: &Map<String, Value>,
    [least, greatest]: [&str; 2],
    length: usize,
    unit: &str,
    at: At<'_>,
    problems: &mut Vec<Problem>,
) {
    let bound = |keyword: &str| keywords.get(keyword).and_then(Value::as_u64);
    if let Some(least) = bound(least).filter(|least| (length as u64) < *least) {
        problems.push(at.problem(format!("must have at least {least} {unit}, has {length}")));
    }
    if let Some(greatest) = bound(greatest).filter(|greatest| (length as u64) > *greatest) {
        problems.push(at.problem(format!("must have at most {greatest} {unit}, has {length}")));
    }
}

/// Compares exactly where both are integers.
pub(crate) fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}
