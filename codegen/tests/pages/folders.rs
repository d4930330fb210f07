//! What becomes of the files in the folder of the pages, and of those in the folder of templates.

use super::{Folder, entry, toy};
use serde_json::json;
use std::fs;

const RUN: [&str; 4] = ["--catalogue", "Toy.json", "--markdown", "pages"];

#[test]
fn only_pages_of_ours_are_touched() {
    let folder = Folder::new();
    let mut catalogue = toy();
    catalogue["more_rules"] = json!([entry("toy.more.one", "One")]);
    folder.put("pages/notes.md", "# ludwire\n\nBy hand.\n");
    folder.put("pages/logo.svg", "<!-- ludwire -->");
    folder.pages(&catalogue);
    let all = ["index.md", "logo.svg", "more-rules.md", "notes.md", "wire.md"];
    assert_eq!(folder.names("pages"), all);

    // A page that nothing makes any more goes, and one of another source stays.
    let other = folder.get("pages/wire.md").replace("Toy.json", "Other.json");
    folder.put("pages/other.md", &other);
    folder.pages(&toy());
    assert_eq!(folder.names("pages"), ["index.md", "logo.svg", "notes.md", "other.md", "wire.md"]);
    assert_eq!(folder.get("pages/notes.md"), "# ludwire\n\nBy hand.\n");
}

#[test]
fn every_page_gets_what_is_its_own() {
    let folder = Folder::new();
    folder.pages(&toy());
    let made: Vec<(String, String)> = folder
        .names("pages")
        .into_iter()
        .map(|name| (name.clone(), folder.get(&format!("pages/{name}"))))
        .collect();
    let (stale, gone) = (&made[0], &made[1]);
    folder.put(&format!("pages/{}", stale.0), &format!("{}More.\n", stale.1));
    fs::remove_file(folder.0.join("pages").join(&gone.0)).expect("it is there");
    // It stands between them in the list of what is to be done.
    folder.put("pages/j.md", &stale.1);
    let (code, said, _) = folder.docs(&RUN);
    assert_eq!(code, 0, "{said}");
    let now: Vec<(String, String)> = folder
        .names("pages")
        .into_iter()
        .map(|name| (name.clone(), folder.get(&format!("pages/{name}"))))
        .collect();
    assert_eq!(now, made);
}

#[test]
fn a_file_that_is_not_ours_in_the_place_of_a_page_stops_everything() {
    let folder = Folder::new();
    folder.put("Toy.json", &toy().to_string());
    folder.put("pages/wire.md", "# My notes on the wire\n");
    let (code, _, said) = folder.docs(&RUN);
    assert_eq!(code, 2);
    let expected =
        "error: wire.md: pages/wire.md was not written by ludwire; move it away, or choose another folder\n";
    assert_eq!(said, expected);
    assert_eq!(folder.names("pages"), ["wire.md"]);
    assert_eq!(folder.get("pages/wire.md"), "# My notes on the wire\n");

    fs::remove_file(folder.0.join("pages/wire.md")).expect("it is there");
    folder.put("pages/wire.md/x", "");
    let (code, _, said) = folder.docs(&RUN);
    assert!(code == 2 && said.contains("wire.md: a page belongs here, but there is a folder"), "{said}");
}

#[test]
fn templates_that_are_no_folder_are_told_once() {
    let folder = Folder::new();
    folder.put("Toy.json", &toy().to_string());
    folder.put("own", "");
    for (own, told) in [
        ("own", "error: own: templates are a folder, and this is a file\n"),
        ("none", "error: none: there is no such folder of templates\n"),
    ] {
        let (code, _, said) = folder.docs(&[&RUN[..], &["--templates", own]].concat());
        assert_eq!((code, said.as_str()), (2, told));
    }
}

