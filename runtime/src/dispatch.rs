//! The core that every front end calls: finds the tool, brings the call to where it may run, and
//! brings back exactly one result.

use crate::arguments::Sent;
use crate::attention::Board;
use crate::call::{Call, Caller, Course};
use crate::clock::Clock;
use crate::error::{ToolError, ToolErrorKind};
use crate::events::Events;
use crate::function::{Place, Registered};
use crate::held::Held;
use crate::pool::Pool;
use crate::queue::{Queue, Wake};
use crate::quick::Runner;
use crate::registry::Registry;
use crate::running::{run, run_async};
use crate::schema::share;
use crate::ticks::{STALLED, Ticks};
use serde_json::{Map, Value};
use std::any::Any;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};

/// How much of a frame [`Host::run`](crate::Host::run) may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    time: Duration,
    calls: usize,
}

impl Budget {
    /// Calls are started until this time has passed. At least one waiting call runs.
    pub fn millis(millis: u64) -> Self {
        Self { time: Duration::from_millis(millis), calls: usize::MAX }
    }

    /// At most this many calls run.
    pub fn calls(self, calls: usize) -> Self {
        Self { calls, ..self }
    }
}

/// What [`Host::run`](crate::Host::run) did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ran {
    /// Calls that ran.
    pub ran: usize,
    /// Calls that still wait.
    pub waiting: usize,
    /// The last call took longer than the budget had left.
    pub overran: bool,
}

/// How long a peer waits for a tool. Bridges give up after 30 s, so we answer before that.
pub(crate) const TOOL_TIMEOUT: Duration = Duration::from_secs(25);
/// Tools without state that may run at one time, unless the game says otherwise.
pub(crate) const WORKERS: usize = 8;
/// Async tools that may run at one time.
const MOST_ASYNC: usize = 256;
/// Why nothing is taken or finished any more.
pub(crate) const SHUTTING_DOWN: &str = "the game is shutting down";
/// How long peers may take to read their last answers.
const FAREWELL: Duration = Duration::from_millis(500);

/// What all front ends share.
pub(crate) struct Core {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) registry: Registry,
    pub(crate) held: Held,
    pub(crate) events: Events,
    pub(crate) attention: Board,
    /// Tools that peers may also ask for as methods of the game.
    pub(crate) methods: BTreeSet<String>,
    /// Peers are shown schemas in which what stands more than once is referred to.
    pub(crate) keeps_references: bool,
    /// A text may stand for what it holds, where no text is meant.
    pub(crate) coerces: bool,
    pub(crate) timeout: Duration,
    pub(crate) clock: Clock,
    /// What waits for the game.
    queue: Arc<Queue>,
    /// The way to the game for tools that are on its thread: they would wait for themselves.
    no_way: Arc<Queue>,
    workers: Pool,
    tasks: Pool,
    /// Runs tools without state that have always been quick.
    pub(crate) quick_ones: Arc<Runner>,
    ticks: Ticks,
    closing: Closing,
    /// Connections so far.
    connections: AtomicU64,
    /// Connections and listeners that are there.
    present: Arc<Present>,
}

/// Tells everybody when the host goes down.
#[derive(Clone)]
pub(crate) struct Closing(watch::Sender<bool>);

/// Connections and listeners that are there.
#[derive(Default)]
struct Present {
    count: Mutex<usize>,
    changed: Condvar,
}

/// One of them.
pub(crate) struct Presence(Arc<Present>);

impl Core {
    pub(crate) fn new(
        name: String,
        version: String,
        registry: Registry,
        held: Held,
        timeout: Duration,
    ) -> Self {
        Self {
            name,
            version,
            registry,
            held,
            events: Events::default(),
            attention: Board::default(),
            methods: BTreeSet::new(),
            keeps_references: false,
            coerces: false,
            timeout,
            clock: Clock::default(),
            queue: Arc::default(),
            no_way: Arc::new(Queue::closed(
                "this tool holds the game's thread while it runs, so `on_game` cannot be waited for here",
            )),
            workers: Pool::new("tool", WORKERS),
            tasks: Pool::new("async tool", MOST_ASYNC),
            quick_ones: Arc::default(),
            ticks: Ticks::new(),
            closing: Closing(watch::Sender::new(false)),
            connections: AtomicU64::new(0),
            present: Arc::default(),
        }
    }

    /// The same with a pool of this size for tools without state, and told when something waits.
    pub(crate) fn with(self, workers: usize, wake: Option<Wake>) -> Self {
        let workers = Pool::new("tool", workers.max(1));
        Self { workers, queue: Arc::new(Queue::waking(wake)), ..self }
    }

    /// A schema of a tool, which is an object, as peers are shown it.
    pub(crate) fn shown(&self, schema: &Value) -> Map<String, Value> {
        let schema = if self.keeps_references { share(schema) } else { schema.clone() };
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    }

    /// The channels that peers may subscribe to.
    pub(crate) fn channels(&self) -> Vec<String> {
        let events = self.registry.events().into_iter().map(|event| event.channel);
        self.attention.channels().chain(events).map(str::to_owned).collect()
    }

