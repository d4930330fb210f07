//! Scores the generated types on suites of tests.
//!
//! ```text
//! cargo run -p ludwire-tests --bin suite -- FOLDER-OR-FILE… [--remotes FOLDER] [--formats annotate]
//! ```
//!
//! A suite has the form of the official JSON-Schema-Test-Suite, in which `--remotes` names the folder
//! that stands for `http://localhost:1234/`, or that of the files in `tests/cases`. What is not right
//! is listed, then counted by keyword. In the official form `format.json` is run with formats as
//! annotations, as the standard has it by default.
//!
//! Exit status: 0 when nothing is worse than refused, 1 otherwise, 2 when the suite can't run.

use clap::{Parser, ValueEnum};
use ludwire_codegen::Formats;
use ludwire_tests::suite::{self, Options};
use std::path::PathBuf;
use std::process::ExitCode;

/// Scores the generated types on suites of tests.
#[derive(Parser)]
struct Cli {
    /// Folders or files of tests.
    #[arg(required = true)]
    suites: Vec<PathBuf>,

    /// The folder that stands for http://localhost:1234/.
    #[arg(long, value_name = "FOLDER")]
    remotes: Option<PathBuf>,

    /// What formats are to the types.
    #[arg(long, value_enum, default_value = "assert")]
    formats: FormatsArgument,

    /// How many schemas are compiled together.
    #[arg(long, default_value_t = 60)]
    chunk: usize,

    /// The name of the program that is compiled.
    #[arg(long, default_value = "official")]
    name: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatsArgument {
    /// Strings must keep those that are known.
    Assert,
    /// They say nothing of the value.
    Annotate,
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> Result<bool, String> {
    let mut groups = Vec::new();
    for path in &cli.suites {
        groups.extend(suite::groups(path)?);
    }
    let mappings =
        cli.remotes.map(|folder| ("http://localhost:1234/".to_owned(), folder)).into_iter().collect();
    let formats = match cli.formats {
        FormatsArgument::Assert => Formats::Assert,
        FormatsArgument::Annotate => Formats::Annotate,
    };
    let report = suite::score(groups, &Options { name: cli.name, formats, mappings, chunk: cli.chunk })?;
    print!("{report}");
    Ok(report.is_clean())
}
