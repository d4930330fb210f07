//! What is on its way to one peer.

use super::Limits;
use super::failures;
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
pub(super) struct Outbox {
    answers: Mutex<Answers>,
    /// Bytes of answers that may wait.
    most: usize,
    closed: AtomicBool,
    pub(super) wake: Arc<Notify>,
}

#[derive(Default)]
struct Answers {
    queue: VecDeque<Answer>,
    /// Bytes of all of them.
    bytes: usize,
}

/// Of the largest answers so many may wait: a peer that asks and does not read makes nothing grow beyond.
const MOST_LARGE: usize = 16;
/// An answer of so many bytes is kept in any case.
const SMALL: usize = 1024;
/// Small messages go out together, up to so many bytes.
const TOGETHER: usize = 32 * 1024;

impl Outbox {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            answers: Mutex::default(),
            most: limits.message.saturating_mul(MOST_LARGE),
            closed: AtomicBool::new(false),
            wake: Arc::default(),
        }
    }

    /// Lays down an answer; one for which there is no room becomes one that says so.
    pub(super) fn push(&self, mut body: Vec<u8>, place: Option<OwnedSemaphorePermit>) {
        let mut answers = lock(&self.answers);
        if body.len() > SMALL && answers.bytes + body.len() > self.most {
            let waiting = answers.bytes;
            drop(answers);
            body = failures::unread(&body, waiting);
            answers = lock(&self.answers);
        }
        answers.bytes += body.len();
        answers.queue.push_back((body, place));
        drop(answers);
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
                let Some((body, place)) = lock(&self.answers).pop() else { break };
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

impl Answers {
    fn pop(&mut self) -> Option<Answer> {
        let answer = self.queue.pop_front()?;
        self.bytes -= answer.0.len();
        Some(answer)
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

#[cfg(test)]
mod tests {
    use super::{MOST_LARGE, Outbox};
    use crate::dispatch::lock;
    use crate::gabp::Limits;
    use ludwire_protocols::gabp::ResponseEnvelope;
    use serde_json::json;

    #[test]
    fn of_answers_that_nobody_reads_so_many_bytes_are_kept_and_of_others_that_they_were() {
        let limits = Limits { message: 4096, ..Limits::default() };
        let outbox = Outbox::new(limits);
        let id = |number: usize| format!("00000000-0000-4000-8000-{number:012}");
        for number in 0..64 {
            let result = json!({ "text": "x".repeat(3900) });
            let answer = json!({ "v": "gabp/1", "id": id(number), "type": "response", "result": result });
            outbox.push(answer.to_string().into_bytes(), None);
        }
        let mut answers = lock(&outbox.answers);
        assert!(answers.bytes < limits.message * MOST_LARGE + 64 * 512, "{}", answers.bytes);
        let mut kept = 0;
        for number in 0..64 {
            let (body, _) = answers.pop().expect("each has an answer");
            let answer: ResponseEnvelope = serde_json::from_slice(&body).expect("it is one");
            assert_eq!(answer.id.as_str(), id(number));
            kept += usize::from(answer.result.is_some());
            if let Some(error) = answer.error {
                assert!(error.message.as_str().contains("bytes of others wait to be read"), "{error:?}");
            }
        }
        assert_eq!((kept, answers.bytes), (MOST_LARGE, 0));
    }
}
