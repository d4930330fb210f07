//! Which Rust type a schema becomes.

use super::aliases::{MOST_NESTED, innermost, nesting, new_type};
use super::flat::{Flat, Kinds, flat};
use super::{Lowering, Naming, is_short};
use crate::graph::{JsonType, Schema, SchemaId};
use crate::ir::{Check, Enum, NumberRules, Shape, TextRules, TypeRef};
use crate::names;

/// How many types are made inside each other before a definition has to wait until they are done:
/// definitions can refer to each other in chains of any length.
const DEEPEST: usize = 64;

/// The same for a type without a definition of its own, which is better made at once: what it is
/// decides how it is used. Members and items nest 127 deep in a file, so only references lead here.
const DEEPEST_UNNAMED: usize = 192;

/// What a schema becomes: a type that exists, or one that needs a name.
pub(super) enum Made {
    Ref(TypeRef),
    Shape(Shape),
}

impl Lowering {
    /// The type of a value to which all of `schemas` apply, a member or an item of one in hand: its
    /// shape may be made later.
    pub(super) fn use_of(&mut self, schemas: &[SchemaId], naming: &Naming) -> TypeRef {
        self.use_as(schemas, naming, true)
    }

    /// The type of the value in hand itself, one of its variants say: its shape is made at once.
    pub(super) fn use_in_place(&mut self, schemas: &[SchemaId], naming: &Naming) -> TypeRef {
        self.use_as(schemas, naming, false)
    }

    fn use_as(&mut self, schemas: &[SchemaId], naming: &Naming, may_wait: bool) -> TypeRef {
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
        if self.made.len() >= self.most_types {
            if self.made.len() == self.most_types {
                let message =
                    "the unions inside each other make too many types, one for each way through them";
                self.problems.push(self.place(key[0]), message);
                self.made.insert(Vec::new(), TypeRef::Any);
            }
            return TypeRef::Any;
        }
        if !may_wait && let Some(naming) = self.waiting.remove(&key) {
            return self.finish(key, &naming);
        }
        if let Some(making) = self.making.get(&key) {
            // It holds itself, so it needs a name to do so by.
            let id = making.unwrap_or_else(|| self.announce());
            self.making.insert(key, Some(id));
            return TypeRef::Named(id);
        }
        let reserved = self.reserved_of(&key).is_some();
        let most = if reserved { DEEPEST } else { DEEPEST_UNNAMED };
        if may_wait && self.depth >= most {
            let id = self.announce();
            self.put_off.insert(id);
            self.making.insert(key.clone(), Some(id));
            self.waiting.insert(key.clone(), naming.clone());
            self.queue.push_back(key);
            return TypeRef::Named(id);
        }
        let announced = reserved.then(|| self.announce());
        self.making.insert(key.clone(), announced);
        let named = self.finish(key, naming);
        if self.depth == 0 {
            while let Some(key) = self.queue.pop_front() {
                if let Some(naming) = self.waiting.remove(&key) {
                    self.finish(key, &naming);
                }
            }
        }
        named
    }

    /// The name of the definition that a set of schemas is.
    fn reserved_of(&self, key: &[SchemaId]) -> Option<&String> {
        key.first().filter(|_| key.len() == 1).and_then(|id| self.reserved.get(id))
    }

    /// Makes a type that was begun.
    fn finish(&mut self, key: Vec<SchemaId>, naming: &Naming) -> TypeRef {
        let reserved = self.reserved_of(&key).cloned();
        let owner = reserved.clone().unwrap_or_else(|| self.unnamed(&key, naming));
        if let Some(Some(id)) = self.making.get(&key) {
            self.put_off.remove(id);
        }
        self.depth += 1;
        let made = self.make(&key, &Naming::of(owner.clone()));
        self.depth -= 1;
        let announced = self.making.remove(&key).flatten();
        let named = match (made, announced) {
            (Made::Ref(made), None) if nesting(&made) <= MOST_NESTED => made,
            (Made::Ref(made), announced) => {
                let id = announced.unwrap_or_else(|| self.announce());
                let shape = self.shape_of_ref(made, reserved.is_some());
                let name = reserved.unwrap_or_else(|| self.scope.take([owner.as_str()]));
                self.define(id, name, &key, shape);
                TypeRef::Named(id)
            }
            (Made::Shape(shape), Some(id)) => {
                let name = reserved.unwrap_or_else(|| self.scope.take([owner.as_str()]));
                self.define(id, name, &key, shape);
                TypeRef::Named(id)
            }
            (Made::Shape(shape), None) => self.named_inline(&key, shape, &owner, naming),
        };
        self.made.insert(key, named.clone());
        named
    }

    /// A named definition that is no new type is another name for one; one that holds itself is a
    /// new type, since an alias cannot.
    pub(super) fn shape_of_ref(&self, made: TypeRef, definition: bool) -> Shape {
        match &made {
            TypeRef::List(inner) | TypeRef::Map(inner) if !definition || self.may_hold_itself(inner) => {
                new_type(&made).unwrap_or(Shape::Alias(made))
            }
            _ => Shape::Alias(made),
        }
    }

