//! Whether what a catalogue says of its sources still holds: the files are there, and the texts in
//! them that it names.

use super::{Reader, Spot};
use crate::diagnostics::{Diagnostics, Result};
use crate::load::Document;
use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Looks below `root` for every path of a catalogue, and in the files for every anchor: a text that
/// stands somewhere in the file, letter by letter. How lines end does not matter.
///
/// # Errors
///
/// Each path and each anchor that is not there, with the entry that names it.
pub fn check(document: &Document, root: &Path) -> Result<()> {
    let reader = Reader { file: &document.display, problems: Diagnostics::default() };
    let mut sources = Sources { reader, root, files: HashMap::new() };
    let spot = Spot { node: &document.root, pointer: String::new() };
    if let Some(references) = spot.member("sources") {
        for member in references.node.members() {
            if let Some(path) = references.member(&member.name) {
                sources.file(&path, &format!("sources.{}", member.name));
            }
        }
    }
    for list in spot.node.members() {
        for entry in spot.member(&list.name).iter().flat_map(Spot::items) {
            let name = entry.node.get("id").and_then(|id| id.as_str());
            let name = name.map_or_else(|| entry.pointer.clone(), str::to_owned);
            for source in entry.member("source").iter().flat_map(Spot::items) {
                sources.entry(&source, &name);
            }
        }
    }
    let mut problems = sources.reader.problems;
    document.add_lines(&mut problems);
    problems.finish(())
}

struct Sources<'a> {
    reader: Reader<'a>,
    root: &'a Path,
    /// What stands in the files that were read, or why they were not.
    files: HashMap<String, std::result::Result<String, String>>,
}

impl Sources<'_> {
    fn entry(&mut self, source: &Spot, name: &str) {
        let Some(path) = source.member("path") else { return };
        let Some(text) = self.file(&path, name) else { return };
        for anchor in source.member("anchors").iter().flat_map(Spot::items) {
            let Some(wanted) = anchor.node.as_str() else { continue };
            if !text.contains(&wanted.replace("\r\n", "\n")) {
                let path = path.node.as_str().unwrap_or_default();
                self.reader.report(&anchor, format!("`{name}`: this text is no longer in {path}"));
            }
        }
    }

    /// The text of the file that a path names; what is wrong with the path is reported.
    fn file(&mut self, path: &Spot, name: &str) -> Option<String> {
        let wanted = path.node.as_str()?;
        let root = self.root;
        let found = self.files.entry(wanted.to_owned()).or_insert_with(|| read(root, wanted));
        match found {
            Ok(text) => Some(text.clone()),
            Err(message) => {
                let message = format!("`{name}`: {message}");
                self.reader.report(path, message);
                None
            }
        }
    }
}

/// The text of a file below `root`, with line feeds only.
fn read(root: &Path, path: &str) -> std::result::Result<String, String> {
    let below = PathBuf::from(path);
    let plain = below.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !plain || path.contains('\\') {
        return Err("this is no path below the folder of the sources".to_owned());
    }
    let path = root.join(below);
    if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
        return Err("the file can't be read: it is none".to_owned());
    }
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n")),
        Err(error) if error.kind() == ErrorKind::NotFound => Err("there is no longer such a file".to_owned()),
        Err(error) => Err(format!("the file can't be read: {error}")),
    }
}
