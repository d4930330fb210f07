//! Copies of this project's inputs and outputs, on which the real binary of the generator runs.

use crate::workspace;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

/// A copy of `ludwire.toml`, the schemas and what is generated, which goes when the test ends.
pub struct Copy(PathBuf);

/// What a run of the generator said.
#[derive(Debug)]
pub struct Said {
    /// Its exit code.
    pub code: i32,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
}

/// The files of a folder: content, and when it was changed last.
pub type Files = BTreeMap<String, (Vec<u8>, SystemTime)>;

impl Copy {
    /// A new copy.
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let copy = Self(std::env::temp_dir().join(format!("ludwire-drift-{}-{number}", std::process::id())));
        let root = workspace();
        let inputs = ["schemas", "generated"].map(|folder| files(&root, folder));
        for path in inputs.iter().flat_map(BTreeMap::keys).map(String::as_str).chain(["ludwire.toml"]) {
            copy.put(path, &fs::read(root.join(path)).expect("the project is readable"));
        }
        copy
    }

    /// Writes a file.
    pub fn put(&self, path: &str, content: &[u8]) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("it is below the copy")).expect("the copy is writable");
        fs::write(path, content).expect("the copy is writable");
    }

    /// Reads a file.
    pub fn get(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Replaces text in a file, where it must stand.
    pub fn edit(&self, path: &str, old: &str, new: &str) {
        let text = self.get(path);
        let edited = text.replacen(old, new, 1);
        assert_ne!(edited, text, "{path} has no {old:?}");
        self.put(path, edited.as_bytes());
    }

    /// Removes a file.
    pub fn remove(&self, path: &str) {
        fs::remove_file(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// All files there are.
    pub fn files(&self) -> Files {
        files(&self.0, "")
    }

    /// The content of the files in a folder.
    pub fn content(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        files(&self.0, folder).into_iter().map(|(path, (content, _))| (path, content)).collect()
    }

    /// Runs the generator here.
    pub fn run(&self, arguments: &[&str]) -> Said {
        static BINARY: LazyLock<PathBuf> = LazyLock::new(build);
        let mut command = Command::new(&*BINARY);
        let Output { status, stdout, stderr } =
            command.current_dir(&self.0).args(arguments).output().expect("the generator starts");
        let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
        Said { code: status.code().expect("it was not killed"), stdout: text(stdout), stderr: text(stderr) }
    }
}

impl Default for Copy {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // A folder that stays behind is no failure of what was tested.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Builds the binary, which Cargo does not do for the tests of another package, and says where it is.
fn build() -> PathBuf {
    // All packages, so that the features of dependencies are those of `cargo test --workspace`, and
    // little is left to build.
    let arguments = ["build", "--quiet", "--workspace", "--bin", "ludwire", "--message-format=json"];
    let output = Command::new(env!("CARGO")).current_dir(workspace()).args(arguments).output();
    let Output { status, stdout, stderr } = output.expect("cargo starts");
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    let messages = String::from_utf8(stdout).expect("cargo writes UTF-8");
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| message.get("executable")?.as_str().map(PathBuf::from))
        .expect("cargo names what it built")
}

/// The files below a folder of `root`, by their path from `root`.
fn files(root: &Path, folder: &str) -> Files {
    let mut found = Files::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(root.join(&folder)).unwrap_or_else(|error| panic!("{folder}: {error}")) {
            let entry = entry.expect("the folder can be listed");
            let name = entry.file_name().into_string().expect("names are UTF-8");
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let data = entry.metadata().expect("it is there");
            if data.is_dir() {
                waiting.push(path);
            } else {
                let content = fs::read(entry.path()).expect("the file is readable");
                found.insert(path, (content, data.modified().expect("the system notes times")));
            }
        }
    }
    found
}
