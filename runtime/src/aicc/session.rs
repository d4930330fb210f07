//! One session: what waits for its agent, and the calls that run, whichever connection it has.

use super::events;
use super::habits::Habits;
use super::settings::{Settings, Wishes};
use super::writing::Desk;
use crate::call::Caller;
use crate::dispatch::{Core, lock};
use crate::events::Subscriber;
use crate::quick::Out;
use crate::task::Bell;
use crate::tool::Class;
use crate::usage::Usage;
use ludwire_protocols::aicc::{AgentModel, EventTopic, ModelClass};
use ludwire_protocols::support::Uuid;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio_tungstenite::tungstenite::Utf8Bytes;

pub(super) struct Session {
    pub(super) id: Uuid,
    pub(super) caller: Caller,
    pub(super) subscriber: Arc<Subscriber>,
    /// Something is there to be written. Whoever writes for the connection that has the session waits.
    pub(super) wake: Arc<Notify>,
    /// Of the connection that has the session.
    desk: Mutex<Arc<Desk>>,
    /// What it has called.
    pub(super) usage: Usage,
    /// It is over, and nobody waits for its calls.
    pub(super) gone: Arc<AtomicBool>,
    /// What waited has been written, or a call has ended.
    eased: Bell,
    state: Mutex<State>,
}

struct State {
    model: AgentModel,
    topics: BTreeSet<EventTopic>,
    holder: Option<Holder>,
    /// Counts holders, so that a session that was left is not taken for one that was left again.
    times_left: u64,
    left_at: Instant,
    outbox: VecDeque<Waiting>,
    /// Messages that were ever laid down.
    laid: u64,
    /// Bytes of what waits.
    bytes: usize,
    /// Results among it.
    results: usize,
    /// It has had a call.
    is_used: bool,
    /// Calls that run, by id; how to end them, once that is known.
    open: HashMap<String, Option<AbortHandle>>,
    habits: Habits,
    is_over: bool,
}

/// The connection that has the session.
struct Holder {
    number: u64,
    /// Told when another connection has it.
    leave: Arc<Notify>,
}

/// A message that has not been written.
struct Waiting {
    /// Which one it is, from 1.
    at: u64,
    text: Utf8Bytes,
    is_result: bool,
}

/// Why no further call is taken.
pub(super) enum Refusal {
    /// A call of that id runs.
    IsOpen,
    /// So many run, or have results that nobody has read.
    TooMany,
}

/// No message is read of an agent for which so many bytes wait.
const MOST_BYTES: usize = 4 << 20;
/// Bytes of results that wait for whoever resumes a session. Beyond them a large one becomes a failure that says
/// so.
const MOST_LEFT: usize = 16 << 20;
/// A result of so many bytes is kept in any case.
const SMALL: usize = 4096;
/// Small messages go out together, up to so many bytes.
pub(super) const TOGETHER: usize = 32 * 1024;

impl Session {
    pub(super) fn new(id: Uuid, core: &Core, settings: &Settings, wishes: Wishes) -> Self {
        let wake = Arc::<Notify>::default();
        let session = Self {
            id,
            caller: Caller::Peer { protocol: "aicc", connection: core.connection_number() },
            subscriber: core.events.subscriber(Arc::clone(&wake)),
            wake,
            desk: Mutex::default(),
            usage: Usage::default(),
            gone: Arc::default(),
            eased: Bell::default(),
            state: Mutex::new(State {
                model: settings.model.clone(),
                topics: settings.topics.clone(),
                holder: None,
                times_left: 0,
                left_at: Instant::now(),
                outbox: VecDeque::new(),
                laid: 0,
                bytes: 0,
                results: 0,
                is_used: false,
                open: HashMap::new(),
                habits: Habits::default(),
                is_over: false,
            }),
        };
        session.wish(wishes);
        session
    }

    /// What its agent is, and what it wants to hear of.
    pub(super) fn terms(&self) -> (AgentModel, BTreeSet<EventTopic>) {
        let state = lock(&self.state);
        (state.model.clone(), state.topics.clone())
    }

