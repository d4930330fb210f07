//! GABP 1.0: transports, framing, sessions, and the methods, all on the generated types.

mod attention;
mod bridge_file;
mod companions;
mod connection;
mod failures;
mod framing;
mod glob;
mod listen;
mod memory;
mod observed;
mod outbox;
mod parted;
mod service;
mod session;
mod source;

pub(crate) use failures::id_in;
pub(crate) use framing::{Frame, FrameError, encode_into, read_frame};

use crate::door::Access;
use crate::host::{Announcement, BuildError, CoreHandle, FrontEnd, Listening};
use crate::listen::io_error;
use crate::random;
use bridge_file::BridgeFile;
pub(crate) use bridge_file::{default_path, split, still_listens};
use connection::Shared;
use ludwire_protocols::gabp;
pub use memory::{Connection, Memory, MemoryReader, MemoryWriter};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Serves GABP 1.0: over TCP on loopback, a Unix socket, standard input and output, or in memory.
#[derive(Clone, Debug)]
pub struct Gabp {
    transport: Transport,
    access: Access,
    bridge_file: Where,
    agent_id: Option<String>,
    /// The names of environment variables that a supervisor asks for.
    forwarded: Option<String>,
    limits: Limits,
}

#[derive(Clone, Debug)]
enum Transport {
    Tcp(String),
    #[cfg(unix)]
    Unix(Option<PathBuf>),
    #[cfg(unix)]
    Stdio,
    Memory(Memory),
}

/// Where the bridge file is written.
#[derive(Clone, Debug)]
enum Where {
    Usual,
    At(PathBuf),
    Nowhere,
}

/// What a peer may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of a message, either way.
    pub(crate) message: usize,
    /// Peers at one time.
    pub(crate) connections: usize,
    /// Requests of one connection that run or whose answers the peer has not taken; while there are a few
    /// more, none are read.
    pub(crate) requests: usize,
    /// How long a connection may take to say hello.
    pub(crate) hello_within: Duration,
    /// How long a peer may take no byte of what waits for it.
    pub(crate) read_within: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 1 << 20,
            connections: 10,
            requests: 64,
            hello_within: Duration::from_secs(5),
            read_within: Duration::from_secs(10),
        }
    }
}

/// What this protocol is called among others.
const PROTOCOL: &str = "gabp";

impl Gabp {
    /// Listens on this address, `127.0.0.1:0` for any free port. The token is a fresh one, which
    /// stands in the bridge file and is that of every other front end of the host that is given none.
    pub fn tcp(address: impl Into<String>) -> Self {
        Self::over(Transport::Tcp(address.into()), Where::Usual)
    }

    /// Listens on a Unix socket that only its owner can use, and that goes when the host does. A socket
    /// that a game has left there is replaced; one that somebody listens on is not.
    #[cfg(unix)]
    pub fn unix(path: impl Into<PathBuf>) -> Self {
        Self::over(Transport::Unix(Some(path.into())), Where::Usual)
    }

    /// Listens on a Unix socket at `/tmp/gabp-<launchId>.sock`, which the bridge file names.
    #[cfg(unix)]
    pub fn any_unix() -> Self {
        Self::over(Transport::Unix(None), Where::Usual)
    }

    /// Speaks over standard input and output, to whoever has started the game, with the token from
    /// `GABP_TOKEN`. From then on, what the game prints goes to standard error: nothing else may come
    /// between the messages. Writes no bridge file.
    #[cfg(unix)]
    pub fn stdio() -> Self {
        Self::over(Transport::Stdio, Where::Nowhere).token_env("GABP_TOKEN")
    }

    /// Speaks in memory, for tests: each [`Memory::connect`] is a connection as any other. Writes no bridge
    /// file.
    pub fn memory() -> (Self, Memory) {
        let memory = Memory::default();
        let access = Access::default().with_token(memory.token());
        (Self { access, ..Self::over(Transport::Memory(memory.clone()), Where::Nowhere) }, memory)
    }

    fn over(transport: Transport, bridge_file: Where) -> Self {
        Self {
            transport,
            access: Access::default(),
            bridge_file,
            agent_id: None,
            forwarded: None,
            limits: Limits::default(),
        }
    }

