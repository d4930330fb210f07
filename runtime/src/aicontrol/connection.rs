//! One connection: reads a line, answers it, and reads the next.

use super::Limits;
use super::commands::Commands;
use super::failures::{self, error};
use super::history::{Entries, History};
use super::id::Odd;
use super::observation::Latest;
use crate::call::Caller;
use crate::dispatch::{Core, lock};
use crate::door::{Door, Guest};
use crate::events::Subscriber;
use crate::schema::counted;
use crate::schema::{member, twice};
use crate::stream::{Line, after, read_line, write_all};
use crate::task::{self, at_once};
use crate::usage::Usage;
use ludwire_protocols::aicontrol::{self, Message, error_codes, methods};
use ludwire_protocols::support::DecodeError;
use serde_json::{Map, Value};
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::Notify;
use tokio::time::Instant;

/// What all connections share.
pub(super) struct Shared {
    pub(super) core: Arc<Core>,
    pub(super) limits: Limits,
    pub(super) history: History,
    pub(super) commands: Arc<Commands>,
    pub(super) latest: Arc<Latest>,
    /// Never set: what is accepted is carried out, whoever has gone.
    pub(super) nobody_gone: Arc<AtomicBool>,
    door: Arc<Door>,
    /// To all events of the game.
    subscriber: Arc<Subscriber>,
    /// Some have come.
    arrived: Arc<Notify>,
    /// Held while they are kept.
    keeping: Mutex<()>,
    address: OnceLock<SocketAddr>,
    last_error: Mutex<Option<String>>,
}

/// Whoever has connected.
pub(super) struct Peer<'a> {
    pub(super) caller: &'a Caller,
    pub(super) guest: tokio::sync::Mutex<Guest>,
    /// It has come in, and stays.
    pub(super) is_inside: AtomicBool,
    /// What it has called.
    pub(super) usage: Usage,
}

/// A request, and whose it is: what answers it.
pub(super) struct Asked<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) peer: &'a Peer<'a>,
    /// Bytes of the id, which the answer repeats.
    pub(super) id_size: usize,
    /// What the answer has in its page.
    pub(super) page: Mutex<Entries>,
}

/// Answers on their way to a client.
struct Answers {
    writer: OwnedWriteHalf,
    bytes: Vec<u8>,
    limits: Limits,
}

/// What becomes of a connection after a line.
enum Next {
    /// The next line is read.
    Answer(Vec<u8>),
    AnswerAndClose(Vec<u8>),
    Close,
}

/// Characters of an error that status shows.
const LONGEST_ERROR: usize = 300;
/// The longest line of a stranger, in bytes: an auth is short, and to read more would take time of others.
const LONGEST_AUTH: usize = 16 * 1024;
/// Small answers go out together, up to so many bytes.
const TOGETHER: usize = 32 * 1024;
/// How long clients may fetch the events of commands that the end of the game has ended.
const FAREWELL: Duration = Duration::from_millis(300);

impl Shared {
    pub(super) fn new(core: Arc<Core>, door: Arc<Door>, limits: Limits) -> Self {
        let arrived = Arc::<Notify>::default();
        let subscriber = core.events.subscriber(Arc::clone(&arrived));
        subscriber.subscribe(core.channels());
        Self {
            core,
            limits,
            subscriber,
            arrived,
            keeping: Mutex::default(),
            history: History::new(limits.events),
            commands: Arc::new(Commands::new(limits.commands)),
            latest: Arc::default(),
            nobody_gone: Arc::default(),
            door,
            address: OnceLock::new(),
            last_error: Mutex::default(),
        }
    }

    /// Remembers where it listens.
    pub(super) fn listens_on(&self, address: SocketAddr) {
        let _ = self.address.set(address);
    }

    /// Host and port.
    pub(super) fn address(&self) -> (String, u16) {
        self.address.get().map_or((String::new(), 0), |address| (address.ip().to_string(), address.port()))
    }

