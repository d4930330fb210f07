//! A small blocking GABP client, on the generated types.

mod target;

use crate::gabp::{Frame, FrameError, LARGEST_ANSWER, Memory, encode, read_frame_blocking};
use crate::random;
use ludwire_protocols::gabp::{self, Message, methods};
use ludwire_protocols::support::{DecodeError, Uuid};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
pub use target::Target;

/// A connection to a game that has been said hello to.
pub struct Client {
    reader: BufReader<Box<dyn Read + Send>>,
    writer: Box<dyn Write + Send>,
    /// The game, where it was started for this.
    _game: Option<Game>,
    welcome: gabp::SessionWelcomeResult,
    events: VecDeque<gabp::Event>,
}

/// Why something could not be asked, or what the game answered instead.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The connection failed or ended.
    Io(io::Error),
    /// What came is not GABP.
    Protocol(String),
    /// The game refuses, with a code of GABP's registry.
    Refused {
        /// The code.
        code: i64,
        /// What the game says.
        message: String,
        /// What else it says.
        data: Option<Value>,
    },
}

/// How long an answer may take. Games answer after 25 s at the latest.
const PATIENCE: Duration = Duration::from_secs(40);
/// How long a connection may take to come about.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);

impl Client {
    /// Connects and says hello.
    ///
    /// # Errors
    ///
    /// When nobody listens, or the game turns the token down.
    pub fn connect(target: &Target) -> Result<Self, ClientError> {
        Self::connect_to(target, "")
    }

    /// Connects to the game that has written this bridge file, and says hello.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, the game is gone, or turns the token down.
    pub fn find(bridge_file: &Path) -> Result<Self, ClientError> {
        let (target, process) = Target::with_process(bridge_file)?;
        let process = process.map(|id| format!(" (process {id})")).unwrap_or_default();
        let gone = format!("; the game{process} that wrote {} is gone", bridge_file.display());
        Self::connect_to(&target, &gone)
    }

