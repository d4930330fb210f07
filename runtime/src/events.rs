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
use std::mem;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::sync::Notify;

/// An event. Sequence numbers count from 0 in each channel.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) channel: Arc<str>,
    pub(crate) seq: u64,
    /// The payload as JSON text, which the game's thread has written.
    text: Vec<u8>,
    /// The same, once somebody wants it so.
    payload: OnceLock<Value>,
    /// As a message of each protocol, once somebody is to get it.
    messages: Mutex<Vec<(&'static str, Arc<[u8]>)>>,
}

impl Event {
    /// The payload, which is read once for all who want it so.
    pub(crate) fn payload(&self) -> &Value {
        self.payload.get_or_init(|| serde_json::from_slice(&self.text).expect("it was written as JSON"))
    }

    /// The event as a message of a protocol, which is written once for all who get it.
    pub(crate) fn encoded(&self, protocol: &'static str, encode: fn(&Self) -> Vec<u8>) -> Arc<[u8]> {
        let mut messages = lock(&self.messages);
        if let Some((_, message)) = messages.iter().find(|(of, _)| *of == protocol) {
            return Arc::clone(message);
        }
        let message = Arc::from(encode(self));
        messages.push((protocol, Arc::clone(&message)));
        message
    }
}

/// The channels, and who listens.
#[derive(Clone, Default)]
pub(crate) struct Events(Arc<Shared>);

#[derive(Default)]
struct Shared {
    channels: RwLock<HashMap<Arc<str>, Arc<Channel>>>,
    fresh: Mutex<Fresh>,
    handing_out: Mutex<HandingOut>,
    /// Subscriptions to all channels.
    subscriptions: AtomicUsize,
    /// There is somebody to hand out to.
    subscribed: Notify,
}

#[derive(Default)]
struct Fresh {
    /// What has not been handed out.
    events: VecDeque<Arc<Event>>,
    /// Events that could not be handed out in time.
    dropped: u64,
}

#[derive(Default)]
struct HandingOut {
    subscribers: Vec<Weak<Subscriber>>,
    /// Nothing, and room for what comes: so that the game's thread need not make any.
    room: VecDeque<Arc<Event>>,
}

struct Channel {
    name: Arc<str>,
    /// The next number; of what is laid down, given under its lock.
    next: AtomicU64,
    subscribers: AtomicUsize,
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
/// Room that is kept for them.
const MOST_ROOM: usize = 256;
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
        let channel = self.events.channel(E::CHANNEL);
        // Writing costs the game time. While it is made, what is wrong with a payload is told all the same.
        if !cfg!(debug_assertions) && !channel.is_heard() {
            channel.next.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let payload = if self.registry.has_event(E::CHANNEL) {
            // What panics in here is the user's, and no reason for a frame to end.
            caught(E::CHANNEL, || E::declaration().write(event).map_err(ToolError::failed))
        } else {
            let text =
                "the host does not have it: `.tools(ludwire::registered())` gives it those of the program";
            Err(ToolError::failed(text))
        };
        match payload {
            Ok(payload) => self.events.send(&channel, payload),
            Err(error) => tracing::error!(channel = E::CHANNEL, %error, "an event was not sent"),
        }
    }
}

impl Channel {
    /// Whether somebody has subscribed.
    fn is_heard(&self) -> bool {
        self.subscribers.load(Ordering::Relaxed) > 0
    }
}

impl Events {
    /// Sends what the host itself has to say.
    pub(crate) fn tell<T: Serialize>(&self, channel: &str, payload: &T) {
        match serde_json::to_vec(payload) {
            Ok(payload) => self.send(&self.channel(channel), payload),
            Err(error) => tracing::error!(channel, %error, "an event was not sent"),
        }
    }

    /// A channel, which is there from the first time on that somebody asks for it.
    fn channel(&self, name: &str) -> Arc<Channel> {
        let channels = self.0.channels.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(channel) = channels.get(name) {
            return Arc::clone(channel);
        }
        drop(channels);
        let mut channels = self.0.channels.write().unwrap_or_else(PoisonError::into_inner);
        let name: Arc<str> = Arc::from(name);
        let channel = channels.entry(Arc::clone(&name)).or_insert_with(|| {
            Arc::new(Channel { name, next: AtomicU64::new(0), subscribers: AtomicUsize::new(0) })
        });
        Arc::clone(channel)
    }

