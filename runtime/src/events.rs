//! Events on their way from the game to whoever subscribed.

use crate::dispatch::lock;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use tokio::sync::Notify;

/// An event. Sequence numbers count from 0 in each channel.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) channel: Arc<str>,
    pub(crate) seq: u64,
    pub(crate) payload: Arc<Value>,
    /// As a message, once somebody is to get it.
    encoded: OnceLock<Vec<u8>>,
}

impl Event {
    /// The event as a message, which is written once for all who get it.
    pub(crate) fn encoded(&self, encode: fn(&Self) -> Vec<u8>) -> &[u8] {
        self.encoded.get_or_init(|| encode(self))
    }
}

/// The channels, and who listens.
#[derive(Default)]
pub(crate) struct Events {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    sequences: HashMap<Arc<str>, u64>,
    subscribers: Vec<Weak<Subscriber>>,
}

/// One peer's events. The oldest is dropped when the peer reads too slowly: the gap shows in `seq`.
#[derive(Default)]
pub(crate) struct Subscriber {
    channels: Mutex<BTreeSet<String>>,
    queue: Mutex<VecDeque<Arc<Event>>>,
    dropped: AtomicU64,
    pub(crate) wake: Arc<Notify>,
}

/// Channels that one peer may subscribe to.
const MOST_CHANNELS: usize = 256;
/// Events that wait for one peer.
const MOST_QUEUED: usize = 1024;

impl Events {
    /// Sends an event. Never waits for a peer.
    pub(crate) fn emit<T: Serialize + ?Sized>(&self, channel: &str, payload: &T) {
        let payload = match serde_json::to_value(payload) {
            Ok(payload) => Arc::new(payload),
            Err(error) => {
                tracing::error!(channel, %error, "an event's payload is no JSON and was not sent");
                return;
            }
        };
        let mut inner = lock(&self.inner);
        let channel: Arc<str> = match inner.sequences.get_key_value(channel) {
            Some((known, _)) => Arc::clone(known),
            None => Arc::from(channel),
        };
        let next = inner.sequences.entry(Arc::clone(&channel)).or_insert(0);
        let event = Arc::new(Event { channel, seq: *next, payload, encoded: OnceLock::new() });
        *next += 1;
        inner.subscribers.retain(|subscriber| match subscriber.upgrade() {
            Some(subscriber) => {
                subscriber.push(&event);
                true
            }
            None => false,
        });
    }

    /// A new peer, without channels.
    pub(crate) fn subscriber(&self, wake: Arc<Notify>) -> Arc<Subscriber> {
        let subscriber = Arc::new(Subscriber { wake, ..Subscriber::default() });
        lock(&self.inner).subscribers.push(Arc::downgrade(&subscriber));
        subscriber
    }
}

impl Subscriber {
    /// Subscribes to all of `channels`, and gives them.
    ///
    /// # Errors
    ///
    /// When there would be too many: how many there may be.
    pub(crate) fn subscribe(&self, channels: impl IntoIterator<Item = String>) -> Result<Vec<String>, usize> {
        let channels: Vec<String> = channels.into_iter().collect();
        let mut own = lock(&self.channels);
        let new = channels.iter().filter(|channel| !own.contains(*channel)).count();
        if own.len() + new > MOST_CHANNELS {
            return Err(MOST_CHANNELS);
        }
        own.extend(channels.iter().cloned());
        Ok(channels)
    }

    /// Those of `channels` that were subscribed before.
    pub(crate) fn unsubscribe(&self, channels: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut own = lock(&self.channels);
        channels.into_iter().filter(|channel| own.remove(channel)).collect()
    }

    pub(crate) fn next(&self) -> Option<Arc<Event>> {
        lock(&self.queue).pop_front()
    }

    fn push(&self, event: &Arc<Event>) {
        if !lock(&self.channels).contains(&*event.channel) {
            return;
        }
        let mut queue = lock(&self.queue);
        if queue.len() == MOST_QUEUED {
            queue.pop_front();
            let dropped = self.dropped.fetch_add(1, Ordering::Relaxed) + 1;
            if dropped.is_power_of_two() {
                tracing::warn!(
                    dropped,
                    channel = &*event.channel,
                    "a peer reads too slowly, events are dropped"
                );
            }
        }
        queue.push_back(Arc::clone(event));
        self.wake.notify_one();
    }
}
