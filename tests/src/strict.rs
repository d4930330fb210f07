//! What leaves a game must be what the schemas ask for, in every test.

use crate::protocol::{self, Form, Oracle};
use crate::route;
use jsonschema::Validator;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Checks a message that a game has sent: against the schema of its kind, and over GABP against the
/// envelope, which a strict bridge holds it to. `method` is what it answers, where that is known.
///
/// # Panics
///
/// When it is not valid.
pub fn check(protocol: &'static str, message: &Value, method: Option<&str>) {
    let is_response = protocol != "gabp" || message["type"] == "response";
    let route = match method.filter(|_| is_response) {
        Some(method) => route::response(protocol, method, message),
        None => route::message(protocol, message),
    };
    let at = route.unwrap_or_else(|| panic!("a game has sent what is no message: {message}")).at;
    let envelope = (protocol == "gabp").then_some("envelope.schema.json#");
    for at in [at.as_str()].into_iter().chain(envelope) {
        if let Err(error) = validator(protocol, at).validate(message) {
            panic!("a game has sent what {at} forbids: {error}\n{message}");
        }
    }
    match protocol {
        "gabp" => {
            assert_eq!(message.get("timestamp"), None, "the envelope has no place for it: {message}");
        }
        "aicc" => aicc(message),
        _ => {}
    }
}

/// What the texts ask for beyond the schemas.
fn aicc(message: &Value) {
    match message["type"].as_str() {
        Some("tool_result") => {
            let ok = message["ok"].as_bool();
            assert_eq!(ok, Some(message.get("output").is_some()), "output if it is ok: {message}");
            assert_eq!(ok, Some(message.get("error").is_none()), "an error if it is not: {message}");
        }
        Some("heartbeat") => {
            // A session_init, less session_id and message_id.
            if let Some(mut manifest) = message.get("manifest_update").cloned() {
                for name in ["session_id", "message_id"] {
                    assert_eq!(manifest.get(name), None, "{message}");
                    manifest[name] = message[name].clone();
                }
                assert_eq!(manifest["type"], "session_init");
                check("aicc", &manifest, None);
            }
        }
        _ => {}
    }
}

/// The validator of a schema of a protocol, made once.
fn validator(protocol: &'static str, at: &str) -> Arc<Validator> {
    static KNOWN: Mutex<BTreeMap<&str, Known>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let Known { oracle, validators } = known.entry(protocol).or_insert_with(|| {
        // For as long as the program runs.
        let protocol: &'static _ = Box::leak(Box::new(protocol::named(protocol, Form::Written)));
        Known { oracle: protocol.oracle(), validators: BTreeMap::new() }
    });
    Arc::clone(validators.entry(at.to_owned()).or_insert_with(|| Arc::new(oracle.validator(at))))
}

struct Known {
    oracle: Oracle<'static>,
    validators: BTreeMap<String, Arc<Validator>>,
}
