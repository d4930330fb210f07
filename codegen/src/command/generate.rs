//! `ludwire generate`.

use super::{Outcome, open, warn, warn_of};
use clap::Args;
use ludwire_codegen::diagnostics::Result;
use ludwire_codegen::write::{self, Mode};
use std::path::PathBuf;

/// Bring the generated files up to date.
///
/// Reads ludwire.toml and the schemas that it names, and writes Rust modules and Markdown pages
/// into the folders that it names. A file is touched only when its content changes, and a file
/// that nothing generates any more is removed.
#[derive(Args)]
#[command(
    after_long_help = "Exit status: 0 when all is well, 1 when --check finds differences, 2 on any error."
)]
pub(crate) struct Generate {
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

pub(super) fn run(arguments: &Generate) -> Result<Outcome> {
    let mode = match (arguments.check, arguments.dry_run) {
        (true, _) => Mode::Check,
        (_, true) => Mode::DryRun,
        _ => Mode::Write,
    };
    let config = open(arguments.config.as_deref().map(PathBuf::from))?;
    let generated = ludwire_codegen::generate(&config)?;
    generated.summaries.iter().for_each(warn);
    warn_of(&generated.warnings.0);
    let report = write::run(&config, &generated.files, mode)?;
    let summaries = generated.summaries.iter().filter(|_| mode != Mode::Check);
    let summaries: String = summaries.map(|summary| format!("{summary}\n")).collect();
    let text = format!("{summaries}{report}");
    Ok(Outcome { text, differs: mode == Mode::Check && !report.is_clean() })
}
