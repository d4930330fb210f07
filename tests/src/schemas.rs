//! Schemas made at random: of every keyword of every draft, sane ones and broken ones.

use crate::mutate::pointers;
use crate::valid::any;
use fastrand::Rng;
use serde_json::{Map, Value, json};

/// The drafts, oldest first.
const DRAFTS: [&str; 5] = [
    "http://json-schema.org/draft-04/schema#",
    "http://json-schema.org/draft-06/schema#",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
];

pub(crate) const NAMES: [&str; 14] =
    ["a", "b", "kind", "A", "type", "self", "fn", "a b", "", "é", "a/b~c", "additional", "1", "_"];
const PATTERNS: [&str; 8] = ["^a", "b$", "^[a-z]+$", "[0-9]", "^$", "^.{2}$", "a|b", "^(a|bb)*$"];
pub(crate) const TEXTS: [&str; 16] = [
    "",
    "a",
    "b",
    "ab",
    "abb",
    "A",
    "bb",
    "0",
    "12",
    "é",
    "\u{1F600}",
    "a b",
    "kind",
    "null",
    "2020-01-01",
    "zz",
];
pub(crate) const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
const FORMATS: [&str; 6] = ["uuid", "date", "email", "uri", "regex", "odd"];

/// A schema that has the form of one.
pub fn sane(rng: &mut Rng) -> Value {
    let draft = rng.usize(..DRAFTS.len());
    let mut maker = Maker { rng, draft, definitions: 0, first: Some(0), wild: false };
    maker.root()
}

/// A schema whose keywords may have any value.
pub fn wild(rng: &mut Rng) -> Value {
    let draft = rng.usize(..DRAFTS.len());
    let mut maker = Maker { rng, draft, definitions: 0, first: Some(0), wild: true };
    maker.root()
}

/// Damages a schema: moves, drops, repeats or replaces some of its values.
pub fn damage(schema: &mut Value, rng: &mut Rng) {
    for _ in 0..rng.usize(1..5) {
        let all = pointers(schema);
        let (from, to) = (&all[rng.usize(..all.len())], &all[rng.usize(..all.len())]);
        let moved = schema.pointer(from).cloned().unwrap_or_default();
        // A copy of the whole in itself doubles it, which a few rounds may not.
        let moved = if moved.to_string().len() > 4_000 { Value::Bool(true) } else { moved };
        let Some(place) = schema.pointer_mut(to) else { continue };
        *place = match rng.u8(..6) {
            0 => odd(rng),
            1 => moved,
            2 => json!([moved]),
            3 => json!({ NAMES[rng.usize(..NAMES.len())]: moved }),
            4 => {
                if let Value::Object(members) = place {
                    let keyword = KEYWORDS[rng.usize(..KEYWORDS.len())];
                    members.insert(keyword.to_owned(), if rng.bool() { moved } else { odd(rng) });
                }
                continue;
            }
            _ => {
                if let Value::Object(members) = place
                    && let Some(name) = members.keys().nth(rng.usize(..members.len().max(1))).cloned()
                {
                    members.remove(&name);
                }
                continue;
            }
        };
    }
}

const KEYWORDS: [&str; 52] = [
    "$ref",
    "$id",
    "id",
    "$schema",
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "deprecated",
    "type",
    "enum",
    "const",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "prefixItems",
    "items",
    "additionalItems",
    "contains",
    "minContains",
    "maxContains",
    "minItems",
    "maxItems",
    "uniqueItems",
    "unevaluatedItems",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "required",
    "minProperties",
    "maxProperties",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
];

/// A value that few keywords expect.
fn odd(rng: &mut Rng) -> Value {
    match rng.u8(..14) {
        0 => json!(-1),
        1 => json!(u64::MAX),
        2 => json!(1e300),
        3 => json!(0.1),
        4 => json!("#"),
        5 => json!("#/$defs/d0"),
        6 => json!("#/properties/a"),
        7 => json!("(?<a>"),
        8 => json!("\u{0}\u{2028}é */ \"#{}"),
        9 => json!(false),
        10 => json!([]),
        11 => json!({}),
        12 => json!(["a", "a", 1]),
        _ => any(rng, 3),
    }
}

struct Maker<'a> {
    rng: &'a mut Rng,
    draft: usize,
    definitions: usize,
    /// The first definition that may apply to the value in hand, when it applies to the root's or a
    /// definition's: what applies itself to the same value is refused.
    first: Option<usize>,
    wild: bool,
}

