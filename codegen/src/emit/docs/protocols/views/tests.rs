use super::*;
use crate::emit::docs::templates::said;
use crate::graph::JsonType;
use crate::ir::{Check, Constant, List, Sealed, Tuple, Variant};
use crate::json::{Json, Node};

fn def(name: &str, shape: Shape) -> TypeDef {
    TypeDef {
        name: name.to_owned(),
        title: None,
        description: None,
        place: Default::default(),
        shape,
        recursive: false,
        far: false,
        reading: None,
    }
}

fn named(id: usize) -> TypeRef {
    TypeRef::Named(TypeId(id))
}

fn object(types: &[TypeRef], rest: Rest) -> Shape {
    let fields = types.iter().enumerate().map(|(index, ty)| Field {
        wire: format!("f{index}"),
        rust: format!("f{index}"),
        title: None,
        description: None,
        ty: ty.clone(),
        presence: Presence::Optional,
        constant: None,
        deprecated: false,
    });
    Shape::Struct(Struct { fields: fields.collect(), rest, ..Struct::default() })
}

/// The first of these types, on a page of its own.
fn view(types: Vec<TypeDef>) -> View {
    let protocol = Protocol { types, ..Protocol::default() };
    Views::new(&protocol, &[TypeId(0)], BTreeMap::new()).view(TypeId(0))
}

fn paths(view: &View) -> Vec<&str> {
    view.rows.iter().map(|row| row.path.as_str()).collect()
}

fn titles(view: &View) -> Vec<&str> {
    view.sections.iter().map(|section| section.title.as_str()).collect()
}

fn note_lines(view: &View) -> Vec<String> {
    view.notes.iter().map(|placed| said("say", &placed.note.say)).collect()
}

fn union(types: &[usize]) -> Shape {
    let variants = types.iter().map(|id| Variant {
        rust: format!("V{id}"),
        description: None,
        ty: named(*id),
        kinds: Vec::new(),
        tags: Vec::new(),
    });
    Shape::Union(Union { variants: variants.collect(), routing: Routing::First })
}

#[test]
fn objects_inside_stand_under_their_path() {
    let view = view(vec![
        def("A", object(&[named(1), TypeRef::List(Box::new(named(2))), named(3)], Rest::Closed)),
        def("B", object(&[TypeRef::Text], Rest::Open)),
        def("C", object(&[TypeRef::Nullable(Box::new(named(1)))], Rest::Closed)),
        def("D", Shape::Alias(TypeRef::Map(Box::new(named(4))))),
        def("E", object(&[], Rest::Closed)),
    ]);
    assert_eq!(paths(&view), ["f0", "f0.f0", "f1", "f1[].f0", "f1[].f0.f0", "f2"]);
    let rest: Vec<_> = view.rows.iter().map(|row| row.rest).collect();
    assert_eq!(rest, [Some("open"), None, Some("closed"), Some("open"), None, Some("empty")]);
    assert_eq!(said("type_of", &view.rows[2].ty), "list of object");
    assert!(view.sections.is_empty());
    let types: Vec<(&str, &str)> = view.types.iter().map(|ty| (ty.path.as_str(), ty.rust.as_str())).collect();
    assert_eq!(types, [("f0", "B"), ("f1[]", "C"), ("f2.*", "E")]);
}

#[test]
fn what_has_no_path_has_a_section_once() {
    let types = vec![
        def("A", object(&[named(1), named(5), named(1)], Rest::Typed(named(4)))),
        def("U", union(&[2, 3])),
        def("V", object(&[named(4)], Rest::Closed)),
        def("W", object(&[], Rest::Closed)),
        def("X", object(&[TypeRef::Text], Rest::Closed)),
        def(
            "T",
            Shape::Tuple(Tuple {
                items: vec![named(3)],
                required: 1,
                rest: None,
                min_items: None,
                max_items: None,
                unique: false,
            }),
        ),
    ];
    let view = view(types);
    assert_eq!(paths(&view), ["f0", "f1", "f2"]);
    assert_eq!(said("type_of", &view.rows[0].ty), "[U](#type:U)");
    assert_eq!(said("type_of", &view.rows[1].ty), "list of: [W](#type:W)");
    assert_eq!(titles(&view), ["U", "W", "X", "V"]);
    let v = view.sections.iter().find(|section| section.title == "V").expect("it is there");
    assert_eq!(said("type_of", &v.rows[0].ty), "[X](#type:X)");
    assert_eq!(note_lines(&view), ["Each other member: [X](#type:X)."]);
}

#[test]
fn what_holds_itself_ends() {
    let list = List { items: named(1), min_items: Some(1), max_items: None, unique: false };
    let tree = TypeDef { recursive: true, ..def("Tree", Shape::List(list)) };
    let knot = TypeDef { recursive: true, ..def("Knot", object(&[named(2), named(1)], Rest::Closed)) };
    let view = view(vec![def("A", object(&[named(1), named(2)], Rest::Closed)), tree, knot]);
    assert_eq!(paths(&view), ["f0", "f1"]);
    assert_eq!(titles(&view), ["Tree", "Knot"]);
    let is = view.sections[0].is.as_ref().expect("it is a list");
    assert_eq!(said("type_of", &is.ty), "list of [Tree](#type:Tree)");
    assert_eq!(said("rule", &is.rules[0]), "at least 1 item");
    assert_eq!(paths(&view.sections[1]), ["f0", "f1"]);
}

#[test]
fn the_members_beside_the_fields_are_described() {
    let rest = |rest: Rest| {
        let view = view(vec![def("T", object(&[TypeRef::Text], rest))]);
        (view.rest, note_lines(&view))
    };
    assert_eq!(rest(Rest::Closed), (Some("closed"), Vec::new()));
    assert_eq!(rest(Rest::Open), (Some("open"), Vec::new()));
    let uuids = "Each other member: text, UUID.".to_owned();
    assert_eq!(rest(Rest::Typed(TypeRef::Uuid)), (Some("told"), vec![uuids]));
    assert_eq!(rest(Rest::Checked(Check::Never)), (Some("told"), vec!["Other members:".to_owned()]));
}

#[test]
fn a_tangled_check_is_spelled_out() {
    let odd = Check::Not(Box::new(Check::Kinds(vec![JsonType::Null])));
    let value = view(vec![def("Odd", Shape::Value(odd.clone()))]);
    assert_eq!(note_lines(&value), ["not:"]);
    let sealed = view(vec![def("S", Shape::Sealed(Sealed { inner: TypeRef::Text, check: odd }))]);
    assert_eq!(said("type_of", &sealed.is.as_ref().expect("it is a text").ty), "text");
    assert_eq!(note_lines(&sealed), ["not:"]);
}

#[test]
fn an_enum_of_other_constants_than_text_shows_them_as_json() {
    let constant = |value: Json, description: Option<&str>| Constant {
        rust: "V".to_owned(),
        value: Node { value, span: Default::default() },
        description: description.map(str::to_owned),
    };
    let variants = vec![
        constant(Json::Number("1.0".to_owned()), Some("One.")),
        constant(Json::Null, None),
        constant(Json::String("a\nb".to_owned()), None),
    ];
    let open = view(vec![def("O", Shape::OpenEnum(Enum { variants: variants[2..].to_vec() }))]);
    assert!(open.open);
    let closed = view(vec![def("E", Shape::Enum(Enum { variants }))]);
    let rows: Vec<(&str, Option<&str>)> =
        closed.choices.iter().map(|row| (row.value.as_str(), row.meaning.as_deref())).collect();
    assert_eq!(rows, [("1.0", Some("One.")), ("null", None), ("\"a\\nb\"", None)]);
}
