//! Changes to messages made by hand, and what becomes of them.

use crate::decode::Decoded;
use crate::fixtures::first;
use crate::spell::spell;
use fastrand::Rng;
use serde_json::Value;

/// A change to a message.
pub enum Edit<'a> {
    /// The value at a pointer becomes this one; a member that is not there is added.
    Set(&'a str, Value),
    /// The value at a pointer goes.
    Drop(&'a str),
}

impl Edit<'_> {
    /// Carries it out.
    pub fn apply(&self, message: &mut Value) {
        let (Self::Set(pointer, _) | Self::Drop(pointer)) = self;
        let (above, token) = pointer.rsplit_once('/').expect("a pointer to something inside");
        let parent = message.pointer_mut(above).expect("what is edited is there");
        match (parent, self) {
            (Value::Object(members), Self::Set(_, value)) => {
                drop(members.insert(token.replace("~1", "/"), value.clone()))
            }
            (Value::Object(members), Self::Drop(_)) => {
                drop(members.remove(token).expect("what is dropped is there"))
            }
            (Value::Array(items), Self::Set(_, value)) => {
                items[token.parse::<usize>().expect("an index")] = value.clone();
            }
            (parent, _) => panic!("{parent} can't be edited at {pointer}"),
        }
    }
}

/// Reads an edited message and checks where and with what words it is refused.
pub fn refused(protocol: &'static str, is: &str, edit: Edit<'_>, pointer: &str, words: &str) {
    let fixture = first(protocol, is);
    let mut message = fixture.message.clone();
    edit.apply(&mut message);
    // Whatever comes first in the document, the error is the same.
    for seed in 0..20 {
        let text = spell(&message, &mut Rng::with_seed(seed));
        let error = fixture.read(text.as_bytes()).expect_err(&text);
        assert_eq!(error.pointer(), pointer, "{text}\n{error}");
        assert!(error.message().contains(words), "{text}\n{error}\nmust contain {words:?}");
        assert!(!error.is_syntax(), "{text}\n{error}");
    }
}

/// Reads an edited message that stays what it is.
pub fn accepted(protocol: &'static str, is: &str, edit: Edit<'_>) -> Decoded {
    let fixture = first(protocol, is);
    let mut message = fixture.message.clone();
    edit.apply(&mut message);
    let read = fixture.read(message.to_string().as_bytes()).expect("it is valid");
    assert_eq!(read.name, is);
    read
}