/// Nothing waits for what nobody writes; only what is named may be a pipe.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_read_where_they_are_named() {
    use std::process::Command;

    let folder = Folder::new();
    folder.put("Toy.json", &toy().to_string());
    fs::create_dir(folder.0.join("own")).expect("it is writable");
    let pipe = |path: &str| {
        let made = Command::new("mkfifo").arg(folder.0.join(path)).status().expect("there is mkfifo");
        assert!(made.success());
    };
    pipe("own/note.md");
    let (code, _, said) = folder.docs(&[&RUN[..], &["--templates", "own"]].concat());
    let told = "error: own/note.md: a template belongs here, and this is no file\n";
    assert_eq!((code, said.as_str()), (2, told));
    pipe("README.md");
    let game = r#"{"format": "ludwire-manifest/1", "name": "Sea", "tools": []}"#;
    folder.put("sea.json", game);
    let (code, _, said) = folder.docs(&["--manifest", "sea.json", "--into", "README.md"]);
    assert!(
        code == 2 && said.contains("README.md: this is no file that could be brought up to date"),
        "{said}"
    );
    fs::create_dir(folder.0.join("sea")).expect("it is writable");
    pipe("sea/index.md");
    let (code, _, said) = folder.docs(&["--manifest", "sea.json", "--markdown", "sea"]);
    assert!(
        code == 2 && said.contains("a page belongs here, but there is something that is no file"),
        "{said}"
    );
    let (code, _, said) = folder.docs(&["--manifest", ".", "--markdown", "out"]);
    assert!(code == 2 && said.contains("directory"), "{said}");

    let shell = format!("\"$LUDWIRE\" docs --manifest /dev/stdin --markdown piped <<'E'\n{game}\nE");
    let mut command = Command::new("sh");
    command.current_dir(&folder.0).args(["-c", &shell]).env("LUDWIRE", env!("CARGO_BIN_EXE_ludwire"));
    let output = command.output().expect("a shell runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(folder.names("piped"), ["index.md"]);
    assert!(folder.get("piped/index.md").contains("run `ludwire docs --manifest FILE --markdown DIR`"));
}

#[cfg(unix)]
#[test]
fn links_in_the_folder_are_not_followed() {
    let folder = Folder::new();
    folder.put("Toy.json", &toy().to_string());
    folder.put("precious.md", "<!-- ludwire -->\n");
    fs::create_dir(folder.0.join("pages")).expect("it is writable");
    std::os::unix::fs::symlink("../precious.md", folder.0.join("pages/wire.md"))
        .expect("links are known here");
    let (code, _, said) = folder.docs(&RUN);
    assert!(code == 2 && said.contains("wire.md is a symbolic link, which is not followed"), "{said}");
    assert_eq!(folder.get("precious.md"), "<!-- ludwire -->\n");
}

#[test]
fn check_shows_what_differs_and_changes_nothing() {
    let folder = Folder::new();
    folder.pages(&toy());
    let check = || folder.docs(&[&RUN[..], &["--check"]].concat());
    assert_eq!(
        check(),
        (0, "pages: 2 files, 0 stale, 0 missing, 0 extra, 2 unchanged\n".to_owned(), String::new())
    );
    let edited = folder.get("pages/wire.md").replace("Do it.", "Do not.");
    folder.put("pages/wire.md", &edited);
    fs::remove_file(folder.0.join("pages/index.md")).expect("it is there");
    folder.put("pages/old.md", &edited);
    let (code, said, _) = check();
    assert_eq!(code, 1);
    for line in [
        "missing: index.md",
        "extra: old.md",
        "stale: wire.md",
        "    -| `toy.wire.line` | Lines | Do not. | Because. | src/a.py |",
        "pages: 2 files, 1 stale, 1 missing, 1 extra, 0 unchanged",
        "The generated files are out of date; run: ludwire docs --catalogue Toy.json --markdown pages",
    ] {
        assert!(said.lines().any(|found| found == line), "{line} in {said}");
    }
    assert_eq!(folder.get("pages/wire.md"), edited);
    assert_eq!(folder.names("pages"), ["old.md", "wire.md"]);
}

