//! Numbers beyond 64 bits where they can't be told from their neighbours: a number by itself keeps
//! all its digits, a JSON value of any type does not.

use super::Lowering;
use crate::diagnostics::Place;
use crate::ir::{Check, NumberRules, Presence, Rest, Sealed, Shape, is_wide};
use crate::json::{Json, Node};
use crate::support::Decimal;
use std::collections::HashSet;

impl Lowering {
    /// Refuses what can't be checked to the last digit.
    pub(super) fn refuse_wide_numbers(&mut self) {
        let mut found: Vec<(Place, String)> = Vec::new();
        let mut seen = HashSet::new();
        for ty in self.types.iter().flatten() {
            let mut checks: Vec<(&Place, &Check)> = Vec::new();
            let mut values: Vec<&Node> = Vec::new();
            match &ty.shape {
                Shape::Value(check) | Shape::Sealed(Sealed { check, .. }) => checks.push((&ty.place, check)),
                Shape::Enum(list) => values.extend(list.variants.iter().map(|variant| &variant.value)),
                Shape::Struct(shape) => {
                    checks.extend(shape.rules.iter().map(|rule| (&rule.place, &rule.check)));
                    if let Rest::Checked(check) = &shape.rest {
                        checks.push((&ty.place, check));
                    }
                    for field in &shape.fields {
                        values.extend(&field.constant);
                        if let Presence::Default(value) = &field.presence {
                            values.push(value);
                        }
                    }
                }
                _ => {}
            }
            let wide = values.into_iter().find_map(wide_in);
            found.extend(wide.map(|number| (ty.place.clone(), number)));
            while let Some((place, check)) = checks.pop() {
                let inner = |inner| (place, inner);
                match check {
                    Check::Constants(values) => {
                        let wide = values.iter().find_map(wide_in);
                        found.extend(wide.map(|number| (place.clone(), number)));
                    }
                    Check::Number(rules) => {
                        found.extend(wide_bound(rules).map(|number| (place.clone(), number)));
                    }
                    Check::Shared(index) if seen.insert(*index) => {
                        let shared = &self.checks[*index];
                        checks.push((&shared.place, &shared.check));
                    }
                    check => checks.extend(check.parts().into_iter().map(inner)),
                }
            }
        }
        for (place, number) in found {
            // The least integer is a double as well, the nearest one to those below.
            let message = match number.parse::<i64>() {
                Ok(_) => format!(
                    "{number} can't be told here from the integers below it, which are beyond 64 bits"
                ),
                Err(_) => {
                    format!("{number} is beyond 64 bits, and here it can't be told from its neighbours")
                }
            };
            self.problems.push(place, message);
        }
    }
}

fn wide_bound(rules: &NumberRules) -> Option<String> {
    let bounds = rules.minimum.iter().chain(&rules.maximum);
    bounds.map(|bound| &bound.value).find(|value| is_lost(value)).cloned()
}

/// Whether a number is not the same in 64 bits. One that is written as a double, and is one, is meant
/// to be no more than that.
fn is_lost(number: &str) -> bool {
    let double = || number.parse::<f64>().ok().filter(|value| value.is_finite());
    let is_double =
        || double().is_some_and(|value| Decimal::parse(&value.to_string()) == Decimal::parse(number));
    is_wide(number) && !(number.contains(['.', 'e', 'E']) && is_double())
}

/// A number in a value that has more than 64 bits.
fn wide_in(value: &Node) -> Option<String> {
    match &value.value {
        Json::Number(text) => is_lost(text).then(|| text.clone()),
        Json::Array(items) => items.iter().find_map(wide_in),
        Json::Object(members) => members.iter().find_map(|member| wide_in(&member.node)),
        _ => None,
    }
}
