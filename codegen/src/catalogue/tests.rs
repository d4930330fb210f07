use super::*;
use crate::load::Document;
use crate::names::words;
use std::fmt::Write as _;

/// A catalogue with one of everything, small enough to break in one place at a time.
const SMALL: &str = r#"{
  "description": "A small protocol.",
  "outputs": {
    "jsonrpc_version": "2.0",
    "max_line_bytes": 100,
    "methods": ["look", "act"],
    "error_codes": { "queue_full": -2 }
  },
  "methods": [
    { "id": "m.look", "name": "look", "requirement": "Look.", "params": "{}", "result": "{at: {x}}" },
    { "id": "m.act", "name": "act", "requirement": "Act.", "params": "a command" }
  ],
  "error_codes": [{ "id": "e.queue-full", "name": "Full", "requirement": "No room.", "code": -2 }],
  "command_fields": [{ "id": "c.to", "name": "to", "requirement": "Where.", "value_type": "integer" }]
}"#;

#[test]
fn a_catalogue_becomes_lists_codes_facts_and_schemas() {
    let source = read(SMALL).expect("well formed");
    assert_eq!(source.description, "A small protocol.");
    let lists: Vec<_> = source.lists.iter().map(|list| (list.key.as_str(), list.entries.len())).collect();
    assert_eq!(lists, [("methods", 2), ("error_codes", 1), ("command_fields", 1)]);
    let paths: Vec<_> = source.documents.iter().map(|document| document.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "methods/look.request.json",
            "methods/look.response.json",
            "methods/act.request.json",
            "methods/act.response.json",
            "response.json",
            "error.response.json",
            "error.json",
            "id.json",
            "command.json",
        ]
    );
    let constants: Vec<_> = source.constants.iter().map(|c| format!("{}={}", c.rust, c.value)).collect();
    assert_eq!(constants, ["JSONRPC_VERSION=\"2.0\"", "MAX_LINE_BYTES=100"]);
    let [error] = &source.errors[..] else { panic!("one code") };
    assert_eq!((error.rust.as_str(), error.code.to_string().as_str()), ("QUEUE_FULL", "-2"));
}

