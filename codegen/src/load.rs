//! Reads a protocol's files.

mod named;
mod text;

use crate::config::Config;
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::ir::{Amendment, Constant, Contract, ErrorCode, RuleList};
use crate::json::{Node, Span};
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use named::{mapped, paths};
pub use text::json;
pub(crate) use text::span_at;

/// A JSON file.
#[derive(Clone, Debug)]
pub struct Document {
    /// Path below the protocol's folder, with forward slashes; a virtual document has one too.
    pub path: String,
    /// Path as diagnostics show it: from the folder of `ludwire.toml`.
    pub display: String,
    /// Its text, for showing lines; empty for a virtual document.
    pub text: String,
    /// Its content.
    pub root: Node,
    /// It only counts where another document refers to it: it was not named, but found beside one
    /// that was.
    pub on_demand: bool,
    /// Which parts of `root` stand in another file, because an overlay brought them in.
    pub patches: Vec<Patch>,
}

/// A part of a document that stands in another file.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Where it is in the document: a JSON pointer.
    pub pointer: String,
    /// The file that it stands in, as diagnostics show it.
    pub display: String,
    /// That file's text.
    pub text: Arc<str>,
}

/// Everything that a protocol's files say, before references are resolved.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The schemas.
    pub documents: Vec<Document>,
    /// The schemas of what is read, where the overlay makes them wider.
    pub reading: Option<Vec<Document>>,
    /// The files that were read, with their digests.
    pub sources: Vec<crate::ir::Source>,
    /// A catalogue's lists.
    pub lists: Vec<RuleList>,
    /// What a catalogue promises as a whole.
    pub contract: Option<Contract>,
    /// A catalogue's error codes.
    pub errors: Vec<ErrorCode>,
    /// A catalogue's facts.
    pub constants: Vec<Constant>,
    /// A catalogue's description.
    pub description: String,
    /// What the overlay changed.
    pub amendments: Vec<Amendment>,
}

/// Reads one file, `path` from the folder of `ludwire.toml`.
///
/// # Errors
///
/// A file that can't be read, and everything that makes it no JSON.
pub fn file(config: &Config, path: &str) -> Result<Source> {
    one(&config.root.join(path), path)
}

/// Reads one file; `display` is its path as diagnostics show it.
///
/// # Errors
///
/// As for [`file`](fn@file).
pub fn one(at: &Path, display: &str) -> Result<Source> {
    let name = display.rsplit('/').next().unwrap_or(display);
    let mut reader = Reader::default();
    reader.file(at, name, display);
    reader.finish()
}

/// Reads every `.json` file below a folder, `path` from the folder of `ludwire.toml`, sorted by
/// path. Names that start with a dot are passed over, as are all other files.
///
/// # Errors
///
/// A folder that is missing or without a `.json` file, a folder that symbolic links lead to twice,
/// and for each file what [`file`](fn@file) refuses.
pub fn folder(config: &Config, path: &str) -> Result<Source> {
    let mut reader = Reader::default();
    let (at, display) = (config.root.join(path), path.to_owned());
    reader.folder(Entry { at, path: String::new(), display });
    reader.finish()
}

/// A path with forward slashes, as diagnostics show it.
pub(crate) fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if std::path::MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace('\\', "/") }
}

/// A file that something is made from, with its digest.
pub(crate) fn source(display: &str, text: &str) -> crate::ir::Source {
    let sha256 = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    crate::ir::Source { path: display.to_owned(), sha256 }
}

/// Reads a text file.
///
/// # Errors
///
/// A file that can't be read or is not UTF-8; `display` is its name in diagnostics.
pub(crate) fn text(at: &Path, display: &str) -> Result<String> {
    utf8(display, read(at))
}

/// A file has so many bytes at most; a device may have no end.
const LARGEST: u64 = 256 << 20;

/// Reads what somebody has named. A pipe will do: what a game prints, as in `--manifest <(game --manifest)`.
fn read(at: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(at)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other(format!("it has more than {LARGEST} bytes")));
    }
    Ok(bytes)
}

/// The text that bytes are, if they could be read.
fn utf8(display: &str, bytes: io::Result<Vec<u8>>) -> Result<String> {
    let place = || Place { file: display.to_owned(), ..Place::default() };
    let bytes = bytes.map_err(|error| Diagnostics::one(place(), unreadable(&error)))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let span = span_at(&String::from_utf8_lossy(&error.as_bytes()[..valid]));
        Diagnostics::one(Place { span, ..place() }, "the file is not UTF-8 text")
    })
}

