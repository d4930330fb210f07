//! Whole pages, made from protocols that are built by hand.

use super::*;
use crate::config::{Kind, ProtocolConfig};
use crate::diagnostics::Place;
use crate::ir::{
    Amendment, Bound, Constant, Discriminator, Enum, ErrorCode, Field, List, Message, MessageKind,
    NumberRules, Presence, Rest, Routing, Rule, RuleEntry, RuleList, Shape, Source, Struct, TextRules,
    TypeDef, TypeId, TypeRef, Union, Variant,
};
use crate::json::{Json, Node, Span};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

fn config() -> Config {
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
        protocols: vec![
            protocol("game", Kind::JsonSchema, None),
            protocol("control", Kind::Catalogue, Some("https://example.org/blob/main/")),
        ],
    }
}

fn node(value: Json) -> Node {
    Node { value, span: Span::default() }
}

fn string(text: &str) -> Node {
    node(Json::String(text.to_owned()))
}

fn source(path: &str) -> Source {
    Source { path: path.to_owned(), sha256: "0123456789abcdef".repeat(4) }
}

fn def(name: &str, title: Option<&str>, description: Option<&str>, shape: Shape) -> TypeDef {
    TypeDef {
        name: name.to_owned(),
        title: title.map(str::to_owned),
        description: description.map(str::to_owned),
        place: Place::default(),
        shape,
        recursive: false,
        reading: None,
    }
}

