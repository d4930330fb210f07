//! AiControl 1, asked.

use super::way::{Stream, connect, well_formed};
use super::{ClientError, Target};
use crate::schema::member;
use crate::stream::{Line, read_line, write_all};
pub use ludwire_protocols::aicontrol::Requests;
use ludwire_protocols::aicontrol::{
    self, AuthParams, Command, CommandCompleted, EventsEntry, EventsParams, NonEmptyString,
    NonNegativeInteger, RequestId, Response, Unanswered, error_codes,
};
use ludwire_protocols::support::{self, Integer};
use serde_json::{Map, Value};
use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::Mutex;
use tokio::time::Instant;

/// A connection to a bridge that has been shown the token. Clones share it, and take turns: what is asked is
/// answered before the next is (wire, sequential-connection).
///
/// It fails closed: after an answer that is not one, or comes too late, nothing more is asked on the connection
/// (validation, malformed-peer).
///
/// ```standalone_crate
/// use ludwire::client::aicontrol::{Client, Requests as _};
/// use ludwire::client::{ClientError, Target};
/// use serde_json::{Map, json};
///
/// async fn play(token: String) -> Result<(), ClientError> {
///     let client = Client::connect(Target::new("127.0.0.1:43011", token)).await?;
///     println!("{:?}", client.observe(Map::new()).await?.observation);
///     let arguments = Map::from_iter([("text".to_owned(), json!("hello"))]);
///     println!("{}", client.call("chat/say", arguments).await?);
///     Ok(())
/// }
/// # let _ = play;
/// ```
#[derive(Clone)]
pub struct Client {
    link: Arc<Mutex<Link>>,
    within: Duration,
}

/// What a client is to be, before it connects.
#[derive(Debug)]
pub struct Connect {
    target: Target,
    remote: bool,
    within: Duration,
}

struct Link {
    /// `None` once it can be trusted no more.
    open: Option<Open>,
    next: u64,
}

struct Open {
    reader: BufReader<Box<dyn AsyncRead + Send + Unpin>>,
    writer: Box<dyn AsyncWrite + Send + Unpin>,
}

/// The longest line, either way.
const LARGEST: usize = 1 << 20;
/// How often it is asked whether a command has completed, at first and at last.
const SOON: Duration = Duration::from_millis(1);
const LATER: Duration = Duration::from_millis(50);

impl Client {
    /// Connects to a bridge on this machine, and shows the token; an empty one is not shown.
    ///
    /// # Errors
    ///
    /// When it cannot be reached, is on another machine, or turns the token down.
    pub async fn connect(target: Target) -> Result<Self, ClientError> {
        Self::to(target).connect().await
    }

    /// The same, with more to say about it.
    pub fn to(target: Target) -> Connect {
        Connect { target, remote: false, within: Duration::from_secs(30) }
    }

    /// Sends a command with these members, and waits for the event that ends it; what the tool gave.
    ///
    /// # Errors
    ///
    /// When the bridge refuses it, the command fails, or its end is not known in time.
    pub async fn call(&self, name: &str, arguments: Map<String, Value>) -> Result<Value, ClientError> {
        let wrong = |what: &dyn fmt::Display| ClientError::Protocol(format!("no command: {what}"));
        let mut command = arguments;
        let name = NonEmptyString::try_from(name).map_err(|error| wrong(&error))?;
        command.insert("type".to_owned(), Value::from(name.as_str()));
        let command: Command = support::from_slice(Value::Object(command).to_string().as_bytes())
            .map_err(|error| wrong(&error))?;
        let completed = self.carry_out(command).await?;
        let mut more = completed.additional;
        if completed.success {
            return Ok(more.remove("result").unwrap_or_default());
        }
        Err(ClientError::Failed { message: completed.message, problems: more.remove("problems") })
    }

    /// Sends a command, and waits for the event that ends it, whether it succeeded or not.
    ///
    /// # Errors
    ///
    /// When the bridge refuses it, or its end is not known in time.
    pub async fn carry_out(&self, command: Command) -> Result<CommandCompleted, ClientError> {
        let end = Instant::now().checked_add(self.within);
        let latest = EventsParams::new().with_after_seq(i64::MAX).with_limit(1);
        let mut seen = number(self.events(latest).await?.latest_seq);
        let seq = number(self.act(command).await?.command_seq);
        let mut pause = SOON;
        loop {
            let page = self.events(EventsParams::new().with_after_seq(seen)).await?.events;
            if let Some(first) = page.first().map(|entry| number(entry.seq))
                && first > seen.saturating_add(1)
            {
                let text = format!("more events came than the game keeps, the end of command {seq} perhaps");
                return Err(ClientError::Disconnected(text));
            }
            for entry in &page {
                seen = number(entry.seq);
                if let Some(completed) = completion(entry).filter(|event| number(event.command_seq) == seq) {
                    return Ok(completed);
                }
            }
            if end.is_some_and(|end| Instant::now() >= end) {
                return Err(ClientError::TimedOut { method: format!("command {seq}"), within: self.within });
            }
            if page.is_empty() {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LATER);
            }
        }
    }
}

/// The end of a command, if an event is one.
fn completion(entry: &EventsEntry) -> Option<CommandCompleted> {
    let is_one = entry.event.get("type").and_then(Value::as_str) == Some("command_completed");
    is_one.then(|| serde_json::from_value(Value::Object(entry.event.clone())).ok()).flatten()
}