    /// Whether something may be sent on a channel.
    pub(crate) fn has_channel(&self, channel: &str) -> bool {
        self.registry.has_event(channel) || self.attention.channels().any(|own| own == channel)
    }

    /// Calls a tool for a peer: there is always one result, at the deadline at the latest. When the
    /// future is dropped, because the peer has gone, a waiting call and an async tool are dropped, and
    /// a running one is told; all at once where the `course` is of a connection that says when it has gone.
    pub(crate) async fn call(
        self: &Arc<Self>,
        name: &str,
        arguments: impl Into<Sent>,
        caller: Caller,
        course: Course,
    ) -> Result<Value, ToolError> {
        self.run(&self.find(name)?, arguments.into(), caller, Arc::new(course)).await
    }

    /// Runs a function for a peer, as [`Core::call`] runs a tool.
    pub(crate) async fn run(
        self: &Arc<Self>,
        registered: &Arc<Registered>,
        arguments: Sent,
        caller: Caller,
        course: Arc<Course>,
    ) -> Result<Value, ToolError> {
        let name = registered.function.name;
        let timeout = registered.function.options.timeout.unwrap_or(self.timeout);
        let place = registered.place();
        let call = self.call_of(name, place, caller, timeout, course);
        let _cancel = CancelOnDrop(Arc::clone(&call.course));
        let result = async {
            match place {
                Place::Game => self.on_game(registered, arguments, &call).await,
                Place::Worker => self.on_worker(registered, arguments, call).await,
                Place::Runtime => {
                    let _place = self.tasks.enter(&call.caller).await?;
                    self.still_there(registered)?;
                    call.begin();
                    run_async(registered, &call, arguments).await
                }
            }
        };
        self.in_time(name, place, timeout, result).await
    }

    /// What a peer waits for, unless the deadline passes or the host goes down before.
    async fn in_time<T>(
        &self,
        name: &str,
        place: Place,
        timeout: Duration,
        result: impl Future<Output = Result<T, ToolError>>,
    ) -> Result<T, ToolError> {
        tokio::select! {
            result = self.watched(timeout, result) => match result {
                Some(result) => result,
                None => Err(self.timed_out(name, place, timeout)),
            },
            () = self.closing.wait() => Err(ToolError::unavailable(SHUTTING_DOWN)),
        }
    }

    /// What comes within this time. While it is waited for, the log hears of a game that stands still.
    async fn watched<T>(&self, timeout: Duration, result: impl Future<Output = T>) -> Option<T> {
        let mut result = std::pin::pin!(result);
        let start = Instant::now();
        loop {
            let left = timeout.saturating_sub(start.elapsed());
            if let Ok(result) = tokio::time::timeout(left.min(STALLED), &mut result).await {
                return Some(result);
            }
            self.ticks.miss(self.queue.len());
            if left <= STALLED {
                return None;
            }
        }
    }

