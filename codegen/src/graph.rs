//! The schemas of a protocol after `resolve`: one node a schema, every reference an index.
//!
//! No trace of the drafts is left: what differs between them (`definitions` and `$defs`, boolean
//! `exclusiveMinimum`, `dependencies`, array-valued `items`, members beside `$ref`) has one form.

use crate::diagnostics::{Diagnostics, Place};
use crate::json::Node;
use std::collections::HashMap;
use std::ops::Range;

/// Index into [`Graph::schemas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub usize);

/// Every schema that a protocol's files reach.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// All schemas.
    pub schemas: Vec<Schema>,
    /// The files, in the order they were loaded.
    pub files: Vec<File>,
    /// The schemas that only count for what is read: the wider forms of others, and what they bring.
    pub wider: Range<usize>,
    /// What counts in place of a schema for what is read, where that is not the same.
    pub reading: HashMap<SchemaId, SchemaId>,
    /// What is odd in the schemas, though they are accepted.
    pub notes: Diagnostics,
}

/// What a file defines.
#[derive(Clone, Debug)]
pub struct File {
    /// Path below the protocol's folder, with forward slashes: `methods/tools.call.request.json`.
    pub path: String,
    /// The schema at the root of the file; `None` when the file holds definitions only.
    pub root: Option<SchemaId>,
    /// The members of `$defs` and `definitions` at the root, in order.
    pub definitions: Vec<(String, SchemaId)>,
}

/// A JSON type, `integer` being one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum JsonType {
    /// `null`
    Null,
    /// `boolean`
    Boolean,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `string`
    String,
    /// `array`
    Array,
    /// `object`
    Object,
}

/// One schema. Absent keywords are `None` or empty. A reference stands in `reference` beside the
/// other keywords, all of which apply (for drafts that ignore the siblings they are dropped here).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// Where it stands.
    pub place: Place,
    /// The document that it belongs to, by its position among them.
    pub document: usize,
    /// Its pointer in that document: `/properties/a`.
    pub pointer: String,
    /// `true` and `false` as schemas.
    pub boolean: Option<bool>,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `deprecated`
    pub deprecated: bool,
    /// `default`
    pub default: Option<Node>,
    /// Draft-04 says that 1.0 is no integer.
    pub floats_are_not_integers: bool,

    /// `$ref`, `$dynamicRef` and `$recursiveRef`, resolved.
    pub references: Vec<SchemaId>,
    /// `type`
    pub types: Option<Vec<JsonType>>,
    /// `const` (one) or `enum` (several, possibly none); both given: two entries of `allOf`.
    pub constants: Option<Vec<Node>>,

    /// `multipleOf`, as written.
    pub multiple_of: Option<Node>,
    /// `minimum`
    pub minimum: Option<Node>,
    /// `maximum`
    pub maximum: Option<Node>,
    /// `exclusiveMinimum` as a number.
    pub exclusive_minimum: Option<Node>,
    /// `exclusiveMaximum` as a number.
    pub exclusive_maximum: Option<Node>,

    /// `minLength`, in code points.
    pub min_length: Option<u64>,
    /// `maxLength`, in code points.
    pub max_length: Option<u64>,
    /// `pattern`, ECMA-262.
    pub pattern: Option<String>,
    /// `format`
    pub format: Option<String>,

    /// `prefixItems`, or `items` as an array.
    pub prefix_items: Vec<SchemaId>,
    /// The rest of the items: `items`, or `additionalItems` beside an array of items.
    pub items: Option<SchemaId>,
    /// `contains`
    pub contains: Option<SchemaId>,
    /// Items that pass `contains` are none to `unevaluatedItems`: so it is in 2020-12.
    pub contains_evaluates: bool,
    /// `minContains`; 1 where it is not given.
    pub min_contains: u64,
    /// `maxContains`
    pub max_contains: Option<u64>,
    /// `minItems`
    pub min_items: Option<u64>,
    /// `maxItems`
    pub max_items: Option<u64>,
    /// `uniqueItems`
    pub unique_items: bool,
    /// `unevaluatedItems`
    pub unevaluated_items: Option<SchemaId>,

    /// `properties`, in order.
    pub properties: Vec<(String, SchemaId)>,
    /// `patternProperties`, in order.
    pub pattern_properties: Vec<(String, SchemaId)>,
    /// `additionalProperties`
    pub additional_properties: Option<SchemaId>,
    /// `propertyNames`
    pub property_names: Option<SchemaId>,
    /// `required`, in order, each once.
    pub required: Vec<String>,
    /// `minProperties`
    pub min_properties: Option<u64>,
    /// `maxProperties`
    pub max_properties: Option<u64>,
    /// `dependentRequired`, or `dependencies` with arrays.
    pub dependent_required: Vec<(String, Vec<String>)>,
    /// `dependentSchemas`, or `dependencies` with schemas.
    pub dependent_schemas: Vec<(String, SchemaId)>,
    /// `unevaluatedProperties`
    pub unevaluated_properties: Option<SchemaId>,

    /// `allOf`
    pub all_of: Vec<SchemaId>,
    /// `anyOf`, `None` where it is absent.
    pub any_of: Option<Vec<SchemaId>>,
    /// `oneOf`, `None` where it is absent.
    pub one_of: Option<Vec<SchemaId>>,
    /// `not`
    pub not: Option<SchemaId>,
    /// `if` with `then` and `else`; absent without `if`.
    pub condition: Option<Condition>,
}

