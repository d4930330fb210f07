//! The keywords of one schema.

use super::Builder;
use crate::diagnostics::Place;
use crate::graph::{Condition, JsonType, Schema, SchemaId};
use crate::json::{Json, Member, Node, escape, quoted};
use crate::resolve::dialect::Dialect;
use crate::resolve::index::SpotId;
use crate::resolve::numbers::{Count, count, is_positive};
use std::collections::HashSet;

/// A schema that is being read.
pub(super) struct Reading<'r, 'i, 'a> {
    pub(super) builder: &'r mut Builder<'i, 'a>,
    pub(super) spot: SpotId,
    pub(super) dialect: Dialect,
    pub(super) node: &'a Node,
}

impl<'a> Reading<'_, '_, 'a> {
    pub(super) fn read(mut self, schema: &mut Schema) {
        let known = |member: &&Member| match member.name.as_str() {
            "title" | "description" | "default" | "deprecated" => true,
            name => self.dialect.asserts(name),
        };
        let members: Vec<&'a Member> = self.node.members().iter().filter(known).collect();
        for member in members {
            let node = &member.node;
            match member.name.as_str() {
                "title" => schema.title = self.text(member),
                "description" => schema.description = self.text(member),
                "default" => schema.default = Some(node.clone()),
                "deprecated" => schema.deprecated = self.deprecated(member),

                "type" => schema.types = self.types(node),
                "enum" => schema.constants = self.list(member, "values").map(<[Node]>::to_vec),

                "multipleOf" => schema.multiple_of = self.divisor(member),
                "minimum" => schema.minimum = self.number(member),
                "maximum" => schema.maximum = self.number(member),
                // A boolean in draft-04, which comes after the other bound is known.
                "exclusiveMinimum" | "exclusiveMaximum" if self.dialect == Dialect::Draft4 => {}
                "exclusiveMinimum" => schema.exclusive_minimum = self.number(member),
                "exclusiveMaximum" => schema.exclusive_maximum = self.number(member),

                "minLength" => schema.min_length = self.count(member),
                "maxLength" => schema.max_length = self.count(member),
                "pattern" => schema.pattern = self.pattern(member),
                "format" => schema.format = self.text(member),

                "prefixItems" => schema.prefix_items = self.schemas(member).unwrap_or_default(),
                "items" => self.items(member, schema),
                "contains" => schema.contains = self.schema(member),
                "minItems" => schema.min_items = self.count(member),
                "maxItems" => schema.max_items = self.count(member),
                "uniqueItems" => schema.unique_items = self.boolean(member),
                "unevaluatedItems" => schema.unevaluated_items = self.schema(member),

                "properties" => schema.properties = self.map(member),
                "patternProperties" => schema.pattern_properties = self.pattern_properties(member),
                "additionalProperties" => schema.additional_properties = self.schema(member),
                "propertyNames" => schema.property_names = self.schema(member),
                "required" => schema.required = self.names(node, "/required", "`required`"),
                "minProperties" => schema.min_properties = self.count(member),
                "maxProperties" => schema.max_properties = self.count(member),
                "dependencies" => self.dependencies(member, schema),
                "dependentRequired" => schema.dependent_required.extend(self.dependent_required(member)),
                "dependentSchemas" => schema.dependent_schemas.extend(self.map(member)),
                "unevaluatedProperties" => schema.unevaluated_properties = self.schema(member),

                "allOf" => schema.all_of = self.branches(member).unwrap_or_default(),
                "anyOf" => schema.any_of = self.branches(member),
                "oneOf" => schema.one_of = self.branches(member),
                "not" => schema.not = self.schema(member),
                // Those that depend on others, and the references, which are followed already.
                _ => {}
            }
        }
        self.constant(schema);
        self.exclusive_bounds(schema);
        self.counts_of_contains(schema);
        self.condition(schema);
    }

