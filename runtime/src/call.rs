//! What a running tool knows of its call.

use crate::dispatch::Core;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a running tool knows of its call. A parameter `call: &Call`, under any name, gets it.
#[derive(Clone)]
pub struct Call {
    pub(crate) core: Arc<Core>,
    pub(crate) caller: Caller,
    pub(crate) deadline: Option<Instant>,
    pub(crate) cancelled: Arc<AtomicBool>,
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Caller {
    /// The game itself, through [`Host::call`](crate::Host::call).
    Game,
    /// A peer: the protocol, and a number that no other connection of this host has.
    Peer {
        /// `gabp`
        protocol: &'static str,
        /// Counts connections from 1.
        connection: u64,
    },
}

impl Call {
    pub(crate) fn from_game(core: Arc<Core>) -> Self {
        Self { core, caller: Caller::Game, deadline: None, cancelled: Arc::default() }
    }

    /// Who calls.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Nobody waits for the result any more: the deadline has passed, or the peer has gone. A tool
    /// that runs long looks at this now and then, and returns when it is true.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// How long somebody waits for the result; `None` without a limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Sends an event to every peer that has subscribed to `channel`.
    ///
    /// What cannot be written as JSON (a map whose keys are no strings, say) is logged and not sent.
    pub fn emit<T: Serialize + ?Sized>(&self, channel: &str, payload: &T) {
        self.core.events.emit(channel, payload);
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("caller", &self.caller)
            .field("time_left", &self.time_left())
            .field("is_cancelled", &self.is_cancelled())
            .finish()
    }
}
