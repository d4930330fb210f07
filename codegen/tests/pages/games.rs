//! `ludwire docs --manifest`, and the table in a README.

use super::Folder;
use serde_json::json;

fn manifest() -> String {
    let tools = json!([
        { "name": "ship/sail", "description": "Sails. Far.", "tags": ["actuator"], "inputSchema": { "type": "object" } },
        { "name": "ship/see", "description": "Sees.", "tags": ["sensor"] },
    ]);
    let manifest = json!({ "format": "ludwire-manifest/1", "name": "Sea", "version": "1", "tools": tools });
    format!("{manifest:#}")
}

const README: &str = "# Sea\r\n\r\n<!-- ludwire:tools -->\r\n<!-- /ludwire:tools -->\r\n\r\nEnd";

#[test]
fn pages_of_a_game() {
    let folder = Folder::new();
    folder.put("sea.json", &manifest());
    let write = ["--manifest", "sea.json", "--markdown", "docs/sea"];
    let check = [&write[..], &["--check"]].concat();
    assert_eq!(folder.docs(&check).0, 1, "there are none yet");
    assert_eq!(folder.docs(&write).0, 0);
    assert_eq!(folder.names("docs/sea/tools"), ["ship.sail.md", "ship.see.md"]);
    assert_eq!(folder.docs(&check).0, 0);
    // A tool that has gone takes its page along, whatever the version is then.
    folder.put("sea.json", &manifest().replace("ship/see", "ship/look").replace("\"1\"", "\"2\""));
    let (code, said, wrong) = folder.docs(&check);
    assert!(code == 1 && said.contains("extra: tools/ship.see.md"), "{said}{wrong}");
    assert_eq!(folder.docs(&write).0, 0);
    assert_eq!(folder.names("docs/sea/tools"), ["ship.look.md", "ship.sail.md"]);
    let (code, model, _) = folder.docs(&["--manifest", "sea.json", "--dump-model"]);
    assert!(code == 0 && model.contains("\"template\": \"game-tool.md\""), "{model}");
}

/// However the command is written, and wherever it is run: the pages are about the game.
#[test]
fn a_page_does_not_know_how_it_was_called() {
    let folder = Folder::new();
    folder.put("sea.json", &manifest());
    folder.put("README.md", README);
    folder.put("docs/here.txt", "");
    let here = folder.0.to_string_lossy().into_owned();
    assert_eq!(folder.docs(&["--manifest", "sea.json", "--markdown", "docs/sea"]).0, 0);
    let (from, to) = (format!("{here}/sea.json"), format!("{here}/docs/sea"));
    for arguments in [
        ["--manifest", "./sea.json", "--markdown", "docs/sea/"],
        ["--manifest", "docs/../sea.json", "--markdown", "./docs/./sea"],
        ["--manifest", &from, "--markdown", &to],
    ] {
        let (code, said, wrong) = folder.docs(&[&arguments[..], &["--check"]].concat());
        assert_eq!(code, 0, "{said}{wrong}");
    }
    let both = ["--manifest", "sea.json", "--markdown", "docs/sea", "--into", "README.md"];
    assert_eq!(folder.docs(&both).0, 0);
    assert_eq!(folder.docs(&["--manifest", "sea.json", "--markdown", "docs/sea", "--check"]).0, 0);
    let (code, _, wrong) = folder.docs(&["--manifest", "sea.json"]);
    assert!(code == 2 && wrong.contains("--markdown <DIR>|--into <FILE>|--dump-model"), "{wrong}");
}

#[test]
fn a_table_in_a_readme() {
    let folder = Folder::new();
    folder.put("sea.json", &manifest());
    folder.put("README.md", README);
    let write = ["--manifest", "sea.json", "--into", "README.md"];
    let check = [&write[..], &["--check"]].concat();
    let (code, said, _) = folder.docs(&check);
    assert!(code == 1 && said.contains("stale: README.md"), "{said}");
    assert!(said.contains("run: ludwire docs --manifest sea.json --into README.md"), "{said}");
    assert_eq!(folder.get("README.md"), README, "--check changes nothing");
    assert_eq!(folder.docs(&write).0, 0);
    let readme = folder.get("README.md");
    let row = "\r\n| `ship/sail` | actuator | Sails. |\r\n| `ship/see` | sensor | Sees. |\r\n\r\n<!-- /ludwire:tools -->\r\n\r\nEnd";
    assert!(
        readme.ends_with(row) && readme.matches('\n').count() == readme.matches("\r\n").count(),
        "{readme:?}"
    );
    assert_eq!(folder.docs(&check).0, 0);
    // With a folder of pages, from wherever the text is.
    folder.put("site/intro.md", README);
    let linked = ["--manifest", "sea.json", "--into", "site/intro.md", "--markdown", "docs/sea"];
    assert_eq!(folder.docs(&linked).0, 0);
    assert!(folder.get("site/intro.md").contains("| [`ship/sail`](../docs/sea/tools/ship.sail.md) |"));
    folder.put("README.md", "# Sea\n\n<!-- ludwire:tools -->\n");
    let (code, _, wrong) = folder.docs(&write);
    assert_eq!(code, 2);
    assert!(
        wrong.starts_with("error: README.md:3:1: `<!-- ludwire:tools -->` has no `<!-- /ludwire:tools -->`"),
        "{wrong}"
    );
    let (code, _, wrong) = folder.docs(&["--manifest", "sea.json", "--into", "none.md"]);
    assert!(code == 2 && wrong.contains("none.md"), "{wrong}");
}

#[test]
fn what_is_no_manifest_is_told_with_line_and_column() {
    let folder = Folder::new();
    for (content, told) in [
        ("{", "sea.json:1:"),
        ("[]", "sea.json:1:1: this is no manifest of a game"),
        (
            "{\n \"format\": \"ludwire-manifest/1\",\n \"name\": \"Sea\",\n \"tools\": [\n  { \"name\": 7 }\n ]\n}",
            "sea.json:5:13 (#/tools/0/name): this must be a text",
        ),
        ("{ \"format\": \"ludwire-manifest/1\", \"name\": \"a\", \"name\": \"b\" }", "sea.json:1:"),
    ] {
        folder.put("sea.json", content);
        let (code, _, wrong) = folder.docs(&["--manifest", "sea.json", "--markdown", "out"]);
        assert!(code == 2 && wrong.starts_with(&format!("error: {told}")), "{wrong}");
        assert!(!folder.0.join("out").exists(), "nothing is written");
    }
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    folder.put("sea.json", &deep);
    assert_eq!(folder.docs(&["--manifest", "sea.json", "--markdown", "out"]).0, 2);
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let folder = Folder::new();
    let names = ["../x", "../../x", "/etc/x", "..\\x", "con", "a/../../b", "C:\\x", "tools/../../../x", "."];
    let tools: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
    let manifest = json!({ "format": "ludwire-manifest/1", "name": "../Sea", "tools": tools });
    folder.put("in/sea.json", &manifest.to_string());
    let (code, _, wrong) = folder.docs(&["--manifest", "in/sea.json", "--markdown", "in/out"]);
    assert_eq!((code, wrong.as_str()), (0, ""));
    assert_eq!(folder.names("."), ["in"]);
    assert_eq!(folder.names("in"), ["out", "sea.json"]);
    assert_eq!(folder.names("in/out"), ["index.md", "tools"]);
    assert_eq!(folder.names("in/out/tools").len(), names.len());
}
