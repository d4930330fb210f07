use super::*;
use crate::graph::JsonType;
use crate::ir::{Amendment, Check, Constant, List, Reading, TextRules};
use crate::json::{Json, Node};

fn def(name: &str, shape: Shape) -> TypeDef {
    TypeDef {
        name: name.to_owned(),
        title: None,
        description: None,
        place: Default::default(),
        shape,
        recursive: false,
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

fn message(name: &str, kind: MessageKind, method: Option<&str>, ty: usize) -> Message {
    Message {
        rust: name.to_owned(),
        name: name.to_owned(),
        kind,
        method: method.map(str::to_owned),
        direction: String::new(),
        ty: TypeId(ty),
        reading: None,
        discriminators: Vec::new(),
        standalone: true,
    }
}

fn headings(types: &[TypeSection]) -> Vec<&str> {
    types.iter().map(|section| section.heading.as_str()).collect()
}

fn flat(line: &[Span]) -> String {
    line.iter()
        .map(|span| match span {
            Span::Text(words) => words.clone(),
            Span::Code(letters) | Span::CodeLink { code: letters, .. } => format!("`{letters}`"),
            Span::Link { label, target } => format!("[{label}]({target})"),
        })
        .collect()
}

fn note_lines(section: &TypeSection) -> Vec<String> {
    section.notes.iter().map(|note| flat(&note.text)).collect()
}

#[test]
fn a_type_stands_below_the_one_message_that_uses_it_or_among_the_shared() {
    let protocol = Protocol {
        types: vec![
            def("A", object(&[named(2), TypeRef::List(Box::new(named(3)))], Rest::Closed)),
            def("B", object(&[named(3), named(0)], Rest::Closed)),
            def("OnlyA", object(&[named(4)], Rest::Closed)),
            def("Both", object(&[], Rest::Closed)),
            def("BelowOnlyA", object(&[named(2)], Rest::Closed)),
            def("Nobody", object(&[], Rest::Closed)),
            def("Short", Shape::Text(TextRules::default())),
        ],
        messages: vec![
            message("a", MessageKind::Message, None, 0),
            message("b", MessageKind::Message, None, 1),
            message("c", MessageKind::Message, None, 0),
        ],
        ..Protocol::default()
    };
    let found = sections(&protocol, &[]);
    assert_eq!(headings(&found.messages[0].types), ["OnlyA", "BelowOnlyA"]);
    assert!(found.messages[1].types.is_empty());
    assert_eq!(headings(&found.shared), ["Both"]);
    assert_eq!(headings(&found.unused), ["Nobody"]);
    let b = found.messages[1].body.as_ref().expect("it has its own type");
    assert_eq!(flat(&b.fields[1].ty), "[a](#a)");
    assert!(found.messages[2].body.is_none());
    assert_eq!(
        found.messages[2].same_as.as_ref().map(|span| flat(std::slice::from_ref(span))).as_deref(),
        Some("[a](#a)")
    );
}

#[test]
fn headings_with_one_anchor_are_told_apart() {
    let titled = |name: &str, title: &str| TypeDef {
        title: Some(title.to_owned()),
        ..def(name, object(&[], Rest::Closed))
    };
    let protocol = Protocol {
        types: vec![
            titled("ErrorMessage", "Error"),
            titled("Error", "Error"),
            titled("ToolError", "error!"),
            titled("Event", "Event"),
            titled("OtherEvent", "Event"),
            titled("Empty", " "),
        ],
        messages: vec![
            message("error", MessageKind::Message, None, 0),
            message("event", MessageKind::Event, None, 3),
            message("event", MessageKind::Event, None, 4),
        ],
        ..Protocol::default()
    };
    let found = sections(&protocol, &["Empty"]);
    let names: Vec<&str> = found.messages.iter().map(|message| message.heading.as_str()).collect();
    assert_eq!(names, ["error", "event (Event)", "event (OtherEvent)"]);
    assert_eq!(headings(&found.unused), ["Error (type)", "error! (ToolError)", "Empty (type)"]);
}

#[test]
fn what_is_read_beyond_what_is_written_stands_at_the_message() {
    let amendment = |pointer: &str| Amendment {
        file: "a.json".to_owned(),
        operation: "replace".to_owned(),
        pointer: pointer.to_owned(),
        reason: format!("{pointer} is sent otherwise."),
        reading: true,
    };
    let pointers = ["/properties/params/properties/properties", "/$defs/a/properties/x/default", "/allOf/0"];
    let wider = TypeDef {
        reading: Some(Reading {
            of: Some("Ask".to_owned()),
            amendments: pointers.iter().map(|pointer| amendment(pointer)).collect(),
        }),
        ..def("ReceivedAsk", object(&[], Rest::Open))
    };
    let protocol = Protocol {
        types: vec![def("Ask", object(&[], Rest::Closed)), wider],
        messages: vec![Message { reading: Some(TypeId(1)), ..message("ask", MessageKind::Request, None, 0) }],
        ..Protocol::default()
    };
    let found = sections(&protocol, &[]);
    assert_eq!(headings(&found.unused), [""; 0]);
    let reading = found.messages[0].reading.as_ref().expect("more is read");
    assert_eq!((reading.rust.as_str(), found.messages[0].rust.as_str()), ("ReceivedAsk", "Ask"));
    let members: Vec<&str> = reading.rows.iter().map(|row| row.member.as_str()).collect();
    assert_eq!(members, ["/params/properties", "/x", ""]);
    assert_eq!(reading.rows[2].reason, "/allOf/0 is sent otherwise.");
}

#[test]
fn a_response_leads_to_its_request() {
    let protocol = Protocol {
        types: vec![def("Ask", object(&[], Rest::Open)), def("Tell", object(&[], Rest::Open))],
        messages: vec![
            message("x/ask request", MessageKind::Request, Some("x/ask"), 0),
            message("x/ask response", MessageKind::Response, Some("x/ask"), 1),
            message("x/lost response", MessageKind::Response, Some("x/lost"), 1),
        ],
        ..Protocol::default()
    };
    let found = sections(&protocol, &[]);
    let answers: Vec<Option<String>> = found
        .messages
        .iter()
        .map(|m| m.answers.as_ref().map(|span| flat(std::slice::from_ref(span))))
        .collect();
    assert_eq!(
        answers,
        [None, Some("[x/ask request](#xask-request)".to_owned()), Some("`x/lost`".to_owned())]
    );
}

#[test]
fn the_members_beside_the_fields_are_described() {
    let rest = |rest: Rest| {
        let protocol =
            Protocol { types: vec![def("T", object(&[TypeRef::Text], rest))], ..Protocol::default() };
        note_lines(&sections(&protocol, &[]).unused[0])
    };
    assert_eq!(rest(Rest::Closed), ["No other members are allowed."]);
    assert_eq!(rest(Rest::Open), ["Other members are allowed and kept."]);
    assert_eq!(rest(Rest::Typed(TypeRef::Uuid)), ["Each other member: text, UUID."]);
    assert_eq!(rest(Rest::Checked(Check::Never)), ["Other members:"]);
}

#[test]
fn a_list_of_itself_and_a_tangled_check_have_sections() {
    let list = List { items: named(0), min_items: Some(1), max_items: None, unique: false };
    let tree = TypeDef { recursive: true, ..def("Tree", Shape::List(list)) };
    let odd = Check::Not(Box::new(Check::Kinds(vec![JsonType::Null])));
    let sealed = Sealed { inner: TypeRef::List(Box::new(named(0))), check: odd.clone() };
    let types = vec![tree, def("Odd", Shape::Value(odd)), def("Trees", Shape::Sealed(sealed))];
    let protocol = Protocol { types, ..Protocol::default() };
    let found = sections(&protocol, &[]);
    assert_eq!(headings(&found.unused), ["Tree", "Odd", "Trees"]);
    assert_eq!(
        found.unused[0].is.as_deref().map(flat).as_deref(),
        Some("list of [Tree](#tree), at least 1 item")
    );
    assert_eq!(note_lines(&found.unused[1]), ["not:"]);
    assert_eq!(found.unused[2].is.as_deref().map(flat).as_deref(), Some("list of [Tree](#tree)"));
    assert_eq!(note_lines(&found.unused[2]), ["not:"]);
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
    let open = Shape::OpenEnum(Enum { variants: variants[2..].to_vec() });
    let types = vec![def("E", Shape::Enum(Enum { variants })), def("O", open)];
    let found = sections(&Protocol { types, ..Protocol::default() }, &[]);
    assert_eq!(note_lines(&found.unused[1]), ["Any other text is allowed too."]);
    let rows: Vec<(&str, Option<&str>)> =
        found.unused[0].values.iter().map(|row| (row.value.as_str(), row.meaning.as_deref())).collect();
    assert_eq!(rows, [("1.0", Some("One.")), ("null", None), ("\"a\\nb\"", None)]);
}
