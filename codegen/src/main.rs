//! The command line of the generator.

use clap::{Args, Parser, Subcommand, ValueEnum};
use ludwire_codegen::config::{self, Config};
use ludwire_codegen::diagnostics::{Diagnostics, Place, Result};
use ludwire_codegen::load;
use ludwire_codegen::lower;
use ludwire_codegen::resolve::Mapping;
use ludwire_codegen::write::{self, Mode};
use ludwire_codegen::{Formats, ModuleOptions, Summary, Support};
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;
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

#[derive(Subcommand)]
enum Command {
    Generate(Generate),
    Emit(Emit),
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

/// Print a Rust module for any schema, or write it into a file.
///
/// The module stands by itself: the code that the types need is in it. It works at any place in a
/// crate, in editions 2021 and 2024, and reads no ludwire.toml.
#[derive(Args)]
#[command(
    after_long_help = "Exit status: 0 when all is well, 1 when a schema is refused, 2 on any other error."
)]
struct Emit {
    /// The name of the type of the first file's root, whatever its title.
    #[arg(long, value_name = "NAME")]
    root: Option<String>,

    /// Whether strings must keep the formats that are known.
    #[arg(long, value_enum, default_value = "assert")]
    formats: FormatsArgument,

    /// Take the files of a folder for the URLs that start with a prefix.
    #[arg(long, value_name = "URL-PREFIX=FOLDER", value_parser = mapping)]
    map: Vec<(String, PathBuf)>,

    /// Write the module into this file, and only if the schemas are accepted, instead of printing it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print what the code needs instead: the body of [dependencies] in Cargo.toml.
    #[arg(long, exclusive = true)]
    dependencies: bool,

    /// The files; - is the standard input.
    #[arg(value_name = "SCHEMA.json", required_unless_present = "dependencies")]
    schemas: Vec<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatsArgument {
    /// They must.
    Assert,
    /// A format says nothing of the value.
    Annotate,
}

/// What a command has to say, and whether it found differences.
struct Outcome {
    text: String,
    differs: bool,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Generate(arguments) => generate(&arguments),
        Command::Emit(mut arguments) => {
            let out = arguments.out.take();
            match emit(arguments) {
                Ok(Ok((text, summary))) => {
                    if let Some(summary) = summary {
                        warn(&summary);
                        for (name, place) in &summary.values {
                            note(
                                place,
                                &format!("{name} is a checked JSON value: no Rust type says its rules"),
                            );
                        }
                    }
                    match out {
                        Some(path) => write::file(&path, &text).map(|()| String::new()),
                        None => Ok(text),
                    }
                    .map(|text| Outcome { text, differs: false })
                }
                Ok(Err(refused)) => {
                    report(&refused);
                    return ExitCode::from(1);
                }
                Err(problems) => Err(problems),
            }
        }
    };
    match outcome {
        Ok(outcome) => finish(&outcome),
        Err(problems) => fail(&problems),
    }
}

/// What `emit` prints, and what the types became where it prints any.
type Emitted = (String, Option<Summary>);

/// The module, or why the schemas are refused; the outer error is about anything else.
fn emit(arguments: Emit) -> Result<Result<Emitted>> {
    if arguments.dependencies {
        return Ok(Ok((ludwire_codegen::emit::rust::DEPENDENCIES.to_owned(), None)));
    }
    if let Some(root) = &arguments.root {
        let place = || Place { file: "--root".to_owned(), ..Place::default() };
        lower::check_root(root).map_err(|message| Diagnostics::one(place(), message))?;
    }
    let mut source = match load::paths(&arguments.schemas) {
        Ok(source) => source,
        // What is wrong inside a file has a line.
        Err(problems) if problems.0.iter().all(|problem| problem.place.span.line > 0) => {
            return Ok(Err(problems));
        }
        Err(problems) => return Err(problems),
    };
    let mut mappings = Vec::new();
    for (number, (prefix, folder)) in arguments.map.into_iter().enumerate() {
        // No file has such a path, so what is mapped never mixes with what is named.
        let name = format!("map:{number}");
        let mapped = load::mapped(&folder, &name)?;
        source.documents.extend(mapped.documents);
        source.sources.extend(mapped.sources);
        mappings.push(Mapping { prefix, folder: name });
    }
    let formats = match arguments.formats {
        FormatsArgument::Assert => Formats::Assert,
        FormatsArgument::Annotate => Formats::Annotate,
    };
    let options = ModuleOptions {
        root: arguments.root,
        formats,
        mappings,
        support: Support::Inline,
        command: "ludwire emit".to_owned(),
    };
    Ok(ludwire_codegen::module(source, &options).map(|(code, summary)| (code, Some(summary))))
}

fn mapping(text: &str) -> std::result::Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((prefix, folder)) if !prefix.is_empty() && !folder.is_empty() => {
            Ok((prefix.to_owned(), folder.into()))
        }
        _ => Err("it has the form URL-PREFIX=FOLDER".to_owned()),
    }
}

fn generate(arguments: &Generate) -> Result<Outcome> {
    let mode = match (arguments.check, arguments.dry_run) {
        (true, _) => Mode::Check,
        (_, true) => Mode::DryRun,
        _ => Mode::Write,
    };
    let config = open(arguments.config.as_deref().map(PathBuf::from))?;
    let generated = ludwire_codegen::generate(&config)?;
    generated.summaries.iter().for_each(warn);
    let report = write::run(&config, &generated.files, mode)?;
    let summaries = generated.summaries.iter().filter(|_| mode != Mode::Check);
    let summaries: String = summaries.map(|summary| format!("{summary}\n")).collect();
    let text = format!("{summaries}{report}");
    Ok(Outcome { text, differs: mode == Mode::Check && !report.is_clean() })
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
    report(problems);
    ExitCode::from(2)
}

/// Tells what is odd in the schemas, though they are accepted.
fn warn(summary: &Summary) {
    let mut stderr = io::stderr().lock();
    for note in &summary.notes {
        // There is nobody left to tell when stderr is closed.
        let _ = writeln!(stderr, "warning: {note}");
    }
}

fn note(place: &Place, message: &str) {
    // There is nobody left to tell when stderr is closed.
    let _ = writeln!(io::stderr().lock(), "note: {place}: {message}");
}

fn report(problems: &Diagnostics) {
    let mut stderr = io::stderr().lock();
    for problem in &problems.0 {
        // There is nobody left to tell when stderr is closed.
        let _ = writeln!(stderr, "error: {problem}");
    }
}