    /// Numbers an event, and lays it down where somebody listens to its channel.
    fn send(&self, channel: &Channel, text: Vec<u8>) {
        let mut fresh = lock(&self.0.fresh);
        let seq = channel.next.fetch_add(1, Ordering::Relaxed);
        if !channel.is_heard() {
            return;
        }
        if fresh.events.len() == MOST_FRESH {
            fresh.events.pop_front();
            fresh.dropped += 1;
            if fresh.dropped.is_power_of_two() {
                let dropped = fresh.dropped;
                tracing::warn!(dropped, "more events come than can be handed out, the oldest are dropped");
            }
        }
        let name = Arc::clone(&channel.name);
        let (payload, messages) = (OnceLock::new(), Mutex::default());
        fresh.events.push_back(Arc::new(Event { channel: name, seq, text, payload, messages }));
    }

    /// Hands out what comes, for ever.
    pub(crate) async fn hand_out(self) {
        let mut idle = 0;
        loop {
            idle = if self.hand_out_now() { 0 } else { idle + 1 };
            if self.0.subscriptions.load(Ordering::Acquire) == 0 {
                self.0.subscribed.notified().await;
                idle = 0;
            }
            tokio::time::sleep(if idle < PAUSE { PACE } else { LAZY_PACE }).await;
        }
    }

    /// Hands out what has come; whether something has.
    pub(crate) fn hand_out_now(&self) -> bool {
        // One at a time, so that events stay in their order.
        let mut handing_out = lock(&self.0.handing_out);
        let HandingOut { subscribers, room } = &mut *handing_out;
        mem::swap(&mut lock(&self.0.fresh).events, room);
        if room.is_empty() {
            return false;
        }
        let mut all = Vec::new();
        subscribers.retain(|subscriber| {
            all.extend(subscriber.upgrade());
            subscriber.strong_count() > 0
        });
        for subscriber in &all {
            subscriber.push(room);
        }
        room.clear();
        room.shrink_to(MOST_ROOM);
        // The last of a subscriber goes when nothing here is locked.
        drop(handing_out);
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
        let mut handing_out = lock(&self.0.handing_out);
        // Peers come and go where no event ever does.
        handing_out.subscribers.retain(|other| other.strong_count() > 0);
        handing_out.subscribers.push(Arc::downgrade(&subscriber));
        drop(handing_out);
        subscriber
    }

    fn count(&self, channel: &str, one_more: bool) {
        let channel = self.channel(channel);
        if one_more {
            channel.subscribers.fetch_add(1, Ordering::Relaxed);
            self.0.subscriptions.fetch_add(1, Ordering::Release);
            self.0.subscribed.notify_one();
        } else {
            channel.subscribers.fetch_sub(1, Ordering::Relaxed);
            self.0.subscriptions.fetch_sub(1, Ordering::Release);
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
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn of_peers_that_have_gone_nothing_is_kept() {
        let events = Events::default();
        let stays = events.subscriber(Arc::default());
        for _ in 0..100 {
            drop(events.subscriber(Arc::default()));
        }
        assert!(lock(&events.0.handing_out).subscribers.len() <= 2, "no event was sent meanwhile");
        drop(stays);
    }

    #[test]
    fn an_event_is_written_once_for_each_protocol() {
        static WRITTEN: AtomicUsize = AtomicUsize::new(0);
        let events = Events::default();
        let peers: Vec<_> = (0..4).map(|_| events.subscriber(Arc::default())).collect();
        for peer in &peers {
            peer.subscribe(["a/b".to_owned()]);
        }
        events.send(&events.channel("a/b"), b"{\"x\":1}".to_vec());
        assert!(events.hand_out_now() && !events.hand_out_now());
        for (number, peer) in peers.iter().enumerate() {
            let event = peer.next().expect("each gets it");
            let protocol = ["one", "other"][number % 2];
            let message = event.encoded(protocol, |event| {
                let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
                format!("{count} {} {}", event.seq, event.payload()).into_bytes()
            });
            assert_eq!(&*message, format!("{} 0 {{\"x\":1}}", number % 2).as_bytes());
        }
        assert_eq!(WRITTEN.load(Ordering::Relaxed), 2);
    }
}
