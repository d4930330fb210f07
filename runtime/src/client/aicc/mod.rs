//! AICC 0.1, the agent's side. Unlike the clients of the other protocols it blocks: an agent has one thing to do
//! at a time.

mod error;

use super::Target;
use crate::random;
pub use error::AiccError;
use ludwire_protocols::aicc::{
    self, CallId, Event, EventTopic, Heartbeat, ManifestRequest, Message, ModelClass, SessionClose,
    SessionInit, SessionResume, ToolCall, ToolId,
};
use ludwire_protocols::support::Uuid;
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::{HeaderValue, header};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, HandshakeError, WebSocket};

/// A session with a game that serves AICC.
///
/// ```standalone_crate
/// # use ludwire::client::{Target, aicc::{AiccError, Client}};
/// # use ludwire::{Aicc, Budget, Host, tool};
/// # use serde_json::{Map, json};
/// # struct World;
/// # /// Looks.
/// # #[tool("world/look", class = sensor)]
/// # fn look(_: &World) -> u32 { 7 }
/// # let host = Host::builder("Look", "1").tools(ludwire::registered::<World>());
/// # let host = host.serve(Aicc::websocket(0).without_token()).start()?;
/// # let address = host.endpoints()[0].address.clone();
/// # let agent = std::thread::spawn(move || {
/// let target = Target { address, token: String::new() };
/// let mut agent = Client::connect(&target, None, &[])?;
/// assert_eq!(agent.manifest().tools[0].id.as_str(), "world_look");
/// let seen = agent.call("world_look", Map::new())?;
/// assert_eq!(seen["result"], json!(7));
/// agent.close("that was all")?;
/// # Ok::<(), AiccError>(())
/// # });
/// # while !agent.is_finished() { host.run(&mut World, Budget::millis(4)); }
/// # agent.join().unwrap()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It reads only while it waits for something: an agent that thinks for longer than the game waits for a sign
/// of life calls [`Client::heartbeat`] meanwhile, or resumes its session later.
pub struct Client {
    link: Link,
    manifest: SessionInit,
    events: VecDeque<Event>,
    calls: u64,
}

enum Link {
    Web(Box<WebSocket<TcpStream>>),
    Lines(BufReader<Box<dyn Read + Send>>, Box<dyn Write + Send>),
}

/// How long an answer may take. Games answer after 25 s at the latest.
const PATIENCE: Duration = Duration::from_secs(40);
/// How long a connection may take to come about.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// Bytes of a message: a manifest may have many tools.
const LARGEST: usize = 64 << 20;
/// Events that are kept for [`Client::next_event`], of which an agent that only calls never asks; the oldest are
/// dropped.
const MOST_EVENTS: usize = 1024;

