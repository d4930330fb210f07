//! The events that are kept for clients to fetch.

use crate::dispatch::lock;
use ludwire_protocols::aicontrol::{EventsEntry, NonNegativeInteger};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Mutex;

/// The latest events, numbered from 1. The oldest go when there are too many.
pub(super) struct History {
    most: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    kept: VecDeque<Kept>,
    /// What they have together, as JSON.
    bytes: usize,
    /// The number of the latest.
    latest: u64,
}

struct Kept {
    seq: u64,
    event: Map<String, Value>,
    /// Bytes as JSON.
    size: usize,
}

/// Bytes of an event as JSON.
pub(super) fn size(event: &Map<String, Value>) -> usize {
    let mut counted = Counted(0);
    serde_json::to_writer(&mut counted, event).map_or(0, |()| counted.0)
}

/// Bytes that were written, and are nowhere.
struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes of all events that are kept.
const MOST_BYTES: usize = 16 << 20;
/// Bytes that an event has in a page beside its own: a number of 20 digits, the names `seq` and `event`, and
/// what is between all these.
const AROUND: usize = 38;

impl History {
    /// Keeps so many.
    pub(super) fn new(most: usize) -> Self {
        Self { most, inner: Mutex::default() }
    }

    /// How many are kept.
    pub(super) fn len(&self) -> usize {
        lock(&self.inner).kept.len()
    }

    /// Keeps an event that has so many bytes as JSON.
    pub(super) fn push(&self, event: Map<String, Value>, size: usize) {
        let mut inner = lock(&self.inner);
        inner.latest += 1;
        inner.bytes += size;
        let seq = inner.latest;
        inner.kept.push_back(Kept { seq, event, size });
        while inner.kept.len() > self.most || (inner.bytes > MOST_BYTES && inner.kept.len() > 1) {
            let Some(oldest) = inner.kept.pop_front() else { break };
            inner.bytes -= oldest.size;
        }
    }

    /// The number of the latest event, and those after `after`, oldest first: `limit` at most, and no more
    /// than fit into `room` bytes, but one.
    pub(super) fn page(&self, after: i128, limit: usize, room: usize) -> (u64, Vec<EventsEntry>) {
        let inner = lock(&self.inner);
        let mut left = room;
        let page = inner
            .kept
            .iter()
            .skip_while(|kept| i128::from(kept.seq) <= after)
            .take(limit)
            .enumerate()
            .take_while(|(at, kept)| {
                let fits = left.checked_sub(kept.size + AROUND);
                left = fits.unwrap_or_default();
                *at == 0 || fits.is_some()
            })
            .map(|(_, kept)| EventsEntry::new(NonNegativeInteger::from(kept.seq), kept.event.clone()))
            .collect();
        (inner.latest, page)
    }
}

#[cfg(test)]
mod tests {
    use super::{History, size};
    use serde_json::{Map, Value};

    fn event(text: &str) -> Map<String, Value> {
        Map::from_iter([("type".to_owned(), Value::from(text))])
    }

    fn page(history: &History, after: i128, limit: usize, room: usize) -> String {
        let (latest, page) = history.page(after, limit, room);
        let numbers: Vec<String> = page.iter().map(|entry| entry.seq.to_string()).collect();
        format!("{latest}: {}", numbers.join(","))
    }

    #[test]
    fn pages_are_cut() {
        let history = History::new(4);
        assert_eq!(page(&history, 0, 10, 1000), "0: ");
        for number in 0..6 {
            let event = event(&number.to_string());
            let size = size(&event);
            history.push(event, size);
        }
        assert_eq!(page(&history, 0, 10, 1000), "6: 3,4,5,6", "the oldest have gone");
        assert_eq!(page(&history, -5, 10, 1000), "6: 3,4,5,6");
        assert_eq!(page(&history, 4, 10, 1000), "6: 5,6");
        assert_eq!(page(&history, 6, 10, 1000), "6: ");
        assert_eq!(page(&history, i128::MAX, 10, 1000), "6: ");
        assert_eq!(page(&history, 0, 2, 1000), "6: 3,4", "the lowest first");
        assert_eq!(page(&history, 0, 10, 110), "6: 3,4", "they fit into the line");
        assert_eq!(page(&history, 0, 10, 1), "6: 3", "a client gets on, whatever the size");
        assert_eq!(history.len(), 4);
    }
}
