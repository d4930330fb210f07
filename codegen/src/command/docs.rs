//! `ludwire docs`.

use super::{Failure, Outcome};
use clap::Args;
use ludwire_codegen::write;
use ludwire_codegen::{CataloguePages, catalogue_pages};
use std::path::PathBuf;

/// Write the reference pages of one file, without a ludwire.toml.
#[derive(Args)]
#[command(after_long_help = "Exit status: 0 when all is well, 2 on any error.")]
pub(crate) struct Docs {
    /// A catalogue of rules, methods and codes.
    #[arg(long, value_name = "FILE")]
    catalogue: PathBuf,

    /// The folder that the pages are written into, as Markdown.
    #[arg(long, value_name = "DIR")]
    markdown: PathBuf,

    /// A folder of templates that replace ours one by one.
    #[arg(long, value_name = "DIR")]
    templates: Option<PathBuf>,

    /// The URL that the paths of sources are links below.
    #[arg(long, value_name = "URL")]
    source_url: Option<String>,
}

pub(super) fn run(arguments: &Docs) -> Result<Outcome, Failure> {
    let options = CataloguePages {
        templates: arguments.templates.clone(),
        source_url: arguments.source_url.clone(),
        command: "ludwire docs".to_owned(),
    };
    let files = catalogue_pages(&arguments.catalogue, &options)?;
    let text = write::pages(&arguments.markdown, &files)?;
    Ok(Outcome { text, differs: false })
}
