//! One connection: requests go out, and answers find whoever waits for them.

use super::super::ClientError;
use super::super::way::Stream;
use super::events::Subscriptions;
use super::fresh_id;
use crate::dispatch::lock;
use crate::gabp::{Frame, FrameError, encode_into, id_in, read_frame};
use ludwire_protocols::gabp::{self, Message};
use ludwire_protocols::support::Uuid;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::{mpsc, oneshot};

/// A connection, as those see it who ask.
pub(super) struct Link {
    out: mpsc::Sender<Vec<u8>>,
    pending: Mutex<Pending>,
    /// Bytes of a message that the game takes.
    largest: AtomicUsize,
}

#[derive(Default)]
struct Pending {
    waiting: HashMap<Uuid, oneshot::Sender<Result<Vec<u8>, ClientError>>>,
    /// Why nobody is answered any more.
    over: Option<ClientError>,
}

/// Requests that wait to be written.
const MOST_WAITING: usize = 64;
/// Small requests go out together, up to so many bytes.
const TOGETHER: usize = 32 * 1024;
/// How long a game that takes nothing more may still say why.
const LAST_WORDS: Duration = Duration::from_secs(1);

impl Link {
    /// A connection, and what must run for it to go on; that ends with the reason.
    pub(super) fn new(
        stream: Stream,
        largest: usize,
        events: Arc<Subscriptions>,
    ) -> (Arc<Self>, impl Future<Output = ClientError> + Send) {
        let (out, requests) = mpsc::channel(MOST_WAITING);
        let link = Arc::new(Self { out, pending: Mutex::default(), largest: AtomicUsize::new(usize::MAX) });
        let reading = Arc::clone(&link);
        let running = async move {
            let Stream { reader, writer, token, process } = stream;
            let read = reading.read(reader, largest, &events);
            tokio::pin!(read);
            let reason = tokio::select! {
                reason = &mut read => reason,
                error = write(writer, requests) => {
                    let last_words = tokio::time::timeout(LAST_WORDS, &mut read).await;
                    last_words.unwrap_or_else(|_| ended(&error))
                }
            };
            drop(process);
            reason.without(&token)
        };
        (link, running)
    }

    /// The game takes no larger messages.
    pub(super) fn limit(&self, bytes: usize) {
        self.largest.store(bytes, Ordering::Relaxed);
    }

    /// Sends a request and waits for its answer. Whoever waits no longer drops it.
    pub(super) async fn exchange<F>(&self, request: F) -> Result<Vec<u8>, ClientError>
    where
        F: FnOnce(Uuid) -> serde_json::Result<Vec<u8>> + Send,
    {
        let id = fresh_id()?;
        let written = request(id);
        let body = written.map_err(|error| ClientError::Protocol(format!("cannot be written: {error}")))?;
        let largest = self.largest.load(Ordering::Relaxed);
        if body.len() > largest {
            let text = format!("the request has {} bytes, and the game takes {largest} at most", body.len());
            return Err(ClientError::Protocol(text));
        }
        let (answer, answered) = oneshot::channel();
        {
            let mut pending = lock(&self.pending);
            if let Some(reason) = &pending.over {
                return Err(reason.clone());
            }
            pending.waiting.insert(id, answer);
        }
        let _forgotten = Forget(self, id);
        // Where nobody writes any more, nobody is answered either.
        let _ = self.out.send(body).await;
        answered.await.unwrap_or_else(|_| Err(self.why_over()))
    }

    /// Sends a request whose answer nobody waits for, if there is room for it.
    pub(super) fn send(&self, body: Vec<u8>) {
        let _ = self.out.try_send(body);
    }

    /// Answers all who wait: nothing more comes.
    pub(super) fn end(&self, reason: &ClientError) {
        let waiting = {
            let mut pending = lock(&self.pending);
            pending.over = Some(reason.clone());
            std::mem::take(&mut pending.waiting)
        };
        for (_, answer) in waiting {
            let _ = answer.send(Err(reason.clone()));
        }
    }