    pub(super) fn last_error(&self) -> Option<String> {
        lock(&self.last_error).clone()
    }

    /// Remembers what went wrong, for status.
    pub(super) fn went_wrong(&self, message: &str) {
        *lock(&self.last_error) = Some(message.chars().take(LONGEST_ERROR).collect());
    }

    /// Keeps every event of the game, until the host goes down.
    pub(super) async fn keep_events(self: Arc<Self>) {
        let mut changes = self.core.registry.changes();
        let closing = self.core.closing();
        loop {
            // Tools that are added while the game runs may bring events.
            changes.mark_unchanged();
            self.subscriber.subscribe(self.core.channels());
            self.keep();
            tokio::select! {
                () = self.arrived.notified() => {}
                _ = changes.changed() => {}
                () = closing.wait() => return,
            }
        }
    }

    /// Keeps what the game has sent so far.
    fn keep(&self) {
        // One at a time, so that they are kept in order.
        let _turn = lock(&self.keeping);
        while let Some(event) = self.subscriber.next() {
            let shown = [
                ("type", Value::from(&*event.channel)),
                ("seq", Value::from(event.seq)),
                ("data", event.payload().clone()),
            ];
            let shown = Map::from_iter(shown.map(|(name, value)| (name.to_owned(), value)));
            // Clients get on, whatever its size: it is a page by itself.
            let _ = self.history.push(&Value::Object(shown).to_string(), usize::MAX);
        }
    }

    /// Keeps the event that ends a command, after those that it has caused.
    ///
    /// # Errors
    ///
    /// The bytes that it has, which are more than `largest`; then it is not kept.
    pub(super) fn keep_end(&self, event: &str, largest: usize) -> Result<(), usize> {
        self.core.events.hand_out_now();
        self.keep();
        self.history.push(event, largest)
    }

    /// Serves a connection in a task of its own.
    pub(super) fn admit(self: Arc<Self>, stream: TcpStream) {
        let present = self.core.presence();
        let guest = self.door.knock();
        task::spawn(async move {
            let caller = Caller::Peer { protocol: "aicontrol", connection: self.core.connection_number() };
            if let Err(error) = self.serve(stream, guest, &caller).await {
                tracing::debug!(?caller, %error, "a connection ended");
            }
            drop(present);
        });
    }

    async fn serve(self: &Arc<Self>, stream: TcpStream, mut guest: Guest, caller: &Caller) -> io::Result<()> {
        if self.door.is_open() && guest.walk_in().is_err() {
            let connections = counted(self.limits.connections, "connection");
            self.door.turn_away(format_args!("there is room for {connections}, and no more"));
            return Ok(());
        }
        let (reader, writer) = stream.into_split();
        let mut answers = Answers { writer, bytes: Vec::new(), limits: self.limits };
        let is_inside = AtomicBool::new(guest.is_inside());
        let peer = Peer { caller, guest: tokio::sync::Mutex::new(guest), is_inside, usage: Usage::default() };
        self.answer_lines(BufReader::new(reader), &mut answers, &peer).await?;
        answers.write().await
    }

