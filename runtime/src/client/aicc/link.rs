//! One connection: messages go out, and answers find whoever waits for them.

use super::super::ClientError;
use super::events::Takers;
use super::fresh_id;
use super::open::Open;
use crate::aicc::link::{Incoming, Reader, Writer};
use crate::dispatch::lock;
use ludwire_protocols::aicc::{self, Error, Heartbeat, Message, SessionInit, ToolResult};
use ludwire_protocols::support::Uuid;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

/// A connection, as those see it who ask.
pub(super) struct Link {
    out: mpsc::Sender<String>,
    pending: Mutex<Pending>,
    manifest: Mutex<Arc<SessionInit>>,
    pub(super) takers: Takers,
    /// Why nothing comes any more.
    over: watch::Sender<Option<ClientError>>,
}

type Answer<T> = oneshot::Sender<Result<T, ClientError>>;

#[derive(Default)]
struct Pending {
    calls: HashMap<String, Answer<Map<String, Value>>>,
    /// Those who wait for the manifest of a session, the first first.
    manifests: Vec<(u64, Uuid, Answer<Arc<SessionInit>>)>,
    next: u64,
    over: Option<ClientError>,
}

/// Messages that wait to be written.
const MOST_WAITING: usize = 64;
/// Small messages go out together, up to so many bytes.
const TOGETHER: usize = 32 * 1024;
/// How long a game that takes nothing more may still say why.
const LAST_WORDS: Duration = Duration::from_secs(1);

impl Link {
    /// Waits for the manifest of a new session. Gives the connection, and what must run for it to go on.
    pub(super) async fn begin(
        open: Open,
        waiting: usize,
    ) -> Result<(Arc<Self>, impl Future<Output = ()> + Send), ClientError> {
        let Open { mut reader, writer, process, token } = open;
        let manifest = match next(&mut reader).await.map_err(|reason| reason.without(&token))? {
            Message::SessionInit(manifest) => Arc::new(manifest),
            other => return Err(unexpected(&other)),
        };
        let (out, messages) = mpsc::channel(MOST_WAITING);
        let (over, _) = watch::channel(None);
        let (pending, manifest) = (Mutex::default(), Mutex::new(manifest));
        let link = Arc::new(Self { out, pending, manifest, takers: Takers::new(waiting), over });
        let reading = Arc::clone(&link);
        let running = async move {
            let read = reading.read(&mut reader);
            tokio::pin!(read);
            let reason = tokio::select! {
                reason = &mut read => reason,
                error = write(writer, messages) => {
                    let last_words = tokio::time::timeout(LAST_WORDS, &mut read).await;
                    last_words.unwrap_or_else(|_| ended(&error))
                }
            };
            drop(process);
            reading.end(&reason.without(&token));
        };
        Ok((link, running))
    }

    pub(super) fn manifest(&self) -> Arc<SessionInit> {
        Arc::clone(&lock(&self.manifest))
    }

    /// Tells when the connection is over, and why.
    pub(super) fn over(&self) -> watch::Receiver<Option<ClientError>> {
        self.over.subscribe()
    }

    /// Sends a message.
    pub(super) async fn send(&self, message: Message, within: Duration) -> Result<(), ClientError> {
        let method = message.name();
        let text = message.to_json();
        let text = text.map_err(|error| ClientError::Protocol(format!("cannot be written: {error}")))?;
        let sent = tokio::time::timeout(within, self.out.send(text)).await;
        let sent = sent.map_err(|_| ClientError::TimedOut { method: method.to_owned(), within })?;
        sent.map_err(|_| self.why_over())
    }

    /// Sends a call, and waits for its output.
    pub(super) async fn call(
        &self,
        id: &str,
        message: Message,
        within: Duration,
    ) -> Result<Map<String, Value>, ClientError> {
        let (answer, answered) = oneshot::channel();
        self.wait(|pending| drop(pending.calls.insert(id.to_owned(), answer)))?;
        let _forgotten = Forget(|| drop(lock(&self.pending).calls.remove(id)));
        self.answered(message, answered, "tool_call", within).await
    }

    /// Sends a message, and waits for the manifest of this session.
    pub(super) async fn ask_manifest(
        &self,
        message: Message,
        session: Uuid,
        method: &str,
        within: Duration,
    ) -> Result<Arc<SessionInit>, ClientError> {
        let (answer, answered) = oneshot::channel();
        let number = self.wait(|pending| {
            pending.next += 1;
            pending.manifests.push((pending.next, session, answer));
            pending.next
        })?;
        let _forgotten = Forget(|| lock(&self.pending).manifests.retain(|waiting| waiting.0 != number));
        self.answered(message, answered, method, within).await
    }

