//! The ways to read a message and to write it.

use crate::messages::Subject;
use jsonschema::Validator;
use ludwire_protocols::support::from_slice;
use ludwire_tests::protocol::{self, Form};
use serde::Serialize;
use serde_json::Value;

/// A message as bytes, and the validator that knows its schema.
pub struct Message {
    bytes: Vec<u8>,
    validator: Validator,
}

impl Message {
    pub fn new<S: Subject>() -> Self {
        let bytes = json(&S::plain());
        let (protocol, schema) = S::SCHEMA;
        let validator = protocol::named(protocol, Form::Written).oracle().validator(schema);
        let value: Value = parsed(&bytes);
        assert!(validator.is_valid(&value), "{} must be valid", S::NAME);
        Self { bytes, validator }
    }
}

pub fn strict<S: Subject>(message: &Message) -> impl FnMut() -> S::Strict {
    || parsed(&message.bytes)
}

pub fn read<S: Subject>(message: &Message) -> impl FnMut() -> S::Strict {
    || from_slice(divan::black_box(&message.bytes)).expect("the message is valid")
}

pub fn decode<S: Subject>(message: &Message) -> impl FnMut() -> S::Message {
    || S::decode(&message.bytes).expect("the message is valid")
}

pub fn plain_read<S: Subject>(message: &Message) -> impl FnMut() -> S::Plain {
    || parsed(&message.bytes)
}

pub fn value(message: &Message) -> impl FnMut() -> Value {
    || parsed(&message.bytes)
}

pub fn checked<S: Subject>(message: &Message) -> impl FnMut() -> S::Plain {
    || {
        let value: Value = parsed(&message.bytes);
        assert!(message.validator.is_valid(&value), "the message is valid");
        serde_json::from_value(value).expect("the message has this shape")
    }
}

pub fn write_strict<S: Subject>(message: &Message) -> impl FnMut() -> Vec<u8> {
    let value: S::Strict = parsed(&message.bytes);
    move || json(&value)
}

pub fn write_plain<S: Subject>(message: &Message) -> impl FnMut() -> Vec<u8> {
    let value: S::Plain = parsed(&message.bytes);
    move || json(&value)
}

fn parsed<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> T {
    serde_json::from_slice(divan::black_box(bytes)).expect("the message is valid")
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(divan::black_box(value)).expect("the message can be written")
}
