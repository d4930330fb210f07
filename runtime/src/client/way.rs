//! How a game is reached.

use super::target::Game;
use super::{ClientError, Target};
use crate::gabp::Memory;
use crate::random;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// How a game is reached.
pub struct Way(Kind);

enum Kind {
    Target(Target),
    BridgeFile(PathBuf),
    Memory(Memory),
    Process(Option<Box<Command>>),
    Streams(Option<Stream>),
}

/// A connection that has not said hello.
pub(super) struct Stream {
    pub(super) reader: Box<dyn AsyncRead + Send + Unpin>,
    pub(super) writer: Box<dyn AsyncWrite + Send + Unpin>,
    pub(super) token: String,
    /// The game, where it was started for this: it ends with the connection.
    pub(super) process: Option<Child>,
}

/// How long a connection may take to come about.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);

impl Way {
    /// To the game that has written this file or, where that was killed, to the latest of those whose places it
    /// has taken and that still run. The file is read again for every connection: a game that was started again
    /// has another port and another token.
    pub fn bridge_file(path: impl Into<PathBuf>) -> Self {
        Self(Kind::BridgeFile(path.into()))
    }

    /// To a host in this program.
    pub fn memory(memory: &Memory) -> Self {
        Self(Kind::Memory(memory.clone()))
    }

    /// To a game that is started for this, and that speaks over its standard input and output. It finds a
    /// fresh token in `GABP_TOKEN`, and is killed with the client.
    pub fn process(command: std::process::Command) -> Self {
        Self(Kind::Process(Some(Box::new(command.into()))))
    }

    /// Over a connection that is there.
    pub fn streams(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        token: impl Into<String>,
    ) -> Self {
        Self(Kind::Streams(Some(Stream::new(reader, writer, token.into()))))
    }

    /// Whether there is nothing to connect to once the connection has ended.
    pub(super) fn is_for_once(&self) -> bool {
        matches!(self.0, Kind::Process(_) | Kind::Streams(_))
    }

    /// Whether a token that is wrong stays so.
    pub(super) fn has_one_token(&self) -> bool {
        matches!(self.0, Kind::Target(_))
    }

    /// The address where a WebSocket is to be opened; `None` where there is a stream.
    ///
    /// # Errors
    ///
    /// That nothing but GABP is spoken there.
    pub(super) fn address(&self) -> Result<Option<&Target>, ClientError> {
        let text = "only GABP is spoken where this way leads: its bridge file, and its hosts in memory";
        match &self.0 {
            Kind::BridgeFile(_) | Kind::Memory(_) => Err(ClientError::Unreachable(text.to_owned())),
            Kind::Target(target) => Ok(Some(target).filter(|target| !target.address.starts_with("unix:"))),
            Kind::Process(_) | Kind::Streams(_) => Ok(None),
        }
    }

    /// Connects.
    pub(super) async fn open(&mut self) -> Result<Stream, ClientError> {
        let over = || ClientError::Unreachable("this way leads to one connection only".to_owned());
        match &mut self.0 {
            Kind::Target(target) => connect(target).await,
            Kind::BridgeFile(path) => {
                let mut first = None;
                for Game { target, process, .. } in Game::all_in(path)? {
                    match dial(&target).await {
                        Ok(stream) => return Ok(stream),
                        Err(error) => {
                            let process = process.map(|id| format!(" (process {id})")).unwrap_or_default();
                            let gone = format!("; the game{process} that wrote {} is gone", path.display());
                            let is_gone = is_gone(&error);
                            first.get_or_insert_with(|| not_there(&target.address, &error, &gone));
                            // One that is there and answers nothing still has its place.
                            if !is_gone {
                                break;
                            }
                        }
                    }
                }
                Err(first.expect("a bridge file that is one names a game"))
            }
            Kind::Memory(memory) => {
                let stream = memory.connect_async();
                let stream = stream.map_err(|error| ClientError::Unreachable(error.to_string()))?;
                let (reader, writer) = tokio::io::split(stream);
                Ok(Stream::new(reader, writer, memory.token().to_owned()))
            }
            Kind::Process(command) => start(*command.take().ok_or_else(over)?),
            Kind::Streams(stream) => stream.take().ok_or_else(over),
        }
    }
}

