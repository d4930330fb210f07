use super::*;
use crate::emit::docs::templates::said;
use crate::ir::{SharedCheck, TextRules};
use crate::json::{Json, Node};

fn node(value: Json) -> Node {
    Node { value, span: Default::default() }
}

fn string(text: &str) -> Check {
    Check::Constants(vec![node(Json::String(text.to_owned()))])
}

fn at_least(characters: u64) -> Check {
    Check::Text(TextRules { min_length: Some(characters), ..TextRules::default() })
}

fn kind(kind: JsonType) -> Check {
    Check::Kinds(vec![kind])
}

fn object() -> ObjectCheck {
    ObjectCheck {
        properties: Vec::new(),
        patterns: Vec::new(),
        additional: Check::Any,
        names: Check::Any,
        required: Vec::new(),
        min_members: None,
        max_members: None,
        dependent: Vec::new(),
    }
}

fn list() -> ListCheck {
    ListCheck {
        prefix: Vec::new(),
        items: Check::Any,
        min_items: None,
        max_items: None,
        unique: false,
        contains: Vec::new(),
    }
}

/// The notes as indented lines.
fn lines(check: &Check) -> Vec<String> {
    fn add(notes: &[Note], depth: usize, lines: &mut Vec<String>) {
        for note in notes {
            lines.push(format!("{}{}", "  ".repeat(depth), said("say", &note.say)));
            add(&note.children, depth + 1, lines);
        }
    }
    let check_place = SharedCheck { name: "node".to_owned(), place: Default::default(), check: Check::Any };
    let protocol = Protocol { checks: vec![check_place], ..Protocol::default() };
    let mut lines = Vec::new();
    add(&notes(check, &protocol), 0, &mut lines);
    lines
}

#[test]
fn what_binds_one_type_says_so_unless_the_type_is_known() {
    assert_eq!(lines(&at_least(1)), ["when it is text: at least 1 character"]);
    assert_eq!(
        lines(&Check::All(vec![at_least(1), kind(JsonType::String)])),
        ["text", "at least 1 character"]
    );
    let either = Check::Kinds(vec![JsonType::String, JsonType::Null]);
    assert_eq!(
        lines(&Check::All(vec![either, at_least(1)])),
        ["text or null", "when it is text: at least 1 character"]
    );
}

#[test]
fn choices_are_nested() {
    let both = Check::All(vec![kind(JsonType::String), at_least(2)]);
    assert_eq!(
        lines(&Check::OneOf(vec![both, kind(JsonType::Null), Check::Any])),
        [
            "exactly one of these:",
            "  all of these:",
            "    text",
            "    at least 2 characters",
            "  null",
            "  anything"
        ]
    );
    assert_eq!(lines(&Check::AnyOf(vec![string("a")])), ["at least one of these:", "  always `\"a\"`"]);
    assert_eq!(lines(&Check::Not(Box::new(Check::Shared(0)))), ["not:", "  passes the shared rule `node`"]);
    let condition = Check::If(Box::new([string("a"), Check::Any, Check::Never]));
    assert_eq!(lines(&condition), ["if:", "  always `\"a\"`", "otherwise:", "  nothing is allowed"]);
}

#[test]
fn lists_and_objects_say_what_holds_for_their_parts() {
    let items = Check::List(Box::new(ListCheck {
        prefix: vec![kind(JsonType::String), Check::Any],
        items: Check::Never,
        min_items: Some(1),
        unique: true,
        contains: vec![(string("a"), 1, Some(2))],
        ..list()
    }));
    assert_eq!(
        lines(&Check::All(vec![kind(JsonType::Array), items])),
        [
            "list",
            "at least 1 item",
            "no two equal",
            "item 1: text",
            "no further items",
            "1 to 2 items for which:",
            "  always `\"a\"`"
        ]
    );
    let members = Check::Object(Box::new(ObjectCheck {
        properties: vec![
            ("kind".to_owned(), string("a")),
            ("gone".to_owned(), Check::Never),
            ("free".to_owned(), Check::Any),
            ("two".to_owned(), Check::All(vec![kind(JsonType::String), at_least(1)])),
        ],
        patterns: vec![("^x".to_owned(), kind(JsonType::Integer))],
        additional: Check::Never,
        required: vec!["kind".to_owned(), "two".to_owned()],
        names: at_least(1),
        dependent: vec![(
            "a".to_owned(),
            Check::Object(Box::new(ObjectCheck { required: vec!["b".to_owned()], ..object() })),
        )],
        ..object()
    }));
    assert_eq!(
        lines(&Check::All(vec![kind(JsonType::Object), members])),
        [
            "object",
            "has `kind` and `two`",
            "`kind`: always `\"a\"`",
            "has no `gone`",
            "`two`:",
            "  text",
            "  at least 1 character",
            "each member whose name matches `^x`: integer",
            "no other members",
            "each name: when it is text: at least 1 character",
            "with `a`:",
            "  has `b`",
        ]
    );
}

#[test]
fn a_line_is_enough_for_one_type_and_its_rules() {
    assert!(fits_a_line(&Check::All(vec![kind(JsonType::String), at_least(1)])));
    assert!(!fits_a_line(&Check::All(vec![kind(JsonType::String), kind(JsonType::Null)])));
    assert!(!fits_a_line(&Check::Not(Box::new(Check::Any))));
    assert!(!fits_a_line(&Check::Object(Box::new(object()))));
}
