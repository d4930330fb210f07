//! Which Rust type a schema becomes.

use super::check::{all, any_of, one_of};
use super::flat::{Flat, KINDS, Kinds, flat};
use super::passes::{matches, passes, same, violation};
use super::words::words;
use super::{Lowering, Naming, is_short};
use crate::graph::{JsonType, Schema, SchemaId};
use crate::ir::{
    Check, Constant, Enum, Field, List, Map, NumberRules, ObjectCheck, Presence, Rest, Routing, Rule, Shape,
    Struct, TextRules, TypeId, TypeRef, Union, Variant,
};
use crate::json::{Json, Node};
use crate::names::{self, Scope};
use std::collections::HashSet;

/// What a schema becomes: a type that exists, or one that needs a name.
pub(super) enum Made {
    Ref(TypeRef),
    Shape(Shape),
}

impl Lowering {
    /// The type of a value to which all of `schemas` apply.
    pub(super) fn use_of(&mut self, schemas: &[SchemaId], naming: &Naming) -> TypeRef {
        let mut key: Vec<SchemaId> = schemas.iter().copied().filter(|id| !self.is_trivial(*id)).collect();
        key.sort_unstable();
        key.dedup();
        if key.is_empty() {
            return TypeRef::Any;
        }
        // Where only a reference stands, the type is that of its target.
        while let [only] = key.as_slice()
            && let Some(target) = self.plain_reference(*only)
            && !self.reserved.contains_key(only)
        {
            key = vec![target];
        }
        if let Some(made) = self.made.get(&key) {
            return made.clone();
        }
        if let Some(making) = self.making.get(&key) {
            // It holds itself, so it needs a name to do so by.
            let id = making.unwrap_or_else(|| self.announce());
            self.making.insert(key, Some(id));
            return TypeRef::Named(id);
        }
        let reserved = key.first().filter(|_| key.len() == 1).and_then(|id| self.reserved.get(id)).cloned();
        let announced = reserved.is_some().then(|| self.announce());
        self.making.insert(key.clone(), announced);
        let owner = reserved.clone().unwrap_or_else(|| self.unnamed(&key, naming));
        let made = self.make(&key, &Naming::of(owner.clone()));
        let announced = self.making.remove(&key).flatten();
        let named = match (made, announced) {
            (Made::Ref(made), None) => made,
            (Made::Ref(made), Some(id)) => {
                let shape = self.shape_of_ref(made, reserved.is_some());
                let name = reserved.unwrap_or_else(|| self.scope.take([owner.as_str()]));
                self.define(id, name, key[0], shape);
                TypeRef::Named(id)
            }
            (Made::Shape(shape), Some(id)) => {
                let name = reserved.unwrap_or_else(|| self.scope.take([owner.as_str()]));
                self.define(id, name, key[0], shape);
                TypeRef::Named(id)
            }
            (Made::Shape(shape), None) => self.named_inline(&key, shape, &owner, naming),
        };
        self.made.insert(key, named.clone());
        named
    }

    /// A named definition that is no new type is another name for one; one that holds itself is a
    /// new type, since an alias cannot.
    fn shape_of_ref(&self, made: TypeRef, definition: bool) -> Shape {
        match made {
            TypeRef::List(items) if !definition || self.may_hold_itself(&items) => {
                Shape::List(List { items: *items, min_items: None, max_items: None, unique: false })
            }
            TypeRef::Map(values) if !definition || self.may_hold_itself(&values) => Shape::Map(Map {
                names: TextRules::default(),
                values: *values,
                min_members: None,
                max_members: None,
            }),
            other => Shape::Alias(other),
        }
    }

