//! Carries out the operations of an overlay.

use super::{Operation, Overlay};
use crate::diagnostics::{Diagnostics, Result};
use crate::json::{Json, Member, Node, escape, unescape};
use crate::load::{Document, Patch, Source, is_below};
use crate::near::nearest;

/// Carries out its operations, in order, and notes them. Those that are for reading only come last,
/// on a copy of what the others have left.
///
/// # Errors
///
/// Every operation that can't be carried out, at its place in the overlay: an `add` to what is there
/// already or to what has no parent, a `replace` or `remove` of what is not there.
pub fn apply(overlay: &Overlay, source: &mut Source) -> Result<()> {
    let mut problems = Diagnostics::default();
    if !overlay.display.is_empty() {
        source.sources.push(crate::load::source(&overlay.display, &overlay.text));
    }
    let (reading, always): (Vec<_>, Vec<_>) =
        overlay.operations.iter().partition(|operation| operation.reading);
    let mut carry_out_all = |operations: &[&Operation], documents: &mut Vec<Document>| {
        for operation in operations {
            if let Err(fault) = carry_out(overlay, operation, documents) {
                let (place, message) = match fault {
                    Fault::Of(message) => (&operation.place, message),
                    Fault::OfFile(message) => (&operation.file_place, message),
                    Fault::OfPointer(message) => (&operation.pointer_place, message),
                };
                problems.push(place.clone(), message);
            }
        }
    };
    carry_out_all(&always, &mut source.documents);
    if !reading.is_empty() {
        let mut documents = source.documents.clone();
        carry_out_all(&reading, &mut documents);
        source.reading = Some(documents);
    }
    source.amendments.extend(overlay.operations.iter().map(Operation::amendment));
    problems.0.sort();
    problems.add_lines(&overlay.display, &overlay.text);
    problems.finish(())
}

type Outcome<T> = std::result::Result<T, Fault>;

/// Why an operation can't be carried out, and which part of it is to blame.
enum Fault {
    Of(String),
    OfFile(String),
    OfPointer(String),
}

/// How deep a value may be nested, so that those who walk it by recursion are safe. The JSON reader
/// has the same bound.
const DEEPEST: usize = 127;

fn carry_out(overlay: &Overlay, operation: &Operation, documents: &mut Vec<Document>) -> Outcome<()> {
    let Operation { operation: kind, file, pointer, value, .. } = operation;
    let depth = value.as_ref().map_or(0, depth) + pointer.matches('/').count();
    if depth > DEEPEST {
        return Err(Fault::Of(format!("the value would be nested deeper than {DEEPEST}")));
    }
    let found = documents.iter().position(|document| document.path == *file);
    match (kind.as_str(), found, value) {
        ("add", Some(_), Some(_)) if pointer.is_empty() => {
            Err(Fault::OfFile(format!("there is already a file {file}")))
        }
        ("add", None, Some(value)) if pointer.is_empty() => {
            if !is_plain(file) {
                return Err(Fault::OfFile(format!("{file} is no path of a file in the protocol's folder")));
            }
            let text = overlay.text.to_string();
            documents.push(Document::new(file, &overlay.display, text, value.clone()));
            Ok(())
        }
        (_, None, _) => Err(Fault::OfFile(format!("there is no file {file}"))),
        ("add", Some(found), Some(value)) => add(overlay, &mut documents[found], pointer, value),
        ("replace", Some(found), Some(value)) => replace(overlay, &mut documents[found], pointer, value),
        ("remove", Some(found), None) if pointer.is_empty() => {
            documents.remove(found);
            Ok(())
        }
        ("remove", Some(found), None) => remove(&mut documents[found], pointer),
        _ => Err(Fault::Of(format!("{kind} is no operation that can be carried out"))),
    }
}

fn add(overlay: &Overlay, document: &mut Document, pointer: &str, value: &Node) -> Outcome<()> {
    let (above, token) = split(pointer);
    let Document { root, path, .. } = document;
    let Some(parent) = find(root, above) else { return Err(nothing(document, above)) };
    let kind = parent.kind();
    match &mut parent.value {
        Json::Object(members) => {
            let name = unescape(token);
            if members.iter().any(|member| member.name == name) {
                return Err(Fault::OfPointer(format!("there is already a value at {pointer} in {path}")));
            }
            members.push(Member { name, span: value.span, node: value.clone() });
            patch(overlay, document, pointer);
        }
        Json::Array(items) => {
            let index = if token == "-" { Some(items.len()) } else { index(token) };
            let Some(index) = index.filter(|index| *index <= items.len()) else {
                let count = items.len();
                let message = format!("an item can't be added at {pointer} in {path}: there are {count}");
                return Err(Fault::OfPointer(message));
            };
            items.insert(index, value.clone());
            shift(document, above, index, 1);
            patch(overlay, document, &format!("{above}/{index}"));
        }
        _ => {
            let message = format!("what stands at {above} in {path} is {kind} and has no members");
            return Err(Fault::OfPointer(message));
        }
    }
    Ok(())
}

