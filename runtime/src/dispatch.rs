//! The core that every front end calls: finds the tool, brings the call to where it may run, and
//! brings back exactly one result.

use crate::call::{Call, Caller};
use crate::error::{ToolError, ToolErrorKind};
use crate::events::Events;
use crate::private::Context;
use crate::registry::Registry;
use crate::tool::Registered;
use serde_json::{Map, Value};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, oneshot};

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
/// Calls that may wait for the game.
const MOST_WAITING: usize = 1024;
/// Tools without state that may run at one time.
const WORKERS: usize = 8;
/// A game that has not ticked for so long is said to stand still.
const STALLED: Duration = Duration::from_secs(2);

/// What all front ends share.
pub(crate) struct Core {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) registry: Registry,
    pub(crate) events: Events,
    pub(crate) timeout: Duration,
    waiting: Mutex<VecDeque<Job>>,
    workers: Arc<Semaphore>,
    ticked: Mutex<Instant>,
}

/// A call on its way to the game's thread.
struct Job {
    name: String,
    arguments: Map<String, Value>,
    call: Call,
    reply: oneshot::Sender<Result<Value, ToolError>>,
}

impl Core {
    pub(crate) fn new(name: String, version: String, registry: Registry, timeout: Duration) -> Self {
        Self {
            name,
            version,
            registry,
            events: Events::default(),
            timeout,
            waiting: Mutex::default(),
            workers: Arc::new(Semaphore::new(WORKERS)),
            ticked: Mutex::new(Instant::now()),
        }
    }

    /// Calls a tool for a peer: there is always one result, at the deadline at the latest. When the
    /// future is dropped, because the peer has gone, a waiting call is dropped and a running one is
    /// told.
    pub(crate) async fn call(
        self: &Arc<Self>,
        name: &str,
        arguments: Map<String, Value>,
        caller: Caller,
    ) -> Result<Value, ToolError> {
        let Some(registered) = self.registry.get(name) else { return Err(self.unknown(name)) };
        let call = Call {
            core: Arc::clone(self),
            caller,
            deadline: Some(Instant::now() + self.timeout),
            cancelled: Arc::default(),
        };
        let _cancel = CancelOnDrop(Arc::clone(&call.cancelled));
        let on_game = registered.state.is_some();
        let result = async {
            if on_game {
                self.on_game(name, arguments, call).await
            } else {
                self.on_worker(name, arguments, call).await
            }
        };
        match tokio::time::timeout(self.timeout, result).await {
            Ok(result) => result,
            Err(_) => Err(self.timed_out(name, on_game)),
        }
    }

    /// Calls a tool at once, on this thread.
    pub(crate) fn call_here(
        self: &Arc<Self>,
        state: &mut dyn Any,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Value, ToolError> {
        let registered = self.registry.get(name).ok_or_else(|| self.unknown(name))?;
        run(registered, Some(state), &Call::from_game(Arc::clone(self)), arguments)
    }

    /// Runs what waits, within the budget.
    pub(crate) fn drain(&self, state: &mut dyn Any, budget: Budget) -> Ran {
        let start = Instant::now();
        *lock(&self.ticked) = start;
        let mut report = Ran::default();
        while report.ran < budget.calls.max(1) && (report.ran == 0 || start.elapsed() < budget.time) {
            let Some(job) = lock(&self.waiting).pop_front() else { break };
            // Nobody waits for it any more: it has been answered, or its peer has gone.
            if job.call.is_cancelled() || job.reply.is_closed() {
                continue;
            }
            let result = match self.registry.get(&job.name) {
                Some(registered) => run(registered, Some(&mut *state), &job.call, job.arguments),
                None => Err(self.unknown(&job.name)),
            };
            report.ran += 1;
            // A receiver that has gone meanwhile needs no answer.
            let _ = job.reply.send(result);
        }
        report.overran = report.ran > 0 && start.elapsed() > budget.time;
        report.waiting = lock(&self.waiting).len();
        report
    }

    /// Answers what waits when the host goes down.
    pub(crate) fn close(&self) {
        for job in lock(&self.waiting).drain(..) {
            let _ = job.reply.send(Err(ToolError::unavailable("the game is shutting down")));
        }
    }

    async fn on_game(
        self: &Arc<Self>,
        name: &str,
        arguments: Map<String, Value>,
        call: Call,
    ) -> Result<Value, ToolError> {
        let (reply, answer) = oneshot::channel();
        {
            let mut waiting = lock(&self.waiting);
            // Calls whose peer has gone do not keep others out.
            if waiting.len() >= MOST_WAITING {
                waiting.retain(|job| !job.call.is_cancelled());
            }
            if waiting.len() >= MOST_WAITING {
                return Err(ToolError::unavailable(format!(
                    "{MOST_WAITING} calls wait already; try again later"
                )));
            }
            waiting.push_back(Job { name: name.to_owned(), arguments, call, reply });
        }
        answer.await.unwrap_or_else(|_| Err(ToolError::unavailable("the game has gone")))
    }

    async fn on_worker(
        self: &Arc<Self>,
        name: &str,
        arguments: Map<String, Value>,
        call: Call,
    ) -> Result<Value, ToolError> {
        let permit = Arc::clone(&self.workers).acquire_owned().await;
        let permit = permit.map_err(|_| ToolError::unavailable("the game is shutting down"))?;
        let (core, name) = (Arc::clone(self), name.to_owned());
        let work = move || {
            let _permit = permit;
            match core.registry.get(&name) {
                Some(registered) => run(registered, None, &call, arguments),
                None => Err(core.unknown(&name)),
            }
        };
        tokio::task::spawn_blocking(work)
            .await
            .unwrap_or_else(|_| Err(ToolError::unavailable("the game is shutting down")))
    }

    fn unknown(&self, name: &str) -> ToolError {
        ToolError::new(ToolErrorKind::NotFound, self.registry.unknown(name))
    }

    fn timed_out(&self, name: &str, on_game: bool) -> ToolError {
        let since = lock(&self.ticked).elapsed();
        let message = if on_game && since > STALLED {
            format!("the game has not ticked for {} s, so `{name}` could not run", since.as_secs())
        } else {
            format!("`{name}` did not finish within {} s", self.timeout.as_secs_f32())
        };
        ToolError::new(ToolErrorKind::TimedOut, message)
    }
}

/// Runs a tool; a panic in it is an error like others.
fn run(
    registered: &Registered,
    state: Option<&mut dyn Any>,
    call: &Call,
    arguments: Map<String, Value>,
) -> Result<Value, ToolError> {
    let name = registered.tool.name;
    let mut context = Context { state, call, arguments, tool: registered };
    match catch_unwind(AssertUnwindSafe(|| (registered.tool.run)(&mut context))) {
        Ok(result) => result,
        Err(payload) => {
            let text = payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "no message".to_owned());
            // What a panic says may be a secret: it is for the log, not for the peer.
            tracing::error!(tool = name, panic = text, "a tool panicked");
            Err(ToolError::internal(format!("the tool `{name}` panicked; the game's log says why")))
        }
    }
}

/// Tells a running call that nobody waits for it.
struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Locks; a panic elsewhere has left nothing half done, since no tool runs under a lock of ours.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
