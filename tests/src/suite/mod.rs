//! Scores generated types: do they accept what a suite of tests says their schemas accept?
//!
//! The whole way is [`score`]: each schema becomes a module, many modules become one program, and
//! the program reads every document of every test.

mod program;
mod read;
mod report;

pub use read::{Form, groups};
pub use report::{Report, Scored};

use ludwire_codegen::diagnostics::Severity;
use ludwire_codegen::load::{self, Document, Source};
use ludwire_codegen::resolve::Mapping;
use ludwire_codegen::{Formats, ModuleOptions, Support};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// A schema and the documents that are put to it.
#[derive(Clone, Debug)]
pub struct Group {
    /// What it is counted under: the name of the file it stands in.
    pub keyword: String,
    /// What it is about.
    pub name: String,
    /// The schema.
    pub schema: String,
    /// Other files that it refers to, by path, with their text.
    pub files: Vec<(String, String)>,
    /// The documents.
    pub tests: Vec<Test>,
    /// What formats are here, whatever the options say.
    pub formats: Option<Formats>,
    /// The schema must be refused, for this reason in words.
    pub refuse: Option<String>,
}

/// A document, and whether the schema accepts it.
#[derive(Clone, Debug)]
pub struct Test {
    /// What it is about.
    pub name: String,
    /// The document, as one line of JSON.
    pub document: String,
    /// Whether the schema accepts it.
    pub valid: bool,
}

/// How a suite is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of the program that is compiled; two suites that run at once need two names.
    pub name: String,
    /// What formats are to the types.
    pub formats: Formats,
    /// Files that stand for URLs.
    pub mappings: Vec<(String, PathBuf)>,
    /// How many schemas are compiled together.
    pub chunk: usize,
}

/// What became of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The type does with the document what the schema does; a schema to refuse was refused.
    Right,
    /// The generator refused the schema: why.
    Refused(String),
    /// The type accepts a document that the schema does not; a schema to refuse was not refused.
    WrongAccept,
    /// The type does not accept a document that the schema accepts.
    WrongReject,
    /// What the type reads it does not write, or does not read back equal.
    Unfaithful,
    /// The generator or the type's reader panicked: with what message.
    Panicked(String),
    /// The module does not compile without a warning: what the compiler says.
    Uncompilable(String),
}

/// Runs all groups.
///
/// # Errors
///
/// What keeps the suite from running at all: no cargo, no disk.
pub fn score(groups: Vec<Group>, options: &Options) -> Result<Report, String> {
    let mut remotes = Remotes::default();
    for (number, (prefix, folder)) in options.mappings.iter().enumerate() {
        let name = format!("map:{number}");
        let documents = load::mapped(folder, &name).map_err(|problems| problems.to_string())?.documents;
        remotes.documents.extend(documents);
        remotes.mappings.push(Mapping { prefix: prefix.clone(), folder: name });
    }
    let emitted: Vec<Emitted> = groups.iter().map(|group| emit(group, options, &remotes)).collect();
    let modules: Vec<(usize, &str)> = emitted
        .iter()
        .enumerate()
        .filter(|(index, _)| groups[*index].refuse.is_none())
        .filter_map(|(index, emitted)| match emitted {
            Emitted::Module(code) => Some((index, code.as_str())),
            _ => None,
        })
        .collect();
    let documents: Vec<Vec<&str>> = modules
        .iter()
        .map(|(index, _)| groups[*index].tests.iter().map(|test| test.document.as_str()).collect())
        .collect();
    let mut verdicts = program::run(options, &modules, &documents)?.into_iter();
    let mut report = Report::default();
    for (group, emitted) in groups.into_iter().zip(emitted) {
        let outcomes = match emitted {
            Emitted::Panicked(message) => vec![Outcome::Panicked(message); group.tests.len().max(1)],
            Emitted::Refused(_) if group.refuse.is_some() => vec![Outcome::Right],
            Emitted::Module(_) if group.refuse.is_some() => vec![Outcome::WrongAccept],
            Emitted::Refused(reason) => vec![Outcome::Refused(reason); group.tests.len()],
            Emitted::Module(_) => {
                let verdict = verdicts.next().ok_or("a module was not run")?;
                judge(&group, verdict)
            }
        };
        report.add(group, outcomes);
    }
    Ok(report)
}