    /// What a connection says of its agent holds from now on; what it does not say stays.
    pub(super) fn wish(&self, wishes: Wishes) {
        let mut state = lock(&self.state);
        if let Some(class) = wishes.model {
            state.model.class = class;
        }
        if let Some(topics) = wishes.topics {
            state.topics = topics;
        }
    }

    /// Hears of what it wants to hear of, from the channels that the host has now.
    pub(super) fn listen(&self, core: &Core) {
        let (_, topics) = self.terms();
        self.subscriber.unsubscribe(core.channels().into_iter().filter(|channel| {
            // A connection that has resumed it may want less.
            !topics.contains(&super::events::topic(channel))
        }));
        self.subscriber.subscribe(events::channels(core, &topics));
    }

    /// From now on this connection has it, and no other. What is given is told when that ends.
    pub(super) fn hold(&self, number: u64) -> Arc<Notify> {
        let leave = Arc::<Notify>::default();
        let mut state = lock(&self.state);
        let former = state.holder.replace(Holder { number, leave: Arc::clone(&leave) });
        if former.as_ref().is_none_or(|former| former.number != number) {
            // What the other connection was told beside results is no business of this one.
            state.outbox.retain(|waiting| waiting.is_result);
            state.bytes = state.outbox.iter().map(|waiting| waiting.text.len()).sum();
        }
        drop(state);
        if let Some(former) = former {
            former.leave.notify_one();
        }
        self.eased.ring();
        leave
    }

    /// Whether this connection has it.
    pub(super) fn is_held_by(&self, number: u64) -> bool {
        lock(&self.state).holder.as_ref().is_some_and(|holder| holder.number == number)
    }

    /// The connection has gone. Gives which time that is; `None` when another one has it.
    pub(super) fn let_go(&self, number: u64) -> Option<u64> {
        let mut state = lock(&self.state);
        state.holder.take_if(|holder| holder.number == number)?;
        state.times_left += 1;
        state.left_at = Instant::now();
        Some(state.times_left)
    }

    /// Since when no connection has it.
    pub(super) fn left_at(&self) -> Option<Instant> {
        let state = lock(&self.state);
        state.holder.is_none().then_some(state.left_at)
    }

    /// Whether it has been left this often, and is.
    pub(super) fn is_left(&self, times: u64) -> bool {
        let state = lock(&self.state);
        state.holder.is_none() && state.times_left == times
    }

    /// Whether somebody may want it back: it has had a call, or another connection.
    pub(super) fn is_used(&self) -> bool {
        let state = lock(&self.state);
        state.is_used || state.times_left > 0
    }

    /// Whether it has had a call.
    pub(super) fn has_called(&self) -> bool {
        lock(&self.state).is_used
    }

    /// Nothing more comes of it: its calls are cancelled.
    pub(super) fn end(&self) {
        let mut state = lock(&self.state);
        state.is_over = true;
        self.gone.store(true, Ordering::Relaxed);
        let open = std::mem::take(&mut state.open);
        state.outbox.clear();
        (state.bytes, state.results) = (0, 0);
        drop(state);
        open.into_values().flatten().for_each(|call| call.abort());
    }

    /// From now on answers go out over this.
    pub(super) fn write_at(&self, desk: &Arc<Desk>) {
        *lock(&self.desk) = Arc::clone(desk);
    }

    /// Has a message written.
    pub(super) fn push(&self, text: String) {
        self.lay_down(text, None, false);
        self.wake.notify_one();
    }

    /// Has the result of a call written that was not taken.
    pub(super) fn push_result(&self, text: String) {
        self.lay_down(text, None, true);
        self.wake.notify_one();
    }

    /// A call has ended, with this result as a message, which goes out with the next flush.
    pub(super) fn finish(&self, call: &str, result: String) {
        self.lay_down(result, Some(call), true);
    }

