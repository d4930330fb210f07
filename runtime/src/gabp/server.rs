//! Accepts connections, reads messages, hands them to the session, writes answers and events.

use super::failures::{self, error};
use super::framing::{Frame, FrameError, LARGEST_MESSAGE, encode, read_frame};
use super::session::{Next, Session};
use crate::call::Caller;
use crate::dispatch::{Core, lock};
use crate::events::{Event, Subscriber};
use crate::random;
use ludwire_protocols::gabp::{self, error_codes};
use ludwire_protocols::support::Uuid;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

/// What all connections share.
pub(super) struct Shared {
    pub(super) core: Arc<Core>,
    pub(super) token: String,
    pub(super) agent_id: String,
}

/// Connections at one time.
const MOST_CONNECTIONS: usize = 16;
/// Requests of one connection that run or whose answers the peer has not taken; while there are so
/// many, no more are read.
pub(super) const MOST_REQUESTS: usize = 64;
/// How long calls may go on whose peer has closed its side: it may still read, or it may have gone.
const GOES_ON: Duration = Duration::from_secs(1);
/// How long a connection may take to say hello.
const HELLO_WITHIN: Duration = Duration::from_secs(10);
/// How long a peer may take no byte of what waits for it.
const READ_WITHIN: Duration = Duration::from_secs(10);

/// Accepts connections until the runtime ends.
pub(super) async fn serve(listener: TcpListener, shared: Shared) {
    let shared = Arc::new(shared);
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let count = AtomicU64::new(0);
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let Ok(place) = Arc::clone(&room).try_acquire_owned() else {
                    tracing::warn!("more than {MOST_CONNECTIONS} connections; the newest is closed");
                    continue;
                };
                let number = count.fetch_add(1, Ordering::Relaxed) + 1;
                let shared = Arc::clone(&shared);
                tokio::spawn(async move {
                    let _place = place;
                    connection(stream, number, &shared).await;
                });
            }
            Err(error) => {
                // Too many open files, say: others must end first.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn connection(stream: TcpStream, number: u64, shared: &Arc<Shared>) {
    // Answers are small and awaited.
    let _ = stream.set_nodelay(true);
    let (reader, writer) = stream.into_split();
    let outbox = Arc::new(Outbox::default());
    let subscriber = shared.core.events.subscriber(Arc::clone(&outbox.wake));
    let mut writing = tokio::spawn(write(writer, Arc::clone(&outbox), Arc::clone(&subscriber)));
    let caller = Caller::Peer { protocol: "gabp", connection: number };
    let session = Arc::new(Session::new(Arc::clone(shared), subscriber, caller));
    tokio::select! {
        () = read(BufReader::new(reader), session, &outbox) => {
            outbox.close();
            // What was answered still goes out, if the peer takes it.
            let _ = tokio::time::timeout(READ_WITHIN, &mut writing).await;
        }
        _ = &mut writing => {}
    }
    writing.abort();
}

/// Reads and answers until the peer goes or must be turned away. Requests that still run then are
/// cancelled with the set that they run in.
async fn read(
    mut reader: BufReader<tokio::net::tcp::OwnedReadHalf>,
    session: Arc<Session>,
    outbox: &Arc<Outbox>,
) {
    let room = Arc::new(Semaphore::new(MOST_REQUESTS));
    let mut running = JoinSet::new();
    let hello_by = tokio::time::Instant::now() + HELLO_WITHIN;
    loop {
        while running.try_join_next().is_some() {}
        let frame = if session.is_welcome() {
            read_frame(&mut reader).await
        } else {
            match tokio::time::timeout_at(hello_by, read_frame(&mut reader)).await {
                Ok(frame) => frame,
                Err(_) => return,
            }
        };
        let message = match frame {
            Ok(Frame::Message(message)) => message,
            Ok(Frame::End) => {
                let all = async { while running.join_next().await.is_some() {} };
                let _ = tokio::time::timeout(GOES_ON, all).await;
                return;
            }
            Err(FrameError::Io(_)) => return,
            Err(wrong) => {
                // Where the next message begins is unknown. A stranger gets no answer.
                if session.is_welcome() {
                    let code = match wrong {
                        FrameError::TooLarge(_) => error_codes::INVALID_REQUEST,
                        _ => error_codes::PARSE_ERROR,
                    };
                    outbox.push(failures::answer(Uuid::NIL, error(code, &wrong.to_string())), None);
                }
                return;
            }
        };
        // Held until the answer has been taken, so that what waits for a peer has a bound.
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
        match session.take(&message).await {
            Next::Answer(body) => outbox.push(body, Some(place)),
            Next::AnswerAndClose(body) => {
                outbox.push(body, Some(place));
                return;
            }
            Next::Later(answer) => {
                let outbox = Arc::clone(outbox);
                running.spawn(async move { outbox.push(answer.await, Some(place)) });
            }
            Next::Nothing => {}
        }
    }
}

/// An answer, and the place that it takes until it has been written.
type Answer = (Vec<u8>, Option<OwnedSemaphorePermit>);

/// Answers on their way to one peer.
#[derive(Default)]
struct Outbox {
    answers: Mutex<VecDeque<Answer>>,
    closed: AtomicBool,
    wake: Arc<Notify>,
}

impl Outbox {
    fn push(&self, body: Vec<u8>, place: Option<OwnedSemaphorePermit>) {
        lock(&self.answers).push_back((body, place));
        self.wake.notify_one();
    }

    fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.wake.notify_one();
    }
}

/// Writes answers, and events when there are no answers.
async fn write(
    mut writer: tokio::net::tcp::OwnedWriteHalf,
    outbox: Arc<Outbox>,
    subscriber: Arc<Subscriber>,
) {
    loop {
        // Read before the queue: what is pushed before closing is then seen.
        let closed = outbox.closed.load(Ordering::Acquire);
        let answer = lock(&outbox.answers).pop_front();
        let (body, _place) = match answer {
            Some(answer) => answer,
            None if closed => break,
            None => match subscriber.next() {
                Some(event) => (event_frame(&event), None),
                None => {
                    outbox.wake.notified().await;
                    continue;
                }
            },
        };
        if body.len() > LARGEST_MESSAGE {
            tracing::warn!(bytes = body.len(), "a message is too large to send");
            continue;
        }
        match tokio::time::timeout(READ_WITHIN, writer.write_all(&encode(&body))).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return,
            Err(_) => {
                tracing::warn!("a peer reads nothing and is closed");
                return;
            }
        }
    }
    let _ = writer.shutdown().await;
}

/// An event as a message.
fn event_frame(event: &Event) -> Vec<u8> {
    let channel = gabp::NonEmptyString::try_from(&*event.channel);
    let (Ok(channel), Ok(id)) = (channel, random::uuid()) else { return Vec::new() };
    let message = gabp::Event {
        id,
        channel,
        seq: gabp::NonNegativeInteger::from(event.seq),
        payload: (*event.payload).clone(),
        timestamp: None,
    };
    serde_json::to_vec(&message).unwrap_or_default()
}
