use super::*;

#[test]
fn a_pointer_leads_into_its_own_file() {
    let graph = graph(&[(
        "a.json",
        json!({
            "properties": {
                "whole": {"$ref": "#"},
                "property": {"$ref": "#/properties/plain"},
                "item": {"$ref": "#/prefixItems/1"},
                "tilde": {"$ref": "#/$defs/a~1b~0c"},
                "percent": {"$ref": "#/$defs/per%20cent"},
                "space": {"$ref": "#/$defs/per cent"},
                "unknown": {"$ref": "#/x-shapes/round/inner"},
                "boolean": {"$ref": "#/$defs/never"},
                "plain": {"type": "string"}
            },
            "prefixItems": [true, {"type": "null"}],
            "x-shapes": {"round": {"inner": {"type": "object", "properties": {"deep": {"$ref": "#/$defs/never"}}}}},
            "$defs": {"a/b~c": {"type": "array"}, "per cent": {"type": "number"}, "never": false}
        }),
    )]);
    for (property, expected) in [
        ("whole", "a.json#"),
        ("property", "a.json#/properties/plain"),
        ("item", "a.json#/prefixItems/1"),
        ("tilde", "a.json#/$defs/a~1b~0c"),
        ("percent", "a.json#/$defs/per cent"),
        ("space", "a.json#/$defs/per cent"),
        ("unknown", "a.json#/x-shapes/round/inner"),
        ("boolean", "a.json#/$defs/never"),
    ] {
        assert_eq!(graph.target(property), expected, "{property}");
    }
    let unknown = graph.property(graph.root("a.json"), "unknown");
    let inner = graph.property(graph.schema(unknown.references[0]), "deep");
    assert_eq!(graph.schema(inner.references[0]).boolean, Some(false));
}

