//! Files that are named one by one, and what they refer to.

use super::{Entry, Reader, Source, slashes};
use crate::diagnostics::Result;
use crate::json::{Json, Node};
use crate::resolve;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

/// The name of a file that is the standard input.
const STDIN: &str = "-";

/// Reads the files that are named and, on demand only, the files that they refer to by a relative
/// path. Paths count from the innermost folder that holds them all, so that references resolve as
/// on the disk; the standard input, `-`, is as if it stood in the current folder. What stands in a file
/// that is not below a folder of the named ones is not shown.
///
/// # Errors
///
/// No file at all, the same file twice, and for each file what [`file`](fn@super::file) refuses.
pub fn paths(files: &[PathBuf]) -> Result<Source> {
    let mut reader = Reader::default();
    if files.is_empty() {
        reader.problem("", "no file is named");
    }
    let mut seen = HashSet::new();
    let mut waiting = Vec::new();
    for file in files {
        if seen.insert(whole(file)) {
            waiting.push((tidy(file), false));
        } else {
            reader.problem(&slashes(file), "the file is named twice");
        }
    }
    let folders: Vec<PathBuf> = waiting.iter().filter_map(|(path, _)| folder(path)).collect();
    let mut lie = Vec::new();
    let mut next = 0;
    while let Some((path, on_demand)) = waiting.get(next).cloned() {
        next += 1;
        let is_stdin = path == Path::new(STDIN);
        let path = if is_stdin { PathBuf::from("stdin") } else { path };
        let display = slashes(&path);
        let text = if is_stdin { standard_input(&display) } else { super::text(&path, &display) };
        let known = reader.problems.0.len();
        let is_read = reader.add(text, &display, &display);
        let is_shown = !on_demand || is_below_one(&path, &folders);
        if !is_shown {
            reader.problems.0[known..].iter_mut().for_each(|problem| problem.line = None);
        }
        if !is_read {
            continue;
        }
        lie.push(whole(&path));
        if let Some(document) = reader.source.documents.last_mut() {
            document.on_demand = on_demand;
            if !is_shown {
                document.text.clear();
            }
            for file in files_referred_to(&document.root) {
                let file = tidy(&path.parent().unwrap_or(&path).join(file));
                if file.is_file() && seen.insert(whole(&file)) {
                    waiting.push((file, true));
                }
            }
        }
    }
    let folders = lie.iter().map(|path| path.parent().unwrap_or(path).to_owned());
    let shared = folders.reduce(|shared, folder| common(&shared, &folder)).unwrap_or_default();
    for (document, path) in reader.source.documents.iter_mut().zip(&lie) {
        document.path = slashes(path.strip_prefix(&shared).unwrap_or(path));
    }
    reader.finish()
}

fn standard_input(display: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    super::utf8(display, read.map(|_| bytes))
}

/// The folder that a file is in, whatever links lead there.
fn folder(path: &Path) -> Option<PathBuf> {
    let file = if path == Path::new(STDIN) { whole(path) } else { fs::canonicalize(path).ok()? };
    fs::canonicalize(file.parent()?).ok()
}

/// Whether a file is below one of the folders, whatever links lead there.
fn is_below_one(path: &Path, folders: &[PathBuf]) -> bool {
    fs::canonicalize(path).is_ok_and(|path| folders.iter().any(|folder| path.starts_with(folder)))
}

/// Reads the files of a folder that URLs are mapped to, all of them on demand only. Their paths start
/// with `name`, by which a [`resolve::Mapping`] finds them. Beside them, where they come from.
///
/// # Errors
///
/// As for [`folder`](fn@super::folder).
pub fn mapped(folder: &Path, name: &str) -> Result<Source> {
    let mut reader = Reader::default();
    reader.folder(Entry { at: folder.to_owned(), path: name.to_owned(), display: slashes(folder) });
    let mut source = reader.finish()?;
    source.documents.iter_mut().for_each(|document| document.on_demand = true);
    Ok(source)
}

/// What stands in `$ref` and may be the path of a file. Not everything that looks like a reference is
/// one, which is why the files are only there on demand.
fn files_referred_to(root: &Node) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        waiting.extend(node.items());
        for member in node.members() {
            waiting.push(&member.node);
            if let Json::String(target) = &member.node.value
                && member.name == "$ref"
            {
                found.extend(resolve::relative_file(target).map(PathBuf::from));
            }
        }
    }
    found
}

/// A path without the `.` and `..` that it can do without.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}

/// The path from the root of the file system.
fn whole(path: &Path) -> PathBuf {
    tidy(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
}

fn common(a: &Path, b: &Path) -> PathBuf {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
}
