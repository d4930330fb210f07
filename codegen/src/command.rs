//! The commands, and what they share.

mod docs;
mod emit;
mod generate;

use clap::Subcommand;
use ludwire_codegen::Summary;
use ludwire_codegen::config::{self, Config};
use ludwire_codegen::diagnostics::{Diagnostic, Diagnostics, Place, Result};
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Command {
    Docs(docs::Docs),
    Emit(emit::Emit),
    Generate(generate::Generate),
}

impl Command {
    pub(crate) fn run(self) -> std::result::Result<Outcome, Failure> {
        match self {
            Command::Docs(arguments) => docs::run(&arguments),
            Command::Emit(arguments) => emit::run(arguments),
            Command::Generate(arguments) => Ok(generate::run(&arguments)?),
        }
    }
}

/// What a command has to say, and whether it found differences.
pub(crate) struct Outcome {
    pub(crate) text: String,
    pub(crate) differs: bool,
}

/// Why a command did nothing.
pub(crate) enum Failure {
    /// An input is not what the command takes.
    Refused(Diagnostics),
    /// Anything else is wrong.
    Failed(Diagnostics),
}

impl From<Diagnostics> for Failure {
    fn from(problems: Diagnostics) -> Self {
        Failure::Failed(problems)
    }
}

/// Reads the named file, else the nearest `ludwire.toml` above the current folder.
fn open(named: Option<PathBuf>) -> Result<Config> {
    if let Some(path) = named {
        return config::read(&path);
    }
    let place = || Place { file: "ludwire.toml".to_owned(), ..Place::default() };
    let here = std::env::current_dir()
        .map_err(|error| Diagnostics::one(place(), format!("cannot tell the current folder: {error}")))?;
    let found = here.ancestors().map(|folder| folder.join("ludwire.toml")).find(|path| path.is_file());
    match found {
        Some(path) => config::read(&path),
        None => {
            let message = "there is none in this folder or above it; name one with --config FILE";
            Err(Diagnostics::one(place(), message))
        }
    }
}

/// Tells what is odd in the schemas, though they are accepted.
fn warn(summary: &Summary) {
    warn_of(&summary.notes);
}

/// Tells what is odd, though it is accepted.
fn warn_of(warnings: &[Diagnostic]) {
    let mut stderr = io::stderr().lock();
    for warning in warnings {
        // There is nobody left to tell when stderr is closed.
        let _ = writeln!(stderr, "warning: {warning}");
    }
}

fn note(place: &Place, message: &str) {
    // There is nobody left to tell when stderr is closed.
    let _ = writeln!(io::stderr().lock(), "note: {place}: {message}");
}
