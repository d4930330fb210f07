//! AICC 0.1: WebSockets or lines, sessions that outlive their connections, calls and events, all on the
//! generated types.

mod calls;
mod connection;
mod events;
mod failures;
mod habits;
mod handshake;
pub(crate) mod link;
mod manifest;
mod session;
mod sessions;
mod settings;
mod writing;

use crate::door::{Access, Door};
use crate::host::{BuildError, CoreHandle, FrontEnd, Listening};
use crate::listen;
use crate::tool::Class;
use connection::Shared;
use ludwire_protocols::aicc::{
    AgentModel, EventTopic, ModelClass, SessionInitTickRateHz, TickMode, WorldKind,
};
pub use settings::Capabilities;
use settings::Settings;
#[cfg(unix)]
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Serves AICC 0.1: over a WebSocket, a Unix socket, or standard input and output.
///
/// A tool `world/spawn_orc` has the id `world_spawn_orc`. What `#[tool]` says in `limits` and `requires`
/// holds here: limits count the calls of a session, and what is required must be among its
/// [`Capabilities`]. Results and events say in `meta` which tick they are of ([`Host::tick`](crate::Host::tick)),
/// how long they took, and as `source` which tool or channel they come from.
///
/// Agents subscribe when they connect, with `?events=tick,state_change` in the URL. What the game emits on
/// a channel `collision/…`, `audio/…` or `agent_message/…` is of that topic, all else a `state_change`; the
/// payload has the `channel`, its number there as `seq`, and what was emitted as `data`.
///
/// A `tick` event says how often the world has ticked. Agents get one at most as often as
/// [`Aicc::tick_rate`] says, and always the latest: what a slow agent has not read is overwritten. One that
/// is mostly looking, with a model that is small, has no use for more than it can look at: where more than
/// half of the last 16 calls went to sensors, `edge_small` gets one tick event a second, and `edge_medium`
/// two.
///
/// A session outlives its connection for a while ([`Aicc::resume_within`]). Its calls go on meanwhile, and
/// who resumes it gets their results. While two connections want the same session, the later one has it,
/// and the other is closed with 4000.
///
/// A connection is closed with one of these codes: 1000 after session_close, 1001 when the game goes down,
/// 1002 for what is no WebSocket, 1003 for a binary message, 1007 for what is no UTF-8, 1009 for a message
/// that is too large, 4000 when its session goes on over another connection, 4001 when nothing was heard
/// of the agent for too long.
#[derive(Clone, Debug)]
pub struct Aicc {
    transport: Transport,
    access: Access,
    settings: Settings,
}

#[derive(Clone, Debug)]
enum Transport {
    WebSocket(String),
    #[cfg(unix)]
    Unix(PathBuf),
    #[cfg(unix)]
    Stdio,
}

impl Aicc {
    /// Listens on this port of 127.0.0.1 for WebSockets, where 0 is any free one. The path is `/aicc`, the
    /// subprotocol `aicc.0.1`; the token stands in the header `Authorization: Bearer …`, or in a second
    /// subprotocol `bearer.…`, if it has no comma, slash or `=`, which no subprotocol can have.
    pub fn websocket(port: u16) -> Self {
        Self::at(format!("127.0.0.1:{port}"))
    }

    /// Listens on this address for WebSockets: `127.0.0.1:43012`.
    pub fn at(address: impl Into<String>) -> Self {
        Self::over(Transport::WebSocket(address.into()))
    }

    /// Listens on a Unix socket that only its owner can use, for a message a line. It asks for no token,
    /// and goes when the host does.
    #[cfg(unix)]
    pub fn unix(path: impl Into<PathBuf>) -> Self {
        Self::over(Transport::Unix(path.into()))
    }

    /// Speaks over standard input and output, a message a line, to whoever has started the game. From then
    /// on, what the game prints goes to standard error: nothing else may come between the messages.
    #[cfg(unix)]
    pub fn stdio() -> Self {
        Self::over(Transport::Stdio)
    }