/// Whether the generator takes the schema of a group.
///
/// # Errors
///
/// The message of its panic, or what it refused without saying where.
pub fn emitted(group: &Group, options: &Options) -> Result<bool, String> {
    match emit(group, options, &Remotes::default()) {
        Emitted::Module(_) => Ok(true),
        Emitted::Refused(_) => Ok(false),
        Emitted::Panicked(message) => Err(message),
    }
}

/// Files that stand for URLs.
#[derive(Default)]
struct Remotes {
    documents: Vec<Document>,
    mappings: Vec<Mapping>,
}

/// What the generator makes of a schema.
enum Emitted {
    Module(String),
    Refused(String),
    Panicked(String),
}

fn emit(group: &Group, options: &Options, remotes: &Remotes) -> Emitted {
    let make = || {
        let mut source = Source::default();
        let named = std::iter::once(("schema.json", &group.schema, false));
        let files = group.files.iter().map(|(path, text)| (path.as_str(), text, true));
        for (path, text, on_demand) in named.chain(files) {
            let mut document = Document::new(path, path, text, load::json(path, text)?);
            document.on_demand = on_demand;
            source.documents.push(document);
        }
        source.documents.extend(remotes.documents.iter().cloned());
        ludwire_codegen::module(
            source,
            &ModuleOptions {
                root: Some("Root".to_owned()),
                formats: group.formats.unwrap_or(options.formats),
                mappings: remotes.mappings.clone(),
                support: Support::At("crate::support".to_owned()),
                command: "ludwire emit".to_owned(),
            },
        )
    };
    match catch_unwind(AssertUnwindSafe(make)) {
        Ok(Ok((code, _))) => Emitted::Module(code),
        Ok(Err(problems)) => match problems.0.iter().find(|problem| problem.place.span.line == 0) {
            // Whoever has to act must be told where.
            Some(problem) => Emitted::Panicked(format!("refused without a place: {problem}")),
            None => {
                // What is odd besides is no reason.
                let error = problems.0.iter().find(|problem| problem.severity == Severity::Error);
                Emitted::Refused(
                    error.or(problems.0.first()).map_or_else(String::new, |error| error.message.clone()),
                )
            }
        },
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Emitted::Panicked(text.unwrap_or_else(|| "no message".to_owned()))
        }
    }
}

fn judge(group: &Group, verdict: program::Verdict) -> Vec<Outcome> {
    let answers = match verdict {
        program::Verdict::Uncompilable(message) => {
            return vec![Outcome::Uncompilable(message); group.tests.len().max(1)];
        }
        program::Verdict::Answers(answers) => answers,
    };
    let mut outcomes: Vec<Outcome> = group
        .tests
        .iter()
        .zip(answers)
        .map(|(test, answer)| match (answer.as_str(), test.valid) {
            ("accept", true) | ("reject", false) => Outcome::Right,
            ("accept" | "unfaithful", false) => Outcome::WrongAccept,
            ("reject", true) => Outcome::WrongReject,
            ("unfaithful", true) => Outcome::Unfaithful,
            (other, _) => Outcome::Panicked(other.to_owned()),
        })
        .collect();
    // What the program did not come to say, it died of.
    outcomes.resize(group.tests.len(), Outcome::Panicked("the program ended before it answered".to_owned()));
    outcomes
}

/// The folder for programs: inside the folder of cargo's own output, so that it is never committed.
fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    target.unwrap_or_else(|| workspace.join("target")).join("suite")
}
