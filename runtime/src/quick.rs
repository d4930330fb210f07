//! A short way for tools that have always been quick so far.
//!
//! To hand a call to another thread, and its result back, takes far longer than a tool that only looks
//! something up. So calls of such tools run one after the other in a task of the runtime, which makes the
//! whole answer. A tool that was quick and is not holds a thread of the runtime, which has two. A thread that
//! watches notices, and has another task go on with those that wait; the tool is not taken for quick any
//! more, and as long as it holds its thread, the tasks after it hand theirs over before they run a tool.
//!
//! What is woken by a thread of the runtime waits for that thread, which no other may take it from. So whenever
//! a run, or its answer, may have woken something of ours ([`Out::flush`] says so), that has its turn before the
//! next tool runs; what is to have one without being woken is never left to a thread
//! ([`shared`](crate::task::shared)). Else the task goes on: to give others a turn wakes the other thread, which
//! takes far longer than a call.

use crate::arguments::Sent;
use crate::call::{Call, Caller, Course};
use crate::dispatch::{Core, SHUTTING_DOWN, lock};
use crate::error::ToolError;
use crate::function::{Place, Registered};
use crate::running::run;
use crate::task::{Bell, at_once};
use serde_json::Value;
use std::collections::VecDeque;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::Notify;

/// A run that takes no longer is a quick one.
const QUICK: Duration = Duration::from_millis(1);
/// After so many of them in a row, the next one is believed to be quick.
const OFTEN: u32 = 16;
/// A run that was believed to be quick and takes longer than this is left behind.
const STUCK: Duration = Duration::from_millis(5);
/// Answers that may be ready before the first of them goes out.
const TOGETHER: usize = 32;
/// Runs after which others have a turn in any case.
const TURN: usize = 256;

/// How quick a tool has been: quick runs in a row.
#[derive(Default)]
pub(crate) struct Pace(AtomicU32);

impl Pace {
    fn is_quick(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= OFTEN
    }

    /// Takes note of a run.
    pub(crate) fn note(&self, time: Duration) {
        if time > QUICK {
            self.0.store(0, Ordering::Relaxed);
        } else if !self.is_quick() {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A call that is believed to be quick.
pub(crate) struct Quick {
    tool: Arc<Registered>,
    call: Call,
    timeout: Duration,
    /// Nobody waits any more.
    gone: Arc<AtomicBool>,
}

/// Whoever waits for a call, as its front end has it.
pub(crate) trait Awaited: Send + 'static {
    /// Lays down how it has ended; it goes out with the next flush.
    fn end(self, result: Result<Value, ToolError>, course: &Course);

    /// Has it carried out as calls of any tool are: its tool is quick no more. It has not begun.
    fn go_another_way(self, arguments: Sent);
}

/// Where answers go.
pub(crate) trait Out: Send + Sync {
    /// Sends what is there; whether a task may have been woken, by this or by what was laid down before.
    fn flush(&self) -> bool;
}

/// A call on its way to the task.
struct Job {
    tool: Arc<Registered>,
    deadline: Option<Instant>,
    /// Makes the answer and lays it down, or where its tool is quick no more, hands it over to where others
    /// are made.
    work: Box<dyn FnOnce() -> Done + Send>,
    /// Lays down a failure, unless there is an answer.
    fail: Box<dyn FnOnce(Why) + Send>,
    out: Arc<dyn Out>,
}

/// What has become of a call.
struct Done {
    /// Its tool has run here.
    was_run: bool,
    /// A task may have been woken, or begun.
    has_woken: bool,
}

/// What is to be done, by a task of the runtime.
#[derive(Default)]
pub(crate) struct Runner {
    state: Mutex<State>,
    /// Something waits, for the task that sleeps.
    arrived: Notify,
    /// Something waits, for the thread that watches.
    begun: Condvar,
    /// Answers have gone out, or are not to be waited for, since a run was left behind.
    went_out: Bell,
    runtime: OnceLock<Handle>,
    /// Threads that runs hold which were left behind, answered or not.
    held: AtomicUsize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    running: Option<Running>,
    /// Where answers lie that have not gone out, of this turn.
    ready: Vec<Arc<dyn Out>>,
    /// Runs that were left behind.
    stuck: Vec<Running>,
    /// The task whose turn it is; one of an earlier turn has been left behind.
    turn: u64,
    has_task: bool,
    sleeps: bool,
    has_watch: bool,
    is_watched: bool,
    closed: bool,
}

impl State {
    /// Whether calls wait, or one runs, or answers have not gone out.
    fn is_busy(&self) -> bool {
        self.running.is_some() || !self.waiting.is_empty() || !self.ready.is_empty()
    }
}

struct Running {
    since: Instant,
    turn: u64,
    tool: Arc<Registered>,
    deadline: Option<Instant>,
    fail: Box<dyn FnOnce(Why) + Send>,
    out: Arc<dyn Out>,
}

/// Why a call is not waited for any longer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// The deadline has passed.
    Late,
    /// The host goes down.
    Closing,
}

impl Core {
    /// A call of a tool that is believed to be quick; `None` where it must go another way. `gone` says that
    /// nobody waits for it any more.
    pub(crate) fn quick(
        self: &Arc<Self>,
        tool: &Arc<Registered>,
        caller: &Caller,
        gone: &Arc<AtomicBool>,
    ) -> Option<Quick> {
        // While one stands still, nothing is believed to be quick: else many might, each on a thread of its own.
        if !tool.pace.is_quick() || tool.place() != Place::Worker || self.quick_ones.is_held() {
            return None;
        }
        let timeout = tool.function.options.timeout.unwrap_or(self.timeout);
        let course = Arc::new(Course::of_connection(gone));
        let call = self.call_of(tool.function.name, Place::Worker, caller.clone(), timeout, course);
        Some(Quick { tool: Arc::clone(tool), call, timeout, gone: Arc::clone(gone) })
    }
}

impl Quick {
    /// Has it run, after those that wait. Whoever takes the place of what is awaited is the one that ends it:
    /// the task, or at the deadline the thread that watches.
    pub(crate) fn begin(self, arguments: Sent, awaited: impl Awaited, out: Arc<dyn Out>) {
        let (tool, deadline) = (Arc::clone(&self.tool), self.call.deadline);
        let runner = Arc::clone(&self.call.core.quick_ones);
        let quick = Arc::new(self);
        let place = Arc::new(Mutex::new(Some(awaited)));
        let (late, of_late) = (Arc::clone(&quick), Arc::clone(&place));
        let work = move || {
            if quick.gone.load(Ordering::Relaxed) {
                return Done { was_run: false, has_woken: false };
            }
            if !quick.is_quick() {
                let awaited = lock(&place).take();
                if let Some(awaited) = awaited {
                    awaited.go_another_way(arguments);
                }
                return Done { was_run: false, has_woken: true };
            }
            let result = quick.run(arguments);
            // What a call has caused is on its way when its answer is.
            let has_woken = quick.call.core.events.hand_out_now();
            let awaited = lock(&place).take();
            if let Some(awaited) = awaited {
                awaited.end(result, &quick.call.course);
            }
            Done { was_run: true, has_woken }
        };
        let fail = move |why| {
            let awaited = lock(&of_late).take();
            if let Some(awaited) = awaited {
                awaited.end(Err(late.failed(why)), &late.call.course);
            }
        };
        runner.push(Job { tool, deadline, work: Box::new(work), fail: Box::new(fail), out });
    }

