//! Events on their way from the game to whoever subscribed.
//!
//! The game's thread numbers an event and lays it down; a task of the runtime hands it to each
//! subscriber, and the first connection that writes it makes a message of it for all.

use crate::dispatch::{Core, lock};
use crate::error::ToolError;
use crate::event;
use crate::running::caught;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;
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
#[derive(Clone, Default)]
pub(crate) struct Events(Arc<Shared>);

#[derive(Default)]
struct Shared {
    inner: Mutex<Inner>,
    subscribers: Mutex<Vec<Weak<Subscriber>>>,
    /// There is somebody to hand out to.
    subscribed: Notify,
}

#[derive(Default)]
struct Inner {
    channels: HashMap<Arc<str>, Channel>,
    /// What has not been handed out.
    fresh: VecDeque<Arc<Event>>,
    /// Events that could not be handed out in time.
    dropped: u64,
    /// Subscriptions to all channels.
    subscriptions: usize,
}

#[derive(Default)]
struct Channel {
    /// The next number.
    next: u64,
    subscribers: usize,
}

/// One peer's events. The oldest is dropped when the peer reads too slowly: the gap shows in `seq`.
pub(crate) struct Subscriber {
    events: Events,
    channels: Mutex<BTreeSet<String>>,
    queue: Mutex<VecDeque<Arc<Event>>>,
    dropped: AtomicU64,
    wake: Arc<Notify>,
}

/// Events that wait for one peer.
const MOST_QUEUED: usize = 1024;
/// Events that wait to be handed out.
const MOST_FRESH: usize = 8192;
/// How often events are handed out while some come. To wake a thread takes the game's thread ten times
/// as long as all else about an event, so whoever hands out looks by itself.
const PACE: Duration = Duration::from_millis(1);
/// How often it looks after a pause: as often as a game has frames. Where nobody has subscribed, never.
const LAZY_PACE: Duration = Duration::from_millis(16);
/// A pause is so many paces without an event.
const PAUSE: u32 = 500;

impl Core {
    /// Sends an event, or says in the log why it cannot be sent.
    pub(crate) fn emit<E: event::Event>(&self, event: &E) {
        let channel = E::CHANNEL;
        // Writing costs the game time. While it is made, what is wrong with a payload is told all the same.
        if !cfg!(debug_assertions) && !self.events.is_heard(channel) {
            self.events.send(channel, None);
            return;
        }
        let payload = if self.registry.has_event(channel) {
            // What panics in here is the user's, and no reason for a frame to end.
            caught(channel, || E::declaration().write(event).map_err(ToolError::failed))
        } else {
            let text =
                "the host does not have it: `.tools(ludwire::registered())` gives it those of the program";
            Err(ToolError::failed(text))
        };
        match payload {
            Ok(payload) => self.events.send(channel, Some(Arc::new(payload))),
            Err(error) => tracing::error!(channel, %error, "an event was not sent"),
        }
    }
}

impl Events {
    /// Sends what the host itself has to say.
    pub(crate) fn tell<T: Serialize>(&self, channel: &str, payload: &T) {
        match serde_json::to_value(payload) {
            Ok(payload) => self.send(channel, Some(Arc::new(payload))),
            Err(error) => tracing::error!(channel, %error, "an event was not sent"),
        }
    }

    /// Whether somebody has subscribed to a channel.
    fn is_heard(&self, channel: &str) -> bool {
        lock(&self.0.inner).channels.get(channel).is_some_and(|state| state.subscribers > 0)
    }

    /// Numbers an event, and lays it down where somebody listens to its channel.
    fn send(&self, channel: &str, payload: Option<Arc<Value>>) {
        let mut inner = lock(&self.0.inner);
        let Inner { channels, fresh, dropped, .. } = &mut *inner;
        let (name, state) = match channels.get_key_value(channel) {
            Some((name, _)) => {
                let name = Arc::clone(name);
                let state = channels.get_mut(channel).expect("it was there a moment ago");
                (name, state)
            }
            None => {
                let name: Arc<str> = Arc::from(channel);
                (Arc::clone(&name), channels.entry(name).or_default())
            }
        };
        let seq = state.next;
        state.next += 1;
        let Some(payload) = payload.filter(|_| state.subscribers > 0) else { return };
        if fresh.len() == MOST_FRESH {
            fresh.pop_front();
            *dropped += 1;
            if dropped.is_power_of_two() {
                tracing::warn!(dropped, "more events come than can be handed out, the oldest are dropped");
            }
        }
        fresh.push_back(Arc::new(Event { channel: name, seq, payload, encoded: OnceLock::new() }));
    }