    /// Reads lines and answers them, until there are no more or the connection must end.
    async fn answer_lines(
        self: &Arc<Self>,
        mut reader: BufReader<OwnedReadHalf>,
        answers: &mut Answers,
        peer: &Peer<'_>,
    ) -> io::Result<()> {
        let Limits { line: largest, auth_within, .. } = self.limits;
        let auth_by = after(auth_within);
        let closing = self.core.closing();
        let mut closing = pin!(closing.wait());
        let mut last_moment = None;
        loop {
            // What was sent together is answered together.
            if !reader.buffer().contains(&b'\n') || answers.bytes.len() >= TOGETHER {
                answers.write().await?;
            }
            let is_inside = peer.is_inside();
            let longest = if is_inside { largest } else { largest.min(LONGEST_AUTH) };
            let mut reading = pin!(read_request(&mut reader, longest));
            let line = match at_once(reading.as_mut()).await {
                Some(line) => line?,
                None => tokio::select! {
                    line = reading => line?,
                    () = peer.must_leave() => return Ok(()),
                    () = until(auth_by), if !is_inside => {
                        self.door.turn_away("it has not shown the token in time");
                        return Ok(());
                    }
                    () = &mut closing, if last_moment.is_none() => {
                        // Clients may still learn how their commands ended.
                        last_moment = Some(after(FAREWELL));
                        continue;
                    }
                    () = until(last_moment.unwrap_or(auth_by)), if last_moment.is_some() => {
                        return Ok(());
                    }
                },
            };
            let next = match line {
                Line::Bytes(line) => {
                    let mut answering = pin!(self.answer(&line, peer));
                    let mut now = at_once(answering.as_mut()).await;
                    if now.is_none() {
                        // Then a quick tool has run, and all goes out together.
                        self.core.quick_ones.turn().await;
                        now = at_once(answering.as_mut()).await;
                    }
                    match now {
                        Some(next) => next,
                        None => {
                            // The answers before it are not to wait for it.
                            answers.write().await?;
                            answering.await
                        }
                    }
                }
                Line::End => Next::Close,
                Line::TooLong => {
                    let text = format!("the line has more than {longest} bytes");
                    let wrong = error(error_codes::INVALID_REQUEST, text);
                    Next::AnswerAndClose(failures::answer(Value::Null, wrong))
                }
            };
            match next {
                Next::Answer(answer) => answers.add(answer),
                Next::AnswerAndClose(answer) => {
                    answers.add(answer);
                    return Ok(());
                }
                Next::Close => return Ok(()),
            }
        }
    }

    /// What follows from a line.
    async fn answer(self: &Arc<Self>, line: &[u8], peer: &Peer<'_>) -> Next {
        if is_http(line) {
            self.door.turn_away("it speaks HTTP");
            return Next::Close;
        }
        let Ok(text) = std::str::from_utf8(line) else {
            let wrong = error(error_codes::PARSE_ERROR, "the line is no UTF-8");
            return self.refuse(Value::Null, wrong, peer.is_inside());
        };
        let (id, text) = Odd::taken_from(text);
        let next = self.answer_text(&text, id.as_ref().map(Odd::len), peer).await;
        match id {
            Some(id) => next.map(|answer| id.put_into(answer)),
            None => next,
        }
    }

    fn refuse(&self, id: Value, wrong: aicontrol::Error, is_inside: bool) -> Next {
        self.went_wrong(&wrong.message);
        let answer = failures::answer(id, wrong);
        // What a stranger sends that is no request is all that it may send.
        if is_inside { Next::Answer(answer) } else { Next::AnswerAndClose(answer) }
    }

    /// What follows from a line, whose id may be known already.
    async fn answer_text(self: &Arc<Self>, text: &str, id_size: Option<usize>, peer: &Peer<'_>) -> Next {
        let (caller, is_inside) = (peer.caller, peer.is_inside());
        let message = match aicontrol::decode(text.as_bytes()) {
            Ok(message) => message,
            Err(wrong) => {
                let failed = failures::of_line(text, &wrong);
                let is_parse_error = failed.code == error_codes::PARSE_ERROR.into();
                let id = if is_parse_error { Value::Null } else { failures::id(text) };
                if !is_inside
                    && is_question(&wrong)
                    && failures::method(text).as_deref() != Some(methods::AUTH)
                {
                    return Next::Answer(failures::answer(id, unauthorized()));
                }
                return self.refuse(id, failed, is_inside);
            }
        };
        self.trace(caller, &message, text);
        let Some(method) = message.asks() else {
            let wrong = error(error_codes::INVALID_REQUEST, "this is an answer; a client sends requests");
            return self.refuse(failures::id(text), wrong, is_inside);
        };
        if !is_inside && method != methods::AUTH {
            let answer = aicontrol::refuse(message, unauthorized());
            return Next::Answer(answer.expect("it is a request").expect(ALWAYS));
        }
        // Of two members in a value of the game's, the last one would count.
        if let Some(at) = member(text, "params").and_then(twice) {
            let wrong =
                error(error_codes::INVALID_PARAMS, format!("{method} request: /params{at}: stands twice"));
            self.went_wrong(&wrong.message);
            return Next::Answer(aicontrol::refuse(message, wrong).expect("it is a request").expect(ALWAYS));
        }
        let id_size = id_size.or_else(|| member(text, "id").map(str::len)).unwrap_or_default();
        let asked = Asked { shared: self, peer, id_size, page: Mutex::default() };
        let answer = aicontrol::dispatch(&asked, message).await.expect("it is a request").expect(ALWAYS);
        Next::Answer(answer)
    }

