//! `decode` and `decode_response` of every protocol, by name.

use ludwire_protocols::support::DecodeError;
use ludwire_protocols::{aicc, aicontrol, gabp};

/// A message that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// What it is called.
    pub name: &'static str,
    /// It, written down again.
    pub json: String,
}

/// Reads a message of a protocol.
///
/// # Errors
///
/// As `decode`.
pub fn decode(protocol: &str, bytes: &[u8]) -> Result<Decoded, DecodeError> {
    match protocol {
        "gabp" => gabp::decode(bytes).map(|message| decoded(message.name(), message.to_json())),
        "aicc" => aicc::decode(bytes).map(|message| decoded(message.name(), message.to_json())),
        "aicontrol" => aicontrol::decode(bytes).map(|message| decoded(message.name(), message.to_json())),
        other => panic!("add the protocol {other} to tests/src/decode.rs"),
    }
}

/// Reads the response to a request of `method`.
///
/// # Errors
///
/// As `decode_response`.
pub fn decode_response(protocol: &str, method: &str, bytes: &[u8]) -> Result<Decoded, DecodeError> {
    match protocol {
        "gabp" => {
            gabp::decode_response(method, bytes).map(|message| decoded(message.name(), message.to_json()))
        }
        "aicontrol" => aicontrol::decode_response(method, bytes)
            .map(|message| decoded(message.name(), message.to_json())),
        other => panic!("{other} reads no responses to a method"),
    }
}

fn decoded(name: &'static str, json: serde_json::Result<String>) -> Decoded {
    Decoded { name, json: json.expect("a message that was read can be written") }
}
