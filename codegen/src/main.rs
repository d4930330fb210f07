//! The command line of the generator.

use clap::{Args, Parser, Subcommand};
use ludwire_codegen::config::{self, Config};
use ludwire_codegen::diagnostics::{Diagnostics, Place, Result};
use ludwire_codegen::write::{self, Mode};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Turns protocol schemas into typed Rust messages and reference pages.
#[derive(Parser)]
#[command(name = "ludwire", version, subcommand_required = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(Generate),
}

/// Bring the generated files up to date.
///
/// Reads ludwire.toml and the schemas that it names, and writes Rust modules and Markdown pages
/// into the folders that it names. A file is touched only when its content changes, and a file
/// that nothing generates any more is removed.
#[derive(Args)]
#[command(
    after_long_help = "Exit status: 0 when all is well, 1 when --check finds differences, 2 on any error."
)]
struct Generate {
    /// Change nothing; show what is stale, missing or extra, and fail if anything is.
    #[arg(long, conflicts_with = "dry_run")]
    check: bool,

    /// Change nothing; list what would be written and removed.
    #[arg(long)]
    dry_run: bool,

    /// The file to read instead of the ludwire.toml in this folder or the nearest one above it.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// What a command has to say, and whether it found differences.
struct Outcome {
    text: String,
    differs: bool,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Generate(arguments) => generate(&arguments),
    };
    match outcome {
        Ok(outcome) => finish(&outcome),
        Err(problems) => fail(&problems),
    }
}

fn generate(arguments: &Generate) -> Result<Outcome> {
    let mode = match (arguments.check, arguments.dry_run) {
        (true, _) => Mode::Check,
        (_, true) => Mode::DryRun,
        _ => Mode::Write,
    };
    let config = open(arguments.config.as_deref().map(PathBuf::from))?;
    let files = ludwire_codegen::generate(&config)?;
    let report = write::run(&config, &files, mode)?;
    Ok(Outcome { text: report.to_string(), differs: mode == Mode::Check && !report.is_clean() })
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

fn finish(outcome: &Outcome) -> ExitCode {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(outcome.text.as_bytes()).and_then(|()| stdout.flush()) {
        // Whoever reads us, `head` say, has seen enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => fail(&Diagnostics::one(
            Place { file: "stdout".to_owned(), ..Place::default() },
            error.to_string(),
        )),
        _ if outcome.differs => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    }
}

fn fail(problems: &Diagnostics) -> ExitCode {
    let mut stderr = io::stderr().lock();
    for problem in &problems.0 {
        // There is nobody left to tell when stderr is closed.
        let _ = writeln!(stderr, "error: {problem}");
    }
    ExitCode::from(2)
}
