//! Writes, checks or shows the files of a run.
//!
//! First everything is compared (`plan`), then, in [`Mode::Write`] only, the differences are
//! carried out. The folders `src` and `docs` of `ludwire.toml` are ours: a file in them that
//! nothing generates and that is not listed as hand-written is an orphan, and goes.

mod apply;
mod pages;
mod plan;
mod report;

use crate::OutputFile;
use crate::config::Config;
use crate::diagnostics::{Diagnostics, Place, Result};
use crate::load::slashes;
use std::path::Path;
use std::{fs, io, process};

pub use pages::pages;

/// What becomes of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Bring the folders up to date.
    Write,
    /// Change nothing, and show how the folders differ.
    Check,
    /// Change nothing, and list what [`Mode::Write`] would change.
    DryRun,
}

/// What a run changed or found.
#[derive(Clone, Debug)]
pub struct Report {
    /// In which mode.
    pub mode: Mode,
    /// What the files are for, or where they are: `3 protocols`.
    pub of: String,
    /// How many files there are.
    pub files: usize,
    /// The differences, sorted by path: carried out in [`Mode::Write`], else only found.
    pub changes: Vec<Change>,
    /// The command that makes the files again.
    pub command: String,
}

/// A difference between a file that was generated and what is in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Path from the folder of `ludwire.toml`.
    pub path: String,
    /// What differs.
    pub state: State,
    /// For [`State::Stale`] in [`Mode::Check`]: a diff or a sentence that shows the difference.
    pub detail: Option<String>,
}

/// How a file differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It has another content.
    Stale,
    /// It is not there.
    Missing,
    /// It is there, but nothing generates it.
    Extra,
}

impl Report {
    /// Whether the folders were as generated.
    pub fn is_clean(&self) -> bool {
        self.changes.is_empty()
    }

    /// How many files are in a state.
    pub fn count(&self, state: State) -> usize {
        self.changes.iter().filter(|change| change.state == state).count()
    }
}

/// Compares `files` with what is in the folders of `config` and does what `mode` says.
///
/// # Errors
///
/// A file that cannot be read, written or removed; a file to write outside the folders, twice, or
/// in place of a hand-written one, which is a fault of the generator or of `ludwire.toml`.
pub fn run(config: &Config, files: &[OutputFile], mode: Mode) -> Result<Report> {
    let changes = plan::changes(config, files, mode)?;
    if mode == Mode::Write {
        apply::changes(config, files, &changes)?;
    }
    let protocols = config.protocols.len();
    let of = format!("{protocols} protocol{}", if protocols == 1 { "" } else { "s" });
    Ok(Report { mode, of, files: files.len(), changes, command: crate::REGENERATE.to_owned() })
}

/// Brings one file up to date: nobody ever reads half of it, and it is touched only when its content
/// changes. A link stays one.
///
/// # Errors
///
/// A file that cannot be written, and what is no file.
pub fn file(path: &Path, content: &str) -> Result<()> {
    let display = slashes(path);
    let there = match fs::canonicalize(path) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(io_error(&display, "write", &error)),
    };
    if there.exists() && !there.is_file() {
        return Err(Diagnostics::one(Place { file: display, ..Place::default() }, "is no file"));
    }
    if fs::read(&there).is_ok_and(|old| old == content.as_bytes()) {
        return Ok(());
    }
    replace(&there, content).map_err(|error| io_error(&display, "write", &error))
}

/// Brings a file up to date of which only a part is made; `made` gives the new text for the old one and the name
/// of the file in diagnostics. `command` makes it again.
///
/// # Errors
///
/// A file that cannot be read or written, or is no text; and what `made` refuses.
pub fn part(
    path: &Path,
    mode: Mode,
    command: &str,
    made: impl FnOnce(&str, &str) -> Result<String>,
) -> Result<Report> {
    let display = slashes(path);
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let place = Place { file: display, ..Place::default() };
        return Err(Diagnostics::one(place, "this is no file that could be brought up to date"));
    }
    let old = crate::load::text(path, &display)?;
    let new = made(&display, &old).map_err(|mut problems| {
        problems.add_lines(&display, &old);
        problems
    })?;
    let mut changes = Vec::new();
    if new != old {
        let detail = (mode == Mode::Check).then(|| plan::difference(old.as_bytes(), &new));
        changes.push(Change { path: display.clone(), state: State::Stale, detail });
        if mode == Mode::Write {
            file(path, &new)?;
        }
    }
    Ok(Report { mode, of: display, files: 1, changes, command: command.to_owned() })
}

/// Writes beside the file and renames; who may read and write it stays as it was.
fn replace(path: &Path, content: &str) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("the path names no file"))?;
    let temporary = path.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), process::id()));
    let as_before = || match fs::metadata(path) {
        Ok(before) => fs::set_permissions(&temporary, before.permissions()),
        Err(_) => Ok(()),
    };
    let written = fs::write(&temporary, content).and_then(|()| as_before());
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // What is wrong is told; a file left behind would be an orphan of the next run.
        let _ = fs::remove_file(&temporary);
    })
}

/// An error of the operating system, with the path.
fn io_error(path: &str, what: &str, error: &io::Error) -> Diagnostics {
    Diagnostics::one(Place { file: path.to_owned(), ..Place::default() }, format!("cannot {what}: {error}"))
}

#[cfg(test)]
mod tests;
