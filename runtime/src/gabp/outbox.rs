//! What is on its way to one peer.

use super::framing::encode_into;
use super::{Limits, PROTOCOL, attention, failures};
use crate::dispatch::lock;
use crate::events::{Event, Subscriber};
use crate::quick::Out;
use crate::random;
use ludwire_protocols::gabp;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use tokio::io::AsyncWrite;
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
    writing: Mutex<Writing>,
}

/// What is being written.
struct Writing {
    writer: Box<dyn AsyncWrite + Send + Unpin>,
    bytes: Vec<u8>,
    /// So many of them have been written.
    written: usize,
    /// Of the answers among them.
    places: Vec<OwnedSemaphorePermit>,
    /// The task that writes waits for the peer, and is told when it takes more.
    waits: bool,
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
/// More places than a peer takes while answers of its are written.
const FEW: usize = 8;
/// Small messages go out together, up to so many bytes.
const TOGETHER: usize = 32 * 1024;

impl Outbox {
    pub(super) fn new(writer: impl AsyncWrite + Send + Unpin + 'static, limits: Limits) -> Self {
        let (writer, bytes, places) = (Box::new(writer), Vec::new(), Vec::new());
        Self {
            answers: Mutex::default(),
            most: limits.message.saturating_mul(MOST_LARGE),
            closed: AtomicBool::new(false),
            wake: Arc::default(),
            writing: Mutex::new(Writing { writer, bytes, written: 0, places, waits: false }),
        }
    }

    pub(super) fn push(&self, body: Vec<u8>, place: Option<OwnedSemaphorePermit>) {
        self.lay(body, place);
        self.wake.notify_one();
    }

    /// Adds an answer that may wait for others, until [`Out::flush`]; one for which there is no room becomes
    /// one that says so.
    pub(super) fn lay(&self, mut body: Vec<u8>, place: Option<OwnedSemaphorePermit>) {
        let mut answers = lock(&self.answers);
        if body.len() > SMALL && answers.bytes + body.len() > self.most {
            let waiting = answers.bytes;
            drop(answers);
            body = failures::unread(&body, waiting);
            answers = lock(&self.answers);
        }
        answers.bytes += body.len();
        answers.queue.push_back((body, place));
    }

    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Release);
        self.wake.notify_one();
    }

    /// Lets go of the connection, whoever still has an answer for it.
    pub(super) fn end(&self) {
        lock(&self.writing).writer = Box::new(tokio::io::sink());
    }

    /// Writes answers, and events when there are no answers, until nothing more comes or the peer takes
    /// nothing for too long.
    pub(super) async fn write(self: Arc<Self>, subscriber: Arc<Subscriber>, limits: Limits) {
        loop {
            // Read before the queue: what is pushed before closing is then seen.
            let closed = self.closed.load(Ordering::Acquire);
            let is_empty = {
                let mut writing = lock(&self.writing);
                self.fill(&mut writing);
                while writing.bytes.len() < TOGETHER && !closed {
                    let Some(event) = subscriber.next() else { break };
                    let body = event.encoded(PROTOCOL, encode_event);
                    if body.len() > limits.message {
                        let (size, channel) = (body.len(), &*event.channel);
                        tracing::warn!(size, channel, "an event is too large to send");
                    } else {
                        encode_into(&mut writing.bytes, &body);
                    }
                }
                writing.bytes.is_empty()
            };
            if is_empty {
                if closed {
                    break;
                }
                self.wake.notified().await;
                continue;
            }
            match self.write_all(limits).await {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    tracing::warn!("a peer reads nothing and is closed");
                    return;
                }
                Err(_) => return,
            }
        }
        let _ = poll_fn(|context| Pin::new(&mut lock(&self.writing).writer).poll_shutdown(context)).await;
    }

    /// Adds answers to what is to be written.
    fn fill(&self, writing: &mut Writing) {
        if writing.bytes.len() < TOGETHER {
            let mut answers = lock(&self.answers);
            while writing.bytes.len() < TOGETHER
                && let Some((body, place)) = answers.pop()
            {
                writing.places.extend(place);
                encode_into(&mut writing.bytes, &body);
            }
        }
    }

    /// Writes what is to be written, as long as the peer takes some of it now and then.
    async fn write_all(&self, limits: Limits) -> io::Result<()> {
        loop {
            let before = lock(&self.writing).written;
            // Only who must wait needs a clock.
            let mut step = pin!(poll_fn(|context| lock(&self.writing).poll(context, Some(before))));
            let now = poll_fn(|context| Poll::Ready(step.as_mut().poll(context))).await;
            let done = match now {
                Poll::Ready(done) => done?,
                Poll::Pending => match tokio::time::timeout(limits.read_within, step).await {
                    Ok(done) => done?,
                    Err(_) => return Err(io::ErrorKind::TimedOut.into()),
                },
            };
            if done {
                return Ok(());
            }
        }
    }
}

