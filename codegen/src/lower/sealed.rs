//! Types with rules over them that no Rust type says: the structure, and a check of the whole.

use super::check::all;
use super::flat::Flat;
use super::shape::Made;
use super::{Lowering, Naming};
use crate::graph::{Schema, SchemaId};
use crate::ir::{Check, Sealed, Shape, TypeRef};

impl Lowering {
    /// The type that a value has without its rules, sealed by them. Of its unions the type has `kept`.
    pub(super) fn sealed(
        &mut self,
        flat: &Flat,
        kept: Option<&(bool, Vec<SchemaId>)>,
        naming: &Naming,
    ) -> Made {
        let (mut bare, mut checks) = (Vec::new(), Vec::new());
        for id in &flat.parts {
            let (structure, rules) = split(self.schema(*id).clone(), kept);
            bare.push(self.add(structure));
            let rules = self.add(rules);
            checks.push(self.check(rules));
            checks.extend(self.unevaluated_members(*id));
            checks.extend(self.unevaluated_items(*id));
        }
        let inner = self.use_of(&bare, &naming.member("", "base"));
        match (inner, all(checks)) {
            (TypeRef::Any, check) => Made::Shape(Shape::Value(check)),
            (inner, Check::Any) => Made::Ref(inner),
            (TypeRef::Never, _) | (_, Check::Never) => Made::Ref(TypeRef::Never),
            (inner, check) => Made::Shape(Shape::Sealed(Sealed { inner, check })),
        }
    }
}

/// What a schema says of the structure of a value, and its other rules. What a rule says of strings
/// and lists as wholes goes with the rules, so that the structure needs no type of its own.
fn split(mut schema: Schema, kept: Option<&(bool, Vec<SchemaId>)>) -> (Schema, Schema) {
    let keeps = |exactly_one: bool, branches: &Option<Vec<SchemaId>>| {
        kept.is_some_and(|(kind, kept)| *kind == exactly_one && branches.as_ref() == Some(kept))
    };
    let (any_of, one_of) = (keeps(false, &schema.any_of), keeps(true, &schema.one_of));
    // The length of a tuple says which of its places are filled.
    let is_tuple = !schema.prefix_items.is_empty();
    let rules = Schema {
        place: schema.place.clone(),
        pointer: schema.pointer.clone(),
        floats_are_not_integers: schema.floats_are_not_integers,
        min_length: schema.min_length.take(),
        max_length: schema.max_length.take(),
        pattern: schema.pattern.take(),
        format: schema.format.take(),
        contains: schema.contains.take(),
        contains_evaluates: schema.contains_evaluates,
        min_contains: schema.min_contains,
        max_contains: schema.max_contains.take(),
        min_items: schema.min_items.take_if(|_| !is_tuple),
        max_items: schema.max_items.take_if(|_| !is_tuple),
        unique_items: std::mem::take(&mut schema.unique_items),
        property_names: schema.property_names.take(),
        min_properties: schema.min_properties.take(),
        max_properties: schema.max_properties.take(),
        dependent_required: std::mem::take(&mut schema.dependent_required),
        dependent_schemas: std::mem::take(&mut schema.dependent_schemas),
        any_of: schema.any_of.take_if(|_| !any_of),
        one_of: schema.one_of.take_if(|_| !one_of),
        not: schema.not.take(),
        condition: schema.condition.take(),
        ..Schema::default()
    };
    schema.references.clear();
    schema.all_of.clear();
    schema.unevaluated_properties = None;
    schema.unevaluated_items = None;
    schema.title = None;
    schema.description = None;
    (schema, rules)
}
