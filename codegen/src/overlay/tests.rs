use super::*;
use crate::config::{Config, Kind, ProtocolConfig};
use crate::load::{self, Document, Source};
use crate::resolve;

fn overlay(operations: &str) -> Overlay {
    read::parse("o.json", &format!("{{\"operations\": [\n{operations}\n]}}")).expect("it is right")
}

fn source(files: &[(&str, &str)]) -> Source {
    let document = |(path, text): &(&str, &str)| {
        Document::new(*path, format!("s/{path}"), *text, load::json(path, text).expect("it is JSON"))
    };
    Source { documents: files.iter().map(document).collect(), ..Source::default() }
}

#[track_caller]
fn parse_problems(text: &str) -> Vec<String> {
    let found = read::parse("o.json", text).expect_err("it is refused");
    found.0.iter().map(|problem| format!("{}: {}", problem.place.pointer, problem.message)).collect()
}

#[track_caller]
fn apply_problems(operations: &str, files: &[(&str, &str)]) -> Vec<String> {
    let found = apply(&overlay(operations), &mut source(files)).expect_err("it is refused");
    found.0.iter().map(|problem| problem.to_string().lines().next().unwrap_or_default().to_owned()).collect()
}

#[track_caller]
fn applied(operations: &str, files: &[(&str, &str)]) -> Source {
    let mut source = source(files);
    apply(&overlay(operations), &mut source).unwrap_or_else(|problems| panic!("refused:\n{problems}"));
    source
}

#[test]
fn an_empty_text_is_refused_with_its_line() {
    let overlay = read::parse(
        "o.json",
        "{\"operations\": [\n{\"operation\": \"remove\", \"reason\": \"\", \"file\": \"a.json\"}]}",
    );
    let problems = overlay.expect_err("the reason is empty");
    assert_eq!(problems.0.len(), 1);
    assert_eq!(problems.0[0].message, "`reason` must not be empty");
    assert_eq!(problems.0[0].place.to_string(), "o.json:2:35 (#/operations/0/reason)");
    assert!(problems.0[0].line.is_some());
}

#[test]
fn members_become_what_they_stand_for() {
    let overlay = read::parse(
        "o.json",
        r#"{
            "messages": [
                {"kind": "request", "direction": "a", "files": "m/*.json", "directions": {"x": "b"}},
                {"kind": "event", "direction": "", "branches": "a.json", "name": "N"}
            ],
            "answers": {"m": "m.json"},
            "constants": [{"name": "protocolVersion", "value": [1], "description": "D"}],
            "errors": [
                {"name": "parse error (2)", "code": -32700, "description": "D"},
                {"name": "Range", "code": 1, "last": 9, "description": "D"},
                {"name": "NO_ENTRY", "code": "ENOENT", "description": "D"}
            ]
        }"#,
    )
    .expect("it is right");
    assert_eq!(overlay.display, "o.json");
    assert!(matches!(&overlay.messages[0].select, Select::Files(files) if files == "m/*.json"));
    let named = |list: &[Named]| -> Vec<String> {
        list.iter().map(|named| format!("{}: {} {}", named.place.pointer, named.name, named.text)).collect()
    };
    assert_eq!(named(&overlay.messages[0].directions), ["#/messages/0/directions/x: x b"]);
    assert!(matches!(&overlay.messages[1].select, Select::Branches(file) if file == "a.json"));
    assert_eq!(
        (overlay.messages[1].kind, overlay.messages[1].name.as_deref()),
        (MessageKind::Event, Some("N"))
    );
    assert_eq!(named(&overlay.answers), ["#/answers/m: m m.json"]);
    let constant = &overlay.constants[0];
    assert_eq!((constant.rust.as_str(), constant.value.to_string().as_str()), ("PROTOCOL_VERSION", "[1]"));
    let errors: Vec<(&str, String, Option<i64>)> = overlay
        .errors
        .iter()
        .map(|error| (error.rust.as_str(), error.code.to_string(), error.last))
        .collect();
    assert_eq!(
        errors,
        [
            ("PARSE_ERROR_2", "-32700".to_owned(), None),
            ("RANGE", "1".to_owned(), Some(9)),
            ("NO_ENTRY", "\"ENOENT\"".to_owned(), None),
        ]
    );
    assert_eq!(
        (overlay.errors[0].name.as_str(), overlay.errors[0].sources.as_slice()),
        ("parse error (2)", ["o.json".to_owned()].as_slice())
    );
}