    fn why_over(&self) -> ClientError {
        let over = lock(&self.pending).over.clone();
        over.unwrap_or_else(|| ClientError::Disconnected("the connection is closed".to_owned()))
    }

    /// Reads until the connection ends, or cannot be read on.
    async fn read(
        &self,
        reader: impl AsyncRead + Unpin,
        largest: usize,
        events: &Subscriptions,
    ) -> ClientError {
        let mut reader = BufReader::new(reader);
        loop {
            let message = match read_frame(&mut reader, largest).await {
                Ok(Frame::Message(message)) => message,
                Ok(Frame::End) => {
                    return ClientError::Disconnected("the game has closed the connection".to_owned());
                }
                Err(FrameError::Io(error)) => return ended(&error),
                Err(wrong) => {
                    return ClientError::Protocol(format!("the game does not speak GABP: {wrong}"));
                }
            };
            if let Err(reason) = self.take(message, events) {
                return reason;
            }
        }
    }

    /// Takes a message. What is wrong with it is told to who waits for it, if that can be seen; an error is
    /// the end.
    fn take(&self, body: Vec<u8>, events: &Subscriptions) -> Result<(), ClientError> {
        match gabp::decode(&body) {
            Ok(Message::Response(response)) => match response.error.flatten() {
                // What could not be read has no id to repeat, and what comes after it cannot be told.
                Some(error) if response.id == Uuid::NIL => return Err(error.into()),
                _ => self.answer(response.id, Ok(body)),
            },
            Ok(Message::Event(event)) => events.publish(event),
            Ok(Message::AttentionEvent(event)) => {
                let channel = gabp::NonEmptyString::try_from(event.channel.as_str());
                if let (Ok(channel), Ok(payload)) = (channel, serde_json::to_value(event.payload)) {
                    let (id, seq) = (event.id, event.seq);
                    events.publish(gabp::Event { id, channel, seq, payload, timestamp: None });
                }
            }
            Ok(other) => tracing::debug!(is = other.name(), "a game asks, and is not answered"),
            Err(wrong) => {
                let told = ClientError::Protocol(format!("the game has sent what is no message: {wrong}"));
                match id_in(&body) {
                    Some(id) => self.answer(id, Err(told)),
                    None if wrong.is_syntax() => return Err(told),
                    None => tracing::warn!(%wrong, "a game has sent what is no message"),
                }
            }
        }
        Ok(())
    }

    /// A late answer is for nobody.
    fn answer(&self, id: Uuid, answer: Result<Vec<u8>, ClientError>) {
        match lock(&self.pending).waiting.remove(&id) {
            Some(waiting) => drop(waiting.send(answer)),
            None => tracing::debug!("an answer came that nobody waits for"),
        }
    }
}

/// Whoever no longer waits is forgotten.
struct Forget<'a>(&'a Link, Uuid);

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        lock(&self.0.pending).waiting.remove(&self.1);
    }
}

/// Writes requests until that fails.
async fn write(mut writer: impl AsyncWrite + Unpin, mut requests: mpsc::Receiver<Vec<u8>>) -> io::Error {
    let mut bytes = Vec::new();
    while let Some(body) = requests.recv().await {
        encode_into(&mut bytes, &body);
        while bytes.len() < TOGETHER
            && let Ok(body) = requests.try_recv()
        {
            encode_into(&mut bytes, &body);
        }
        let written = async {
            writer.write_all(&bytes).await?;
            writer.flush().await
        };
        if let Err(error) = written.await {
            return error;
        }
        bytes.clear();
        bytes.shrink_to(TOGETHER);
    }
    io::ErrorKind::BrokenPipe.into()
}

fn ended(error: &io::Error) -> ClientError {
    ClientError::Disconnected(format!("the connection to the game has ended: {error}"))
}