    /// `gone` is what it means when nobody listens.
    fn connect_to(target: &Target, gone: &str) -> Result<Self, ClientError> {
        let wrong = |address: &str, error: &io::Error| {
            let is_gone = matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound);
            let gone = if is_gone { gone } else { "" };
            ClientError::Protocol(format!("cannot connect to {address}: {error}{gone}"))
        };
        #[cfg(unix)]
        if let Some(path) = target.address.strip_prefix("unix:") {
            let stream =
                std::os::unix::net::UnixStream::connect(path).map_err(|error| wrong(path, &error))?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            return Self::over(stream.try_clone()?, stream, &target.token);
        }
        let addresses = target
            .address
            .to_socket_addrs()
            .map_err(|error| ClientError::Protocol(format!("{}: {error}", target.address)))?;
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in addresses {
            match TcpStream::connect_timeout(&address, CONNECT_WITHIN) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    stream.set_read_timeout(Some(PATIENCE))?;
                    stream.set_write_timeout(Some(PATIENCE))?;
                    return Self::over(stream.try_clone()?, stream, &target.token);
                }
                Err(error) => last = error,
            }
        }
        Err(wrong(&target.address, &last))
    }

    /// Starts a game that speaks over its standard input and output, hands it a fresh token in
    /// `GABP_TOKEN`, and says hello. The game is ended with the client.
    ///
    /// # Errors
    ///
    /// When it cannot be started, or does not answer as GABP wants it.
    pub fn spawn(mut command: Command) -> Result<Self, ClientError> {
        let token = random::token()?;
        let started = command.env("GABP_TOKEN", &token).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = started.map_err(|error| {
            let program = Path::new(command.get_program()).display();
            ClientError::Protocol(format!("cannot start {program}: {error}"))
        })?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let game = Game(child);
        let (input, output) =
            pipes.ok_or_else(|| ClientError::Protocol("the game has no standard input".to_owned()))?;
        Ok(Self { _game: Some(game), ..Self::over(output, input, &token)? })
    }

    /// Connects in memory and says hello. It waits for answers: not in the thread that runs the game, nor
    /// in one that runs async code.
    ///
    /// # Errors
    ///
    /// When the host has not started.
    pub fn in_memory(memory: &Memory) -> Result<Self, ClientError> {
        let connection = memory.connect()?;
        Self::over(connection.reader, connection.writer, memory.token())
    }

    /// Says hello over a connection that is there.
    ///
    /// # Errors
    ///
    /// When the game turns the token down, or goes.
    pub fn over(
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        token: &str,
    ) -> Result<Self, ClientError> {
        let wrong = |what: &str, error: &dyn fmt::Display| ClientError::Protocol(format!("{what}: {error}"));
        let platform = match std::env::consts::OS {
            "windows" => gabp::Platform::Windows,
            "macos" => gabp::Platform::Macos,
            _ => gabp::Platform::Linux,
        };
        let params = gabp::SessionHelloParams::new(
            gabp::Token::try_from(token).map_err(|_| {
                // The token itself must not be shown.
                ClientError::Protocol("the token is too short, GABP wants at least 32 characters".to_owned())
            })?,
            gabp::NonEmptyString::try_from(env!("CARGO_PKG_VERSION"))
                .map_err(|error| wrong("version", &error))?,
            platform,
            random::uuid()?,
        );
        let hello = gabp::SessionHelloRequest::new(random::uuid()?, params);
        let mut writer: Box<dyn Write + Send> = Box::new(writer);
        let mut reader: BufReader<Box<dyn Read + Send>> = BufReader::new(Box::new(reader));
        let answer =
            exchange(&mut reader, &mut writer, hello.id, &hello.into(), methods::SESSION_HELLO, &mut |_| {})?;
        let Message::SessionHelloResponse(answer) = answer else { return Err(unexpected(&answer)) };
        Ok(Self { reader, writer, _game: None, welcome: answer.result, events: VecDeque::new() })
    }

    /// What the game said in its welcome.
    pub fn welcome(&self) -> &gabp::SessionWelcomeResult {
        &self.welcome
    }

    /// The tools of the game.
    ///
    /// # Errors
    ///
    /// When the game refuses or goes.
    pub fn tools(&mut self) -> Result<Vec<gabp::Tool>, ClientError> {
        let id = random::uuid()?;
        let request = gabp::ToolsListRequest::new(id);
        match self.ask(id, &request.into(), methods::TOOLS_LIST)? {
            Message::ToolsListResponse(answer) => Ok(answer.result.tools),
            other => Err(unexpected(&other)),
        }
    }

    /// Calls a tool.
    ///
    /// # Errors
    ///
    /// When the game refuses, the tool fails, or the game goes.
    pub fn call(&mut self, name: &str, arguments: Map<String, Value>) -> Result<Value, ClientError> {
        let id = random::uuid()?;
        let name = gabp::ToolName::try_from(name)
            .map_err(|error| ClientError::Protocol(format!("no name of a tool: {error}")))?;
        let request =
            gabp::ToolsCallRequest::new(id, gabp::ToolsCallParams::new(name).with_arguments(arguments));
        match self.ask(id, &request.into(), methods::TOOLS_CALL)? {
            Message::ToolsCallResponse(answer) => match (answer.result, answer.error) {
                (Some(result), _) => Ok(result),
                (None, Some(Some(error))) => {
                    Err(refusal(error.code.as_i64(), error.message.as_str(), error.data))
                }
                (None, _) => Err(ClientError::Protocol("an answer without a result".to_owned())),
            },
            other => Err(unexpected(&other)),
        }
    }

    /// The events that the game sends.
    ///
    /// # Errors
    ///
    /// When the game refuses or goes.
    pub fn events(&mut self) -> Result<Vec<gabp::EventDescription>, ClientError> {
        let id = random::uuid()?;
        match self.ask(id, &gabp::EventsListRequest::new(id).into(), methods::EVENTS_LIST)? {
            Message::EventsListResponse(answer) => Ok(answer.result.events),
            other => Err(unexpected(&other)),
        }
    }

    /// The resources of the game.
    ///
    /// # Errors
    ///
    /// When the game refuses or goes.
    pub fn resources(&mut self) -> Result<Vec<gabp::Resource>, ClientError> {
        let id = random::uuid()?;
        match self.ask(id, &gabp::ResourcesListRequest::new(id).into(), methods::RESOURCES_LIST)? {
            Message::ResourcesListResponse(answer) => Ok(answer.result.resources),
            other => Err(unexpected(&other)),
        }
    }

    /// Reads a resource.
    ///
    /// # Errors
    ///
    /// When the game refuses, as where there is none, or goes.
    pub fn read_resource(&mut self, uri: &str) -> Result<gabp::ResourcesReadResult, ClientError> {
        let id = random::uuid()?;
        let uri = gabp::ResourceUri::try_from(uri)
            .map_err(|error| ClientError::Protocol(format!("no URI of a resource: {error}")))?;
        let request = gabp::ResourcesReadRequest::new(id, gabp::ResourcesReadParams::new(uri));
        match self.ask(id, &request.into(), methods::RESOURCES_READ)? {
            Message::ResourcesReadResponse(answer) => Ok(answer.result),
            other => Err(unexpected(&other)),
        }
    }

    /// Reads these states, or all where none is named; `player` says whose.
    ///
    /// # Errors
    ///
    /// When the game refuses or goes.
    pub fn states(
        &mut self,
        names: &[&str],
        player: Option<&str>,
    ) -> Result<Map<String, Value>, ClientError> {
        let id = random::uuid()?;
        let components = (!names.is_empty()).then(|| names.iter().map(|name| (*name).to_owned()).collect());
        let params = gabp::StateGetParams { components, player_id: player.map(str::to_owned) };
        let request = gabp::StateGetRequest::new(id).with_params(params);
        match self.ask(id, &request.into(), methods::STATE_GET)? {
            Message::StateGetResponse(answer) => Ok(answer.result.state),
            other => Err(unexpected(&other)),
        }
    }

    /// Subscribes to events, and gives those that the game has; [`Client::next_event`] gives them.
    ///
    /// # Errors
    ///
    /// When the game refuses or goes, and when a name is empty or stands twice.
    pub fn subscribe(&mut self, channels: &[&str]) -> Result<Vec<String>, ClientError> {
        let wrong = |error: gabp::RuleError| ClientError::Protocol(format!("channels: {error}"));
        let names: Result<Vec<_>, _> =
            channels.iter().map(|name| gabp::NonEmptyString::try_from(*name)).collect();
        let channels = gabp::EventsSubscribeParamsChannels::try_from(names.map_err(wrong)?).map_err(wrong)?;
        let id = random::uuid()?;
        let request = gabp::EventsSubscribeRequest::new(id, gabp::EventsSubscribeParams::new(channels));
        match self.ask(id, &request.into(), methods::EVENTS_SUBSCRIBE)? {
            Message::EventsSubscribeResponse(answer) => Ok(answer.result.subscribed),
            other => Err(unexpected(&other)),
        }
    }

    /// The next event; waits for one.
    ///
    /// # Errors
    ///
    /// When the game goes, or sends none for a long time.
    pub fn next_event(&mut self) -> Result<gabp::Event, ClientError> {
        if let Some(event) = self.events.pop_front() {
            return Ok(event);
        }
        loop {
            let bytes = next_message(&mut self.reader)?;
            if let Some(event) = gabp::decode(&bytes).ok().and_then(event) {
                return Ok(event);
            }
        }
    }

    fn ask(&mut self, id: Uuid, request: &Message, method: &str) -> Result<Message, ClientError> {
        let Self { reader, writer, events, .. } = self;
        exchange(reader, writer, id, request, method, &mut |event| events.push_back(event))
    }
}

