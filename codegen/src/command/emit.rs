//! `ludwire emit`.

use super::{Failure, Outcome, note, warn};
use clap::{Args, ValueEnum};
use ludwire_codegen::diagnostics::{Diagnostics, Place, Result};
use ludwire_codegen::load;
use ludwire_codegen::lower;
use ludwire_codegen::resolve::Mapping;
use ludwire_codegen::write;
use ludwire_codegen::{Formats, ModuleOptions, Summary, Support};
use std::path::PathBuf;

/// Print a Rust module for any schema, or write it into a file.
///
/// The module stands by itself: the code that the types need is in it. It works at any place in a
/// crate, in editions 2021 and 2024, and reads no ludwire.toml.
#[derive(Args)]
#[command(
    after_long_help = "Exit status: 0 when all is well, 1 when a schema is refused, 2 on any other error."
)]
pub(crate) struct Emit {
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

pub(super) fn run(mut arguments: Emit) -> std::result::Result<Outcome, Failure> {
    let out = arguments.out.take();
    let (text, summary) = emit(arguments)?.map_err(Failure::Refused)?;
    if let Some(summary) = summary {
        warn(&summary);
        for (name, place) in &summary.values {
            note(place, &format!("{name} is a checked JSON value: no Rust type says its rules"));
        }
        for (name, place) in &summary.mixed {
            let why = "their names decide what they may be";
            note(place, &format!("the members of {name} without a field are checked JSON values: {why}"));
        }
    }
    let text = match out {
        Some(path) => write::file(&path, &text).map(|()| String::new())?,
        None => text,
    };
    Ok(Outcome { text, differs: false })
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
