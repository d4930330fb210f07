//! What is read beyond what is written, and why.

use crate::ir::{Amendment, Message, Protocol};
use serde::Serialize;

/// What is read beyond what is written.
#[derive(Debug, Serialize)]
pub(in super::super) struct ReadingSection {
    /// The Rust type that takes it.
    pub(in super::super) rust: String,
    pub(in super::super) rows: Vec<ReadingRow>,
}

/// A reason to read more than is written.
#[derive(Debug, Serialize)]
pub(in super::super) struct ReadingRow {
    /// The member that it is about, as a pointer into the message; empty for the message itself.
    pub(in super::super) member: String,
    pub(in super::super) reason: String,
}

/// What is read as `message` beyond what is written as it.
pub(in super::super) fn section(protocol: &Protocol, message: &Message) -> Option<ReadingSection> {
    let def = protocol.types.get(message.reading?.0)?;
    let row = |amendment: &Amendment| ReadingRow {
        member: member(&amendment.pointer),
        reason: amendment.reason.clone(),
    };
    let rows = def.reading.iter().flat_map(|reading| &reading.amendments).map(row).collect();
    Some(ReadingSection { rust: def.name.clone(), rows })
}

/// The member of a message that a place in its schema is about, as a pointer.
fn member(pointer: &str) -> String {
    let mut tokens = pointer.split('/').skip(1);
    let mut found = String::new();
    while let Some(token) = tokens.next() {
        if token == "properties"
            && let Some(name) = tokens.next()
        {
            found.push('/');
            found.push_str(name);
        }
    }
    found
}
