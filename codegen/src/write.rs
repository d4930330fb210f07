//! Writes, checks or shows the files of a run.
//!
//! First everything is compared (`plan`), then, in [`Mode::Write`] only, the differences are
//! carried out. The folders `src` and `docs` of `ludwire.toml` are ours: a file in them that
//! nothing generates and that is not listed as hand-written is an orphan, and goes.

mod apply;
mod plan;
mod report;

use crate::OutputFile;
use crate::config::Config;
use crate::diagnostics::{Diagnostics, Place, Result};
use std::io;

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
    /// How many protocols the files are for.
    pub protocols: usize,
    /// How many files there are.
    pub files: usize,
    /// The differences, sorted by path: carried out in [`Mode::Write`], else only found.
    pub changes: Vec<Change>,
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
    Ok(Report { mode, protocols: config.protocols.len(), files: files.len(), changes })
}

/// An error of the operating system, with the path.
fn io_error(path: &str, what: &str, error: &io::Error) -> Diagnostics {
    Diagnostics::one(Place { file: path.to_owned(), ..Place::default() }, format!("cannot {what}: {error}"))
}

#[cfg(test)]
mod tests;
