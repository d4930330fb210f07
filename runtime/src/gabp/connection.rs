//! One connection, whatever carries it: reads messages, hands them to the session, and writes answers
//! and events.

use super::failures::{self, error};
use super::framing::{Frame, FrameError, read_frame};
use super::outbox::Outbox;
use super::session::{Next, Session};
use super::source::Source;
use super::{Limits, PROTOCOL};
use crate::call::Caller;
use crate::dispatch::Core;
use crate::door::{Door, Guest};
use crate::stream::after;
use crate::task;
use ludwire_protocols::gabp::{ObservedStart, error_codes};
use ludwire_protocols::support::Uuid;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncWrite, BufReader};
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;

/// What all connections share.
pub(super) struct Shared {
    pub(super) core: Arc<Core>,
    pub(super) agent_id: String,
    pub(super) observed: Option<ObservedStart>,
    pub(super) limits: Limits,
    pub(super) door: Arc<Door>,
}

/// Bytes that are read at one time; many small requests.
const AT_ONCE: usize = 16 * 1024;
/// How long calls may go on whose peer has closed its side: it may still read, or it may have gone.
const GOES_ON: Duration = Duration::from_secs(1);
/// Requests that are read of a peer with as many calls as it may have: so that it is answered whatever needs
/// no game, while the game stands still.
const CONTROLS: usize = 16;
/// The largest message of a stranger, in bytes: a hello is short.
const LARGEST_HELLO: usize = 16 * 1024;
/// How often it is looked whether a peer has gone that has as many requests as it may have.
const LOOKS: Duration = Duration::from_millis(100);

impl Shared {
    pub(super) fn new(
        core: Arc<Core>,
        token: String,
        agent_id: String,
        observed: Option<ObservedStart>,
        limits: Limits,
    ) -> Self {
        let door = Arc::new(Door::new("gabp", Some(token), limits.connections));
        Self { core, agent_id, observed, limits, door }
    }

    /// Serves a connection in a task of its own.
    pub(super) fn admit<R, W>(self: &Arc<Self>, reader: R, writer: W)
    where
        R: Source,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let guest = self.door.knock();
        let shared = Arc::clone(self);
        let present = self.core.presence();
        task::spawn(async move {
            connection(reader, writer, &shared, guest).await;
            drop(present);
        });
    }
}

/// The token is not shown.
impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("limits", &self.limits).finish_non_exhaustive()
    }
}

async fn connection<R, W>(reader: R, writer: W, shared: &Arc<Shared>, guest: Guest)
where
    R: Source,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let outbox = Arc::new(Outbox::new(writer, shared.limits));
    let subscriber = shared.core.events.subscriber(Arc::clone(&outbox.wake));
    let limits = shared.limits;
    let writing = Arc::clone(&outbox).write(Arc::clone(&subscriber), limits);
    let mut writing = task::spawn(writing);
    let caller = Caller::Peer { protocol: PROTOCOL, connection: shared.core.connection_number() };
    let leave = guest.leave();
    let session = Arc::new(Session::new(Arc::clone(shared), subscriber, caller, guest));
    let _ended = Ended(Arc::clone(&outbox));
    tokio::select! {
        () = read(BufReader::with_capacity(AT_ONCE, reader), session, &outbox, &leave) => {
            outbox.close();
            // What was answered still goes out, if the peer takes it.
            let _ = tokio::time::timeout(limits.read_within, &mut writing).await;
        }
        _ = &mut writing => {}
    }
    writing.abort();
}

/// The end of a connection, which calls that still run do not put off.
struct Ended(Arc<Outbox>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// The end of reading: nobody waits for any of the calls any more, from the same moment on.
struct Gone(Arc<AtomicBool>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Reads and answers until the peer goes, must be turned away, or the host goes down. Requests that
/// still run then are cancelled with the set that they run in.
async fn read<R: Source>(
    mut reader: BufReader<R>,
    session: Arc<Session>,
    outbox: &Arc<Outbox>,
    leave: &Notify,
) {
    let limits = session.shared.limits;
    let room = Arc::new(Semaphore::new(limits.requests + CONTROLS));
    let mut running = JoinSet::new();
    // Goes before what runs.
    let _gone = Gone(Arc::clone(&session.gone));
    let hello_by = after(limits.hello_within);
    let closing = session.shared.core.closing();
    let closing = closing.wait();
    tokio::pin!(closing);
    loop {
        while running.try_join_next().is_some() {}
        let frame = async {
            if session.is_welcome() {
                return Some(read_frame(&mut reader, limits.message).await);
            }
            let hello = read_frame(&mut reader, limits.message.min(LARGEST_HELLO));
            tokio::select! {
                hello = tokio::time::timeout_at(hello_by, hello) => hello.ok(),
                () = leave.notified() => None,
            }
        };
        let frame = tokio::select! {
            frame = frame => frame,
            () = &mut closing => Some(Ok(Frame::End)),
        };
        let message = match frame {
            Some(Ok(Frame::Message(message))) => message,
            Some(Ok(Frame::End)) => {
                let places = (limits.requests + CONTROLS) as u32;
                let all = async {
                    while running.join_next().await.is_some() {}
                    let _ = room.acquire_many(places).await;
                };
                let _ = tokio::time::timeout(GOES_ON, all).await;
                return;
            }
            Some(Err(FrameError::Io(_))) => return,
            Some(Err(wrong)) => {
                // Where the next message begins is unknown. A stranger gets no answer.
                if session.is_welcome() {
                    tracing::warn!(caller = ?session.caller, %wrong, "a connection speaks no GABP and is closed");
                    let code = match wrong {
                        FrameError::TooLarge(..) => error_codes::INVALID_REQUEST,
                        _ => error_codes::PARSE_ERROR,
                    };
                    outbox.push(failures::answer(Uuid::NIL, error(code, &wrong.to_string())), None);
                } else {
                    session.shared.door.turn_away(format_args!("it speaks no GABP: {wrong}"));
                }
                return;
            }
            None => {
                session.shared.door.turn_away("it has not said hello in time");
                return;
            }
        };
        // Held until the answer has been taken, so that what waits for a peer has a bound.
        let place = match Arc::clone(&room).try_acquire_owned() {
            Ok(place) => Ok(place),
            Err(_) => tokio::select! {
                place = Arc::clone(&room).acquire_owned() => place,
                () = gone(reader.get_ref()) => return,
            },
        };
        let Ok(place) = place else { return };
        match session.take(message).await {
            Next::Answer(body) => outbox.push(body, Some(place)),
            Next::AnswerAndClose(body) => {
                outbox.push(body, Some(place));
                return;
            }
            Next::Quick(call) => call.begin(outbox, place),
            Next::Later(answer) => {
                let (outbox, core) = (Arc::clone(outbox), Arc::clone(&session.shared.core));
                running.spawn(task::shared(async move {
                    let answer = answer.await;
                    // What a call has caused is on its way when its answer is.
                    core.events.hand_out_now();
                    outbox.push(answer, Some(place));
                }));
            }
            Next::Nothing => {}
        }
    }
}

/// Waits until a peer has closed its side, which stands behind what has not been read, and nothing that runs
/// for it has ended since for a while.
async fn gone<R: Source>(source: &R) {
    while !source.has_ended().await {
        tokio::time::sleep(LOOKS).await;
    }
    tokio::time::sleep(GOES_ON).await;
}
