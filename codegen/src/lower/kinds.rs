//! Which JSON types values can have, beyond what `type` says.

use super::Lowering;
use super::flat::{Flat, Kinds, flat, number_rules, text_rules};
use super::passes::kind_of;
use crate::graph::{JsonType, Schema, SchemaId};
use crate::ir::{NumberRules, Shape, TextRules, TypeRef};

impl Lowering {
    /// The JSON types that values of a type have; all of them where the type is still being made.
    pub(super) fn kinds_of(&self, ty: &TypeRef) -> Kinds {
        match ty {
            TypeRef::Any => Kinds::ALL,
            TypeRef::Never => Kinds::of(&[]),
            TypeRef::Null => Kinds::of(&[JsonType::Null]),
            TypeRef::Bool => Kinds::of(&[JsonType::Boolean]),
            TypeRef::Number | TypeRef::Integer => Kinds::of(&[JsonType::Number]),
            TypeRef::Text | TypeRef::Uuid => Kinds::of(&[JsonType::String]),
            TypeRef::List(_) => Kinds::of(&[JsonType::Array]),
            TypeRef::Object | TypeRef::Map(_) => Kinds::of(&[JsonType::Object]),
            TypeRef::Nullable(inner) => self.kinds_of(inner).or(Kinds::of(&[JsonType::Null])),
            TypeRef::Named(id) => match &self.types[id.0] {
                Some(ty) => self.kinds_of_shape(&ty.shape),
                None => Kinds::ALL,
            },
        }
    }

    fn kinds_of_shape(&self, shape: &Shape) -> Kinds {
        match shape {
            Shape::Struct(_) | Shape::Map(_) => Kinds::of(&[JsonType::Object]),
            Shape::List(_) | Shape::Tuple(_) => Kinds::of(&[JsonType::Array]),
            Shape::Text(_) | Shape::OpenEnum(_) => Kinds::of(&[JsonType::String]),
            Shape::Number(_) => Kinds::of(&[JsonType::Number]),
            Shape::Enum(list) => {
                let kinds: Vec<JsonType> =
                    list.variants.iter().map(|constant| kind_of(&constant.value)).collect();
                Kinds::of(&kinds)
            }
            Shape::Union(union) => {
                let kinds: Vec<JsonType> =
                    union.variants.iter().flat_map(|variant| variant.kinds.iter().copied()).collect();
                Kinds::of(&kinds)
            }
            Shape::Alias(ty) => self.kinds_of(ty),
            Shape::Sealed(sealed) => self.kinds_of(&sealed.inner),
            Shape::Value(_) => Kinds::ALL,
        }
    }

    /// The JSON types that a value can have of which exactly one of `branches` accepts it, where these
    /// are fewer than `whole` allows: what several branches say nothing of, several accept. So it is
    /// where the branches describe objects without `type`.
    pub(super) fn kinds_of_one(&self, whole: &Flat, branches: &[SchemaId]) -> Option<Vec<JsonType>> {
        let mut once = Kinds::of(&[]);
        let mut twice = Kinds::of(&[]);
        for branch in branches {
            let free = self.free_kinds(*branch);
            twice = twice.or(once.and(free));
            once = once.or(free);
        }
        let kinds = whole.kinds.list();
        let left: Vec<JsonType> = kinds.iter().copied().filter(|kind| !twice.has(*kind)).collect();
        (left.len() < kinds.len()).then_some(left)
    }

    /// The JSON types of which a schema accepts every value.
    fn free_kinds(&self, id: SchemaId) -> Kinds {
        let flat = flat(&self.graph, &[id], self.formats);
        let none = Kinds::of(&[]);
        if flat.never || !flat.unions.is_empty() {
            return none;
        }
        let parts = flat.parts.iter().map(|part| self.schema(*part));
        parts.fold(flat.kinds, |kinds, part| kinds.and(self.unbound_by(part)))
    }

    /// The JSON types that no keyword of a schema binds, `type` aside.
    fn unbound_by(&self, schema: &Schema) -> Kinds {
        if schema.boolean == Some(false)
            || schema.constants.is_some()
            || schema.not.is_some()
            || schema.condition.is_some()
        {
            return Kinds::of(&[]);
        }
        let only = |types: &Option<Vec<JsonType>>| {
            types
                .as_ref()
                .is_some_and(|types| types.contains(&JsonType::Integer) && !types.contains(&JsonType::Number))
        };
        let number = only(&schema.types) || number_rules(schema) != NumberRules::default();
        let text = text_rules(schema, self.formats) != TextRules::default();
        let array = !schema.prefix_items.is_empty()
            || schema.items.is_some()
            || schema.contains.is_some()
            || schema.min_items.is_some()
            || schema.max_items.is_some()
            || schema.unique_items
            || schema.unevaluated_items.is_some();
        let object = !schema.properties.is_empty()
            || !schema.pattern_properties.is_empty()
            || schema.additional_properties.is_some()
            || schema.property_names.is_some()
            || !schema.required.is_empty()
            || schema.min_properties.is_some()
            || schema.max_properties.is_some()
            || !schema.dependent_required.is_empty()
            || !schema.dependent_schemas.is_empty()
            || schema.unevaluated_properties.is_some();
        let bound = [
            (number, JsonType::Number),
            (text, JsonType::String),
            (array, JsonType::Array),
            (object, JsonType::Object),
        ];
        let bound: Vec<JsonType> = bound.iter().filter(|(is, _)| *is).map(|(_, kind)| *kind).collect();
        Kinds::ALL.without(Kinds::of(&bound))
    }
}
