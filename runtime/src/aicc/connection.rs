//! One connection: reads messages, and says what follows from them.

use super::calls::{self, json};
use super::failures::{self, error};
use super::handshake::{self, Granted};
use super::link::{self, Ending, Incoming, Reader, Writer};
use super::manifest::Catalog;
use super::session::Session;
use super::sessions::Sessions;
use super::settings::{Limits, Settings, Wishes};
use super::writing::Writing;
use crate::dispatch::Core;
use crate::door::Door;
use crate::random;
use crate::schema::counted;
use crate::schema::{member, repeats};
use crate::task::{self, at_once};
use ludwire_protocols::aicc::{self, CallId, Error, ErrorCode, ErrorMessage, Message, SessionClose};
use ludwire_protocols::support::{DecodeError, Uuid};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Notify;

/// What all connections share.
pub(super) struct Shared {
    pub(super) core: Arc<Core>,
    pub(super) settings: Settings,
    pub(super) catalog: Catalog,
    sessions: Arc<Sessions>,
    pub(super) door: Arc<Door>,
}

/// A connection that has come in.
struct Connection {
    shared: Arc<Shared>,
    number: u64,
    session: Arc<Session>,
    /// Told when another connection has the session.
    leave: Arc<Notify>,
    writing: Writing,
    wishes: Wishes,
    /// An agent of which nothing is heard for so long is gone.
    dead_after: Duration,
}

/// What becomes of a connection after a message.
enum Next {
    Go,
    /// It goes on with an earlier session.
    Resume(Uuid),
    /// The agent wants no more of this session.
    Close,
}

/// Why a connection ends.
enum End {
    /// The agent has gone, and nothing can be said to it.
    Gone,
    /// The session waits for another connection, unless it has one.
    Lost(Ending),
    /// The session is over.
    Closed,
    /// The game goes down.
    Down,
}

/// How long calls may take to end when the game goes down, and a connection to give up its side for writing.
const MOMENT: Duration = Duration::from_millis(300);
/// What is said when the game goes down.
const SHUTTING_DOWN: &str = "the game is shutting down";

impl Shared {
    pub(super) fn new(core: Arc<Core>, settings: Settings, door: Arc<Door>) -> Self {
        let sessions = Arc::new(Sessions::new(settings.limits.resume_within));
        let catalog = Catalog::new(&core.registry);
        Self { core, settings, catalog, sessions, door }
    }

    /// An id for a message.
    pub(super) fn message_id(&self) -> Uuid {
        random::uuid().unwrap_or_else(|error| {
            tracing::error!(%error, "a message has no id of its own");
            Uuid::NIL
        })
    }

    /// Tells an agent what was wrong with a message.
    pub(super) fn tell_error(&self, session: &Session, failed: Error) {
        session.push(json(&ErrorMessage::new(session.id, self.message_id(), failed)));
    }

    /// Serves a WebSocket in a task of its own.
    pub(super) fn admit(self: Arc<Self>, stream: TcpStream) {
        let present = self.core.presence();
        let mut guest = self.door.knock();
        task::spawn(async move {
            let limits = self.settings.limits;
            let (leaves, closing) = (guest.leaves(), self.core.closing());
            let granted = tokio::select! {
                granted = tokio::time::timeout(
                    limits.handshake_within,
                    handshake::grant(&self, stream, &mut guest),
                ) => granted,
                () = leaves.notified() => return,
                () = closing.wait() => return,
            };
            match granted {
                Ok(Ok(Some(Granted { socket, wishes }))) => {
                    let (reader, writer) = link::web(socket, limits.read_within);
                    self.serve(reader, writer, wishes, limits.dead_after).await;
                }
                Ok(Ok(None)) => {}
                Ok(Err(error)) => tracing::debug!(%error, "a connection ended before it was one"),
                Err(_) => self.door.turn_away("it has not made its request in time"),
            }
            drop((guest, present));
        });
    }