    /// Runs it on this thread.
    fn run(&self, arguments: Sent) -> Result<Value, ToolError> {
        self.call.core.still_there(&self.tool)?;
        self.call.begin();
        run(&self.tool, None, &self.call, arguments)
    }

    /// Whether it is still believed to be quick.
    fn is_quick(&self) -> bool {
        self.tool.pace.is_quick() && !self.call.core.quick_ones.is_held()
    }

    /// What is said where there is no result.
    fn failed(&self, why: Why) -> ToolError {
        match why {
            Why::Late => self.call.core.timed_out(self.tool.function.name, Place::Worker, self.timeout),
            Why::Closing => ToolError::unavailable(SHUTTING_DOWN),
        }
    }
}

impl Runner {
    /// Where the tasks run: a runtime of two threads.
    pub(crate) fn run_on(&self, runtime: Handle) {
        let _ = self.runtime.set(runtime);
    }

    /// Whether a run stands still that was believed to be quick.
    fn is_held(&self) -> bool {
        self.held.load(Ordering::Acquire) > 0
    }

    /// Waits until answers go out that what is quick makes now, if it makes any, without a clock: what is not
    /// quick after all is left behind soon.
    pub(crate) async fn turn(&self) {
        self.went_out.once(|| !lock(&self.state).is_busy()).await;
    }

    /// Has a call run, after those that wait.
    fn push(self: &Arc<Self>, job: Job) {
        let mut state = lock(&self.state);
        if state.closed || !self.has_watch(&mut state) || !self.has_task(&mut state) {
            drop(state);
            (job.fail)(Why::Closing);
            job.out.flush();
            return;
        }
        state.waiting.push_back(job);
        let (wake, watch) = (std::mem::take(&mut state.sleeps), !state.is_watched);
        state.is_watched = true;
        drop(state);
        if wake {
            self.arrived.notify_one();
        }
        if watch {
            self.begun.notify_one();
        }
    }

    /// Has a task for this turn.
    fn has_task(self: &Arc<Self>, state: &mut State) -> bool {
        let Some(runtime) = self.runtime.get() else { return false };
        if !std::mem::replace(&mut state.has_task, true) {
            runtime.spawn(Arc::clone(self).work(state.turn));
        }
        true
    }

    fn has_watch(self: &Arc<Self>, state: &mut State) -> bool {
        if !state.has_watch {
            let runner = Arc::clone(self);
            let thread = std::thread::Builder::new().name("ludwire-watch".to_owned());
            match thread.spawn(move || runner.watch()) {
                Ok(_) => state.has_watch = true,
                Err(error) => tracing::error!(%error, "there is no thread to watch quick tools"),
            }
        }
        state.has_watch
    }

