//! What must be corrected in or added to a protocol's files, each change with its reason.

mod apply;
mod read;

pub use apply::apply;
#[cfg(test)]
pub(crate) use read::parsed_guide;
pub use read::{read, together};

use crate::diagnostics::Place;
use crate::ir::{Amendment, Constant, Enforcement, ErrorCode, Guide, MessageKind};
use crate::json::Node;
use std::sync::Arc;

/// An overlay file, read; empty where a protocol has none.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// What people call the protocol: `GABP 1.0`.
    pub title: Option<String>,
    /// What it is, in a paragraph.
    pub description: Option<String>,
    /// Changes, in order.
    pub operations: Vec<Operation>,
    /// Which schemas are messages, in order.
    pub messages: Vec<MessageRule>,
    /// The response file of a method, where its name does not say it.
    pub answers: Vec<Named>,
    /// Facts that the schemas do not name.
    pub constants: Vec<Constant>,
    /// Error codes that the schemas do not list.
    pub errors: Vec<ErrorCode>,
    /// What becomes of the rules of a catalogue, and where each is said.
    pub enforcement: Vec<(Enforcement, Place)>,
    /// What no schema says, for the pages, and where it is said.
    pub guide: Option<(Guide, Place)>,
    /// The file as diagnostics show it.
    pub display: String,
    /// Its text, for showing lines.
    pub text: Arc<str>,
}

/// One change.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `add`, `replace` or `remove`.
    pub operation: String,
    /// The file, below the protocol's folder.
    pub file: String,
    /// JSON pointer in it; empty for the whole file.
    pub pointer: String,
    /// The new value.
    pub value: Option<Node>,
    /// Why.
    pub reason: String,
    /// It only counts for what is read: a looser form that peers send and we do not.
    pub reading: bool,
    /// Where it stands in the overlay file.
    pub place: Place,
    /// Where it names the file.
    pub file_place: Place,
    /// Where its pointer stands; the operation's own place where it has none.
    pub pointer_place: Place,
}

impl Operation {
    /// What is told of it.
    pub fn amendment(&self) -> Amendment {
        Amendment {
            file: self.file.clone(),
            operation: self.operation.clone(),
            pointer: self.pointer.clone(),
            reason: self.reason.clone(),
            reading: self.reading,
        }
    }
}

/// Which schemas are messages, of what kind.
#[derive(Clone, Debug)]
pub struct MessageRule {
    /// What they are.
    pub kind: MessageKind,
    /// Who sends them, to whom.
    pub direction: String,
    /// Which schemas.
    pub select: Select,
    /// What `decode` prints, instead of a name made from method and kind.
    pub name: Option<String>,
    /// Directions of single messages, by name.
    pub directions: Vec<Named>,
    /// Where it stands in the overlay file.
    pub place: Place,
}

/// A text that the overlay file gives a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The text.
    pub text: String,
    /// Where it stands in the overlay file.
    pub place: Place,
}

/// Which schemas a rule is about.
#[derive(Clone, Debug)]
pub enum Select {
    /// The roots of the files whose path matches, `*` standing for any text: `methods/*.request.json`.
    Files(String),
    /// One schema, as file and pointer: `envelope.schema.json#/$defs/request`.
    Schema(String),
    /// The branches of the `oneOf` at the root of a file.
    Branches(String),
}

#[cfg(test)]
mod tests;