    /// Sends that the session is over, and waits for the end of the connection.
    pub(super) async fn close(&self, message: Message, within: Duration) -> Result<(), ClientError> {
        let mut over = self.over();
        self.send(message, within).await?;
        let end = tokio::time::timeout(within, over.wait_for(Option::is_some)).await;
        end.map_err(|_| ClientError::TimedOut { method: "session_close".to_owned(), within })?
            .map_err(|_| self.why_over())?;
        match self.why_over() {
            ClientError::Disconnected(reason) => {
                tracing::debug!(reason, "a session was closed");
                Ok(())
            }
            other => Err(other),
        }
    }

    /// Has somebody wait, unless the connection is over.
    fn wait<T>(&self, add: impl FnOnce(&mut Pending) -> T) -> Result<T, ClientError> {
        let mut pending = lock(&self.pending);
        match &pending.over {
            Some(reason) => Err(reason.clone()),
            None => Ok(add(&mut pending)),
        }
    }

    async fn answered<T>(
        &self,
        message: Message,
        answered: oneshot::Receiver<Result<T, ClientError>>,
        method: &str,
        within: Duration,
    ) -> Result<T, ClientError> {
        let deadline = Instant::now().checked_add(within);
        self.send(message, within).await?;
        let answered = async { answered.await.unwrap_or_else(|_| Err(self.why_over())) };
        match deadline {
            None => answered.await,
            Some(deadline) => {
                let too_late = || ClientError::TimedOut { method: method.to_owned(), within };
                tokio::time::timeout_at(deadline, answered).await.unwrap_or_else(|_| Err(too_late()))
            }
        }
    }

    /// Answers all who wait: nothing more comes.
    fn end(&self, reason: &ClientError) {
        let (calls, manifests) = {
            let mut pending = lock(&self.pending);
            pending.over = Some(reason.clone());
            (std::mem::take(&mut pending.calls), std::mem::take(&mut pending.manifests))
        };
        calls.into_values().for_each(|answer| drop(answer.send(Err(reason.clone()))));
        manifests.into_iter().for_each(|(.., answer)| drop(answer.send(Err(reason.clone()))));
        self.over.send_replace(Some(reason.clone()));
    }

    fn why_over(&self) -> ClientError {
        let over = lock(&self.pending).over.clone();
        over.unwrap_or_else(|| ClientError::Disconnected("the connection is closed".to_owned()))
    }

    /// Reads until the connection ends, or cannot be read on.
    async fn read(&self, reader: &mut Reader) -> ClientError {
        loop {
            let taken = match next(reader).await {
                Ok(message) => self.take(message),
                Err(reason) => Err(reason),
            };
            if let Err(reason) = taken {
                return reason;
            }
        }
    }

    /// Takes a message; an error is the end.
    fn take(&self, message: Message) -> Result<(), ClientError> {
        match message {
            Message::ToolResult(result) => self.take_result(result),
            Message::SessionInit(manifest) => self.take_manifest(manifest),
            Message::Event(event) => self.takers.publish(&event),
            Message::Heartbeat(heartbeat) => {
                if let Some(update) = heartbeat.manifest_update {
                    let manifest = updated(update, heartbeat.session_id)?;
                    self.keep(Arc::new(manifest));
                }
                let own = Heartbeat::new(self.manifest().session_id, fresh_id()?);
                // Whoever has much to write shows in this way that it lives.
                if let Ok(text) = Message::from(own).to_json() {
                    let _ = self.out.try_send(text);
                }
            }
            Message::Error(told) => self.take_error(told.session_id, told.error),
            Message::SessionClose(close) => {
                let reason = close.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                return Err(ClientError::Disconnected(format!("the game has closed the session{reason}")));
            }
            other @ (Message::ToolCall(_) | Message::ManifestRequest(_) | Message::SessionResume(_)) => {
                tracing::debug!(is = other.name(), "a game asks, and is not answered");
            }
        }
        Ok(())
    }

    fn take_result(&self, result: ToolResult) {
        let outcome = match (result.ok, result.output, result.error) {
            (true, Some(output), None) => Ok(output),
            (false, None, Some(failed)) => Err(ClientError::Aicc(failed)),
            _ => {
                let text = "a result that says neither that the call succeeded nor why not";
                Err(ClientError::Protocol(text.to_owned()))
            }
        };
        match lock(&self.pending).calls.remove(result.call_id.as_str()) {
            Some(waiting) => drop(waiting.send(outcome)),
            // It is late, or of a call of an earlier connection.
            None => tracing::debug!("a result came that nobody waits for"),
        }
    }