    fn lay_down(&self, text: String, ended: Option<&str>, is_result: bool) {
        let mut state = lock(&self.state);
        if let Some(call) = ended {
            state.open.remove(call);
        }
        if state.is_over {
            return;
        }
        state.bytes += text.len();
        state.results += usize::from(is_result);
        state.laid += 1;
        let at = state.laid;
        state.outbox.push_back(Waiting { at, text: text.into(), is_result });
    }

    /// The first of what waits after this one, as long as this connection has the session; each with which it
    /// is.
    pub(super) fn waiting(&self, number: u64, after: u64) -> Option<Vec<(u64, Utf8Bytes)>> {
        let state = lock(&self.state);
        state.holder.as_ref().filter(|holder| holder.number == number)?;
        let mut bytes = 0;
        let small = state.outbox.iter().skip_while(|waiting| waiting.at <= after).take_while(|waiting| {
            let is_room = bytes < TOGETHER;
            bytes += waiting.text.len();
            is_room
        });
        Some(small.map(|waiting| (waiting.at, waiting.text.clone())).collect())
    }

    /// All up to this one have been written; whether nothing more waits. Until then they wait: when a
    /// connection fails, the next one gets the results again.
    pub(super) fn written(&self, number: u64, last: u64) -> bool {
        let mut state = lock(&self.state);
        if state.holder.as_ref().is_none_or(|holder| holder.number != number) {
            return false;
        }
        // Some may have been taken away while they were on their way.
        while state.outbox.front().is_some_and(|waiting| waiting.at <= last)
            && let Some(written) = state.outbox.pop_front()
        {
            state.bytes -= written.text.len();
            state.results -= usize::from(written.is_result);
        }
        let is_all = state.outbox.is_empty();
        drop(state);
        self.eased.ring();
        is_all
    }

    /// Waits until so little waits for the agent that more may be read of it.
    pub(super) async fn has_room(&self) {
        self.is_eased(|state| state.bytes <= MOST_BYTES).await;
    }

    /// Waits until no call runs.
    pub(super) async fn is_idle(&self) {
        self.is_eased(|state| state.open.is_empty()).await;
    }

    async fn is_eased(&self, is_enough: impl Fn(&State) -> bool) {
        while !is_enough(&lock(&self.state)) {
            self.eased.once(|| is_enough(&lock(&self.state))).await;
        }
    }

    /// Whether there is room for a result of so many bytes, for as long as nobody reads it.
    pub(super) fn has_room_for(&self, bytes: usize) -> bool {
        bytes <= SMALL || lock(&self.state).bytes + bytes <= MOST_LEFT
    }

    /// Takes a call, until it is finished.
    pub(super) fn open(&self, call: &str, most: usize) -> Result<(), Refusal> {
        let mut state = lock(&self.state);
        if state.open.contains_key(call) {
            return Err(Refusal::IsOpen);
        }
        if state.open.len() + state.results >= most {
            return Err(Refusal::TooMany);
        }
        state.open.insert(call.to_owned(), None);
        state.is_used = true;
        Ok(())
    }

    /// How an open call can be ended.
    pub(super) fn runs(&self, call: &str, handle: AbortHandle) {
        let mut state = lock(&self.state);
        if state.is_over {
            handle.abort();
        } else if let Some(open) = state.open.get_mut(call) {
            *open = Some(handle);
        }
    }

    /// What its agent is, where it wants to hear of ticks.
    pub(super) fn hears_ticks(&self) -> Option<ModelClass> {
        let state = lock(&self.state);
        state.topics.contains(&EventTopic::Tick).then_some(state.model.class)
    }

    /// Takes note of what is called.
    pub(super) fn note(&self, class: Class) {
        lock(&self.state).habits.note(class);
    }

    /// Whether its agent mostly looks.
    pub(super) fn is_mostly_looking(&self) -> bool {
        lock(&self.state).habits.is_mostly_looking()
    }
}

impl Out for Session {
    /// Writes at once what the agent takes, without the detour over the task that writes for the connection.
    fn flush(&self) -> bool {
        let desk = Arc::clone(&lock(&self.desk));
        let is_all = desk.write(self);
        if !is_all {
            self.wake.notify_one();
        }
        self.eased.ring() || !is_all
    }
}
