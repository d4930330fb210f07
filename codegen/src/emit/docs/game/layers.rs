//! A schema as all that holds for one value: itself, what it refers to, and what it is put together from.

use serde_json::{Map, Value};

/// Deeper references are not followed.
const DEEPEST: usize = 32;
/// More parts are not put together.
const MOST: usize = 64;

/// The objects of keywords that hold for a value, all of them.
#[derive(Clone, Default)]
pub(super) struct Layers<'a> {
    pub(super) all: Vec<&'a Map<String, Value>>,
    /// The first reference on the way, which tells types that come again.
    pub(super) reference: Option<&'a str>,
    /// Nothing fits.
    pub(super) never: bool,
    /// Not all that holds is in `all`.
    pub(super) cut: bool,
}

impl<'a> Layers<'a> {
    pub(super) fn of(root: &'a Value, schema: &'a Value) -> Self {
        let mut layers = Self::default();
        layers.add(root, schema, 0);
        layers
    }

    /// The same, and what a branch says.
    pub(super) fn and(&self, root: &'a Value, branch: &'a Value) -> Self {
        let mut layers = self.clone();
        layers.add(root, branch, 0);
        layers
    }

    fn add(&mut self, root: &'a Value, schema: &'a Value, depth: usize) {
        let Value::Object(schema) = schema else {
            self.never |= *schema == Value::Bool(false);
            return;
        };
        if depth > DEEPEST || self.all.len() >= MOST {
            self.cut = true;
            return;
        }
        if self.all.iter().any(|known| std::ptr::eq(*known, schema)) {
            return;
        }
        self.all.push(schema);
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            self.reference = self.reference.or(Some(reference));
            match target(root, reference) {
                Some(target) => self.add(root, target, depth + 1),
                None => self.cut = true,
            }
        }
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.add(root, part, depth + 1);
        }
    }

    /// What the first of them that has this keyword says.
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.each(keyword).next()
    }

    /// What each of them that has this keyword says.
    pub(super) fn each<'k>(&self, keyword: &'k str) -> impl Iterator<Item = &'a Value> + use<'a, 'k> {
        let all: Vec<_> = self.all.iter().filter_map(|layer| layer.get(keyword)).collect();
        all.into_iter()
    }

    pub(super) fn text(&self, keyword: &str) -> Option<&'a str> {
        self.get(keyword).and_then(Value::as_str)
    }

    /// Members by name, those that must be there first. A member that several speak of comes once.
    pub(super) fn members(&self) -> Vec<(&'a str, &'a Value, bool)> {
        let required = self.required();
        let mut members: Vec<(&str, &Value, bool)> = Vec::new();
        for (name, schema) in self.each("properties").filter_map(Value::as_object).flatten() {
            if members.iter().all(|(known, ..)| known != name) {
                members.push((name, schema, required.contains(&name.as_str())));
            }
        }
        members.sort_by_key(|(name, _, required)| (!required, *name));
        members
    }

    /// The names of members that must be there.
    pub(super) fn required(&self) -> Vec<&'a str> {
        let lists = self.each("required").filter_map(Value::as_array);
        let mut names: Vec<&str> = lists.flatten().filter_map(Value::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The alternatives, where there are some.
    pub(super) fn branches(&self) -> Option<(&'a Vec<Value>, &'a Map<String, Value>)> {
        let of = |layer: &&'a Map<String, Value>| {
            ["oneOf", "anyOf"].iter().find_map(|keyword| layer.get(*keyword)?.as_array())
        };
        self.all.iter().find_map(|layer| Some((of(layer)?, *layer)))
    }

    /// JSON types, without those that are there twice; none where nothing is said of them.
    pub(super) fn types(&self) -> Vec<&'a str> {
        let named = |value: &'a Value| -> Vec<&'a str> {
            match value {
                Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
                kind => kind.as_str().into_iter().collect(),
            }
        };
        let mut said = self.each("type").map(named);
        let mut types = said.next().unwrap_or_default();
        for others in said {
            let fits =
                |kind: &str| others.contains(&kind) || (kind == "integer" && others.contains(&"number"));
            let narrower = types.contains(&"number") && others.contains(&"integer");
            types.retain(|kind| fits(kind));
            if narrower && !types.contains(&"integer") {
                types.push("integer");
            }
        }
        let mut seen = Vec::new();
        types.retain(|kind| {
            let is_new = !seen.contains(kind);
            seen.push(*kind);
            is_new
        });
        types
    }
}

/// What a reference within the same schema leads to.
pub(super) fn target<'a>(root: &'a Value, reference: &str) -> Option<&'a Value> {
    root.pointer(reference.strip_prefix('#')?)
}
