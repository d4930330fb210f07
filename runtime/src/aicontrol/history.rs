//! The events that are kept for clients to fetch.

use crate::dispatch::lock;
use crate::schema::member;
use ludwire_protocols::aicontrol::{EventsEntry, NonNegativeInteger};
use serde_json::Map;
use std::collections::VecDeque;
use std::sync::Mutex;

/// The latest events, numbered from 1. The oldest go when there are too many.
pub(super) struct History {
    most: usize,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    kept: VecDeque<Kept>,
    /// What they have together.
    bytes: usize,
    /// The number of the latest.
    latest: u64,
}

/// An event with its number, as it stands in a page: written once for all who fetch it.
struct Kept {
    seq: u64,
    entry: String,
}

/// The entries of a page as text, with commas between them.
pub(super) type Entries = String;

/// Bytes of all events that are kept.
const MOST_BYTES: usize = 16 << 20;

impl History {
    /// Keeps so many.
    pub(super) fn new(most: usize) -> Self {
        Self { most, inner: Mutex::default() }
    }

    /// How many are kept.
    pub(super) fn len(&self) -> usize {
        lock(&self.inner).kept.len()
    }

    /// Keeps an event, which is JSON.
    ///
    /// # Errors
    ///
    /// The bytes that it has with its number, which are more than `largest`; then it is not kept.
    pub(super) fn push(&self, event: &str, largest: usize) -> Result<(), usize> {
        let mut inner = lock(&self.inner);
        let seq = inner.latest + 1;
        let around = EventsEntry::new(NonNegativeInteger::from(seq), Map::new());
        let around = serde_json::to_string(&around).expect("no rule spans the members of an entry");
        let place = member(&around, "event").expect("an entry has an event");
        let place = place.as_ptr().addr() - around.as_ptr().addr();
        let entry = [&around[..place], event, &around[place + "{}".len()..]].concat();
        if entry.len() > largest {
            return Err(entry.len());
        }
        inner.latest = seq;
        inner.bytes += entry.len();
        inner.kept.push_back(Kept { seq, entry });
        while inner.kept.len() > self.most || (inner.bytes > MOST_BYTES && inner.kept.len() > 1) {
            let Some(oldest) = inner.kept.pop_front() else { break };
            inner.bytes -= oldest.entry.len();
        }
        Ok(())
    }

    /// The number of the latest event, and those after `after`, oldest first: `limit` at most, and no more
    /// than fit into `room` bytes, but one.
    pub(super) fn page(&self, after: i128, limit: usize, room: usize) -> (u64, Entries) {
        let inner = lock(&self.inner);
        let mut page = Entries::new();
        let first = inner.kept.partition_point(|kept| i128::from(kept.seq) <= after);
        for Kept { entry, .. } in inner.kept.range(first..).take(limit) {
            if !page.is_empty() {
                if page.len() + 1 + entry.len() > room {
                    break;
                }
                page.push(',');
            }
            page.push_str(entry);
        }
        (inner.latest, page)
    }
}

#[cfg(test)]
mod tests {
    use super::History;
    use ludwire_protocols::aicontrol::EventsEntry;
    use serde_json::json;

    fn event(text: &str) -> String {
        json!({ "type": text }).to_string()
    }

    fn page(history: &History, after: i128, limit: usize, room: usize) -> String {
        let (latest, page) = history.page(after, limit, room);
        let page: Vec<EventsEntry> = serde_json::from_str(&format!("[{page}]")).expect("it is a list");
        let numbers: Vec<String> = page.iter().map(|entry| entry.seq.to_string()).collect();
        format!("{latest}: {}", numbers.join(","))
    }

    #[test]
    fn pages_are_cut() {
        let history = History::new(4);
        assert_eq!(page(&history, 0, 10, 1000), "0: ");
        for number in 0..6 {
            assert_eq!(history.push(&event(&number.to_string()), 30), Ok(()));
        }
        assert_eq!(history.push(&event("long"), 30), Err(33), "it is not kept");
        assert_eq!(page(&history, 0, 10, 1000), "6: 3,4,5,6", "the oldest have gone");
        assert_eq!(page(&history, -5, 10, 1000), "6: 3,4,5,6");
        assert_eq!(page(&history, 4, 10, 1000), "6: 5,6");
        assert_eq!(page(&history, 6, 10, 1000), "6: ");
        assert_eq!(page(&history, i128::MAX, 10, 1000), "6: ");
        assert_eq!(page(&history, 0, 2, 1000), "6: 3,4", "the lowest first");
        assert_eq!(page(&history, 0, 10, 61), "6: 3,4", "they fit into the line");
        assert_eq!(page(&history, 0, 10, 60), "6: 3");
        assert_eq!(page(&history, 0, 10, 1), "6: 3", "a client gets on, whatever the size");
        assert_eq!(history.len(), 4);
    }
}
