//! What a host has, said before there is one.

use super::{BuildError, Host};
#[cfg(feature = "serve")]
use super::{CoreHandle, Endpoint, FrontEnd, Listening, front_end::Announcement};
use crate::attention::Board;
#[cfg(feature = "serve")]
use crate::dispatch::lock;
use crate::dispatch::{Core, TOOL_TIMEOUT, WORKERS};
use crate::event::Event as _;
use crate::held::Held;
use crate::left_out::{self, LeftOut};
use crate::offer::Offer;
use crate::progress::Progress;
use crate::queue::Wake;
#[cfg(feature = "serve")]
use crate::random;
use crate::registry::{Registry, Tools};
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Says what a [`Host`] has.
pub struct Builder<S> {
    name: String,
    version: String,
    timeout: Duration,
    attention: bool,
    offer: Offer,
    workers: usize,
    methods: BTreeSet<String>,
    keeps_references: bool,
    coerces: bool,
    wake: Option<Wake>,
    held: Held,
    /// What is wrong with the settings so far.
    wrong: Vec<String>,
    /// What the program has for hosts of other states.
    left_out: Vec<LeftOut>,
    #[cfg(feature = "serve")]
    front_ends: Vec<Box<dyn FrontEnd>>,
    state: PhantomData<fn(&mut S)>,
}