#[test]
fn every_mistake_in_the_form_is_named() {
    let found = parse_problems(
        r#"{
            "titel": "T",
            "operations": [
                {"operation": "move", "file": "a", "reason": "r"},
                {"operation": "add", "file": "a", "reason": " "},
                {"operation": "remove", "file": "a", "pointer": "a", "reason": "r", "value": 1},
                {"operation": "remove", "file": "a", "pointer": "/~2", "reason": "r"},
                {"file": 1, "why": 1},
                5,
                {"operation": "remove", "file": [], "reason": "r", "for": "writing"},
                {"operation": "remove", "file": ["a", 1], "reason": "r", "for": null}
            ],
            "messages": [
                {"kind": "call", "direction": "d", "files": "a", "schema": "b"},
                {"kind": "event", "direction": "d", "directions": {"a": 1}}
            ],
            "answers": [],
            "constants": [{"name": "é", "value": 1}, {"name": "a b"}],
            "errors": [
                {"name": "a-b", "code": 1.5, "description": "d"},
                {"name": "twice", "code": 1, "last": 0, "description": "d"},
                {"name": "Twice", "code": 2, "description": "d", "retry": "soon"}
            ],
            "guide": {
                "questions": [{"ask": "a", "reply": "b"}, 5],
                "topics": [{"id": "a", "title": "", "steps": [{"message": 1}], "points": [1], "framed": {}}],
                "tool_names": {"title": "t", "pattern": "p", "longest": -1},
                "always": [null, {"when": "w"}],
                "messages": {"m": {"errors": [true]}}
            }
        }"#,
    );
    assert_eq!(
        found,
        [
            "#/titel: \"titel\" is no member of the overlay; there are title, description, operations, messages, answers, constants, errors, enforcement, guide",
            "#/operations/0/operation: \"move\" is no operation; expected add, replace or remove",
            "#/operations/1/reason: `reason` must not be empty",
            "#/operations/1: `value` is missing in an operation",
            "#/operations/2/pointer: \"a\" is no JSON pointer: it starts with /, and ~ is ~0",
            "#/operations/2/value: `remove` takes no `value`",
            "#/operations/3/pointer: \"/~2\" is no JSON pointer: it starts with /, and ~ is ~0",
            "#/operations/4/why: \"why\" is no member of an operation; there are operation, for, file, pointer, value, reason",
            "#/operations/4: `operation` is missing",
            "#/operations/4/file: `file` is a string, not a number",
            "#/operations/4: `reason` is missing",
            "#/operations/5: an operation is an object, not a number",
            "#/operations/6/for: \"writing\" is nothing to be for; expected \"reading\", or no `for`",
            "#/operations/6/file: `file` names no file",
            "#/operations/7/for: null is nothing to be for; expected \"reading\", or no `for`",
            "#/operations/7/file/1: `file` is a string or a list of strings, not of a number",
            "#/messages/0/kind: \"call\" is no kind; expected request, response, event or message",
            "#/messages/0: a message has exactly one of `files`, `schema` and `branches`",
            "#/messages/1/directions/a: \"a\" is a string, not a number",
            "#/messages/1: a message has exactly one of `files`, `schema` and `branches`",
            "#/answers: `answers` is an object of strings, not an array",
            "#/constants/0/name: \"é\" makes no Rust name: ASCII letters and digits, a letter first",
            "#/constants/1: `value` is missing",
            "#/errors/0/code: `code` is an integer or a string, not 1.5",
            "#/errors/1/last: `last` is an integer from `code` up, not 0",
            "#/errors/2/retry: `retry` is one of never, later, then and told, not \"soon\"",
            "#/guide: `for` is missing",
            "#/guide/questions/0/reply: \"reply\" is no member of a question; there are ask, answer, see",
            "#/guide/questions/0: `answer` is missing",
            "#/guide/questions/1: a question is an object, not a number",
            "#/guide/topics/0/framed: `message` is missing",
            "#/guide/topics/0/title: `title` must not be empty",
            "#/guide/topics/0/steps/0/message: `message` is a string, not a number",
            "#/guide/topics/0/steps/0: `text` is missing",
            "#/guide/topics/0/points/0: \"points\" holds strings, not a number",
            "#/guide/tool_names/longest: `longest` is a number of bytes, not -1",
            "#/guide/always/0: the use of a code is an object, not null",
            "#/guide/always/1: `code` is an integer or a string, and must be there",
            "#/guide/messages/m: `when` is missing",
            "#/guide/messages/m/errors/0: the use of a code is an object, not a boolean",
            "#/errors/2: TWICE is already the name of errors/1",
        ]
    );
    assert_eq!(parse_problems("[]"), ["#: the overlay is an object, not an array"]);
}

