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
use crate::config::Config;
use crate::diagnostics::{Diagnostics, Result};
use crate::ir::Protocol;
use catalogue::ListPage;
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;
use templates::Templates;
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
    let templates = Templates::new(config)?;
    let mut problems = Diagnostics::default();
    let mut files = Vec::new();
    for protocol in protocols {
        match pages(config, &templates, protocol) {
            Ok(pages) => files.extend(pages),
            Err(error) => problems.append(error),
        }
    }
    problems.finish(files)
}

fn pages(config: &Config, templates: &Templates, protocol: &Protocol) -> Result<Vec<OutputFile>> {
    let of = config.protocols.iter().find(|of| of.name == protocol.name);
    let facts = protocol::facts(protocol, of);
    let reserved: Vec<&str> = HEADINGS.iter().copied().chain([facts.title.as_str()]).collect();
    let sections = value(sections::sections(protocol, &reserved));
    let facts = value(facts);
    let page = |name: &str, template: &str, model: &Value| {
        let path = format!("{}/{}/{name}.md", config.docs.trim_end_matches('/'), protocol.name);
        Ok(OutputFile { path, content: templates.render(template, model)? })
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
    let mut files = vec![
        page("index", "catalogue.md", &with("index", None))?,
        page("messages", "messages.md", &with("messages", None))?,
    ];
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
    lists.chain([link("messages", "Messages")]).chain(enforcement).collect()
}

/// The page that says what becomes of the rules.
const ENFORCEMENT: &str = "enforcement";

#[cfg(test)]
mod tests;
