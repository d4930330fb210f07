use super::*;

#[test]
fn every_mistake_is_named_in_one_run() {
    let found = problems_of(json!({
        "properties": {
            "a": {"type": "strng"},
            "b": {"type": ["string", "nul", 5]},
            "c": {"type": 5},
            "d": {"$ref": "#/nowhere"},
            "e": 5
        },
        "required": ["a", 5]
    }));
    assert_eq!(
        found,
        [
            "#/properties/a/type: \"strng\" is not a type; expected one of array, boolean, integer, null, number, object, string",
            "#/properties/b/type/1: \"nul\" is not a type; expected one of array, boolean, integer, null, number, object, string",
            "#/properties/b/type/2: the name of a type is a string, not a number",
            "#/properties/c/type: `type` is a string or an array of strings, not a number",
            "#/properties/d/$ref: `$ref` leads to \"#/nowhere\", which does not exist",
            "#/properties/e: a schema is an object or a boolean, not a number",
            "#/required/1: the name of a member is a string, not a number",
        ]
    );
}

#[test]
fn a_problem_has_its_place_and_its_line() {
    let documents = documents(&[("a.json", json!({"properties": {"a": {"type": "strng"}}}))]);
    let problems = graph_with(&documents, &[]).expect_err("it is no type");
    assert_eq!(
        problems.to_string(),
        "a.json:4:15 (#/properties/a/type): \"strng\" is not a type; expected one of array, boolean, integer, \
         null, number, object, string\n 4 |       \"type\": \"strng\"\n   |               ^"
    );
}

#[test]
fn a_value_of_the_wrong_type_is_refused() {
    for (keyword, value, expected) in [
        ("title", json!(1), "`title` is a string, not a number"),
        ("description", json!([]), "`description` is a string, not an array"),
        ("deprecated", json!("yes"), "`deprecated` is a boolean, not a string"),
        ("enum", json!("a"), "`enum` is an array of values, not a string"),
        ("minimum", json!("1"), "`minimum` is a number, not a string"),
        ("exclusiveMinimum", json!(true), "`exclusiveMinimum` is a number, not a boolean"),
        ("minLength", json!("1"), "`minLength` is a whole number, not a string"),
        ("minLength", json!(-1), "`minLength` is not negative: -1"),
        ("maxItems", json!(1.5), "`maxItems` is a whole number, not 1.5"),
        ("multipleOf", json!(0), "`multipleOf` is greater than 0, not 0"),
        ("multipleOf", json!(-0.5), "`multipleOf` is greater than 0, not -0.5"),
        ("pattern", json!(1), "`pattern` is a string, not a number"),
        ("format", json!(1), "`format` is a string, not a number"),
        ("uniqueItems", json!(1), "`uniqueItems` is a boolean, not a number"),
        ("properties", json!([]), "`properties` is an object, not an array"),
        ("patternProperties", json!(1), "`patternProperties` is an object, not a number"),
        ("required", json!(true), "`required` is an array of strings, not a boolean"),
        ("dependentRequired", json!([]), "`dependentRequired` is an object, not an array"),
        ("allOf", json!({}), "`allOf` is an array of schemas, not an object"),
        ("anyOf", json!([]), "`anyOf` has at least one schema"),
        ("not", json!([]), "a schema is an object or a boolean, not an array"),
        ("type", json!([]), "`type` names at least one type"),
        ("$defs", json!([]), "`$defs` is an object of schemas, not an array"),
        ("$id", json!(1), "`$id` is a string, not a number"),
        ("$id", json!("a#b"), "`$id` has no fragment from 2019-09 on; use `$anchor`"),
        ("$id", json!("http://[x"), "\"http://[x\" is no URI that can be resolved from here"),
        ("$anchor", json!(1), "`$anchor` is a string, not a number"),
        ("$ref", json!({}), "`$ref` is a string, not an object"),
    ] {
        let schema = json!({"$schema": DRAFT_2020, keyword: value});
        assert_eq!(problems_of(schema), [format!("#/{keyword}: {expected}")], "{keyword}");
    }
    assert_eq!(problems_of(json!([])), ["#: a schema is an object or a boolean, not an array"]);
}

#[test]
fn a_reference_without_target_names_it() {
    for (target, expected) in [
        ("#/a/b", "which does not exist"),
        ("#/type", "which is a string, not a schema"),
        ("#/enum/9", "which does not exist"),
        ("#%zz", "which has a broken percent escape"),
        ("#name", "but no schema there has that anchor"),
        ("b.json", "but no file is there, and no schema has that id"),
        ("urn:example:x", "but no file is there, and no schema has that id"),
        ("http://[x", "which is no URI that can be resolved from here"),
        (
            "http://json-schema.org/draft-07/schema#",
            "a metaschema, which is not among the files; add its file, or state the rule in words",
        ),
    ] {
        let found = problems_of(json!({"type": "object", "enum": [{}], "not": {"$ref": target}}));
        assert_eq!(found, [format!("#/not/$ref: `$ref` leads to \"{target}\", {expected}")]);
    }
    let found = problems_of(json!({"$id": "https://example.test/s/a", "not": {"$ref": "b"}}));
    assert_eq!(
        found,
        [
            "#/not/$ref: `$ref` leads to \"b\", but no file is there, and no schema has the id \"https://example.test/s/b\""
        ]
    );
}

#[test]
fn a_circle_of_references_is_named() {
    let found = problems_of(json!({
        "$schema": DRAFT_7, "$ref": "#/definitions/a",
        "definitions": {"a": {"$ref": "#/definitions/b"}, "b": {"$ref": "#/definitions/a"}, "c": {"$ref": "#/definitions/c"}}
    }));
    assert_eq!(
        found,
        [
            "#/definitions/a: the references only lead in a circle: #/definitions/a → #/definitions/b → #/definitions/a",
            "#/definitions/c: the references only lead in a circle: #/definitions/c → #/definitions/c",
        ]
    );
    let found = problems_of(json!({"anyOf": [{"type": "null"}, {"$ref": "#"}]}));
    assert_eq!(found, ["#: the schema applies itself to the same value: # → #/anyOf/1 → #"]);
    let across = problems(&[("a.json", json!({"$ref": "b.json"})), ("b.json", json!({"$ref": "a.json"}))]);
    assert_eq!(across, ["a.json #: the references only lead in a circle: # → b.json# → #"]);
}

#[test]
fn a_long_circle_is_cut_short() {
    let links: serde_json::Map<String, Value> = (0..1000)
        .map(|link| (format!("l{link}"), json!({"$ref": format!("#/$defs/l{}", (link + 1) % 1000)})))
        .collect();
    let found = problems_of(json!({"$defs": links}));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("/l5 → (994 more) → #/$defs/l0"), "{}", found[0]);
}

#[test]
fn a_file_of_an_unknown_dialect_is_one_problem_only() {
    let found = problems(&[
        ("a.json", json!({"$ref": "b.json#/$defs/x"})),
        ("b.json", json!({"$schema": "https://example.test/mine", "$defs": {"x": {"type": "strng"}}})),
    ]);
    assert_eq!(found.len(), 1);
}

#[test]
fn four_thousand_definitions_are_no_trouble() {
    let definitions: serde_json::Map<String, Value> = (0..4000)
        .map(|number| {
            let next = format!("#/$defs/t{}", (number * 7 + 1) % 4000);
            (format!("t{number}"), json!({"properties": {"next": {"$ref": next}}}))
        })
        .collect();
    let graph = graph(&[("a.json", json!({"$defs": definitions}))]);
    assert_eq!(graph.schemas.len(), 8000);
}
