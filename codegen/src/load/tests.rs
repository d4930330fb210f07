use super::*;
use crate::json::Json;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for a test, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!("ludwire-load-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = Self(std::env::temp_dir().join(name));
        for (path, text) in files {
            folder.write(path, text.as_bytes());
        }
        folder
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("the folder can be made");
        fs::write(path, bytes).expect("the file can be written");
    }

    fn config(&self) -> Config {
        Config {
            root: self.0.clone(),
            src: String::new(),
            docs: String::new(),
            hand_written: Vec::new(),
            templates: None,
            together: None,
            protocols: Vec::new(),
        }
    }

    fn paths(&self, files: &[&str]) -> Result<Source> {
        paths(&files.iter().map(|file| self.0.join(file)).collect::<Vec<_>>())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A leftover in the temporary folder is nothing to fail for.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn refused<T>(result: Result<T>) -> String {
    result.map(|_| ()).expect_err("it is refused").to_string()
}

#[test]
fn places_count_lines_and_characters() {
    let text = "{\r\n\t\"é😀\": [1, \"\\u00e9\", 1e2],\n  \"b\": {\"c\": null}}";
    let root = json("a.json", text).expect("it is JSON");
    let at = |pointer: &str| root.pointer(pointer).map(|node| (node.span.line, node.span.column));
    assert_eq!(at(""), Some((1, 1)));
    assert_eq!(at("/é😀"), Some((2, 8)));
    assert_eq!(at("/é😀/1"), Some((2, 12)));
    assert_eq!(at("/é😀/2"), Some((2, 22)));
    assert_eq!(at("/b/c"), Some((3, 14)));
    assert_eq!(root.members()[1].span, Span { line: 3, column: 3 });
    assert!(
        matches!(&root.pointer("/é😀/2").expect("it is there").value, Json::Number(text) if text == "1e2")
    );
}

#[test]
fn strings_are_unescaped_as_serde_json_does_it() {
    let text = r#""\"\\\/\b\f\n\r\t\u0000\u00e9\ud83d\ude00 é😀""#;
    let node = json("a.json", text).expect("it is JSON");
    assert_eq!(node.as_str(), serde_json::from_str::<String>(text).ok().as_deref());
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
    for (text, expected) in [
        ("", "a.json:1:1: EOF while parsing a value"),
        ("{\"é\": tru}", "a.json:1:10: expected ident\n 1 | {\"é\": tru}\n   |          ^"),
        ("[1,\n 2,]", "a.json:2:4: trailing comma\n 2 |  2,]\n   |    ^"),
        ("{} {}", "a.json:1:4: trailing characters\n 1 | {} {}\n   |    ^"),
        ("[1] // x", "a.json:1:5: trailing characters\n 1 | [1] // x\n   |     ^"),
        ("'a'", "a.json:1:1: expected value\n 1 | 'a'\n   | ^"),
        ("01", "a.json:1:2: invalid number\n 1 | 01\n   |  ^"),
        (
            "\u{feff}{}",
            "a.json:1:1: the file starts with a byte order mark; save it as UTF-8 without one\n 1 | \u{feff}{}\n   | ^",
        ),
    ] {
        assert_eq!(refused(json("a.json", text)), expected, "{text}");
    }
    for text in [
        "+1",
        ".5",
        "5.",
        "0x1",
        "NaN",
        "Infinity",
        "{a: 1}",
        "[1 2]",
        "\"\\x41\"",
        "\"\\ud800\"",
        "\"\u{1}\"",
        "1e999",
    ] {
        refused(json("a.json", text));
    }
}

#[test]
fn too_deep_is_refused() {
    for (depth, fine) in [(127, true), (128, false), (100_000, false)] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            assert_eq!(json("a.json", &text).is_ok(), fine, "{depth}");
        }
    }
}

#[test]
fn every_second_member_of_a_name_is_refused() {
    let text = "{\"a\": 1,\n \"b\": [{\"x\": 1, \"\\u0078\": 2}],\n \"a\": 3}";
    let found = json("a.json", text).expect_err("it is refused");
    let found: Vec<String> =
        found.0.iter().map(|problem| format!("{}: {}", problem.place, problem.message)).collect();
    assert_eq!(
        found,
        [
            "a.json:2:17 (#/b/0/x): \"x\" is already a member, from line 2",
            "a.json:3:2 (#/a): \"a\" is already a member, from line 1",
        ]
    );
}

