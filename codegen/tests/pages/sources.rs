//! What the entries come from still holds what they name.

use super::{Folder, entry, toy, with};
use serde_json::json;

#[test]
fn paths_and_anchors_that_are_gone_are_all_told_with_their_entries() {
    let folder = Folder::new();
    folder.put("sources/src/a.py", "import x\r\ndef a(b):\r\n    return 1\r\n");
    let source = |path: &str, anchors: &[&str]| json!([{ "path": path, "anchors": anchors }]);
    let mut catalogue = toy();
    catalogue["sources"] = json!({ "sample": "src/a.py", "manual": "README.md" });
    catalogue["wire_rules"] = json!([
        entry("toy.one", "One"),
        with(entry("toy.two", "Two"), "source", source("src/a.py", &["def a(b):\n    return 1", "def b(a)"])),
        with(entry("toy.three", "Three"), "source", source("src/b.py", &["def a"])),
        with(entry("toy.four", "Four"), "source", source("../Toy.json", &[])),
        with(entry("toy.five", "Five"), "source", source("src", &[])),
    ]);
    folder.put("Toy.json", &serde_json::to_string_pretty(&catalogue).expect("it is JSON"));
    let run =
        |root: &str| folder.docs(&["--catalogue", "Toy.json", "--markdown", "pages", "--source-root", root]);
    let (code, _, said) = run("sources");
    assert_eq!(code, 2, "{said}");
    let told: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("error: Toy.json:")).collect();
    for (told, (pointer, message)) in told.iter().zip([
        ("(#/sources/manual)", "`sources.manual`: there is no longer such a file"),
        ("(#/wire_rules/1/source/0/anchors/1)", "`toy.two`: this text is no longer in src/a.py"),
        ("(#/wire_rules/2/source/0/path)", "`toy.three`: there is no longer such a file"),
        ("(#/wire_rules/3/source/0/path)", "`toy.four`: this is no path below the folder of the sources"),
        ("(#/wire_rules/4/source/0/path)", "`toy.five`: the file can't be read: "),
    ]) {
        assert!(told.contains(pointer) && told.contains(message), "{message} in {told}");
    }
    assert_eq!(told.len(), 5, "{said}");
    assert!(!folder.0.join("pages").exists(), "nothing is written");

    catalogue = toy();
    folder.put("Toy.json", &catalogue.to_string());
    assert_eq!(run("sources").0, 0);
    let (code, _, said) = run("elsewhere");
    assert!(code == 2 && said.contains("`toy.wire.line`: there is no longer such a file"), "{said}");
}
