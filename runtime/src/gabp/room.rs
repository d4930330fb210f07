//! Room for connections: for peers that have shown the token, and for a few that have not.

use crate::dispatch::lock;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Connections that may be there without having said hello, or as many as there may be peers: somebody who
/// says nothing must not keep out whoever has the token.
const MOST_STRANGERS: usize = 16;

/// Room for connections.
#[derive(Debug)]
pub(super) struct Room {
    peers: Arc<Semaphore>,
    /// The oldest comes first.
    strangers: Mutex<VecDeque<Arc<Notify>>>,
    most_strangers: usize,
}

/// What a connection takes of the room, until it is dropped.
#[derive(Debug)]
pub(super) enum Place {
    Stranger {
        _place: Stranger,
    },
    Peer {
        _place: OwnedSemaphorePermit,
    },
    /// It is about to be closed.
    Nothing,
}

/// The place of a connection that has not said hello.
#[derive(Debug)]
pub(super) struct Stranger {
    room: Arc<Room>,
    /// Told when it must make room for a newer one.
    leave: Arc<Notify>,
}

impl Room {
    pub(super) fn new(peers: usize) -> Self {
        let most_strangers = peers.max(MOST_STRANGERS);
        Self { peers: Arc::new(Semaphore::new(peers)), strangers: Mutex::default(), most_strangers }
    }

    /// A place for a stranger. Where there is none, the oldest stranger has to leave: whoever has the token
    /// shows it at once.
    pub(super) fn enter(self: &Arc<Self>) -> Stranger {
        let leave = Arc::new(Notify::new());
        let mut strangers = lock(&self.strangers);
        strangers.push_back(Arc::clone(&leave));
        let oldest = if strangers.len() > self.most_strangers { strangers.pop_front() } else { None };
        drop(strangers);
        if let Some(oldest) = oldest {
            let most = self.most_strangers;
            tracing::warn!("more than {most} connections have not said hello; the oldest is closed");
            oldest.notify_one();
        }
        Stranger { room: Arc::clone(self), leave }
    }

    /// A place for a peer, if there is one.
    pub(super) fn welcome(&self) -> Option<Place> {
        let place = Arc::clone(&self.peers).try_acquire_owned().ok()?;
        Some(Place::Peer { _place: place })
    }
}

impl Stranger {
    /// Told when it must leave.
    pub(super) fn leave(&self) -> Arc<Notify> {
        Arc::clone(&self.leave)
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        lock(&self.room.strangers).retain(|other| !Arc::ptr_eq(other, &self.leave));
    }
}
