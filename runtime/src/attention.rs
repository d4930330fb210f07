//! What an agent should know before it acts again.

use crate::dispatch::{Core, lock};
use crate::events::Events;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex};

/// Something that an agent should know before it acts again: a quest has failed, a script has died.
///
/// ```
/// use ludwire::{Attention, Severity};
///
/// let report = Attention::new(Severity::Error, "The drawbridge fell on two orcs.")
///     .blocking()
///     .invalidates_state()
///     .caused_by("world/raise_bridge");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attention {
    severity: Severity,
    summary: String,
    blocking: bool,
    invalidates_state: bool,
    operation: Option<String>,
    cause: Option<String>,
}

/// How grave something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Something may go wrong.
    Warning,
    /// Something failed.
    Error,
    /// The game cannot go on as it is.
    Fatal,
}

impl Attention {
    /// `summary` says what happened and why it matters, in a sentence or two.
    pub fn new(severity: Severity, summary: impl Into<String>) -> Self {
        let summary = summary.into();
        Self { severity, summary, blocking: false, invalidates_state: false, operation: None, cause: None }
    }

    /// The agent is asked to call nothing more until this is cleared.
    pub fn blocking(self) -> Self {
        Self { blocking: true, ..self }
    }

    /// What the agent has learned of the game may no longer hold.
    pub fn invalidates_state(self) -> Self {
        Self { invalidates_state: true, ..self }
    }

    /// The method or tool that the agent had called when the trouble began.
    pub fn caused_by(self, method: impl Into<String>) -> Self {
        Self { cause: Some(method.into()), ..self }
    }

    /// The operation that led to it, by the game's own name for it.
    pub fn operation(self, id: impl Into<String>) -> Self {
        Self { operation: Some(id.into()), ..self }
    }
}

/// What agents are told of, from the first report of it until it is cleared. Those that subscribe to `attention/opened`,
/// `attention/updated` and `attention/cleared` get it as JSON with these members in `camelCase`, unless their
/// protocol has a form of its own for it, as GABP does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AttentionItem {
    /// What it is known by.
    pub id: String,
    /// Whether it waits to be dealt with; not any more once it is cleared.
    pub open: bool,
    /// The worst of its reports.
    pub severity: Severity,
    /// Whether agents are asked to call nothing more until it is cleared, by the latest report.
    pub blocking: bool,
    /// Whether what agents have learned of the game may no longer hold, by any report.
    pub invalidates_state: bool,
    /// What the latest report says.
    pub summary: String,
    /// The operation that led to it, by the game's own name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// The method or tool that the agent had called when the trouble began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The number of its first report, among all that the game has made.
    pub first: u64,
    /// The number of its latest report.
    pub latest: u64,
    /// How many reports there are of it.
    pub reports: u64,
    /// The latest of them, at most five, of which equal ones are one.
    pub recent: Vec<AttentionReport>,
}

/// One report of an [`AttentionItem`], or several that say the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AttentionReport {
    /// How grave it is.
    pub severity: Severity,
    /// What it says.
    pub summary: String,
    /// How often it was made.
    pub times: u64,
    /// Its number, the last time.
    pub latest: u64,
}

/// What the game reports to agents, from any thread. Nobody sees it unless
/// [`Builder::attention`](crate::Builder::attention) has turned it on.
///
/// Reports are numbered from 0 as they come. Several may be open; the current one is the oldest that
/// blocks, else the oldest. Of 16 open ones, another takes the place of the oldest.
#[derive(Clone)]
pub struct Attentions(pub(crate) Arc<Core>);

impl Attentions {
    /// Opens an item, and gives its id.
    pub fn publish(&self, report: Attention) -> String {
        self.0.attention.publish(report, &self.0.events)
    }

    /// Adds a report to an open item: its number, cause and severity are carried on, the worst of both,
    /// and what was invalid stays so. `false` when no item of that id is open.
    pub fn update(&self, id: &str, report: Attention) -> bool {
        self.0.attention.update(id, report, &self.0.events)
    }

    /// Clears an item, as an acknowledgement by an agent does. `false` when no item of that id is open.
    pub fn clear(&self, id: &str) -> bool {
        self.0.attention.clear(id, &self.0.events)
    }

    /// The item that agents are told of.
    pub fn current(&self) -> Option<AttentionItem> {
        self.0.attention.current()
    }
}

impl fmt::Debug for Attentions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Attentions").field("current", &self.current()).finish()
    }
}

/// The items that are open.
#[derive(Default)]
pub(crate) struct Board {
    on: bool,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Numbers reports.
    next: u64,
    open: VecDeque<AttentionItem>,
}

/// Items that may be open at one time.
const MOST_OPEN: usize = 16;
/// Reports that an item shows.
const MOST_SHOWN: usize = 5;
/// The channels on which items are told: a new one, another report of one, and the end of one.
pub(crate) const CHANNELS: [&str; 3] = [OPENED, UPDATED, CLEARED];
const OPENED: &str = "attention/opened";
const UPDATED: &str = "attention/updated";
const CLEARED: &str = "attention/cleared";