#[test]
fn a_circle_through_members_is_fine_and_each_schema_is_there_once() {
    let graph = graph(&[(
        "a.json",
        json!({"type": "object", "properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}}),
    )]);
    assert_eq!(graph.schemas.len(), 3);
    assert_eq!(graph.target("left"), "a.json#");
}

#[test]
fn a_path_leads_to_another_file_from_where_the_file_lies() {
    let graph = graph(&[
        (
            "in/a.json",
            json!({"allOf": [
                {"$ref": "b.json"},
                {"$ref": "./more/../b.json#/$defs/x"},
                {"$ref": "../c%20c.json"},
                {"$ref": "/in/b.json"}
            ]}),
        ),
        ("in/b.json", json!({"type": "object", "$defs": {"x": {"type": "string"}}})),
        ("c c.json", json!({"title": "C"})),
    ]);
    let targets: Vec<String> = graph
        .root("in/a.json")
        .all_of
        .iter()
        .map(|branch| {
            let target = graph.schema(graph.schema(*branch).references[0]);
            format!("{}{}", target.place.file, target.place.pointer)
        })
        .collect();
    assert_eq!(targets, ["in/b.json#", "in/b.json#/$defs/x", "c c.json#", "in/b.json#"]);
}

#[test]
fn a_path_out_of_the_folder_leads_nowhere() {
    let found = problems(&[("a.json", json!({"$ref": "../b.json"})), ("b.json", json!({"type": "null"}))]);
    assert_eq!(
        found,
        ["a.json #/$ref: `$ref` leads to \"../b.json\", which is no URI that can be resolved from here"]
    );
}

#[test]
fn ids_are_bases_at_the_root_and_inside() {
    let graph = graph(&[
        (
            "a.json",
            json!({
                "$id": "https://example.test/tree/a",
                "properties": {
                    "absolute": {"$ref": "https://example.test/tree/a#/$defs/leaf"},
                    "host": {"$ref": "HTTPS://EXAMPLE.test/tree/./a#/$defs/leaf"},
                    "relative": {"$ref": "twig"},
                    "inside": {"$ref": "branch/bud"},
                    "urn": {"$ref": "urn:example:stone"},
                    "urn-part": {"$ref": "urn:example:stone#/$defs/x"},
                    "through": {"$ref": "#/$defs/branch/properties/near"},
                    "file": {"$ref": "b.json"}
                },
                "$defs": {
                    "leaf": {"type": "string"},
                    "twig": {"$id": "twig", "type": "number"},
                    "branch": {
                        "$id": "branch/",
                        "properties": {"near": {"$ref": "bud"}},
                        "$defs": {"bud": {"$id": "bud", "type": "null"}}
                    },
                    "stone": {"$id": "urn:example:stone", "$defs": {"x": {"$ref": "#/$defs/y"}, "y": true}}
                }
            }),
        ),
        ("b.json", json!({"type": "boolean"})),
    ]);
    for (property, expected) in [
        ("absolute", "a.json#/$defs/leaf"),
        ("host", "a.json#/$defs/leaf"),
        ("relative", "a.json#/$defs/twig"),
        ("inside", "a.json#/$defs/branch/$defs/bud"),
        ("urn", "a.json#/$defs/stone"),
        ("urn-part", "a.json#/$defs/stone/$defs/x"),
        ("through", "a.json#/$defs/branch/properties/near"),
        ("file", "b.json#"),
    ] {
        assert_eq!(graph.target(property), expected, "{property}");
    }
    let through = graph.property(graph.root("a.json"), "through");
    let near = graph.schema(through.references[0]);
    assert_eq!(graph.schema(near.references[0]).pointer, "/$defs/branch/$defs/bud");
}

#[test]
fn an_id_goes_before_a_path() {
    let graph = graph(&[
        (
            "a.json",
            json!({"$id": "https://example.test/s/a", "properties": {"p": {"$ref": "b.json"}, "q": {"$ref": "c.json"}}}),
        ),
        ("b.json", json!({"$id": "https://example.test/other", "title": "lies beside"})),
        ("c.json", json!({"title": "lies beside"})),
        ("far/x.json", json!({"$id": "https://example.test/s/b.json"})),
    ]);
    assert_eq!(graph.target("p"), "far/x.json#");
    assert_eq!(graph.target("q"), "c.json#");
}

#[test]
fn plain_names_are_anchors() {
    let old = graph(&[
        (
            "a.json",
            json!({
                "$schema": DRAFT_7,
                "properties": {"p": {"$ref": "#point"}, "q": {"$ref": "b.json#other"}},
                "definitions": {"x": {"$id": "#point", "type": "null"}}
            }),
        ),
        ("b.json", json!({"definitions": {"y": {"$id": "#other", "type": "null"}}})),
    ]);
    assert_eq!(old.target("p"), "a.json#/definitions/x");
    assert_eq!(old.target("q"), "b.json#/definitions/y");
    let new = graph(&[(
        "a.json",
        json!({
            "properties": {"p": {"$ref": "#point"}, "q": {"$ref": "inner#point"}, "r": {"$ref": "#dynamic"}},
            "$defs": {
                "x": {"$anchor": "point"},
                "y": {"$id": "inner", "$defs": {"z": {"$anchor": "point"}}},
                "d": {"$dynamicAnchor": "dynamic"}
            }
        }),
    )]);
    assert_eq!(new.target("p"), "a.json#/$defs/x");
    assert_eq!(new.target("q"), "a.json#/$defs/y/$defs/z");
    assert_eq!(new.target("r"), "a.json#/$defs/d");
}

#[test]
fn what_is_no_schema_has_no_names_and_no_references() {
    let decoy = json!({"$id": "https://example.test/decoy", "$anchor": "decoy", "$ref": "#/nowhere", "type": "strng"});
    let graph = graph(&[(
        "a.json",
        json!({
            "const": decoy, "enum": [decoy], "default": decoy, "examples": [decoy], "x-unknown": {"inner": decoy},
            "properties": {"$ref": {"type": "string"}, "$id": {"type": "string"}}
        }),
    )]);
    assert_eq!(graph.schemas.len(), 5);
    let found = problems_of(json!({
        "x-unknown": {"$id": "https://example.test/decoy", "$anchor": "decoy"},
        "allOf": [{"$ref": "https://example.test/decoy"}, {"$ref": "#decoy"}, {"$ref": "#/x-unknown"}]
    }));
    assert_eq!(
        found,
        [
            "#/allOf/0/$ref: `$ref` leads to \"https://example.test/decoy\", but no file is there, and no schema has that id",
            "#/allOf/1/$ref: `$ref` leads to \"#decoy\", but no schema there has that anchor",
        ]
    );
}

#[test]
fn before_2019_a_reference_voids_its_neighbours() {
    let graph = graph(&[
        (
            "in/a.json",
            json!({
                "$schema": DRAFT_7, "$id": "https://example.test/elsewhere/a",
                "title": "T", "description": "D", "type": "strng", "$ref": "../b.json#/definitions/x"
            }),
        ),
        ("b.json", json!({"$schema": DRAFT_7, "definitions": {"x": {"type": "null"}}})),
        ("c.json", json!({"$schema": DRAFT_7, "allOf": [{"$ref": "https://example.test/elsewhere/a"}]})),
    ]);
    let root = graph.root("in/a.json");
    assert_eq!(
        (root.title.as_deref(), root.description.as_deref(), &root.types),
        (Some("T"), Some("D"), &None)
    );
    assert_eq!(graph.schema(root.references[0]).place.file, "b.json");
}

#[test]
fn the_definitions_beside_a_reference_at_the_root_are_listed() {
    let graph = graph(&[(
        "a.json",
        json!({"$schema": DRAFT_7, "$ref": "#/definitions/x", "definitions": {"x": {"type": "null"}, "y": true}}),
    )]);
    let names: Vec<&str> = graph.files[0].definitions.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["x", "y"]);
    assert_eq!(graph.files[0].definitions[0].1, graph.root("a.json").references[0]);
}

#[test]
fn a_file_of_definitions_has_no_root() {
    let graph = graph(&[("a.json", json!({"title": "T", "$defs": {"x": true}})), ("b.json", json!({}))]);
    assert_eq!(graph.files[0].root, None);
    assert_eq!(graph.schemas.len(), 2);
    assert!(graph.files[1].root.is_some());
}

#[test]
fn urls_are_mapped_to_folders() {
    let documents = documents(&[
        ("a.json", json!({"properties": {"p": {"$ref": "https://example.test/s/in/b.json#/$defs/x"}}})),
        ("web/in/b.json", json!({"$defs": {"x": {"$ref": "../c.json"}}})),
        ("web/c.json", json!({"type": "null"})),
    ]);
    for prefix in ["https://example.test/s", "https://example.test/s/"] {
        let mapping = Mapping { prefix: prefix.to_owned(), folder: "web".to_owned() };
        assert_eq!(mapped(&documents, &[mapping]).target("p"), "web/in/b.json#/$defs/x");
    }
}

#[test]
fn of_files_on_demand_only_what_is_referred_to_is_there() {
    let mut documents = documents(&[
        ("a.json", json!({"properties": {"p": {"$ref": "b.json#/$defs/x"}}})),
        ("b.json", json!({"type": "object", "$defs": {"w": true, "x": {"type": "null"}}})),
        ("c.json", json!({"type": "strng"})),
    ]);
    documents[1].on_demand = true;
    documents[2].on_demand = true;
    let graph = mapped(&documents, &[]);
    let paths: Vec<&str> = graph.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["a.json", "b.json"]);
    assert_eq!((graph.files[1].root, graph.files[1].definitions.len()), (None, 1));
}

#[test]
fn copies_may_share_an_id_and_others_may_not() {
    let copy = json!({"$id": "https://example.test/x", "type": "null"});
    let other = json!({"$id": "https://example.test/x", "type": "string"});
    graph(&[("a.json", copy.clone()), ("b.json", json!({"$defs": {"x": copy}}))]);
    let found = problems(&[("a.json", copy), ("b.json", other)]);
    assert_eq!(found, ["b.json #/$id: \"https://example.test/x\" is already the id of a.json:1:1 (#)"]);
}

#[test]
fn an_anchor_names_one_schema() {
    let found = problems_of(json!({"$defs": {"x": {"$anchor": "n"}, "y": {"$dynamicAnchor": "n"}}}));
    assert_eq!(found, ["#/$defs/y/$dynamicAnchor: \"n\" already names a.json:3:10 (#/$defs/x)"]);
}