    /// Whether a type has parts that are still being made.
    pub(super) fn may_hold_itself(&self, ty: &TypeRef) -> bool {
        match innermost(ty) {
            TypeRef::Named(id) => self.types[id.0].is_none() && !self.put_off.contains(id),
            _ => false,
        }
    }

    /// The name of a type that no definition names: its title, a usual name of what it is, or where
    /// it stands.
    pub(super) fn unnamed(&self, key: &[SchemaId], naming: &Naming) -> String {
        let title =
            key.iter().find_map(|id| self.schema(*id).title.as_deref().filter(|title| is_short(title)));
        match title {
            Some(title) if key.iter().any(|id| self.graph.wider.contains(&id.0)) => {
                names::received(&names::pascal(title))
            }
            Some(title) => names::pascal(title),
            None if naming.path.is_empty() => "Root".to_owned(),
            None => naming.path.clone(),
        }
    }

    pub(super) fn named_inline(
        &mut self,
        key: &[SchemaId],
        shape: Shape,
        owner: &str,
        naming: &Naming,
    ) -> TypeRef {
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
        self.define(id, name, key, shape);
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
    pub(super) fn is_trivial(&self, id: SchemaId) -> bool {
        let schema = self.schema(id);
        !self.reserved.contains_key(&id)
            && (schema.boolean == Some(true) || (schema.boolean.is_none() && says_nothing(schema)))
    }

    /// The target of a schema that is a reference and nothing else.
    pub(super) fn plain_reference(&self, id: SchemaId) -> Option<SchemaId> {
        let schema = self.schema(id);
        let [target] = schema.references.as_slice() else { return None };
        schema.says_nothing_else().then_some(*target)
    }

    /// What a schema stands for, when it is a reference and nothing else.
    pub(super) fn followed(&self, mut id: SchemaId) -> SchemaId {
        while let Some(target) = self.plain_reference(id) {
            id = target;
        }
        id
    }

    pub(super) fn make(&mut self, key: &[SchemaId], naming: &Naming) -> Made {
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
            flat.unions.iter().filter(|(_, branches)| !self.is_rule(branches, flat.kinds)).cloned().collect();
        let rules = flat.unions.len() > unions.len() || !residual.is_empty();
        match unions.as_slice() {
            [] => {}
            [(exactly_one, branches)] if !self.looks_around(key) => {
                if *exactly_one && let Some(kinds) = self.kinds_of_one(&flat, branches) {
                    return match kinds.as_slice() {
                        [] => Made::Ref(TypeRef::Never),
                        kinds => {
                            let narrowed = self.with_kinds(key, kinds);
                            self.make(&narrowed, naming)
                        }
                    };
                }
                if !exactly_one && let Some(shape) = self.open_enum(key, &flat, branches) {
                    return Made::Shape(shape);
                }
                return self.union_shape(key, &flat, *exactly_one, branches, naming);
            }
            [first, ..] => return self.sealed(&flat, Some(first), naming),
        }
        let kinds = flat.kinds.list();
        match kinds.as_slice() {
            [JsonType::Object] => self.object_shape(&flat, naming),
            _ if rules => self.sealed(&flat, None, naming),
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
    pub(super) fn residuals(&mut self, flat: &Flat) -> Vec<(SchemaId, Check)> {
        let mut found = Vec::new();
        for id in &flat.parts {
            for check in self.residual(*id) {
                found.push((*id, check));
            }
        }
        found
    }

    /// Whether the branches of a union say only which members must be there, or must not, of a value that
    /// has one of `kinds` anyway.
    pub(super) fn is_rule(&self, branches: &[SchemaId], kinds: Kinds) -> bool {
        branches.iter().all(|id| {
            let mut schema = self.schema(*id).clone();
            schema
                .types
                .take_if(|types| kinds == Kinds::of(&[JsonType::Object]) && *types == [JsonType::Object]);
            let presence = !schema.required.is_empty() || schema.not.is_some();
            schema.required.clear();
            let not_is_rule = schema.not.take().is_none_or(|not| self.is_rule(&[not], kinds));
            presence && not_is_rule && schema.boolean.is_none() && says_nothing(&schema)
        })
    }

    pub(super) fn kind_shape(
        &mut self,
        key: &[SchemaId],
        flat: &Flat,
        kind: JsonType,
        naming: &Naming,
    ) -> Made {
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
            JsonType::Array => self.list_shape(flat, naming),
            JsonType::Object => self.object_shape(flat, naming),
        }
    }

    pub(super) fn number_shape(&mut self, key: &[SchemaId], flat: &Flat) -> Made {
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
}

/// Whether a schema accepts everything: it has annotations at most.
pub(super) fn says_nothing(schema: &Schema) -> bool {
    schema.references.is_empty() && schema.says_nothing_else()
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