impl<S: 'static> Builder<S> {
    pub(super) fn new(name: String, version: String) -> Self {
        Self {
            name,
            version,
            timeout: TOOL_TIMEOUT,
            attention: false,
            offer: Offer::default(),
            workers: WORKERS,
            methods: BTreeSet::new(),
            keeps_references: false,
            coerces: false,
            wake: None,
            held: Held::default(),
            wrong: Vec::new(),
            left_out: Vec::new(),
            #[cfg(feature = "serve")]
            front_ends: Vec::new(),
            state: PhantomData,
        }
    }

    /// Adds tools and what goes with them, usually [`registered`](crate::registered).
    pub fn tools(mut self, tools: Tools<S>) -> Self {
        self.offer.extend(tools.offer);
        self.wrong.extend(tools.missing);
        self.left_out.extend(tools.left_out);
        self
    }

    /// Holds a value for tools that take a [`&Res<T>`](crate::Res): one of each type.
    pub fn hold<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        if !self.held.add(value) {
            let name = std::any::type_name::<T>();
            self.wrong.push(format!("the host holds one value of each type, and is given two `{name}`"));
        }
        self
    }

    #[cfg(feature = "serve")]
    /// Serves a protocol. Where several front ends would write the same bridge file, the first one does.
    pub fn serve(mut self, front_end: impl FrontEnd + 'static) -> Self {
        self.front_ends.push(Box::new(front_end));
        self
    }

    /// How long a peer waits for a tool that does not say so itself; 25 s unless set.
    pub fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How many tools without state run at one time, 8 unless set. Of one caller 256 more may wait, and
    /// 1024 of all, who take turns; others are refused.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// Lets peers ask for this tool as a method of the game's own, too, where a protocol has methods: what
    /// GABP sends as `method` and `params` then are its name and arguments, and the result is its result. Its
    /// schemas stand in the list of tools. Names that begin as the protocol's own methods do are refused.
    ///
    /// ```standalone_crate
    /// # use ludwire::{Host, tool};
    /// /// Dances.
    /// #[tool("orcs/dance")]
    /// fn dance(fast: bool) -> bool {
    ///     fast
    /// }
    ///
    /// let host = Host::<()>::builder("Orcs", "1").tools(ludwire::registered()).method("orcs/dance").build()?;
    /// # assert!(Host::<()>::builder("Orcs", "1").tools(ludwire::registered()).method("orcs/dnce").build().is_err());
    /// # Ok::<(), ludwire::BuildError>(())
    /// ```
    pub fn method(mut self, tool: impl Into<String>) -> Self {
        self.methods.insert(tool.into());
        self
    }

    /// Shows peers schemas of tools in which a type that stands more than once is written once, in `$defs`, and
    /// referred to: shorter lists, for agents that follow references. Otherwise only types that contain
    /// themselves are referred to, and all others are written out wherever they stand.
    pub fn keep_references(mut self) -> Self {
        self.keeps_references = true;
        self
    }

    /// Reads a text as the JSON in it where no text is meant: `"3"` for a `u32`, `"{\"x\":1}"` for a struct, at
    /// every depth. For agents that write arguments so; otherwise such a text is an error. Where a text is one
    /// of the things that are meant, it is a text.
    ///
    /// ```standalone_crate
    /// # use ludwire::{Host, tool};
    /// # use serde_json::json;
    /// /// Repeats a text.
    /// #[tool("chat/repeat")]
    /// fn repeat(text: &str, times: u32) -> String {
    ///     text.repeat(times as usize)
    /// }
    ///
    /// let host = Host::<()>::builder("Chat", "1").tools(ludwire::registered()).coerce_arguments().build()?;
    /// let repeated = host.call(&mut (), "chat/repeat", json!({ "text": "12", "times": "3" }));
    /// assert_eq!(repeated, Ok(json!({ "result": "121212" })));
    /// # let host = Host::<()>::builder("Chat", "1").tools(ludwire::registered()).build()?;
    /// # assert!(host.call(&mut (), "chat/repeat", json!({ "text": "12", "times": "3" })).is_err());
    /// # Ok::<(), ludwire::BuildError>(())
    /// ```
    pub fn coerce_arguments(mut self) -> Self {
        self.coerces = true;
        self
    }

    /// Calls `wake` when something waits for [`Host::run`] and nothing did before, for an engine that sleeps
    /// while there is nothing to do. It is called on any thread and must not wait. An engine that sleeps
    /// although [`Ran::waiting`](crate::Ran::waiting) is not 0 is not woken for that.
    pub fn on_wake(mut self, wake: impl Fn() + Send + Sync + 'static) -> Self {
        self.wake = Some(Box::new(wake));
        self
    }

    /// Lets peers see how far running tools are ([`Call::progress`](crate::Call::progress)), on the channel
    /// `tool/progress`.
    pub fn progress(mut self) -> Self {
        self.offer.events.push(Progress::declaration());
        self
    }

    /// Lets peers see what [`Host::attention`] reports. Bridges then ask for it before every call, and hold
    /// calls back while something blocks: only for a game that clears what it has reported.
    pub fn attention(mut self) -> Self {
        self.attention = true;
        self
    }

    /// A host without a listener, for tests and documentation.
    ///
    /// # Errors
    ///
    /// When names of tools meet, a tool contradicts itself in what the compiler cannot see, or a setting
    /// is refused, also one of what [`Builder::serve`] was given. What agents will only miss, such as a
    /// description, is a warning in the game's log.
    #[cfg_attr(not(feature = "serve"), expect(unused_mut, reason = "only front ends are taken out of it"))]
    pub fn build(mut self) -> Result<Host<S>, BuildError> {
        #[cfg(feature = "serve")]
        self.take_front_ends();
        if !self.wrong.is_empty() {
            return Err(BuildError::Setting(self.wrong.join("; ")));
        }
        let left_out = left_out::lines::<S>(self.left_out);
        if !self.offer.tools.is_empty() {
            left_out.iter().for_each(|line| tracing::info!("{line}"));
        } else if left_out.is_empty() {
            tracing::warn!(
                "the host has no tools: `.tools(ludwire::registered())` gives it those of the program"
            );
        } else {
            tracing::warn!("the host has no tools; {}", left_out.join("; "));
        }
        let registry = Registry::default();
        registry.add(self.offer, &self.held)?;
        let wrong: Vec<String> =
            self.methods.iter().filter_map(|method| no_method(&registry, method)).collect();
        if !wrong.is_empty() {
            return Err(BuildError::Setting(wrong.join("; ")));
        }
        let core = Core::new(self.name, self.version, registry, self.held, self.timeout);
        let mut core = core.with(self.workers, self.wake);
        core.methods = self.methods;
        core.keeps_references = self.keeps_references;
        core.coerces = self.coerces;
        if self.attention {
            core.attention = Board::turned_on();
        }
        let core = Arc::new(core);
        Ok(Host {
            core,
            #[cfg(feature = "serve")]
            endpoints: Vec::new(),
            runtime: Mutex::default(),
            #[cfg(feature = "serve")]
            guards: Mutex::default(),
            state: PhantomData,
        })
    }

    #[cfg(feature = "serve")]
    /// Takes out what was to be served, and notes what is wrong with it.
    fn take_front_ends(&mut self) -> Vec<Box<dyn FrontEnd>> {
        let front_ends = std::mem::take(&mut self.front_ends);
        self.wrong.extend(front_ends.iter().flat_map(|front_end| front_end.wrong(&self.methods)));
        front_ends
    }

    #[cfg(feature = "serve")]
    /// A host that listens, in a thread of its own. One that serves nothing is a warning.
    ///
    /// # Errors
    ///
    /// When names of tools meet, a setting is refused, or an address cannot be listened on. The bridge file
    /// of a game that runs, and standard output, are what they were then.
    pub fn start(mut self) -> Result<Host<S>, BuildError> {
        let front_ends = self.take_front_ends();
        if front_ends.is_empty() {
            tracing::warn!("the host serves nothing: `.serve(Gabp::from_env())` lets agents in");
        }
        let mut host = self.build()?;
        let io_error = |what: &str| {
            let what = what.to_owned();
            move |source| BuildError::Io { what, source }
        };
        let runtime = host.runtime().map_err(io_error("starting the network thread"))?;
        runtime.spawn(crate::task::shared(host.core.events.clone().hand_out()));
        host.core.quick_ones.run_on(runtime.clone());
        let fresh_token = random::token().map_err(io_error("making a token"))?;
        let handle = CoreHandle { core: Arc::clone(&host.core), fresh_token };
        let entered = runtime.enter();
        let (mut announcements, mut beginnings) = (Vec::new(), Vec::new());
        for front_end in front_ends {
            let Listening { protocol, address, guard, announcement, begin } =
                front_end.listen(handle.clone())?;
            lock(&host.guards).extend(guard);
            announcements.push(announcement);
            beginnings.extend(begin);
            host.endpoints.push(Endpoint { protocol, address, bridge_file: None });
        }
        for (at, announcement) in announcements.into_iter().enumerate() {
            let Some(Announcement { path, write }) = announcement else { continue };
            if host.endpoints.iter().any(|endpoint| endpoint.bridge_file.as_ref() == Some(&path)) {
                continue;
            }
            let file = write(&path).map_err(io_error(&format!("writing {}", path.display())))?;
            lock(&host.guards).push(file);
            host.endpoints[at].bridge_file = Some(path);
        }
        beginnings.into_iter().try_for_each(|begin| begin())?;
        drop(entered);
        Ok(host)
    }
}

/// Why a tool can be no method of the game's own.
fn no_method(registry: &Registry, method: &str) -> Option<String> {
    registry.get(method).is_none().then(|| format!("no method of the game: {}", registry.unknown(method)))
}
