//! What is read beyond what is written, and why.

use crate::ir::{Amendment, Message, Protocol};
use serde::Serialize;

/// What is read beyond what is written.
#[derive(Debug, Serialize)]
pub(super) struct ReadingSection {
    /// The Rust type that takes it.
    pub(super) rust: String,
    pub(super) rows: Vec<ReadingRow>,
}

/// A reason to read more than is written.
#[derive(Debug, Serialize)]
pub(super) struct ReadingRow {
    /// The member that it is about, as a pointer into the message; empty for the message itself.
    pub(super) member: String,
    pub(super) reason: String,
}

/// What is read as `message` beyond what is written as it.
pub(super) fn section(protocol: &Protocol, message: &Message) -> Option<ReadingSection> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{MessageKind, Reading, Rest, Shape, Struct, TypeDef, TypeId};

    #[test]
    fn what_is_read_beyond_what_is_written_is_told_with_its_member() {
        let amendment = |pointer: &str| Amendment {
            file: "a.json".to_owned(),
            operation: "replace".to_owned(),
            pointer: pointer.to_owned(),
            reason: format!("{pointer} is sent otherwise."),
            reading: true,
        };
        let pointers =
            ["/properties/params/properties/properties", "/$defs/a/properties/x/default", "/allOf/0"];
        let wider = TypeDef {
            name: "ReceivedAsk".to_owned(),
            title: None,
            description: None,
            place: Default::default(),
            shape: Shape::Struct(Struct { rest: Rest::Open, ..Struct::default() }),
            recursive: false,
            far: false,
            reading: Some(Reading {
                of: Some("Ask".to_owned()),
                amendments: pointers.iter().map(|pointer| amendment(pointer)).collect(),
            }),
        };
        let message = Message {
            rust: "Ask".to_owned(),
            name: "ask".to_owned(),
            kind: MessageKind::Request,
            method: None,
            direction: String::new(),
            ty: TypeId(0),
            reading: Some(TypeId(0)),
            discriminators: Vec::new(),
            standalone: true,
        };
        let protocol = Protocol { types: vec![wider], ..Protocol::default() };
        let reading = section(&protocol, &message).expect("more is read");
        let members: Vec<&str> = reading.rows.iter().map(|row| row.member.as_str()).collect();
        assert_eq!((reading.rust.as_str(), members), ("ReceivedAsk", vec!["/params/properties", "/x", ""]));
        assert_eq!(reading.rows[2].reason, "/allOf/0 is sent otherwise.");
    }
}