impl Client {
    /// Connects to a WebSocket, or where the address begins with `unix:`, to a Unix socket. What it says of the
    /// model, and which topics it wants to hear of, only a WebSocket can tell.
    ///
    /// # Errors
    ///
    /// When nobody listens, or the game refuses.
    pub fn connect(
        target: &Target,
        model: Option<ModelClass>,
        topics: &[EventTopic],
    ) -> Result<Self, AiccError> {
        #[cfg(unix)]
        if let Some(path) = target.address.strip_prefix("unix:") {
            let stream = std::os::unix::net::UnixStream::connect(path)
                .map_err(|error| AiccError::Protocol(format!("cannot connect to {path}: {error}")))?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            return Self::over(stream.try_clone()?, stream);
        }
        let stream = tcp(&target.address)?;
        let mut query: Vec<String> = model.iter().map(|class| format!("model={class}")).collect();
        if !topics.is_empty() {
            let topics: Vec<&str> = topics.iter().map(|topic| topic.as_str()).collect();
            query.push(format!("events={}", topics.join(",")));
        }
        let url = format!("ws://{}{}?{}", target.address, aicc::PATH, query.join("&"));
        let wrong = |error: &dyn fmt::Display| AiccError::Protocol(format!("{}: {error}", target.address));
        let mut request = url.into_client_request().map_err(|error| wrong(&error))?;
        let headers = request.headers_mut();
        headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(aicc::SUBPROTOCOL));
        if !target.token.is_empty() {
            let mut bearer = HeaderValue::try_from(format!("Bearer {}", target.token))
                // The token itself must not be shown.
                .map_err(|_| AiccError::Protocol("the token cannot stand in a header".to_owned()))?;
            bearer.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, bearer);
        }
        let config = WebSocketConfig::default().max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST));
        match tungstenite::client::client_with_config(request, stream, Some(config)) {
            Ok((socket, _)) => Self::begin(Link::Web(Box::new(socket))),
            Err(HandshakeError::Failure(error)) => Err(error.into()),
            Err(HandshakeError::Interrupted(_)) => Err(io::Error::from(io::ErrorKind::TimedOut).into()),
        }
    }

    /// A session over a stream of lines that is there.
    ///
    /// # Errors
    ///
    /// When the game does not begin with a session_init.
    pub fn over(
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
    ) -> Result<Self, AiccError> {
        Self::begin(Link::Lines(BufReader::new(Box::new(reader)), Box::new(writer)))
    }

    fn begin(mut link: Link) -> Result<Self, AiccError> {
        match link.read()? {
            Message::SessionInit(manifest) => Ok(Self { link, manifest, events: VecDeque::new(), calls: 0 }),
            other => Err(unexpected(&other)),
        }
    }

    /// The world, the terms and the tools, as the game has told them last.
    pub fn manifest(&self) -> &SessionInit {
        &self.manifest
    }

    /// The id of the session, to resume it with over another connection.
    pub fn session(&self) -> Uuid {
        self.manifest.session_id
    }

    /// Goes on with an earlier session in the place of this one.
    ///
    /// # Errors
    ///
    /// That it has ended: this one goes on then.
    pub fn resume(&mut self, session: Uuid) -> Result<(), AiccError> {
        self.link.send(&SessionResume::new(session, random::uuid()?).into())?;
        loop {
            match self.next()? {
                Message::SessionInit(manifest) if manifest.session_id == session => {
                    self.manifest = manifest;
                    return Ok(());
                }
                Message::Error(told) => return Err(AiccError::Failed(told.error)),
                // Of this session, or of a call that this client knows nothing of.
                Message::ToolResult(_) | Message::SessionInit(_) => {}
                other => return Err(unexpected(&other)),
            }
        }
    }

    /// Asks for the manifest.
    ///
    /// # Errors
    ///
    /// When the game refuses or goes.
    pub fn refresh(&mut self) -> Result<&SessionInit, AiccError> {
        let request = ManifestRequest::new(self.session(), random::uuid()?);
        self.link.send(&request.into())?;
        loop {
            match self.next()? {
                Message::SessionInit(manifest) => {
                    self.manifest = manifest;
                    return Ok(&self.manifest);
                }
                Message::Error(told) => return Err(AiccError::Failed(told.error)),
                Message::ToolResult(_) => {}
                other => return Err(unexpected(&other)),
            }
        }
    }

    /// Calls a tool by its id, and waits for its output.
    ///
    /// # Errors
    ///
    /// When the call fails, or the game goes.
    pub fn call(&mut self, tool: &str, input: Map<String, Value>) -> Result<Map<String, Value>, AiccError> {
        let tool = ToolId::try_from(tool)
            .map_err(|error| AiccError::Protocol(format!("no id of a tool: {error}")))?;
        self.calls += 1;
        // Calls of an earlier connection may still end.
        let id = format!("{}-{}", random::uuid()?, self.calls);
        let call = CallId::try_from(id.as_str()).expect("it is not empty");
        let message = ToolCall::new(self.session(), random::uuid()?, call, tool, input);
        self.link.send(&message.into())?;
        loop {
            match self.next()? {
                Message::ToolResult(result) if result.call_id.as_str() == id => {
                    return match (result.ok, result.output, result.error) {
                        (true, Some(output), None) => Ok(output),
                        (false, None, Some(failed)) => Err(AiccError::Failed(failed)),
                        _ => Err(AiccError::Protocol(
                            "a result that says neither that the call succeeded nor why not".to_owned(),
                        )),
                    };
                }
                // This client has one call at a time.
                Message::ToolResult(_) => {}
                Message::Error(told) => return Err(AiccError::Failed(told.error)),
                other => return Err(unexpected(&other)),
            }
        }
    }

    /// The next event; waits for one.
    ///
    /// # Errors
    ///
    /// When the game goes, or says nothing for a long time.
    pub fn next_event(&mut self) -> Result<Event, AiccError> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            match self.read()? {
                Message::Event(_) | Message::Heartbeat(_) | Message::ToolResult(_) => {}
                Message::Error(told) => return Err(AiccError::Failed(told.error)),
                other => return Err(unexpected(&other)),
            }
        }
    }

    /// Shows that the agent lives.
    ///
    /// # Errors
    ///
    /// When the connection has ended.
    pub fn heartbeat(&mut self) -> Result<(), AiccError> {
        self.link.send(&Heartbeat::new(self.session(), random::uuid()?).into())
    }

    /// Ends the session.
    ///
    /// # Errors
    ///
    /// When the connection ends otherwise than that asks for.
    pub fn close(mut self, reason: &str) -> Result<(), AiccError> {
        let close = SessionClose::new(self.session(), random::uuid()?).with_reason(reason);
        self.link.send(&close.into())?;
        loop {
            match self.link.read() {
                Ok(_) => {}
                Err(AiccError::Closed { code: 1000, .. }) => return Ok(()),
                Err(AiccError::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                Err(other) => return Err(other),
            }
        }
    }

    /// The next message that answers something; the others are taken in.
    fn next(&mut self) -> Result<Message, AiccError> {
        loop {
            match self.read()? {
                Message::Event(_) | Message::Heartbeat(_) => {}
                answer => return Ok(answer),
            }
        }
    }

    /// The next message; events and what changes the manifest are taken in.
    fn read(&mut self) -> Result<Message, AiccError> {
        let message = self.link.read()?;
        match &message {
            Message::Event(event) => {
                if self.events.len() == MOST_EVENTS {
                    self.events.pop_front();
                }
                self.events.push_back(event.clone());
            }
            Message::Heartbeat(heartbeat) => {
                if let Some(update) = &heartbeat.manifest_update {
                    self.manifest = self.updated(update.clone())?;
                }
                self.heartbeat()?;
            }
            Message::SessionClose(close) => {
                let reason = close.reason.clone().unwrap_or_default();
                return Err(AiccError::Closed { code: 1000, reason });
            }
            _ => {}
        }
        Ok(message)
    }

    /// A manifest_update as what it is: a session_init, less two members.
    fn updated(&self, mut update: Map<String, Value>) -> Result<SessionInit, AiccError> {
        for (name, id) in [("session_id", self.session()), ("message_id", random::uuid()?)] {
            update.insert(name.to_owned(), Value::from(id.as_str()));
        }
        let text = Value::Object(update).to_string();
        match aicc::decode(text.as_bytes())? {
            Message::SessionInit(manifest) => Ok(manifest),
            other => Err(unexpected(&other)),
        }
    }
}

