//! Defaults where a rule can tell a member that is absent from one that has its default.

use super::Lowering;
use crate::ir::{Check, Presence, Routing, Shape};
use crate::json::Json;

impl Lowering {
    /// Takes the defaults from types that are looked into as JSON: as values of a list without equal
    /// items, as what must fit exactly one variant, or by a rule of what holds them. There, absent
    /// and default are two things.
    pub(super) fn keep_absence(&mut self) {
        let mut waiting = Vec::new();
        for ty in self.types.iter().flatten() {
            let looked_into = match &ty.shape {
                Shape::Struct(shape) => shape.rules.iter().any(|rule| self.looks_inside(&rule.check)),
                Shape::Union(union) => union.routing == Routing::ExactlyOne,
                Shape::List(list) => list.unique,
                Shape::Tuple(tuple) => tuple.unique,
                Shape::Sealed(_) => true,
                _ => false,
            };
            if looked_into {
                waiting.extend(ty.shape.uses());
            }
        }
        let mut seen = vec![false; self.types.len()];
        while let Some(index) = waiting.pop() {
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let Some(ty) = &mut self.types[index] else { continue };
            if let Shape::Struct(shape) = &mut ty.shape {
                for field in &mut shape.fields {
                    if matches!(field.presence, Presence::Default(_)) {
                        field.presence = Presence::Optional;
                    }
                }
            }
            waiting.extend(ty.shape.uses());
        }
    }

    /// Whether a check of an object asks more of its members than whether they are there.
    fn looks_inside(&self, check: &Check) -> bool {
        let mut waiting = vec![check];
        let mut seen = vec![false; self.checks.len()];
        while let Some(check) = waiting.pop() {
            match check {
                Check::Shared(index) => {
                    if !std::mem::replace(&mut seen[*index], true) {
                        waiting.push(&self.checks[*index].check);
                    }
                }
                Check::Constants(values) => {
                    if values.iter().any(|value| matches!(value.value, Json::Object(_))) {
                        return true;
                    }
                }
                Check::Object(object) => {
                    let inside = object.properties.iter().chain(&object.patterns).map(|(_, check)| check);
                    if inside.chain([&object.additional]).any(|check| !matches!(check, Check::Any)) {
                        return true;
                    }
                    waiting.extend(object.dependent.iter().map(|(_, check)| check));
                }
                Check::Unevaluated(rest) => {
                    if !matches!(rest.check, Check::Any | Check::Never) {
                        return true;
                    }
                    waiting.extend(rest.evaluated.checks());
                }
                // What it asks of lists does not bind the object.
                Check::List(_) => {}
                check => waiting.extend(check.parts()),
            }
        }
        false
    }
}