#[test]
fn requests_and_responses_have_the_envelope_of_json_rpc() {
    let source = read(SMALL).expect("well formed");
    let request = document(&source, "methods/look.request.json");
    assert_eq!(text(request, "/title"), "look request");
    assert_eq!(text(request, "/description"), "Look.");
    assert_eq!(at(request, "/required"), r#"["jsonrpc","id","method","params"]"#);
    assert_eq!(text(request, "/properties/jsonrpc/const"), "2.0");
    assert_eq!(text(request, "/properties/id/$ref"), "../id.json");
    assert_eq!(text(request, "/properties/method/const"), "look");
    assert_eq!(text(request, "/properties/params/title"), "Look params");
    assert!(request.get("additionalProperties").is_none(), "open for further members");

    let response = document(&source, "methods/look.response.json");
    assert_eq!(at(response, "/required"), r#"["jsonrpc","id","result"]"#);
    assert_eq!(text(response, "/properties/result/title"), "Look result");
    assert_eq!(text(response, "/properties/result/properties/at/title"), "At");
    assert_eq!(at(response, "/properties/error"), "false");

    let any = document(&source, "response.json");
    assert_eq!(
        at(any, "/allOf"),
        r#"[{"not":{"required":["result","error"]}},{"anyOf":[{"required":["result"]},{"required":["error"]}]}]"#
    );
    assert_eq!(at(any, "/properties/id/oneOf"), r#"[{"type":"null"},{"$ref":"id.json"}]"#);
}

#[test]
fn a_schema_stands_where_the_catalogue_says_it() {
    let source = read(SMALL).expect("well formed");
    let document = source.documents.iter().find(|d| d.path == "methods/look.request.json").expect("there");
    assert_eq!(document.display, "catalogue.json");
    let params = document.root.pointer("/properties/params").expect("there");
    assert_eq!((params.span.line, params.span.column), (10, 73));
}

#[test]
fn prose_is_any_object_and_an_absent_result_any_value() {
    let source = read(SMALL).expect("well formed");
    let params = document(&source, "methods/act.request.json").pointer("/properties/params").expect("there");
    assert_eq!(text(params, "/type"), "object");
    assert!(params.get("properties").is_none());
    let result = document(&source, "methods/act.response.json").pointer("/properties/result").expect("there");
    assert!(result.get("type").is_none());
}

#[test]
fn lists_of_other_names_are_kept_and_other_arrays_are_not() {
    let source = read(
        r#"{ "tips": [{ "id": "t.a-tip", "requirement": "Do." }], "authors": ["A"], "notes": [{ "id": "n" }] }"#,
    )
    .expect("well formed");
    let [list] = &source.lists[..] else { panic!("one list") };
    assert_eq!((list.key.as_str(), list.entries[0].name.as_str()), ("tips", "a tip"));
    assert!(source.documents.is_empty());
}

#[test]
fn constants_of_codes_come_from_ids_and_fuller_names() {
    for (id, name, expected) in [
        ("p.error.parse", "Parse error", "PARSE_ERROR"),
        ("p.error.queue-full", "Command queue full", "QUEUE_FULL"),
        ("p.error.unauthorized", "Unauthorized", "UNAUTHORIZED"),
        ("p.error.parse", "Parser error", "PARSE"),
        ("p.error.7", "Seven", "N7"),
        ("queueFull", "x", "QUEUE_FULL"),
    ] {
        let catalogue = format!(
            r#"{{ "error_codes": [{{ "id": "{id}", "name": "{name}", "requirement": "R.", "code": 1 }}] }}"#
        );
        assert_eq!(read(&catalogue).expect("well formed").errors[0].rust, expected, "{id} {name}");
    }
}

#[test]
fn titles_are_unique_also_as_names_of_types() {
    let source = read(
        r#"{
          "methods": [
            { "id": "a", "name": "error", "requirement": "R.", "result": "{pos: {x}, at: [{x}], e: {y} | {z}}" },
            { "id": "b", "name": "get/pos", "requirement": "R.", "result": "{pos: {y}}" },
            { "id": "c", "name": "getPos", "requirement": "R." }
          ]
        }"#,
    )
    .expect("well formed");
    let mut titles = Vec::new();
    for document in &source.documents {
        collect_titles(&document.root, &mut titles);
    }
    let mut names: Vec<String> = titles.iter().map(|title| words(title).concat()).collect();
    names.sort();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all, "{titles:?}");
    for expected in
        ["error response 2", "Pos", "At entry", "E option 1", "Get pos result pos", "getPos request 2"]
    {
        assert!(titles.iter().any(|title| title == expected), "{expected} in {titles:?}");
    }
}

#[test]
fn what_is_malformed_is_reported_with_its_place() {
    for (from, to, expected) in [
        (
            "\"description\"",
            "\"schema_version\": 2, \"description\"",
            "2:21 (#/schema_version): 2 is no version of catalogues that is known; 1 is",
        ),
        (
            "\"description\"",
            "\"schema_version\": \"1\", \"description\"",
            "2:21 (#/schema_version): \"1\" is no version of catalogues that is known; 1 is",
        ),
        (r#""id": "m.look", "#, "", "10:5 (#/methods/0): a member `id` is missing"),
        ("\"m.look\"", "\"\"", "10:13 (#/methods/0/id): `id` is empty"),
        ("\"m.look\"", "7", "10:13 (#/methods/0/id): expected a string, found a number"),
        ("\"m.look\"", "\"c.to\"", "14:30 (#/command_fields/0/id): a second entry with the id `c.to`"),
        (r#""name": "look", "#, "", "10:5 (#/methods/0): a member `name` is missing"),
        (r#""requirement": "Look.", "#, "", "10:5 (#/methods/0): a member `requirement` is missing"),
        (
            "\"act\", \"req",
            "\"look\", \"req",
            "11:30 (#/methods/1/name): a second entry with the name `look`",
        ),
        ("\"{}\"", "\"{a: b}\"", "10:73 (#/methods/0/params): column 5 of the shape: `b` names no type"),
        ("\"{}\"", "\"[string]\"", "10:73 (#/methods/0/params): the params of a method are an object"),
        ("\"{}\"", "{}", "10:73 (#/methods/0/params): expected a string, found an object"),
        (
            "[\"look\", \"act\"]",
            "[\"look\"]",
            "6:16 (#/outputs/methods): `act` of the list `methods` is missing here",
        ),
        (
            "[\"look\", \"act\"]",
            "[\"act\", \"look\"]",
            "6:16 (#/outputs/methods): the order differs from that of the list `methods`",
        ),
        (
            "[\"look\", \"act\"]",
            "[\"look\", \"act\", \"run\"]",
            "6:32 (#/outputs/methods/2): `run` is not in the list `methods`",
        ),
        ("[\"look\", \"act\"]", "{}", "6:16 (#/outputs/methods): expected an array, found an object"),
        (
            "\"queue_full\": -2",
            "\"queue_full\": -3",
            "7:36 (#/outputs/error_codes/queue_full): -3 here, but -2 in the list `error_codes`",
        ),
        (
            "\"queue_full\": -2",
            "\"queue_full\": \"-2\"",
            "7:36 (#/outputs/error_codes/queue_full): expected an integer, found \"-2\"",
        ),
        (
            "\"queue_full\": -2",
            "\"queue_full\": -2, \"x\": 1",
            "7:45 (#/outputs/error_codes/x): `x` is not in the list `error_codes`",
        ),
        (
            "\"queue_full\": -2",
            "",
            "7:20 (#/outputs/error_codes): `queue_full` of the list `error_codes` is missing here",
        ),
        (", \"code\": -2", "", "13:19 (#/error_codes/0): a member `code` is missing"),
        ("\"code\": -2", "\"code\": 1.5", "13:94 (#/error_codes/0/code): expected an integer, found 1.5"),
        (
            "\"integer\"",
            "\"{\"",
            "14:91 (#/command_fields/0/value_type): column 2 of the shape: expected the name of a member, found the end",
        ),
        ("\"2.0\"", "2", "4:24 (#/outputs/jsonrpc_version): expected a string, found a number"),
        ("\"A small protocol.\"", "[]", "2:18 (#/description): expected a string, found an array"),
    ] {
        assert_eq!(
            problems(&SMALL.replacen(from, to, 1)),
            format!("catalogue.json:{expected}"),
            "{from} → {to}"
        );
    }
}

#[test]
fn what_is_no_catalogue_is_reported() {
    let none = "this is no catalogue: it has no list of entries with `id` and `requirement`";
    for (text, expected) in [
        ("[]", format!("1:1 (#): expected an object, found an array\ncatalogue.json:1:1 (#): {none}")),
        ("{}", format!("1:1 (#): {none}")),
        (r#"{"methods": 1}"#, "1:13 (#/methods): expected an array, found a number".to_owned()),
        (r#"{"methods": [1]}"#, "1:14 (#/methods/0): expected an object, found a number".to_owned()),
        (
            r#"{"a": [{"id": "x", "requirement": "r", "source": [1]}]}"#,
            "1:51 (#/a/0/source/0): expected an object, found a number".to_owned(),
        ),
        (
            r#"{"a": [{"id": "x", "requirement": "r", "source": [{"path": "p", "anchors": [0]}]}]}"#,
            "1:77 (#/a/0/source/0/anchors/0): expected a string, found a number".to_owned(),
        ),
    ] {
        assert_eq!(problems(text), format!("catalogue.json:{expected}"), "{text}");
    }
}

/// Whatever stands in place of any value: it is read or reported.
#[test]
fn no_wrong_value_makes_the_reader_panic() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../schemas/aicontrol/AiControlProtocol.json");
    let text = std::fs::read_to_string(path).expect("the catalogue is there");
    let original = crate::load::json("catalogue.json", &text).expect("JSON");
    let mut pointers = Vec::new();
    collect_pointers(&original, String::new(), &mut pointers);
    let wrongs = [Json::Null, Json::Number("1".into()), Json::String("{".into()), Json::Array(Vec::new())];
    for (pointer, wrong) in pointers.iter().zip(wrongs.iter().cycle()) {
        let mut root = original.clone();
        replace(&mut root, pointer, wrong.clone());
        let document = Document::new("catalogue.json", "catalogue.json", "", root);
        let _ = source(Source { documents: vec![document], ..Source::default() });
    }
}

/// What the catalogue of AiControl leaves to prose, its overlay says.
#[test]
fn the_overlay_of_aicontrol_fits_and_types_everything() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../ludwire.toml");
    let config = crate::config::read(&path).expect("ludwire.toml is well formed");
    let protocol = config.protocols.iter().find(|p| p.name == "aicontrol").expect("it is configured");
    let overlay = crate::overlay::read(&config, protocol).expect("the overlay is well formed");
    let mut source =
        source(crate::load::file(&config, &protocol.schemas).expect("JSON")).expect("well formed");
    crate::overlay::apply(&overlay, &mut source).expect("the overlay fits");
    crate::resolve::graph(&source.documents).expect("all references lead somewhere");

    let mut untyped = Vec::new();
    for document in &source.documents {
        let mut pointers = Vec::new();
        collect_pointers(&document.root, String::new(), &mut pointers);
        for pointer in pointers.iter().filter(|pointer| is_property(pointer)) {
            let schema = document.root.pointer(pointer).expect("the pointer is right");
            let says = |keyword: &str| schema.get(keyword).is_some();
            let is_typed = ["type", "const", "$ref", "oneOf"].iter().any(|keyword| says(keyword));
            if !is_typed && !matches!(schema.value, Json::Bool(false)) {
                untyped.push(format!("{}#{pointer}", document.path));
            }
        }
    }
    // An answer repeats whatever id the client chose.
    untyped.retain(|at| !at.ends_with("response.json#/properties/id"));
    assert_eq!(untyped, ["response.json#/properties/result", "error.json#/properties/data"]);
}

/// Whether a pointer leads to the schema of a member: through `properties` and a name, in turn.
fn is_property(pointer: &str) -> bool {
    let tokens: Vec<&str> = pointer.split('/').skip(1).filter(|token| *token != "items").collect();
    !tokens.is_empty()
        && tokens.len().is_multiple_of(2)
        && tokens.iter().step_by(2).all(|token| *token == "properties")
}

fn read(text: &str) -> Result<Source> {
    let root = crate::load::json("catalogue.json", text).expect("JSON");
    let document = Document::new("catalogue.json", "catalogue.json", text, root);
    source(Source { documents: vec![document], ..Source::default() })
}

/// What is reported, without the source lines.
fn problems(text: &str) -> String {
    let Err(found) = read(text) else { return "nothing".to_owned() };
    let mut problems = String::new();
    for (index, problem) in found.0.iter().enumerate() {
        let line = if index == 0 { "" } else { "\n" };
        write!(problems, "{line}{}: {}", problem.place, problem.message).expect("a string takes all");
    }
    problems
}

fn document<'a>(source: &'a Source, path: &str) -> &'a Node {
    &source.documents.iter().find(|document| document.path == path).expect("the document exists").root
}

fn at(node: &Node, pointer: &str) -> String {
    node.pointer(pointer).map(Node::to_string).unwrap_or_default()
}

fn text<'a>(node: &'a Node, pointer: &str) -> &'a str {
    node.pointer(pointer).and_then(Node::as_str).unwrap_or_default()
}

fn collect_titles(node: &Node, titles: &mut Vec<String>) {
    titles.extend(node.get("title").and_then(Node::as_str).map(str::to_owned));
    for child in node.members().iter().map(|member| &member.node).chain(node.items()) {
        collect_titles(child, titles);
    }
}

fn collect_pointers(node: &Node, at: String, pointers: &mut Vec<String>) {
    for member in node.members() {
        collect_pointers(&member.node, format!("{at}/{}", escape(&member.name)), pointers);
    }
    for (index, item) in node.items().iter().enumerate() {
        collect_pointers(item, format!("{at}/{index}"), pointers);
    }
    pointers.push(at);
}

fn replace(node: &mut Node, pointer: &str, value: Json) {
    let Some(rest) = pointer.strip_prefix('/') else {
        node.value = value;
        return;
    };
    let (token, rest) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
    match &mut node.value {
        Json::Object(members) => {
            let member = members.iter_mut().find(|member| escape(&member.name) == token);
            replace(&mut member.expect("the pointer is right").node, rest, value);
        }
        Json::Array(items) => replace(&mut items[token.parse::<usize>().expect("an index")], rest, value),
        _ => panic!("the pointer is wrong"),
    }
}
