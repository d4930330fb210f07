//! Two small protocols, of messages and of a catalogue, and their pages.

use super::super::*;
use crate::config::{Config, Kind, ProtocolConfig};
use crate::diagnostics::Place;
use crate::ir::{
    Amendment, Bound, Clause, Constant, Discriminator, Enum, ErrorCode, Field, List, Message, MessageKind,
    NumberRules, Presence, Protocol, Rest, Routing, Rule, RuleEntry, RuleList, Shape, Source, Struct,
    TextRules, TypeDef, TypeId, TypeRef, Union, Variant,
};
use crate::json::{Json, Node, Span};
use std::path::PathBuf;

pub(super) fn config() -> Config {
    let protocol = |name: &str, kind, source_url: Option<&str>| ProtocolConfig {
        name: name.to_owned(),
        kind,
        schemas: format!("schemas/{name}"),
        overlay: Some(format!("schemas/{name}/overlay.json")),
        source_url: source_url.map(str::to_owned),
    };
    Config {
        root: PathBuf::from("/nowhere"),
        src: "generated/src".to_owned(),
        docs: "generated/docs".to_owned(),
        hand_written: Vec::new(),
        templates: None,
        together: None,
        protocols: vec![
            protocol("game", Kind::JsonSchema, None),
            protocol("control", Kind::Catalogue, Some("https://example.org/blob/main/")),
        ],
    }
}

pub(super) fn node(value: Json) -> Node {
    Node { value, span: Span::default() }
}

pub(super) fn string(text: &str) -> Node {
    node(Json::String(text.to_owned()))
}

pub(super) fn source(path: &str) -> Source {
    Source { path: path.to_owned(), sha256: "0123456789abcdef".repeat(4) }
}

pub(super) fn def(name: &str, title: Option<&str>, description: Option<&str>, shape: Shape) -> TypeDef {
    TypeDef {
        name: name.to_owned(),
        title: title.map(str::to_owned),
        description: description.map(str::to_owned),
        place: Place::default(),
        shape,
        recursive: false,
        far: false,
        reading: None,
    }
}

pub(super) fn field(wire: &str, ty: TypeRef, description: &str) -> Field {
    Field {
        wire: wire.to_owned(),
        rust: wire.to_owned(),
        title: None,
        description: Some(description.to_owned()),
        ty,
        presence: Presence::Required,
        constant: None,
        deprecated: false,
    }
}

pub(super) fn object(fields: Vec<Field>) -> Shape {
    Shape::Struct(Struct { fields, ..Struct::default() })
}

pub(super) fn message(name: &str, kind: MessageKind, ty: usize) -> Message {
    Message {
        rust: name.to_owned(),
        name: name.to_owned(),
        kind,
        method: None,
        direction: "bridge → mod".to_owned(),
        ty: TypeId(ty),
        reading: None,
        discriminators: vec![Discriminator { member: "type".to_owned(), values: vec![string(name)] }],
        standalone: true,
    }
}

pub(super) fn named(id: usize) -> TypeRef {
    TypeRef::Named(TypeId(id))
}

