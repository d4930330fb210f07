use super::*;
use crate::resolve::join;

/// What is read in other forms, as `where it stands: what stands there instead`.
fn wider(written: &[(&str, Value)], read: &[(&str, Value)]) -> (Graph, Vec<String>) {
    let joined = join(graph(written), graph(read));
    let at = |id: &SchemaId| joined.schemas[id.0].pointer.clone();
    let mut found: Vec<String> =
        joined.reading.iter().map(|(own, wider)| format!("{} -> {}", at(own), at(wider))).collect();
    found.sort();
    (joined, found)
}

#[test]
fn what_is_read_as_it_is_written_stands_there_once() {
    let schema = json!({
        "title": "A", "type": "object", "required": ["x"],
        "properties": {"x": {"type": "string", "minLength": 3}, "y": {"$ref": "#/definitions/list"}},
        "definitions": {"list": {"items": {"$ref": "#"}}}
    });
    let mut read = schema.clone();
    read["title"] = json!("B");
    read["properties"]["x"]["description"] = json!("Says nothing of the value.");
    let (joined, found) = wider(&[("a.json", schema)], &[("a.json", read)]);
    assert!(joined.wider.is_empty(), "{:?}", joined.wider);
    assert_eq!(found, [""; 0]);
}

#[test]
fn what_holds_a_wider_schema_is_wider_and_nothing_else_is() {
    let schema = json!({
        "properties": {"a": {"properties": {"b": {"$ref": "#/definitions/b"}}}, "c": {"type": "string"}},
        "definitions": {"b": {"minLength": 3}, "d": {"items": {"type": "null"}}}
    });
    let mut read = schema.clone();
    read["definitions"]["b"]["minLength"] = json!(1);
    read["properties"]["a"]["properties"]["new"] = json!({"$ref": "#/definitions/d"});
    let (joined, found) = wider(&[("a.json", schema)], &[("a.json", read)]);
    let expected = [
        " -> ",
        "/definitions/b -> /definitions/b",
        "/properties/a -> /properties/a",
        "/properties/a/properties/b -> /properties/a/properties/b",
    ];
    assert_eq!(found, expected);
    // One more is new, and it leads to what both have.
    assert_eq!(joined.wider.len(), 5);
    let new = joined.schemas.iter().rfind(|schema| schema.pointer.ends_with("/new")).expect("it is there");
    let target = new.references[0];
    assert!(!joined.wider.contains(&target.0) && joined.schemas[target.0].pointer == "/definitions/d");
}

#[test]
fn a_schema_that_holds_itself_is_wider_as_a_whole() {
    let tree = |least: u64| json!({"properties": {"child": {"$ref": "#"}, "name": {"minLength": least}, "size": {"minimum": 0}}});
    let (joined, found) = wider(&[("a.json", tree(3))], &[("a.json", tree(1))]);
    assert_eq!(found.len(), 3, "{found:?}");
    let root = joined.reading[&joined.files[0].root.expect("it has a root")];
    let child =
        joined.schemas[root.0].properties.iter().find(|(name, _)| name == "child").expect("a child").1;
    assert_eq!(joined.schemas[child.0].references, [root]);
}

#[test]
fn a_reference_may_lead_elsewhere() {
    let schema = |target: &str| {
        json!({
            "properties": {"a": {"$ref": format!("#/definitions/{target}")}},
            "definitions": {"narrow": {"minLength": 2}, "wide": {"minLength": 1}}
        })
    };
    let (joined, found) = wider(&[("a.json", schema("narrow"))], &[("a.json", schema("wide"))]);
    assert!(found.contains(&"/properties/a -> /properties/a".to_owned()), "{found:?}");
    let definitions = |name: &str| {
        joined.files[0].definitions.iter().find(|(own, _)| own == name).expect("it is defined").1
    };
    // What it leads to now is there already.
    assert_eq!(joined.reading.get(&definitions("wide")), None);
    assert_eq!(joined.reading.get(&definitions("narrow")), Some(&definitions("wide")));
}
