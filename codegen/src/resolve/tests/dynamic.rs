use super::*;

/// A tree whose nodes can be replaced by whoever has a dynamic anchor too.
fn tree() -> Value {
    json!({
        "$id": "https://example.test/tree", "$dynamicAnchor": "node",
        "properties": {"child": {"$dynamicRef": "#node"}}
    })
}

#[test]
fn a_dynamic_reference_with_one_target_is_a_plain_one() {
    let graph = graph(&[("a.json", tree())]);
    assert_eq!(graph.target("child"), "a.json#");
}

#[test]
fn others_with_the_same_anchor_do_not_matter_where_they_do_not_lead() {
    let mut other = tree();
    other["$id"] = json!("https://example.test/other");
    let graph = graph(&[("a.json", tree()), ("b.json", other)]);
    assert_eq!(graph.target("child"), "a.json#");
}

#[test]
fn a_dynamic_reference_with_two_targets_is_refused() {
    let strict = json!({
        "$id": "https://example.test/strict", "$dynamicAnchor": "node",
        "$ref": "tree", "unevaluatedProperties": false
    });
    let found = problems(&[("a.json", tree()), ("b.json", strict)]);
    assert_eq!(
        found,
        [
            "a.json #/properties/child/$dynamicRef: `$dynamicRef` leads elsewhere for who comes from b.json:1:1 (#), \
          which no one type can follow; use `$ref`"
        ]
    );
}

#[test]
fn without_a_dynamic_anchor_it_is_a_plain_reference() {
    let graph = graph(&[
        (
            "a.json",
            json!({"properties": {"p": {"$dynamicRef": "#x"}, "q": {"$dynamicRef": "#/$defs/y"}}, "$defs": {
                "x": {"$anchor": "x"}, "y": {"$dynamicAnchor": "y"}
            }}),
        ),
        (
            "b.json",
            json!({"$dynamicAnchor": "y", "allOf": [{"$ref": "a.json"}], "$defs": {"x": {"$dynamicAnchor": "x"}}}),
        ),
    ]);
    assert_eq!(graph.target("p"), "a.json#/$defs/x");
    assert_eq!(graph.target("q"), "a.json#/$defs/y");
}

#[test]
fn recursive_references_are_those_of_2019() {
    let recursive = |id: &str| {
        json!({
            "$schema": DRAFT_2019, "$id": id, "$recursiveAnchor": true, "properties": {"child": {"$recursiveRef": "#"}}
        })
    };
    let graph = graph(&[("a.json", recursive("https://example.test/a"))]);
    assert_eq!(graph.target("child"), "a.json#");
    let mut outer = recursive("https://example.test/b");
    outer["$ref"] = json!("a");
    let found = problems(&[("a.json", recursive("https://example.test/a")), ("b.json", outer)]);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("a.json #/properties/child/$recursiveRef: `$recursiveRef` leads elsewhere"));
    let found = problems_of(json!({"$schema": DRAFT_2019, "not": {"$recursiveRef": "#/x"}}));
    assert_eq!(found, ["#/not/$recursiveRef: the value of `$recursiveRef` is always \"#\""]);
}