/// A protocol with a type of every shape.
pub(super) fn game() -> Protocol {
    let version = Field { constant: Some(string("game/1")), ..field("v", TypeRef::Text, "Version.") };
    let limit = Field {
        presence: Presence::Default(node(Json::Number("10".to_owned()))),
        ..field("limit", named(3), "How many, at most.")
    };
    let note = Field { presence: Presence::Optional, deprecated: true, ..field("note", named(5), "A note.") };
    let state =
        field("state", named(2), "Where it stands. open: it waits. done: it is over. It never goes back.");
    let unique = List { items: named(4), min_items: Some(1), max_items: None, unique: true };
    let rule = Rule {
        check: crate::ir::Check::Any,
        clause: Clause::Said { text: "Exactly one of `result` and `error`.".to_owned() },
        words: String::new(),
        place: Place::default(),
    };
    let types = vec![
        def(
            "Call",
            Some("Call"),
            Some("Calls a tool."),
            object(vec![version.clone(), limit, field("target", TypeRef::Nullable(Box::new(named(1))), "")]),
        ),
        def("Item", Some("Attention item"), Some("Something that happened."), object(vec![state, note])),
        def(
            "ItemState",
            None,
            Some("Where it stands. open: it waits. done: it is over. It never goes back."),
            Shape::Enum(Enum {
                variants: ["open", "done"]
                    .map(|value| Constant { rust: value.to_owned(), value: string(value), description: None })
                    .into(),
            }),
        ),
        def(
            "CallLimit",
            None,
            None,
            Shape::Number(NumberRules {
                integer: true,
                minimum: Some(Bound { value: "1".to_owned(), exclusive: false }),
                maximum: Some(Bound { value: "100".to_owned(), exclusive: false }),
                ..NumberRules::default()
            }),
        ),
        def(
            "Tag",
            None,
            Some("A tag."),
            Shape::Text(TextRules {
                max_length: Some(20),
                min_length: Some(1),
                patterns: vec!["^(a|b)+$".to_owned()],
                formats: vec!["uuid".to_owned()],
            }),
        ),
        def("Tags", None, None, Shape::List(unique)),
        def(
            "Answer",
            Some("Answer"),
            None,
            Shape::Struct(Struct {
                fields: vec![version, field("result", named(7), "What came of it.")],
                rest: Rest::Open,
                rules: vec![rule],
                ..Struct::default()
            }),
        ),
        def(
            "Outcome",
            Some("Messages"),
            None,
            Shape::Union(Union {
                variants: vec![
                    Variant {
                        rust: "Item".to_owned(),
                        description: Some("An item.".to_owned()),
                        ty: named(1),
                        kinds: Vec::new(),
                        tags: vec![string("item")],
                    },
                    Variant {
                        rust: "Nothing".to_owned(),
                        description: None,
                        ty: TypeRef::Null,
                        kinds: Vec::new(),
                        tags: vec![string("none")],
                    },
                ],
                routing: Routing::Tag("kind".to_owned()),
            }),
        ),
    ];
    let code = ErrorCode {
        rust: "PARSE".to_owned(),
        id: None,
        code: node(Json::Number("-32099".to_owned())),
        name: "Server error".to_owned(),
        description: "The server failed.".to_owned(),
        last: Some(-32000),
        retry: None,
        sources: Vec::new(),
    };
    Protocol {
        name: "game".to_owned(),
        title: "Game 1.0".to_owned(),
        description: "How a game talks.\n\nTo whom is open.".to_owned(),
        sources: vec![source("schemas/game/a.json"), source("schemas/game/b.json")],
        types,
        messages: vec![
            message("call", MessageKind::Request, 0),
            message("answer", MessageKind::Response, 6),
            message("again", MessageKind::Event, 0),
        ],
        constants: vec![Constant {
            rust: "VERSION".to_owned(),
            value: string("game/1"),
            description: Some("The version.".to_owned()),
        }],
        errors: vec![code],
        amendments: vec![Amendment {
            file: "a.json".to_owned(),
            operation: "replace".to_owned(),
            pointer: "/properties/x/pattern".to_owned(),
            reason: "It is too narrow.".to_owned(),
            reading: false,
        }],
        ..Protocol::default()
    }
}

pub(super) fn entry(id: &str, name: &str) -> RuleEntry {
    RuleEntry {
        id: id.to_owned(),
        name: name.to_owned(),
        stability: "experimental".to_owned(),
        requirement: "Do it.".to_owned(),
        rationale: "Because.".to_owned(),
        sources: vec![("Docs/a (b).py".to_owned(), Vec::new()), ("c.py".to_owned(), Vec::new())],
        params: None,
        result: None,
        value_type: None,
        code: None,
        place: Place::default(),
    }
}

/// A catalogue with a list of every kind.
pub(super) fn control() -> Protocol {
    let list = |key: &str, entries| RuleList { key: key.to_owned(), entries };
    let method = RuleEntry {
        params: Some("{a?: integer|null}".to_owned()),
        result: Some("the newest observation".to_owned()),
        ..entry("c.method.get", "get")
    };
    Protocol {
        name: "control".to_owned(),
        title: "Control".to_owned(),
        description: "How a game is steered.".to_owned(),
        sources: vec![source("schemas/control/Control.json")],
        lists: vec![
            list("wire_rules", vec![entry("c.wire.tcp", "TCP byte stream")]),
            list("methods", vec![method]),
            list(
                "error_codes",
                vec![RuleEntry { code: Some(-32700), ..entry("c.error.parse", "Parse error") }],
            ),
            list(
                "command_fields",
                vec![RuleEntry { value_type: Some("string".to_owned()), ..entry("c.command.type", "type") }],
            ),
            list("security_rules", vec![entry("c.security.off", "Off")]),
            list("further_rules", vec![entry("c.further.one", "One")]),
        ],
        types: game().types,
        messages: game().messages,
        ..Protocol::default()
    }
}

pub(super) fn page(protocol: Protocol, name: &str) -> String {
    let path = format!("generated/docs/{}/{name}.md", protocol.name);
    let (files, _) = files(&config(), &[protocol]).expect("the templates are ours");
    let found = files.iter().find(|file| file.path == path);
    found.unwrap_or_else(|| panic!("no {path}")).content.clone()
}

/// The lines of `page` from the one that starts with `from`, to the next empty one.
pub(super) fn block<'a>(page: &'a str, from: &str) -> Vec<&'a str> {
    page.lines().skip_while(|line| !line.starts_with(from)).take_while(|line| !line.is_empty()).collect()
}
