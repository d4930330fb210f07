//! Reference pages.
//!
//! A page is a model, plain data that says what stands on it, and a template that writes it down.
//! Markdown is known to the templates and to the module `markdown`, which escapes whatever they print.

mod catalogue;
mod checks;
mod markdown;
mod meanings;
mod prose;
mod protocol;
mod sections;
mod templates;
mod words;

use crate::OutputFile;
use crate::config::{Config, ProtocolConfig};
use crate::diagnostics::{Diagnostics, Result};
use crate::ir::Protocol;
use crate::load::slashes;
use catalogue::ListPage;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use std::path::Path;
use templates::{Own, Templates};
pub(super) use words::rules_of;

/// The headings that our templates have on a page with messages, so that no type's heading gets the
/// anchor of one of them.
const HEADINGS: [&str; 8] = [
    "Messages",
    "Shared types",
    "Types that no message uses",
    "Shared rules",
    "Error codes",
    "Constants",
    "What the overlay changes",
    "Sources",
];

/// The pages of all protocols: for a catalogue an index, the pages of its lists and the messages;
/// for any other protocol one page.
///
/// # Errors
///
/// A template of the project that cannot be read or rendered.
pub fn files(config: &Config, protocols: &[Protocol]) -> Result<Vec<OutputFile>> {
    let own = config.templates.as_ref();
    let own = own.map(|folder| Own { at: config.root.join(folder), display: folder.clone() });
    let templates = Templates::new(own)?;
    let mut problems = Diagnostics::default();
    let mut files = Vec::new();
    for protocol in protocols {
        let of = config.protocols.iter().find(|of| of.name == protocol.name);
        let folder = format!("{}/{}", config.docs.trim_end_matches('/'), protocol.name);
        match pages(&templates, protocol, of, crate::REGENERATE) {
            Ok(pages) => files.extend(
                pages.into_iter().map(|page| OutputFile { path: format!("{folder}/{}", page.path), ..page }),
            ),
            Err(error) => problems.append(error),
        }
    }
    problems.finish(files)
}

/// The pages of a catalogue that no `ludwire.toml` names; paths count from the folder of the pages.
///
/// # Errors
///
/// A template of the user that cannot be read or rendered.
pub fn catalogue(
    protocol: &Protocol,
    of: &ProtocolConfig,
    templates: Option<&Path>,
    command: &str,
) -> Result<Vec<OutputFile>> {
    let own = templates.map(|folder| Own { at: folder.to_owned(), display: slashes(folder) });
    pages(&Templates::new(own)?, protocol, Some(of), command)
}

fn pages(
    templates: &Templates,
    protocol: &Protocol,
    of: Option<&ProtocolConfig>,
    command: &str,
) -> Result<Vec<OutputFile>> {
    let facts = protocol::facts(protocol, of, command);
    let reserved: Vec<&str> = HEADINGS.iter().copied().chain([facts.title.as_str()]).collect();
    let sections = value(sections::sections(protocol, &reserved));
    let facts = value(facts);
    let page = |name: &str, template: &str, model: &Value| {
        Ok(OutputFile { path: format!("{name}.md"), content: templates.render(template, model)? })
    };
    if protocol.lists.is_empty() {
        let model = context! { protocol => facts, sections, lists => value([(); 0]) };
        return Ok(vec![page("index", "protocol.md", &model)?]);
    }
    let lists = catalogue::pages(protocol, of.and_then(|of| of.source_url.as_deref()));
    let model = context! {
        protocol => facts,
        sections,
        lists => value(&lists),
        pages => value(links(&lists, protocol)),
        stability => value(catalogue::stability(protocol)),
    };
    let with = |this: &str, page: Option<&ListPage>| context! { this, page => value(page), ..model.clone() };
    let mut files = vec![page("index", "catalogue.md", &with("index", None))?];
    if !protocol.messages.is_empty() {
        files.push(page(MESSAGES, "messages.md", &with(MESSAGES, None))?);
    }
    if !protocol.enforcement.is_empty() {
        files.push(page(ENFORCEMENT, "enforcement.md", &with(ENFORCEMENT, None))?);
    }
    for list in &lists {
        files.push(page(&list.file, "list.md", &with(&list.file, Some(list)))?);
    }
    Ok(files)
}

/// A part of a model as the templates see it.
fn value(part: impl Serialize) -> Value {
    Value::from(Serde(part))
}

/// A page of a catalogue, for the links between them.
#[derive(Serialize)]
struct PageLink {
    file: String,
    title: String,
}

fn links(lists: &[ListPage], protocol: &Protocol) -> Vec<PageLink> {
    let lists = lists.iter().map(|page| PageLink { file: page.file.clone(), title: page.title.clone() });
    let link = |file: &str, title: &str| PageLink { file: file.to_owned(), title: title.to_owned() };
    let enforcement = (!protocol.enforcement.is_empty()).then(|| link(ENFORCEMENT, "Enforcement"));
    let messages = (!protocol.messages.is_empty()).then(|| link(MESSAGES, "Messages"));
    lists.chain(messages).chain(enforcement).collect()
}

/// The page of the messages, which a catalogue without methods does not have.
const MESSAGES: &str = "messages";

/// The page that says what becomes of the rules.
const ENFORCEMENT: &str = "enforcement";

#[cfg(test)]
mod tests;
