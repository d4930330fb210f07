//! One of several types: by `type`, `anyOf` or `oneOf`.

use super::branches::{Branch, kind_name};
use super::flat::{Flat, KINDS, Kinds, flat};
use super::shape::{Made, says_nothing};
use super::{Lowering, Naming};
use crate::graph::{JsonType, Schema, SchemaId};
use crate::ir::{Check, Presence, Routing, Shape, Struct, TypeId, TypeRef, Union, Variant};
use crate::json::Node;
use crate::names::Scope;
use std::collections::HashSet;

impl Lowering {
    /// The type of a value of one JSON type, which else the schemas would leave open.
    pub(super) fn restricted(
        &mut self,
        key: &[SchemaId],
        flat: &Flat,
        kind: JsonType,
        naming: &Naming,
    ) -> TypeRef {
        let kind = if kind == JsonType::Number && flat.number.integer { JsonType::Integer } else { kind };
        let schemas = self.with_kinds(key, &[kind]);
        self.use_in_place(&schemas, naming)
    }

    /// The schemas, and one that allows these JSON types only.
    pub(super) fn with_kinds(&mut self, key: &[SchemaId], kinds: &[JsonType]) -> Vec<SchemaId> {
        let only = Schema { types: Some(kinds.to_vec()), place: self.place(key[0]), ..Schema::default() };
        let only = self.add(only);
        key.iter().copied().chain([only]).collect()
    }

    pub(super) fn kinds_shape(
        &mut self,
        key: &[SchemaId],
        flat: &Flat,
        kinds: &[JsonType],
        naming: &Naming,
    ) -> Made {
        let variants = kinds
            .iter()
            .map(|kind| {
                let name = kind_name(*kind, flat);
                let ty = self.restricted_untitled(key, flat, *kind, &naming.variant(name));
                Variant { rust: name.to_owned(), description: None, ty, kinds: vec![*kind], tags: Vec::new() }
            })
            .filter(|variant| variant.ty != TypeRef::Never)
            .collect();
        Made::Shape(Shape::Union(Union { variants, routing: Routing::Kind }))
    }

    /// As [`Self::restricted`], but the title names the union, not its variant.
    pub(super) fn restricted_untitled(
        &mut self,
        key: &[SchemaId],
        flat: &Flat,
        kind: JsonType,
        naming: &Naming,
    ) -> TypeRef {
        let mut schemas = Vec::new();
        for id in key {
            let mut schema = self.schema(*id).clone();
            schema.title = None;
            schemas.push(self.add(schema));
        }
        self.restricted(&schemas, flat, kind, naming)
    }

    /// A schema without `type`: its keywords bind values of their own type only.
    pub(super) fn typeless_shape(&mut self, key: &[SchemaId], flat: &Flat, naming: &Naming) -> Made {
        let names_members = flat.parts.iter().any(|id| !self.schema(*id).properties.is_empty());
        if names_members || flat.number.are_wide() {
            return self.kinds_shape(key, flat, &KINDS, naming);
        }
        match self.check_all(key) {
            Check::Any => Made::Ref(TypeRef::Any),
            check => Made::Shape(Shape::Value(check)),
        }
    }

    pub(super) fn union_shape(
        &mut self,
        key: &[SchemaId],
        whole: &Flat,
        exactly_one: bool,
        branches: &[SchemaId],
        naming: &Naming,
    ) -> Made {
        let base = self.without_union(key, whole, branches);
        let mut found = Vec::new();
        for branch in branches {
            let mut schemas = vec![*branch];
            if let Some(base) = base
                && !self.is_implied(base, *branch)
            {
                schemas.push(base);
            }
            let flat = flat(&self.graph, &schemas, self.formats);
            if !flat.never {
                found.push(Branch { id: *branch, schemas, flat });
            }
        }
        let names = self.branch_names(&found);
        let mut variants = Vec::new();
        let mut scope = Scope::default();
        for (branch, name) in found.into_iter().zip(names) {
            let ty = self.use_in_place(&branch.schemas, &naming.variant(&name));
            let kinds = branch.flat.kinds.and(self.kinds_of(&ty)).list();
            if kinds.is_empty() {
                continue;
            }
            variants.push(Variant {
                rust: scope.take([name.as_str()]),
                description: self.schema(branch.id).description.clone(),
                ty,
                kinds,
                tags: Vec::new(),
            });
        }
        if variants.is_empty() {
            return Made::Ref(TypeRef::Never);
        }
        let disjoint = variants.iter().enumerate().all(|(index, variant)| {
            variants[..index].iter().all(|other| variant.kinds.iter().all(|kind| !other.kinds.contains(kind)))
        });
        if disjoint
            && let [a, b] = variants.as_slice()
            && (a.ty == TypeRef::Null || b.ty == TypeRef::Null)
        {
            let inner = if a.ty == TypeRef::Null { b.ty.clone() } else { a.ty.clone() };
            return Made::Ref(TypeRef::Nullable(Box::new(inner)));
        }
        let routing = if disjoint {
            Routing::Kind
        } else if let Some(tag) = self.tag(&mut variants) {
            Routing::Tag(tag)
        } else if exactly_one {
            Routing::ExactlyOne
        } else {
            Routing::First
        };
        Made::Shape(Shape::Union(Union { variants, routing }))
    }