    /// Serves a stream of lines in a task of its own, or closes it when there are too many. Where it is the
    /// `only` one that ever comes, an agent may be silent for as long as it likes.
    #[cfg(unix)]
    pub(super) fn admit_lines<R, W>(self: Arc<Self>, reader: R, writer: W, only: bool)
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let mut guest = self.door.knock();
        if guest.walk_in().is_err() {
            let most = self.settings.limits.connections;
            let connections = counted(most, "connection");
            self.door.turn_away(format_args!("there is room for {connections}, and no more"));
            return;
        }
        let present = self.core.presence();
        task::spawn(async move {
            let Limits { message, read_within, dead_after, .. } = self.settings.limits;
            let (reader, writer) = link::lines(reader, writer, message, read_within);
            let dead_after = if only { Duration::MAX } else { dead_after };
            self.serve(reader, writer, Wishes::default(), dead_after).await;
            drop((guest, present));
        });
    }

    /// Serves a connection that has come in.
    async fn serve(
        self: Arc<Self>,
        mut reader: Reader,
        writer: Writer,
        wishes: Wishes,
        dead_after: Duration,
    ) {
        let number = self.core.connection_number();
        let id = match random::uuid() {
            Ok(id) => id,
            Err(error) => {
                tracing::error!(%error, "a session has no id, so there is none");
                return;
            }
        };
        let session = Arc::new(Session::new(id, &self.core, &self.settings, wishes.clone()));
        let leave = self.sessions.open(&session, number);
        let writing = Writing::start(&self, &session, number, writer);
        let mut connection = Connection { shared: self, number, session, leave, writing, wishes, dead_after };
        let end = connection.read(&mut reader).await;
        connection.end(reader, end).await;
    }
}

fn taken_over() -> End {
    End::Lost(Ending::new(4000, "the session goes on over another connection"))
}

/// The session that a message names.
fn session_id(message: &Message) -> Uuid {
    match message {
        Message::SessionInit(message) => message.session_id,
        Message::SessionResume(message) => message.session_id,
        Message::SessionClose(message) => message.session_id,
        Message::ManifestRequest(message) => message.session_id,
        Message::ToolCall(message) => message.session_id,
        Message::ToolResult(message) => message.session_id,
        Message::Event(message) => message.session_id,
        Message::Error(message) => message.session_id,
        Message::Heartbeat(message) => message.session_id,
    }
}

/// A text that stands once in what may be no message: of two, neither counts.
fn once(text: &str, name: &str) -> Option<String> {
    serde_json::from_str(member(text, name).filter(|_| !repeats(text, name))?).ok()
}

impl Connection {
    /// Reads, and does what follows, until it ends.
    async fn read(&mut self, reader: &mut Reader) -> End {
        let dead_after = self.dead_after;
        let closing = self.shared.core.closing();
        loop {
            let incoming = {
                let mut coming = pin!(async {
                    self.session.has_room().await;
                    reader.next().await
                });
                match at_once(coming.as_mut()).await {
                    Some(incoming) => Ok(incoming),
                    None => tokio::select! {
                        incoming = tokio::time::timeout(dead_after, coming) => incoming,
                        () = self.leave.notified() => return taken_over(),
                        () = self.writing.is_over() => match self.session.is_held_by(self.number) {
                            true => return End::Gone,
                            false => return taken_over(),
                        },
                        () = closing.wait() => return End::Down,
                    },
                }
            };
            let next = match incoming {
                Ok(Incoming::Text(text)) => self.take(&text).await,
                Ok(Incoming::Garbled) => {
                    self.refuse("the line is no UTF-8");
                    Next::Go
                }
                Ok(Incoming::Sign) => Next::Go,
                Ok(Incoming::Gone(_)) => return End::Gone,
                Ok(Incoming::Wrong(ending)) => {
                    if reader.is_lines() {
                        self.refuse(&ending.reason);
                    }
                    return End::Lost(ending);
                }
                Err(_) => {
                    let text = format!("nothing was heard of the agent for {} s", dead_after.as_secs_f32());
                    return End::Lost(Ending::new(4001, text));
                }
            };
            match next {
                Next::Go => {}
                Next::Close => return End::Closed,
                Next::Resume(id) => {
                    if let Err(end) = self.resume(&id).await {
                        return end;
                    }
                }
            }
        }
    }

    fn refuse(&self, text: &str) {
        self.shared.tell_error(&self.session, error(ErrorCode::InvalidInput, text));
    }

    /// The id of a call of this session that cannot be read as a whole.
    fn own_call(&self, text: &str) -> Option<CallId> {
        let is_call = once(text, "type")? == "tool_call";
        let is_own = once(text, "session_id")?.eq_ignore_ascii_case(self.session.id.as_str());
        CallId::try_from(once(text, "call_id")?).ok().filter(|_| is_call && is_own)
    }