impl Answers {
    fn pop(&mut self) -> Option<Answer> {
        let answer = self.queue.pop_front()?;
        self.bytes -= answer.0.len();
        Some(answer)
    }
}

impl Writing {
    /// Writes; whether nothing is left. With `before`, as the task that waits for the peer, it is content
    /// when more than that has been written.
    fn poll(&mut self, context: &mut Context<'_>, before: Option<usize>) -> Poll<io::Result<bool>> {
        self.waits = false;
        while self.written < self.bytes.len() {
            match Pin::new(&mut self.writer).poll_write(context, &self.bytes[self.written..]) {
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                Poll::Ready(Ok(taken)) => self.written += taken,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending if before.is_some_and(|before| before < self.written) => {
                    return Poll::Ready(Ok(false));
                }
                Poll::Pending => {
                    self.waits = before.is_some();
                    return Poll::Pending;
                }
            }
        }
        match Pin::new(&mut self.writer).poll_flush(context) {
            Poll::Ready(Ok(())) => {}
            Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
            Poll::Pending => {
                self.waits = before.is_some();
                return Poll::Pending;
            }
        }
        self.bytes.clear();
        self.bytes.shrink_to(TOGETHER);
        self.written = 0;
        self.places.clear();
        Poll::Ready(Ok(true))
    }
}

impl Out for Outbox {
    /// Writes at once what the peer takes, without the detour over the task that writes.
    fn flush(&self) -> bool {
        if let Ok(mut writing) = self.writing.try_lock()
            && !writing.waits
        {
            self.fill(&mut writing);
            // The task that reads may wait for a place, or soon will, and gets it when this has been written.
            let is_waited_for =
                writing.places.first().is_some_and(|place| place.semaphore().available_permits() < FEW);
            let mut nobody = Context::from_waker(Waker::noop());
            let is_done = matches!(writing.poll(&mut nobody, None), Poll::Ready(Ok(true)));
            if is_done && lock(&self.answers).queue.is_empty() {
                return is_waited_for;
            }
        }
        self.wake.notify_one();
        true
    }
}

/// An event as a message.
fn encode_event(event: &Event) -> Vec<u8> {
    let Ok(id) = random::uuid() else { return Vec::new() };
    let seq = gabp::NonNegativeInteger::from(event.seq);
    let message = match (attention::told(event), gabp::NonEmptyString::try_from(&*event.channel)) {
        (Some((channel, item)), _) => {
            serde_json::to_vec(&gabp::AttentionEvent { id, channel, seq, payload: item, timestamp: None })
        }
        (None, Ok(channel)) => {
            let payload = event.payload().clone();
            serde_json::to_vec(&gabp::Event { id, channel, seq, payload, timestamp: None })
        }
        (None, Err(_)) => return Vec::new(),
    };
    message.expect("no rule spans the members of an event")
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
        let outbox = Outbox::new(tokio::io::sink(), limits);
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
