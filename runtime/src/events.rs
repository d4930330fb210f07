//! Events on their way from the game to whoever subscribed.

use crate::dispatch::{Core, lock};
use crate::event;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use tokio::sync::Notify;

/// An event. Sequence numbers count from 0 in each channel.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) channel: Arc<str>,
    pub(crate) seq: u64,
    pub(crate) payload: Arc<Value>,
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
    queue: Mutex<VecDeque<Event>>,
    dropped: AtomicU64,
    pub(crate) wake: Arc<Notify>,
}

/// Events that wait for one peer.
const MOST_QUEUED: usize = 1024;

impl Core {
    /// Sends an event, or says in the log why it cannot be sent.
    pub(crate) fn emit<E: event::Event>(&self, event: &E) {
        let channel = E::CHANNEL;
        let payload = if self.registry.has_event(channel) {
            E::declaration().write(event)
        } else {
            Err("the host does not have it: `.tools(ludwire::registered())` gives it those of the program"
                .to_owned())
        };
        match payload {
            Ok(payload) => self.events.send(channel, Arc::new(payload)),
            Err(error) => tracing::error!(channel, error, "an event was not sent"),
        }
    }
}

impl Events {
    /// Sends what the host itself has to say.
    pub(crate) fn tell<T: Serialize>(&self, channel: &str, payload: &T) {
        match serde_json::to_value(payload) {
            Ok(payload) => self.send(channel, Arc::new(payload)),
            Err(error) => tracing::error!(channel, %error, "an event was not sent"),
        }
    }

    /// Never waits for a peer.
    fn send(&self, channel: &str, payload: Arc<Value>) {
        let mut inner = lock(&self.inner);
        let channel: Arc<str> = match inner.sequences.get_key_value(channel) {
            Some((known, _)) => Arc::clone(known),
            None => Arc::from(channel),
        };
        let next = inner.sequences.entry(Arc::clone(&channel)).or_insert(0);
        let event = Event { channel, seq: *next, payload };
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
    /// Subscribes to channels, which the host has: that is their bound.
    pub(crate) fn subscribe(&self, channels: impl IntoIterator<Item = String>) {
        lock(&self.channels).extend(channels);
    }

    /// Those of `channels` that were subscribed before.
    pub(crate) fn unsubscribe(&self, channels: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut own = lock(&self.channels);
        channels.into_iter().filter(|channel| own.remove(channel)).collect()
    }

    pub(crate) fn next(&self) -> Option<Event> {
        lock(&self.queue).pop_front()
    }

    fn push(&self, event: &Event) {
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
        queue.push_back(event.clone());
        self.wake.notify_one();
    }
}
