//! The pages of protocols.

mod catalogue;
mod checks;
mod examples;
mod meanings;
mod protocol;
mod reading;
mod reference;
mod together;
mod types;
mod views;
mod words;

use super::links;
use super::pages::{Pages, value};
use super::templates::Templates;
use crate::OutputFile;
use crate::config::{Config, ProtocolConfig};
use crate::diagnostics::{Diagnostics, Result};
use crate::ir::Protocol;
use crate::load;
use crate::overlay;
use minijinja::context;
use minijinja::value::Value;
use reference::Layout;
use serde::Serialize;

/// The pages of all protocols, and what is odd in the project's templates; and where `ludwire.toml` names
/// a file about all of them, a page about all.
///
/// # Errors
///
/// A template of the project that cannot be read or rendered, and links that lead nowhere.
pub fn files(config: &Config, protocols: &[Protocol]) -> Result<(Vec<OutputFile>, Diagnostics)> {
    let own = config.templates.as_ref().map(|folder| (config.root.join(folder), folder));
    let templates = Templates::new(own.as_ref().map(|(at, display)| (at.as_path(), display.as_str())))?;
    let mut problems = Diagnostics::default();
    let mut files = Vec::new();
    for protocol in protocols {
        let of = config.protocols.iter().find(|of| of.name == protocol.name);
        let folder = format!("{}/{}", config.docs.trim_end_matches('/'), protocol.name);
        match pages(protocol, of, crate::REGENERATE).write(&templates) {
            Ok(pages) => files.extend(
                pages.into_iter().map(|page| OutputFile { path: format!("{folder}/{}", page.path), ..page }),
            ),
            Err(error) => problems.append(error),
        }
    }
    match over_all(config, protocols).and_then(|pages| pages.map(|pages| pages.write(&templates)).transpose())
    {
        Ok(pages) => {
            let folder = config.docs.trim_end_matches('/');
            let pages = pages.into_iter().flatten();
            files.extend(pages.map(|page| OutputFile { path: format!("{folder}/{}", page.path), ..page }));
        }
        Err(error) => problems.append(error),
    }
    if problems.0.is_empty() {
        problems.append(links::check(&files));
    }
    problems.finish((files, templates.warnings().clone()))
}

/// The page over all protocols, its links from the folder of their folders; `None` where `ludwire.toml`
/// names no file about all of them.
///
/// # Errors
///
/// A file that cannot be read.
pub fn over_all(config: &Config, protocols: &[Protocol]) -> Result<Option<Pages>> {
    let Some(file) = &config.together else { return Ok(None) };
    let together = overlay::together(file, &load::text(&config.root.join(file), file)?)?;
    let mut pages = Pages::of(context! { command => crate::REGENERATE });
    pages.add("index.md", "together.md", context! { page => value(together::page(protocols, &together)) });
    Ok(Some(pages))
}

/// The pages of a protocol, their paths from its folder: for a catalogue an index, the pages of its lists and
/// the messages; for any other protocol an index, and a page for each method or message. `command` makes them
/// again.
pub fn pages(protocol: &Protocol, of: Option<&ProtocolConfig>, command: &str) -> Pages {
    let facts = protocol::facts(protocol, of, command);
    let facts = value(facts);
    if protocol.lists.is_empty() {
        let reference::Built { shared, pages: each, others } = reference::build(protocol, Layout::Pages);
        let mut pages = Pages::of(context! { protocol => facts, reference => value(shared) });
        pages.add("index.md", "protocol.md", Value::from(()));
        for page in each {
            pages.add(format!("{}.md", page.row.file), "message.md", context! { page => value(page) });
        }
        if !others.is_empty() {
            let model = context! { types => value(others) };
            pages.add(format!("{}.md", reference::OTHERS), "other-types.md", model);
        }
        return pages;
    }
    let reference::Built { shared, pages: messages, others: types } =
        reference::build(protocol, Layout::OnePage);
    let source_url = of.and_then(|of| of.source_url.as_deref());
    let lists = catalogue::pages(protocol, source_url);
    let mut files: Vec<PageLink> =
        lists.iter().map(|page| PageLink { file: page.file.clone(), name: page.name.clone() }).collect();
    let others = [
        (MESSAGES, "messages.md", !protocol.messages.is_empty()),
        (ENFORCEMENT, "enforcement.md", !protocol.enforcement.is_empty()),
    ];
    let others = others.into_iter().filter(|(.., there)| *there);
    files.extend(others.clone().map(|(file, ..)| PageLink { file: file.to_owned(), name: file.to_owned() }));
    let mut pages = Pages::of(context! {
        protocol => facts,
        reference => value(shared),
        messages => value(messages),
        types => value(types),
        links => value(catalogue::links(&lists)),
        lists => value(&lists),
        pages => value(files),
        contract => value(catalogue::contract(protocol, source_url)),
        stability => value(catalogue::stability(protocol)),
    });
    pages.add("index.md", "catalogue.md", context! { this => "index" });
    for list in &lists {
        let model = context! { this => list.file.clone(), page => value(list) };
        pages.add(format!("{}.md", list.file), "list.md", model);
    }
    for (file, template, _) in others {
        pages.add(format!("{file}.md"), template, context! { this => file });
    }
    pages
}

/// A page of a catalogue, for the links between them.
#[derive(Serialize)]
struct PageLink {
    file: String,
    name: String,
}

/// The page of the messages, which a catalogue without methods does not have.
const MESSAGES: &str = "messages";

/// The page that says what becomes of the rules.
const ENFORCEMENT: &str = "enforcement";
