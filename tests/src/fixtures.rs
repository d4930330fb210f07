//! Messages made by hand, which stand in `fixtures/`: what each is, and the method that it answers
//! where that must be known.

use crate::decode::{Decoded, decode, decode_response};
use ludwire_protocols::support::DecodeError;
use serde_json::Value;

/// A message made by hand.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The protocol.
    pub protocol: &'static str,
    /// What `decode`, or else `decode_response`, calls it.
    pub is: String,
    /// The method that it answers, where it is one that `decode_response` reads.
    pub answers: Option<String>,
    /// The message.
    pub message: Value,
}

/// The protocols.
pub const PROTOCOLS: [&str; 3] = ["gabp", "aicc", "aicontrol"];

/// The messages of every protocol.
pub fn all() -> Vec<Fixture> {
    PROTOCOLS.into_iter().flat_map(of).collect()
}

/// The messages of a protocol.
pub fn of(protocol: &'static str) -> Vec<Fixture> {
    let text = match protocol {
        "gabp" => include_str!("../fixtures/gabp.json"),
        "aicc" => include_str!("../fixtures/aicc.json"),
        "aicontrol" => include_str!("../fixtures/aicontrol.json"),
        other => panic!("there is no tests/fixtures/{other}.json"),
    };
    let entries: Vec<Value> = serde_json::from_str(text).expect("the file is a list");
    let fixture = |entry: &Value| {
        let text = |name: &str| entry.get(name).and_then(Value::as_str).map(str::to_owned);
        let is = text("is").expect("a message has a name");
        Fixture { protocol, is, answers: text("answers"), message: entry["message"].clone() }
    };
    entries.iter().map(fixture).collect()
}

/// The first message of a protocol that is called `is`.
pub fn first(protocol: &'static str, is: &str) -> Fixture {
    let found = of(protocol).into_iter().find(|fixture| fixture.is == is);
    found.unwrap_or_else(|| panic!("tests/fixtures/{protocol}.json has no {is}"))
}

impl Fixture {
    /// Reads `bytes` the way that this message is read.
    ///
    /// # Errors
    ///
    /// As `decode` and `decode_response`.
    pub fn read(&self, bytes: &[u8]) -> Result<Decoded, DecodeError> {
        match &self.answers {
            Some(method) => decode_response(self.protocol, method, bytes),
            None => decode(self.protocol, bytes),
        }
    }
}
