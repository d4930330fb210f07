use super::*;
use crate::graph::JsonType;

#[test]
fn every_keyword_is_read() {
    let graph = graph(&[(
        "a.json",
        json!({
            "title": "T", "description": "D", "deprecated": true, "default": {"x": 1.50}, "format": "uuid",
            "type": ["string", "null", "string"], "enum": [1, "a"],
            "multipleOf": 0.1, "minimum": 1, "maximum": 2, "exclusiveMinimum": 3, "exclusiveMaximum": 4,
            "minLength": 1, "maxLength": 2.0, "pattern": "^a\\-b$",
            "contains": {}, "minContains": 0, "maxContains": 3, "minItems": 4, "maxItems": 5, "uniqueItems": true,
            "unevaluatedItems": false,
            "patternProperties": {"^x": {}}, "additionalProperties": false, "propertyNames": {},
            "required": ["b", "a", "b"], "minProperties": 6, "maxProperties": 7, "unevaluatedProperties": true,
            "allOf": [{}], "anyOf": [{}, {}], "oneOf": [true], "not": false,
            "if": {}, "then": {}, "else": {}
        }),
    )]);
    let root = graph.root("a.json");
    assert_eq!((root.title.as_deref(), root.description.as_deref()), (Some("T"), Some("D")));
    assert_eq!((root.deprecated, root.format.as_deref()), (true, Some("uuid")));
    assert_eq!(root.default.as_ref().map(ToString::to_string).as_deref(), Some(r#"{"x":1.5}"#));
    assert_eq!(root.types, Some(vec![JsonType::String, JsonType::Null]));
    assert_eq!(root.constants.as_ref().map(Vec::len), Some(2));
    let number =
        |node: &Option<crate::json::Node>| node.as_ref().map(ToString::to_string).unwrap_or_default();
    assert_eq!(number(&root.multiple_of), "0.1");
    assert_eq!((number(&root.minimum), number(&root.maximum)), ("1".to_owned(), "2".to_owned()));
    assert_eq!(number(&root.exclusive_minimum), "3");
    assert_eq!(number(&root.exclusive_maximum), "4");
    assert_eq!((root.min_length, root.max_length), (Some(1), Some(2)));
    assert_eq!(root.pattern.as_deref(), Some("^a\\-b$"));
    assert_eq!((root.contains.is_some(), root.min_contains, root.max_contains), (true, 0, Some(3)));
    assert_eq!((root.min_items, root.max_items, root.unique_items), (Some(4), Some(5), true));
    assert!(root.unevaluated_items.is_some() && root.unevaluated_properties.is_some());
    assert_eq!(root.pattern_properties[0].0, "^x");
    assert!(root.additional_properties.is_some() && root.property_names.is_some());
    assert_eq!(root.required, ["b", "a"]);
    assert_eq!((root.min_properties, root.max_properties), (Some(6), Some(7)));
    assert_eq!(root.all_of.len(), 1);
    assert_eq!(root.any_of.as_ref().map(Vec::len), Some(2));
    assert_eq!(root.one_of.as_ref().map(Vec::len), Some(1));
    assert!(root.not.is_some());
    let condition = root.condition.as_ref().expect("it is there");
    assert!(condition.then.is_some() && condition.otherwise.is_some());
    assert_eq!(root.place.to_string(), "a.json:1:1 (#)");
}

#[test]
fn const_beside_enum_gets_a_schema_of_its_own() {
    let graph = graph(&[("a.json", json!({"const": 1, "enum": [1, 2]})), ("b.json", json!({"const": [1]}))]);
    let root = graph.root("a.json");
    assert!(root.constants.is_none());
    let parts: Vec<(&str, Option<usize>)> = root
        .all_of
        .iter()
        .map(|id| graph.schema(*id))
        .map(|part| (part.pointer.as_str(), part.constants.as_ref().map(Vec::len)))
        .collect();
    assert_eq!(parts, [("/const", Some(1)), ("/enum", Some(2))]);
    assert_eq!(graph.root("b.json").constants.as_ref().map(Vec::len), Some(1));
}

#[test]
fn keywords_that_lack_their_partner_say_nothing() {
    let graph =
        graph(&[("a.json", json!({"then": false, "else": false, "minContains": 5, "maxContains": 2}))]);
    let root = graph.root("a.json");
    assert!(root.condition.is_none());
    assert_eq!((root.min_contains, root.max_contains), (1, None));
    assert_eq!(graph.schemas.len(), 1);
}

#[test]
fn what_is_not_reached_is_not_there() {
    let graph = graph(&[(
        "a.json",
        json!({"$schema": DRAFT_7, "type": "object", "properties": {"p": {"definitions": {"dead": {"type": "null"}}}}}),
    )]);
    assert_eq!(graph.schemas.len(), 2);
}

#[test]
fn a_pattern_is_read_as_the_newest_syntax_and_else_as_the_old_one() {
    graph(&[("a.json", json!({"allOf": [{"pattern": "^\\p{L}+(?<n>a)(?!b)$"}, {"pattern": "^\\-a{,2}$"}]}))]);
    assert_eq!(problems_of(json!({"pattern": "^\\p{Nothing}$"})).len(), 1);
    let found = problems_of(json!({"pattern": "a(", "patternProperties": {"[b": {}}}));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].starts_with("#/pattern: \"a(\" is not an ECMA-262 pattern that can be used: "),
        "{}",
        found[0]
    );
    assert!(
        found[1].starts_with("#/patternProperties/[b: \"[b\" is not an ECMA-262 pattern that can be used: "),
        "{}",
        found[1]
    );
}

#[test]
fn a_pattern_that_the_engine_can_not_hold_is_refused() {
    let found = problems_of(json!({"pattern": "a|".repeat(100_000)}));
    assert_eq!(found.len(), 1);
    assert!(
        found[0].ends_with("…\" is not an ECMA-262 pattern that can be used: more than 1000 alternatives")
    );
}