    /// A keyword that says nothing by itself, or is `None` in this dialect.
    fn member(&self, name: &str) -> Option<&'a Member> {
        if !self.dialect.asserts(name) {
            return None;
        }
        self.node.members().iter().find(|member| member.name == name)
    }

    /// `const`. The form has one place for it and `enum`, so with both, each gets a schema.
    fn constant(&mut self, schema: &mut Schema) {
        let Some(member) = self.member("const") else { return };
        let constant = vec![member.node.clone()];
        let Some(values) = schema.constants.take() else {
            schema.constants = Some(constant);
            return;
        };
        let at = self.node.get("enum").map_or(schema.place.span, |node| node.span);
        for (keyword, span, constants) in [("const", member.node.span, constant), ("enum", at, values)] {
            let inside = format!("/{keyword}");
            let split = Schema {
                place: self.builder.index.place(self.spot, &inside, span),
                document: schema.document,
                pointer: format!("{}{inside}", schema.pointer),
                constants: Some(constants),
                floats_are_not_integers: schema.floats_are_not_integers,
                min_contains: 1,
                ..Schema::default()
            };
            let id = self.builder.add(split);
            schema.all_of.push(id);
        }
    }

    /// Draft-04 says with a boolean whether a bound is inside.
    fn exclusive_bounds(&mut self, schema: &mut Schema) {
        if self.dialect != Dialect::Draft4 {
            return;
        }
        if self.member("exclusiveMinimum").is_some_and(|member| self.boolean(member)) {
            schema.exclusive_minimum = schema.minimum.take();
        }
        if self.member("exclusiveMaximum").is_some_and(|member| self.boolean(member)) {
            schema.exclusive_maximum = schema.maximum.take();
        }
    }

    fn counts_of_contains(&mut self, schema: &mut Schema) {
        let least = self.member("minContains").and_then(|member| self.count(member));
        let most = self.member("maxContains").and_then(|member| self.count(member));
        if schema.contains.is_some() {
            schema.min_contains = least.unwrap_or(1);
            schema.max_contains = most;
            schema.contains_evaluates = self.dialect == Dialect::Draft2020;
        }
    }

    fn condition(&mut self, schema: &mut Schema) {
        let Some(when) = self.member("if").and_then(|member| self.schema(member)) else { return };
        let then = self.member("then").and_then(|member| self.schema(member));
        let otherwise = self.member("else").and_then(|member| self.schema(member));
        schema.condition = Some(Condition { when, then, otherwise });
    }

    /// `items`, with `additionalItems` where that has a meaning.
    fn items(&mut self, member: &'a Member, schema: &mut Schema) {
        if !matches!(member.node.value, Json::Array(_)) {
            schema.items = self.schema(member);
        } else if self.dialect == Dialect::Draft2020 {
            self.wrong(member, "`items` is a schema (an array of them is `prefixItems` in 2020-12)");
        } else {
            schema.prefix_items = self.schemas(member).unwrap_or_default();
            schema.items = self.member("additionalItems").and_then(|member| self.schema(member));
        }
    }

    fn dependencies(&mut self, member: &'a Member, schema: &mut Schema) {
        for inner in self.object(member) {
            let inside = format!("/dependencies/{}", escape(&inner.name));
            if matches!(inner.node.value, Json::Array(_)) {
                let names = self.names(&inner.node, &inside, "a dependency");
                schema.dependent_required.push((inner.name.clone(), names));
            } else if let Some(id) = self.builder.child(self.spot, &inner.node, &inside) {
                schema.dependent_schemas.push((inner.name.clone(), id));
            }
        }
    }

    fn dependent_required(&mut self, member: &'a Member) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        for inner in self.object(member) {
            let inside = format!("/dependentRequired/{}", escape(&inner.name));
            found.push((inner.name.clone(), self.names(&inner.node, &inside, "a dependency")));
        }
        found
    }

    fn pattern_properties(&mut self, member: &'a Member) -> Vec<(String, SchemaId)> {
        for inner in self.object(member) {
            if let Some(error) = self.builder.pattern_error(&inner.name) {
                let inside = format!("/patternProperties/{}", escape(&inner.name));
                let place = self.builder.index.place(self.spot, &inside, inner.span);
                self.invalid_pattern(place, &inner.name, &error);
            }
        }
        self.map(member)
    }

    fn pattern(&mut self, member: &'a Member) -> Option<String> {
        let text = self.text(member)?;
        let error = member.node.as_str().and_then(|text| self.builder.pattern_error(text));
        if let Some(error) = error {
            let place = self.builder.index.place(self.spot, "/pattern", member.node.span);
            self.invalid_pattern(place, &text, &error);
        }
        Some(text)
    }

    fn invalid_pattern(&mut self, place: Place, pattern: &str, error: &str) {
        const SHOWN: usize = 60;
        let mut shown: String = pattern.chars().take(SHOWN).collect();
        if shown.len() < pattern.len() {
            shown.push('…');
        }
        let message = format!("{} is not an ECMA-262 pattern that can be used: {error}", quoted(&shown));
        self.builder.problems.push(place, message);
    }

    fn types(&mut self, node: &'a Node) -> Option<Vec<JsonType>> {
        let mut types = Vec::new();
        match &node.value {
            Json::String(_) => types.extend(self.type_name(node, "/type")),
            Json::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let name = self.type_name(item, &format!("/type/{index}"));
                    types.extend(name.filter(|name| !types.contains(name)));
                }
                if items.is_empty() {
                    self.builder.problem(self.spot, "/type", node, "`type` names at least one type");
                }
            }
            _ => self.builder.wrong(self.spot, "/type", node, "`type` is a string or an array of strings"),
        }
        Some(types)
    }

    fn type_name(&mut self, node: &Node, inside: &str) -> Option<JsonType> {
        let Some(name) = node.as_str() else {
            self.builder.wrong(self.spot, inside, node, "the name of a type is a string");
            return None;
        };
        let known = match name {
            "null" => Some(JsonType::Null),
            "boolean" => Some(JsonType::Boolean),
            "integer" => Some(JsonType::Integer),
            "number" => Some(JsonType::Number),
            "string" => Some(JsonType::String),
            "array" => Some(JsonType::Array),
            "object" => Some(JsonType::Object),
            _ => None,
        };
        if known.is_none() {
            let message = format!(
                "{} is not a type; expected one of array, boolean, integer, null, number, object, string",
                quoted(name)
            );
            self.builder.problem(self.spot, inside, node, message);
        }
        known
    }

    /// `deprecated` came with 2019-09. It says nothing of the value, so it counts in all drafts, but
    /// only where it is known can it be wrong.
    fn deprecated(&mut self, member: &'a Member) -> bool {
        match member.node.value {
            Json::Bool(value) => value,
            _ if self.dialect < Dialect::Draft2019 => false,
            _ => self.boolean(member),
        }
    }

    fn boolean(&mut self, member: &'a Member) -> bool {
        if let Json::Bool(value) = member.node.value {
            return value;
        }
        self.wrong(member, &format!("`{}` is a boolean", member.name));
        false
    }

    fn text(&mut self, member: &'a Member) -> Option<String> {
        let text = member.node.as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong(member, &format!("`{}` is a string", member.name));
        }
        text
    }

    fn number(&mut self, member: &'a Member) -> Option<Node> {
        if matches!(member.node.value, Json::Number(_)) {
            return Some(member.node.clone());
        }
        self.wrong(member, &format!("`{}` is a number", member.name));
        None
    }

    fn divisor(&mut self, member: &'a Member) -> Option<Node> {
        let node = self.number(member)?;
        if matches!(&node.value, Json::Number(text) if !is_positive(text)) {
            self.problem(member, format!("`{}` is greater than 0, not {node}", member.name));
        }
        Some(node)
    }

    fn count(&mut self, member: &'a Member) -> Option<u64> {
        let Json::Number(text) = &member.node.value else {
            self.wrong(member, &format!("`{}` is a whole number", member.name));
            return None;
        };
        match count(text) {
            Count::Is(count) => return Some(count),
            Count::Negative => self.problem(member, format!("`{}` is not negative: {text}", member.name)),
            Count::Fractional => {
                self.problem(member, format!("`{}` is a whole number, not {text}", member.name))
            }
        }
        None
    }

    /// An array of strings, each taken once.
    fn names(&mut self, node: &'a Node, inside: &str, what: &str) -> Vec<String> {
        let Json::Array(items) = &node.value else {
            self.builder.wrong(self.spot, inside, node, &format!("{what} is an array of strings"));
            return Vec::new();
        };
        let mut seen = HashSet::new();
        let mut names = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match item.as_str() {
                Some(name) if seen.insert(name) => names.push(name.to_owned()),
                Some(_) => {}
                None => {
                    let inside = format!("{inside}/{index}");
                    self.builder.wrong(self.spot, &inside, item, "the name of a member is a string");
                }
            }
        }
        names
    }

    fn schema(&mut self, member: &'a Member) -> Option<SchemaId> {
        self.builder.child(self.spot, &member.node, &format!("/{}", member.name))
    }

    /// An array of schemas that has no meaning when it is empty.
    fn branches(&mut self, member: &'a Member) -> Option<Vec<SchemaId>> {
        let schemas = self.schemas(member)?;
        if member.node.items().is_empty() {
            self.problem(member, format!("`{}` has at least one schema", member.name));
        }
        Some(schemas)
    }

    fn schemas(&mut self, member: &'a Member) -> Option<Vec<SchemaId>> {
        let items = self.list(member, "schemas")?;
        let inside = |index| format!("/{}/{index}", member.name);
        let schemas = items.iter().enumerate();
        Some(
            schemas.filter_map(|(index, item)| self.builder.child(self.spot, item, &inside(index))).collect(),
        )
    }

    fn map(&mut self, member: &'a Member) -> Vec<(String, SchemaId)> {
        let mut found = Vec::new();
        for inner in self.object(member) {
            let inside = format!("/{}/{}", member.name, escape(&inner.name));
            if let Some(id) = self.builder.child(self.spot, &inner.node, &inside) {
                found.push((inner.name.clone(), id));
            }
        }
        found
    }

    fn list(&mut self, member: &'a Member, of: &str) -> Option<&'a [Node]> {
        if let Json::Array(items) = &member.node.value {
            return Some(items);
        }
        self.wrong(member, &format!("`{}` is an array of {of}", member.name));
        None
    }

    fn object(&mut self, member: &'a Member) -> &'a [Member] {
        if let Json::Object(members) = &member.node.value {
            return members;
        }
        self.wrong(member, &format!("`{}` is an object", member.name));
        &[]
    }

    fn wrong(&mut self, member: &Member, expected: &str) {
        self.builder.wrong(self.spot, &format!("/{}", member.name), &member.node, expected);
    }

    fn problem(&mut self, member: &Member, message: String) {
        self.builder.problem(self.spot, &format!("/{}", member.name), &member.node, message);
    }
}
