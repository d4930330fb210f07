//! When the game has last shown itself.

use crate::dispatch::lock;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A game that has not ticked for so long is said to stand still.
pub(crate) const STALLED: Duration = Duration::from_secs(2);

/// When the game has last shown itself.
pub(crate) struct Ticks(Mutex<Inner>);

struct Inner {
    last: Instant,
    /// That it stands still since is in the log.
    is_missed: bool,
}

impl Ticks {
    /// It shows itself now.
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Inner { last: Instant::now(), is_missed: false }))
    }

    /// For how long it has not.
    pub(crate) fn since(&self) -> Duration {
        lock(&self.0).last.elapsed()
    }

    /// It does.
    pub(crate) fn tick(&self, now: Instant) {
        let before = std::mem::replace(&mut *lock(&self.0), Inner { last: now, is_missed: false });
        if before.is_missed {
            let seconds = now.duration_since(before.last).as_secs();
            tracing::info!("the game ticks again, after {seconds} s");
        }
    }

    /// So many calls wait for it. If it stands still, the log says so, once until it goes on.
    pub(crate) fn miss(&self, waiting: usize) {
        let mut inner = lock(&self.0);
        let since = inner.last.elapsed();
        if waiting > 0 && since >= STALLED && !std::mem::replace(&mut inner.is_missed, true) {
            drop(inner);
            // Perhaps it stands still because nobody takes what it prints. Who writes into that log then stands
            // still as well, and must be nobody who answers peers.
            tokio::task::spawn_blocking(move || {
                let seconds = since.as_secs();
                tracing::warn!(waiting, "the game has not ticked for {seconds} s, and calls wait for it");
            });
        }
    }
}
