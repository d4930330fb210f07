//! What a running tool knows of its call.

use crate::attention::Attentions;
use crate::dispatch::Core;
use crate::error::{ToolError, ToolErrorKind};
use crate::event::Event;
use crate::progress::Progress;
use crate::queue::Queue;
use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a running tool knows of its call. A parameter `call: &Call`, under any name, gets it.
#[derive(Clone)]
pub struct Call {
    pub(crate) core: Arc<Core>,
    /// The way to the game's thread.
    pub(crate) queue: Arc<Queue>,
    /// The name of the tool.
    pub(crate) tool: &'static str,
    pub(crate) caller: Caller,
    pub(crate) deadline: Option<Instant>,
    pub(crate) course: Arc<Course>,
}

/// What becomes of a call, for those who wait for it and for the tool.
#[derive(Debug)]
pub(crate) struct Course {
    /// Nobody waits any more.
    cancelled: AtomicBool,
    /// The tick in which the function began, [`NEVER`] before.
    began: AtomicU64,
    /// Nobody waits for any call of this connection.
    gone: Option<Arc<AtomicBool>>,
    /// A tool is called, which lets a world move on that waits for that.
    is_of_tool: bool,
}

const NEVER: u64 = u64::MAX;

impl Course {
    /// That of something else than a tool: it only looks.
    pub(crate) fn new() -> Self {
        let began = AtomicU64::new(NEVER);
        Self { cancelled: AtomicBool::new(false), began, gone: None, is_of_tool: false }
    }

    pub(crate) fn of_tool() -> Self {
        Self { is_of_tool: true, ..Self::new() }
    }

    /// That of a tool, for a connection that says when it has gone.
    pub(crate) fn of_connection(gone: &Arc<AtomicBool>) -> Self {
        Self { gone: Some(Arc::clone(gone)), ..Self::of_tool() }
    }

    /// The tick in which the function began; `None` as long as it waits.
    pub(crate) fn began(&self) -> Option<u64> {
        Some(self.began.load(Ordering::Relaxed)).filter(|tick| *tick != NEVER)
    }

    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Caller {
    /// The game itself, through [`Host::call`](crate::Host::call).
    Game,
    /// A peer: the protocol, and a number that no other connection of this host has.
    Peer {
        /// `gabp`
        protocol: &'static str,
        /// Counts connections from 1.
        connection: u64,
    },
}

impl Call {
    pub(crate) fn from_game(core: Arc<Core>, queue: Arc<Queue>, tool: &'static str) -> Self {
        Self { core, queue, tool, caller: Caller::Game, deadline: None, course: Arc::new(Course::new()) }
    }

    /// Who calls.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Nobody waits for the result any more: the deadline has passed, or the peer has gone. A tool
    /// that runs long looks at this now and then, and returns when it is true.
    pub fn is_cancelled(&self) -> bool {
        self.course.cancelled.load(Ordering::Relaxed)
            || self.course.gone.as_ref().is_some_and(|gone| gone.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// How long somebody waits for the result; `None` without a limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Does something with the game's state, on the game's thread, from an `async` tool:
    ///
    /// ```standalone_crate
    /// # use ludwire::{Call, Host, ToolError, tool};
    /// # use std::time::Duration;
    /// struct World { orcs: u32 }
    ///
    /// /// Waits for an orc, and says how many there are.
    /// #[tool("orc/wait")]
    /// async fn wait(call: &Call) -> Result<u32, ToolError> {
    ///     loop {
    ///         let orcs = call.on_game(|world: &mut World| world.orcs).await?;
    ///         if orcs > 0 {
    ///             return Ok(orcs);
    ///         }
    ///         tokio::time::sleep(Duration::from_millis(50)).await;
    ///     }
    /// }
    /// # let host = Host::builder("Orcs", "1").tools(ludwire::registered::<World>()).build()?;
    /// # let found = host.call(&mut World { orcs: 2 }, "orc/wait", serde_json::json!({}))?;
    /// # assert_eq!(found, serde_json::json!({ "result": 2 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// It waits for [`Host::run`](crate::Host::run) in the same queue as calls do, and counts as one. In a
    /// tool that [`Host::call`](crate::Host::call) runs, it is done by that call, on its thread. Dropping
    /// the future takes it back, unless it has begun.
    ///
    /// # Errors
    ///
    /// When `S` is not the type of the game's state, `work` panics, too much waits already, the call is
    /// over, or the game has gone; and at once in a tool that holds the game's thread itself.
    pub async fn on_game<S: 'static, T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut S) -> T + Send + 'static,
    ) -> Result<T, ToolError> {
        let with_state = |_: &Self, state: &mut dyn Any| match state.downcast_mut() {
            Some(state) => Ok(work(state)),
            None => {
                let name = std::any::type_name::<S>();
                Err(ToolError::internal(format!("the game's state is no `{name}`, which `on_game` asks for")))
            }
        };
        self.queue.ask(self, with_state).await
    }

    /// What the game reports to agents, which they acknowledge.
    pub fn attention(&self) -> Attentions {
        Attentions(Arc::clone(&self.core))
    }

    /// Tells peers how far the tool is, from 0 (just begun) to 1, and what it does, as an event on the
    /// channel `tool/progress`. Nothing is sent unless the host lets peers see it
    /// ([`Builder::progress`](crate::Builder::progress)).
    ///
    /// ```standalone_crate
    /// # use ludwire::{Call, Host, tool};
    /// /// Digs.
    /// #[tool("cave/dig")]
    /// fn dig(call: &Call) {
    ///     for meter in 0..10 {
    ///         call.progress(f64::from(meter) / 10.0, "digging");
    ///     }
    /// }
    /// let host = Host::<()>::builder("Cave", "1").tools(ludwire::registered()).progress().build()?;
    /// # host.call(&mut (), "cave/dig", serde_json::json!({}))?;
    /// # assert_eq!(host.manifest()["events"][0]["channel"], "tool/progress");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn progress(&self, done: f64, message: &str) {
        if self.core.registry.has_event(Progress::CHANNEL) {
            self.emit(&Progress::new(self.tool, &self.caller, done, message));
        }
    }

    /// The function begins.
    pub(crate) fn begin(&self) {
        self.course.began.store(self.core.clock.tick(), Ordering::Relaxed);
        if self.course.is_of_tool {
            self.core.clock.ask();
        }
    }

    /// What is said when the deadline has passed.
    pub(crate) fn timed_out(&self) -> ToolError {
        ToolError::new(ToolErrorKind::TimedOut, format!("`{}` could not run in time", self.tool))
    }

    /// Sends an event to every peer that has subscribed to its channel, as
    /// [`Host::emit`](crate::Host::emit) does.
    pub fn emit<E: Event>(&self, event: &E) {
        self.core.emit(event);
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("caller", &self.caller)
            .field("time_left", &self.time_left())
            .field("is_cancelled", &self.is_cancelled())
            .finish()
    }
}
