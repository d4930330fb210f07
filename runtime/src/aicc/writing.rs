//! Writes what waits for an agent, over one connection, as long as that has the session.

use super::calls::json;
use super::connection::Shared;
use super::events::tick_gap;
use super::link::Writer;
use super::session::{Session, TOGETHER};
use crate::dispatch::lock;
use crate::task;
use ludwire_protocols::aicc::Heartbeat;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// A task that writes.
pub(super) struct Writing {
    task: Option<JoinHandle<io::Result<Writer>>>,
    stop: Arc<Stop>,
}

#[derive(Default)]
struct Stop {
    asked: AtomicBool,
    wake: Notify,
    /// Told when the task ends, however it does.
    over: Notify,
}

/// A task that has not ended.
struct Alive(Arc<Stop>);

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.over.notify_one();
    }
}

/// How often the clock is looked at: waking a thread at each tick would cost the game more than that.
const SHORTEST_LOOK: Duration = Duration::from_millis(2);
const LONGEST_LOOK: Duration = Duration::from_millis(50);

impl Writing {
    /// Begins with the manifest.
    pub(super) fn start(shared: &Arc<Shared>, session: &Arc<Session>, number: u64, writer: Writer) -> Self {
        let stop = Arc::<Stop>::default();
        let on_the_way = OnTheWay::new(shared, session);
        session.write_at(&on_the_way.desk);
        let pen = Pen { writer, number, fed: 0, is_behind: false, wrote_at: Instant::now() };
        let alive = Alive(Arc::clone(&stop));
        let task = task::spawn(async move {
            let Alive(stop) = &alive;
            on_the_way.write(pen, Arc::clone(stop)).await
        });
        Self { task: Some(task), stop }
    }

    /// Waits until it has ended by itself: nothing can be written any more, or another connection has the
    /// session. What it wrote to is still to be had ([`Self::stop`]): the agent is told why it is closed.
    pub(super) async fn is_over(&self) {
        self.stop.over.notified().await;
    }

    /// Has it end once all that waits is written, if that does not take longer. Gives back the side that
    /// it wrote to, if that is still good.
    pub(super) async fn stop(&mut self, within: Duration) -> Option<Writer> {
        self.stop.asked.store(true, Ordering::Release);
        self.stop.wake.notify_one();
        let mut task = self.task.take()?;
        match tokio::time::timeout(within, &mut task).await {
            Ok(ended) => ended.ok()?.ok(),
            Err(_) => {
                task.abort();
                None
            }
        }
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// Where a task that has nothing to write leaves what it writes with: whoever has an answer writes that, and
/// wakes it only if the agent does not take it at once.
#[derive(Default)]
pub(super) struct Desk(Mutex<Option<io::Result<Pen>>>);

/// What is written with to one connection.
struct Pen {
    writer: Writer,
    /// Of the connection.
    number: u64,
    /// The last of the session's messages that the writer has.
    fed: u64,
    /// It has something that has not gone out.
    is_behind: bool,
    /// When something was written.
    wrote_at: Instant,
}

impl Desk {
    /// Writes what waits in the session, as far as that can be done at once; whether nothing is left.
    pub(super) fn write(&self, session: &Session) -> bool {
        let Ok(mut place) = self.0.try_lock() else { return false };
        let Some(Ok(pen)) = &mut *place else { return false };
        match pen.write_now(session) {
            Ok(is_all) => is_all,
            Err(wrong) => {
                // The task ends with it.
                *place = Some(Err(wrong));
                false
            }
        }
    }

    /// What lies there.
    fn take(&self) -> io::Result<Pen> {
        lock(&self.0).take().unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into()))
    }
}

impl Pen {
    fn write_now(&mut self, session: &Session) -> io::Result<bool> {
        loop {
            let Some(waiting) = session.waiting(self.number, self.fed) else { return Ok(false) };
            if !waiting.is_empty() {
                self.wrote_at = Instant::now();
            }
            for (at, text) in waiting {
                if !self.writer.feed_now(&text)? {
                    return Ok(false);
                }
                (self.fed, self.is_behind) = (at, true);
            }
            if !self.writer.flush_now()? {
                return Ok(false);
            }
            self.is_behind = false;
            if session.written(self.number, self.fed) {
                return Ok(true);
            }
        }
    }
}

/// What is written to one connection.
struct OnTheWay {
    shared: Arc<Shared>,
    session: Arc<Session>,
    desk: Arc<Desk>,
    /// The tools, and what is allowed.
    changes: [watch::Receiver<u64>; 2],
    pinged_at: Instant,
    /// The tick that the agent knows of, and since when.
    tick: (u64, Instant),
}

impl OnTheWay {
    fn new(shared: &Arc<Shared>, session: &Arc<Session>) -> Self {
        let now = Instant::now();
        Self {
            shared: Arc::clone(shared),
            session: Arc::clone(session),
            desk: Arc::default(),
            changes: [shared.core.registry.changes(), shared.settings.capabilities.changes()],
            pinged_at: now,
            tick: (shared.core.clock.tick(), now),
        }
    }