    fn over(transport: Transport) -> Self {
        Self { transport, access: Access::default(), settings: Settings::default() }
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

    /// What the world is called, and how it presents itself; else the name of the game, and `abstract`.
    pub fn world(mut self, name: impl Into<String>, kind: WorldKind) -> Self {
        self.settings.world_name = Some(name.into());
        self.settings.world_kind = kind;
        self
    }

    /// How many ticks a second the world aims at, 60 unless set: how often the game calls
    /// [`Host::run`](crate::Host::run).
    pub fn tick_rate(mut self, hertz: f64) -> Self {
        self.settings.tick_rate = hertz;
        self
    }

    /// What makes the world move on, `fixed` unless set. With `event` the world waits for agents:
    /// [`Host::should_tick`](crate::Host::should_tick) says when it may move on.
    pub fn tick_mode(mut self, mode: TickMode) -> Self {
        self.settings.tick_mode = mode;
        self
    }

    /// What agents are allowed from the beginning, besides what is allowed already.
    pub fn allow(self, class: Class, capability: impl Into<String>) -> Self {
        self.settings.capabilities.allow(class, capability);
        self
    }

    /// What agents are allowed, in the place of what was so far. It may change while the game runs.
    pub fn capabilities(mut self, capabilities: &Capabilities) -> Self {
        self.settings.capabilities = capabilities.clone();
        self
    }

    /// What is assumed of the model behind an agent that connects without `?model=`, `cloud_large` unless
    /// set.
    pub fn model(mut self, class: ModelClass) -> Self {
        self.settings.model.class = class;
        self
    }

    /// How soon the model behind an agent is expected to begin its answer, and to have sent its call.
    /// Nothing is said of it unless set.
    pub fn model_budgets(mut self, first_token: Duration, full_response: Duration) -> Self {
        let class = self.settings.model.class;
        self.settings.model = AgentModel::new(class)
            .with_expected_first_token_ms(events::millis(first_token))
            .with_expected_full_response_ms(events::millis(full_response));
        self
    }

    /// What an agent gets that does not say what it wants, as it cannot where there is no URL; nothing
    /// unless set.
    pub fn events(mut self, topics: impl IntoIterator<Item = EventTopic>) -> Self {
        self.settings.topics = topics.into_iter().collect();
        self
    }

    /// How long a session waits for an agent that has lost its connection, a minute unless set. With none, a
    /// session ends with its connection.
    pub fn resume_within(mut self, time: Duration) -> Self {
        self.settings.limits.resume_within = time;
        self
    }

    /// A heartbeat is sent when nothing else was for so long, 15 s unless set.
    pub fn heartbeat(mut self, interval: Duration) -> Self {
        self.settings.limits.heartbeat = interval;
        self
    }

    /// An agent of which nothing is heard for so long is gone, a minute unless set. Over a WebSocket its
    /// pongs count, which answer a ping beside every heartbeat; over standard input and output, where no other
    /// connection could take its place, it may be silent for ever.
    pub fn dead_after(mut self, time: Duration) -> Self {
        self.settings.limits.dead_after = time;
        self
    }

    /// The largest message that is read, and the largest result or event that is written, in bytes, 1 MiB
    /// unless set; at least 1024.
    pub fn max_message_size(mut self, bytes: usize) -> Self {
        self.settings.limits.message = bytes;
        self
    }

    /// Connections at one time, 10 unless set.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.settings.limits.connections = connections;
        self
    }

    /// Calls of one session at one time, 128 unless set: those that run, and those whose results the agent
    /// has not read. More are refused.
    pub fn max_calls(mut self, calls: usize) -> Self {
        self.settings.limits.calls = calls;
        self
    }

    /// How long a connection may take for its handshake, 5 s unless set.
    pub fn handshake_within(mut self, time: Duration) -> Self {
        self.settings.limits.handshake_within = time;
        self
    }

    /// How long an agent may take nothing of what waits for it before it is closed, 10 s unless set.
    pub fn read_within(mut self, time: Duration) -> Self {
        self.settings.limits.read_within = time;
        self
    }

    /// What is wrong with the settings, but for who may come in.
    fn wrong_setting(&self) -> Option<&'static str> {
        let Settings { world_name, tick_rate, limits, .. } = &self.settings;
        Some(if limits.message < 1024 {
            "AICC wants messages of 1024 bytes at least"
        } else if limits.connections == 0 || limits.calls == 0 {
            "AICC wants room for a connection and a call at least"
        } else if limits.heartbeat.is_zero() || limits.dead_after.is_zero() {
            "AICC wants some time between heartbeats, and until an agent is gone"
        } else if SessionInitTickRateHz::try_from(*tick_rate).is_err() {
            "AICC wants a tick rate above zero"
        } else if world_name.as_deref() == Some("") {
            "AICC wants a name for the world"
        } else {
            return None;
        })
    }
}

impl FrontEnd for Aicc {
    fn wrong(&self, _: &BTreeSet<String>) -> Vec<String> {
        let token = match &self.transport {
            Transport::WebSocket(_) => self.access.wrong(),
            #[cfg(unix)]
            Transport::Unix(_) | Transport::Stdio => None,
        };
        self.wrong_setting().map(str::to_owned).into_iter().chain(token).collect()
    }

    fn listen(self: Box<Self>, core: CoreHandle) -> Result<Listening, BuildError> {
        let Self { transport, access, settings } = *self;
        let reach = access.reach();
        if settings.tick_mode == TickMode::Event {
            core.core.clock.wait_for_calls();
        }
        let token = match &transport {
            Transport::WebSocket(_) => access.token(core.fresh_token),
            // Who may open the file, or has started the game, may come in.
            #[cfg(unix)]
            Transport::Unix(_) | Transport::Stdio => None,
        };
        let door = Arc::new(Door::new("aicc", token, settings.limits.connections));
        let shared = Arc::new(Shared::new(core.core, settings, door));
        let core = Arc::clone(&shared.core);
        let mut listening = Listening {
            protocol: "aicc",
            address: String::new(),
            guard: None,
            announcement: None,
            begin: None,
        };
        match transport {
            Transport::WebSocket(address) => {
                let admit = move |stream| Arc::clone(&shared).admit(stream);
                listening.address = listen::tcp("AICC", &address, reach, &core, admit)?.to_string();
            }
            #[cfg(unix)]
            Transport::Unix(path) => {
                let file = listen::unix(&path, &core, move |stream| {
                    let (reader, writer) = stream.into_split();
                    Arc::clone(&shared).admit_lines(reader, writer, false);
                })?;
                listening.address = path.display().to_string();
                listening.guard = Some(Box::new(file));
            }
            #[cfg(unix)]
            Transport::Stdio => {
                listening.address = "stdio".to_owned();
                listening.begin = Some(Box::new(move || {
                    let (reader, writer) = listen::stdio()?;
                    shared.admit_lines(reader, writer, true);
                    Ok(())
                }));
            }
        }
        Ok(listening)
    }
}
