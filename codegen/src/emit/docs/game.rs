//! The pages of one game: its tools, events, resources and states, from its manifest.
//!
//! What is here knows schemas as JSON, not as the intermediate representation, so that a client of a running
//! game can make the same pages without the generator.

mod accepts;
mod beside;
mod calls;
mod integers;
mod layers;
mod manifest;
mod model;
mod rows;
mod rules;
mod sample;
mod splice;

pub use manifest::{FORMAT, Manifest};

use super::pages::{Pages, value};
use super::templates::Templates;
use crate::diagnostics::Result;
use minijinja::context;
use model::{Brief, Game};

/// The pages of a game as data; their paths count from the folder of the pages, and none leads out of it.
/// `command` makes them again.
pub fn pages(manifest: &Manifest, command: &str) -> Pages {
    let mut pages = Pages::of(context! { game => value(Game::of(manifest, command)) });
    for page in model::pages(manifest) {
        let (path, template) = (page.path(), page.template());
        pages.add(path, template, context! { page => value(page) });
    }
    pages
}

/// Puts the table of a game's tools between the markers `<!-- ludwire:tools -->` and
/// `<!-- /ludwire:tools -->` of a text, which stand on lines of their own. Everything else stays as it is.
/// `folder` is where the text finds the pages of the tools, if it is to link to them; `file` is the name of the
/// text in diagnostics.
///
/// # Errors
///
/// Markers that are missing, stand twice or are not closed, with the line; and a template of the user that
/// cannot be rendered.
pub fn splice(
    manifest: &Manifest,
    templates: &Templates,
    folder: Option<&str>,
    file: &str,
    text: &str,
) -> Result<String> {
    let place = splice::place(file, text)?;
    let tools: Vec<Brief> = manifest.tools.iter().map(Brief::of).collect();
    let folder = folder.map(|folder| if folder.is_empty() { String::new() } else { format!("{folder}/") });
    let model = context! { game => value(Game::of(manifest, "")), tools => value(tools), folder };
    Ok(place.with(&templates.render("game-splice.md", &model)?))
}

/// The name of a file for what is called so: a slash becomes a dot, and whatever might mean something to a file
/// system is written in hexadecimal, capitals too, since some do not tell them from small letters.
fn file_name(name: &str) -> String {
    let mut file: String = name
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' => char::from(byte).to_string(),
            b'/' => ".".to_owned(),
            _ => format!("={byte:02x}"),
        })
        .collect();
    // `..`, a hidden file, and what Windows takes for a device whatever follows its name.
    let first = file.split('.').next().unwrap_or_default();
    let is_device = matches!(first, "con" | "prn" | "aux" | "nul")
        || (first.len() == 4
            && (first.starts_with("com") || first.starts_with("lpt"))
            && first.ends_with(|c: char| c.is_ascii_digit()));
    if first.is_empty() || is_device {
        let byte = name.bytes().next().unwrap_or(b'/');
        file.replace_range(..1.min(file.len()), &format!("={byte:02x}"));
    }
    file
}

#[cfg(test)]
mod tests;
