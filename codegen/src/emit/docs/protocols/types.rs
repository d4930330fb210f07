//! What is said of types: their titles and descriptions, and the meanings of their values.

use super::checks::{self, Note};
use super::meanings;
use super::words::Words;
use crate::ir::{Check, Enum, Field, Protocol, Rest, Sealed, Shape, TypeDef, TypeId, TypeRef};
use serde::Serialize;

/// A value of an enum.
#[derive(Debug, Serialize)]
pub(super) struct ValueRow {
    pub(super) value: String,
    pub(super) meaning: Option<String>,
}

/// A check that others name.
#[derive(Debug, Serialize)]
pub(super) struct CheckSection {
    pub(super) name: String,
    pub(super) notes: Vec<Note>,
}

pub(super) fn rust_name(protocol: &Protocol, id: TypeId) -> String {
    protocol.types.get(id.0).map_or_else(String::new, |def| def.name.clone())
}

pub(super) fn title(def: &TypeDef) -> &str {
    def.title.as_deref().filter(|title| !title.trim().is_empty()).unwrap_or(&def.name)
}

/// Whether a type has a section when it stands by itself, or is spelled out wherever it is used.
pub(super) fn has_section(protocol: &Protocol, id: TypeId) -> bool {
    let Some(def) = protocol.types.get(id.0) else { return false };
    def.recursive
        || match &def.shape {
            Shape::Struct(_) | Shape::Union(_) | Shape::OpenEnum(_) => true,
            Shape::Enum(choices) => choices.variants.len() > 1,
            Shape::Value(check) | Shape::Sealed(Sealed { check, .. }) => !checks::fits_a_line(check),
            _ => false,
        }
}

/// What is said of a field. The meanings of an enum's values stand beside the values.
pub(super) fn description(words: &Words, field: &Field) -> Option<String> {
    let mut ty = &field.ty;
    while let TypeRef::List(inner) | TypeRef::Nullable(inner) = ty {
        ty = inner;
    }
    let def = match ty {
        TypeRef::Named(id) => words.protocol.types.get(id.0),
        _ => None,
    };
    let said = field.description.as_ref().or(field.title.as_ref());
    match (said, def) {
        (Some(said), Some(TypeDef { shape: Shape::Enum(choices), .. })) => {
            Some(about(choices, said).map_or_else(|| said.clone(), |meanings| meanings.about))
        }
        (Some(said), _) => Some(said.clone()),
        // A type without a section is described where it is used.
        (None, Some(def)) => def.description.clone(),
        (None, None) => None,
    }
}

/// The values of an enum with the meanings that its description has for them, and what else it says, where
/// it has such.
pub(super) fn values(choices: &Enum, description: Option<&str>) -> (Option<String>, Vec<ValueRow>) {
    let split = description.and_then(|said| about(choices, said));
    let (about, each) = split.map_or((None, Vec::new()), |meanings| (Some(meanings.about), meanings.each));
    let values = choices.variants.iter().enumerate().map(|(index, variant)| {
        let own = variant.description.clone();
        // The lowering takes the first sentence of a meaning for the variant's own.
        let longer =
            each.get(index).filter(|meaning| own.as_ref().is_none_or(|own| meaning.starts_with(own)));
        ValueRow { value: variant.value.to_string(), meaning: longer.cloned().or(own) }
    });
    (about, values.collect())
}

fn about(choices: &Enum, description: &str) -> Option<meanings::Meanings> {
    let values: Vec<&str> = choices.variants.iter().filter_map(|variant| variant.value.as_str()).collect();
    if values.len() < choices.variants.len() { None } else { meanings::split(description, &values) }
}

/// The checks that those name which the notes of `types` spell out.
pub(super) fn checks(protocol: &Protocol, types: &[TypeId]) -> Vec<CheckSection> {
    let shown = types.iter().filter_map(|id| protocol.types.get(id.0)).flat_map(|ty| shown(&ty.shape));
    let called = protocol.called(shown).into_iter().map(|index| CheckSection {
        name: protocol.checks[index].name.clone(),
        notes: checks::notes(&protocol.checks[index].check, protocol),
    });
    called.collect()
}

/// The checks that the notes of a type spell out; a rule that spans members has words.
fn shown(shape: &Shape) -> Vec<&Check> {
    match shape {
        Shape::Struct(object) => match &object.rest {
            Rest::Checked(check) => vec![check],
            _ => Vec::new(),
        },
        shape => shape.checks(),
    }
}