    /// What came, for whoever looks for it; an auth holds the token, which nobody may see.
    fn trace(&self, caller: &Caller, message: &Message, line: &str) {
        if tracing::enabled!(tracing::Level::TRACE) {
            let line = if matches!(message, Message::AuthRequest(_)) { "…" } else { line };
            tracing::trace!(?caller, is = message.name(), line, "received");
        }
    }
}

impl Peer<'_> {
    /// Whether it has shown the token.
    fn is_inside(&self) -> bool {
        self.is_inside.load(Ordering::Relaxed)
    }

    /// Waits until it must leave, as a stranger may have to.
    async fn must_leave(&self) {
        self.guest.lock().await.must_leave().await;
    }
}

impl Next {
    /// The same with another answer, if there is one.
    fn map(self, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Self {
        match self {
            Self::Answer(answer) => Self::Answer(change(answer)),
            Self::AnswerAndClose(answer) => Self::AnswerAndClose(change(answer)),
            Self::Close => Self::Close,
        }
    }
}

impl Answers {
    /// Adds an answer, as a line.
    fn add(&mut self, mut answer: Vec<u8>) {
        if answer.len() > self.limits.line {
            let text = "the id is so long that no answer with it fits into a line";
            answer = failures::answer(Value::Null, error(error_codes::INVALID_REQUEST, text));
        }
        self.bytes.extend_from_slice(&answer);
        self.bytes.push(b'\n');
    }

    /// Writes what there is.
    async fn write(&mut self) -> io::Result<()> {
        if self.bytes.is_empty() {
            return Ok(());
        }
        let written = write_all(&mut self.writer, &self.bytes, self.limits.read_within).await;
        self.bytes.clear();
        self.bytes.shrink_to(TOGETHER);
        written
    }
}

/// Why a failure can always be written.
const ALWAYS: &str = "a response with an error and without a result is valid";

fn unauthorized() -> aicontrol::Error {
    error(error_codes::UNAUTHORIZED, "show the token first, with the method auth")
}

/// Whether what is wrong lies in what was asked, and not in the envelope.
fn is_question(wrong: &DecodeError) -> bool {
    wrong.pointer() == "/method" || wrong.pointer().starts_with("/params")
}

/// Waits for a moment; a clock is there only while it is waited for.
async fn until(moment: Instant) {
    tokio::time::sleep_until(moment).await;
}

/// The next line, if what comes can begin one: text, or white space.
async fn read_request(reader: &mut BufReader<OwnedReadHalf>, largest: usize) -> io::Result<Line> {
    let first = reader.fill_buf().await?;
    // The begin of TLS, say, after which no LF may come for long.
    if first.first().is_some_and(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()) {
        return Ok(Line::End);
    }
    read_line(reader, largest).await
}

/// Whether a line is the begin of an HTTP request, which may hold a command in its body.
fn is_http(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let words: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
    matches!(&*words, [method, .., version]
        if version.starts_with(b"HTTP/") && method.iter().all(u8::is_ascii_alphabetic))
}
