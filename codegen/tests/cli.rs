//! The command line as its users meet it: output, exit codes, the folder it starts from.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

const CONFIG: &str = r#"
[output]
src = "out/src"
docs = "out/docs"
hand_written = ["lib.rs"]

[[protocol]]
name = "toy"
kind = "json-schema"
schemas = "schemas"
overlay = "overlay.json"
"#;

const OVERLAY: &str = r#"{
  "title": "Toy",
  "description": "A protocol for tests.",
  "messages": [{ "kind": "message", "direction": "a → b", "files": "*.json", "name": "ping" }]
}"#;

const SCHEMA: &str = r#"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "Ping",
  "type": "object",
  "required": ["type"],
  "properties": { "type": { "const": "ping" }, "n": { "type": "integer" } },
  "additionalProperties": false
}"#;

/// A project in a folder that goes when the test ends.
struct Project(PathBuf);

impl Project {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("ludwire-cli-{}-{number}", std::process::id()));
        let project = Self(root);
        project.put("ludwire.toml", CONFIG);
        project.put("overlay.json", OVERLAY);
        project.put("schemas/ping.json", SCHEMA);
        project.put("out/src/lib.rs", "// By hand.\n");
        project
    }

    fn put(&self, path: &str, content: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("it is below the project")).expect("it is writable");
        fs::write(path, content).expect("it is writable");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).expect("it is a text")
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        ludwire(&self.0, arguments)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludwire"));
    command.current_dir(folder).args(arguments);
    command
}

/// Exit code, stdout, stderr.
fn ludwire(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command(folder, arguments).output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
    (status.code().expect("it was not killed"), text(stdout), text(stderr))
}