/// Sends a request and reads up to its answer; events that come in between are kept.
fn exchange(
    reader: &mut BufReader<Box<dyn Read + Send>>,
    writer: &mut Box<dyn Write + Send>,
    id: Uuid,
    request: &Message,
    method: &str,
    keep: &mut dyn FnMut(gabp::Event),
) -> Result<Message, ClientError> {
    let json = request.to_json().map_err(|error| ClientError::Protocol(error.to_string()))?;
    writer.write_all(&encode(json.as_bytes()))?;
    writer.flush()?;
    loop {
        let bytes = next_message(reader)?;
        match gabp::decode(&bytes)? {
            message @ (Message::Event(_) | Message::AttentionEvent(_)) => {
                event(message).into_iter().for_each(&mut *keep);
            }
            Message::Response(response) => {
                if let Some(error) = response.error.flatten() {
                    // A message that could not be read has no id to repeat.
                    if response.id == id || response.id == Uuid::NIL {
                        return Err(refusal(error.code.as_i64(), error.message.as_str(), error.data));
                    }
                } else if response.id == id {
                    return Ok(gabp::decode_response(method, &bytes)?);
                }
            }
            _ => {}
        }
    }
}

/// An event of any kind as one.
fn event(message: Message) -> Option<gabp::Event> {
    match message {
        Message::Event(event) => Some(event),
        Message::AttentionEvent(event) => Some(gabp::Event {
            id: event.id,
            channel: gabp::NonEmptyString::try_from(event.channel.as_str()).ok()?,
            seq: event.seq,
            payload: serde_json::to_value(event.payload).ok()?,
            timestamp: None,
        }),
        _ => None,
    }
}

fn next_message(reader: &mut impl io::BufRead) -> Result<Vec<u8>, ClientError> {
    match read_frame_blocking(reader, LARGEST_ANSWER) {
        Ok(Frame::Message(bytes)) => Ok(bytes),
        Ok(Frame::End) => Err(ClientError::Io(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the game closed the connection",
        ))),
        Err(FrameError::Io(error)) => Err(ClientError::Io(error)),
        Err(error) => Err(ClientError::Protocol(error.to_string())),
    }
}

fn refusal(code: Option<i64>, message: &str, data: Option<Value>) -> ClientError {
    ClientError::Refused { code: code.unwrap_or_default(), message: message.to_owned(), data }
}

fn unexpected(message: &Message) -> ClientError {
    ClientError::Protocol(format!("an unexpected {} came", message.name()))
}

/// A game that was started, and is ended with this.
struct Game(Child);

impl Drop for Game {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("welcome", &self.welcome).finish_non_exhaustive()
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Protocol(what) => f.write_str(what),
            Self::Refused { code, message, .. } => write!(f, "{message} ({code})"),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ClientError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<DecodeError> for ClientError {
    fn from(error: DecodeError) -> Self {
        Self::Protocol(error.to_string())
    }
}
