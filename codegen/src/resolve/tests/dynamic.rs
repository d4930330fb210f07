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
fn a_dynamic_reference_with_two_targets_leads_to_where_the_reader_comes_from() {
    let strict = json!({
        "$id": "https://example.test/strict", "$dynamicAnchor": "node",
        "$ref": "tree", "unevaluatedProperties": false
    });
    let graph = graph(&[("a.json", tree()), ("b.json", strict)]);
    let child = |tree: &Schema| {
        let child = graph.property(tree, "child").references[0];
        graph.schema(child).place.to_string()
    };
    assert_eq!(child(graph.root("a.json")), "a.json:1:1 (#)");
    let seen_from_b = graph.schema(graph.root("b.json").references[0]);
    assert_eq!(seen_from_b.place.file, "a.json");
    assert_eq!(child(seen_from_b), "b.json:1:1 (#)");
}

#[test]
fn too_many_targets_are_refused() {
    // Each anchor has two homes, and every way through them is a scope of its own.
    let mut files = Vec::new();
    for level in 0..8 {
        for side in ["l", "r"] {
            let next: Vec<Value> = if level < 7 {
                ["l", "r"].iter().map(|side| json!({"$ref": format!("{side}{}.json", level + 1)})).collect()
            } else {
                (0..8).map(|anchor| json!({"$dynamicRef": format!("l{anchor}.json#a{anchor}")})).collect()
            };
            let schema = json!({"$dynamicAnchor": format!("a{level}"), "properties": {"p": {"anyOf": next}}});
            files.push((format!("{side}{level}.json"), schema));
        }
    }
    let files: Vec<(&str, Value)> =
        files.iter().map(|(path, schema)| (path.as_str(), schema.clone())).collect();
    let found = problems(&files);
    assert!(found[0].ends_with("`$dynamicRef` makes more than 64 schemas of it; use `$ref`"), "{found:?}");
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
    let found = problems_of(json!({"$schema": DRAFT_2019, "not": {"$recursiveRef": "#/x"}}));
    assert_eq!(found, ["#/not/$recursiveRef: the value of `$recursiveRef` is always \"#\""]);
}
