//! The host: the tools of a game, and the protocols that serve them.

mod builder;
#[cfg(feature = "serve")]
mod front_end;
mod manifest;

pub use builder::Builder;
#[cfg(feature = "serve")]
pub(crate) use front_end::{Announcement, Begin, CoreHandle, Listening};
#[cfg(feature = "serve")]
pub use front_end::{Endpoint, FrontEnd};
#[cfg(feature = "serve")]
pub(crate) use manifest::{Described, described};

use crate::arguments::Sent;
use crate::attention::Attentions;
use crate::dispatch::{Budget, Core, Ran, lock};
use crate::error::{Problem, ToolError};
use crate::event::Event;
use crate::left_out;
use crate::registry::{Clash, Refused, Tools};
use crate::resource::Content;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};
use tokio::runtime::{Handle, Runtime};

/// The tools of a game whose state is `S`, and the protocols that serve them.
///
/// Dropping it closes every listener and connection, and removes the files it has written.
pub struct Host<S> {
    core: Arc<Core>,
    #[cfg(feature = "serve")]
    endpoints: Vec<Endpoint>,
    /// Sockets, and async tools: there once one of them is.
    runtime: Mutex<Option<Runtime>>,
    #[cfg(feature = "serve")]
    /// In a mutex so that a host can be used from any thread.
    guards: Mutex<Vec<Box<dyn Send>>>,
    state: PhantomData<fn(&mut S)>,
}

/// Why a host could not be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// Tools, events, resources or states whose names meet, or two observations.
    Clashes(Vec<Clash>),
    /// A setting that is refused: what, and what to do.
    Setting(String),
    /// An address could not be listened on, or a file not written.
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: io::Error,
    },
}