impl Link {
    fn send(&mut self, message: &Message) -> Result<(), AiccError> {
        let text = message.to_json().map_err(|error| AiccError::Protocol(error.to_string()))?;
        match self {
            Self::Web(socket) => Ok(socket.send(tungstenite::Message::text(text))?),
            Self::Lines(_, writer) => {
                writer.write_all(format!("{text}\n").as_bytes())?;
                Ok(writer.flush()?)
            }
        }
    }

    fn read(&mut self) -> Result<Message, AiccError> {
        match self {
            Self::Web(socket) => loop {
                match socket.read()? {
                    tungstenite::Message::Text(text) => return Ok(aicc::decode(text.as_bytes())?),
                    tungstenite::Message::Close(frame) => {
                        let (code, reason) = frame.map_or((1005, String::new()), |frame| {
                            (frame.code.into(), frame.reason.to_string())
                        });
                        // The game waits for the answer to this.
                        let _ = socket.flush();
                        return Err(AiccError::Closed { code, reason });
                    }
                    tungstenite::Message::Binary(_) => {
                        return Err(AiccError::Protocol("a binary message came".to_owned()));
                    }
                    _ => {}
                }
            },
            Self::Lines(reader, _) => {
                let mut line = Vec::new();
                reader.take(LARGEST as u64 + 1).read_until(b'\n', &mut line)?;
                match line.pop() {
                    Some(b'\n') => Ok(aicc::decode(&line)?),
                    Some(_) if line.len() == LARGEST => {
                        Err(AiccError::Protocol(format!("a line of more than {LARGEST} bytes came")))
                    }
                    _ => Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                }
            }
        }
    }
}

/// A connection to the first of the addresses that takes one.
fn tcp(address: &str) -> Result<TcpStream, AiccError> {
    let wrong = |error: &io::Error| AiccError::Protocol(format!("cannot connect to {address}: {error}"));
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in address.to_socket_addrs().map_err(|error| wrong(&error))? {
        match TcpStream::connect_timeout(&address, CONNECT_WITHIN) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(PATIENCE))?;
                stream.set_write_timeout(Some(PATIENCE))?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(wrong(&last))
}

fn unexpected(message: &Message) -> AiccError {
    AiccError::Protocol(format!("an unexpected {} came", message.name()))
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("session", &self.session()).finish_non_exhaustive()
    }
}
