//! What a run says: a line for each change, then the numbers.

use super::{Change, Mode, Report, State};
use std::fmt;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for change in &self.changes {
            writeln!(f, "{} {}", self.verb(change), change.path)?;
            if let (Mode::Check, Some(detail)) = (self.mode, &change.detail) {
                for line in detail.lines() {
                    // An empty line of a diff stays free of trailing blanks.
                    writeln!(f, "{}", format!("    {line}").trim_end())?;
                }
            }
        }
        let Self { of, command, .. } = self;
        let files = format!("{} file{}", self.files, if self.files == 1 { "" } else { "s" });
        let (stale, missing, extra) =
            (self.count(State::Stale), self.count(State::Missing), self.count(State::Extra));
        let unchanged = self.files.saturating_sub(stale + missing);
        match self.mode {
            Mode::Write => {
                let written = stale + missing;
                writeln!(f, "{of}: {files}, {written} written, {extra} removed, {unchanged} unchanged")
            }
            Mode::DryRun => {
                let write = stale + missing;
                writeln!(f, "{of}: {files}, {write} to write, {extra} to remove, {unchanged} unchanged")
            }
            Mode::Check => {
                writeln!(
                    f,
                    "{of}: {files}, {stale} stale, {missing} missing, {extra} extra, {unchanged} unchanged"
                )?;
                if self.is_clean() {
                    return Ok(());
                }
                writeln!(f, "The generated files are out of date; run: {command}")
            }
        }
    }
}

impl Report {
    fn verb(&self, change: &Change) -> &'static str {
        match (self.mode, change.state) {
            (Mode::Write, State::Extra) => "removed",
            (Mode::Write, _) => "written",
            (Mode::DryRun, State::Extra) => "would remove",
            (Mode::DryRun, _) => "would write",
            (Mode::Check, State::Stale) => "stale:",
            (Mode::Check, State::Missing) => "missing:",
            (Mode::Check, State::Extra) => "extra:",
        }
    }
}
