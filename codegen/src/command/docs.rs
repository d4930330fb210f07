//! `ludwire docs`.

use super::{Failure, Outcome, open, warn_of};
use clap::{ArgGroup, Args};
use ludwire_codegen::diagnostics::{Diagnostics, Place};
use ludwire_codegen::emit::docs::{Pages, Templates, game};
use ludwire_codegen::write::{self, Mode};
use ludwire_codegen::{CatalogueOptions, catalogue_pages, game_manifest, protocol_pages};
use std::path::{Component, Path, PathBuf};

/// Write the reference pages of one file, without a ludwire.toml.
///
/// Pages that this command wrote before are brought up to date, and those that nothing makes any more
/// are removed. No other file in the folder is touched: where one has the name of a page, nothing is
/// written at all.
#[derive(Args)]
#[command(
    group = ArgGroup::new("made").args(["markdown", "into", "dump_model"]).multiple(true).required(true),
    after_long_help = "Exit status: 0 when all is well, 1 when --check finds differences, 2 on any error."
)]
pub(crate) struct Docs {
    /// A catalogue of rules, methods and codes.
    #[arg(long, value_name = "FILE", required_unless_present_any = ["dump_model", "manifest"])]
    catalogue: Option<PathBuf>,

    /// The manifest of a game, which `host.manifest()` gives. A pipe will do: `<(game --manifest)`.
    #[arg(long, value_name = "FILE", conflicts_with = "catalogue")]
    manifest: Option<PathBuf>,

    /// The folder that the pages are written into, as Markdown.
    #[arg(long, value_name = "DIR")]
    markdown: Option<PathBuf>,

    /// Put the table of the game's tools into this file, between the lines `<!-- ludwire:tools -->` and
    /// `<!-- /ludwire:tools -->`. With --markdown it links to the pages.
    #[arg(long, value_name = "FILE", requires = "manifest")]
    into: Option<PathBuf>,

    /// A folder of templates that replace ours one by one.
    #[arg(long, value_name = "DIR")]
    templates: Option<PathBuf>,

    /// Look below this folder for the files that the catalogue's entries come from, and in them for the
    /// texts that it names as anchors.
    #[arg(long, value_name = "DIR", requires = "catalogue")]
    source_root: Option<PathBuf>,

    /// The URL that the paths of sources are links below.
    #[arg(long, value_name = "URL", requires = "catalogue", value_parser = url)]
    source_url: Option<String>,

    /// Change nothing; show what is stale, missing or extra, and fail if anything is.
    #[arg(long, conflicts_with = "dump_model")]
    check: bool,

    /// Print what the templates see, as JSON; of the protocols of ludwire.toml where no file is named.
    #[arg(long, conflicts_with_all = ["into", "markdown", "templates"])]
    dump_model: bool,
}

pub(super) fn run(arguments: &Docs) -> Result<Outcome, Failure> {
    let manifest = arguments.manifest.as_deref().map(game_manifest).transpose()?;
    let pages = match (&manifest, &arguments.catalogue) {
        (Some(manifest), _) => vec![game::pages(manifest, &anywhere(arguments))],
        (None, Some(file)) => {
            let options = CatalogueOptions {
                source_root: arguments.source_root.clone(),
                source_url: arguments.source_url.clone(),
                command: anywhere(arguments),
            };
            vec![catalogue_pages(file, &options)?]
        }
        (None, None) => protocol_pages(&open(None)?)?,
    };
    if arguments.dump_model {
        return Ok(Outcome { text: dump(&pages)?, differs: false });
    }
    let own = arguments.templates.as_deref().map(|folder| (folder, folder.to_string_lossy()));
    let templates = Templates::new(own.as_ref().map(|(at, display)| (*at, display.as_ref())))?;
    warn_of(&templates.warnings().0);
    let mode = if arguments.check { Mode::Check } else { Mode::Write };
    let mut reports = Vec::new();
    if let Some(folder) = &arguments.markdown {
        let mut files = Vec::new();
        for pages in &pages {
            files.extend(pages.render(&templates)?);
        }
        reports.push(write::pages(folder, &files, mode, &again(arguments))?);
    }
    if let (Some(file), Some(manifest)) = (&arguments.into, &manifest) {
        let folder = arguments.markdown.as_deref().and_then(|folder| way(file.parent()?, folder));
        reports.push(write::part(file, mode, &again(arguments), |name, text| {
            game::splice(manifest, &templates, folder.as_deref(), name, text)
        })?);
    }
    let differs = arguments.check && reports.iter().any(|report| !report.is_clean());
    Ok(Outcome { text: reports.iter().map(ToString::to_string).collect(), differs })
}

/// How a link gets from one folder to another; `None` where there is no way.
fn way(from: &Path, to: &Path) -> Option<String> {
    let parts = |path: &Path| -> Option<Vec<String>> {
        // `./` and an empty path are this folder.
        let path = std::path::absolute(Path::new(".").join(path)).ok()?;
        let parts = path.components().filter(|part| *part != Component::CurDir);
        Some(parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect())
    };
    let (from, to) = (parts(from)?, parts(to)?);
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(same).map(|_| "..".to_owned());
    Some(up.chain(to.iter().skip(same).cloned()).collect::<Vec<_>>().join("/"))
}

/// The model, indented, so that a person can look for what a template may use.
fn dump(pages: &[Pages]) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(pages).map_err(|error| {
        let place = Place { file: "--dump-model".to_owned(), ..Place::default() };
        Diagnostics::one(place, error.to_string())
    })?;
    Ok(format!("{text}\n"))
}

/// The command as the pages say it: they are the same wherever it is run and however its paths are written, so
/// that --check is about what they say.
fn anywhere(arguments: &Docs) -> String {
    let options = [
        (" --catalogue FILE", arguments.catalogue.is_some()),
        (" --manifest FILE", arguments.manifest.is_some()),
        (" --markdown DIR", true),
        (" --templates DIR", arguments.templates.is_some()),
        (" --source-url URL", arguments.source_url.is_some()),
    ];
    let given = options.into_iter().filter(|(_, given)| *given);
    given.fold("ludwire docs".to_owned(), |command, (option, _)| command + option)
}

/// The command that brings all up to date, as it was given.
fn again(arguments: &Docs) -> String {
    // The number of a pipe says nothing to whoever runs it again.
    let is_pipe = |path: &PathBuf| path.starts_with("/dev") || path.starts_with("/proc");
    let path = |path: &PathBuf| match is_pipe(path) {
        true => "/dev/stdin".to_owned(),
        false => path.to_string_lossy().into_owned(),
    };
    let options = [
        ("--catalogue", arguments.catalogue.as_ref().map(path)),
        ("--manifest", arguments.manifest.as_ref().map(path)),
        ("--into", arguments.into.as_ref().map(path)),
        ("--markdown", arguments.markdown.as_ref().map(path)),
        ("--templates", arguments.templates.as_ref().map(path)),
        ("--source-url", arguments.source_url.clone()),
    ];
    let given = options.into_iter().filter_map(|(name, value)| Some((name, value?)));
    given.fold("ludwire docs".to_owned(), |command, (name, value)| {
        format!("{command} {name} {}", word(&value))
    })
}

/// A URL, or a path from the pages to a folder that they are not above.
fn url(text: &str) -> Result<String, String> {
    if text.contains("://") || text.starts_with('/') || text.starts_with("..") {
        Ok(text.to_owned())
    } else {
        Err("it begins like https://, / or ..".to_owned())
    }
}

/// A word of a command line as a shell reads it.
fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
