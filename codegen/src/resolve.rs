//! Follows references across files and brings all drafts into one form.

mod build;
mod cycles;
mod dialect;
mod dynamic;
mod index;
mod numbers;
mod reading;
mod references;
mod uri;

use crate::diagnostics::Result;
use crate::graph::Graph;
use crate::load::Document;

pub use reading::join;

/// The graph of every schema in `documents`.
///
/// # Errors
///
/// Every keyword with a wrong value, every reference without a target and every circle of
/// references, each with its place.
pub fn graph(documents: &[Document]) -> Result<Graph> {
    graph_of(documents, None)
}

/// The same, for documents that refer to each other by URLs that none of them has as its `$id`.
///
/// # Errors
///
/// As for [`graph`](fn@graph).
pub fn graph_with(documents: &[Document], mappings: &[Mapping]) -> Result<Graph> {
    graph_of(documents, Some(mappings))
}

/// `mappings` is `None` where nobody can give any.
fn graph_of(documents: &[Document], mappings: Option<&[Mapping]>) -> Result<Graph> {
    let mut index = references::follow_all(documents, mappings);
    let mut problems = std::mem::take(&mut index.problems);
    let mut graph = build::build(&index, &mut problems);
    cycles::check(&graph, &mut problems);
    for found in [&mut problems, &mut graph.notes] {
        found.sort();
        documents.iter().for_each(|document| document.add_lines(found));
    }
    if problems.0.is_empty() { Ok(graph) } else { Err(problems.after(&graph.notes)) }
}

/// The file that a reference names by its path from where it stands, if it does.
pub(crate) fn relative_file(reference: &str) -> Option<String> {
    let (file, _) = uri::split(reference);
    let file = uri::decode(file)?;
    let is_relative = !file.is_empty() && !file.starts_with('/') && !file.contains([':', '?']);
    is_relative.then_some(file)
}

/// URLs that stand for files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// What the URLs start with: `https://example.com/schemas/`.
    pub prefix: String,
    /// The folder where the files for them are, as the documents' paths name it; empty for the
    /// folder of all documents.
    pub folder: String,
}

impl Mapping {
    /// The URL that stands for the document at `path`.
    fn url(&self, path: &str) -> Option<String> {
        let folder = self.folder.trim_end_matches('/');
        let rest = if folder.is_empty() { path } else { path.strip_prefix(folder)?.strip_prefix('/')? };
        Some(format!("{}/{rest}", self.prefix.trim_end_matches('/')))
    }
}

#[cfg(test)]
mod tests;
