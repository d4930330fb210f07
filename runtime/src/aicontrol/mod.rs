//! AiControl 1: lines of JSON over TCP, requests in order, commands that complete as events; all on the
//! generated types.

mod commands;
mod connection;
mod failures;
mod history;
mod id;
mod observation;
mod service;

use crate::door::{Access, Door};
use crate::host::{BuildError, CoreHandle, FrontEnd, Listening};
use crate::listen;
use crate::task;
use connection::Shared;
use ludwire_protocols::aicontrol;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Serves AiControl 1 over TCP.
///
/// A command's `type` is the name of a tool, its other members are the arguments. What becomes of it, its
/// event `command_completed` tells, with the tool's result as `result`. Every event of the game is kept for
/// clients to fetch, as `{"type": channel, "seq": number in the channel, "data": payload}`. `observe` gives
/// what the function with `#[observe]` returns, with `schemaVersion` (1) and `availableActions` (the names
/// of the tools) where it has no such members itself.
#[derive(Clone, Debug)]
pub struct AiControl {
    address: String,
    access: Access,
    limits: Limits,
}

/// What clients may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of a line, either way, the LF not counted.
    pub(crate) line: usize,
    /// Connections at one time.
    pub(crate) connections: usize,
    /// Commands that were accepted and have not completed.
    pub(crate) commands: usize,
    /// Events that are kept.
    pub(crate) events: usize,
    /// How long a connection may take to show the token.
    pub(crate) auth_within: Duration,
    /// How long a client may take no byte of what waits for it.
    pub(crate) read_within: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line: usize::try_from(aicontrol::MAX_LINE_BYTES).expect("1 MiB is a usize"),
            connections: 10,
            commands: 256,
            events: 1024,
            auth_within: Duration::from_secs(5),
            read_within: Duration::from_secs(10),
        }
    }
}

impl AiControl {
    /// Listens on this port of 127.0.0.1, where 0 is any free one; the protocol's own is 43011.
    pub fn on(port: u16) -> Self {
        Self::at(format!("{}:{port}", aicontrol::DEFAULT_HOST))
    }

    /// Listens on this address: `127.0.0.1:43011`.
    pub fn at(address: impl Into<String>) -> Self {
        Self { address: address.into(), access: Access::default(), limits: Limits::default() }
    }

    /// Takes the token from this environment variable, of at least 32 characters of ASCII, without spaces; the
    /// host's fresh one, which stands in GABP's bridge file, where it is not set or empty. So it is, too, where
    /// no variable is named.
    pub fn token_env(self, variable: &str) -> Self {
        Self { access: self.access.with_token_from(variable), ..self }
    }

    /// Lets in whoever can connect, without a token. Every program of every user on this machine can: for a
    /// machine that nobody else uses.
    pub fn without_token(self) -> Self {
        Self { access: self.access.without_token(), ..self }
    }

    /// Allows an address that other machines can reach. An environment variable must hold a token then, and
    /// all that is said can be read on the way.
    pub fn allow_remote(self) -> Self {
        Self { access: self.access.with_other_machines(), ..self }
    }

    /// Commands that may wait at one time, 256 unless set; more are refused. One client may have
    /// three quarters of them, so that nobody keeps others out.
    pub fn max_commands(mut self, commands: usize) -> Self {
        self.limits.commands = commands;
        self
    }

    /// Events that are kept for clients to fetch, 1024 unless set, and 16 MiB; the oldest are dropped.
    pub fn max_events(mut self, events: usize) -> Self {
        self.limits.events = events;
        self
    }

    /// Connections at one time, 10 unless set.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.limits.connections = connections;
        self
    }

    /// How long a connection may take to show the token, 5 s unless set.
    pub fn auth_within(mut self, time: Duration) -> Self {
        self.limits.auth_within = time;
        self
    }
}

impl FrontEnd for AiControl {
    fn wrong(&self, _: &BTreeSet<String>) -> Vec<String> {
        let Limits { commands, events, connections, .. } = self.limits;
        let none = commands == 0 || events == 0 || connections == 0;
        let text = "AiControl wants room for a connection, a command and an event at least";
        none.then(|| text.to_owned()).into_iter().chain(self.access.wrong()).collect()
    }

    fn listen(self: Box<Self>, core: CoreHandle) -> Result<Listening, BuildError> {
        let reach = self.access.reach();
        let token = self.access.token(core.fresh_token);
        let door = Arc::new(Door::new("aicontrol", token, self.limits.connections));
        let shared = Arc::new(Shared::new(core.core, door, self.limits));
        let admitting = Arc::clone(&shared);
        let address = listen::tcp("AiControl", &self.address, reach, &shared.core, move |stream| {
            Arc::clone(&admitting).admit(stream);
        })?;
        shared.listens_on(address);
        task::spawn(Arc::clone(&shared).keep_events());
        for (tool, remark) in shared.core.registry.all().iter().flat_map(|tool| commands::remarks(tool)) {
            tracing::warn!(tool, "over AiControl {remark}");
        }
        Ok(Listening {
            protocol: "aicontrol",
            address: address.to_string(),
            guard: None,
            announcement: None,
            begin: None,
        })
    }
}
