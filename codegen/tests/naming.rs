//! What types and variants are called that no definition and no title names.

use ludwire_codegen::ir::{Protocol, Shape, TypeRef};
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
