//! Pages of games, made from manifests that are written by hand.

mod hostile;
mod splicing;

use super::*;
use serde_json::{Value as Json, json};

fn manifest(tools: Json) -> Json {
    json!({ "format": FORMAT, "name": "Sea", "version": "1.0", "timeoutSeconds": 25.0, "tools": tools })
}

fn ours() -> Templates {
    Templates::new(None).expect("the templates are ours")
}

/// The pages by path.
fn rendered(manifest: &Json) -> std::collections::BTreeMap<String, String> {
    let manifest = Manifest::of(manifest, "sea.json").expect("it is a manifest");
    let pages = pages(&manifest, "ludwire docs").render(&ours()).expect("the templates are ours");
    pages.into_iter().map(|page| (page.path, page.content)).collect()
}

/// The page of the only tool, which has this schema.
fn page(input: &Json) -> String {
    let tools = json!([{ "name": "ship/sail", "description": "Sails.", "inputSchema": input }]);
    rendered(&manifest(tools))["tools/ship.sail.md"].clone()
}

/// The rows of the arguments.
fn rows(input: &Json) -> Vec<String> {
    let page = page(input);
    let arguments = page.split("## Arguments").nth(1).and_then(|rest| rest.split("## Result").next());
    let lines = arguments.expect("it has arguments").lines().filter(|line| line.starts_with('|'));
    lines.skip(2).map(str::to_owned).collect()
}

#[test]
fn what_is_nested_stands_in_place() {
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": ["at", "mast"],
        "properties": {
            "at": {
                "type": "object", "required": ["x"], "description": "Where.",
                "properties": { "x": { "type": "integer", "minimum": 0, "maximum": 15 }, "y": { "type": ["integer", "null"] } },
            },
            "mast": { "type": "array", "minItems": 1, "items": { "type": "object", "properties": { "sail": { "type": "string", "maxLength": 9 } } } },
            "names": { "type": "array", "uniqueItems": true, "items": { "type": "string", "minLength": 1 } },
            "gold": { "type": "string", "pattern": "^(0|[1-9][0-9]{0,2})$", "default": "7" },
            "depth": { "type": "object", "additionalProperties": { "type": "number", "exclusiveMinimum": 0 } },
        },
    });
    assert_eq!(
        rows(&schema),
        [
            "| `at` | object | yes |  |  | Where. |",
            "| `at.x` | integer | yes | 0 to 15 |  |  |",
            "| `at.y` | integer or null | no |  |  |  |",
            "| `mast` | list of object | yes | at least 1 item |  |  |",
            "| `mast[].sail` | text | no | at most 9 characters |  |  |",
            "| `depth` | object with values: number | no | each value: above 0 |  |  |",
            "| `gold` | integer as text | no | 0 to 999 | `\"7\"` |  |",
            "| `names` | list of text | no | no two equal<br>each: at least 1 character |  |  |",
        ]
    );
}

#[test]
fn alternatives_and_what_comes_again() {
    let schema = json!({
        "type": "object", "required": ["shape"],
        "properties": {
            "kind": { "oneOf": [{ "const": "brig", "description": "Two masts." }, { "const": "sloop" }] },
            "shape": { "oneOf": [
                { "type": "object", "required": ["is", "r"], "properties": { "is": { "const": "circle" }, "r": { "type": "number" } } },
                { "type": "object", "required": ["is"], "properties": { "is": { "const": "square" }, "side": { "$ref": "#/$defs/Tree" } } },
            ] },
            "tree": { "anyOf": [{ "$ref": "#/$defs/Tree" }, { "type": "null" }] },
            "within": { "$ref": "#" },
        },
        "$defs": { "Tree": { "type": "object", "properties": { "children": { "type": "array", "items": { "$ref": "#/$defs/Tree" } } } } },
    });
    assert_eq!(
        rows(&schema),
        [
            "| `shape` | object | yes |  |  |",
            "| `shape.r` | number | yes |  | Where `is` is `\"circle\"`.  |",
            "| `shape.side` | object | no |  | Where `is` is `\"square\"`.  |",
            "| `shape.side.children` | list of as `shape.side` | no |  |  |",
            "| `kind` | text | no | one of `\"brig\"` (Two masts.) and `\"sloop\"` |  |",
            "| `tree` | as `shape.side` or null | no |  |  |",
            "| `within` | as the whole | no |  |  |",
        ]
    );
}