fn field(wire: &str, ty: TypeRef, description: &str) -> Field {
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

fn object(fields: Vec<Field>) -> Shape {
    Shape::Struct(Struct { fields, ..Struct::default() })
}

fn message(name: &str, kind: MessageKind, ty: usize) -> Message {
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

fn named(id: usize) -> TypeRef {
    TypeRef::Named(TypeId(id))
}

/// A protocol with a type of every shape.
fn game() -> Protocol {
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
        words: "Exactly one of `result` and `error`.".to_owned(),
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

fn entry(id: &str, name: &str) -> RuleEntry {
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
fn control() -> Protocol {
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

fn page(protocol: Protocol, name: &str) -> String {
    let path = format!("generated/docs/{}/{name}.md", protocol.name);
    let files = files(&config(), &[protocol]).expect("the templates are ours");
    let found = files.iter().find(|file| file.path == path);
    found.unwrap_or_else(|| panic!("no {path}")).content.clone()
}

/// The lines of `page` from the one that starts with `from`, to the next empty one.
fn block<'a>(page: &'a str, from: &str) -> Vec<&'a str> {
    page.lines().skip_while(|line| !line.starts_with(from)).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn a_page_starts_with_its_header_and_ends_with_one_line_break() {
    let text = page(control(), "wire");
    assert!(text.starts_with(
        "<!-- Generated by ludwire from schemas/control/Control.json (sha256 0123456789ab). Do not edit; \
         run `cargo run -- generate`. -->\n\n# Control: wire contract\n\n\
         Generated reference. Do not edit directly. Update `schemas/control` or \
         `schemas/control/overlay.json`, then run `cargo run -- generate`.\n"
    ));
    assert!(text.ends_with(" |\n"), "{text}");
    assert!(!text.contains("\n\n\n"), "{text}");
}

#[test]
fn every_list_has_its_table() {
    let sources = "[Docs/a (b).py](https://example.org/blob/main/Docs/a%20%28b%29.py)\
                   <br>[c.py](https://example.org/blob/main/c.py)";
    let rules = |id: &str, name: &str| {
        vec![
            "| Stable ID | Rule | Requirement | Why | Source |".to_owned(),
            "| --- | --- | --- | --- | --- |".to_owned(),
            format!("| `{id}` | {name} | Do it. | Because. | {sources} |"),
        ]
    };
    let wire = page(control(), "wire");
    assert_eq!(block(&wire, "| Stable ID | Rule |"), rules("c.wire.tcp", "TCP byte stream"));
    assert_eq!(
        block(&wire, "| Stable ID | Code |"),
        [
            "| Stable ID | Code | Name | Use | Source |",
            "| --- | --- | --- | --- | --- |",
            &format!("| `c.error.parse` | `-32700` | Parse error | Do it. | {sources} |"),
        ]
    );
    let commands = page(control(), "commands-and-events");
    assert_eq!(
        block(&commands, "| Stable ID | Method |"),
        [
            "| Stable ID | Method | Params | Result | Requirement | Why | Source |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            &format!(
                "| `c.method.get` | `get` | `{{a?: integer\\|null}}` | the newest observation | Do it. | Because. | \
                 {sources} |"
            ),
        ]
    );
    assert_eq!(
        block(&commands, "| Stable ID | Field |"),
        [
            "| Stable ID | Field | Type | Requirement | Why | Source |",
            "| --- | --- | --- | --- | --- | --- |",
            &format!("| `c.command.type` | `type` | string | Do it. | Because. | {sources} |"),
        ]
    );
    let integration = page(control(), "integration-and-validation");
    assert_eq!(block(&integration, "| Stable ID"), rules("c.security.off", "Off"));
    assert_eq!(block(&page(control(), "further-rules"), "| Stable ID"), rules("c.further.one", "One"));
}

#[test]
fn error_codes_stand_on_the_wire_page_also_when_they_are_no_list() {
    let mut protocol = control();
    protocol.lists.retain(|list| list.key != "error_codes");
    protocol.errors = game().errors;
    let wire = page(protocol, "wire");
    assert_eq!(
        block(&wire, "| Stable ID | Code |").last(),
        Some(&"| (empty) | `-32099 to -32000` | Server error | The server failed. |  |")
    );
}

#[test]
fn without_a_source_url_a_source_is_its_path() {
    let mut config = config();
    config.protocols.clear();
    let files = files(&config, &[control()]).expect("the templates are ours");
    assert!(files.iter().any(|file| file.content.contains("| Docs/a (b).py<br>c.py |")));
}

#[test]
fn the_index_of_a_catalogue_counts_and_links() {
    let index = page(control(), "index");
    assert_eq!(
        block(&index, "| Page"),
        [
            "| Page | Contents |",
            "| --- | --- |",
            "| [Wire contract](wire.md) | Wire rules (1), Error codes (1) |",
            "| [Commands and events](commands-and-events.md) | Methods (1), Command fields (1) |",
            "| [Integration and validation](integration-and-validation.md) | Security rules (1) |",
            "| [Further rules](further-rules.md) | Further rules (1) |",
            "| [Messages](messages.md) | The messages (3) and the types that they use |",
        ]
    );
}

#[test]
fn a_message_has_the_table_of_its_fields() {
    let index = page(game(), "index");
    assert_eq!(
        block(&index, "| Message"),
        [
            "| Message | Kind | Direction | Rust type |",
            "| --- | --- | --- | --- |",
            "| [call](#call) | request | bridge → mod | `Call` |",
            "| [answer](#answer) | response | bridge → mod | `Answer` |",
            "| [again](#again) | event | bridge → mod | `Call` |",
        ]
    );
    assert_eq!(
        block(&index, "| Field"),
        [
            "| Field | Type | Required | Constraints | Description |",
            "| --- | --- | --- | --- | --- |",
            "| `v` | text | yes | always `\"game/1\"` | Version. |",
            "| `limit` | integer | no | 1 to 100<br>default `10` | How many, at most. |",
            "| `target` | [Attention item](#attention-item) or null | yes |  |  |",
        ]
    );
    assert!(index.contains("- Exactly one of `result` and `error`.\n"), "{index}");
    assert!(index.contains("It has the members of [call](#call).\n"), "{index}");
    assert_eq!(
        block(&index, "| `note`"),
        [
            "| `note` | list of text | no | at least 1 item<br>no two equal<br>each: 1 to 20 characters<br>each: UUID\
          <br>each: matches `^(a\\|b)+$` | **Deprecated.** A note. |"
        ]
    );
}

#[test]
fn an_enum_takes_the_meanings_of_its_values_from_the_description() {
    let index = page(game(), "index");
    assert_eq!(
        block(&index, "| Value"),
        [
            "| Value | Meaning |",
            "| --- | --- |",
            "| `\"open\"` | it waits. |",
            "| `\"done\"` | it is over. |"
        ]
    );
    let state = "| `state` | [ItemState](#itemstate) | yes |  | Where it stands. It never goes back. |";
    assert!(index.contains(state), "{index}");
}

#[test]
fn a_union_lists_its_variants() {
    assert_eq!(
        block(&page(game(), "index"), "| One of"),
        [
            "| One of | Known by | Description |",
            "| --- | --- | --- |",
            "| [Attention item](#attention-item) | `kind` is `\"item\"` | An item. |",
            "| null | `kind` is `\"none\"` |  |",
        ]
    );
}

#[test]
fn codes_constants_amendments_and_sources_follow() {
    let index = page(game(), "index");
    for line in [
        "| `-32099 to -32000` | Server error | `PARSE` | The server failed. |",
        "| `VERSION` | `\"game/1\"` | The version. |",
        "| a.json | replace | `/properties/x/pattern` | It is too narrow. |",
        "| schemas/game/b.json | `0123456789ab`… |",
    ] {
        assert!(index.contains(line), "{line} in {index}");
    }
}

/// Also: a type that is called as a heading of the template has another anchor than it.
#[test]
fn every_link_leads_to_a_heading_and_no_two_headings_are_the_same() {
    for (protocol, name) in [(game(), "index"), (control(), "messages")] {
        let page = page(protocol, name);
        let mut anchors = BTreeSet::new();
        for heading in page.lines().filter_map(|line| line.strip_prefix('#')) {
            assert!(anchors.insert(markdown::anchor(heading.trim_start_matches('#'))), "{heading}");
        }
        let targets: Vec<&str> =
            page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
        assert!(targets.len() > 5, "{targets:?}");
        for target in targets {
            assert!(anchors.contains(target), "{target} is in {anchors:?}");
        }
    }
}

/// The headings that stand in the templates are those that the anchors of types keep clear of.
#[test]
fn fixed_headings_are_reserved() {
    let index = page(game(), "index");
    for heading in index.lines().filter_map(|line| line.strip_prefix("## ")) {
        let message = game().messages.iter().any(|message| message.name == heading);
        assert!(message || HEADINGS.contains(&heading), "{heading}");
    }
}

#[test]
fn nothing_that_a_schema_says_breaks_a_page() {
    const EVIL: &str = "Pipe | tick ` fence:\n```\nlet x = ;\n```\n    indented\n<b>html</b> [link](x) */ #[doc]\n\n# H\n- i";
    let mut protocol = game();
    protocol.title = EVIL.to_owned();
    protocol.description = EVIL.to_owned();
    for def in &mut protocol.types {
        def.title = Some(EVIL.to_owned());
        def.description = Some(EVIL.to_owned());
        match &mut def.shape {
            Shape::Struct(object) => {
                for field in &mut object.fields {
                    field.wire = EVIL.to_owned();
                    field.description = Some(EVIL.to_owned());
                }
            }
            Shape::Enum(choices) => {
                for variant in &mut choices.variants {
                    variant.value = string(EVIL);
                    variant.description = Some(EVIL.to_owned());
                }
            }
            _ => {}
        }
    }
    for message in &mut protocol.messages {
        message.name = EVIL.to_owned();
        message.direction = EVIL.to_owned();
    }
    for path in protocol.sources.iter_mut().map(|source| &mut source.path) {
        *path = EVIL.to_owned();
    }
    let page = page(protocol, "index");
    let original = super::tests::page(game(), "index");
    assert_eq!(skeleton(&page), skeleton(&original), "{page}");
}

/// What a Markdown reader sees of a page, without its words: the tables with the columns of each
/// row, the headings, and all HTML. A link counts when it leaves its page.
fn skeleton(page: &str) -> Vec<String> {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let mut skeleton = Vec::new();
    let mut cells = 0;
    for event in Parser::new_ext(page, Options::all()) {
        match event {
            Event::Start(Tag::TableCell) => cells += 1,
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => {
                skeleton.push(format!("row of {cells}"));
                cells = 0;
            }
            Event::Start(Tag::Heading { level, .. }) => skeleton.push(level.to_string()),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. })
                if !dest_url.starts_with('#') =>
            {
                skeleton.push(dest_url.to_string());
            }
            Event::Start(
                tag @ (Tag::BlockQuote(_)
                | Tag::CodeBlock(_)
                | Tag::Emphasis
                | Tag::Strikethrough
                | Tag::List(_)),
            ) => skeleton.push(format!("{tag:?}")),
            Event::Html(html) => {
                assert!(html.starts_with("<!-- ") && html.matches('\n').count() == 1, "{html}");
                skeleton.push("comment".to_owned());
            }
            Event::InlineHtml(html) => assert_eq!(html.as_ref(), "<br>"),
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) | Event::Rule => {
                skeleton.push(format!("{event:?}"));
            }
            _ => {}
        }
    }
    skeleton
}

