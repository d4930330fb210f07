use super::*;
use crate::graph::JsonType;

#[test]
fn every_spelling_of_a_dialect_is_known() {
    for schema in [DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020] {
        let bare = schema.trim_end_matches('#');
        let http = bare.replace("https:", "http:");
        let https = http.replace("http:", "https:");
        for spelling in
            [bare.to_owned(), http.clone(), https.clone(), format!("{http}#"), format!("{https}#")]
        {
            graph(&[("a.json", json!({"$schema": spelling, "type": "null"}))]);
        }
    }
    for unknown in [json!("http://json-schema.org/draft-03/schema#"), json!("draft-07"), json!(7)] {
        let found = problems_of(json!({"$schema": unknown}));
        assert_eq!(
            found,
            [format!(
                "#/$schema: {unknown} is not a dialect that is supported; these are: draft-04, draft-06, draft-07, 2019-09 and 2020-12"
            )]
        );
    }
}

#[test]
fn without_a_dialect_a_file_has_that_of_who_refers_to_it() {
    let inner = json!({
        "definitions": {"x": {"$ref": "#/definitions/y", "type": "null"}, "y": {}}, "prefixItems": [true]
    });
    let graph = graph(&[
        ("a-first.json", json!({"allOf": [{"$ref": "b.json"}]})),
        ("a.json", json!({"$schema": DRAFT_7, "properties": {"p": {"$ref": "b.json#/definitions/x"}}})),
        ("b.json", inner.clone()),
        ("c.json", inner),
    ]);
    // In draft-07 what stands beside a reference is void, in 2020-12 it is not.
    let types = |file: usize| &graph.schema(graph.files[file].definitions[0].1).types;
    assert_eq!(graph.files[2].path, "b.json");
    assert_eq!(types(2), &None);
    assert_eq!(types(3), &Some(vec![JsonType::Null]));
}

#[test]
fn without_a_dialect_the_keywords_tell() {
    // By what stands beside a reference, and by what is an integer: (2019-09 on, draft-04).
    for (sign, newer, draft_4) in [
        (json!({}), false, false),
        (json!({"dependencies": {"a": ["b"]}}), false, false),
        (json!({"items": [{"id": 5}]}), false, false),
        (json!({"enum": [{"$defs": {}}]}), false, false),
        (json!({"properties": {"$defs": {}, "id": {}}}), false, false),
        (json!({"properties": {"a": {"prefixItems": [{}]}}}), true, false),
        (json!({"items": [{}], "unevaluatedItems": false}), true, false),
        (json!({"id": "https://example.test/a"}), false, true),
        (json!({"properties": {"a": {"minimum": 1, "exclusiveMinimum": true}}}), false, true),
    ] {
        let graph = graph(&[(
            "a.json",
            json!({"allOf": [sign, {"$ref": "#/definitions/x", "type": "null"}], "definitions": {"x": {}}}),
        )]);
        let beside = graph.schema(graph.root("a.json").all_of[1]);
        assert_eq!(beside.types.is_some(), newer, "{sign}");
        assert_eq!(beside.floats_are_not_integers, draft_4, "{sign}");
    }
}

#[test]
fn without_a_dialect_a_file_can_not_have_two() {
    let found = problems(&[
        ("a.json", json!({"$schema": DRAFT_7, "$ref": "c.json"})),
        ("b.json", json!({"$schema": DRAFT_2020, "$ref": "c.json"})),
        ("c.json", json!({"type": "null"})),
    ]);
    assert_eq!(
        found,
        ["b.json #/$ref: c.json says no `$schema`, and files of different dialects refer to it; give it one"]
    );
}

#[test]
fn an_embedded_resource_may_have_a_dialect_of_its_own() {
    let graph = graph(&[(
        "a.json",
        json!({
            "$schema": DRAFT_2020,
            "properties": {
                "old": {
                    "$schema": DRAFT_7, "$id": "old",
                    "properties": {"p": {"$ref": "#/properties/q", "type": "null"}, "q": {}}
                },
                "older": {"$schema": DRAFT_4, "id": "older", "minimum": 1, "exclusiveMinimum": true},
                "same": {"$schema": DRAFT_4, "$ref": "#/properties/old", "type": "null"}
            }
        }),
    )]);
    let root = graph.root("a.json");
    let old = graph.property(root, "old");
    assert_eq!(graph.property(old, "p").types, None);
    let older = graph.property(root, "older");
    assert_eq!((older.minimum.is_some(), older.exclusive_minimum.is_some()), (false, true));
    // Without an id there is no resource, so `$schema` says nothing there.
    assert_eq!(graph.property(root, "same").types, Some(vec![JsonType::Null]));
}

#[test]
fn an_embedded_resource_of_an_unknown_dialect_is_refused() {
    let found = problems_of(json!({"not": {"$schema": "https://example.test/mine", "$id": "x"}}));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("#/not/$schema: \"https://example.test/mine\" is not a dialect"));
}