#[test]
fn generate_writes_once_and_check_agrees() {
    let project = Project::new();

    let (code, stdout, stderr) = project.run(&["generate", "--check"]);
    assert_eq!((code, stderr.as_str()), (1, ""), "{stdout}");
    assert!(stdout.contains("missing: out/docs/toy/index.md\n"), "{stdout}");
    assert!(stdout.ends_with("; run: cargo run -- generate\n"), "{stdout}");

    let (code, stdout, _) = project.run(&["generate", "--dry-run"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("would write out/docs/toy/index.md\n"), "{stdout}");
    assert!(!project.0.join("out/docs").exists());

    let (code, stdout, stderr) = project.run(&["generate"]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.contains("written out/docs/toy/index.md\n"), "{stdout}");
    let summary = stdout.lines().last().unwrap_or_default();
    assert!(
        summary.starts_with("1 protocol: ") && summary.ends_with(", 0 removed, 0 unchanged"),
        "{summary}"
    );

    let (code, stdout, _) = project.run(&["generate", "--check"]);
    assert_eq!(code, 0, "{stdout}");
    let (code, stdout, _) = project.run(&["generate"]);
    assert_eq!((code, stdout.lines().count()), (0, 2), "{stdout}");
    assert!(stdout.contains(" 0 written, 0 removed, "), "{stdout}");
}

#[test]
fn check_tells_stale_from_extra_and_shows_the_difference() {
    let project = Project::new();
    project.run(&["generate"]);
    project.put("out/docs/toy/index.md", "# Edited\n");
    project.put("out/src/orphan.rs", "");
    let (code, stdout, _) = project.run(&["generate", "--check"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("stale: out/docs/toy/index.md\n    --- in the folder\n"), "{stdout}");
    assert!(stdout.contains("\n    -# Edited\n"), "{stdout}");
    assert!(stdout.contains("extra: out/src/orphan.rs\n"), "{stdout}");
}

#[test]
fn the_configuration_is_found_from_a_folder_below() {
    let project = Project::new();
    let below = project.0.join("schemas");
    let (code, stdout, stderr) = ludwire(&below, &["generate"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("written out/docs/toy/index.md\n"), "{stdout}");
    assert!(project.0.join("out/docs/toy/index.md").exists());
}

#[test]
fn the_configuration_can_be_named() {
    let project = Project::new();
    let config = project.0.join("ludwire.toml");
    let config = config.to_str().expect("the path is UTF-8");
    let (code, _, stderr) = ludwire(&std::env::temp_dir(), &["generate", "--config", config]);
    assert_eq!(code, 0, "{stderr}");
    let (code, _, stderr) = project.run(&["generate", "--config", "none.toml"]);
    assert_eq!(code, 2);
    assert!(stderr.starts_with("error: ") && stderr.contains("none.toml"), "{stderr}");
}

#[test]
fn what_is_wrong_is_told_on_stderr_with_its_place() {
    let project = Project::new();
    project.put("schemas/broken.json", "{\n  \"a\": ?\n}");
    for arguments in [&["generate"][..], &["generate", "--check"]] {
        let (code, stdout, stderr) = project.run(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert!(stderr.starts_with("error: schemas/broken.json:2:8"), "{stderr}");
    }
}

#[test]
fn usage_errors_are_2_and_help_is_0() {
    let project = Project::new();
    for arguments in [&[][..], &["generat"], &["generate", "--check", "--dry-run"], &["generate", "--config"]]
    {
        assert_eq!(project.run(arguments).0, 2, "{arguments:?}");
    }
    let (code, stdout, _) = project.run(&["--help"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("generate  Bring the generated files up to date"), "{stdout}");
    let (code, stdout, _) = project.run(&["generate", "--help"]);
    assert_eq!(code, 0);
    for said in ["--check", "--dry-run", "--config <FILE>", "Exit status: 0 "] {
        assert!(stdout.contains(said), "{said} in {stdout}");
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_leaves_is_no_error() {
    let project = Project::new();
    let mut child = command(&project.0, &["generate", "--dry-run"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(child.stdout.take());
    let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
    assert_eq!((status.code(), String::from_utf8_lossy(&stderr).as_ref()), (Some(0), ""));
}

#[test]
fn emit_prints_a_module_without_a_configuration() {
    let project = Project::new();
    fs::remove_file(project.0.join("ludwire.toml")).expect("it is there");
    project.put(
        "a/main.json",
        r##"{"type": "object", "properties": {"p": {"$ref": "../b/part.json#/definitions/Part"}}}"##,
    );
    project
        .put("b/part.json", r#"{"definitions": {"Part": {"$ref": "http://x.test/s/t.json"}, "Other": {}}}"#);
    project.put("mapped/t.json", r#"{"title": "Far", "type": "string", "format": "date"}"#);
    let map = "http://x.test/s/=mapped";
    let (code, stdout, stderr) = project.run(&["emit", "--root", "Start", "--map", map, "a/main.json"]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    for said in ["pub struct Start {", "pub mod support {", "struct Far(String)", "support::Format::Date"] {
        assert!(stdout.contains(said), "{said} in {stdout}");
    }
    assert!(!stdout.contains("crate::") && !stdout.contains("type Other"), "{stdout}");
    let annotate = &["emit", "--formats", "annotate", "--map", map, "a/main.json"];
    let (code, stdout, _) = project.run(annotate);
    assert_eq!(code, 0);
    assert!(stdout.contains("pub struct Main {") && !stdout.contains("support::Format::Date"), "{stdout}");
    assert_eq!(project.run(annotate).1, stdout, "it is the same on every run");
}

#[test]
fn what_the_types_became_is_told() {
    let project = Project::new();
    project.put(
        "schemas/ping.json",
        &SCHEMA.replace(r#"{ "type": "integer" }"#, r#"{ "not": { "const": 7 } }"#),
    );
    let (code, out, _) = project.run(&["generate"]);
    assert_eq!(code, 0);
    let summary = "toy: 2 types, of them 1 structs and 0 enums, 1 of which typify laid out; checked JSON \
                   values: 1\n    PingN, schemas/ping.json:6:53 (#/properties/n)\n";
    assert!(out.starts_with(summary), "{out}");
    let (code, out, err) = project.run(&["emit", "schemas/ping.json"]);
    assert_eq!((code, out.contains("pub struct PingN(::serde_json::Value);")), (0, true));
    let note = "note: schemas/ping.json:6:53 (#/properties/n): PingN is a checked JSON value: no Rust type says \
                its rules\n";
    assert_eq!(err, note);
    let mixed = r#"{ "title": "Bag", "patternProperties": { "^a": false }, "properties": { "b": true }, "type": "object" }"#;
    project.put("mixed.json", mixed);
    let (_, _, err) = project.run(&["emit", "mixed.json"]);
    let note = "note: mixed.json:1:1 (#): the members of Bag without a field are checked JSON values: their names \
                decide what they may be\n";
    assert_eq!(err, note);
    project.put("schemas/ping.json", SCHEMA);
    let (_, _, err) = project.run(&["emit", "schemas/ping.json"]);
    assert_eq!(err, "");
}

#[test]
fn a_keyword_that_looks_misspelt_is_told_and_no_error() {
    let project = Project::new();
    project.put(
        "odd.json",
        r##"{
  "type": "object", "requird": ["a"],
  "$comment": "", "x-requird": [], "_comment": "", "example": 1, "note": "", "errorMessage": "",
  "properties": { "requird": { "minlength": 1 }, "typ": { "enum": [{ "propertis": 1 }], "examples": [{ "typ": 1 }] } }
}"##,
    );
    let (code, stdout, stderr) = project.run(&["emit", "odd.json"]);
    assert_eq!((code, stdout.contains("pub struct Odd")), (0, true), "{stderr}");
    let told: Vec<&str> = stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    let expected = [
        "warning: odd.json:2:21 (#/requird): \"requird\" is no keyword and says nothing; did you mean `required`?",
        "warning: odd.json:4:32 (#/properties/requird/minlength): \"minlength\" is no keyword and says nothing; did \
         you mean `minLength`?",
    ];
    assert_eq!(told, expected, "{stderr}");
    assert!(
        stderr.contains("\n 2 |   \"type\": \"object\", \"requird\": [\"a\"],\n   |                     ^\n"),
        "{stderr}"
    );
    project.put("schemas/ping.json", &SCHEMA.replace("\"title\"", "\"titel\""));
    let (code, _, stderr) = project.run(&["generate"]);
    let start = "warning: schemas/ping.json:3:3 (#/titel): \"titel\" is no keyword";
    assert_eq!((code, stderr.starts_with(start)), (0, true), "{stderr}");
}

#[test]
fn warnings_are_told_before_the_errors_that_may_come_of_them() {
    let project = Project::new();
    let told = |stderr: &str| -> Vec<String> {
        let lines =
            stderr.lines().filter(|line| line.starts_with("warning: ") || line.starts_with("error: "));
        lines.map(|line| line.split_inclusive(": ").take(2).collect()).collect()
    };
    // A value that is none of the keyword, a reference that leads nowhere, and what cannot be typed exactly.
    for wrong in
        [r#""minimum": "1""#, r##""properties": { "a": { "$ref": "#/nowhere" } }"##, r#""pattern": "(""#]
    {
        let text = format!("{{\n  \"title\": \"A\", {wrong},\n  \"requird\": []\n}}");
        project.put("wrong.json", &text);
        let (code, stdout, stderr) = project.run(&["emit", "wrong.json"]);
        assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
        let told = told(&stderr);
        assert_eq!(told.len(), 2, "{stderr}");
        assert!(told[0].starts_with("warning: wrong.json:3:3 (#/requird)"), "{stderr}");
        assert!(told[1].starts_with("error: wrong.json:2:"), "{stderr}");
    }
    // Of a file beside the one that is wrong, too.
    project.put("schemas/ping.json", &SCHEMA.replace("\"title\"", "\"titel\""));
    project.put("schemas/wrong.json", r#"{ "type": "strng" }"#);
    let (code, _, stderr) = project.run(&["generate"]);
    let told = told(&stderr);
    assert_eq!((code, told.len()), (2, 2), "{stderr}");
    assert!(told[0].starts_with("warning: schemas/ping.json:3:3"), "{stderr}");
    assert!(told[1].starts_with("error: schemas/wrong.json:1:"), "{stderr}");
}

#[test]
fn emit_writes_a_file_only_if_the_schema_is_accepted() {
    let project = Project::new();
    project.put("a.json", r#"{"title": "A", "type": "integer"}"#);
    project.put("wrong.json", r#"{"type": "strng"}"#);
    project.put("a.rs", "old");
    let (code, stdout, stderr) = project.run(&["emit", "--out", "a.rs", "wrong.json"]);
    assert_eq!((code, stdout.as_str(), project.read("a.rs").as_str()), (1, "", "old"), "{stderr}");
    let (code, stdout, stderr) = project.run(&["emit", "--out", "a.rs", "a.json"]);
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""));
    let (_, printed, _) = project.run(&["emit", "a.json"]);
    assert_eq!(project.read("a.rs"), printed);
    for (out, told) in [("no/a.rs", "no/a.rs: cannot write"), (".", ".: is no file")] {
        let (code, _, stderr) = project.run(&["emit", "--out", out, "a.json"]);
        assert_eq!((code, stderr.contains(told)), (2, true), "{stderr}");
    }
}

#[test]
fn rules_that_say_nothing_or_leave_nothing_are_told() {
    let project = Project::new();
    project.put(
        "odd.json",
        r#"{
  "type": "object",
  "properties": {
    "a": { "type": "string", "format": "datetime" },
    "b": { "type": "string", "format": "colour-1", "minLength": 3, "maxLength": 2 },
    "c": { "type": "number", "minimum": 1.5, "maximum": 1.25 },
    "d": { "type": "number", "exclusiveMinimum": 100, "maximum": 1E+2 },
    "e": { "minItems": 1, "maxItems": 1, "minProperties": 2, "maxProperties": 0, "minimum": 1, "maximum": 1.0 },
    "f": { "items": { "type": "integer", "format": "int32" }, "contains": { "format": "double" }, "not": { "format": "byte" } }
  }
}"#,
    );
    let (code, _, stderr) = project.run(&["emit", "odd.json"]);
    let told: Vec<&str> = stderr.lines().filter_map(|line| line.strip_prefix("warning: odd.json:")).collect();
    let expected = [
        "4:30 (#/properties/a/format): \"datetime\" is no format that is known, and says nothing; did you mean \
         `date-time`?",
        "5:30 (#/properties/b/format): \"colour-1\" is no format that is known, and says nothing",
        "5:68 (#/properties/b/maxLength): no string keeps it beside `minLength` 3",
        "6:46 (#/properties/c/maximum): no number keeps it beside `minimum` 1.5",
        "7:55 (#/properties/d/maximum): no number keeps it beside `exclusiveMinimum` 100",
        "8:62 (#/properties/e/maxProperties): no object keeps it beside `minProperties` 2",
    ];
    assert_eq!((code, told), (0, expected.to_vec()), "{stderr}");
}

#[test]
fn emit_reads_the_standard_input() {
    let project = Project::new();
    project.put("part.json", r#"{"type": "integer", "maximum": 7}"#);
    let run = |text: &[u8], arguments: &[&str]| {
        let mut child = command(&project.0, arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        child.stdin.take().expect("it is piped").write_all(text).expect("it reads");
        let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
        let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
        (status.code().expect("it was not killed"), text(stdout), text(stderr))
    };
    let (code, stdout, stderr) = run(br#"{"items": {"$ref": "part.json"}, "type": "array"}"#, &["emit", "-"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    for said in ["pub type Stdin = Vec<Part>;", "pub struct Part(", "/// Integer, at most 7."] {
        assert!(stdout.contains(said), "{said} in {stdout}");
    }
    let (code, _, stderr) = run(br#"{"type": "strng"}"#, &["emit", "--root", "Start", "-"]);
    assert_eq!(code, 1);
    assert!(
        stderr.starts_with("error: stdin:1:10 (#/type): \"strng\" is not a type;")
            && stderr.contains("\n 1 | {"),
        "{stderr}"
    );
    assert_eq!(run(b"\xff", &["emit", "-"]).0, 1);
    let (code, _, stderr) = run(b"{}", &["emit", "-", "-"]);
    assert_eq!((code, stderr.as_str()), (2, "error: -: the file is named twice\n"));
}

#[test]
fn what_stands_in_files_elsewhere_is_not_shown() {
    let project = Project::new();
    project.put("secret/key", "s3cr3t words\n");
    project.put("secret/odd.json", "{\"type\": \"strng\", \"title\": \"s3cr3t\"}");
    project.put("a/own.json", "{\"type\": \"strng\"}");
    let refer = |to: &str| format!(r#"{{"properties": {{"p": {{"$ref": "{to}"}}}}}}"#);
    for (to, place) in [
        ("../secret/key", "secret/key:1:1: expected value"),
        ("../secret/odd.json", "secret/odd.json:1:10 (#/type)"),
    ] {
        project.put("a/main.json", &refer(to));
        let (code, stdout, stderr) = project.run(&["emit", "a/main.json"]);
        assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
        assert!(stderr.starts_with(&format!("error: {place}")), "{stderr}");
        assert!(!stderr.contains("s3cr3t"), "{stderr}");
    }
    project.put("a/main.json", &refer("own.json"));
    let (_, _, stderr) = project.run(&["emit", "a/main.json"]);
    assert!(stderr.contains("\n 1 | {\"type\": \"strng\"}\n"), "{stderr}");
    // Who names the file has seen it.
    let (_, _, stderr) = project.run(&["emit", "secret/odd.json"]);
    assert!(stderr.contains("\n 1 | {"), "{stderr}");
}

#[test]
fn a_url_without_a_file_is_told_how_to_get_one() {
    let project = Project::new();
    project.put("a.json", r#"{"$ref": "https://x.test/s/t.json#/definitions/T"}"#);
    project.put("b.json", r#"{"$ref": "c.json"}"#);
    let (code, _, stderr) = project.run(&["emit", "a.json"]);
    assert_eq!(code, 1);
    assert!(
        stderr.contains("nothing is fetched: --map URL-PREFIX=FOLDER takes files for such URLs"),
        "{stderr}"
    );
    let (_, _, stderr) = project.run(&["emit", "b.json"]);
    assert!(stderr.contains("but no file is there") && !stderr.contains("--map"), "{stderr}");
    // Nothing takes files for URLs there.
    project.put("schemas/a.json", r#"{"$ref": "https://x.test/s/t.json"}"#);
    let (_, _, stderr) = project.run(&["generate"]);
    assert!(stderr.contains("but no file is there") && !stderr.contains("--map"), "{stderr}");
}

#[test]
fn emit_prints_what_its_code_depends_on() {
    let (code, stdout, _) = Project::new().run(&["emit", "--dependencies"]);
    assert_eq!(code, 0);
    for name in ["fluent-uri", "regress", "serde", "serde_json"] {
        assert!(stdout.lines().any(|line| line.starts_with(&format!("{name} = "))), "{name} in {stdout}");
    }
}

#[test]
fn emit_tells_a_refused_schema_from_other_errors() {
    let project = Project::new();
    project.put("typo.json", "{\n  \"type\": \"strng\",\n  \"minLength\": \"1\"\n}");
    project.put("broken.json", "{\n  \"a\": ?\n}");
    let (code, stdout, stderr) = project.run(&["emit", "typo.json"]);
    assert_eq!((code, stdout.as_str()), (1, ""));
    for said in ["typo.json:2:11 (#/type): \"strng\" is not a type", "typo.json:3:16 (#/minLength)", "^"] {
        assert!(stderr.contains(said), "{said} in {stderr}");
    }
    let (code, stdout, stderr) = project.run(&["emit", "broken.json"]);
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    for arguments in [
        &["emit"][..],
        &["emit", "none.json"],
        &["emit", "--root", "no name", "typo.json"],
        &["emit", "--root", "String", "typo.json"],
        &["emit", "--formats", "maybe", "typo.json"],
        &["emit", "--map", "nowhere", "typo.json"],
        &["emit", "--map", "http://x.test/=none", "typo.json"],
    ] {
        let (code, stdout, _) = project.run(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
    }
}

/// A toy with one request and its response.
fn asking(messages: &str, operations: &str) -> Project {
    let project = Project::new();
    let message = |own: &str| {
        format!(
            r#"{{"type": "object", "required": ["type", "method", "n"], "properties": {{{own}, "n": {{"minimum": 3}}}}}}"#
        )
    };
    project.put("schemas/a.request.json", &message(r#""type": {"const": "ask"}, "method": {"const": "a"}"#));
    project.put("schemas/a.response.json", &message(r#""type": {"const": "answer"}, "method": true"#));
    let rules = r#"{ "kind": "request", "direction": "", "files": "*.request.json" },
    { "kind": "response", "direction": "", "files": "*.response.json" }"#;
    let overlay =
        format!("{{ \"operations\": [{operations}],\n  \"messages\": [\n    {rules}{messages}]\n}}");
    project.put("overlay.json", &overlay);
    project
}

#[test]
fn a_wider_form_for_reading_is_a_type_of_its_own() {
    let wider = r#"{"operation": "replace", "for": "reading", "file": "a.response.json",
        "pointer": "/properties/n/minimum", "value": 1, "reason": "Others count from 1."}"#;
    let project = asking("", wider);
    let (code, stdout, stderr) = project.run(&["generate"]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let gap = "\n  without a `From` of what is written, which must be turned into them by hand:\n    \
               ReceivedAResponse, schemas/a.response.json:1:1 (#): nothing makes it of AResponse: the member `n` \
               is not seen to fit\n";
    assert!(stdout.contains(gap), "{stdout}");
    let read = |path: &str| fs::read_to_string(project.0.join(path)).expect("it was written");
    let types = read("out/src/toy/types.rs");
    for said in ["pub struct AResponse {", "pub struct ReceivedAResponse {", "Others count from 1."] {
        assert!(types.contains(said), "{said} in {types}");
    }
    assert!(!types.contains("ReceivedARequest"), "{types}");
    assert!(read("out/src/toy/messages.rs").contains("AResponse(super::types::ReceivedAResponse)"));
    for (page, said) in [("a", "| `/n` | Others count from 1. |"), ("index", "| replace, for reading only |")]
    {
        let page = read(&format!("out/docs/toy/{page}.md"));
        assert!(page.contains(said), "{said} in {page}");
    }
}

#[test]
fn what_is_wrong_with_an_overlay_is_told_at_its_place() {
    let told = |project: &Project, said: &str| {
        let (code, stdout, stderr) = project.run(&["generate"]);
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert!(stderr.contains(said), "{said} in {stderr}");
    };
    let operation = |pointer: &str, value: &str| {
        format!(
            r#"{{"operation": "replace", "for": "reading", "file": "a.request.json",
"pointer": "{pointer}", "value": {value}, "reason": "r"}}"#
        )
    };
    let nothing = operation("/properties/n", r#"{"minimum": 3, "description": "d"}"#);
    told(&asking("", &nothing), "overlay.json:1:18 (#/operations/0): no message is read in another way");
    let kind = operation("/properties/type/const", r#""question""#);
    told(&asking("", &kind), "must be known by the same members as what is written");
    let lost = operation("/properties/m", "1");
    told(&asking("", &lost), "overlay.json:2:12 (#/operations/0/pointer): there is nothing at /properties/m");
    let lost = operation("/propertys/n/minimum", "1");
    let said = "there is nothing at /propertys/n/minimum in a.request.json; did you mean /properties?\n 2 | \
                \"pointer\": \"/propertys/n/minimum\", \"value\": 1, \"reason\": \"r\"}],\n   |            ^";
    told(&asking("", &lost), said);
    let direction = r#",
    { "kind": "message", "direction": "", "files": "ping.json", "name": "ping",
      "directions": { "pong": "a" } }"#;
    told(
        &asking(direction, ""),
        "overlay.json:6:31 (#/messages/2/directions/pong): \"pong\" is no message here; did you mean \
         \"ping\"?",
    );
    told(
        &asking(&direction.replace("pong", "sing along"), ""),
        "(#/messages/2/directions/sing along): \"sing along\" is none of these messages: ping",
    );
    let answers = asking("", "");
    let overlay = fs::read_to_string(answers.0.join("overlay.json")).expect("it was written");
    answers.put(
        "overlay.json",
        &overlay.replacen('{', r#"{"answers": {"b": "a.response.json", "a": "b.json"},"#, 1),
    );
    told(&answers, "(#/answers/b): no request asks for the method \"b\"");
    told(&answers, "(#/answers/a): there is no file b.json");
    let orphan = asking("", "");
    orphan.put("schemas/b.response.json", r#"{"type": "object", "properties": {"n": {"type": "null"}}}"#);
    told(&orphan, "schemas/b.response.json:1:1 (#): it is not known what this response answers");
    told(&orphan, "there is no b.request.json");
}
