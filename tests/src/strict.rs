//! What leaves a game must be what the schemas ask for, in every test.

use crate::protocol::{self, Form, Oracle};
use crate::route;
use jsonschema::Validator;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Checks a message that a game has sent: against the schema of its kind, and against the envelope, which
/// a strict bridge holds it to. `method` is what it answers, where that is known.
///
/// # Panics
///
/// When it is not valid.
pub fn check(message: &Value, method: Option<&str>) {
    let route = match method.filter(|_| message["type"] == "response") {
        Some(method) => route::response("gabp", method, message),
        None => route::message("gabp", message),
    };
    let at = route.unwrap_or_else(|| panic!("a game has sent what is no message: {message}")).at;
    for at in [at.as_str(), "envelope.schema.json#"] {
        if let Err(error) = validator(at).validate(message) {
            panic!("a game has sent what {at} forbids: {error}\n{message}");
        }
    }
    assert_eq!(message.get("timestamp"), None, "the envelope has no place for it: {message}");
}

fn validator(at: &str) -> Arc<Validator> {
    static ORACLE: OnceLock<Oracle<'static>> = OnceLock::new();
    static VALIDATORS: Mutex<Option<HashMap<String, Arc<Validator>>>> = Mutex::new(None);
    let mut known = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(validator) = known.get(at) {
        return Arc::clone(validator);
    }
    let oracle = ORACLE.get_or_init(|| {
        // For as long as the program runs.
        let protocol: &'static _ = Box::leak(Box::new(protocol::named("gabp", Form::Written)));
        protocol.oracle()
    });
    let validator = Arc::new(oracle.validator(at));
    known.insert(at.to_owned(), Arc::clone(&validator));
    validator
}