/// A number of an event or a command. Nobody counts beyond 64 bits.
fn number(number: NonNegativeInteger) -> u64 {
    number.as_u64().unwrap_or(u64::MAX)
}

impl Connect {
    /// Allows a bridge on another machine. The token and all that is said can be read on the way.
    pub fn allow_remote(self) -> Self {
        Self { remote: true, ..self }
    }

    /// How long an answer, or the end of a command, may take, 30 s unless set.
    pub fn within(self, time: Duration) -> Self {
        Self { within: time, ..self }
    }

    /// Connects, and shows the token; an empty one is not shown.
    ///
    /// # Errors
    ///
    /// When the bridge cannot be reached, is on another machine without that being allowed, or turns the token
    /// down.
    pub async fn connect(self) -> Result<Client, ClientError> {
        let Self { mut target, remote, within } = self;
        if !remote {
            target.address = on_this_machine(&target.address)?.to_string();
        }
        let Stream { reader, writer, token, .. } = connect(&target).await?;
        let open = Open { reader: BufReader::new(reader), writer };
        let link = Arc::new(Mutex::new(Link { open: Some(open), next: 0 }));
        let client = Client { link, within };
        if !token.is_empty() {
            let shown = client.auth(AuthParams::new(token.clone())).await;
            if !shown.map_err(|error| error.without(&token))?.authorized {
                let message = "the game has another token than the one that was shown".to_owned();
                return Err(ClientError::Refused { code: error_codes::UNAUTHORIZED, message, data: None });
            }
        }
        Ok(client)
    }
}

/// Where a bridge listens, if that is on this machine (security, loopback-default).
fn on_this_machine(address: &str) -> Result<SocketAddr, ClientError> {
    let wrong = |what: String| ClientError::Unreachable(format!("cannot connect to {address}: {what}"));
    well_formed(address).map_err(|error| wrong(error.to_string()))?;
    let found = address.to_socket_addrs().map_err(|error| wrong(error.to_string()))?;
    let found: Vec<SocketAddr> = found.collect();
    if found.iter().any(|address| !address.ip().is_loopback()) {
        return Err(wrong("it is not on this machine, which must be allowed".to_owned()));
    }
    found.first().copied().ok_or_else(|| wrong("there is no such address".to_owned()))
}

impl Requests for Client {
    type Error = ClientError;

    async fn exchange<F>(&self, method: &str, request: F) -> Result<Vec<u8>, ClientError>
    where
        F: FnOnce(RequestId) -> serde_json::Result<Vec<u8>> + Send,
    {
        let mut link = self.link.lock().await;
        link.next += 1;
        let id = link.next;
        let mut line = request(RequestId::Integer(Integer::from(id)))
            .map_err(|error| ClientError::Protocol(format!("{method} cannot be asked: {error}")))?;
        if line.len() > LARGEST {
            let size = line.len();
            return Err(ClientError::Protocol(format!(
                "the request has {size} bytes, a line at most {LARGEST}"
            )));
        }
        line.push(b'\n');
        let over = || ClientError::Disconnected("the connection to the game is over".to_owned());
        // Whatever goes wrong, and when nobody waits any more, what comes next may answer this.
        let mut open = link.open.take().ok_or_else(over)?;
        let within = self.within;
        let too_late = || ClientError::TimedOut { method: method.to_owned(), within };
        let answer =
            tokio::time::timeout(within, open.exchange(&line, within)).await.map_err(|_| too_late())?;
        let answer = answer?;
        check(&answer, id)?;
        link.open = Some(open);
        Ok(answer)
    }
}

impl Open {
    async fn exchange(&mut self, line: &[u8], within: Duration) -> Result<Vec<u8>, ClientError> {
        let ended = |what: &dyn fmt::Display| {
            ClientError::Disconnected(format!("the connection to the game has ended: {what}"))
        };
        write_all(&mut self.writer, line, within).await.map_err(|error| ended(&error))?;
        match read_line(&mut self.reader, LARGEST).await.map_err(|error| ended(&error))? {
            Line::Bytes(line) => Ok(line),
            Line::TooLong => {
                Err(ClientError::Protocol(format!("the game has sent a line of more than {LARGEST} bytes")))
            }
            Line::End => Err(ended(&"the game has closed it")),
        }
    }
}

/// Whether a line is the answer to the request with this id.
fn check(answer: &[u8], id: u64) -> Result<(), ClientError> {
    let wrong =
        |what: &dyn fmt::Display| ClientError::Protocol(format!("the game does not speak AiControl: {what}"));
    let text = std::str::from_utf8(answer).map_err(|_| wrong(&"a line is no UTF-8"))?;
    let response: Response = support::from_slice(answer).map_err(|error| wrong(&error))?;
    if let Some(error) = response.error.filter(|_| response.id.is_null()) {
        // It could not make out what was asked.
        return Err(error.into());
    }
    match member(text, "id") {
        Some(own) if own.trim() == id.to_string() => Ok(()),
        _ => Err(wrong(&"it answers something else than was asked")),
    }
}

impl From<aicontrol::Error> for ClientError {
    fn from(error: aicontrol::Error) -> Self {
        let code = error.code.as_i64().unwrap_or_default();
        Self::Refused { code, message: error.message, data: error.data }
    }
}

impl From<Unanswered> for ClientError {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Refused(error) => error.into(),
            Unanswered::Undecodable(error) => Self::Protocol(error.to_string()),
        }
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("within", &self.within).finish_non_exhaustive()
    }
}
