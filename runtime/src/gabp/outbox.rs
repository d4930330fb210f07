//! What is on its way to one peer.

use super::Limits;
use super::framing::encode_into;
use crate::dispatch::lock;
use crate::events::{Event, Subscriber};
use crate::random;
use ludwire_protocols::gabp;
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Notify, OwnedSemaphorePermit};

/// An answer, and the place that it takes until it has been written.
type Answer = (Vec<u8>, Option<OwnedSemaphorePermit>);

/// Answers on their way to one peer.
#[derive(Default)]
pub(super) struct Outbox {
    answers: Mutex<VecDeque<Answer>>,
    closed: AtomicBool,
    pub(super) wake: Arc<Notify>,
}

/// Small messages go out together, up to so many bytes.
const TOGETHER: usize = 32 * 1024;

impl Outbox {
    pub(super) fn push(&self, body: Vec<u8>, place: Option<OwnedSemaphorePermit>) {
        lock(&self.answers).push_back((body, place));
        self.wake.notify_one();
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.wake.notify_one();
    }

    /// Writes answers, and events when there are no answers, until nothing more comes or the peer takes
    /// nothing for too long.
    pub(super) async fn write<W: AsyncWrite + Send + Unpin>(
        self: Arc<Self>,
        mut writer: W,
        subscriber: Arc<Subscriber>,
        limits: Limits,
    ) {
        let mut bytes = Vec::new();
        let mut places = Vec::new();
        loop {
            // Read before the queue: what is pushed before closing is then seen.
            let closed = self.closed.load(Ordering::Acquire);
            while bytes.len() < TOGETHER {
                let answer = lock(&self.answers).pop_front();
                let Some((body, place)) = answer else { break };
                places.extend(place);
                encode_into(&mut bytes, &body);
            }
            while bytes.len() < TOGETHER && !closed {
                let Some(event) = subscriber.next() else { break };
                let body = event.encoded(encode_event);
                if body.len() > limits.message {
                    let (size, channel) = (body.len(), &*event.channel);
                    tracing::warn!(size, channel, "an event is too large to send");
                } else {
                    encode_into(&mut bytes, body);
                }
            }
            if bytes.is_empty() {
                if closed {
                    break;
                }
                self.wake.notified().await;
                continue;
            }
            match write_all(&mut writer, &bytes, limits).await {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    tracing::warn!("a peer reads nothing and is closed");
                    return;
                }
                Err(_) => return,
            }
            bytes.clear();
            bytes.shrink_to(TOGETHER);
            places.clear();
        }
        let _ = writer.shutdown().await;
    }
}

/// Writes all of it, as long as the peer takes some of it now and then.
async fn write_all<W: AsyncWrite + Send + Unpin>(
    writer: &mut W,
    mut bytes: &[u8],
    limits: Limits,
) -> io::Result<()> {
    let too_late = |_| io::Error::from(io::ErrorKind::TimedOut);
    while !bytes.is_empty() {
        let taken =
            tokio::time::timeout(limits.read_within, writer.write(bytes)).await.map_err(too_late)??;
        if taken == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[taken..];
    }
    tokio::time::timeout(limits.read_within, writer.flush()).await.map_err(too_late)?
}

/// An event as a message.
fn encode_event(event: &Event) -> Vec<u8> {
    let channel = gabp::NonEmptyString::try_from(&*event.channel);
    let (Ok(channel), Ok(id)) = (channel, random::uuid()) else { return Vec::new() };
    let message = gabp::Event {
        id,
        channel,
        seq: gabp::NonNegativeInteger::from(event.seq),
        payload: (*event.payload).clone(),
        timestamp: None,
    };
    serde_json::to_vec(&message).expect("no rule spans the members of an event")
}
