//! What leaves a game must be what the schemas ask for, in every test.

use crate::protocol::{self, Form, Oracle};
use crate::route;
use jsonschema::Validator;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Checks a message of `protocol` that a game has sent: against the schema of its kind, and against the
/// envelope, which a strict peer holds it to. `method` is what it answers, where that is known.
///
/// # Panics
///
/// When it is not valid.
pub fn check(protocol: &str, message: &Value, method: Option<&str>) {
    let route = match method.filter(|_| message.get("method").is_none() && message.get("channel").is_none()) {
        Some(method) => route::response(protocol, method, message),
        None => route::message(protocol, message),
    };
    let at = route.unwrap_or_else(|| panic!("a game has sent what is no message: {message}")).at;
    let envelope = match protocol {
        "gabp" => Some("envelope.schema.json#"),
        _ => None,
    };
    for at in [Some(at.as_str()), envelope].into_iter().flatten() {
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

fn validator(protocol: &str, at: &str) -> Arc<Validator> {
    type Known = HashMap<(String, String), Arc<Validator>>;
    static VALIDATORS: Mutex<Option<Known>> = Mutex::new(None);
    static ORACLES: Mutex<Option<HashMap<String, &'static Oracle<'static>>>> = Mutex::new(None);
    let mut known = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    let key = (protocol.to_owned(), at.to_owned());
    if let Some(validator) = known.get(&key) {
        return Arc::clone(validator);
    }
    let mut oracles = ORACLES.lock().unwrap_or_else(PoisonError::into_inner);
    let oracle = oracles.get_or_insert_default().entry(protocol.to_owned()).or_insert_with(|| {
        // For as long as the program runs.
        let protocol: &'static _ = Box::leak(Box::new(protocol::named(protocol, Form::Written)));
        Box::leak(Box::new(protocol.oracle()))
    });
    let validator = Arc::new(oracle.validator(at));
    known.insert(key, Arc::clone(&validator));
    validator
}