#[test]
fn a_folder_is_read_by_path_and_only_its_json() {
    let folder = Folder::new(&[
        ("s/b.json", "{}"),
        ("s/a/z.json", "[]"),
        ("s/a.json", "{ }"),
        ("s/README.md", "no JSON"),
        ("s/.hidden.json", "no JSON"),
        ("s/.folder/a.json", "no JSON"),
    ]);
    let source = super::folder(&folder.config(), "s").expect("it is right");
    let paths: Vec<&str> = source.documents.iter().map(|document| document.path.as_str()).collect();
    assert_eq!(paths, ["a.json", "a/z.json", "b.json"]);
    assert_eq!(source.documents[1].display, "s/a/z.json");
    assert_eq!(source.sources[2].path, "s/b.json");
    assert_eq!(source.sources[2].sha256, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
}

#[test]
fn what_is_wrong_with_files_is_said_at_once() {
    let folder = Folder::new(&[("s/a.json", "{"), ("s/c.json", "{}"), ("f", ""), ("empty/README.md", "")]);
    folder.write("s/b.json", b"{\n \"\xff\": 1}");
    assert_eq!(
        refused(super::folder(&folder.config(), "s")),
        "s/a.json:1:1: EOF while parsing an object\n 1 | {\n   | ^\ns/b.json:2:3: the file is not UTF-8 text"
    );
    assert_eq!(refused(super::folder(&folder.config(), "no")), "no: there is no such folder");
    assert_eq!(refused(super::folder(&folder.config(), "f")), "f: it is not a folder");
    assert_eq!(refused(super::folder(&folder.config(), "empty")), "empty: the folder holds no `.json` file");
    assert_eq!(refused(file(&folder.config(), "no.json")), "no.json: there is no such file");
    assert!(refused(file(&folder.config(), "s")).starts_with("s: it can't be read: "));
}

#[cfg(unix)]
#[test]
fn a_circle_of_links_is_refused() {
    let folder = Folder::new(&[("s/in/a.json", "{}")]);
    std::os::unix::fs::symlink(folder.0.join("s"), folder.0.join("s/in/up")).expect("a link can be made");
    assert_eq!(
        refused(super::folder(&folder.config(), "s")),
        "s/in/up: symbolic links lead to this folder twice"
    );
    let folder = Folder::new(&[("s/a.json", "{}")]);
    std::os::unix::fs::symlink("b.json", folder.0.join("s/b.json")).expect("a link can be made");
    assert!(refused(super::folder(&folder.config(), "s")).starts_with("s/b.json: it can't be read: "));
}

#[test]
fn a_catalogue_is_one_file() {
    let folder = Folder::new(&[("s/list.json", "{}")]);
    let source = file(&folder.config(), "s/list.json").expect("it is right");
    assert_eq!(
        (source.documents[0].path.as_str(), source.documents[0].display.as_str()),
        ("list.json", "s/list.json")
    );
}

#[test]
fn named_files_bring_what_they_refer_to() {
    let folder = Folder::new(&[
        (
            "in/a.json",
            r##"{"allOf": [{"$ref": "../b%20b.json#/x"}, {"$ref": "#"}, {"$ref": "https://x.test/c.json"}]}"##,
        ),
        ("b b.json", r#"{"x": {"$ref": "in/a.json"}, "enum": [{"$ref": "missing.json"}]}"#),
        ("c.json", "{}"),
    ]);
    let source = folder.paths(&["in/./a.json"]).expect("it is right");
    let found: Vec<(&str, bool)> =
        source.documents.iter().map(|document| (document.path.as_str(), document.on_demand)).collect();
    assert_eq!(found, [("in/a.json", false), ("b b.json", true)]);
    assert!(source.documents[0].display.ends_with("/in/a.json"));
    let source = folder.paths(&["c.json"]).expect("it is right");
    assert_eq!(source.documents[0].path, "c.json");
    assert!(refused(folder.paths(&["c.json", "in/../c.json"])).ends_with("the file is named twice"));
    assert!(refused(folder.paths(&["d.json"])).ends_with("there is no such file"));
    assert_eq!(refused(paths(&[])), ": no file is named");
}

#[test]
fn a_mapped_folder_is_there_on_demand() {
    let folder = Folder::new(&[("web/in/a.json", "{}")]);
    let documents = mapped(&folder.0.join("web"), "name").expect("it is right").documents;
    assert_eq!((documents[0].path.as_str(), documents[0].on_demand), ("name/in/a.json", true));
}
