//! The sessions: those that have a connection, and those that wait for one.

use super::session::Session;
use crate::dispatch::lock;
use crate::task;
use ludwire_protocols::support::Uuid;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;

/// All sessions, by id.
pub(super) struct Sessions {
    all: Mutex<HashMap<String, Arc<Session>>>,
    /// How long one waits for a connection.
    window: Duration,
}

/// Sessions that wait for a connection. One more, and that which has waited longest ends: of those without any
/// call first, for which nobody comes back.
const MOST_LEFT: usize = 32;

impl Sessions {
    pub(super) fn new(window: Duration) -> Self {
        Self { all: Mutex::default(), window }
    }

    /// Adds one that this connection has.
    pub(super) fn open(&self, session: &Arc<Session>, number: u64) -> Arc<Notify> {
        let leave = session.hold(number);
        lock(&self.all).insert(key(&session.id), Arc::clone(session));
        leave
    }

    /// Gives a session to this connection, whatever connection has it; `None` when it has ended, or never
    /// was.
    pub(super) fn resume(&self, id: &Uuid, number: u64) -> Option<(Arc<Session>, Arc<Notify>)> {
        let all = lock(&self.all);
        let session = all.get(&key(id))?;
        Some((Arc::clone(session), session.hold(number)))
    }

    /// Ends a session on purpose, if this connection has it.
    pub(super) fn close(&self, session: &Session, number: u64) {
        let mut all = lock(&self.all);
        if session.is_held_by(number) {
            all.remove(&key(&session.id));
            drop(all);
            session.end();
        }
    }

    /// A connection has gone. Its session waits for another one for a while, if it still had it.
    pub(super) fn leave(self: &Arc<Self>, session: &Arc<Session>, number: u64) {
        let Some(times) = session.let_go(number) else { return };
        if self.window.is_zero() {
            self.expire(session, times);
            return;
        }
        self.make_room();
        let (all, session) = (Arc::downgrade(self), Arc::downgrade(session));
        let window = self.window;
        task::spawn(async move {
            tokio::time::sleep(window).await;
            if let (Some(all), Some(session)) = (all.upgrade(), session.upgrade()) {
                all.expire(&session, times);
            }
        });
    }

    /// Ends a session that has not been resumed since.
    fn expire(&self, session: &Session, times: u64) {
        let mut all = lock(&self.all);
        if session.is_left(times) {
            all.remove(&key(&session.id));
            drop(all);
            session.end();
        }
    }

    fn make_room(&self) {
        let mut all = lock(&self.all);
        let left = all.values().filter_map(|session| Some((session.left_at()?, session)));
        let mut left: Vec<_> = left.map(|(at, session)| (at, Arc::clone(session))).collect();
        if left.len() <= MOST_LEFT {
            return;
        }
        left.sort_by_key(|(at, session)| (session.has_called(), *at));
        left.truncate(left.len() - MOST_LEFT);
        for (_, session) in &left {
            all.remove(&key(&session.id));
        }
        drop(all);
        left.iter().for_each(|(_, session)| session.end());
    }
}

/// Digits of either case are the same id.
fn key(id: &Uuid) -> String {
    id.as_str().to_ascii_lowercase()
}