    /// Whether a type has parts that are still being made.
    fn may_hold_itself(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::List(inner) | TypeRef::Map(inner) | TypeRef::Nullable(inner) => {
                self.may_hold_itself(inner)
            }
            TypeRef::Named(id) => self.types[id.0].is_none(),
            _ => false,
        }
    }

    /// The name of a type that no definition names: its title, a usual name of what it is, or where
    /// it stands.
    fn unnamed(&self, key: &[SchemaId], naming: &Naming) -> String {
        let title =
            key.iter().find_map(|id| self.schema(*id).title.as_deref().filter(|title| is_short(title)));
        match title {
            Some(title) => names::pascal(title),
            None if naming.path.is_empty() => "Root".to_owned(),
            None => naming.path.clone(),
        }
    }

    fn named_inline(&mut self, key: &[SchemaId], shape: Shape, owner: &str, naming: &Naming) -> TypeRef {
        let has_title = key.iter().any(|id| self.schema(*id).title.as_deref().is_some_and(is_short));
        let usual = if has_title { None } else { usual_name(&shape) };
        let first = usual.unwrap_or(owner).to_owned();
        if let Some(known) = self.scalars.get(&first)
            && let Some(id) = known
                .iter()
                .find(|id| self.types[id.0].as_ref().is_some_and(|ty| same_scalar(&ty.shape, &shape)))
        {
            return TypeRef::Named(*id);
        }
        let scalar = is_scalar(&shape);
        let place = if naming.path.is_empty() { owner } else { naming.path.as_str() };
        let name = self.scope.take([first.as_str(), owner, place]);
        let id = self.announce();
        if scalar {
            self.scalars.entry(first).or_default().push(id);
        }
        self.define(id, name, key[0], shape);
        if usual.is_some()
            && let Some(ty) = &mut self.types[id.0]
        {
            // The description is that of one of many places.
            ty.title = None;
            ty.description = None;
        }
        TypeRef::Named(id)
    }

    /// `true`, or a schema that says nothing.
    fn is_trivial(&self, id: SchemaId) -> bool {
        let schema = self.schema(id);
        !self.reserved.contains_key(&id)
            && (schema.boolean == Some(true) || (schema.boolean.is_none() && says_nothing(schema)))
    }

    /// The target of a schema that is a reference and nothing else.
    fn plain_reference(&self, id: SchemaId) -> Option<SchemaId> {
        let schema = self.schema(id);
        let [target] = schema.references.as_slice() else { return None };
        let mut rest = schema.clone();
        rest.references.clear();
        says_nothing(&rest).then_some(*target)
    }

    fn make(&mut self, key: &[SchemaId], naming: &Naming) -> Made {
        if let [only] = key
            && let Some(target) = self.plain_reference(*only)
        {
            return Made::Ref(self.use_of(&[target], naming));
        }
        let flat = flat(&self.graph, key, self.formats);
        if flat.never {
            return Made::Ref(TypeRef::Never);
        }
        if let Some(constants) = self.constants(&flat) {
            return self.constants_shape(key, &flat, constants);
        }
        let residual = self.residuals(&flat);
        let unions: Vec<(bool, Vec<SchemaId>)> =
            flat.unions.iter().filter(|(_, branches)| !self.is_rule(branches)).cloned().collect();
        let rules = flat.unions.len() > unions.len() || !residual.is_empty();
        match unions.as_slice() {
            [] => {}
            _ if self.looks_around(key) => return Made::Shape(Shape::Value(self.check_all(key))),
            [(exactly_one, branches)] => return self.union_shape(key, &flat, *exactly_one, branches, naming),
            _ => return Made::Shape(Shape::Value(self.check_all(key))),
        }
        let kinds = flat.kinds.list();
        match kinds.as_slice() {
            [JsonType::Object] => self.object_shape(&flat, naming),
            _ if rules => Made::Shape(Shape::Value(self.check_all(key))),
            [only] => self.kind_shape(key, &flat, *only, naming),
            [JsonType::Null, other] => {
                let inner = self.restricted(key, &flat, *other, naming);
                Made::Ref(TypeRef::Nullable(Box::new(inner)))
            }
            _ if flat.kinds == Kinds::ALL => self.typeless_shape(key, &flat, naming),
            _ => self.kinds_shape(key, &flat, &kinds, naming),
        }
    }

    /// Conditions beside the structure.
    fn residuals(&mut self, flat: &Flat) -> Vec<(SchemaId, Check)> {
        let mut found = Vec::new();
        for id in &flat.parts {
            for check in self.residual(*id) {
                found.push((*id, check));
            }
        }
        found
    }

    /// Whether the branches of a union say only which members must be there, or must not.
    fn is_rule(&self, branches: &[SchemaId]) -> bool {
        branches.iter().all(|id| {
            let mut schema = self.schema(*id).clone();
            let presence = !schema.required.is_empty() || schema.not.is_some();
            schema.required.clear();
            let not_is_rule = schema.not.take().is_none_or(|not| self.is_rule(&[not]));
            presence && not_is_rule && schema.boolean.is_none() && says_nothing(&schema)
        })
    }

    // Constants.

    /// The values that a schema allows, when they are listed; each with a schema that describes it.
    fn constants(&mut self, flat: &Flat) -> Option<Vec<(Node, SchemaId)>> {
        let listed = self.listed(&flat.parts)?;
        let mut checks = Vec::new();
        for id in &flat.parts {
            let mut own = self.schema(*id).clone();
            if own.unevaluated_properties.is_some() || own.unevaluated_items.is_some() {
                checks.push(self.check(*id));
                continue;
            }
            // References and `allOf` are parts of their own.
            own.references.clear();
            own.all_of.clear();
            let own = self.add(own);
            checks.push(self.check(own));
        }
        let check = all(checks);
        let mut found: Vec<(Node, SchemaId)> = Vec::new();
        for (value, id) in listed {
            if passes(&check, &self.checks, &value) && !found.iter().any(|(other, _)| same(other, &value)) {
                found.push((value, id));
            }
        }
        Some(found)
    }

    /// The values that `const`, `enum`, or every branch of a union lists.
    fn listed(&self, parts: &[SchemaId]) -> Option<Vec<(Node, SchemaId)>> {
        for id in parts {
            if let Some(constants) = &self.schema(*id).constants {
                return Some(constants.iter().map(|value| (value.clone(), *id)).collect());
            }
        }
        for id in parts {
            let schema = self.schema(*id);
            for branches in [&schema.one_of, &schema.any_of].into_iter().flatten() {
                let lists: Option<Vec<_>> = branches
                    .iter()
                    .map(|branch| {
                        let branch_parts = super::flat::parts(&self.graph, &[*branch]);
                        branch_parts.iter().find_map(|id| {
                            let constants = self.schema(*id).constants.as_ref()?;
                            Some(constants.iter().map(|value| (value.clone(), *branch)).collect::<Vec<_>>())
                        })
                    })
                    .collect();
                if let Some(lists) = lists {
                    return Some(lists.concat());
                }
            }
        }
        None
    }

    fn constants_shape(&mut self, key: &[SchemaId], flat: &Flat, constants: Vec<(Node, SchemaId)>) -> Made {
        if constants.is_empty() {
            return Made::Ref(TypeRef::Never);
        }
        if let [(Node { value: Json::Null, .. }, _)] = constants.as_slice() {
            return Made::Ref(TypeRef::Null);
        }
        let meanings = key.iter().find_map(|id| self.schema(*id).description.clone()).unwrap_or_default();
        let spell = |with_symbols: bool| -> Vec<String> {
            constants.iter().map(|(value, _)| names::variant(&constant_words(value), with_symbols)).collect()
        };
        let plain = spell(false);
        let unique = plain.iter().collect::<HashSet<_>>().len() == plain.len();
        let mut scope = Scope::default();
        let variants = if unique { plain } else { spell(true) }
            .into_iter()
            .zip(&constants)
            .map(|(name, (value, id))| {
                let own = if flat.parts.contains(id) { None } else { self.schema(*id).description.clone() };
                let title = if flat.parts.contains(id) { None } else { self.schema(*id).title.clone() };
                let name = title.filter(|title| is_short(title)).map_or(name, |title| names::pascal(&title));
                Constant {
                    rust: scope.take([name.as_str()]),
                    value: value.clone(),
                    description: own.or_else(|| meaning(&meanings, value)),
                }
            })
            .collect();
        Made::Shape(Shape::Enum(Enum { variants }))
    }

    // One JSON type.

    fn kind_shape(&mut self, key: &[SchemaId], flat: &Flat, kind: JsonType, naming: &Naming) -> Made {
        match kind {
            JsonType::Null => Made::Ref(TypeRef::Null),
            JsonType::Boolean => Made::Ref(TypeRef::Bool),
            JsonType::Number | JsonType::Integer => self.number_shape(key, flat),
            JsonType::String => {
                if flat.text == TextRules::default() {
                    Made::Ref(TypeRef::Text)
                } else if flat.text
                    == (TextRules { formats: vec!["uuid".to_owned()], ..TextRules::default() })
                {
                    Made::Ref(TypeRef::Uuid)
                } else {
                    Made::Shape(Shape::Text(flat.text.clone()))
                }
            }
            JsonType::Array => self.list_shape(key, flat, naming),
            JsonType::Object => self.object_shape(flat, naming),
        }
    }

    fn number_shape(&mut self, key: &[SchemaId], flat: &Flat) -> Made {
        let rules = &flat.number;
        for divisor in &rules.multiple_of {
            let small = crate::support::Decimal::parse(divisor)
                .and_then(|value| value.is_multiple_of(&value))
                .is_some();
            if !small {
                let place = self.place(key[0]);
                self.problems.push(place, format!("`multipleOf` {divisor} has more than 36 digits"));
            }
        }
        if *rules == NumberRules::default() {
            Made::Ref(TypeRef::Number)
        } else if *rules == (NumberRules { integer: true, ..NumberRules::default() }) {
            Made::Ref(TypeRef::Integer)
        } else {
            Made::Shape(Shape::Number(rules.clone()))
        }
    }

    fn list_shape(&mut self, key: &[SchemaId], flat: &Flat, naming: &Naming) -> Made {
        let mut items = Vec::new();
        let (mut min_items, mut max_items, mut unique) = (None, None, false);
        for id in &flat.parts {
            let schema = self.schema(*id);
            if !schema.prefix_items.is_empty()
                || schema.contains.is_some()
                || schema.unevaluated_items.is_some()
            {
                return Made::Shape(Shape::Value(self.check_all(key)));
            }
            items.extend(schema.items);
            min_items = min_items.max(schema.min_items.filter(|count| *count > 0));
            max_items = match (max_items, schema.max_items) {
                (Some(mine), Some(theirs)) => Some(u64::min(mine, theirs)),
                (mine, theirs) => mine.or(theirs),
            };
            unique |= schema.unique_items;
        }
        let items = self.use_of(&items, &naming.member("", "item"));
        if items == TypeRef::Never {
            // Only the empty array, if it is long enough.
            return Made::Shape(Shape::Value(self.check_all(key)));
        }
        if min_items.is_none() && max_items.is_none() && !unique {
            Made::Ref(TypeRef::List(Box::new(items)))
        } else {
            Made::Shape(Shape::List(List { items, min_items, max_items, unique }))
        }
    }

    // Objects.

    fn object_shape(&mut self, flat: &Flat, naming: &Naming) -> Made {
        let parts: Vec<Schema> = flat.parts.iter().map(|id| self.schema(*id).clone()).collect();
        let mut declared: Vec<String> = Vec::new();
        let mut required: Vec<String> = Vec::new();
        for part in &parts {
            for name in part.properties.iter().map(|(name, _)| name) {
                if !declared.contains(name) {
                    declared.push(name.clone());
                }
            }
            for name in &part.required {
                if !required.contains(name) {
                    required.push(name.clone());
                }
            }
        }
        for name in &required {
            if !declared.contains(name) {
                declared.push(name.clone());
            }
        }
        let min_members =
            parts.iter().filter_map(|part| part.min_properties.filter(|count| *count > 0)).max();
        let max_members = parts.iter().filter_map(|part| part.max_properties).min();
        let rules = self.object_rules(flat, &parts);
        let plain = declared.is_empty() && rules.is_empty();

        let rest = self.rest(flat, &parts, naming);
        if plain {
            let patterns: Vec<&(String, SchemaId)> =
                parts.iter().flat_map(|part| &part.pattern_properties).collect();
            let unbounded = min_members.is_none() && max_members.is_none();
            match (&rest, patterns.as_slice()) {
                (Rest::Open, _) if unbounded => return Made::Ref(TypeRef::Object),
                (Rest::Typed(ty), _) if unbounded => return Made::Ref(TypeRef::Map(Box::new(ty.clone()))),
                (Rest::Open | Rest::Typed(_), _) => {
                    let values = if let Rest::Typed(ty) = rest { ty } else { TypeRef::Any };
                    let names = TextRules::default();
                    return Made::Shape(Shape::Map(Map { names, values, min_members, max_members }));
                }
                (Rest::Checked(_), [(pattern, values)]) if self.is_closed(&parts) => {
                    let values = self.use_of(&[*values], &naming.member("", "value"));
                    if values != TypeRef::Never {
                        let names = TextRules { patterns: vec![pattern.clone()], ..TextRules::default() };
                        return Made::Shape(Shape::Map(Map { names, values, min_members, max_members }));
                    }
                }
                _ => {}
            }
        }
        let mut scope = Scope::reserving(if matches!(rest, Rest::Closed) { &[] } else { &["additional"] });
        // Where a rule asks whether a member is there, absent and default are two things.
        let defaults = rules.is_empty() && min_members.is_none() && max_members.is_none();
        let fields = declared
            .iter()
            .map(|name| {
                let rust = scope.take([names::snake(name).as_str()]);
                let presence = match required.contains(name) {
                    true => Presence::Required,
                    false => Presence::Optional,
                };
                let schemas = self.member_schemas(name, flat, &parts);
                self.field(name, rust, &schemas, presence, defaults, naming)
            })
            .collect();
        Made::Shape(Shape::Struct(Struct { fields, rest, min_members, max_members, rules }))
    }

    /// The rules of an object that span members.
    fn object_rules(&mut self, flat: &Flat, parts: &[Schema]) -> Vec<Rule> {
        let mut rules: Vec<Rule> = self
            .residuals(flat)
            .into_iter()
            .map(|(id, check)| Rule { words: words(&check), check, place: self.place(id) })
            .collect();
        for (exactly_one, branches) in &flat.unions {
            if self.is_rule(branches) {
                let checks: Vec<Check> = branches.iter().map(|id| self.check(*id)).collect();
                let check = if *exactly_one { one_of(checks) } else { any_of(checks) };
                rules.push(Rule { words: words(&check), check, place: self.place(branches[0]) });
            }
        }
        let patterns = parts.iter().any(|part| !part.pattern_properties.is_empty());
        for (part, id) in parts.iter().zip(&flat.parts) {
            // Else it is in the types of the members.
            let in_types = !patterns && self.always_evaluated(*id).is_some();
            if !in_types
                && let Some(check) = self.unevaluated_members(*id)
                && !matches!(check, Check::Any)
            {
                let words = "no members beside those that its rules name".to_owned();
                rules.push(Rule { words, check, place: self.place(*id) });
            }
            if let Some(names) = part.property_names {
                let names = self.check(names);
                let check = Check::Object(Box::new(ObjectCheck { names, ..ObjectCheck::default() }));
                rules.push(Rule {
                    words: "names of members that fit".to_owned(),
                    check,
                    place: self.place(*id),
                });
            }
        }
        rules
    }

    /// What binds the member `name`.
    fn member_schemas(&mut self, name: &str, flat: &Flat, parts: &[Schema]) -> Vec<SchemaId> {
        let mut schemas = Vec::new();
        for (part, id) in parts.iter().zip(&flat.parts) {
            let before = schemas.len();
            schemas.extend(part.properties.iter().filter(|(own, _)| own == name).map(|(_, id)| *id));
            schemas.extend(
                part.pattern_properties
                    .iter()
                    .filter(|(pattern, _)| matches(pattern, name))
                    .map(|(_, id)| *id),
            );
            if schemas.len() == before {
                schemas.extend(part.additional_properties);
            }
            if let Some(unevaluated) = part.unevaluated_properties
                && let Some((names, patterns)) = self.always_evaluated(*id)
                && !names.iter().any(|own| own == name)
                && !patterns.iter().any(|pattern| matches(pattern, name))
            {
                schemas.push(unevaluated);
            }
        }
        schemas
    }

    /// The member `name`, to which all of `schemas` apply; its default counts where `defaults` says so.
    fn field(
        &mut self,
        name: &str,
        rust: String,
        schemas: &[SchemaId],
        presence: Presence,
        defaults: bool,
        naming: &Naming,
    ) -> Field {
        let required = matches!(presence, Presence::Required);
        let constant = self.constant_of(schemas);
        let ty = match &constant {
            // A required constant is not stored, so it needs no type.
            Some(value) if required => constant_type(value),
            _ => self.use_of(schemas, &naming.member("", name)),
        };
        let mut field = Field {
            wire: name.to_owned(),
            rust,
            title: schemas.iter().find_map(|id| self.schema(*id).title.clone()),
            description: schemas.iter().find_map(|id| self.described(*id)),
            ty,
            presence,
            constant,
            deprecated: schemas.iter().any(|id| self.schema(*id).deprecated),
        };
        let default = schemas.iter().find_map(|id| self.schema(*id).default.clone().map(|node| (*id, node)));
        if let Some((id, default)) = default {
            let check = self.check_all(schemas);
            match violation(&check, &self.checks, &default) {
                Some((pointer, rule)) => {
                    let mut place = self.place(id);
                    place.pointer = format!("{}/default{pointer}", place.pointer);
                    place.span = default.span;
                    self.problems.push(place, format!("the default is no value of its own schema: {rule}"));
                }
                None if !required && defaults && field.constant.is_none() => {
                    field.presence = Presence::Default(default)
                }
                None => {}
            }
        }
        field
    }

    /// The description where a member stands, or that of what it refers to.
    fn described(&self, id: SchemaId) -> Option<String> {
        let schema = self.schema(id);
        schema
            .description
            .clone()
            .or_else(|| schema.references.iter().find_map(|target| self.described(*target)))
    }

    /// The one value that a member may have.
    fn constant_of(&mut self, schemas: &[SchemaId]) -> Option<Node> {
        let flat = flat(&self.graph, schemas, self.formats);
        let constants = self.constants(&flat)?;
        match constants.as_slice() {
            [(value, _)] => Some(value.clone()),
            _ => None,
        }
    }

    /// Whether members that match no pattern are forbidden.
    fn is_closed(&self, parts: &[Schema]) -> bool {
        parts
            .iter()
            .any(|part| part.additional_properties.is_some_and(|id| self.schema(id).boolean == Some(false)))
    }

    /// The members that no schema names.
    fn rest(&mut self, flat: &Flat, parts: &[Schema], naming: &Naming) -> Rest {
        let patterns: Vec<String> = parts
            .iter()
            .flat_map(|part| part.pattern_properties.iter().map(|(pattern, _)| pattern.clone()))
            .collect();
        if patterns.is_empty() {
            let mut schemas: Vec<SchemaId> =
                parts.iter().filter_map(|part| part.additional_properties).collect();
            for (part, id) in parts.iter().zip(&flat.parts) {
                if let Some(unevaluated) = part.unevaluated_properties
                    && self.always_evaluated(*id).is_some()
                {
                    schemas.push(unevaluated);
                }
            }
            return match self.use_of(&schemas, &naming.member("", "value")) {
                TypeRef::Never => Rest::Closed,
                TypeRef::Any => Rest::Open,
                ty => Rest::Typed(ty),
            };
        }
        // With several schemas, each has its own idea of what is left over.
        let checks: Vec<Check> = flat
            .parts
            .iter()
            .map(|id| {
                let schema = self.schema(*id).clone();
                let own = Schema {
                    properties: schema.properties,
                    pattern_properties: schema.pattern_properties,
                    additional_properties: schema.additional_properties,
                    ..Schema::default()
                };
                let own = self.add(own);
                self.check(own)
            })
            .collect();
        Rest::Checked(all(checks))
    }

    // Several JSON types.

    /// The type of a value of one JSON type, which else the schemas would leave open.
    fn restricted(&mut self, key: &[SchemaId], flat: &Flat, kind: JsonType, naming: &Naming) -> TypeRef {
        let kind = if kind == JsonType::Number && flat.number.integer { JsonType::Integer } else { kind };
        let only = Schema { types: Some(vec![kind]), place: self.place(key[0]), ..Schema::default() };
        let only = self.add(only);
        let mut schemas: Vec<SchemaId> = key.to_vec();
        schemas.push(only);
        self.use_of(&schemas, naming)
    }

    fn kinds_shape(&mut self, key: &[SchemaId], flat: &Flat, kinds: &[JsonType], naming: &Naming) -> Made {
        let variants = kinds
            .iter()
            .map(|kind| {
                let name = kind_name(*kind, flat);
                let path = format!("{}{name}", naming.path);
                let ty = self.restricted_untitled(key, flat, *kind, &Naming::of(path));
                Variant { rust: name.to_owned(), description: None, ty, kinds: vec![*kind], tags: Vec::new() }
            })
            .filter(|variant| variant.ty != TypeRef::Never)
            .collect();
        Made::Shape(Shape::Union(Union { variants, routing: Routing::Kind }))
    }

    /// As [`Self::restricted`], but the title names the union, not its variant.
    fn restricted_untitled(
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
    fn typeless_shape(&mut self, key: &[SchemaId], flat: &Flat, naming: &Naming) -> Made {
        let names_members = flat.parts.iter().any(|id| !self.schema(*id).properties.is_empty());
        if names_members || flat.number.are_wide() {
            return self.kinds_shape(key, flat, &KINDS, naming);
        }
        match self.check_all(key) {
            Check::Any => Made::Ref(TypeRef::Any),
            check => Made::Shape(Shape::Value(check)),
        }
    }

    // Unions.

    fn union_shape(
        &mut self,
        key: &[SchemaId],
        whole: &Flat,
        exactly_one: bool,
        branches: &[SchemaId],
        naming: &Naming,
    ) -> Made {
        let base = self.without_union(key, whole, branches);
        let mut variants = Vec::new();
        let mut scope = Scope::default();
        for branch in branches {
            let mut schemas = vec![*branch];
            if let Some(base) = base
                && !self.is_implied(base, *branch)
            {
                schemas.push(base);
            }
            let flat = flat(&self.graph, &schemas, self.formats);
            if flat.never {
                continue;
            }
            let name = self.variant_name(*branch, &flat, variants.len());
            let ty = self.use_of(&schemas, &Naming::of(format!("{}{name}", naming.path)));
            if ty == TypeRef::Never {
                continue;
            }
            variants.push(Variant {
                rust: scope.take([name.as_str()]),
                description: self.schema(*branch).description.clone(),
                ty,
                kinds: flat.kinds.list(),
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
    fn without_union(&mut self, key: &[SchemaId], flat: &Flat, branches: &[SchemaId]) -> Option<SchemaId> {
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
    fn is_implied(&self, base: SchemaId, branch: SchemaId) -> bool {
        let mut schema = self.schema(base).clone();
        let Some(types) = schema.types.take() else { return false };
        let kinds = flat(&self.graph, &[branch], self.formats).kinds;
        !types.contains(&JsonType::Integer) && says_nothing(&schema) && kinds.and(Kinds::of(&types)) == kinds
    }

    fn variant_name(&self, branch: SchemaId, flat: &Flat, index: usize) -> String {
        let target = self.plain_reference(branch).unwrap_or(branch);
        if let Some(name) = self.reserved.get(&branch).or_else(|| self.reserved.get(&target)) {
            return name.clone();
        }
        if let Some(title) = self.schema(branch).title.as_deref().filter(|title| is_short(title)) {
            return names::pascal(title);
        }
        // A member with one value says what the branch is.
        for id in &flat.parts {
            for (name, member) in &self.schema(*id).properties {
                if let Some([Node { value: Json::String(text), .. }]) =
                    self.schema(*member).constants.as_deref()
                    && self.schema(*id).required.contains(name)
                {
                    return names::pascal(text);
                }
            }
        }
        match flat.kinds.list().as_slice() {
            [only] if *only != JsonType::Object => kind_name(*only, flat).to_owned(),
            _ => format!("Variant{}", index + 1),
        }
    }

    /// The member by whose value the variants can be told apart, if there is one.
    fn tag(&self, variants: &mut [Variant]) -> Option<String> {
        let structs: Option<Vec<&Struct>> =
            variants.iter().map(|variant| self.struct_of(&variant.ty)).collect();
        let structs = structs?;
        let candidates: Vec<String> =
            structs.first()?.fields.iter().map(|field| field.wire.clone()).collect();
        for candidate in candidates {
            let tags: Option<Vec<Vec<Node>>> = structs.iter().map(|ty| self.tags(ty, &candidate)).collect();
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
    pub(super) fn struct_of(&self, ty: &TypeRef) -> Option<&Struct> {
        match ty {
            TypeRef::Named(id) => match &self.types[id.0].as_ref()?.shape {
                Shape::Struct(found) => Some(found),
                Shape::Alias(target) => self.struct_of(target),
                _ => None,
            },
            _ => None,
        }
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

/// Whether a schema accepts everything: it has annotations at most.
pub(super) fn says_nothing(schema: &Schema) -> bool {
    schema.boolean.is_none()
        && schema.references.is_empty()
        && schema.types.is_none()
        && schema.constants.is_none()
        && schema.multiple_of.is_none()
        && schema.minimum.is_none()
        && schema.maximum.is_none()
        && schema.exclusive_minimum.is_none()
        && schema.exclusive_maximum.is_none()
        && schema.min_length.is_none()
        && schema.max_length.is_none()
        && schema.pattern.is_none()
        && schema.format.is_none()
        && schema.prefix_items.is_empty()
        && schema.items.is_none()
        && schema.contains.is_none()
        && schema.min_items.is_none()
        && schema.max_items.is_none()
        && !schema.unique_items
        && schema.unevaluated_items.is_none()
        && schema.properties.is_empty()
        && schema.pattern_properties.is_empty()
        && schema.additional_properties.is_none()
        && schema.property_names.is_none()
        && schema.required.is_empty()
        && schema.min_properties.is_none()
        && schema.max_properties.is_none()
        && schema.dependent_required.is_empty()
        && schema.dependent_schemas.is_empty()
        && schema.unevaluated_properties.is_none()
        && schema.all_of.is_empty()
        && schema.any_of.is_none()
        && schema.one_of.is_none()
        && schema.not.is_none()
        && schema.condition.is_none()
}

/// The type of one value.
fn constant_type(value: &Node) -> TypeRef {
    match &value.value {
        Json::Null => TypeRef::Null,
        Json::Bool(_) => TypeRef::Bool,
        Json::Number(_) => TypeRef::Number,
        Json::String(_) => TypeRef::Text,
        Json::Array(_) => TypeRef::List(Box::new(TypeRef::Any)),
        Json::Object(_) => TypeRef::Object,
    }
}

/// The variant name of a JSON type.
fn kind_name(kind: JsonType, flat: &Flat) -> &'static str {
    match kind {
        JsonType::Null => "Null",
        JsonType::Boolean => "Bool",
        JsonType::Number if flat.number.integer => "Integer",
        JsonType::Integer => "Integer",
        JsonType::Number => "Number",
        JsonType::String => "Text",
        JsonType::Array => "List",
        JsonType::Object => "Object",
    }
}

/// What people call scalars under the most usual rules, wherever they stand.
fn usual_name(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Text(rules) if rules.patterns.is_empty() && rules.max_length.is_none() => {
            match (rules.min_length, rules.formats.as_slice()) {
                (Some(1), []) => Some("NonEmptyString"),
                (None, [format]) => Some(match format.as_str() {
                    "date-time" => "DateTime",
                    "date" => "Date",
                    "time" => "Time",
                    "uri" => "Uri",
                    "uri-reference" => "UriReference",
                    "email" => "Email",
                    _ => return None,
                }),
                _ => None,
            }
        }
        Shape::Number(rules)
            if rules.integer
                && !rules.strict_integer
                && rules.maximum.is_none()
                && rules.multiple_of.is_empty() =>
        {
            match &rules.minimum {
                Some(bound) if bound.value == "0" && !bound.exclusive => Some("NonNegativeInteger"),
                Some(bound)
                    if (bound.value == "1" && !bound.exclusive)
                        || (bound.value == "0" && bound.exclusive) =>
                {
                    Some("PositiveInteger")
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_scalar(shape: &Shape) -> bool {
    matches!(shape, Shape::Text(_) | Shape::Number(_) | Shape::Enum(_))
}

fn same_scalar(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Text(a), Shape::Text(b)) => a == b,
        (Shape::Number(a), Shape::Number(b)) => a == b,
        (Shape::Enum(a), Shape::Enum(b)) => {
            let text =
                |list: &Enum| -> Vec<String> { list.variants.iter().map(|v| v.value.to_string()).collect() };
            text(a) == text(b)
        }
        _ => false,
    }
}

/// What an enum's value is called.
fn constant_words(value: &Node) -> String {
    match &value.value {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(text) => format!("n{}", text.replace('-', " minus ").replace('.', " point ")),
        Json::String(text) => text.clone(),
        Json::Array(_) => "list".to_owned(),
        Json::Object(_) => "object".to_owned(),
    }
}

/// The meaning of a value, where a description says it as `value: meaning.`
fn meaning(description: &str, value: &Node) -> Option<String> {
    let text = value.as_str()?;
    let label = format!("{text}: ");
    let start = description
        .match_indices(&label)
        .map(|(at, _)| at)
        .find(|at| *at == 0 || description[..*at].ends_with(". ") || description[..*at].ends_with('\n'))?;
    let rest = &description[start + label.len()..];
    let end = rest.find(". ").map_or(rest.len(), |at| at + 1);
    Some(rest[..end].trim().to_owned())
}
