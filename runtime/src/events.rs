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
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, Weak};
use std::time::Duration;
use tokio::sync::Notify;

/// An event. Sequence numbers count from 0 in each channel.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) channel: Arc<str>,
    pub(crate) seq: u64,
    /// The payload as JSON text, which the game's thread has written.
    text: Box<[u8]>,
    /// The same, once somebody wants it so.
    payload: OnceLock<Value>,
    /// As a message of each protocol, once somebody is to get it.
    messages: Mutex<Vec<Message>>,
}

/// The protocol, and the event as its message.
type Message = (&'static str, Arc<[u8]>);

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

/// What has not been handed out.
#[derive(Default)]
struct Fresh {
    events: VecDeque<Laid>,
    /// The payloads of all of them, one after the other.
    texts: Vec<u8>,
    /// Events that could not be handed out in time.
    dropped: u64,
}

/// An event as the game's thread lays it down.
struct Laid {
    channel: Arc<Channel>,
    seq: u64,
    /// Bytes of its payload.
    length: usize,
}

#[derive(Default)]
struct HandingOut {
    subscribers: Vec<Weak<Subscriber>>,
    /// Nothing, and room for what comes: so that the game's thread need not make any.
    room: Fresh,
}

struct Channel {
    name: Arc<str>,
    /// The next number; of what is laid down, given under its lock.
    next: AtomicU64,
    subscribers: AtomicUsize,
    /// The host has an event of this channel; it does not lose it again.
    is_declared: AtomicBool,
}

thread_local! {
    /// Where a thread writes a payload before it lays it down.
    static WRITTEN: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
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
/// Bytes of their payloads, before the last of them.
const MOST_FRESH_BYTES: usize = 16 << 20;
/// Room that is kept for what comes, in events and in bytes.
const MOST_ROOM: usize = 16 * 1024;
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
        // The same room again: to get some is what takes long on a thread that has slept.
        let mut text = WRITTEN.try_with(Cell::take).unwrap_or_default();
        text.clear();
        let written = if self.has_event(&channel) {
            // What panics in here is the user's, and no reason for a frame to end.
            caught(E::CHANNEL, || E::declaration().write(event, &mut text).map_err(ToolError::failed))
        } else {
            let text =
                "the host does not have it: `.tools(ludwire::registered())` gives it those of the program";
            Err(ToolError::failed(text))
        };
        match written {
            Ok(()) => self.events.send(&channel, &text),
            Err(error) => tracing::error!(channel = E::CHANNEL, %error, "an event was not sent"),
        }
        text.shrink_to(MOST_ROOM);
        let _ = WRITTEN.try_with(|written| written.set(text));
    }

    fn has_event(&self, channel: &Channel) -> bool {
        if !channel.is_declared.load(Ordering::Relaxed) && self.registry.has_event(&channel.name) {
            channel.is_declared.store(true, Ordering::Relaxed);
        }
        channel.is_declared.load(Ordering::Relaxed)
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
            Ok(payload) => self.send(&self.channel(channel), &payload),
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
            let (next, subscribers) = (AtomicU64::new(0), AtomicUsize::new(0));
            Arc::new(Channel { name, next, subscribers, is_declared: AtomicBool::new(false) })
        });
        Arc::clone(channel)
    }

    /// Numbers an event, and lays it down where somebody listens to its channel.
    fn send(&self, channel: &Arc<Channel>, text: &[u8]) {
        let mut fresh = lock(&self.0.fresh);
        let seq = channel.next.fetch_add(1, Ordering::Relaxed);
        if !channel.is_heard() {
            return;
        }
        if fresh.events.len() == MOST_FRESH || fresh.texts.len() > MOST_FRESH_BYTES {
            fresh.drop_oldest();
        }
        fresh.texts.extend_from_slice(text);
        fresh.events.push_back(Laid { channel: Arc::clone(channel), seq, length: text.len() });
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
        room.take_from(&mut lock(&self.0.fresh));
        if room.events.is_empty() {
            return false;
        }
        let mut all = Vec::new();
        subscribers.retain(|subscriber| {
            all.extend(subscriber.upgrade());
            subscriber.strong_count() > 0
        });
        let events = room.taken();
        for subscriber in &all {
            subscriber.push(&events);
        }
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

impl Fresh {
    /// Drops the older half.
    fn drop_oldest(&mut self) {
        let before = self.dropped;
        let half = self.events.len().div_ceil(2);
        let bytes: usize = self.events.drain(..half).map(|laid| laid.length).sum();
        self.texts.drain(..bytes);
        self.dropped += half as u64;
        // Said when it begins, and each time that it is twice as many.
        if self.dropped.checked_ilog2() != before.checked_ilog2() {
            let dropped = self.dropped;
            tracing::warn!(dropped, "more events come than can be handed out, the oldest are dropped");
        }
    }

    /// Takes what is there, and leaves room for as much.
    fn take_from(&mut self, other: &mut Self) {
        mem::swap(&mut self.events, &mut other.events);
        mem::swap(&mut self.texts, &mut other.texts);
    }

    /// The events, which are here no longer.
    fn taken(&mut self) -> Vec<Arc<Event>> {
        let mut start = 0;
        let event = |Laid { channel, seq, length }| {
            let text = Box::from(&self.texts[start..start + length]);
            start += length;
            let (payload, messages) = (OnceLock::new(), Mutex::default());
            Arc::new(Event { channel: Arc::clone(&channel.name), seq, text, payload, messages })
        };
        let events = self.events.drain(..).map(event).collect();
        self.texts.clear();
        self.texts.shrink_to(MOST_ROOM);
        self.events.shrink_to(MOST_ROOM);
        events
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

    fn push(&self, events: &[Arc<Event>]) {
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
    use super::{Events, MOST_FRESH, MOST_FRESH_BYTES};
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
    fn what_waits_of_a_channel_goes_with_its_subscription() {
        let events = Events::default();
        let peer = events.subscriber(Arc::default());
        peer.subscribe(["a/b".to_owned(), "c/d".to_owned()]);
        for channel in ["a/b", "c/d", "a/b"] {
            events.send(&events.channel(channel), b"1");
        }
        events.hand_out_now();
        assert_eq!(peer.unsubscribe(["a/b".to_owned(), "e/f".to_owned()]), ["a/b"]);
        let left: Vec<_> = std::iter::from_fn(|| peer.next()).map(|event| event.channel.clone()).collect();
        assert_eq!(left, [Arc::from("c/d")]);
    }

    #[test]
    fn what_is_not_handed_out_has_a_bound_and_the_oldest_goes() {
        let events = Events::default();
        let peer = events.subscriber(Arc::default());
        peer.subscribe(["a/b".to_owned()]);
        let channel = events.channel("a/b");
        for number in 0..=MOST_FRESH {
            events.send(&channel, number.to_string().as_bytes());
        }
        assert!(lock(&events.0.fresh).events.len() <= MOST_FRESH);
        assert_eq!(lock(&events.0.fresh).dropped, MOST_FRESH as u64 / 2);
        events.send(&channel, &vec![b' '; MOST_FRESH_BYTES]);
        events.send(&channel, b"1");
        events.send(&channel, b"2");
        assert!(lock(&events.0.fresh).texts.len() <= 2 * MOST_FRESH_BYTES);
        events.hand_out_now();
        let last = std::iter::from_fn(|| peer.next()).last().expect("the latest are there");
        assert_eq!((last.seq, last.payload()), (MOST_FRESH as u64 + 3, &serde_json::json!(2)));
        let fresh = lock(&events.0.fresh);
        assert!(fresh.events.is_empty() && fresh.texts.is_empty());
    }

    #[test]
    fn an_event_is_written_once_for_each_protocol() {
        static WRITTEN: AtomicUsize = AtomicUsize::new(0);
        let events = Events::default();
        let peers: Vec<_> = (0..4).map(|_| events.subscriber(Arc::default())).collect();
        for peer in &peers {
            peer.subscribe(["a/b".to_owned()]);
        }
        events.send(&events.channel("a/b"), b"{\"x\":1}");
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