    /// Runs what waits, as long as it is this task's turn.
    async fn work(self: Arc<Self>, turn: u64) {
        loop {
            let is_alone = lock(&self.state).stuck.is_empty();
            // One thread of the runtime must be free, whatever happens.
            let next = match is_alone {
                true => self.run(turn),
                false => tokio::task::block_in_place(|| self.run(turn)),
            };
            match next {
                Next::Sleep { others_wait } => {
                    let mut arrived = pin!(self.arrived.notified());
                    match at_once(arrived.as_mut()).await {
                        Some(()) if others_wait => tokio::task::yield_now().await,
                        Some(()) => {}
                        None => arrived.await,
                    }
                }
                Next::Yield => tokio::task::yield_now().await,
                Next::Over => return,
            }
        }
    }

    /// Runs some of what waits.
    fn run(&self, turn: u64) -> Next {
        let (mut count, mut laid, mut has_woken, mut now) = (0, 0, false, None);
        let mut state = lock(&self.state);
        loop {
            if state.turn != turn {
                return Next::Over;
            }
            if laid > 0 && (laid == TOGETHER || has_woken || state.waiting.is_empty()) {
                let ready = std::mem::take(&mut state.ready);
                drop(state);
                for out in ready {
                    has_woken |= out.flush();
                }
                has_woken |= self.went_out.ring();
                (laid, now) = (0, None);
                // More may have come in the meantime.
                state = lock(&self.state);
                continue;
            }
            if (has_woken || count >= TURN) && !state.waiting.is_empty() {
                return Next::Yield;
            }
            let Some(Job { tool, deadline, work, fail, out }) = state.waiting.pop_front() else {
                state.sleeps = true;
                return if state.closed { Next::Over } else { Next::Sleep { others_wait: has_woken } };
            };
            let since = now.take().unwrap_or_else(Instant::now);
            let (pace, own_out) = (Arc::clone(&tool), Arc::clone(&out));
            state.running = Some(Running { since, turn, tool, deadline, fail, out: own_out });
            drop(state);
            // What panics is left behind as what never ends.
            let done = work();
            let end = Instant::now();
            if done.was_run {
                pace.pace.note(end.duration_since(since));
            }
            (count, laid, now) = (count + 1, laid + 1, Some(end));
            has_woken |= done.has_woken;
            state = lock(&self.state);
            if state.turn != turn {
                self.held.fetch_sub(1, Ordering::AcqRel);
                state.stuck.retain(|stuck| stuck.turn != turn);
                drop(state);
                out.flush();
                return Next::Over;
            }
            state.running = None;
            if !state.ready.iter().any(|other| Arc::ptr_eq(other, &out)) {
                state.ready.push(out);
            }
        }
    }

    /// Sees to it that nothing waits for a run that does not end, until all is over.
    fn watch(self: Arc<Self>) {
        loop {
            let state = lock(&self.state);
            let is_idle = |state: &mut State| !state.is_watched && !state.closed;
            let state = self.begun.wait_while(state, is_idle).unwrap_or_else(PoisonError::into_inner);
            drop(state);
            std::thread::sleep(STUCK);
            let goes_on = self.look();
            if !goes_on && lock(&self.state).closed {
                return;
            }
        }
    }

    /// Leaves behind what is stuck, and answers what is late; whether there is more to watch.
    fn look(self: &Arc<Self>) -> bool {
        let mut state = lock(&self.state);
        let mut ready = Vec::new();
        if state.running.as_ref().is_some_and(|running| running.since.elapsed() >= STUCK)
            && let Some(running) = state.running.take()
        {
            running.tool.pace.note(STUCK);
            self.held.fetch_add(1, Ordering::AcqRel);
            // The answers before it are not to wait for it.
            ready = std::mem::take(&mut state.ready);
            state.stuck.push(running);
            state.turn += 1;
            (state.has_task, state.sleeps) = (false, false);
            self.has_task(&mut state);
        }
        let (now, closed) = (Instant::now(), state.closed);
        let is_late =
            |running: &mut Running| closed || running.deadline.is_some_and(|deadline| deadline <= now);
        let late: Vec<Running> = state.stuck.extract_if(.., is_late).collect();
        let goes_on = state.is_busy() || !state.stuck.is_empty();
        state.is_watched = goes_on;
        drop(state);
        for out in ready {
            out.flush();
        }
        self.went_out.ring();
        for Running { fail, out, .. } in late {
            fail(if closed { Why::Closing } else { Why::Late });
            out.flush();
        }
        goes_on
    }

    /// What waits is still run; what is stuck is answered.
    pub(crate) fn close(&self) {
        lock(&self.state).closed = true;
        self.arrived.notify_one();
        self.begun.notify_one();
    }
}

/// What the task does next.
enum Next {
    /// Waits until something comes; others may have been woken before.
    Sleep {
        others_wait: bool,
    },
    /// Lets others have a turn.
    Yield,
    Over,
}