    /// Hands out what comes, for ever.
    pub(crate) async fn hand_out(self) {
        let mut idle = 0;
        loop {
            idle = if self.hand_out_now() { 0 } else { idle + 1 };
            if lock(&self.0.inner).subscriptions == 0 {
                self.0.subscribed.notified().await;
                idle = 0;
            }
            tokio::time::sleep(if idle < PAUSE { PACE } else { LAZY_PACE }).await;
        }
    }

    /// Hands out what has come; whether something has.
    pub(crate) fn hand_out_now(&self) -> bool {
        // One at a time, so that events stay in their order.
        let mut subscribers = lock(&self.0.subscribers);
        let fresh = std::mem::take(&mut lock(&self.0.inner).fresh);
        if fresh.is_empty() {
            return false;
        }
        let mut all = Vec::new();
        subscribers.retain(|subscriber| {
            all.extend(subscriber.upgrade());
            subscriber.strong_count() > 0
        });
        for subscriber in &all {
            subscriber.push(&fresh);
        }
        // The last of a subscriber goes when nothing here is locked.
        drop(subscribers);
        true
    }

    /// A new peer, without channels.
    pub(crate) fn subscriber(&self, wake: Arc<Notify>) -> Arc<Subscriber> {
        let subscriber = Arc::new(Subscriber {
            events: self.clone(),
            channels: Mutex::default(),
            queue: Mutex::default(),
            dropped: AtomicU64::new(0),
            wake,
        });
        let mut all = lock(&self.0.subscribers);
        // Peers come and go where no event ever does.
        all.retain(|other| other.strong_count() > 0);
        all.push(Arc::downgrade(&subscriber));
        drop(all);
        subscriber
    }

    fn count(&self, channel: &str, one_more: bool) {
        let mut inner = lock(&self.0.inner);
        if one_more {
            inner.channels.entry(Arc::from(channel)).or_default().subscribers += 1;
            inner.subscriptions += 1;
            self.0.subscribed.notify_one();
        } else if let Some(state) = inner.channels.get_mut(channel) {
            state.subscribers -= 1;
            inner.subscriptions -= 1;
        }
    }
}

impl Subscriber {
    /// Subscribes to channels, which the host has: that is their bound.
    pub(crate) fn subscribe(&self, channels: impl IntoIterator<Item = String>) {
        let mut own = lock(&self.channels);
        for channel in channels {
            if !own.contains(&channel) {
                self.events.count(&channel, true);
                own.insert(channel);
            }
        }
    }

    /// Those of `channels` that were subscribed before. What waits of them is not sent any more.
    pub(crate) fn unsubscribe(&self, channels: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut own = lock(&self.channels);
        let gone: Vec<String> = channels.into_iter().filter(|channel| own.remove(channel)).collect();
        gone.iter().for_each(|channel| self.events.count(channel, false));
        lock(&self.queue).retain(|event| own.contains(&*event.channel));
        gone
    }

    pub(crate) fn next(&self) -> Option<Arc<Event>> {
        lock(&self.queue).pop_front()
    }

    fn push(&self, events: &VecDeque<Arc<Event>>) {
        let own = lock(&self.channels);
        let mut queue = lock(&self.queue);
        let before = self.dropped.load(Ordering::Relaxed);
        let mut dropped = before;
        for event in events.iter().filter(|event| own.contains(&*event.channel)) {
            if queue.len() == MOST_QUEUED {
                queue.pop_front();
                dropped += 1;
            }
            queue.push_back(Arc::clone(event));
        }
        drop((own, queue));
        self.dropped.store(dropped, Ordering::Relaxed);
        // Said when it begins, and each time that it is twice as much.
        if dropped.checked_ilog2() != before.checked_ilog2() {
            tracing::warn!(dropped, "a peer reads too slowly, events are dropped");
        }
        self.wake.notify_one();
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        for channel in lock(&self.channels).iter() {
            self.events.count(channel, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Events;
    use crate::dispatch::lock;
    use std::sync::Arc;

    #[test]
    fn of_peers_that_have_gone_nothing_is_kept() {
        let events = Events::default();
        let stays = events.subscriber(Arc::default());
        for _ in 0..100 {
            drop(events.subscriber(Arc::default()));
        }
        assert!(lock(&events.0.subscribers).len() <= 2, "no event was sent meanwhile");
        drop(stays);
    }
}