#[test]
fn an_example_is_made_that_the_schema_accepts() {
    let made = |schema: Json| sample::arguments(&schema).map(|made| made.to_string());
    let of =
        |schema: Json| made(json!({ "type": "object", "required": ["a"], "properties": { "a": schema } }));
    for (schema, made) in [
        (json!({ "type": "integer" }), Some(r#"{"a":1}"#)),
        (json!({ "type": "integer", "minimum": 7 }), Some(r#"{"a":7}"#)),
        (json!({ "type": "integer", "maximum": -7, "multipleOf": 5 }), Some(r#"{"a":-10}"#)),
        (json!({ "type": "integer", "minimum": 2, "enum": [1, 3] }), Some(r#"{"a":3}"#)),
        (json!({ "type": "number", "exclusiveMinimum": 0, "maximum": 0.25 }), Some(r#"{"a":0.25}"#)),
        (json!({ "type": "string", "pattern": "^[a-f0-9]{4}$" }), Some(r#"{"a":"aaaa"}"#)),
        (json!({ "type": "string", "pattern": "^[a-z]+$", "minLength": 3 }), Some(r#"{"a":"aaa"}"#)),
        (json!({ "type": "string", "format": "date" }), Some(r#"{"a":"2026-01-31"}"#)),
        (
            json!({ "type": "array", "items": { "type": "boolean" }, "minItems": 2, "uniqueItems": true }),
            Some(r#"{"a":[true,false]}"#),
        ),
        (json!({ "type": ["null", "integer"] }), Some(r#"{"a":1}"#)),
        (json!({ "anyOf": [{ "type": "null" }, { "type": "string" }] }), Some(r#"{"a":"a"}"#)),
        (
            json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
            Some(r#"{"a":{"name":1}}"#),
        ),
        (json!({ "$ref": "#/$defs/missing" }), None),
        (json!({ "$ref": "#" }), None),
        (json!(false), None),
        (json!({ "type": "string", "minLength": 5, "maxLength": 4 }), None),
        (json!({ "type": "string", "pattern": "^(?=a)b$" }), None),
        (json!({ "type": "integer", "unevaluatedProperties": false }), None),
    ] {
        assert_eq!(of(schema.clone()).as_deref(), made, "{schema}");
    }
    // The game's own goes before what is made, unless it is wrong.
    let example =
        |examples: Json| made(json!({ "properties": { "a": { "type": "integer" } }, "examples": examples }));
    assert_eq!(example(json!([{ "a": 5 }])).as_deref(), Some(r#"{"a":5}"#));
    assert_eq!(example(json!([{ "a": "no" }])).as_deref(), Some(r#"{"a":1}"#));
}

/// What the examples in Rust say, as JSON again.
#[test]
fn rust_says_the_same_as_json() {
    let many: Vec<Json> = (0..60).map(Json::from).collect();
    for value in [
        json!({ "a": 1, "b": -5_000_000_000_i64, "c": u64::MAX, "d": 1.5, "e": 1e300, "f": [true, null, {}] }),
        json!({ "\u{202e}\"'\\": "\u{0}\n\u{1f3ae} `#\"#` */", "": "" }),
        json!({ "many": many, "\"##": "\"#" }),
    ] {
        let tool = json!([{ "name": "ship/sail", "inputSchema": { "examples": [value] } }]);
        let manifest = Manifest::of(&manifest(tool), "sea.json").expect("it is a manifest");
        let call = calls::Call::of(&manifest.tools[0], &sample::sorted(&value));
        let syn::Expr::Try(tried) = syn::parse_str(&call.rust).expect("it is Rust") else {
            panic!("{}", call.rust)
        };
        let syn::Expr::MethodCall(called) = *tried.expr else { panic!("{}", call.rust) };
        let said = match called.args.last() {
            Some(syn::Expr::Macro(json)) => json_of(json.mac.tokens.clone()),
            Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })) => text.value(),
            other => panic!("{}", other.is_some()),
        };
        assert_eq!(serde_json::from_str::<Json>(&said).expect("it is JSON"), value);
        assert_eq!(serde_json::from_str::<Json>(&call.arguments).expect("it is JSON"), value);
    }
}

/// What a state is set to, where it is not what is read.
#[test]
fn what_is_set_stands_beside_what_is_read() {
    let big = "^(0|[1-9][0-9]{0,19})$";
    for (read, write, told) in [
        (
            json!({ "type": "string", "pattern": big }),
            json!({ "type": "string", "pattern": "^(0|[1-9][0-9]{0,2}|1000)$" }),
            Some("Type: integer as text, 0 to 1000."),
        ),
        (
            json!({ "type": "integer", "minimum": 0 }),
            json!({ "type": "integer", "minimum": 0, "maximum": 1000 }),
            Some("Type: integer, 0 to 1000."),
        ),
        (json!({ "type": "integer" }), json!({ "type": "string" }), Some("Type: text.")),
        (
            json!({ "type": "integer" }),
            json!({ "type": "object" }),
            Some("It is an object; its members are not told."),
        ),
        (
            json!({ "type": "object", "properties": { "gold": {} } }),
            json!({ "type": "object", "additionalProperties": false }),
            Some("It is an empty object."),
        ),
        (json!({ "type": "integer" }), json!({ "type": "integer", "description": "Coins." }), None),
    ] {
        let mut sea = manifest(json!([]));
        sea["state"] = json!([{ "name": "coins", "writable": true, "schema": read, "writeSchema": write }]);
        let page = rendered(&sea)["state.md"].clone();
        let (_, set) = page.split_once("To set it, another value is given than is read:\n\n").unzip();
        assert_eq!(set.and_then(|set| set.lines().next()), told, "{page}");
    }
}

#[test]
fn of_one_there_is_no_plural() {
    let tool = json!([{ "name": "ship/sail" }]);
    for (times, seconds, told) in [
        (1, 1.0, "- It may be called once a minute and once a session."),
        (2, 1.5, "- It may be called twice a minute and twice a session."),
        (3, 2.0, "- It may be called 3 times a minute and 3 times a session."),
    ] {
        let mut sea = manifest(tool.clone());
        let limits = json!({ "perMinute": times, "perSession": times });
        sea["annotations"] = json!({ "ship/sail": { "limits": limits, "timeoutSeconds": seconds } });
        let page = rendered(&sea)["tools/ship.sail.md"].clone();
        assert!(page.contains(told), "{page}");
        assert_eq!(page.contains("waits 1 second for it"), times == 1, "{page}");
    }
}

/// Whether it is known what the variables are or not, the line can be sent.
#[test]
fn an_example_of_a_template_has_no_variables() {
    let arguments = json!({ "type": "object", "required": ["id"], "properties": { "id": { "type": "integer" }, "full": { "type": "boolean" } } });
    for arguments in [json!(null), arguments] {
        let mut sea = manifest(json!([]));
        sea["resources"] =
            json!([{ "uri": "gabp://game/beds/{id}{?full}", "name": "Beds", "arguments": arguments }]);
        let page = rendered(&sea)["resources.md"].clone();
        assert!(page.contains("ludwire-agent read gabp://game/beds/1\n"), "{page}");
        assert!(page.contains("\"params\":{\"uri\":\"gabp://game/beds/1\"}"), "{page}");
    }
}

fn json_of(tokens: proc_macro2::TokenStream) -> String {
    use proc_macro2::{Delimiter, TokenTree};
    let text = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let inside = json_of(group.stream());
            match group.delimiter() {
                Delimiter::Brace => format!("{{{inside}}}"),
                _ => format!("[{inside}]"),
            }
        }
        TokenTree::Literal(literal) => match syn::Lit::new(literal) {
            syn::Lit::Str(text) => Json::from(text.value()).to_string(),
            syn::Lit::Int(number) => {
                let value: i128 = number.base10_parse().expect("it is a number");
                let fits = match number.suffix() {
                    "" => i32::try_from(value).is_ok(),
                    "i64" => i64::try_from(value).is_ok(),
                    _ => u64::try_from(value).is_ok(),
                };
                assert!(fits || value == 5_000_000_000, "{number}");
                number.base10_digits().to_owned()
            }
            syn::Lit::Float(number) => number.base10_digits().to_owned(),
            _ => panic!("no other literals"),
        },
        other => other.to_string(),
    });
    text.collect()
}

#[test]
fn what_is_no_manifest_is_told_with_its_place() {
    let told = |value: Json| Manifest::of(&value, "sea.json").expect_err("it is none").to_string();
    assert!(told(json!([])).starts_with("sea.json: this is no manifest of a game: it has no \"format\""));
    assert!(told(json!({ "format": "other" })).contains("ludwire-manifest/1"));
    let wrong = json!({
        "format": FORMAT, "name": " ", "version": 7,
        "tools": [
            7, { "name": "a/b" }, { "name": "a/b", "inputSchema": [], "tags": [1] }, {}, { "name": "x".repeat(300) },
        ],
        "events": {}, "state": [{ "name": "", "schema": 3 }],
    });
    let lines: Vec<String> = told(wrong).lines().map(str::to_owned).collect();
    assert_eq!(
        lines,
        [
            "sea.json (#/name): the member `name` must be there, and no empty text",
            "sea.json (#/version): this must be a text",
            "sea.json (#/tools/0): this must be an object",
            "sea.json (#/tools/2/tags): tags are texts",
            "sea.json (#/tools/2/inputSchema): this must be a JSON Schema, an object or a boolean",
            "sea.json (#/tools/2/name): \"a/b\" stands twice in the list",
            "sea.json (#/tools/3): the member `name` must be there, and no empty text",
            "sea.json (#/tools/4/name): a name of 300 bytes is too long for a page",
            "sea.json (#/events): this must be a list",
            "sea.json (#/state/0/name): the member `name` must be there, and no empty text",
            "sea.json (#/state/0/schema): this must be a JSON Schema, an object or a boolean",
        ]
    );
}

#[test]
fn names_of_files_are_safe_and_differ() {
    for (name, file) in [
        ("world/spawn_orc", "world.spawn_orc"),
        ("a-b/c", "a-b.c"),
        ("a.b", "a=2eb"),
        ("../x", "=2e=2e.x"),
        ("/etc/passwd", "=2fetc.passwd"),
        (".etc/passwd", "=2eetc.passwd"),
        ("Look", "=4cook"),
        ("con/x", "=63on.x"),
        ("com1", "=63om1"),
        ("c:\\x", "c=3a=5cx"),
        ("ü", "=c3=bc"),
    ] {
        assert_eq!(file_name(name), file);
    }
}

#[test]
fn what_a_protocol_does_not_tell_is_said() {
    for (protocol, told, forms) in [
        ("gabp", "told over GABP", ["`world/look`", ""]),
        ("aicc", "told over AICC", ["", "`world_look`"]),
        ("aicontrol", "told over AiControl", ["", ""]),
    ] {
        let name = if protocol == "aicc" { "world_look" } else { "world/look" };
        let schema =
            if protocol == "aicontrol" { Json::Null } else { json!({ "type": "object", "properties": {} }) };
        let mut manifest = manifest(json!([{ "name": name, "inputSchema": schema }]));
        manifest["toldBy"] = Json::from(protocol);
        let pages = rendered(&manifest);
        assert!(pages["index.md"].contains(told), "{}", pages["index.md"]);
        let page = &pages[&format!("tools/{}.md", file_name(name))];
        assert!(!page.contains("In a test of the game"), "{page}");
        for (head, form) in ["Over GABP, where it is ", "Over AICC, where it is "].into_iter().zip(forms) {
            assert_eq!(page.contains(head), !form.is_empty(), "{page}");
            assert!(page.contains(&format!("{head}{form}")) || form.is_empty(), "{page}");
        }
    }
}
