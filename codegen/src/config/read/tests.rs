use super::*;

fn config(text: &str) -> Result<Config> {
    parse(PathBuf::from("."), "ludwire.toml", text)
}

#[track_caller]
fn problems(text: &str) -> Vec<String> {
    let found = config(text).expect_err("it is refused");
    found.0.iter().map(|problem| format!("{}: {}", problem.place, problem.message)).collect()
}

#[test]
fn everything_is_read() {
    let config = config(
        r#"
[output]
src = "./out/src"
docs = "out/docs/"
hand_written = ["lib.rs", "more/mod.rs"]
templates = "templates"

[[protocol]]
name = "gabp"
kind = "json-schema"
schemas = "schemas/gabp"
overlay = "schemas/gabp.json"

[[protocol]]
name = "catalogue_2"
kind = "catalogue"
schemas = "list.json"
source_url = "https://example.test/"
"#,
    )
    .expect("it is right");
    assert_eq!((config.src.as_str(), config.docs.as_str()), ("out/src", "out/docs"));
    assert_eq!(config.hand_written, ["lib.rs", "more/mod.rs"]);
    assert_eq!(config.templates.as_deref(), Some("templates"));
    let [first, second] = config.protocols.as_slice() else { panic!("there are two") };
    assert_eq!((first.name.as_str(), first.kind), ("gabp", Kind::JsonSchema));
    assert_eq!(
        (first.schemas.as_str(), first.overlay.as_deref()),
        ("schemas/gabp", Some("schemas/gabp.json"))
    );
    assert_eq!((second.kind, second.source_url.as_deref()), (Kind::Catalogue, Some("https://example.test/")));
}

#[test]
fn what_is_left_out_has_a_default() {
    let config =
        config("[[protocol]]\nname = 'a'\nkind = 'catalogue'\nschemas = 'a.json'").expect("it is right");
    assert_eq!((config.src.as_str(), config.docs.as_str()), ("generated/src", "generated/docs"));
    assert_eq!((config.hand_written.as_slice(), config.templates), (["lib.rs".to_owned()].as_slice(), None));
}

#[test]
fn every_mistake_is_named_at_its_place() {
    assert_eq!(
        problems(
            r#"
outputs = 1
[output]
src = "../elsewhere"
docs = "/absolute"
templates = 5
hand_written = ["a\\b", 5]
sources = "x"
[[protocol]]
name = "type"
kind = "schema"
schemas = "C:/x"
[[protocol]]
name = "support"
overlay = "."
[[protocol]]
name = "Upper-case"
kind = "catalogue"
schemas = "a/../../b"
[[protocol]]
name = "a"
kind = 5
schemas = ""
"#
        ),
        [
            "ludwire.toml:2:1: \"outputs\" is no key of ludwire.toml; there are output, protocol, together",
            "ludwire.toml:8:1: \"sources\" is no key of [output]; there are src, docs, hand_written, templates",
            "ludwire.toml:4:7: what stands here is a path inside the folder of this file, without `..`: \"../elsewhere\"",
            "ludwire.toml:5:8: what stands here is a path from the folder of this file, not an absolute one: \"/absolute\"",
            "ludwire.toml:7:17: what stands here is a path with forward slashes, on every system: \"a\\\\b\"",
            "ludwire.toml:7:25: `hand_written` is an array of strings, not of an integer",
            "ludwire.toml:6:13: `templates` is a string, not an integer",
            "ludwire.toml:10:8: \"type\" is no name of a Rust module: a to z, digits and _, no keyword",
            "ludwire.toml:11:8: \"schema\" is no kind; expected \"json-schema\" or \"catalogue\"",
            "ludwire.toml:12:11: what stands here is a path from the folder of this file, not an absolute one: \"C:/x\"",
            "ludwire.toml:14:8: the module \"support\" is already there; choose another name",
            "ludwire.toml:13:1: `kind` is missing in [[protocol]]",
            "ludwire.toml:13:1: `schemas` is missing in [[protocol]]",
            "ludwire.toml:15:11: what stands here is the path of something inside the folder of this file: \".\"",
            "ludwire.toml:17:8: \"Upper-case\" is no name of a Rust module: a to z, digits and _, no keyword",
            "ludwire.toml:19:11: what stands here is a path inside the folder of this file, without `..`: \"a/../../b\"",
            "ludwire.toml:22:8: `kind` is a string, not an integer",
            "ludwire.toml:23:11: what stands here is the path of something inside the folder of this file: \"\"",
        ]
    );
}

#[test]
fn a_module_written_by_hand_is_no_protocol() {
    assert_eq!(
        problems("[[protocol]]\nname = 'lib'\nkind = 'catalogue'\nschemas = 'a.json'"),
        ["ludwire.toml:2:8: the module \"lib\" is already there; choose another name"]
    );
}

#[test]
fn a_name_is_for_one_protocol() {
    let protocol = "[[protocol]]\nname = 'a'\nkind = 'catalogue'\nschemas = 'a.json'\n";
    assert_eq!(
        problems(&format!("{protocol}{protocol}")),
        ["ludwire.toml:6:8: the protocol \"a\" is already there, in line 1"]
    );
}

#[test]
fn the_outputs_lie_apart() {
    let protocol = "[[protocol]]\nname = 'a'\nkind = 'catalogue'\nschemas = 'a.json'\n";
    assert_eq!(
        problems(&format!("[output]\nsrc = 'out'\ndocs = 'out/docs'\n{protocol}")),
        ["ludwire.toml:1:1: `src` and `docs` are folders apart, not out and out/docs"]
    );
}

#[test]
fn what_is_no_table_is_refused() {
    assert_eq!(problems(""), ["ludwire.toml:1:1: no protocol is named; add a [[protocol]] table"]);
    assert_eq!(
        problems("output = 1\nprotocol = 'x'"),
        [
            "ludwire.toml:1:10: `output` is a table, not an integer",
            "ludwire.toml:2:12: `protocol` is an array of tables: [[protocol]], not a string",
        ]
    );
    assert_eq!(problems("protocol = [1]"), ["ludwire.toml:1:13: a protocol is a table, not an integer"]);
}

#[test]
fn what_is_no_toml_is_refused_with_its_line() {
    let found = config("[output]\nsrc = \nname = 1 2").expect_err("it is no TOML");
    assert!(found.0.iter().all(|problem| problem.place.span.line > 1 && problem.line.is_some()), "{found}");
    let missing = read(Path::new("no/such/ludwire.toml")).expect_err("it is not there");
    assert_eq!(missing.to_string(), "no/such/ludwire.toml: there is no such file");
}