    /// Under a supervisor (`GABP_SERVER_PORT` is a port and `GABP_TOKEN` is not empty): its port and
    /// token, and no bridge file. Otherwise any free port and a fresh token, which stand in the bridge
    /// file.
    ///
    /// The supervisor's `GABS_GAME_ID` is the name of this game in the welcome; where it has set
    /// `GABS_FORWARD_ENV`, the welcome also says how the game found itself started.
    pub fn from_env() -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let port =
            variable("GABP_SERVER_PORT").and_then(|port| port.parse::<u16>().ok()).filter(|port| *port > 0);
        let has_token = std::env::var_os("GABP_TOKEN").is_some_and(|token| !token.is_empty());
        match (port, has_token) {
            (Some(port), true) => Self {
                agent_id: variable("GABS_GAME_ID"),
                forwarded: variable("GABS_FORWARD_ENV"),
                bridge_file: Where::Nowhere,
                ..Self::tcp(format!("127.0.0.1:{port}")).token_env("GABP_TOKEN")
            },
            (None, _) if variable("GABP_SERVER_PORT").is_some() => {
                tracing::warn!(
                    "GABP_SERVER_PORT is no port from 1 to 65535: the game starts without a supervisor"
                );
                Self::tcp("127.0.0.1:0")
            }
            (Some(_), false) => {
                tracing::warn!(
                    "GABP_SERVER_PORT is set and GABP_TOKEN is not: the game starts without a supervisor"
                );
                Self::tcp("127.0.0.1:0")
            }
            _ => Self::tcp("127.0.0.1:0"),
        }
    }

    /// Takes this token instead of a fresh one: at least 32 characters of ASCII, without spaces.
    pub fn token(self, token: impl Into<String>) -> Self {
        Self { access: self.access.with_token(token), ..self }
    }

    /// Takes the token from this environment variable, of at least 32 characters of ASCII, without spaces; a
    /// fresh one where it is not set or empty.
    pub fn token_env(self, variable: &str) -> Self {
        Self { access: self.access.with_token_from(variable), ..self }
    }

    /// Writes the bridge file here instead of at the platform's usual place.
    pub fn bridge_file(self, path: impl Into<PathBuf>) -> Self {
        Self { bridge_file: Where::At(path.into()), ..self }
    }

    /// Writes no bridge file: whoever connects knows address and token otherwise.
    pub fn no_bridge_file(self) -> Self {
        Self { bridge_file: Where::Nowhere, ..self }
    }

    /// Allows an address that other machines can reach. A token must be given then, and all that is said
    /// can be read on the way.
    pub fn allow_remote(self) -> Self {
        Self { access: self.access.with_other_machines(), ..self }
    }

    /// The largest message that is read or written, in bytes, 1 MiB unless set; at least 1024.
    pub fn max_message_size(mut self, bytes: usize) -> Self {
        self.limits.message = bytes;
        self
    }

    /// Connections at one time that have said hello, 10 unless set. Of those that have not, the oldest make
    /// room for new ones.
    pub fn max_connections(mut self, connections: usize) -> Self {
        self.limits.connections = connections;
        self
    }

    /// How long a connection may take to say hello, 5 s unless set.
    pub fn hello_within(mut self, time: Duration) -> Self {
        self.limits.hello_within = time;
        self
    }

    /// How long a peer may take no byte of what waits for it before it is closed, 10 s unless set.
    pub fn read_within(mut self, time: Duration) -> Self {
        self.limits.read_within = time;
        self
    }
}

impl FrontEnd for Gabp {
    fn wrong(&self, methods: &BTreeSet<String>) -> Vec<String> {
        let small = self.limits.message < 1024;
        let small = small.then(|| "GABP wants messages of 1024 bytes at least".to_owned());
        let space = |method: &str| method.split('/').next().unwrap_or_default().to_owned();
        let is_own = |name: &str| gabp::methods::ALL.iter().any(|own| space(own) == name);
        let taken = methods.iter().filter(|method| is_own(&space(method))).map(|method| {
            let space = space(method);
            format!("`{method}` cannot be a method of the game: `{space}/…` is the protocol's")
        });
        small.into_iter().chain(self.access.wrong()).chain(taken).collect()
    }

    fn listen(self: Box<Self>, core: CoreHandle) -> Result<Listening, BuildError> {
        let token = self.access.clone().token(core.fresh_token).expect("GABP is never without");
        let launch_id = random::uuid().map_err(io_error("making an id"))?;
        let path = match &self.bridge_file {
            Where::Nowhere => None,
            Where::At(path) => Some(path.clone()),
            Where::Usual => Some(default_path().ok_or_else(|| {
                BuildError::Setting("there is no home folder for the bridge file; name a path".to_owned())
            })?),
        };
        let observed = self.forwarded.as_deref().map(|names| observed::start(names, &token));
        let agent_id = self.agent_id.clone().unwrap_or_else(|| launch_id.to_string());
        let shared = Arc::new(Shared::new(core.core, token.clone(), agent_id, observed, self.limits));
        let open = match &self.transport {
            Transport::Tcp(address) => listen::tcp(address, self.access.reach(), shared)?,
            #[cfg(unix)]
            Transport::Unix(path) => {
                let path = path.clone().unwrap_or_else(|| format!("/tmp/gabp-{launch_id}.sock").into());
                listen::unix(&path, shared)?
            }
            #[cfg(unix)]
            Transport::Stdio => listen::stdio(shared),
            Transport::Memory(memory) => memory.clone().open(shared, tokio::runtime::Handle::current()),
        };
        let announcement = path.map(|path| {
            let (kind, address) = (open.kind, open.address.clone());
            let write = move |path: &Path| -> io::Result<Box<dyn Send>> {
                Ok(Box::new(BridgeFile::write(path, &token, (kind, &address), launch_id)?))
            };
            Announcement { path, write: Box::new(write) }
        });
        let listen::Open { address, guard, begin, .. } = open;
        Ok(Listening { protocol: PROTOCOL, address, guard, announcement, begin })
    }
}
