//! The command line of the generator.

mod command;

use clap::Parser;
use command::{Command, Failure, Outcome};
use ludwire_codegen::diagnostics::{Diagnostics, Place, Severity};
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Turns protocol schemas into typed Rust messages and reference pages.
#[derive(Parser)]
#[command(name = "ludwire", version, subcommand_required = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match Cli::parse().command.run() {
        Ok(outcome) => finish(&outcome),
        Err(Failure::Refused(problems)) => {
            report(&problems);
            ExitCode::from(1)
        }
        Err(Failure::Failed(problems)) => fail(&problems),
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
    report(problems);
    ExitCode::from(2)
}

fn report(problems: &Diagnostics) {
    let mut stderr = io::stderr().lock();
    for problem in &problems.0 {
        let severity = match problem.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        // There is nobody left to tell when stderr is closed.
        let _ = writeln!(stderr, "{severity}: {problem}");
    }
}
