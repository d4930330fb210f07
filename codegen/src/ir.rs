//! The intermediate representation: plain data between `lower`, which fills it, and the emitters,
//! which know nothing else.

mod checks;
mod clauses;
mod guide;
mod messages;
mod types;

use crate::diagnostics::Diagnostics;
use std::collections::BTreeSet;

pub use checks::{Check, Evaluated, ListCheck, ObjectCheck, Parts, SharedCheck, Unevaluated};
pub use clauses::{Clause, Condition};
pub use guide::{
    CodeUse, Example, Framed, Guide, Happening, Limit, MessageNote, NameRule, Question, Role, Situation,
    Step, Together, ToolNames, Topic, Transport,
};
pub use messages::{
    Amendment, Contract, Discriminator, Enforcement, ErrorCode, Message, MessageKind, Retry, RuleEntry,
    RuleList,
};
pub use types::{
    Bound, Constant, Enum, Field, List, Map, NumberRules, Presence, Reading, Rest, Routing, Rule, Sealed,
    Shape, Struct, TextRules, Tuple, TypeDef, TypeId, TypeRef, Union, Variant, is_wide,
};

/// One protocol, ready to be written down as code or as pages.
#[derive(Clone, Debug, Default)]
pub struct Protocol {
    /// Name of the Rust module and of the folders: `gabp`.
    pub name: String,
    /// What people call it: `GABP 1.0`.
    pub title: String,
    /// What it is, in a paragraph; may be empty.
    pub description: String,
    /// The files it was made from, by path.
    pub sources: Vec<Source>,
    /// All named types; a [`TypeId`] is an index into this list.
    pub types: Vec<TypeDef>,
    /// Checks that other checks call by index, so that recursion is possible.
    pub checks: Vec<SharedCheck>,
    /// All messages, in the order of the schemas.
    pub messages: Vec<Message>,
    /// Names for facts such as the version string.
    pub constants: Vec<Constant>,
    /// The error codes, in the order of the source.
    pub errors: Vec<ErrorCode>,
    /// The lists of a catalogue; empty for a protocol of JSON Schemas.
    pub lists: Vec<RuleList>,
    /// What a catalogue promises as a whole.
    pub contract: Option<Contract>,
    /// What becomes of the entries of the lists, in their order; empty where nothing is said of it.
    pub enforcement: Vec<Enforcement>,
    /// What no schema says, where anything is said.
    pub guide: Option<Guide>,
    /// What the overlay changed, and why.
    pub amendments: Vec<Amendment>,
    /// What is odd in the sources, though they are accepted.
    pub notes: Diagnostics,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path from the folder of `ludwire.toml`, with forward slashes.
    pub path: String,
    /// Its sha256 in hexadecimal.
    pub sha256: String,
}

impl Protocol {
    /// The shared checks that `checks` call, directly or through others.
    pub fn called<'a>(&'a self, checks: impl IntoIterator<Item = &'a Check>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut waiting: Vec<&Check> = checks.into_iter().collect();
        while let Some(check) = waiting.pop() {
            match check {
                Check::Shared(index) if found.insert(*index) => waiting.push(&self.checks[*index].check),
                check => waiting.extend(check.parts()),
            }
        }
        found
    }

    /// The object with known members that a type is, whatever else is asked of it.
    pub fn object(&self, id: TypeId) -> Option<&Struct> {
        match &self.types.get(id.0)?.shape {
            Shape::Struct(object) => Some(object),
            Shape::Alias(TypeRef::Named(id)) | Shape::Sealed(Sealed { inner: TypeRef::Named(id), .. }) => {
                self.object(*id)
            }
            _ => None,
        }
    }
}