impl Board {
    pub(crate) fn turned_on() -> Self {
        Self { on: true, ..Self::default() }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// The channels that peers may subscribe to.
    pub(crate) fn channels(&self) -> impl Iterator<Item = &'static str> {
        let channels: &[&str] = if self.on { &CHANNELS } else { &[] };
        channels.iter().copied()
    }

    fn publish(&self, report: Attention, events: &Events) -> String {
        let mut inner = lock(&self.inner);
        if inner.open.len() == MOST_OPEN {
            let oldest = inner.open.iter().position(|item| !item.blocking).unwrap_or(0);
            self.close(&mut inner, oldest, events);
        }
        let number = inner.count();
        let id = format!("attention-{number}");
        let item = AttentionItem {
            id: id.clone(),
            open: true,
            severity: report.severity,
            blocking: report.blocking,
            invalidates_state: report.invalidates_state,
            recent: vec![AttentionReport::of(&report, number)],
            summary: report.summary,
            operation: report.operation,
            cause: report.cause,
            first: number,
            latest: number,
            reports: 1,
        };
        self.tell(OPENED, &item, events);
        inner.open.push_back(item);
        id
    }

    fn update(&self, id: &str, report: Attention, events: &Events) -> bool {
        let mut inner = lock(&self.inner);
        let Some(at) = inner.find(id) else { return false };
        let number = inner.count();
        let item = &mut inner.open[at];
        let new = AttentionReport::of(&report, number);
        item.severity = item.severity.max(report.severity);
        item.blocking = report.blocking;
        item.invalidates_state |= report.invalidates_state;
        item.summary = report.summary;
        item.operation = report.operation.or(item.operation.take());
        item.cause = report.cause.or(item.cause.take());
        item.latest = number;
        item.reports += 1;
        match item.recent.iter_mut().find(|old| old.summary == new.summary && old.severity == new.severity) {
            Some(old) => {
                old.times += 1;
                old.latest = number;
            }
            None => {
                if item.recent.len() == MOST_SHOWN {
                    item.recent.remove(0);
                }
                item.recent.push(new);
            }
        }
        self.tell(UPDATED, item, events);
        true
    }

    /// Whether an item of that id was open.
    pub(crate) fn clear(&self, id: &str, events: &Events) -> bool {
        let mut inner = lock(&self.inner);
        let found = inner.find(id);
        if let Some(at) = found {
            self.close(&mut inner, at, events);
        }
        found.is_some()
    }

    pub(crate) fn current(&self) -> Option<AttentionItem> {
        let inner = lock(&self.inner);
        inner.open.iter().find(|item| item.blocking).or(inner.open.front()).cloned()
    }

    fn close(&self, inner: &mut Inner, at: usize, events: &Events) {
        if let Some(mut item) = inner.open.remove(at) {
            item.open = false;
            self.tell(CLEARED, &item, events);
        }
    }

    /// Under the lock, so that events come in the order of what happened.
    fn tell(&self, channel: &str, item: &AttentionItem, events: &Events) {
        if self.on {
            events.tell(channel, item);
        }
    }
}

impl Inner {
    fn count(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn find(&self, id: &str) -> Option<usize> {
        self.open.iter().position(|item| item.id == id)
    }
}

impl AttentionReport {
    fn of(report: &Attention, number: u64) -> Self {
        Self { severity: report.severity, summary: report.summary.clone(), times: 1, latest: number }
    }
}

#[cfg(test)]
mod tests {
    use super::{Attention, Board, CHANNELS, Severity};
    use crate::events::Events;
    use serde_json::json;
    use std::sync::Arc;

    #[test]
    fn items_are_told_in_words_of_no_protocol() {
        let (board, events) = (Board::turned_on(), Events::default());
        let peer = events.subscriber(Arc::default());
        peer.subscribe(CHANNELS.map(str::to_owned));
        let id = board.publish(Attention::new(Severity::Error, "It burns.").caused_by("fire/light"), &events);
        assert!(board.update(&id, Attention::new(Severity::Info, "It rains.").blocking(), &events));
        let current = board.current().expect("it is open");
        assert!(board.clear(&id, &events) && board.current().is_none());
        events.hand_out_now();
        let told: Vec<_> = std::iter::from_fn(|| peer.next()).collect();
        let channels: Vec<&str> = told.iter().map(|event| &*event.channel).collect();
        assert_eq!(channels, CHANNELS);
        assert_eq!(
            told[1].payload(),
            &json!({
                "id": id,
                "open": true,
                "severity": "error",
                "blocking": true,
                "invalidatesState": false,
                "summary": "It rains.",
                "cause": "fire/light",
                "first": 0,
                "latest": 1,
                "reports": 2,
                "recent": [
                    { "severity": "error", "summary": "It burns.", "times": 1, "latest": 0 },
                    { "severity": "info", "summary": "It rains.", "times": 1, "latest": 1 },
                ],
            })
        );
        assert_eq!(serde_json::from_value(told[1].payload().clone()).ok(), Some(current));
        assert_eq!(told[2].payload()["open"], false);
    }
}