#[test]
fn draft_4_has_its_own_forms() {
    let graph = graph(&[(
        "a.json",
        json!({
            "$schema": DRAFT_4, "id": "https://example.test/a",
            "properties": {
                "self": {"$ref": "https://example.test/a#/definitions/x"},
                "id": {"type": "string"},
                "bounds": {"minimum": 1, "exclusiveMinimum": true, "maximum": 5, "exclusiveMaximum": false},
                "closed": {"additionalProperties": false, "items": [{}], "additionalItems": false},
                "unknown": {"const": 1, "contains": 5, "propertyNames": 5, "if": 5, "$id": 5}
            },
            "definitions": {"x": {"type": "integer"}}
        }),
    )]);
    let root = graph.root("a.json");
    assert_eq!(graph.target("self"), "a.json#/definitions/x");
    let bounds = graph.property(root, "bounds");
    assert_eq!(bounds.minimum.as_ref().map(ToString::to_string), None);
    assert_eq!(bounds.exclusive_minimum.as_ref().map(ToString::to_string).as_deref(), Some("1"));
    assert_eq!(bounds.maximum.as_ref().map(ToString::to_string).as_deref(), Some("5"));
    assert!(bounds.exclusive_maximum.is_none());
    let closed = graph.property(root, "closed");
    assert_eq!(graph.schema(closed.additional_properties.expect("it is there")).boolean, Some(false));
    assert_eq!(graph.schema(closed.items.expect("it is there")).boolean, Some(false));
    let unknown = graph.property(root, "unknown");
    assert!(unknown.constants.is_none() && unknown.contains.is_none() && unknown.condition.is_none());
    assert!(
        graph
            .schemas
            .iter()
            .filter(|schema| schema.boolean.is_none())
            .all(|schema| schema.floats_are_not_integers)
    );
    let found = problems_of(json!({"$schema": DRAFT_4, "not": true}));
    assert_eq!(found, ["#/not: a schema of draft-04 is an object, not a boolean"]);
}

#[test]
fn keywords_that_a_dialect_does_not_have_say_nothing() {
    let wrong = json!({
        "if": 5, "dependentRequired": 5, "dependentSchemas": 5, "unevaluatedItems": 5, "unevaluatedProperties": 5,
        "prefixItems": 5, "$dynamicRef": 5, "$recursiveRef": 5, "$anchor": 5, "minContains": "x", "nullable": 5
    });
    let mut schema = wrong.clone();
    schema["$schema"] = json!(DRAFT_6);
    graph(&[("a.json", schema)]);
    let schema = json!({"$schema": DRAFT_2020, "additionalItems": 5, "$recursiveRef": 5, "id": 5});
    graph(&[("a.json", schema)]);
    let schema = json!({"$schema": DRAFT_2019, "prefixItems": 5, "$dynamicRef": 5});
    graph(&[("a.json", schema)]);
}

#[test]
fn items_have_one_form() {
    let items = json!({"items": [{"type": "null"}, {}], "additionalItems": {"type": "string"}});
    for dialect in [DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019] {
        let mut schema = items.clone();
        schema["$schema"] = json!(dialect);
        let graph = graph(&[("a.json", schema)]);
        let root = graph.root("a.json");
        assert_eq!(root.prefix_items.len(), 2, "{dialect}");
        assert_eq!(graph.schema(root.items.expect("it is there")).pointer, "/additionalItems");
    }
    let graph = graph(&[
        ("a.json", json!({"$schema": DRAFT_7, "items": {}, "additionalItems": {"type": "strng"}})),
        ("b.json", json!({"$schema": DRAFT_7, "additionalItems": false})),
        ("c.json", json!({"prefixItems": [{}], "items": false})),
    ]);
    assert_eq!(graph.schema(graph.root("a.json").items.expect("it is there")).pointer, "/items");
    assert!(graph.root("b.json").items.is_none());
    assert_eq!(graph.root("c.json").prefix_items.len(), 1);
    assert_eq!(graph.schema(graph.root("c.json").items.expect("it is there")).boolean, Some(false));
    let mut items = items;
    items["$schema"] = json!(DRAFT_2020);
    assert_eq!(
        problems_of(items),
        ["#/items: `items` is a schema (an array of them is `prefixItems` in 2020-12), not an array"]
    );
}

#[test]
fn dependencies_are_split() {
    let graph = graph(&[
        (
            "a.json",
            json!({"$schema": DRAFT_7, "dependencies": {"x": ["y", "z", "y"], "w": {"required": ["x"]}}}),
        ),
        (
            "b.json",
            json!({
                "dependencies": {"x": ["y"], "w": {}},
                "dependentRequired": {"x": ["z"]}, "dependentSchemas": {"w": false}
            }),
        ),
    ]);
    let root = graph.root("a.json");
    assert_eq!(root.dependent_required, [("x".to_owned(), vec!["y".to_owned(), "z".to_owned()])]);
    assert_eq!(root.dependent_schemas[0].0, "w");
    assert_eq!(graph.schema(root.dependent_schemas[0].1).required, ["x"]);
    assert_eq!(graph.root("b.json").dependent_required.len(), 2);
    assert_eq!(graph.root("b.json").dependent_schemas.len(), 2);
}
