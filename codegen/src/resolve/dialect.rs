//! What the drafts of JSON Schema have in common, and where they differ.

use crate::json::{Json, Member, Node};
use crate::near;
use std::collections::HashSet;

/// A draft of JSON Schema. A later one is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Dialect {
    Draft4,
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
}

/// What a keyword's value has in the way of schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    /// One schema.
    Schema,
    /// An array of schemas.
    List,
    /// An object whose members are schemas.
    Map,
    /// A schema or an array of schemas.
    SchemaOrList,
}

impl Dialect {
    /// The dialect that a value of `$schema` names.
    pub(super) fn from_uri(uri: &str) -> Option<Self> {
        let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
        let name = rest.strip_prefix("json-schema.org/")?;
        match name.trim_end_matches('#') {
            "draft-04/schema" => Some(Self::Draft4),
            "draft-06/schema" => Some(Self::Draft6),
            "draft-07/schema" => Some(Self::Draft7),
            "draft/2019-09/schema" => Some(Self::Draft2019),
            "draft/2020-12/schema" => Some(Self::Draft2020),
            _ => None,
        }
    }

    /// What to say of a value of `$schema` that names none.
    pub(super) fn unknown(named: &Node) -> String {
        const NAMES: &str = "draft-04, draft-06, draft-07, 2019-09 and 2020-12";
        format!("{named} is not a dialect that is supported; these are: {NAMES}")
    }

    /// The dialect of a schema that names none, by the keywords that only some dialects have. Where
    /// nothing tells it is draft-07, which most such schemas are written for.
    pub(super) fn guess(root: &Node) -> Self {
        const NEWER: &[&str] = &[
            "$anchor",
            "$defs",
            "$dynamicAnchor",
            "$dynamicRef",
            "dependentRequired",
            "dependentSchemas",
            "maxContains",
            "minContains",
            "prefixItems",
            "unevaluatedItems",
            "unevaluatedProperties",
        ];
        let (mut newer, mut recursive, mut items_list, mut draft4) = (false, false, false, false);
        let mut seen = HashSet::new();
        let mut waiting = vec![root];
        while let Some(schema) = waiting.pop() {
            for Member { name, node, .. } in schema.members() {
                let name = name.as_str();
                newer |= NEWER.contains(&name);
                recursive |= name == "$recursiveRef" || name == "$recursiveAnchor";
                items_list |= name == "items" && matches!(node.value, Json::Array(_));
                let is_bound = name == "exclusiveMinimum" || name == "exclusiveMaximum";
                draft4 |= is_bound && matches!(node.value, Json::Bool(_));
                draft4 |= name == "id" && node.as_str().is_some() && schema.get("$id").is_none();
            }
            for dialect in [Self::Draft7, Self::Draft2019, Self::Draft2020] {
                let inside = dialect.subschemas(schema).into_iter().map(|(node, _)| node);
                waiting.extend(inside.filter(|node| seen.insert(std::ptr::from_ref(*node))));
            }
        }
        match (newer, recursive || items_list, draft4) {
            (true, false, _) => Self::Draft2020,
            (true, true, _) | (false, _, false) if newer || recursive => Self::Draft2019,
            (_, _, true) => Self::Draft4,
            _ => Self::Draft7,
        }
    }