impl Maker<'_> {
    fn root(&mut self) -> Value {
        self.definitions = self.rng.usize(..4);
        let mut root = match self.schema(4) {
            Value::Object(members) => members,
            other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
        };
        root.insert("$schema".to_owned(), DRAFTS[self.draft].into());
        let definitions: Map<String, Value> = (0..self.definitions)
            .map(|index| {
                self.first = Some(index + 1);
                (format!("d{index}"), self.schema(3))
            })
            .collect();
        if !definitions.is_empty() {
            root.insert("$defs".to_owned(), definitions.into());
        }
        Value::Object(root)
    }

    fn one_in(&mut self, count: u32) -> bool {
        self.rng.u32(..count) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(..from.len())]
    }

    fn schema(&mut self, depth: usize) -> Value {
        if self.wild && self.one_in(20) {
            return odd(self.rng);
        }
        if self.draft > 0 && self.one_in(12) {
            return self.rng.bool().into();
        }
        let mut schema = Map::new();
        if self.definitions > 0 && self.one_in(5) {
            let index = self.rng.usize(self.first.unwrap_or(0)..=self.definitions);
            let target = match index {
                index if index < self.definitions => Some(format!("#/$defs/d{index}")),
                _ if self.first.is_none() || self.wild => Some("#".to_owned()),
                _ => None,
            };
            if let Some(target) = target {
                schema.insert("$ref".to_owned(), target.into());
                if self.draft < 3 || !self.one_in(3) {
                    return schema.into();
                }
            }
        }
        if self.one_in(8) {
            let words = ["A title", "Kind", "Self", "*/ \"#]`[x", "a\nb"];
            let keyword = self.pick(&["title", "description"]);
            schema.insert(keyword.to_owned(), self.pick(&words).into());
        }
        let kinds: Vec<&str> = match self.rng.u8(..8) {
            0 => vec![],
            1 => (0..self.rng.usize(1..4)).map(|_| self.pick(&TYPES)).collect(),
            2..5 => vec!["object"],
            _ => vec![self.pick(&TYPES)],
        };
        let unique: std::collections::BTreeSet<&str> = kinds.iter().copied().collect();
        if !unique.is_empty() && !self.one_in(10) {
            let types = if unique.len() == 1 { json!(kinds[0]) } else { json!(unique) };
            schema.insert("type".to_owned(), types);
        }
        for kind in if kinds.is_empty() { TYPES.to_vec() } else { unique.into_iter().collect() } {
            let some = if kinds.is_empty() { 4 } else { 1 };
            if self.one_in(some) {
                self.keywords(kind, &mut schema, depth);
            }
        }
        if self.one_in(12) {
            let values: Vec<Value> = (0..self.rng.usize(1..4)).map(|_| self.constant()).collect();
            schema.insert("enum".to_owned(), distinct(values).into());
        }
        if self.draft > 0 && self.one_in(20) {
            schema.insert("const".to_owned(), self.constant());
        }
        if depth > 0 {
            self.combined(&mut schema, depth - 1);
        }
        if self.wild {
            for (_, value) in &mut schema {
                if self.rng.u8(..25) == 0 {
                    *value = odd(self.rng);
                }
            }
        }
        schema.into()
    }

    /// A schema for another value than the one in hand.
    fn inner(&mut self, depth: usize) -> Value {
        let first = self.first.take();
        let schema = self.schema(depth);
        self.first = first;
        schema
    }

    fn constant(&mut self) -> Value {
        match self.rng.u8(..10) {
            0 => Value::Null,
            1 => self.rng.bool().into(),
            2 => self.rng.i32(-2..4).into(),
            3 => json!(1.5),
            4 => json!({ "a": 1 }),
            5 => json!([1, "a"]),
            _ => self.pick(&TEXTS).into(),
        }
    }

    fn count(&mut self) -> Value {
        self.rng.u32(..4).into()
    }

    fn keywords(&mut self, kind: &str, schema: &mut Map<String, Value>, depth: usize) {
        let mut put = |name: &str, value: Value| schema.insert(name.to_owned(), value);
        match kind {
            "string" => {
                for name in ["minLength", "maxLength"] {
                    if self.one_in(4) {
                        put(name, self.count());
                    }
                }
                if self.one_in(4) {
                    put("pattern", self.pick(&PATTERNS).into());
                }
                if self.one_in(8) {
                    put("format", self.pick(&FORMATS).into());
                }
            }
            "number" | "integer" => {
                for name in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
                    if self.one_in(5) {
                        let exclusive = name.starts_with("exclusive");
                        let bound = self
                            .pick(&[json!(-1), json!(0), json!(1), json!(2), json!(2.5)].each_ref())
                            .clone();
                        put(name, if exclusive && self.draft == 0 { true.into() } else { bound });
                    }
                }
                if self.one_in(6) {
                    put(
                        "multipleOf",
                        self.pick(&[json!(1), json!(2), json!(0.5), json!(3)].each_ref()).clone(),
                    );
                }
            }
            "array" => {
                for name in ["minItems", "maxItems", "minContains", "maxContains"] {
                    if self.one_in(5) {
                        put(name, self.count());
                    }
                }
                if self.one_in(4) {
                    put("uniqueItems", self.rng.bool().into());
                }
                if depth > 0 {
                    if !self.one_in(4) {
                        put("items", self.inner(depth - 1));
                    }
                    if self.one_in(5) {
                        let name = if self.draft == 4 { "prefixItems" } else { "items" };
                        let items: Vec<Value> =
                            (0..self.rng.usize(1..3)).map(|_| self.inner(depth - 1)).collect();
                        put(name, items.into());
                    }
                    for name in ["additionalItems", "contains", "unevaluatedItems"] {
                        if self.one_in(8) {
                            put(name, self.inner(depth - 1));
                        }
                    }
                }
            }
            "object" => {
                for name in ["minProperties", "maxProperties"] {
                    if self.one_in(10) {
                        put(name, self.count());
                    }
                }
                if self.one_in(2) {
                    let names = self.names();
                    if !names.is_empty() {
                        put("required", json!(names));
                    }
                }
                if self.one_in(8) {
                    let names = self.names();
                    let keyword = if self.draft < 3 { "dependencies" } else { "dependentRequired" };
                    if !names.is_empty() {
                        put(keyword, json!({ self.pick(&NAMES[..3]): names }));
                    }
                }
                if depth == 0 {
                    return;
                }
                if !self.one_in(4) {
                    let names = self.names();
                    let members: Map<String, Value> =
                        names.into_iter().map(|name| (name.to_owned(), self.inner(depth - 1))).collect();
                    put("properties", members.into());
                }
                if self.one_in(3) {
                    let rest =
                        if self.one_in(2) && self.draft > 0 { false.into() } else { self.inner(depth - 1) };
                    put("additionalProperties", rest);
                }
                if self.one_in(8) {
                    let patterns = json!({ self.pick(&PATTERNS): self.inner(depth - 1) });
                    put("patternProperties", patterns);
                }
                for name in ["propertyNames", "unevaluatedProperties"] {
                    if self.one_in(10) {
                        put(name, self.inner(depth - 1));
                    }
                }
                if self.one_in(12) {
                    let keyword = if self.draft < 3 { "dependencies" } else { "dependentSchemas" };
                    put(keyword, json!({ self.pick(&NAMES[..3]): self.schema(depth - 1) }));
                }
            }
            _ => {}
        }
    }

    fn names(&mut self) -> Vec<&'static str> {
        let count = self.rng.usize(..4);
        let most = if self.one_in(4) { NAMES.len() } else { 3 };
        let names: std::collections::BTreeSet<&str> = (0..count).map(|_| self.pick(&NAMES[..most])).collect();
        names.into_iter().collect()
    }

    fn combined(&mut self, schema: &mut Map<String, Value>, depth: usize) {
        for name in ["allOf", "anyOf", "oneOf"] {
            if self.one_in(9) {
                let branches: Vec<Value> = (0..self.rng.usize(1..4)).map(|_| self.schema(depth)).collect();
                schema.insert(name.to_owned(), branches.into());
            }
        }
        if self.one_in(20) {
            // Variants that one member tells apart.
            let branches: Vec<Value> = ["a", "b", "kind"][..self.rng.usize(1..4)]
                .iter()
                .map(|tag| {
                    let tag =
                        if self.draft == 0 { json!({ "enum": [tag] }) } else { json!({ "const": tag }) };
                    let mut branch = json!({ "type": "object", "required": ["kind"] });
                    branch["properties"] = json!({ "kind": tag, "a": self.inner(depth) });
                    branch
                })
                .collect();
            schema.insert(self.pick(&["oneOf", "anyOf"]).to_owned(), branches.into());
        }
        if self.one_in(16) {
            schema.insert("not".to_owned(), self.schema(depth));
        }
        if self.one_in(16) {
            for name in ["if", "then", "else"] {
                if !self.one_in(4) {
                    schema.insert(name.to_owned(), self.schema(depth));
                }
            }
        }
        if self.one_in(20) {
            schema.insert("default".to_owned(), self.constant());
        }
    }
}

/// Values no two of which a validator takes for the same.
fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for value in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}
