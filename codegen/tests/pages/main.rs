//! `ludwire docs` as its users meet it, and the pages as their readers do.

mod catalogues;
mod folders;
mod games;
mod language;
mod links;
mod model;
mod reader;
mod sources;
mod tables;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The folder of ludwire.toml.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("ludwire-pages-{}-{number}", std::process::id()));
        fs::create_dir_all(&root).expect("the folder for temporary files is writable");
        Self(root)
    }

    fn put(&self, path: &str, content: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("it is writable");
        fs::write(path, content).expect("it is writable");
    }

    fn get(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The names of the files in a folder, sorted.
    fn names(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.0.join(path)).expect("it is there");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("it is readable").file_name().into_string().expect("it is UTF-8")
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    /// Runs `ludwire docs` here: exit code, stdout, stderr.
    fn docs(&self, arguments: &[&str]) -> (i32, String, String) {
        self.with(arguments, &[])
    }

    fn with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludwire"));
        command.current_dir(&self.0).arg("docs").args(arguments).envs(variables.iter().copied());
        let output = command.output().expect("it starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it writes UTF-8");
        (output.status.code().expect("no signal ends it"), text(output.stdout), text(output.stderr))
    }

    /// Writes the pages of a catalogue into `pages`.
    fn pages(&self, catalogue: &Value) {
        self.put("Toy.json", &catalogue.to_string());
        let (code, _, said) = self.docs(&["--catalogue", "Toy.json", "--markdown", "pages"]);
        assert_eq!((code, said.as_str()), (0, ""));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A small catalogue with an entry in each of two lists.
fn toy() -> Value {
    json!({
        "schema_version": 1,
        "description": "A toy.",
        "wire_rules": [entry("toy.wire.line", "Lines")],
        "error_codes": [with(entry("toy.error.bad", "Bad"), "code", json!(-1))],
    })
}

fn entry(id: &str, name: &str) -> Value {
    json!({ "id": id, "name": name, "requirement": "Do it.", "rationale": "Because.",
            "source": [{ "path": "src/a.py", "anchors": ["def a"] }] })
}

fn with(mut value: Value, key: &str, member: Value) -> Value {
    value[key] = member;
    value
}