impl Schema {
    /// Whether it accepts all that its references do: beside them it has annotations at most.
    pub fn says_nothing_else(&self) -> bool {
        self.boolean.is_none()
            && self.types.is_none()
            && self.constants.is_none()
            && self.multiple_of.is_none()
            && self.minimum.is_none()
            && self.maximum.is_none()
            && self.exclusive_minimum.is_none()
            && self.exclusive_maximum.is_none()
            && self.min_length.is_none()
            && self.max_length.is_none()
            && self.pattern.is_none()
            && self.format.is_none()
            && self.prefix_items.is_empty()
            && self.items.is_none()
            && self.contains.is_none()
            && self.min_items.is_none()
            && self.max_items.is_none()
            && !self.unique_items
            && self.unevaluated_items.is_none()
            && self.properties.is_empty()
            && self.pattern_properties.is_empty()
            && self.additional_properties.is_none()
            && self.property_names.is_none()
            && self.required.is_empty()
            && self.min_properties.is_none()
            && self.max_properties.is_none()
            && self.dependent_required.is_empty()
            && self.dependent_schemas.is_empty()
            && self.unevaluated_properties.is_none()
            && self.all_of.is_empty()
            && self.any_of.is_none()
            && self.one_of.is_none()
            && self.not.is_none()
            && self.condition.is_none()
    }
}

/// `if`, `then`, `else`.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// `if`
    pub when: SchemaId,
    /// `then`
    pub then: Option<SchemaId>,
    /// `else`
    pub otherwise: Option<SchemaId>,
}

/// Which part of a schema another one is: the keyword, and the name or the position there.
pub type Part = (&'static str, String);

impl Schema {
    /// The schemas that it refers to or holds.
    pub fn parts_mut(&mut self) -> Vec<(Part, &mut SchemaId)> {
        let mut parts: Vec<(Part, &mut SchemaId)> = Vec::new();
        let listed = [
            ("$ref", Some(&mut self.references)),
            ("prefixItems", Some(&mut self.prefix_items)),
            ("allOf", Some(&mut self.all_of)),
            ("anyOf", self.any_of.as_mut()),
            ("oneOf", self.one_of.as_mut()),
        ];
        for (keyword, list) in listed {
            let list = list.into_iter().flatten().enumerate();
            parts.extend(list.map(|(index, id)| ((keyword, index.to_string()), id)));
        }
        let named = [
            ("properties", &mut self.properties),
            ("patternProperties", &mut self.pattern_properties),
            ("dependentSchemas", &mut self.dependent_schemas),
        ];
        for (keyword, members) in named {
            parts.extend(members.iter_mut().map(|(name, id)| ((keyword, name.clone()), id)));
        }
        let (when, then, otherwise) = match &mut self.condition {
            Some(Condition { when, then, otherwise }) => (Some(when), then.as_mut(), otherwise.as_mut()),
            None => (None, None, None),
        };
        let single = [
            ("items", self.items.as_mut()),
            ("contains", self.contains.as_mut()),
            ("unevaluatedItems", self.unevaluated_items.as_mut()),
            ("additionalProperties", self.additional_properties.as_mut()),
            ("propertyNames", self.property_names.as_mut()),
            ("unevaluatedProperties", self.unevaluated_properties.as_mut()),
            ("not", self.not.as_mut()),
            ("if", when),
            ("then", then),
            ("else", otherwise),
        ];
        parts.extend(single.into_iter().filter_map(|(keyword, id)| Some(((keyword, String::new()), id?))));
        parts
    }

    /// It without its place, without what is said about it, and without what it holds.
    pub fn bare(&self) -> Self {
        let mut bare = Self {
            place: Place::default(),
            document: 0,
            pointer: String::new(),
            title: None,
            description: None,
            deprecated: false,
            ..self.clone()
        };
        bare.parts_mut().into_iter().for_each(|(_, id)| *id = SchemaId(0));
        bare
    }

    /// What [`Schema::parts_mut`] gives, to look at.
    pub fn parts(&self) -> Vec<(Part, SchemaId)> {
        self.clone().parts_mut().into_iter().map(|(part, id)| (part, *id)).collect()
    }
}
