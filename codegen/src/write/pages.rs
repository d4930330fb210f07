//! Brings pages in a folder up to date that is not ours alone.

use super::plan::{difference, is_absence};
use super::{Change, Mode, Report, State, io_error, replace};
use crate::OutputFile;
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::load::slashes;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Compares pages with what is in `folder` and does what `mode` says. A file is ours when its first
/// line is a comment with the word `ludwire`; one that is ours, made from the same source and by no
/// page any more, is extra. `command` makes the pages again.
///
/// # Errors
///
/// A file that is not ours in the place of a page; nothing is written then. Pages that the next run
/// would not know for ours. What cannot be read, written or removed.
pub fn pages(folder: &Path, files: &[OutputFile], mode: Mode, command: &str) -> Result<Report> {
    let mut problems = Diagnostics::default();
    let mut changes = BTreeMap::new();
    for file in files {
        if mark(&file.content).is_none() {
            let message = "the first line of a page is a comment with the word `ludwire`, by which the next run \
                           knows it; see head.md";
            problems.push(Place { file: file.path.clone(), ..Place::default() }, message);
        }
        match compare(folder, file, mode) {
            Ok(Some(change)) => drop(changes.insert(file.path.clone(), (change, Some(file)))),
            Ok(None) => {}
            Err(error) => problems.append(error),
        }
    }
    problems.finish(())?;
    for path in left(folder, files)? {
        changes.insert(path.clone(), (Change { path, state: State::Extra, detail: None }, None));
    }
    if mode == Mode::Write {
        carry_out(folder, &changes)?;
    }
    let changes = changes.into_values().map(|(change, _)| change).collect();
    let of = slashes(folder);
    Ok(Report { mode, of, files: files.len(), changes, command: command.to_owned() })
}

/// The first line of a page, without digests; `None` for what is not ours.
fn mark(content: &str) -> Option<String> {
    let line = content.lines().next()?;
    let ours = line.starts_with("<!--") && line.contains("ludwire");
    ours.then(|| {
        let words = line.split_inclusive(|c: char| !c.is_ascii_hexdigit());
        words.filter(|word| word.len() <= crate::format::SHORT_DIGEST).collect()
    })
}

fn compare(folder: &Path, file: &OutputFile, mode: Mode) -> Result<Option<Change>> {
    let change = |state, detail| Ok(Some(Change { path: file.path.clone(), state, detail }));
    let refuse = |message: String| {
        Err(Diagnostics::one(Place { file: file.path.clone(), ..Place::default() }, message))
    };
    let path = folder.join(&file.path);
    let below = Path::new(&file.path);
    // The folder itself may be a link; what is in it is not ours to follow.
    for part in below.ancestors().filter(|part| !part.as_os_str().is_empty()) {
        if fs::symlink_metadata(folder.join(part)).is_ok_and(|found| found.is_symlink()) {
            return refuse(format!("{} is a symbolic link, which is not followed", slashes(part)));
        }
    }
    if fs::metadata(&path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return refuse("a page belongs here, but there is something that is no file".to_owned());
    }
    let old = match fs::read(&path) {
        Ok(old) => old,
        Err(error) if is_absence(error.kind()) => return change(State::Missing, None),
        Err(_) if path.is_dir() => return refuse("a page belongs here, but there is a folder".to_owned()),
        Err(error) => return Err(io_error(&slashes(&path), "read", &error)),
    };
    if old == file.content.as_bytes() {
        return Ok(None);
    }
    if mark(&String::from_utf8_lossy(&old)).is_none() {
        return refuse(format!(
            "{} was not written by ludwire; move it away, or choose another folder",
            slashes(&path)
        ));
    }
    let detail = (mode == Mode::Check).then(|| difference(&old, &file.content));
    change(State::Stale, detail)
}

/// The pages in the folder that an earlier run made from the same source, and this one did not.
fn left(folder: &Path, files: &[OutputFile]) -> Result<Vec<String>> {
    let marks: BTreeSet<String> = files.iter().filter_map(|file| mark(&file.content)).collect();
    let made: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let folders: BTreeSet<&str> =
        made.iter().map(|path| path.rsplit_once('/').map_or("", |(folder, _)| folder)).collect();
    let mut found = Vec::new();
    for below in folders {
        let at = folder.join(below);
        let entries = match fs::read_dir(&at) {
            Ok(entries) => entries,
            Err(error) if is_absence(error.kind()) => continue,
            Err(error) => return Err(io_error(&slashes(&at), "list", &error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| io_error(&slashes(&at), "list", &error))?;
            let name = entry.file_name();
            // What has another name is none of ours.
            let Some(name) = name.to_str().filter(|name| name.ends_with(".md")) else { continue };
            let path = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            if made.contains(path.as_str()) || !is_file {
                continue;
            }
            let content = fs::read_to_string(entry.path()).unwrap_or_default();
            if mark(&content).is_some_and(|mark| marks.contains(&mark)) {
                found.push(path);
            }
        }
    }
    Ok(found)
}

/// Every change comes with the page that it makes; one without goes.
fn carry_out(folder: &Path, changes: &BTreeMap<String, (Change, Option<&OutputFile>)>) -> Result<()> {
    for (path, (_, page)) in changes {
        let at = folder.join(path);
        let Some(page) = page else {
            fs::remove_file(&at).map_err(|error| io_error(&slashes(&at), "remove", &error))?;
            continue;
        };
        let parent = at.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| io_error(&slashes(&at), "make its folder", &error))?;
        replace(&at, &page.content).map_err(|error| io_error(&slashes(&at), "write", &error))?;
    }
    Ok(())
}