    /// Says what is wrong with what is no message: as the result of the call that it was meant to be, where one
    /// can tell which that is, since somebody waits for it.
    fn turn_down(&self, text: &str, wrong: &DecodeError) {
        let failed = failures::of_message(text, wrong);
        // A text that is no JSON, and one of another protocol, say nothing that could be relied on.
        let is_readable = !["", "/protocol"].contains(&wrong.pointer());
        let Some(call) = self.own_call(text).filter(|_| is_readable) else {
            return self.shared.tell_error(&self.session, failed);
        };
        // What is no name of a tool is the name of none.
        let tool = once(text, "tool").filter(|_| wrong.pointer() == "/tool");
        let unknown = tool.and_then(|tool| self.shared.catalog.find(&self.shared.core.registry, &tool).err());
        let failed = unknown.map_or(failed, |unknown| error(ErrorCode::ToolUnknown, unknown));
        calls::refuse(&self.shared, &self.session, call, failed);
    }

    /// Takes a message.
    async fn take(&self, text: &str) -> Next {
        let message = match aicc::decode(text.as_bytes()) {
            Ok(message) => message,
            Err(wrong) => {
                self.turn_down(text, &wrong);
                return Next::Go;
            }
        };
        tracing::trace!(session = %self.session.id, is = message.name(), text, "received");
        if let Message::SessionResume(resume) = &message {
            return Next::Resume(resume.session_id);
        }
        let own = self.session.id;
        let named = session_id(&message);
        if !named.as_str().eq_ignore_ascii_case(own.as_str()) {
            self.refuse(&format!("/session_id: this connection has the session {own}, found {named}"));
            return Next::Go;
        }
        match message {
            Message::ToolCall(call) => calls::take(&self.shared, &self.session, call, text).await,
            Message::ManifestRequest(_) => {
                self.session.push(json(&self.shared.session_init(&self.session)));
            }
            Message::SessionClose(close) => {
                tracing::debug!(session = %own, reason = close.reason, "an agent closes its session");
                return Next::Close;
            }
            // That it came is all that it says.
            Message::Heartbeat(_) | Message::SessionResume(_) => {}
            Message::Error(told) => {
                let (code, message) = (told.error.code, told.error.message);
                tracing::debug!(session = %own, %code, %message, "an agent reports an error");
            }
            Message::SessionInit(_) | Message::ToolResult(_) | Message::Event(_) => {
                self.refuse(&format!("/type: only the bridge sends a {}", message.name()));
            }
        }
        Next::Go
    }

    /// Goes on with an earlier session, in the place of that which this connection has.
    async fn resume(&mut self, id: &Uuid) -> Result<(), End> {
        let own = self.session.id;
        if id.as_str().eq_ignore_ascii_case(own.as_str()) {
            self.session.push(json(&self.shared.session_init(&self.session)));
            return Ok(());
        }
        let Some((session, leave)) = self.shared.sessions.resume(id, self.number) else {
            let text = "this session has ended, was not resumed in time, or never was";
            let failed = error(ErrorCode::SessionExpired, text);
            // Of the session that was asked for: that of this connection goes on.
            let told = ErrorMessage::new(*id, self.shared.message_id(), failed);
            self.session.push(json(&told));
            return Ok(());
        };
        let within = self.shared.settings.limits.read_within;
        let writer = self.writing.stop(within).await;
        if self.session.is_used() {
            self.shared.sessions.leave(&self.session, self.number);
        } else {
            self.shared.sessions.close(&self.session, self.number);
        }
        session.wish(self.wishes.clone());
        (self.session, self.leave) = (session, leave);
        let Some(writer) = writer else { return Err(End::Gone) };
        self.writing = Writing::start(&self.shared, &self.session, self.number, writer);
        Ok(())
    }

    /// Ends a connection; its session may go on.
    async fn end(self, reader: Reader, end: End) {
        let Self { shared, number, session, mut writing, .. } = self;
        let within = shared.settings.limits.read_within;
        let (ending, within, is_over) = match end {
            End::Gone => (None, Duration::ZERO, false),
            End::Lost(ending) => {
                tracing::warn!(session = %session.id, code = ending.code, "a connection is closed: {}", ending.reason);
                (Some(ending), MOMENT, false)
            }
            End::Closed => (Some(Ending::new(1000, "the session is closed")), within, true),
            End::Down => {
                // Calls that are open are answered now; so much time there is.
                let _ = tokio::time::timeout(MOMENT, session.is_idle()).await;
                let close = SessionClose::new(session.id, shared.message_id()).with_reason(SHUTTING_DOWN);
                session.push(json(&close));
                (Some(Ending::new(1001, SHUTTING_DOWN)), MOMENT, true)
            }
        };
        let writer = writing.stop(within).await;
        if is_over {
            shared.sessions.close(&session, number);
        } else {
            shared.sessions.leave(&session, number);
        }
        if let Some(writer) = writer {
            link::close(reader, writer, ending).await;
        }
    }
}