#[test]
fn a_protocol_without_overlay_has_an_empty_one() {
    let config = Config {
        root: ".".into(),
        src: "s".into(),
        docs: "d".into(),
        hand_written: Vec::new(),
        templates: None,
        together: None,
        protocols: Vec::new(),
    };
    let mut protocol = ProtocolConfig {
        name: "p".into(),
        kind: Kind::JsonSchema,
        schemas: "s".into(),
        overlay: None,
        source_url: None,
    };
    let overlay = read(&config, &protocol).expect("there is nothing to be wrong");
    assert!(overlay.operations.is_empty() && overlay.title.is_none());
    protocol.overlay = Some("no/such/overlay.json".to_owned());
    let problems = read(&config, &protocol).expect_err("it is not there");
    assert_eq!(problems.to_string(), "no/such/overlay.json: there is no such file");
}

#[test]
fn operations_are_carried_out_in_order() {
    let source = applied(
        r#"{"operation": "add", "file": "a.json", "pointer": "/a~1b", "value": {"x": 1}, "reason": "one"},
        {"operation": "replace", "file": "a.json", "pointer": "/a~1b/x", "value": 2, "reason": "two"},
        {"operation": "remove", "file": "a.json", "pointer": "/old", "reason": "three"},
        {"operation": "add", "file": "a.json", "pointer": "/list/1", "value": "b", "reason": "four"},
        {"operation": "add", "file": "a.json", "pointer": "/list/-", "value": "d", "reason": "five"},
        {"operation": "remove", "file": "a.json", "pointer": "/list/0", "reason": "six"},
        {"operation": "add", "file": "new/b.json", "value": {"title": "new"}, "reason": "seven"},
        {"operation": "add", "file": "new/b.json", "pointer": "/type", "value": "null", "reason": "eight"},
        {"operation": "remove", "file": "c.json", "reason": "nine"},
        {"operation": "replace", "file": "d.json", "value": true, "reason": "ten"}"#,
        &[("a.json", r#"{"old": 1, "list": ["a", "c"]}"#), ("c.json", "{}"), ("d.json", "{}")],
    );
    let found: Vec<(&str, String)> =
        source.documents.iter().map(|document| (document.path.as_str(), document.root.to_string())).collect();
    assert_eq!(
        found,
        [
            ("a.json", r#"{"list":["b","c","d"],"a/b":{"x":2}}"#.to_owned()),
            ("d.json", "true".to_owned()),
            ("new/b.json", r#"{"title":"new","type":"null"}"#.to_owned()),
        ]
    );
    let reasons: Vec<&str> = source.amendments.iter().map(|amendment| amendment.reason.as_str()).collect();
    assert_eq!(reasons, ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]);
    assert_eq!(
        (source.amendments[0].operation.as_str(), source.amendments[0].pointer.as_str()),
        ("add", "/a~1b")
    );
}

#[test]
fn every_operation_that_fails_is_named_at_its_place() {
    let found = apply_problems(
        r#"{"operation": "add", "file": "a.json", "value": {}, "reason": "r"},
{"operation": "add", "file": "a.json", "pointer": "/x", "value": {}, "reason": "r"},
{"operation": "add", "file": "a.json", "pointer": "/no/x", "value": {}, "reason": "r"},
{"operation": "add", "file": "a.json", "pointer": "/x/y", "value": {}, "reason": "r"},
{"operation": "add", "file": "a.json", "pointer": "/list/2", "value": {}, "reason": "r"},
{"operation": "add", "file": "a.json", "pointer": "/list/00", "value": {}, "reason": "r"},
{"operation": "add", "file": "../b.json", "value": {}, "reason": "r"},
{"operation": "replace", "file": "a.json", "pointer": "/no", "value": {}, "reason": "r"},
{"operation": "replace", "file": "a.json", "pointer": "/list/-", "value": {}, "reason": "r"},
{"operation": "remove", "file": "a.json", "pointer": "/list/1", "reason": "r"},
{"operation": "remove", "file": "b.json", "pointer": "/x", "reason": "r"}"#,
        &[("a.json", r#"{"x": 1, "list": [1]}"#)],
    );
    assert_eq!(
        found,
        [
            "o.json:2:30 (#/operations/0/file): there is already a file a.json",
            "o.json:3:51 (#/operations/1/pointer): there is already a value at /x in a.json",
            "o.json:4:51 (#/operations/2/pointer): there is nothing at /no in a.json",
            "o.json:5:51 (#/operations/3/pointer): what stands at /x in a.json is a number and has no members",
            "o.json:6:51 (#/operations/4/pointer): an item can't be added at /list/2 in a.json: there are 1",
            "o.json:7:51 (#/operations/5/pointer): an item can't be added at /list/00 in a.json: there are 1",
            "o.json:8:30 (#/operations/6/file): ../b.json is no path of a file in the protocol's folder",
            "o.json:9:55 (#/operations/7/pointer): there is nothing at /no in a.json",
            "o.json:10:55 (#/operations/8/pointer): there is nothing at /list/- in a.json",
            "o.json:11:54 (#/operations/9/pointer): there is nothing at /list/1 in a.json",
            "o.json:12:33 (#/operations/10/file): there is no file b.json",
        ]
    );
}

#[test]
fn an_operation_for_reading_changes_a_copy_after_all_others() {
    let source = applied(
        r#"{"operation": "add", "for": "reading", "file": ["a.json", "b.json"], "pointer": "/x/y", "value": 1, "reason": "one"},
        {"operation": "add", "file": ["a.json", "b.json"], "pointer": "/x", "value": {}, "reason": "two"}"#,
        &[("a.json", "{}"), ("b.json", r#"{"b": 1}"#)],
    );
    let texts = |documents: &[Document]| -> Vec<String> {
        documents.iter().map(|document| document.root.to_string()).collect()
    };
    assert_eq!(texts(&source.documents), [r#"{"x":{}}"#, r#"{"b":1,"x":{}}"#]);
    let reading = source.reading.expect("there is an operation for reading");
    assert_eq!(texts(&reading), [r#"{"x":{"y":1}}"#, r#"{"b":1,"x":{"y":1}}"#]);
    let noted: Vec<(&str, &str, bool)> = source
        .amendments
        .iter()
        .map(|amendment| (amendment.file.as_str(), amendment.reason.as_str(), amendment.reading))
        .collect();
    let expected = [
        ("a.json", "one", true),
        ("b.json", "one", true),
        ("a.json", "two", false),
        ("b.json", "two", false),
    ];
    assert_eq!(noted, expected);
    let source = applied(
        r#"{"operation": "add", "file": "a.json", "pointer": "/x", "value": 1, "reason": "r"}"#,
        &[("a.json", "{}")],
    );
    assert!(source.reading.is_none());
}

#[test]
fn operations_can_not_nest_without_end() {
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let pointer = "/0".repeat(100);
    let operations = format!(
        r#"{{"operation": "replace", "file": "a.json", "value": {deep}, "reason": "r"}},
        {{"operation": "replace", "file": "a.json", "pointer": "{pointer}", "value": {deep}, "reason": "r"}}"#
    );
    assert_eq!(
        apply_problems(&operations, &[("a.json", "{}")]),
        ["o.json:3:9 (#/operations/1): the value would be nested deeper than 127"]
    );
}

#[test]
fn what_the_overlay_brings_in_is_shown_there() {
    let source = applied(
        r#"{"operation": "add", "file": "a.json", "pointer": "/anyOf/0", "value": {"type": "nope"}, "reason": "r"},
{"operation": "add", "file": "a.json", "pointer": "/anyOf/0", "value": {"type": "null"}, "reason": "r"},
{"operation": "replace", "file": "a.json", "pointer": "/anyOf/1/type", "value": "strng", "reason": "r"},
{"operation": "remove", "file": "a.json", "pointer": "/anyOf/2", "reason": "r"},
{"operation": "add", "file": "b.json", "value": {"type": "nul"}, "reason": "r"}"#,
        &[("a.json", "{\"anyOf\": [\n{\"type\": \"array\"},\n{\"type\": \"objekt\"}]}")],
    );
    let problems = resolve::graph(&source.documents).expect_err("three types are unknown");
    let found: Vec<(String, Option<&str>)> = problems
        .0
        .iter()
        .map(|problem| (problem.place.to_string(), problem.line.as_deref().map(|line| &line[..12])))
        .collect();
    assert_eq!(
        found,
        [
            ("o.json:4:81 (#/anyOf/1/type)".to_owned(), Some("{\"operation\"")),
            ("o.json:6:58 (#/type)".to_owned(), Some("{\"operation\"")),
            ("s/a.json:3:10 (#/anyOf/2/type)".to_owned(), Some("{\"type\": \"ob")),
        ]
    );
}
