//! One connection, whatever carries it: reads messages, hands them to the session, and writes answers
//! and events.

use super::Limits;
use super::failures::{self, error};
use super::framing::{Frame, FrameError, read_frame};
use super::outbox::Outbox;
use super::session::{Next, Session};
use crate::call::Caller;
use crate::dispatch::{Core, lock};
use ludwire_protocols::gabp::{ObservedStart, error_codes};
use ludwire_protocols::support::Uuid;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, BufReader};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

/// What all connections share.
pub(super) struct Shared {
    pub(super) core: Arc<Core>,
    pub(super) token: String,
    pub(super) agent_id: String,
    pub(super) observed: Option<ObservedStart>,
    pub(super) limits: Limits,
    /// For connections.
    room: Arc<Semaphore>,
    /// For those that wait to hear that their token is wrong.
    penance: Arc<Semaphore>,
    /// Wrong tokens of late, and the last of them.
    wrong: Mutex<(u32, Option<Instant>)>,
}

/// Bytes that are read at one time; many small requests.
const AT_ONCE: usize = 16 * 1024;
/// How long calls may go on whose peer has closed its side: it may still read, or it may have gone.
const GOES_ON: Duration = Duration::from_secs(1);
/// Requests that are read of a peer with as many calls as it may have: so that it is answered whatever needs
/// no game, while the game stands still.
const CONTROLS: usize = 16;
/// Connections that are kept waiting for the answer to a wrong token; others are closed.
const MOST_PENITENT: usize = 32;
/// The longest that one waits.
const LONGEST_PENANCE: Duration = Duration::from_secs(3);
/// Wrong tokens are forgotten after so long without any.
const FORGOTTEN: Duration = Duration::from_secs(60);

impl Shared {
    pub(super) fn new(
        core: Arc<Core>,
        token: String,
        agent_id: String,
        observed: Option<ObservedStart>,
        limits: Limits,
    ) -> Self {
        let (room, penance) = (Semaphore::new(limits.connections), Semaphore::new(MOST_PENITENT));
        let (room, penance) = (Arc::new(room), Arc::new(penance));
        Self { core, token, agent_id, observed, limits, room, penance, wrong: Mutex::default() }
    }

    /// Serves a connection in a task of its own, or closes it when there are too many.
    pub(super) fn admit<R, W>(self: &Arc<Self>, reader: R, writer: W)
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let Ok(place) = Arc::clone(&self.room).try_acquire_owned() else {
            tracing::warn!("more than {} connections; the newest is closed", self.limits.connections);
            return;
        };
        let shared = Arc::clone(self);
        let present = self.core.presence();
        tokio::spawn(async move {
            connection(reader, writer, &shared, place).await;
            drop(present);
        });
    }

    /// Keeps whoever has shown a wrong token from showing many: each of late makes the next wait longer.
    /// It gives up the place of its connection, so that whoever has the right token never waits for it.
    pub(super) async fn repent(&self, place: Option<OwnedSemaphorePermit>) {
        drop(place);
        let count = {
            let mut wrong = lock(&self.wrong);
            let lately = wrong.1.is_some_and(|last| last.elapsed() < FORGOTTEN);
            *wrong = (if lately { wrong.0.saturating_add(1) } else { 1 }, Some(Instant::now()));
            wrong.0
        };
        // Mistakes are forgiven.
        let Some(waits) = count.checked_sub(3) else { return };
        if let Ok(_place) = self.penance.try_acquire() {
            let time = Duration::from_millis(50).saturating_mul(2u32.saturating_pow(waits.min(10)));
            tokio::time::sleep(time.min(LONGEST_PENANCE)).await;
        }
    }
}

/// The token is not shown.
impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("limits", &self.limits).finish_non_exhaustive()
    }
}

async fn connection<R, W>(reader: R, writer: W, shared: &Arc<Shared>, place: OwnedSemaphorePermit)
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let outbox = Arc::new(Outbox::new(writer));
    let subscriber = shared.core.events.subscriber(Arc::clone(&outbox.wake));
    let limits = shared.limits;
    let writing = Arc::clone(&outbox).write(Arc::clone(&subscriber), limits);
    let mut writing = tokio::spawn(writing);
    let caller = Caller::Peer { protocol: "gabp", connection: shared.core.connection_number() };
    let session = Arc::new(Session::new(Arc::clone(shared), subscriber, caller, place));
    let _gone = Gone(Arc::clone(&session.gone), Arc::clone(&outbox));
    tokio::select! {
        () = read(BufReader::with_capacity(AT_ONCE, reader), session, &outbox, limits) => {
            outbox.close();
            // What was answered still goes out, if the peer takes it.
            let _ = tokio::time::timeout(limits.read_within, &mut writing).await;
        }
        _ = &mut writing => {}
    }
    writing.abort();
}

/// The end of a connection, which calls that still run do not put off.
struct Gone(Arc<AtomicBool>, Arc<Outbox>);

impl Drop for Gone {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.end();
    }
}

/// Reads and answers until the peer goes, must be turned away, or the host goes down. Requests that
/// still run then are cancelled with the set that they run in.
async fn read<R: AsyncRead + Send + Unpin>(
    mut reader: BufReader<R>,
    session: Arc<Session>,
    outbox: &Arc<Outbox>,
    limits: Limits,
) {
    let room = Arc::new(Semaphore::new(limits.requests + CONTROLS));
    let mut running = JoinSet::new();
    let hello_by = tokio::time::Instant::now() + limits.hello_within;
    let closing = session.shared.core.closing();
    let closing = closing.wait();
    tokio::pin!(closing);
    loop {
        while running.try_join_next().is_some() {}
        let frame = async {
            if session.is_welcome() {
                return Some(read_frame(&mut reader, limits.message).await);
            }
            tokio::time::timeout_at(hello_by, read_frame(&mut reader, limits.message)).await.ok()
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
                tracing::warn!(caller = ?session.caller, %wrong, "a connection speaks no GABP and is closed");
                // Where the next message begins is unknown. A stranger gets no answer.
                if session.is_welcome() {
                    let code = match wrong {
                        FrameError::TooLarge(..) => error_codes::INVALID_REQUEST,
                        _ => error_codes::PARSE_ERROR,
                    };
                    outbox.push(failures::answer(Uuid::NIL, error(code, &wrong.to_string())), None);
                }
                return;
            }
            None => {
                tracing::warn!(caller = ?session.caller, "a connection did not say hello in time and is closed");
                return;
            }
        };
        // Held until the answer has been taken, so that what waits for a peer has a bound.
        let place = match Arc::clone(&room).try_acquire_owned() {
            Ok(place) => Ok(place),
            Err(_) => Arc::clone(&room).acquire_owned().await,
        };
        let Ok(place) = place else { return };
        match session.take(message).await {
            Next::Answer(body) => outbox.push(body, Some(place)),
            Next::AnswerAndClose(body) => {
                outbox.push(body, Some(place));
                return;
            }
            Next::Quick(call) => session.shared.core.quick_ones.push(call.job(Arc::clone(outbox), place)),
            Next::Later(answer) => {
                let outbox = Arc::clone(outbox);
                running.spawn(async move { outbox.push(answer.await, Some(place)) });
            }
            Next::Nothing => {}
        }
    }
}