    fn take_manifest(&self, manifest: SessionInit) {
        let manifest = Arc::new(manifest);
        let waits = {
            let mut pending = lock(&self.pending);
            let at = pending.manifests.iter().position(|(_, session, _)| *session == manifest.session_id);
            at.map(|at| pending.manifests.remove(at))
        };
        let is_current = self.manifest().session_id == manifest.session_id;
        if waits.is_some() || is_current {
            self.keep(Arc::clone(&manifest));
        }
        match waits {
            Some((.., answer)) => drop(answer.send(Ok(manifest))),
            None => tracing::debug!("a manifest came that nobody waits for"),
        }
    }

    /// An error says of which session it is, and not of which message: it is for who resumes that session,
    /// or who alone waits.
    fn take_error(&self, session: Uuid, failed: Error) {
        let mut pending = lock(&self.pending);
        let is_own = self.manifest().session_id == session;
        let at = pending.manifests.iter().position(|(_, wanted, _)| *wanted == session);
        if let Some(at) = at.filter(|_| !is_own || pending.calls.is_empty()) {
            let (.., answer) = pending.manifests.remove(at);
            let _ = answer.send(Err(ClientError::Aicc(failed)));
            return;
        }
        let only = pending.calls.keys().next().filter(|_| pending.calls.len() == 1).cloned();
        match only.and_then(|id| pending.calls.remove(&id)) {
            Some(answer) => drop(answer.send(Err(ClientError::Aicc(failed)))),
            None => {
                let (code, message) = (failed.code, failed.message);
                tracing::warn!(%code, %message, "a game reports an error");
            }
        }
    }

    fn keep(&self, manifest: Arc<SessionInit>) {
        *lock(&self.manifest) = manifest;
    }
}

/// Whoever no longer waits is forgotten.
struct Forget<F: FnMut()>(F);

impl<F: FnMut()> Drop for Forget<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The next message.
async fn next(reader: &mut Reader) -> Result<Message, ClientError> {
    let no_aicc = |what: String| ClientError::Protocol(format!("the game does not speak AICC: {what}"));
    loop {
        match reader.next().await {
            Incoming::Text(text) => {
                return aicc::decode(text.as_bytes()).map_err(|wrong| no_aicc(wrong.to_string()));
            }
            Incoming::Sign => {}
            Incoming::Garbled => return Err(no_aicc("a line is no UTF-8".to_owned())),
            Incoming::Wrong(ending) => return Err(no_aicc(ending.reason)),
            Incoming::Gone(None) => {
                return Err(ClientError::Disconnected("the game has closed the connection".to_owned()));
            }
            Incoming::Gone(Some(ending)) => {
                let (code, reason) = (ending.code, ending.reason);
                let text = format!("the game has closed the connection: {reason} ({code})");
                return Err(ClientError::Disconnected(text));
            }
        }
    }
}

/// A manifest_update as what it is: a session_init, less two members.
fn updated(mut update: Map<String, Value>, session: Uuid) -> Result<SessionInit, ClientError> {
    for (name, id) in [("session_id", session), ("message_id", fresh_id()?)] {
        update.insert(name.to_owned(), Value::from(id.as_str()));
    }
    let text = Value::Object(update).to_string();
    match aicc::decode(text.as_bytes()) {
        Ok(Message::SessionInit(manifest)) => Ok(manifest),
        Ok(other) => Err(unexpected(&other)),
        Err(wrong) => Err(ClientError::Protocol(format!("a manifest_update is none: {wrong}"))),
    }
}

/// Writes messages until that fails.
async fn write(mut writer: Writer, mut messages: mpsc::Receiver<String>) -> io::Error {
    while let Some(text) = messages.recv().await {
        let mut bytes = text.len();
        let mut written = writer.feed(text.into()).await;
        while written.is_ok()
            && bytes < TOGETHER
            && let Ok(text) = messages.try_recv()
        {
            bytes += text.len();
            written = writer.feed(text.into()).await;
        }
        if let Err(error) = written {
            return error;
        }
        if let Err(error) = writer.flush().await {
            return error;
        }
    }
    io::ErrorKind::BrokenPipe.into()
}

fn unexpected(message: &Message) -> ClientError {
    ClientError::Protocol(format!("the game does not speak AICC: an unexpected {} came", message.name()))
}

fn ended(error: &io::Error) -> ClientError {
    ClientError::Disconnected(format!("the connection to the game has ended: {error}"))
}
