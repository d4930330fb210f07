//! Events, for those who take them.

use super::super::ClientError;
use super::super::waiting::Waiting;
use super::Handle;
use crate::dispatch::lock;
use ludwire_protocols::aicc::Event;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The events of a session; given by [`Client::events`](super::Client::events).
pub struct Events {
    queue: Arc<Queue>,
    handle: Arc<Handle>,
}

/// Everybody who takes events.
pub(super) struct Takers {
    queues: Mutex<Queues>,
    most: usize,
}

struct Queues {
    all: Vec<Arc<Queue>>,
    /// What has come before anybody asked, for the first who does.
    first: Option<Arc<Queue>>,
}

/// Events for one of them.
type Queue = Waiting<Event>;

impl Events {
    pub(super) fn new(handle: Arc<Handle>) -> Self {
        Self { queue: handle.link.takers.queue(), handle }
    }

    /// The next event; waits for one. Nothing is lost when the future is dropped.
    ///
    /// # Errors
    ///
    /// When there are no more, and the connection is over: why.
    pub async fn next(&mut self) -> Result<Event, ClientError> {
        self.queue.next(self.handle.link.over(), Clone::clone).await
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        lock(&self.handle.link.takers.queues).all.retain(|queue| !Arc::ptr_eq(queue, &self.queue));
    }
}

impl Takers {
    /// For each of them, so many events may wait.
    pub(super) fn new(most: usize) -> Self {
        let first = Arc::<Queue>::default();
        Self { queues: Mutex::new(Queues { all: vec![Arc::clone(&first)], first: Some(first) }), most }
    }

    fn queue(&self) -> Arc<Queue> {
        let mut queues = lock(&self.queues);
        let Queues { all, first } = &mut *queues;
        first.take().unwrap_or_else(|| {
            let queue = Arc::<Queue>::default();
            all.push(Arc::clone(&queue));
            queue
        })
    }

    /// Hands an event to all of them. It waits for nobody.
    pub(super) fn publish(&self, event: &Event) {
        for queue in &lock(&self.queues).all {
            queue.push(event.clone(), self.most);
        }
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("waiting", &self.queue.len()).finish_non_exhaustive()
    }
}