impl From<Target> for Way {
    fn from(target: Target) -> Self {
        Self(Kind::Target(target))
    }
}

impl From<&Target> for Way {
    fn from(target: &Target) -> Self {
        Self(Kind::Target(target.clone()))
    }
}

impl Stream {
    fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        token: String,
    ) -> Self {
        Self { reader: Box::new(reader), writer: Box::new(writer), token, process: None }
    }
}

/// Connects.
pub(super) async fn connect(target: &Target) -> Result<Stream, ClientError> {
    dial(target).await.map_err(|error| not_there(&target.address, &error, ""))
}

async fn dial(target: &Target) -> io::Result<Stream> {
    let token = target.token.clone();
    if let Some(path) = target.address.strip_prefix("unix:") {
        #[cfg(unix)]
        {
            let (reader, writer) = tokio::net::UnixStream::connect(path).await?.into_split();
            return Ok(Stream::new(reader, writer, token));
        }
        #[cfg(not(unix))]
        return Err(io::Error::other(format!("{path} is no address here")));
    }
    let (reader, writer) = dial_tcp(&target.address).await?.into_split();
    Ok(Stream::new(reader, writer, token))
}

/// A socket that is connected to this address.
pub(super) async fn tcp(address: &str) -> Result<TcpStream, ClientError> {
    dial_tcp(address).await.map_err(|error| not_there(address, &error, ""))
}

/// Whether an address is one.
///
/// # Errors
///
/// How it is written.
pub(super) fn well_formed(address: &str) -> io::Result<()> {
    let is_host = |host: &str| match host.strip_prefix('[') {
        Some(rest) => rest.ends_with(']'),
        None => !host.is_empty() && !host.contains([':', '/']),
    };
    let is_well_formed =
        address.rsplit_once(':').is_some_and(|(host, port)| is_host(host) && port.parse::<u16>().is_ok());
    let form = "an address is HOST:PORT, such as 127.0.0.1:43011, or unix: and the path of a socket";
    if is_well_formed { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, form)) }
}

async fn dial_tcp(address: &str) -> io::Result<TcpStream> {
    well_formed(address)?;
    let stream = tokio::time::timeout(CONNECT_WITHIN, TcpStream::connect(address)).await;
    let stream = stream.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
    // Requests are small, and somebody waits for the answer.
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Whether nobody listens there.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound)
}

/// `gone` is what it means when nobody listens.
pub(super) fn not_there(address: &str, error: &io::Error, gone: &str) -> ClientError {
    let address = address.strip_prefix("unix:").unwrap_or(address);
    let gone = if is_gone(error) { gone } else { "" };
    ClientError::Unreachable(format!("cannot connect to {address}: {error}{gone}"))
}

fn start(mut command: Command) -> Result<Stream, ClientError> {
    let token = random::token().map_err(|error| ClientError::Unreachable(error.to_string()))?;
    command.env("GABP_TOKEN", &token).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(|error| {
        let program = Path::new(command.as_std().get_program()).display();
        ClientError::Unreachable(format!("cannot start {program}: {error}"))
    })?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(ClientError::Unreachable("the game has no standard input".to_owned()));
    };
    Ok(Stream { process: Some(child), ..Stream::new(output, input, token) })
}

/// What a program is started with may be a secret.
impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Target(target) => target.fmt(f),
            Kind::BridgeFile(path) => f.debug_tuple("BridgeFile").field(path).finish(),
            Kind::Memory(_) => f.write_str("Memory"),
            Kind::Process(_) => f.write_str("Process"),
            Kind::Streams(_) => f.write_str("Streams"),
        }
    }
}
