//! GABP 1.0 over TCP: framing, sessions, and the methods, all on the generated types.

mod bridge_file;
mod companions;
mod failures;
mod framing;
mod glob;
mod server;
mod service;
mod session;

pub(crate) use framing::{Frame, FrameError, encode, read_frame_blocking};

use crate::host::{BuildError, CoreHandle, Endpoint, FrontEnd, Listening};
use crate::random;
pub(crate) use bridge_file::{BridgeFile, default_path};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs as _};
use std::path::PathBuf;

/// Serves GABP 1.0 over TCP on loopback.
#[derive(Clone, Debug)]
pub struct Gabp {
    address: String,
    token: Token,
    bridge_file: Option<PathBuf>,
    agent_id: Option<String>,
}

#[derive(Clone)]
enum Token {
    Fresh,
    Given(String),
}

/// A token is never shown.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Fresh => "Fresh",
            Self::Given(_) => "Given(…)",
        })
    }
}

/// The shortest token that is taken (session/hello, `token`).
const SHORTEST_TOKEN: usize = 32;

impl Gabp {
    /// Listens on this address, `127.0.0.1:0` for any free port. The token is a fresh one, which
    /// stands in the bridge file.
    pub fn tcp(address: impl Into<String>) -> Self {
        Self { address: address.into(), token: Token::Fresh, bridge_file: None, agent_id: None }
    }

    /// Under a supervisor (`GABP_SERVER_PORT` is a port and `GABP_TOKEN` is not empty): its port and
    /// token. Otherwise any free port and a fresh token, which stand in the bridge file.
    pub fn from_env() -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let port =
            variable("GABP_SERVER_PORT").and_then(|port| port.parse::<u16>().ok()).filter(|port| *port > 0);
        match (port, variable("GABP_TOKEN")) {
            (Some(port), Some(token)) => Self {
                agent_id: variable("GABS_GAME_ID"),
                ..Self::tcp(format!("127.0.0.1:{port}")).token(token)
            },
            _ => Self::tcp("127.0.0.1:0"),
        }
    }

    /// Takes this token instead of a fresh one. At least 32 characters.
    pub fn token(self, token: impl Into<String>) -> Self {
        Self { token: Token::Given(token.into()), ..self }
    }

    /// Takes the token from this environment variable, a fresh one where it is not set or empty.
    pub fn token_env(self, variable: &str) -> Self {
        match std::env::var(variable) {
            Ok(token) if !token.is_empty() => self.token(token),
            _ => self,
        }
    }

    /// Writes the bridge file here instead of at the platform's usual place.
    pub fn bridge_file(self, path: impl Into<PathBuf>) -> Self {
        Self { bridge_file: Some(path.into()), ..self }
    }
}

impl FrontEnd for Gabp {
    fn listen(self: Box<Self>, core: CoreHandle) -> Result<Listening, BuildError> {
        let io = |what: String| move |source| BuildError::Io { what, source };
        let addresses: Vec<SocketAddr> =
            self.address.to_socket_addrs().map_err(io(format!("looking up {}", self.address)))?.collect();
        if let Some(remote) = addresses.iter().find(|address| !address.ip().is_loopback()) {
            return Err(BuildError::Setting(format!(
                "{remote} can be reached from other machines; GABP is served on loopback only (127.0.0.1 or [::1])"
            )));
        }
        let token = match self.token {
            Token::Fresh => random::token().map_err(io("making a token".to_owned()))?,
            Token::Given(token) if token.chars().count() >= SHORTEST_TOKEN => token,
            Token::Given(token) => {
                let length = token.chars().count();
                return Err(BuildError::Setting(format!(
                    "the token has {length} characters; GABP wants at least {SHORTEST_TOKEN}"
                )));
            }
        };
        let listener =
            TcpListener::bind(addresses.as_slice()).map_err(io(format!("listening on {}", self.address)))?;
        listener.set_nonblocking(true).map_err(io("setting up the listener".to_owned()))?;
        let address = listener.local_addr().map_err(io("asking for the port".to_owned()))?;
        let listener =
            tokio::net::TcpListener::from_std(listener).map_err(io("setting up the listener".to_owned()))?;
        let path = match self.bridge_file {
            Some(path) => path,
            None => default_path().ok_or_else(|| {
                BuildError::Setting("there is no home folder for the bridge file; name a path".to_owned())
            })?,
        };
        let launch_id = random::uuid().map_err(io("making an id".to_owned()))?;
        let file = BridgeFile::write(&path, &token, &address.to_string(), launch_id)
            .map_err(io(format!("writing {}", path.display())))?;
        let agent_id = self.agent_id.unwrap_or_else(|| launch_id.to_string());
        tokio::spawn(server::serve(listener, server::Shared { core: core.0, token, agent_id }));
        Ok(Listening {
            endpoint: Endpoint { protocol: "gabp", address: address.to_string(), bridge_file: Some(path) },
            guard: Some(Box::new(file)),
        })
    }
}