    async fn write(mut self, mut pen: Pen, stop: Arc<Stop>) -> io::Result<Writer> {
        self.session.listen(&self.shared.core);
        let manifest = json(&self.shared.session_init(&self.session));
        pen.writer.feed(manifest.into()).await?;
        pen.writer.flush().await?;
        loop {
            // Read before the queue: what is pushed before stopping is then seen.
            let is_stopping = stop.asked.load(Ordering::Acquire);
            let Some(waiting) = self.session.waiting(pen.number, pen.fed) else {
                // It was woken in the place of whoever writes for the other connection.
                self.session.wake.notify_one();
                return Ok(pen.writer);
            };
            if !waiting.is_empty() {
                pen.wrote_at = Instant::now();
            }
            for (at, text) in waiting {
                pen.writer.feed(text).await?;
                (pen.fed, pen.is_behind) = (at, true);
            }
            if !is_stopping {
                pen.is_behind |= self.feed_unasked(&mut pen).await?;
            }
            if pen.is_behind {
                pen.writer.flush().await?;
                pen.is_behind = false;
                self.session.written(pen.number, pen.fed);
                continue;
            }
            if is_stopping {
                return Ok(pen.writer);
            }
            let silent = self.pinged_at.min(pen.wrote_at).elapsed();
            let silence = self.shared.settings.limits.heartbeat.saturating_sub(silent);
            let look = self.shared.look(&self.session);
            *lock(&self.desk.0) = Some(Ok(pen));
            let [tools, allowed] = &mut self.changes;
            tokio::select! {
                () = self.session.wake.notified() => {}
                () = stop.wake.notified() => {}
                _ = tools.changed() => tools.mark_changed(),
                _ = allowed.changed() => allowed.mark_changed(),
                () = tokio::time::sleep(silence) => {}
                () = tokio::time::sleep(look.unwrap_or_default()), if look.is_some() => {}
            }
            pen = self.desk.take()?;
        }
    }

    /// Writes what the agent has not asked for; whether there was any.
    async fn feed_unasked(&mut self, pen: &mut Pen) -> io::Result<bool> {
        let (shared, session) = (Arc::clone(&self.shared), Arc::clone(&self.session));
        let heartbeat_after = shared.settings.limits.heartbeat;
        let mut texts = Vec::new();
        if self.changes.iter().any(|changes| changes.has_changed().unwrap_or(false)) {
            self.changes.iter_mut().for_each(watch::Receiver::mark_unchanged);
            // New tools may bring events.
            session.listen(&shared.core);
            let update = shared.manifest_update(&session);
            let heartbeat = Heartbeat::new(session.id, shared.message_id()).with_manifest_update(update);
            texts.push(json(&heartbeat));
        }
        let mut bytes = 0;
        while bytes < TOGETHER
            && let Some(event) = session.subscriber.next()
        {
            let text = json(&shared.event(&session, &event));
            bytes += text.len();
            if text.len() <= shared.settings.limits.message {
                texts.push(text);
            } else {
                tracing::warn!(size = text.len(), channel = &*event.channel, "an event is too large to send");
            }
        }
        let tick = shared.core.clock.tick();
        if tick != self.tick.0 && shared.gap(&session).is_some_and(|gap| self.tick.1.elapsed() >= gap) {
            self.tick = (tick, Instant::now());
            texts.push(json(&shared.tick_event(&session, tick)));
        }
        if texts.is_empty() && pen.wrote_at.elapsed() >= heartbeat_after {
            texts.push(json(&Heartbeat::new(session.id, shared.message_id())));
        }
        let is_silent = self.pinged_at.elapsed() >= heartbeat_after;
        if is_silent {
            self.pinged_at = Instant::now();
            pen.writer.ping().await?;
        }
        if !texts.is_empty() {
            pen.wrote_at = Instant::now();
        }
        let is_any = is_silent || !texts.is_empty();
        for text in texts {
            pen.writer.feed(text.into()).await?;
        }
        Ok(is_any)
    }
}

/// Nothing is kept of a connection that has ended, whoever has its desk.
impl Drop for OnTheWay {
    fn drop(&mut self) {
        lock(&self.desk.0).take();
    }
}

impl Shared {
    /// How long after a tick event the next one may come; `None` where they are not wanted.
    fn gap(&self, session: &Session) -> Option<Duration> {
        let class = session.hears_ticks()?;
        Some(tick_gap(self.settings.tick_rate, class, session.is_mostly_looking()))
    }

    /// When the clock is looked at next.
    fn look(&self, session: &Session) -> Option<Duration> {
        self.gap(session).map(|gap| gap.clamp(SHORTEST_LOOK, LONGEST_LOOK))
    }
}
