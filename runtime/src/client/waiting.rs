//! Events that have come and that nobody has taken yet.

use super::ClientError;
use crate::dispatch::lock;
use std::collections::VecDeque;
use std::sync::Mutex;
use tokio::sync::{Notify, watch};

/// Those of one who takes them.
pub(super) struct Waiting<T> {
    events: Mutex<VecDeque<T>>,
    arrived: Notify,
}

impl<T> Default for Waiting<T> {
    fn default() -> Self {
        Self { events: Mutex::default(), arrived: Notify::new() }
    }
}

impl<T> Waiting<T> {
    /// Adds one, and waits for nobody: where there are `most` already, the oldest goes.
    pub(super) fn push(&self, event: T, most: usize) {
        let mut events = lock(&self.events);
        if events.len() >= most {
            events.pop_front();
        }
        events.push_back(event);
        drop(events);
        self.arrived.notify_one();
    }

    /// The next one; waits for it. Nothing is lost when the future is dropped.
    ///
    /// # Errors
    ///
    /// When there are no more, and by the state of the connection none will come: why.
    pub(super) async fn next<S>(
        &self,
        mut state: watch::Receiver<S>,
        over: impl Fn(&S) -> Option<ClientError>,
    ) -> Result<T, ClientError> {
        loop {
            // Before the queue is looked at: what comes afterwards is then not missed.
            let reason = over(&state.borrow_and_update());
            let next = lock(&self.events).pop_front();
            match (next, reason) {
                (Some(event), _) => return Ok(event),
                (None, Some(reason)) => return Err(reason),
                (None, None) => {}
            }
            tokio::select! {
                () = self.arrived.notified() => {}
                _ = state.changed() => {}
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        lock(&self.events).len()
    }
}

#[cfg(test)]
mod tests {
    use super::Waiting;
    use crate::client::ClientError;
    use tokio::sync::watch;

    #[tokio::test]
    async fn what_has_come_is_taken_before_the_end_and_the_oldest_goes() {
        let waiting = Waiting::default();
        let (state, seen) = watch::channel(None);
        (0..5).for_each(|event| waiting.push(event, 3));
        assert_eq!(waiting.len(), 3);
        let gone = ClientError::Disconnected("gone".to_owned());
        state.send_replace(Some(gone.clone()));
        for event in 2..5 {
            assert_eq!(waiting.next(seen.clone(), Clone::clone).await, Ok(event));
        }
        assert_eq!(waiting.next(seen, Clone::clone).await, Err(gone));
    }

    #[tokio::test]
    async fn whoever_waits_hears_of_an_event_and_of_the_end() {
        let waiting = Waiting::default();
        let (state, seen) = watch::channel(None);
        let (event, ()) =
            tokio::join!(waiting.next(seen.clone(), Clone::clone), async { waiting.push(7, 1) });
        assert_eq!(event, Ok(7));
        let gone = ClientError::Disconnected("gone".to_owned());
        let end = async { drop(state.send_replace(Some(gone.clone()))) };
        let (event, ()) = tokio::join!(waiting.next(seen, Clone::clone), end);
        assert_eq!(event, Err(gone));
    }
}