impl Document {
    /// A document that stands in one file.
    pub fn new(
        path: impl Into<String>,
        display: impl Into<String>,
        text: impl Into<String>,
        root: Node,
    ) -> Self {
        let (path, display, text) = (path.into(), display.into(), text.into());
        Self { path, display, text, root, on_demand: false, patches: Vec::new() }
    }

    /// The place of the value at `pointer` (`""`, `/properties/a`), which starts at `span`.
    pub fn place(&self, pointer: &str, span: Span) -> Place {
        let patch = self.patches.iter().find(|patch| is_below(pointer, &patch.pointer));
        let file = patch.map_or(&self.display, |patch| &patch.display);
        Place { file: file.clone(), span, pointer: format!("#{pointer}") }
    }

    /// Gives the problems in this document their source lines.
    pub fn add_lines(&self, problems: &mut Diagnostics) {
        problems.add_lines(&self.display, &self.text);
        for patch in &self.patches {
            problems.add_lines(&patch.display, &patch.text);
        }
    }
}

/// Whether a JSON pointer names the value at `ancestor` or one inside it.
pub(crate) fn is_below(pointer: &str, ancestor: &str) -> bool {
    pointer.strip_prefix(ancestor).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[derive(Default)]
struct Reader {
    source: Source,
    problems: Diagnostics,
}

struct Entry {
    at: PathBuf,
    path: String,
    display: String,
}

impl Reader {
    /// Reads a file; false when it is refused.
    fn file(&mut self, at: &Path, path: &str, display: &str) -> bool {
        self.add(text(at, display), path, display)
    }

    /// Takes the text of a file; false when it is refused.
    fn add(&mut self, text: Result<String>, path: &str, display: &str) -> bool {
        match text.and_then(|text| Ok((json(display, &text)?, text))) {
            Ok((root, text)) => {
                self.source.sources.push(source(display, &text));
                self.source.documents.push(Document::new(path, display, text, root));
                true
            }
            Err(problems) => {
                self.problems.append(problems);
                false
            }
        }
    }

    fn folder(&mut self, folder: Entry) {
        let display = folder.display.clone();
        let mut found = self.walk(folder);
        if found.is_empty() && self.problems.0.is_empty() {
            self.problem(&display, "the folder holds no `.json` file");
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        for entry in found {
            // Nobody has named it, so it is not a pipe that somebody writes to.
            if fs::metadata(&entry.at).is_ok_and(|found| !found.is_file()) {
                self.problem(&entry.display, "this is no file");
                continue;
            }
            self.file(&entry.at, &entry.path, &entry.display);
        }
    }

    /// The `.json` files below a folder. The folders to visit are a list, not calls, so that no depth
    /// of nesting matters.
    fn walk(&mut self, top: Entry) -> Vec<Entry> {
        let mut found = Vec::new();
        let mut visited = HashSet::new();
        let mut folders = vec![top];
        while let Some(folder) = folders.pop() {
            match self.list(&folder, &mut visited) {
                Ok(entries) => {
                    for entry in entries {
                        // `is_dir` follows symbolic links.
                        if entry.at.is_dir() {
                            folders.push(entry);
                        } else if entry.at.extension().is_some_and(|extension| extension == "json") {
                            found.push(entry);
                        }
                    }
                }
                Err(message) => self.problem(&folder.display, message),
            }
        }
        found
    }

    fn list(
        &self,
        folder: &Entry,
        visited: &mut HashSet<PathBuf>,
    ) -> std::result::Result<Vec<Entry>, String> {
        let real = fs::canonicalize(&folder.at).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            _ => unreadable(&error),
        })?;
        if !real.is_dir() {
            return Err("it is not a folder".to_owned());
        }
        if !visited.insert(real) {
            return Err("symbolic links lead to this folder twice".to_owned());
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(&folder.at).map_err(|error| unreadable(&error))? {
            let entry = entry.map_err(|error| unreadable(&error))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                return Err(format!("the name {} is not UTF-8", name.display()));
            };
            if !name.starts_with('.') {
                entries.push(Entry {
                    at: entry.path(),
                    path: join(&folder.path, name),
                    display: join(&folder.display, name),
                });
            }
        }
        // The system lists in any order; what is reported must not depend on it.
        entries.sort_by(|a, b| b.path.cmp(&a.path));
        Ok(entries)
    }

    fn problem(&mut self, display: &str, message: impl Into<String>) {
        self.problems.push(Place { file: display.to_owned(), ..Place::default() }, message);
    }

    fn finish(self) -> Result<Source> {
        self.problems.finish(self.source)
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{}/{name}", folder.trim_end_matches('/')) }
}

fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => format!("it can't be read: {error}"),
    }
}

#[cfg(test)]
mod tests;
