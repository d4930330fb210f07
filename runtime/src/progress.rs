//! How far running tools are, for peers that want to know.

use crate::call::Caller;
use crate::event::{Declaration, Event};
use crate::function::Location;
use crate::outputs::Payload;
use schemars::JsonSchema;
use serde::Serialize;

/// How far a running tool is: what [`Call::progress`](crate::Call::progress) sends.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Progress {
    /// The name of the tool.
    tool: &'static str,
    /// Which connection called it, counted from 1; absent when the game itself did.
    connection: Option<u32>,
    /// What part of the work is done, from 0 to 1.
    done: f64,
    /// What is being done.
    message: String,
}

impl Progress {
    pub(crate) fn new(tool: &'static str, caller: &Caller, done: f64, message: &str) -> Self {
        let connection = match caller {
            Caller::Game => None,
            Caller::Peer { connection, .. } => u32::try_from(*connection).ok(),
        };
        // What is no number says nothing of how far it is.
        let done = if done.is_nan() { 0.0 } else { done.clamp(0.0, 1.0) };
        Self { tool, connection, done, message: message.to_owned() }
    }
}

// By hand: what the derive declares, every host of the program has, and this only those that ask for it.
impl Event for Progress {
    const CHANNEL: &'static str = "tool/progress";

    fn declaration() -> &'static Declaration {
        static DECLARATION: Declaration = Declaration::of::<Progress>(
            "How far a running tool is.",
            Location { file: file!(), line: line!(), column: column!() },
            false,
        );
        &DECLARATION
    }

    fn payload() -> Payload<Self> {
        Payload::new()
    }
}