    /// The keyword that names a schema.
    pub(super) fn id(self) -> &'static str {
        if self == Self::Draft4 { "id" } else { "$id" }
    }

    /// Whether `$ref` makes everything beside it void.
    pub(super) fn reference_stands_alone(self) -> bool {
        self <= Self::Draft7
    }

    /// Whether `schema` is a reference that makes everything beside it void.
    pub(super) fn is_lone_reference(self, schema: &Node) -> bool {
        self.reference_stands_alone() && schema.get("$ref").is_some()
    }

    /// Whether the dialect has the keyword as one that a value must pass.
    pub(super) fn asserts(self, keyword: &str) -> bool {
        match keyword {
            "$ref"
            | "type"
            | "enum"
            | "multipleOf"
            | "minimum"
            | "maximum"
            | "exclusiveMinimum"
            | "exclusiveMaximum"
            | "minLength"
            | "maxLength"
            | "pattern"
            | "format"
            | "items"
            | "minItems"
            | "maxItems"
            | "uniqueItems"
            | "properties"
            | "patternProperties"
            | "additionalProperties"
            | "required"
            | "minProperties"
            | "maxProperties"
            | "allOf"
            | "anyOf"
            | "oneOf"
            | "not" => true,
            // Split in 2019-09, whose metaschema still has it, as has the next; validators honour it.
            "dependencies" => true,
            "const" | "contains" | "propertyNames" => self >= Self::Draft6,
            "if" | "then" | "else" => self >= Self::Draft7,
            "additionalItems" => self <= Self::Draft2019,
            "dependentRequired"
            | "dependentSchemas"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "minContains"
            | "maxContains" => self >= Self::Draft2019,
            "$recursiveRef" => self == Self::Draft2019,
            "prefixItems" | "$dynamicRef" => self == Self::Draft2020,
            _ => false,
        }
    }

    /// The schemas right inside a schema, each with its pointer from there (`/allOf/0`), in order.
    /// What stands where a schema should but is none is left out.
    pub(super) fn subschemas(self, schema: &Node) -> Vec<(&Node, String)> {
        let mut found = Vec::new();
        for member in schema.members() {
            let Some(holds) = self.holds(&member.name) else { continue };
            let name = crate::json::escape(&member.name);
            match (&member.node.value, holds) {
                (Json::Object(_) | Json::Bool(_), Holds::Schema | Holds::SchemaOrList) => {
                    found.push((&member.node, format!("/{name}")));
                }
                (Json::Array(items), Holds::List | Holds::SchemaOrList) => {
                    let items = items.iter().enumerate().filter(|(_, item)| is_schema(item));
                    found.extend(items.map(|(index, item)| (item, format!("/{name}/{index}"))));
                }
                (Json::Object(members), Holds::Map) => {
                    let members = members.iter().filter(|inner| is_schema(&inner.node));
                    found.extend(
                        members.map(|inner| {
                            (&inner.node, format!("/{name}/{}", crate::json::escape(&inner.name)))
                        }),
                    );
                }
                _ => {}
            }
        }
        found
    }

    fn holds(self, keyword: &str) -> Option<Holds> {
        let holds = match keyword {
            // Both are in use with every draft, and where a draft does not know one, no harm is done
            // in looking.
            "definitions" | "$defs" => return Some(Holds::Map),
            "contentSchema" => return (self >= Self::Draft2019).then_some(Holds::Schema),
            "additionalItems"
            | "additionalProperties"
            | "contains"
            | "else"
            | "if"
            | "not"
            | "propertyNames"
            | "then"
            | "unevaluatedItems"
            | "unevaluatedProperties" => Holds::Schema,
            "items" if self == Self::Draft2020 => Holds::Schema,
            "items" => Holds::SchemaOrList,
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => Holds::List,
            // An array of names in `dependencies` holds no schema, and is left out as none.
            "dependencies" | "dependentSchemas" | "patternProperties" | "properties" => Holds::Map,
            _ => return None,
        };
        self.asserts(keyword).then_some(holds)
    }
}

/// The keywords of any draft whose loss changes what a schema accepts or how it is found or shown.
const KEYWORDS: &[&str] = &[
    "$anchor",
    "$defs",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "$ref",
    "$schema",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contains",
    "default",
    "definitions",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "deprecated",
    "description",
    "else",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "if",
    "items",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyNames",
    "required",
    "then",
    "title",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

/// Words that are near a keyword and are none, or another one: of annotations, and of what others add.
const OTHERS: &[&str] = &[
    "$comment",
    "$vocabulary",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "divisibleBy",
    "example",
    "examples",
    "extends",
    "id",
    "nullable",
    "optional",
    "readOnly",
    "writeOnly",
];

/// The keyword that a member of a schema was meant to be; `None` where it is one, or looks like none.
pub(super) fn misspelt(name: &str) -> Option<&'static str> {
    // Words that their users have marked as their own.
    let is_own = name.starts_with(['_', '/', '@', '#']) || name.starts_with("x-") || name.starts_with("X-");
    if is_own || KEYWORDS.contains(&name) || OTHERS.contains(&name) {
        return None;
    }
    near::nearest(name, KEYWORDS.iter().copied())
}

/// Whether a value has the form of a schema.
pub(super) fn is_schema(node: &Node) -> bool {
    matches!(node.value, Json::Object(_) | Json::Bool(_))
}