    /// What binds the value beside the union with these branches; `None` when nothing does.
    pub(super) fn without_union(
        &mut self,
        key: &[SchemaId],
        flat: &Flat,
        branches: &[SchemaId],
    ) -> Option<SchemaId> {
        let mut rest = Vec::new();
        for id in &flat.parts {
            let mut schema = self.schema(*id).clone();
            schema.references.clear();
            schema.all_of.clear();
            schema.title = None;
            for union in [&mut schema.any_of, &mut schema.one_of] {
                if union.as_deref() == Some(branches) {
                    *union = None;
                }
            }
            if !says_nothing(&schema) {
                rest.push(self.add(schema));
            }
        }
        match rest.as_slice() {
            [] => None,
            [only] => Some(*only),
            _ => {
                let place = self.place(key[0]);
                Some(self.add(Schema { all_of: rest, place, ..Schema::default() }))
            }
        }
    }

    /// Whether `branch` allows only types that `base` allows, and `base` asks for nothing else.
    pub(super) fn is_implied(&self, base: SchemaId, branch: SchemaId) -> bool {
        let mut schema = self.schema(base).clone();
        let Some(types) = schema.types.take() else { return false };
        let kinds = flat(&self.graph, &[branch], self.formats).kinds;
        !types.contains(&JsonType::Integer) && says_nothing(&schema) && kinds.and(Kinds::of(&types)) == kinds
    }

    /// The member by whose value the variants can be told apart, if there is one.
    pub(super) fn tag(&self, variants: &mut [Variant]) -> Option<String> {
        let first = &variants.first()?.ty;
        let candidates: Vec<String> = match self.struct_of(first) {
            Some(first) => first.fields.iter().map(|field| field.wire.clone()).collect(),
            None => vec![self.tagged(first)?.0.clone()],
        };
        for candidate in candidates {
            let tags = |variant: &Variant| match self.struct_of(&variant.ty) {
                Some(ty) => self.tags(ty, &candidate),
                None => self.tagged(&variant.ty).filter(|(tag, _)| **tag == candidate).map(|(_, tags)| tags),
            };
            let tags: Option<Vec<Vec<Node>>> = variants.iter().map(tags).collect();
            let Some(tags) = tags else { continue };
            let mut seen = HashSet::new();
            if tags.iter().flatten().all(|tag| seen.insert(tag.to_string())) {
                for (variant, tags) in variants.iter_mut().zip(tags) {
                    variant.tags = tags;
                }
                return Some(candidate);
            }
        }
        None
    }

    /// The struct that a type is, when it is one that has been made.
    pub(super) fn struct_of<'t>(&'t self, mut ty: &'t TypeRef) -> Option<&'t Struct> {
        while let TypeRef::Named(id) = ty {
            match &self.types[id.0].as_ref()?.shape {
                Shape::Struct(found) => return Some(found),
                Shape::Alias(target) => ty = target,
                Shape::Sealed(sealed) => ty = &sealed.inner,
                _ => return None,
            }
        }
        None
    }

    /// The member by which the variants of the union are known that a type is, and the values it has.
    fn tagged<'t>(&'t self, mut ty: &'t TypeRef) -> Option<(&'t String, Vec<Node>)> {
        while let TypeRef::Named(id) = ty {
            match &self.types[id.0].as_ref()?.shape {
                Shape::Union(Union { variants, routing: Routing::Tag(tag) }) => {
                    return Some((tag, variants.iter().flat_map(|variant| variant.tags.clone()).collect()));
                }
                Shape::Alias(target) => ty = target,
                _ => return None,
            }
        }
        None
    }

    /// The strings that a required member may have, when they are listed.
    pub(super) fn tags(&self, ty: &Struct, member: &str) -> Option<Vec<Node>> {
        let field = ty.fields.iter().find(|field| field.wire == member)?;
        if !matches!(field.presence, Presence::Required) {
            return None;
        }
        let values = match (&field.constant, &field.ty) {
            (Some(value), _) => vec![value.clone()],
            (None, TypeRef::Named(id)) => match &self.types[id.0].as_ref()?.shape {
                Shape::Enum(list) => list.variants.iter().map(|variant| variant.value.clone()).collect(),
                _ => return None,
            },
            _ => return None,
        };
        values.iter().all(|value| value.as_str().is_some()).then_some(values)
    }

    /// The type id behind a use, through aliases.
    pub(super) fn id_of(&self, ty: &TypeRef) -> Option<TypeId> {
        match ty {
            TypeRef::Named(id) => Some(*id),
            _ => None,
        }
    }
}