impl<S: 'static> Host<S> {
    /// A host for the game called `name` in this `version`.
    pub fn builder(name: impl Into<String>, version: impl Into<String>) -> Builder<S> {
        Builder::new(name.into(), version.into())
    }

    /// Runs the calls that wait for the game, on this thread, within the budget; at least one, if
    /// one waits. Call it once a frame.
    pub fn run(&self, state: &mut S, budget: Budget) -> Ran {
        self.core.drain(state, budget)
    }

    /// Whether the world moves on in this frame, said after [`Host::run`]. It always does, unless a protocol
    /// is served whose settings make it wait for agents: then it does so in a frame in which a tool was
    /// called, by whatever protocol or by [`Host::call`], or before which [`Host::trigger`] was.
    ///
    /// ```standalone_crate
    /// # use ludwire::{Budget, Host};
    /// # struct World { day: u32 }
    /// # let host = Host::<World>::builder("Days", "1").build()?;
    /// # let mut world = World { day: 1 };
    /// host.run(&mut world, Budget::millis(4));
    /// if host.should_tick() {
    ///     world.day += 1;
    /// }
    /// # assert_eq!((world.day, host.tick()), (2, 1));
    /// # Ok::<(), ludwire::BuildError>(())
    /// ```
    pub fn should_tick(&self) -> bool {
        self.core.clock.is_due()
    }

    /// Lets a world that waits for agents move on in the frame of the next [`Host::run`]: a timer of the
    /// game has run out, say, or a person has done something.
    pub fn trigger(&self) {
        self.core.clock.ask();
    }

    /// How often the world has ticked: once with each [`Host::run`] after which [`Host::should_tick`].
    /// Protocols that speak of ticks mean these, and one within `run` is that which ends with it.
    pub fn tick(&self) -> u64 {
        self.core.clock.tick()
    }

    /// How many calls wait for [`Host::run`].
    pub fn waiting(&self) -> usize {
        self.core.waiting()
    }

    /// Calls a tool at once, on this thread, as a peer would, but without a deadline. `arguments` is an
    /// object, or null for none.
    ///
    /// An `async` tool runs on the host's runtime as always, while this thread waits and does what the
    /// tool asks of it with [`Call::on_game`](crate::Call::on_game). One that waits for what the game does
    /// next waits for ever: for such a tool, call as a peer.
    ///
    /// # Errors
    ///
    /// As a peer would get them: no such tool, wrong arguments, a tool that failed or panicked.
    pub fn call(&self, state: &mut S, name: &str, arguments: Value) -> Result<Value, ToolError> {
        let arguments = match arguments {
            Value::Object(arguments) => arguments,
            Value::Null => Map::new(),
            _ => {
                let message = "arguments are an object, with a member for each".to_owned();
                return Err(ToolError::invalid(vec![Problem { pointer: String::new(), message }]));
            }
        };
        self.call_here(state, name, arguments.into())
    }

    /// The same with arguments as a peer writes them: JSON text.
    ///
    /// # Errors
    ///
    /// As [`Host::call`] has them; and that a member stands twice in an object, or that the text is no
    /// JSON.
    ///
    /// ```standalone_crate
    /// # use ludwire::{Host, tool};
    /// # use serde_json::json;
    /// /// Adds.
    /// #[tool("math/add")]
    /// fn add(a: i32, b: i32) -> i32 {
    ///     a + b
    /// }
    ///
    /// let host = Host::<()>::builder("Sums", "1").tools(ludwire::registered()).build()?;
    /// assert_eq!(host.call_json(&mut (), "math/add", r#"{ "a": 1, "b": 2 }"#)?, json!({ "result": 3 }));
    /// let error = host.call_json(&mut (), "math/add", r#"{ "a": 1, "b": 2, "a": 3 }"#).unwrap_err();
    /// assert_eq!(error.message(), "invalid arguments: /a: is given twice");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call_json(&self, state: &mut S, name: &str, arguments: &str) -> Result<Value, ToolError> {
        let arguments: &RawValue = serde_json::from_str(arguments).map_err(|error| {
            let message = format!("arguments are no JSON: {error}");
            ToolError::invalid(vec![Problem { pointer: String::new(), message }])
        })?;
        self.call_here(state, name, Sent::Text(arguments.get().to_owned()))
    }

    fn call_here(&self, state: &mut S, name: &str, arguments: Sent) -> Result<Value, ToolError> {
        self.core.call_here(state, name, arguments, || self.runtime_of_tools())
    }

    /// Reads a resource at once, on this thread, as a peer would, but without a deadline.
    ///
    /// # Errors
    ///
    /// As a peer would get them: no such resource, a wrong value in the URI, a function that failed.
    pub fn read_resource(&self, state: &mut S, uri: &str) -> Result<Content, ToolError> {
        self.core.read_here(state, uri, || self.runtime_of_tools())
    }

    /// Reads a state at once, on this thread; `player` says whose, where each player has an own one.
    ///
    /// # Errors
    ///
    /// As a peer would get them: no such state, a function that failed.
    pub fn state(&self, state: &mut S, name: &str, player: Option<&str>) -> Result<Value, ToolError> {
        self.core.state_here(state, name, player)
    }

    /// Sets a state at once, on this thread. Gives what holds then.
    ///
    /// # Errors
    ///
    /// As a peer would get them: no such state, one that cannot be set, a wrong value, a function that
    /// failed.
    pub fn set_state(
        &self,
        state: &mut S,
        name: &str,
        player: Option<&str>,
        value: Value,
    ) -> Result<Value, ToolError> {
        self.core.set_state_here(state, name, player, value)
    }

    /// What an agent sees: what the function with `#[observe]` returns, at once, on this thread.
    ///
    /// # Errors
    ///
    /// That there is no such function, or that it failed.
    pub fn observe(&self, state: &mut S) -> Result<Value, ToolError> {
        self.core.observe_here(state)
    }

    fn runtime_of_tools(&self) -> Result<Handle, ToolError> {
        let runtime = self.runtime();
        runtime.map_err(|error| ToolError::internal(format!("async tools have no thread: {error}")))
    }

    /// The runtime; what it begins ends with the host.
    fn runtime(&self) -> io::Result<Handle> {
        let mut runtime = lock(&self.runtime);
        if let Some(runtime) = &*runtime {
            return Ok(runtime.handle().clone());
        }
        let new = tokio::runtime::Builder::new_multi_thread()
            // One may be held by a tool that is not as quick as it was.
            .worker_threads(2)
            .thread_name("ludwire")
            .enable_all()
            .build()?;
        Ok(runtime.insert(new).handle().clone())
    }

    /// Adds tools while the game runs: all of them, or none.
    ///
    /// # Errors
    ///
    /// As [`Builder::build`] has them: names that meet, with those that are there, too, even disabled;
    /// and tools that need what the host does not hold.
    pub fn add_tools(&self, tools: Tools<S>) -> Result<(), BuildError> {
        if !tools.missing.is_empty() {
            return Err(BuildError::Setting(tools.missing.join("; ")));
        }
        left_out::lines::<S>(tools.left_out).iter().for_each(|line| tracing::info!("{line}"));
        self.core.registry.add(tools.offer, &self.core.held).map_err(BuildError::from)
    }

    /// Takes a tool away while the game runs. Calls that wait for it are told that it is not there;
    /// those that run go on. `false` when there is none of that name.
    pub fn remove_tool(&self, name: &str) -> bool {
        self.core.registry.remove(name)
    }

    /// Takes a tool away until [`Host::enable_tool`]: peers neither see it nor can call it, and no other
    /// takes its name. `false` when there is none of that name.
    pub fn disable_tool(&self, name: &str) -> bool {
        self.core.registry.enable(name, false)
    }

    /// Brings back what [`Host::disable_tool`] took. `false` when there is none of that name.
    pub fn enable_tool(&self, name: &str) -> bool {
        self.core.registry.enable(name, true)
    }

    /// Sends an event to every peer that has subscribed to its channel. Never waits.
    ///
    /// A payload that is not what its schema says (NaN, say) is logged and not sent; so is an event that
    /// the host does not have, because it was given no [`registered`](crate::registered) tools. In a release
    /// build, an event that nobody listens to is only counted.
    pub fn emit<E: Event>(&self, event: &E) {
        self.core.emit(event);
    }

    /// What the game reports to agents, which they acknowledge.
    pub fn attention(&self) -> Attentions {
        Attentions(Arc::clone(&self.core))
    }

    #[cfg(feature = "serve")]
    /// Where it can be reached, in the order of [`Builder::serve`].
    pub fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }
}

impl<S> Drop for Host<S> {
    fn drop(&mut self) {
        self.core.close();
        #[cfg(feature = "serve")]
        lock(&self.guards).clear();
        if let Some(runtime) = lock(&self.runtime).take() {
            // A tool that never returns must not hold the game back.
            runtime.shutdown_background();
        }
    }
}

impl<S> fmt::Debug for Host<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Host");
        shown.field("name", &self.core.name);
        #[cfg(feature = "serve")]
        shown.field("endpoints", &self.endpoints);
        shown.finish()
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clashes(clashes) => {
                let list: Vec<String> = clashes.iter().map(ToString::to_string).collect();
                f.write_str(&list.join("; "))
            }
            Self::Setting(text) => f.write_str(text),
            Self::Io { what, source } => write!(f, "{what}: {source}"),
        }
    }
}

impl From<Refused> for BuildError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Clashes(clashes) => Self::Clashes(clashes),
            Refused::Defects(defects) => Self::Setting(defects.join("; ")),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