    /// Does something for a peer on the game's thread, as if it were a tool.
    pub(crate) async fn with_game<T: Send + 'static>(
        self: &Arc<Self>,
        name: &'static str,
        caller: Caller,
        work: impl FnOnce(&Call, &mut dyn Any) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let call = self.call_of(name, Place::Game, caller, self.timeout, Arc::new(Course::new()));
        let _cancel = CancelOnDrop(Arc::clone(&call.course));
        self.in_time(name, Place::Game, self.timeout, self.queue.ask(&call, work)).await
    }

    pub(crate) fn call_of(
        self: &Arc<Self>,
        name: &'static str,
        place: Place,
        caller: Caller,
        timeout: Duration,
        course: Arc<Course>,
    ) -> Call {
        Call {
            core: Arc::clone(self),
            queue: Arc::clone(if place == Place::Game { &self.no_way } else { &self.queue }),
            tool: name,
            caller,
            deadline: Instant::now().checked_add(timeout),
            course,
        }
    }

    /// What the game itself does at once, on its own thread.
    pub(crate) fn call_of_game(self: &Arc<Self>, name: &'static str) -> Call {
        Call::from_game(Arc::clone(self), Arc::clone(&self.no_way), name)
    }

    /// Calls a tool at once. It runs on this thread; an async one runs on `runtime`, and what it does
    /// with the state is done here.
    pub(crate) fn call_here(
        self: &Arc<Self>,
        state: &mut dyn Any,
        name: &str,
        arguments: Sent,
        runtime: impl FnOnce() -> Result<Handle, ToolError>,
    ) -> Result<Value, ToolError> {
        let registered = self.find(name)?;
        self.clock.ask();
        self.run_here(&registered, state, arguments, runtime)
    }

    /// Runs a function at once, as [`Core::call_here`] runs a tool.
    pub(crate) fn run_here(
        self: &Arc<Self>,
        registered: &Arc<Registered>,
        state: &mut dyn Any,
        arguments: Sent,
        runtime: impl FnOnce() -> Result<Handle, ToolError>,
    ) -> Result<Value, ToolError> {
        let name = registered.function.name;
        if registered.place() != Place::Runtime {
            return run(registered, Some(state), &self.call_of_game(name), arguments);
        }
        let registered = Arc::clone(registered);
        let queue = Arc::new(Queue::default());
        let call = Call::from_game(Arc::clone(self), Arc::clone(&queue), name);
        let (reply, mut answer) = oneshot::channel();
        let closed = CloseOnDrop(Arc::clone(&queue));
        runtime()?.spawn(async move {
            let result = run_async(&registered, &call, arguments).await;
            // Whoever called waits for the queue to close.
            let _ = reply.send(result);
            drop(closed);
        });
        queue.serve(state);
        answer.try_recv().unwrap_or_else(|_| Err(ToolError::unavailable("the host is shutting down")))
    }

    /// Runs what waits, within the budget.
    pub(crate) fn drain(&self, state: &mut dyn Any, budget: Budget) -> Ran {
        let start = Instant::now();
        self.ticks.tick(start);
        let mut report = Ran::default();
        while report.ran < budget.calls.max(1) && (report.ran == 0 || start.elapsed() < budget.time) {
            let Some(job) = self.queue.next() else { break };
            job.run(state);
            report.ran += 1;
        }
        self.clock.frame();
        report.overran = report.ran > 0 && start.elapsed() > budget.time;
        report.waiting = self.queue.len();
        report
    }

    pub(crate) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Answers what waits and what runs, and gives peers a moment to take it.
    pub(crate) fn close(&self) {
        self.queue.close(SHUTTING_DOWN);
        self.closing.0.send_replace(true);
        self.quick_ones.close();
        let count = lock(&self.present.count);
        let is_there = |count: &mut usize| *count > 0;
        let waited = self.present.changed.wait_timeout_while(count, FAREWELL, is_there);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn closing(&self) -> Closing {
        self.closing.clone()
    }

    /// A number that no other connection of this host has, from 1.
    pub(crate) fn connection_number(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Counts a connection, or a listener, for as long as what is given lives.
    pub(crate) fn presence(&self) -> Presence {
        *lock(&self.present.count) += 1;
        Presence(Arc::clone(&self.present))
    }

    async fn on_game(
        self: &Arc<Self>,
        registered: &Arc<Registered>,
        arguments: Sent,
        call: &Call,
    ) -> Result<Value, ToolError> {
        let registered = Arc::clone(registered);
        let work = move |call: &Call, state: &mut dyn Any| {
            call.core.still_there(&registered)?;
            call.begin();
            run(&registered, Some(state), call, arguments)
        };
        self.queue.ask(call, work).await
    }

    async fn on_worker(
        self: &Arc<Self>,
        registered: &Arc<Registered>,
        arguments: Sent,
        call: Call,
    ) -> Result<Value, ToolError> {
        let place = self.workers.enter(&call.caller).await?;
        self.still_there(registered)?;
        let registered = Arc::clone(registered);
        let work = move || {
            let _place = place;
            call.begin();
            let start = Instant::now();
            let result = run(&registered, None, &call, arguments);
            registered.pace.note(start.elapsed());
            result
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(ToolError::unavailable(SHUTTING_DOWN)))
    }

    fn find(&self, name: &str) -> Result<Arc<Registered>, ToolError> {
        let found = self.registry.get(name).map(|entry| Arc::clone(&entry.function));
        found.ok_or_else(|| self.unknown(name))
    }

    /// A tool may be taken away while a call waits for it.
    pub(crate) fn still_there(&self, registered: &Registered) -> Result<(), ToolError> {
        if registered.is_enabled() { Ok(()) } else { Err(self.unknown(registered.function.name)) }
    }

    fn unknown(&self, name: &str) -> ToolError {
        ToolError::new(ToolErrorKind::NotFound, self.registry.unknown(name))
    }

    pub(crate) fn timed_out(&self, name: &str, place: Place, timeout: Duration) -> ToolError {
        let since = self.ticks.since();
        let stalled = since > STALLED && self.queue.len() > 0;
        let stall = format!("the game has not ticked for {} s", since.as_secs());
        let late = format!("`{name}` did not finish within {} s", timeout.as_secs_f32());
        let message = match place {
            Place::Game if stalled => format!("{stall}, so `{name}` could not run"),
            // It may wait for the game, or for something else.
            Place::Runtime if stalled => format!("{late}; {stall}"),
            _ => late,
        };
        ToolError::new(ToolErrorKind::TimedOut, message)
    }
}

impl Closing {
    /// Waits until the host goes down.
    pub(crate) async fn wait(&self) {
        // It cannot be gone, since this is one of its senders.
        let _ = self.0.subscribe().wait_for(|closing| *closing).await;
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        *lock(&self.0.count) -= 1;
        self.0.changed.notify_all();
    }
}

/// Ends the service of a queue, whatever happens to who needs it.
struct CloseOnDrop(Arc<Queue>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.close("the call is over");
    }
}

/// Tells a running call that nobody waits for it.
struct CancelOnDrop(Arc<Course>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Locks; a panic elsewhere has left nothing half done, since no tool runs under a lock of ours.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