fn replace(overlay: &Overlay, document: &mut Document, pointer: &str, value: &Node) -> Outcome<()> {
    match find(&mut document.root, pointer) {
        Some(found) => *found = value.clone(),
        None => return Err(nothing(document, pointer)),
    }
    let (above, token) = split(pointer);
    if !pointer.is_empty()
        && let Some(Node { value: Json::Object(members), .. }) = find(&mut document.root, above)
    {
        let name = unescape(token);
        // The name has its place where the value has.
        members.iter_mut().filter(|member| member.name == name).for_each(|member| member.span = value.span);
    }
    patch(overlay, document, pointer);
    Ok(())
}

fn remove(document: &mut Document, pointer: &str) -> Outcome<()> {
    if find(&mut document.root, pointer).is_none() {
        return Err(nothing(document, pointer));
    }
    document.patches.retain(|patch| !is_below(&patch.pointer, pointer));
    let (above, token) = split(pointer);
    match find(&mut document.root, above).map(|parent| &mut parent.value) {
        Some(Json::Object(members)) => {
            let name = unescape(token);
            members.retain(|member| member.name != name);
        }
        Some(Json::Array(items)) => {
            if let Some(index) = index(token).filter(|index| *index < items.len()) {
                items.remove(index);
                shift(document, above, index + 1, -1);
            }
        }
        _ => {}
    }
    Ok(())
}

/// The fault of a pointer that leads nowhere, with the name that may have been meant where it ends.
fn nothing(document: &Document, pointer: &str) -> Fault {
    let Document { root, path, .. } = document;
    let (mut node, mut way) = (root, String::new());
    for token in pointer.split('/').skip(1) {
        match node.pointer(&format!("/{token}")) {
            Some(inside) => (node, way) = (inside, format!("{way}/{token}")),
            None => {
                let names = node.members().iter().map(|member| member.name.as_str());
                let near = nearest(&unescape(token), names).map(|near| format!("{way}/{}", escape(near)));
                let hint = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
                return Fault::OfPointer(format!("there is nothing at {pointer} in {path}{hint}"));
            }
        }
    }
    Fault::OfPointer(format!("there is nothing at {pointer} in {path}"))
}

/// Notes that the value at a pointer stands in the overlay.
fn patch(overlay: &Overlay, document: &mut Document, pointer: &str) {
    document.patches.retain(|patch| !is_below(&patch.pointer, pointer));
    document.patches.push(Patch {
        pointer: pointer.to_owned(),
        display: overlay.display.clone(),
        text: overlay.text.clone(),
    });
}

/// Moves the notes on the items of an array, from `first` on, by `by`.
fn shift(document: &mut Document, array: &str, first: usize, by: isize) {
    for patch in &mut document.patches {
        let Some(rest) = patch.pointer.strip_prefix(array).and_then(|rest| rest.strip_prefix('/')) else {
            continue;
        };
        let (token, below) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        if let Some(moved) = index(token).filter(|index| *index >= first) {
            patch.pointer = format!("{array}/{}{below}", moved.saturating_add_signed(by));
        }
    }
}

/// The value at a pointer, to be changed.
fn find<'n>(root: &'n mut Node, pointer: &str) -> Option<&'n mut Node> {
    let mut node = root;
    for token in pointer.split('/').skip(1) {
        node = match &mut node.value {
            Json::Object(members) => {
                let name = unescape(token);
                &mut members.iter_mut().find(|member| member.name == name)?.node
            }
            Json::Array(items) => items.get_mut(index(token)?)?,
            _ => return None,
        };
    }
    Some(node)
}

/// A pointer in two: to the parent, and the last token.
fn split(pointer: &str) -> (&str, &str) {
    pointer.rsplit_once('/').unwrap_or(("", pointer))
}

fn index(token: &str) -> Option<usize> {
    let plain = token == "0" || !token.starts_with(['0', '+']);
    plain.then(|| token.parse().ok()).flatten()
}

fn depth(node: &Node) -> usize {
    let inside = node.items().iter().chain(node.members().iter().map(|member| &member.node));
    inside.map(|inside| depth(inside) + 1).max().unwrap_or(0)
}

/// Whether a path stays in its folder.
fn is_plain(path: &str) -> bool {
    !path.contains('\\') && path.split('/').all(|part| !["", ".", ".."].contains(&part))
}
