//! Reference pages of a running game, as far as its protocol tells.

use crate::shown::print;
use crate::{Cli, Failure};
use ludwire_codegen::OutputFile;
use ludwire_codegen::diagnostics::Diagnostics;
use ludwire_codegen::emit::docs::game::{FORMAT, Manifest, pages};
use ludwire_codegen::emit::docs::{Pages, Templates};
use serde_json::{Map, Value, json};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// What a game has told, in the form of `Host::manifest`.
pub(crate) struct Told {
    /// Over which protocol.
    pub(crate) by: &'static str,
    pub(crate) name: String,
    pub(crate) version: String,
    /// With the members that GABP's tool objects have.
    pub(crate) tools: Vec<Value>,
    /// What there is no place for in them, by the name of the tool.
    pub(crate) annotations: Map<String, Value>,
    pub(crate) events: Vec<Value>,
    pub(crate) resources: Vec<Value>,
    pub(crate) states: Vec<Value>,
}

/// Where the pages go.
#[derive(clap::Args)]
pub(crate) struct Docs {
    /// Write the pages into this folder, instead of printing them one after the other. Only files that this
    /// command has written are replaced or removed.
    #[arg(long, value_name = "DIR")]
    markdown: Option<std::path::PathBuf>,

    /// A folder of templates that replace those of ludwire one by one.
    #[arg(long, value_name = "DIR")]
    templates: Option<std::path::PathBuf>,
}

/// Prints the pages or writes them; with --json prints what the game has told, for `ludwire docs --manifest`.
pub(crate) fn write(cli: &Cli, docs: &Docs, told: Told) -> Result<(), Failure> {
    let manifest = json!({
        "format": FORMAT,
        "toldBy": told.by,
        "name": told.name,
        "version": told.version,
        "tools": told.tools,
        "annotations": told.annotations,
        "events": told.events,
        "resources": told.resources,
        "state": told.states,
    });
    if cli.json {
        return print(&manifest.to_string());
    }
    let protocol = if told.by == "gabp" { String::new() } else { format!("--protocol {} ", told.by) };
    let pages = Manifest::of(&manifest, "the game")
        .map(|manifest| pages(&manifest, &format!("ludwire-agent {protocol}docs")))
        .and_then(|pages| rendered(&pages, docs.templates.as_deref()))
        .map_err(|problems| Failure::Other(problems.to_string()))?;
    let Some(folder) = &docs.markdown else {
        return pages.iter().try_for_each(|page| print(&format!("<!-- {} -->\n{}", page.path, page.content)));
    };
    let removed = bring_up(folder, &pages)?;
    let removed = if removed == 0 { String::new() } else { format!(", {removed} removed") };
    let end = if pages.len() == 1 { "" } else { "s" };
    print(&format!("{}: {} page{end}{removed}", folder.display(), pages.len()))
}

fn rendered(pages: &Pages, own: Option<&Path>) -> Result<Vec<OutputFile>, Diagnostics> {
    let own = own.map(|folder| (folder, folder.display().to_string()));
    let templates = Templates::new(own.as_ref().map(|(folder, display)| (*folder, display.as_str())))?;
    pages.render(&templates)
}

/// Writes the pages, and removes those that were written for tools that have gone; how many. Where a file of
/// somebody else's has the place of a page, nothing is written.
fn bring_up(folder: &Path, pages: &[OutputFile]) -> Result<usize, Failure> {
    let failed = |path: &Path, what: &str, error: std::io::Error| {
        Failure::Other(format!("cannot {what} {}: {error}", path.display()))
    };
    let mark =
        |content: &str| content.lines().next().filter(|line| line.contains("ludwire")).map(str::to_owned);
    for page in pages {
        let path = folder.join(&page.path);
        let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
        let is_ours = match fs::read_to_string(&path) {
            Ok(content) => mark(&content).is_some(),
            Err(error) if error.kind() == ErrorKind::NotFound => true,
            Err(error) => return Err(failed(&path, "read", error)),
        };
        if is_link || !is_ours {
            let text = "was not written by ludwire-agent; move it away, or choose another folder";
            return Err(Failure::Other(format!("{} {text}", path.display())));
        }
    }
    let tools = folder.join("tools");
    fs::create_dir_all(&tools).map_err(|error| failed(&tools, "make", error))?;
    for page in pages {
        let path = folder.join(&page.path);
        fs::write(&path, &page.content).map_err(|error| failed(&path, "write", error))?;
    }
    let ours: Option<String> = pages.first().and_then(|page| mark(&page.content));
    let mut removed = 0;
    for entry in fs::read_dir(&tools).map_err(|error| failed(&tools, "list", error))? {
        let path = entry.map_err(|error| failed(&tools, "list", error))?.path();
        let is_page = pages.iter().any(|page| folder.join(&page.path) == path);
        if !is_page && fs::read_to_string(&path).is_ok_and(|content| mark(&content) == ours) {
            fs::remove_file(&path).map_err(|error| failed(&path, "remove", error))?;
            removed += 1;
        }
    }
    Ok(removed)
}