#[test]
fn a_template_of_the_project_replaces_ours_and_cannot_forget_to_escape() {
    let root = std::env::temp_dir().join(format!("ludwire-docs-{}", std::process::id()));
    fs::create_dir_all(root.join("own")).expect("the folder for temporary files is writable");
    let with = |template: &str| {
        fs::write(root.join("own/protocol.md"), template).expect("it is writable");
        let config = Config { root: root.clone(), templates: Some("own".to_owned()), ..config() };
        files(&config, &[Protocol { title: "A | *b*".to_owned(), ..game() }])
    };
    let files = with("{{ protocol.title }}").expect("the template is right");
    assert_eq!(files[0].content, "A \\| \\*b\\*\n");
    for (template, said) in [
        ("\n{{ protocol.titel }}", "own/protocol.md:2:1: undefined value"),
        ("{% if %}", "own/protocol.md:1:1: syntax error"),
    ] {
        let error = with(template).expect_err(said).to_string();
        assert!(error.starts_with(said), "{error}");
    }
    fs::remove_dir_all(root.join("own")).expect("it is ours");
    let config = Config { root: root.clone(), templates: Some("own".to_owned()), ..config() };
    let error = super::files(&config, &[]).expect_err("the folder is gone").to_string();
    assert_eq!(error, "own: ludwire.toml names this folder of templates, but there is none");
    fs::remove_dir_all(root).expect("it is ours");
}
