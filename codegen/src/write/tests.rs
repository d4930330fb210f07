use super::*;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("ludwire-write-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("the folder for temporary files is writable");
        Self(path)
    }

    fn put(&self, path: &str, content: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("it is writable");
        fs::write(path, content).expect("it is writable");
    }

    fn get(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.0.join(path)).ok()
    }

    fn config(&self) -> Config {
        Config {
            root: self.0.clone(),
            src: "generated/src".to_owned(),
            docs: "generated/docs".to_owned(),
            hand_written: vec!["lib.rs".to_owned()],
            templates: None,
            together: None,
            protocols: Vec::new(),
        }
    }

    fn run(&self, files: &[OutputFile], mode: Mode) -> Report {
        run(&self.config(), files, mode).expect("nothing is wrong")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn file(path: &str, content: &str) -> OutputFile {
    OutputFile { path: path.to_owned(), content: content.to_owned() }
}

fn states(report: &Report) -> Vec<(&str, State)> {
    report.changes.iter().map(|change| (change.path.as_str(), change.state)).collect()
}

#[test]
fn writes_what_differs_and_removes_orphans_with_their_folders() {
    let folder = Folder::new();
    folder.put("generated/src/lib.rs", "by hand");
    folder.put("generated/src/same.rs", "same");
    folder.put("generated/src/old.rs", "old");
    folder.put("generated/src/gone/deep/orphan.rs", "");
    folder.put("generated/docs/orphan.md", "");
    folder.put("generated/Cargo.toml", "not ours");
    let files = [
        file("generated/docs/p/new.md", "new"),
        file("generated/src/old.rs", "renewed"),
        file("generated/src/same.rs", "same"),
    ];
    let before = fs::metadata(folder.0.join("generated/src/same.rs")).and_then(|found| found.modified());

    let report = folder.run(&files, Mode::Write);

    assert_eq!(
        states(&report),
        [
            ("generated/docs/orphan.md", State::Extra),
            ("generated/docs/p/new.md", State::Missing),
            ("generated/src/gone/deep/orphan.rs", State::Extra),
            ("generated/src/old.rs", State::Stale),
        ]
    );
    assert_eq!(folder.get("generated/docs/p/new.md").as_deref(), Some("new"));
    assert_eq!(folder.get("generated/src/old.rs").as_deref(), Some("renewed"));
    assert_eq!(folder.get("generated/src/lib.rs").as_deref(), Some("by hand"));
    assert_eq!(folder.get("generated/Cargo.toml").as_deref(), Some("not ours"));
    assert!(!folder.0.join("generated/src/gone").exists());
    assert!(!folder.0.join("generated/docs/orphan.md").exists());
    let after = fs::metadata(folder.0.join("generated/src/same.rs")).and_then(|found| found.modified());
    assert_eq!(before.ok(), after.ok());
    assert_eq!(
        report.to_string(),
        "removed generated/docs/orphan.md\n\
         written generated/docs/p/new.md\n\
         removed generated/src/gone/deep/orphan.rs\n\
         written generated/src/old.rs\n\
         0 protocols: 3 files, 2 written, 2 removed, 1 unchanged\n"
    );
    assert!(folder.run(&files, Mode::Write).is_clean());
}

#[test]
fn check_changes_nothing_and_tells_the_states_apart() {
    let folder = Folder::new();
    folder.put("generated/src/stale.rs", "one\ntwo\n");
    folder.put("generated/src/extra.rs", "");
    let files = [file("generated/src/missing.rs", ""), file("generated/src/stale.rs", "one\nthree\n")];

    let report = folder.run(&files, Mode::Check);

    assert_eq!(
        report.to_string(),
        "extra: generated/src/extra.rs\n\
         missing: generated/src/missing.rs\n\
         stale: generated/src/stale.rs\n\
         \x20   --- in the folder\n\
         \x20   +++ generated\n\
         \x20   @@ -1,2 +1,2 @@\n\
         \x20    one\n\
         \x20   -two\n\
         \x20   +three\n\
         0 protocols: 2 files, 1 stale, 1 missing, 1 extra, 0 unchanged\n\
         The generated files are out of date; run: cargo run -- generate\n"
    );
    assert!(!folder.0.join("generated/src/missing.rs").exists());
    assert!(folder.0.join("generated/src/extra.rs").exists());
    assert_eq!(folder.get("generated/src/stale.rs").as_deref(), Some("one\ntwo\n"));
}

#[test]
fn check_is_silent_about_a_clean_folder() {
    let folder = Folder::new();
    folder.put("generated/src/a.rs", "a");
    let report = folder.run(&[file("generated/src/a.rs", "a")], Mode::Check);
    assert!(report.is_clean());
    assert_eq!(report.to_string(), "0 protocols: 1 file, 0 stale, 0 missing, 0 extra, 1 unchanged\n");
}

#[test]
fn a_long_diff_is_cut() {
    let folder = Folder::new();
    let lines = |word: &str| (0..100).map(|n| format!("{word} {n}\n")).collect::<String>();
    folder.put("generated/src/a.rs", &lines("old"));
    let report = folder.run(&[file("generated/src/a.rs", &lines("new"))], Mode::Check);
    let text = report.to_string();
    assert!(text.contains("… 143 more lines of diff"), "{text}");
    assert!(text.lines().count() < 70, "{text}");
}

#[test]
fn crlf_is_a_difference_with_a_hint() {
    let folder = Folder::new();
    folder.put("generated/src/a.rs", "one\r\ntwo\r\n");
    let text = folder.run(&[file("generated/src/a.rs", "one\ntwo\n")], Mode::Check).to_string();
    assert!(text.contains("stale: generated/src/a.rs\n    only line endings differ"), "{text}");
    assert!(!text.contains("@@"), "{text}");
}

#[test]
fn dry_run_lists_what_write_would_do() {
    let folder = Folder::new();
    folder.put("generated/src/lib.rs", "by hand");
    folder.put("generated/src/extra.rs", "");
    let report = folder.run(&[file("generated/src/a.rs", "")], Mode::DryRun);
    assert_eq!(
        report.to_string(),
        "would write generated/src/a.rs\n\
         would remove generated/src/extra.rs\n\
         0 protocols: 1 file, 1 to write, 1 to remove, 0 unchanged\n"
    );
    assert!(folder.0.join("generated/src/extra.rs").exists());
}

#[test]
fn paths_outside_the_folders_are_internal_errors() {
    let folder = Folder::new();
    for path in [
        "generated/Cargo.toml",
        "generated/src",
        "generated/srcs/a.rs",
        "generated/src/../Cargo.toml",
        "generated/src//a.rs",
        "/etc/passwd",
        "generated/src/a\\..\\b.rs",
    ] {
        let error = run(&folder.config(), &[file(path, "")], Mode::Write).expect_err(path).to_string();
        assert!(error.contains("internal error") && error.contains(path), "{error}");
    }
    assert!(!folder.0.join("generated").exists());
}

#[test]
fn a_file_is_neither_generated_twice_nor_over_a_hand_written_one() {
    let folder = Folder::new();
    let twice = [file("generated/src/a.rs", ""), file("generated/src/a.rs", "")];
    let error = run(&folder.config(), &twice, Mode::Check).expect_err("twice").to_string();
    assert!(error.contains("twice"), "{error}");
    let error = run(&folder.config(), &[file("generated/src/lib.rs", "")], Mode::Check).expect_err("by hand");
    assert!(error.to_string().contains("hand-written"), "{error}");
}

#[test]
fn a_file_in_place_of_a_folder_goes_first() {
    let folder = Folder::new();
    folder.put("generated/src/lib.rs", "by hand");
    folder.put("generated/src/gabp", "a file");
    folder.run(&[file("generated/src/gabp/types.rs", "x")], Mode::Write);
    assert_eq!(folder.get("generated/src/gabp/types.rs").as_deref(), Some("x"));
}

#[test]
fn a_folder_in_place_of_a_file_is_an_error_with_its_path() {
    let folder = Folder::new();
    folder.put("generated/src/a.rs/x", "");
    let error = run(&folder.config(), &[file("generated/src/a.rs", "")], Mode::Write).expect_err("a folder");
    assert!(error.to_string().starts_with("generated/src/a.rs: "), "{error}");
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_neither_followed_nor_written_through() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    folder.put("outside/kept.rs", "kept");
    folder.put("outside/target.rs", "target");
    folder.put("generated/src/lib.rs", "");
    let link = |to: &str, at: &str| symlink(folder.0.join(to), folder.0.join(at)).expect("links work here");

    link("outside", "generated/src/linked");
    let error =
        run(&folder.config(), &[file("generated/src/linked/a.rs", "")], Mode::Write).expect_err("a link out");
    assert!(error.to_string().contains("symbolic link"), "{error}");

    link("outside/target.rs", "generated/src/a.rs");
    let report = folder.run(&[file("generated/src/a.rs", "target")], Mode::Write);
    assert_eq!(
        states(&report),
        [("generated/src/a.rs", State::Stale), ("generated/src/linked", State::Extra)]
    );
    assert_eq!(folder.get("outside/kept.rs").as_deref(), Some("kept"));
    assert_eq!(folder.get("outside/target.rs").as_deref(), Some("target"));
    assert!(!folder.0.join("generated/src/a.rs").is_symlink());
    assert!(!folder.0.join("generated/src/linked").exists());
}

#[test]
fn a_misspelt_hand_written_file_costs_nothing() {
    let folder = Folder::new();
    folder.put("generated/src/lib.rs", "by hand");
    let config = Config { hand_written: vec!["libb.rs".to_owned()], ..folder.config() };
    let files = [file("generated/src/new.rs", "new")];
    for mode in [Mode::Write, Mode::DryRun] {
        let problems = run(&config, &files, mode).expect_err("lib.rs would be removed").to_string();
        assert!(
            problems.contains("generated/src/libb.rs") && problems.contains("generated/src/lib.rs"),
            "{problems}"
        );
    }
    assert_eq!(folder.get("generated/src/lib.rs").as_deref(), Some("by hand"));
    assert_eq!(folder.get("generated/src/new.rs"), None);
}
