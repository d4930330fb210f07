//! What types and variants there are that no definition names, and what they are called.

use ludwire_codegen::ir::{Field, Presence, Protocol, Routing, Shape, TypeRef};
use ludwire_codegen::load::{self, Document, Source};
use ludwire_codegen::{Formats, lower, resolve};

fn lowered(text: &str) -> Protocol {
    let root = load::json("root.json", text).expect("it is JSON");
    let source =
        Source { documents: vec![Document::new("root.json", "root.json", text, root)], ..Source::default() };
    let graph = resolve::graph(&source.documents).unwrap_or_else(|problems| panic!("refused: {problems}"));
    let made = lower::schemas(source, &graph, Some("Root"), Formats::Assert);
    made.unwrap_or_else(|problems| panic!("refused: {problems}"))
}

/// The variants of the union that a schema is.
fn variants(schema: &str) -> Vec<String> {
    let protocol = lowered(schema);
    let root = protocol.types.iter().find(|ty| ty.name == "Root").expect("it has the root");
    let Shape::Union(union) = &root.shape else { panic!("{schema} is no union: {:?}", root.shape) };
    union.variants.iter().map(|variant| variant.rust.clone()).collect()
}

#[test]
fn variants_are_called_after_what_sets_them_apart() {
    for (branches, names) in [
        // Constants: of the branch, or of a member that must be there.
        (r#"{"const": "auto"}, {"type": "integer"}"#, &["Auto", "Integer"][..]),
        (r#"{"const": 5}, {"const": true}, {"type": "object"}"#, &["N5", "True", "Object"]),
        (
            r#"{"properties": {"v": {"const": 1}}, "required": ["v"]}, {"properties": {"v": {"const": 2}}, "required": ["v"]}"#,
            &["V1", "V2"],
        ),
        // Types.
        (r#"{"type": "string"}, {"type": "object", "required": ["a"]}"#, &["Text", "Object"]),
        (r#"{"type": ["string", "integer"]}, {"type": "array"}"#, &["IntegerOrText", "List"]),
        (
            r#"{"type": "string", "format": "uri"}, {"type": "string", "format": "date-time"}"#,
            &["Uri", "DateTime"],
        ),
        // Members that no other branch has: those that must be there first.
        (
            r#"{"type": "object", "properties": {"at": {}, "id": {}, "amount": {"type": "integer"}}, "required": ["id", "amount"]},
               {"type": "object", "properties": {"id": {}, "who": {}}, "required": ["id"]},
               {"type": "object", "properties": {"id": {}}, "required": ["id"]}"#,
            &["Amount", "Who", "Variant3"],
        ),
        // Names that meet are numbered.
        (r#"{"type": "string", "maxLength": 1}, {"type": "string", "minLength": 9}"#, &["Text", "Text2"]),
    ] {
        let schema = format!(r#"{{"anyOf": [{branches}]}}"#);
        assert_eq!(variants(&schema), names, "{branches}");
    }
}

/// The types of the places of the tuple that a schema is, and of what follows them.
fn places(schema: &str) -> Vec<String> {
    let protocol = lowered(schema);
    let root = protocol.types.iter().find(|ty| ty.name == "Root").expect("it has the root");
    let Shape::Tuple(tuple) = &root.shape else { panic!("{schema} is no tuple: {:?}", root.shape) };
    let name = |ty: &TypeRef| match ty {
        TypeRef::Named(id) => protocol.types[id.0].name.clone(),
        plain => format!("{plain:?}"),
    };
    tuple.items.iter().chain(&tuple.rest).map(name).collect()
}

#[test]
fn places_of_a_tuple_that_ask_the_same_share_a_type() {
    let low = r#"{"type": "number", "minimum": 0, "description": "One."}"#;
    let high = r#"{"type": "number", "minimum": 0, "description": "Other."}"#;
    let other = r#"{"type": "number", "maximum": 0}"#;
    let titled = r#"{"type": "number", "minimum": 0, "title": "Width"}"#;
    let object = r#"{"type": "object", "properties": {"a": {"type": "string", "maxLength": 2}}}"#;
    let wider = r#"{"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}"#;
    for (prefix, rest, names) in [
        ([low, high].as_slice(), "false", ["RootItem", "RootItem"].as_slice()),
        (&[low, other, high], "false", &["RootItem1", "RootItem2", "RootItem1"]),
        (&[low, other], high, &["RootItem", "RootItem2", "RootItem"]),
        (&[low, titled], "false", &["RootItem1", "Width"]),
        (&[object, object, wider], "false", &["RootItem1", "RootItem1", "RootItem3"]),
        (&[low], "false", &["RootItem1"]),
    ] {
        let schema = format!(
            r#"{{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "array",
                "prefixItems": [{}], "items": {rest}}}"#,
            prefix.join(", ")
        );
        assert_eq!(places(&schema), names, "{schema}");
    }
}

/// The shape of the type of a name.
fn shape(protocol: &Protocol, name: &str) -> Shape {
    let ty = protocol.types.iter().find(|ty| ty.name == name);
    ty.unwrap_or_else(|| panic!("there is no {name}")).shape.clone()
}

#[test]
fn what_exactly_one_branch_accepts_is_no_variant_where_several_do() {
    // Each branch accepts all that is no object.
    let protocol = lowered(
        r#"{"oneOf": [
            {"required": ["op", "value"], "properties": {"op": {"const": "add"}}},
            {"required": ["op"], "properties": {"op": {"enum": ["remove", "test"]}}}]}"#,
    );
    let Shape::Union(union) = shape(&protocol, "Root") else { panic!("it is no union") };
    assert_eq!(union.routing, Routing::Tag("op".to_owned()));
    for variant in &union.variants {
        let TypeRef::Named(id) = &variant.ty else { panic!("{} has no name", variant.rust) };
        assert!(matches!(protocol.types[id.0].shape, Shape::Struct(_)), "{} is no struct", variant.rust);
    }
}

#[test]
fn null_or_a_union_is_an_option() {
    let protocol = lowered(
        r##"{"type": "object", "properties": {"at": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/Place"}]}},
            "$defs": {"Place": {"anyOf": [{"type": "string"}, {"type": "array"}]}}}"##,
    );
    let Shape::Struct(root) = shape(&protocol, "Root") else { panic!("it is no struct") };
    assert!(matches!(&root.fields[0].ty, TypeRef::Nullable(_)), "{:?}", root.fields[0].ty);
}

#[test]
fn a_list_of_all_types_is_any_value() {
    let protocol = lowered(
        r#"{"type": "object", "properties": {"data": {"type": ["null", "boolean", "number", "string", "array", "object"]}}}"#,
    );
    let Shape::Struct(root) = shape(&protocol, "Root") else { panic!("it is no struct") };
    assert_eq!(root.fields[0].ty, TypeRef::Any);
}

#[test]
fn branches_that_only_ask_for_members_are_rules_also_where_they_say_that_it_is_an_object() {
    let protocol = lowered(
        r#"{"type": "object", "properties": {"a": {}, "b": {}},
            "oneOf": [{"type": "object", "required": ["a"]}, {"required": ["b"]}]}"#,
    );
    let Shape::Struct(root) = shape(&protocol, "Root") else { panic!("it is no struct") };
    let words: Vec<&str> = root.rules.iter().map(|rule| rule.words.as_str()).collect();
    assert_eq!(words, ["exactly one of `a` and `b` must be there"]);
}

#[test]
fn a_default_that_holds_nothing_and_is_no_value_is_none() {
    let protocol = lowered(
        r#"{"type": "object", "properties": {"a": {"type": "object", "required": ["x"], "default": {}},
            "b": {"type": "string", "default": null}, "c": {"type": "string", "default": ""}}}"#,
    );
    let Shape::Struct(root) = shape(&protocol, "Root") else { panic!("it is no struct") };
    let has_default = |field: &&Field| matches!(field.presence, Presence::Default(_));
    let defaults: Vec<&str> =
        root.fields.iter().filter(has_default).map(|field| field.rust.as_str()).collect();
    assert_eq!(defaults, ["c"]);
    let told: Vec<(&str, &str)> =
        protocol.notes.0.iter().map(|note| (note.place.pointer.as_str(), note.message.as_str())).collect();
    let none = "the default is no value of its own schema, and taken for none";
    let expected = [
        ("#/properties/a/default", format!("{none}: `x` is missing")),
        ("#/properties/b/default", format!("{none}: `type` does not allow null")),
    ];
    let expected: Vec<(&str, &str)> = expected.iter().map(|(at, words)| (*at, words.as_str())).collect();
    assert_eq!(told, expected);
}