/// Time zone, language and place of the folder make no difference, nor does the order of anything.
#[test]
fn the_pages_are_the_same_on_every_machine() {
    let (here, there) = (Folder::new(), Folder::new());
    here.put("Toy.json", &toy().to_string());
    there.put("deep/er/Toy.json", &toy().to_string());
    let here_is = [("LC_ALL", "C"), ("TZ", "UTC"), ("COLUMNS", "80")];
    let there_is =
        [("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8"), ("TZ", "Asia/Kathmandu"), ("COLUMNS", "20")];
    assert_eq!(here.with(&RUN, &here_is).0, 0);
    let (catalogue, pages) = (there.0.join("deep/er/Toy.json"), there.0.join("pages"));
    let path = |path: &std::path::Path| path.to_str().expect("it is UTF-8").to_owned();
    let (code, _, said) =
        there.with(&["--catalogue", &path(&catalogue), "--markdown", &path(&pages)], &there_is);
    assert_eq!(code, 0, "{said}");
    assert_eq!(here.names("pages"), there.names("pages"));
    for name in here.names("pages") {
        assert_eq!(here.get(&format!("pages/{name}")), there.get(&format!("pages/{name}")));
    }
    let dump =
        |folder: &Folder, variables| folder.with(&["--dump-model", "--catalogue", "Toy.json"], variables);
    there.put("Toy.json", &toy().to_string());
    assert_eq!(dump(&here, &here_is), dump(&there, &there_is));
}

#[test]
fn templates_replace_ours_one_by_one() {
    let folder = Folder::new();
    folder.put("Toy.json", &toy().to_string());
    folder.put("own/note.md", "By {{ protocol.title | code }}.\n");
    folder.put("own/README.md", "About them.\n");
    folder.put("own/lists.md", "");
    folder.put("own/Titles.md", "");
    folder.put("own/colours.css", "");
    let run = || folder.docs(&[&RUN[..], &["--templates", "own"]].concat());
    let (code, _, said) = run();
    assert_eq!(code, 0, "{said}");
    let warnings: Vec<&str> = said.lines().collect();
    assert_eq!(warnings[0], "warning: own/Titles.md: replaces no template; did you mean titles.md?");
    assert!(
        warnings[1].starts_with("warning: own/colours.css: replaces no template; there are amendments.md, ")
    );
    assert_eq!(warnings[2], "warning: own/lists.md: replaces no template; did you mean list.md?");
    assert_eq!(warnings.len(), 3);
    assert!(folder.get("pages/wire.md").contains("\nBy `Toy`.\n"));

    folder.put("own/list.md", "{% include \"head.md\" %}\n\n{{ page.tittle }}\n");
    let (code, _, said) = run();
    assert!(
        code == 2 && said.contains("error: own/list.md:3:1: undefined value: `page.tittle` is undefined\n"),
        "{said}"
    );
    folder.put("own/note.md", "By\n\n{{ protocol.tittle | fence(\"text\") }}\n");
    fs::remove_file(folder.0.join("own/list.md")).expect("it is there");
    let (code, _, said) = run();
    let expected = "error: own/note.md:3:1: undefined value: in `{{ protocol.tittle | fence(\"text\") }}`\n";
    assert!(code == 2 && said.matches(expected).count() == 1, "{said}");
    folder.put("own/note.md", "By\n");
    folder.put("own/list.md", "{% include \"head.md\" %}\n\n[here](there.md)\n");
    let (code, _, said) = run();
    let expected = "error: wire.md:3:1: a link leads to `there.md`, but there is no page there.md";
    assert!(code == 2 && said.contains(expected), "{said}");
    let endless = "{% include \"head.md\" %}\n{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}\n";
    folder.put("own/list.md", endless);
    let (code, _, said) = run();
    let expected = "error: own/list.md:2:1: it comes to no end: a page takes 20000000 steps at most";
    assert!(code == 2 && said.contains(expected), "{said}");
    folder.put("own/list.md", "Hello\n");
    let (code, _, said) = run();
    assert!(code == 2 && said.contains("error: wire.md: the first line of a page is a comment"), "{said}");
}
