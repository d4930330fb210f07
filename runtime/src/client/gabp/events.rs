//! Events, for those who have subscribed to them.

use super::super::ClientError;
use super::super::waiting::Waiting;
use super::fresh_id;
use super::keeper::{Handle, State};
use crate::dispatch::lock;
use ludwire_protocols::gabp;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex};

/// Events that were subscribed to; given by [`Client::subscribe`](super::Client::subscribe).
///
/// Within a channel they come in order, each once. `seq` grows by one from each to the next; where it does
/// not, the game or this side had no more room for events that nobody took, or the game has begun anew.
pub struct Events {
    queue: Arc<Queue>,
    handle: Arc<Handle>,
    channels: Vec<String>,
}

/// Everybody who has subscribed.
pub(super) struct Subscriptions {
    queues: Mutex<Vec<Arc<Queue>>>,
    most: usize,
}

/// Events for one of them.
#[derive(Default)]
struct Queue {
    channels: BTreeSet<String>,
    events: Waiting<gabp::Event>,
}

impl Events {
    pub(super) fn new(handle: Arc<Handle>, channels: &[&str]) -> Self {
        let channels: BTreeSet<String> = channels.iter().map(|channel| (*channel).to_owned()).collect();
        let queue = Arc::new(Queue { channels, ..Queue::default() });
        lock(&handle.shared.events.queues).push(Arc::clone(&queue));
        Self { queue, handle, channels: Vec::new() }
    }

    pub(super) fn keep(&mut self, channels: Vec<String>) {
        self.channels = channels;
    }

    /// The channels that the game has of those that were asked for.
    pub fn channels(&self) -> &[String] {
        &self.channels
    }

    /// The next event; waits for one. Nothing is lost when the future is dropped.
    ///
    /// # Errors
    ///
    /// When there are no more, and the connection is over and not made again: why.
    pub async fn next(&mut self) -> Result<gabp::Event, ClientError> {
        let over = |state: &State| match state {
            State::Over(reason) => Some(reason.clone()),
            _ => None,
        };
        self.queue.events.next(self.handle.shared.state.subscribe(), over).await
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let shared = &self.handle.shared;
        let mut queues = lock(&shared.events.queues);
        queues.retain(|queue| !Arc::ptr_eq(queue, &self.queue));
        let is_wanted = |channel: &&String| queues.iter().any(|queue| queue.channels.contains(*channel));
        let unwanted = self.queue.channels.iter().filter(|channel| !is_wanted(channel));
        let names = unwanted.map(|channel| gabp::NonEmptyString::try_from(channel.as_str()));
        let names: Result<Vec<_>, _> = names.collect();
        let channels = names.and_then(gabp::EventsUnsubscribeParamsChannels::try_from);
        // Under the lock: a subscription that is made at this moment comes after it.
        if let (Ok(channels), Ok(id), State::Up(link)) = (channels, fresh_id(), &*shared.state.borrow()) {
            let request =
                gabp::EventsUnsubscribeRequest::new(id, gabp::EventsUnsubscribeParams::new(channels));
            if let Ok(body) = serde_json::to_vec(&request) {
                link.send(body);
            }
        }
    }
}

impl Subscriptions {
    /// For each of them, so many events may wait.
    pub(super) fn new(most: usize) -> Self {
        Self { queues: Mutex::default(), most }
    }

    /// All channels that somebody has subscribed to.
    pub(super) fn wanted(&self) -> BTreeSet<String> {
        lock(&self.queues).iter().flat_map(|queue| queue.channels.iter().cloned()).collect()
    }

    /// Hands an event to everybody who has subscribed to it. It waits for nobody.
    pub(super) fn publish(&self, event: gabp::Event) {
        for queue in lock(&self.queues).iter() {
            if queue.channels.contains(event.channel.as_str()) {
                queue.events.push(event.clone(), self.most);
            }
        }
    }
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Events").field("channels", &self.channels).finish_non_exhaustive()
    }
}
