//! A set of pages as data, and what becomes of it: files, or the model as JSON.

use super::links;
use super::templates::Templates;
use crate::OutputFile;
use crate::diagnostics::{Diagnostics, Result};
use minijinja::context;
use minijinja::value::{Serde, Value};
use serde::Serialize;

/// The pages of one protocol, catalogue or game, before they are written down.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Pages {
    /// What the templates of all pages see.
    model: Value,
    /// The pages, in the order in which a reader meets them.
    pages: Vec<Page>,
}

/// A page: a template, and what it sees beside what all see.
#[derive(Clone, Debug, Serialize)]
struct Page {
    /// Where it goes, from the folder of the pages, with forward slashes.
    path: String,
    /// The name of its template.
    template: &'static str,
    /// What only this page shows.
    model: Value,
}

impl Pages {
    /// No pages yet. `model` is what the templates of all pages see.
    pub(super) fn of(model: Value) -> Self {
        Self { model, pages: Vec::new() }
    }

    /// Adds the page `path`; its template sees `model` too.
    pub(super) fn add(&mut self, path: impl Into<String>, template: &'static str, model: Value) {
        self.pages.push(Page { path: path.into(), template, model });
    }

    /// Writes the pages down, and looks whether their links lead anywhere.
    ///
    /// # Errors
    ///
    /// A template that cannot be rendered, and links from page to page that lead nowhere.
    pub fn render(&self, templates: &Templates) -> Result<Vec<OutputFile>> {
        let files = self.write(templates)?;
        links::check(&files).finish(files)
    }

    /// Writes the pages down, whether or not their links lead anywhere: they may lead to other pages than
    /// these.
    ///
    /// # Errors
    ///
    /// A template that cannot be rendered.
    pub(super) fn write(&self, templates: &Templates) -> Result<Vec<OutputFile>> {
        let mut problems = Diagnostics::default();
        let mut files = Vec::new();
        for Page { path, template, model } in &self.pages {
            let model = context! { ..model.clone(), ..self.model.clone() };
            match templates.render(template, &model) {
                Ok(content) => files.push(OutputFile { path: path.clone(), content }),
                Err(error) => problems.append(error),
            }
        }
        // A template of several pages is wrong once.
        problems.sort();
        problems.finish(files)
    }
}

/// A part of a model as the templates see it.
pub(super) fn value(part: impl Serialize) -> Value {
    Value::from(Serde(part))
}
