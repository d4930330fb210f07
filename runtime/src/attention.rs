//! What an agent should know before it acts again.

use crate::dispatch::{Core, lock};
use crate::events::Events;
use ludwire_protocols::gabp::{
    self, AttentionChannel, AttentionId, AttentionItem, AttentionSample, AttentionState, NonEmptyString,
};
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
/// The channels on which items are told.
const CHANNELS: [AttentionChannel; 3] = [
    AttentionChannel::AttentionOpened,
    AttentionChannel::AttentionUpdated,
    AttentionChannel::AttentionCleared,
];

impl Board {
    pub(crate) fn turned_on() -> Self {
        Self { on: true, ..Self::default() }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// The channels that peers may subscribe to.
    pub(crate) fn channels(&self) -> impl Iterator<Item = &'static str> {
        let channels: &[AttentionChannel] = if self.on { &CHANNELS } else { &[] };
        channels.iter().map(|channel| channel.as_str())
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
            attention_id: AttentionId::try_from(id.as_str()).expect("it is not empty"),
            state: AttentionState::Open,
            severity: report.severity.into(),
            blocking: report.blocking,
            state_invalidated: report.invalidates_state,
            summary: text(&report.summary),
            causal_operation_id: report.operation.as_deref().map(text),
            causal_method: report.cause.as_deref().map(text),
            opened_at_sequence: number.into(),
            latest_sequence: number.into(),
            diagnostics_cursor: None,
            total_urgent_entries: 1u64.into(),
            sample: Some(vec![sample(&report, number)]),
        };
        self.tell(AttentionChannel::AttentionOpened, &item, events);
        inner.open.push_back(item);
        id
    }

    fn update(&self, id: &str, report: Attention, events: &Events) -> bool {
        let mut inner = lock(&self.inner);
        let Some(at) = inner.find(id) else { return false };
        let number = inner.count();
        let item = &mut inner.open[at];
        if rank(item.severity) < report.severity {
            item.severity = report.severity.into();
        }
        item.blocking = report.blocking;
        item.state_invalidated |= report.invalidates_state;
        item.summary = text(&report.summary);
        item.causal_operation_id = report.operation.as_deref().map(text).or(item.causal_operation_id.take());
        item.causal_method = report.cause.as_deref().map(text).or(item.causal_method.take());
        item.latest_sequence = number.into();
        item.total_urgent_entries =
            item.total_urgent_entries.as_u64().unwrap_or(u64::MAX).saturating_add(1).into();
        let shown = item.sample.get_or_insert_default();
        let new = sample(&report, number);
        match shown.iter_mut().find(|old| old.message == new.message && old.level == new.level) {
            Some(old) => {
                let repeats = old.repeat_count.as_u64().unwrap_or(u64::MAX).saturating_add(1);
                old.repeat_count = repeats.try_into().expect("it is at least 1");
                old.latest_sequence = number.into();
            }
            None => {
                if shown.len() == MOST_SHOWN {
                    shown.remove(0);
                }
                shown.push(new);
            }
        }
        self.tell(AttentionChannel::AttentionUpdated, item, events);
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
            item.state = AttentionState::Cleared;
            self.tell(AttentionChannel::AttentionCleared, &item, events);
        }
    }

    /// Under the lock, so that events come in the order of what happened.
    fn tell(&self, channel: AttentionChannel, item: &AttentionItem, events: &Events) {
        if self.on {
            events.tell(channel.as_str(), item);
        }
    }
}

impl Inner {
    fn count(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    fn find(&self, id: &str) -> Option<usize> {
        self.open.iter().position(|item| item.attention_id.as_str() == id)
    }
}

impl From<Severity> for gabp::AttentionSeverity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Info => Self::Info,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
            Severity::Fatal => Self::Fatal,
        }
    }
}

fn rank(severity: gabp::AttentionSeverity) -> Severity {
    match severity {
        gabp::AttentionSeverity::Info => Severity::Info,
        gabp::AttentionSeverity::Warning => Severity::Warning,
        gabp::AttentionSeverity::Error => Severity::Error,
        gabp::AttentionSeverity::Fatal => Severity::Fatal,
    }
}

fn sample(report: &Attention, number: u64) -> AttentionSample {
    AttentionSample {
        level: report.severity.into(),
        message: text(&report.summary),
        repeat_count: 1u64.try_into().expect("it is at least 1"),
        latest_sequence: number.into(),
    }
}

/// No text of an item may be empty.
fn text(text: &str) -> NonEmptyString {
    NonEmptyString::try_from(text)
        .unwrap_or_else(|_| NonEmptyString::try_from("nothing was said").expect("it is not empty"))
}
