//! An agent that speaks AICC over a WebSocket or over lines, and holds the game to its schemas.

use crate::arena::{PATIENCE, id};
use crate::strict;
use serde_json::{Value, json};
use socket2::{Domain, Socket, Type};
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tungstenite::client::IntoClientRequest as _;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::CloseFrame;
use tungstenite::{Error, HandshakeError, Message, WebSocket};

/// A session of an agent.
pub struct Agent {
    link: Link,
    /// The id of its session.
    pub session: String,
    /// What it was told when the session began, or went on.
    pub init: Value,
    /// Events and heartbeats that came while something else was waited for.
    pub unasked: Vec<Value>,
}

enum Link {
    Web(Box<WebSocket<TcpStream>>),
    Lines(BufReader<Box<dyn Read + Send>>, Box<dyn Write + Send>),
}

/// How a connection has ended: a close code and a reason, where there was one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closed(pub Option<(u16, String)>);

/// The messages that nobody asked for.
const UNASKED: [&str; 2] = ["event", "heartbeat"];

impl Agent {
    /// Connects to `/aicc?…` and reads the session_init.
    ///
    /// # Errors
    ///
    /// The status and the text of a refusal.
    pub fn connect(
        address: &str,
        query: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, (u16, String)> {
        let mut agent = Self::greet(address, &format!("/aicc?{query}"), headers)?;
        agent.begin();
        Ok(agent)
    }

    /// Only makes the request of a WebSocket.
    ///
    /// # Errors
    ///
    /// The status and the text of a refusal.
    pub fn greet(address: &str, path: &str, headers: &[(&'static str, &str)]) -> Result<Self, (u16, String)> {
        Self::greet_over(TcpStream::connect(address).expect("the game listens"), path, headers)
    }

    /// Connects with a socket that holds little of what has not been read.
    ///
    /// # Panics
    ///
    /// When it is not let in.
    pub fn narrow(address: &str) -> Self {
        let address: SocketAddr = address.parse().expect("an address");
        let socket =
            Socket::new(Domain::for_address(address), Type::STREAM, None).expect("there are sockets");
        socket.set_recv_buffer_size(4096).expect("it can be set");
        socket.connect(&address.into()).expect("the game listens");
        let mut agent = Self::greet_over(socket.into(), "/aicc", &[]).expect("it is let in");
        agent.begin();
        agent
    }

    fn greet_over(
        stream: TcpStream,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, (u16, String)> {
        let address = stream.peer_addr().expect("it is connected");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        stream.set_nodelay(true).expect("an option can be set");
        let mut request = format!("ws://{address}{path}").into_client_request().expect("a URL");
        for (name, value) in headers {
            request.headers_mut().append(*name, HeaderValue::from_str(value).expect("a header"));
        }
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Self::over(Link::Web(Box::new(socket)))),
            Err(HandshakeError::Failure(Error::Http(response))) => {
                let body = response.body().clone().unwrap_or_default();
                Err((response.status().as_u16(), String::from_utf8_lossy(&body).into_owned()))
            }
            Err(other) => panic!("no answer came: {other}"),
        }
    }

    /// Connects to a game without a token, wanting nothing.
    ///
    /// # Panics
    ///
    /// When it is not let in.
    pub fn of(address: &str) -> Self {
        Self::connect(address, "", &[]).expect("it is let in")
    }

    /// A session over lines.
    pub fn lines(reader: impl Read + Send + 'static, writer: impl Write + Send + 'static) -> Self {
        let mut agent = Self::over(Link::Lines(BufReader::new(Box::new(reader)), Box::new(writer)));
        agent.begin();
        agent
    }

    fn over(link: Link) -> Self {
        Self { link, session: String::new(), init: Value::Null, unasked: Vec::new() }
    }

    /// Reads the session_init.
    ///
    /// # Panics
    ///
    /// When something else comes.
    pub fn begin(&mut self) {
        self.init = self.answer();
        assert_eq!(self.init["type"], "session_init", "{}", self.init);
        self.session = self.init["session_id"].as_str().expect("a text").to_owned();
    }

    /// A message of its session.
    pub fn message(&self, kind: &str, members: Value) -> Value {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        let message_id = id(COUNT.fetch_add(1, Ordering::Relaxed));
        let mut message = json!({
            "protocol": "aicc/0.1",
            "type": kind,
            "session_id": self.session,
            "message_id": message_id,
        });
        for (name, value) in members.as_object().into_iter().flatten() {
            message[name] = value.clone();
        }
        message
    }

    /// Sends a message of its session.
    pub fn send(&mut self, kind: &str, members: Value) {
        let message = self.message(kind, members);
        self.raw(&message.to_string()).expect("the game reads");
    }

    /// Sends a text as it is.
    ///
    /// # Errors
    ///
    /// When the connection has ended.
    pub fn raw(&mut self, text: &str) -> io::Result<()> {
        match &mut self.link {
            Link::Web(socket) => socket.send(Message::text(text)).map_err(io::Error::other),
            Link::Lines(_, writer) => writer.write_all(format!("{text}\n").as_bytes()),
        }
    }

    /// The WebSocket.
    ///
    /// # Panics
    ///
    /// When it speaks in lines.
    pub fn socket(&mut self) -> &mut WebSocket<TcpStream> {
        match &mut self.link {
            Link::Web(socket) => socket,
            Link::Lines(..) => panic!("it speaks in lines"),
        }
    }

    /// The next message, whatever it is.
    ///
    /// # Errors
    ///
    /// How the connection has ended.
    pub fn read(&mut self) -> Result<Value, Closed> {
        let text = match &mut self.link {
            Link::Web(socket) => loop {
                match socket.read() {
                    Ok(Message::Text(text)) => break text.as_str().to_owned(),
                    Ok(Message::Ping(_) | Message::Pong(_)) => {}
                    Ok(Message::Close(frame)) => {
                        let frame =
                            frame.map(|CloseFrame { code, reason }| (code.into(), reason.to_string()));
                        return Err(Closed(frame));
                    }
                    Ok(other) => panic!("messages are text: {other:?}"),
                    Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                        panic!("no message came")
                    }
                    Err(_) => return Err(Closed(None)),
                }
            },
            Link::Lines(reader, _) => {
                let mut line = String::new();
                match reader.read_line(&mut line) {
                    Ok(0) => return Err(Closed(None)),
                    Ok(_) => line,
                    Err(error) => panic!("no message came: {error}"),
                }
            }
        };
        let message: Value = serde_json::from_str(&text).expect("a message is JSON");
        strict::check("aicc", &message, None);
        Ok(message)
    }

    /// The next message that is an answer.
    ///
    /// # Panics
    ///
    /// When the connection ends.
    pub fn answer(&mut self) -> Value {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "no answer came");
            let message = self.read().expect("the connection goes on");
            if !UNASKED.iter().any(|kind| message["type"] == *kind) {
                return message;
            }
            self.unasked.push(message);
        }
    }

    /// The next message that nobody asked for, and that is so.
    ///
    /// # Panics
    ///
    /// When an answer comes.
    pub fn unasked(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < PATIENCE, "it did not come");
            let message = match self.unasked.is_empty() {
                true => self.read().expect("the connection goes on"),
                false => self.unasked.remove(0),
            };
            assert!(UNASKED.iter().any(|kind| message["type"] == *kind), "nothing was asked: {message}");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// Sends a call.
    pub fn begin_call(&mut self, call: &str, tool: &str, input: Value) {
        self.send("tool_call", json!({ "call_id": call, "tool": tool, "input": input }));
    }

    /// Calls a tool and gives its result.
    ///
    /// # Panics
    ///
    /// When another answer comes.
    pub fn call(&mut self, tool: &str, input: Value) -> Value {
        self.begin_call("c", tool, input);
        let result = self.answer();
        assert_eq!((&result["type"], &result["call_id"]), (&json!("tool_result"), &json!("c")), "{result}");
        result
    }

    /// How the connection ends; what comes before that is passed over.
    pub fn end(&mut self) -> Closed {
        loop {
            if let Err(closed) = self.read() {
                return closed;
            }
        }
    }
}
