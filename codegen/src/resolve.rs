//! Follows references across files and brings all drafts into one form.

mod build;
mod cycles;
mod dialect;
mod dynamic;
mod index;
mod numbers;
mod references;
mod uri;

use crate::diagnostics::Result;
use crate::graph::Graph;
use crate::json::Node;
use crate::load::Document;

/// The graph of every schema in `documents`.
///
/// # Errors
///
/// Every keyword with a wrong value, every reference without a target and every circle of
/// references, each with its place.
pub fn graph(documents: &[Document]) -> Result<Graph> {
    let mut index = references::follow_all(documents);
    let mut problems = std::mem::take(&mut index.problems);
    let (graph, spots) = build::build(&index, &mut problems);
    dynamic::check(&index, &graph, &spots, &mut problems);
    cycles::check(&graph, &mut problems);
    problems.0.sort();
    problems.0.dedup();
    for document in documents {
        document.add_lines(&mut problems);
    }
    problems.finish(graph)
}

/// Where a reference may lead, without the fragment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A URL.
    Url(String),
    /// A file, by its path as the documents' paths count.
    File(String),
}

/// Where references in a document may lead. Some of it may be schemas inside the document, and
/// values that only look like references are taken for such.
pub fn targets(document: &Document) -> Vec<Target> {
    let Some(address) = uri::Address::of(document) else { return Vec::new() };
    let lies = address.clone();
    let mut found = Vec::new();
    let mut waiting = vec![(&document.root, address)];
    while let Some((node, mut base)) = waiting.pop() {
        for keyword in ["id", "$id"] {
            let id = node.get(keyword).and_then(Node::as_str);
            base = id.and_then(|id| base.join(uri::split(id).0)).unwrap_or(base);
        }
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(reference) = node.get(keyword).and_then(Node::as_str) else { continue };
            let (file, _) = uri::split(reference);
            found.extend([&base, &lies].into_iter().filter_map(|base| Some(base.join(file)?.target())));
        }
        waiting.extend(node.items().iter().map(|item| (item, base.clone())));
        waiting.extend(node.members().iter().map(|member| (&member.node, base.clone())));
    }
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests;
