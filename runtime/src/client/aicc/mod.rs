//! AICC 0.1, the agent's side.

mod events;
mod link;
mod open;

use super::{ClientError, Options, Way};
use crate::random;
pub use events::Events;
use link::Link;
use ludwire_protocols::aicc::{
    CallId, EventTopic, Heartbeat, ManifestRequest, ModelClass, SessionClose, SessionInit, SessionResume,
    ToolCall, ToolId,
};
use ludwire_protocols::support::Uuid;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// A session with a game. Clones share it, and may be used all at once; the connection ends with the last of
/// them, and of their [`Events`].
///
/// ```standalone_crate
/// # use ludwire::client::{ClientError, Target, aicc::Client, block_on};
/// # use ludwire::{Aicc, Budget, Host, tool};
/// # use serde_json::{Map, json};
/// # struct World;
/// # /// Looks.
/// # #[tool("world/look", class = sensor)]
/// # fn look(_: &World) -> u32 { 7 }
/// # let host = Host::builder("Look", "1").tools(ludwire::registered::<World>());
/// # let host = host.serve(Aicc::websocket(0).without_token()).start()?;
/// # let address = host.endpoints()[0].address.clone();
/// # let agent = std::thread::spawn(move || block_on::<_, ClientError>(async {
/// let agent = Client::connect(Target::new(address, "")).await?;
/// assert_eq!(agent.manifest().tools[0].id.as_str(), "world_look");
/// let seen = agent.call("world_look", Map::new()).await?;
/// assert_eq!(seen["result"], json!(7));
/// agent.close("that was all").await?;
/// # Ok(())
/// # }));
/// # while !agent.is_finished() { host.run(&mut World, Budget::millis(4)); }
/// # agent.join().unwrap()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It answers heartbeats by itself, also while nothing is asked.
#[derive(Clone)]
pub struct Client {
    handle: Arc<Handle>,
    within: Duration,
}

/// What a client is to be, before it connects.
#[derive(Debug)]
pub struct Connect {
    way: Way,
    model: Option<ModelClass>,
    topics: Vec<EventTopic>,
    options: Options,
}

/// What clients and their events hold: the connection ends with it.
struct Handle {
    link: Arc<Link>,
    _alive: oneshot::Sender<()>,
}

impl Client {
    /// Connects and begins a session: over a WebSocket where the target is an address, over lines where it is a
    /// Unix socket.
    ///
    /// # Errors
    ///
    /// When the game cannot be reached, or turns the token down.
    pub async fn connect(way: impl Into<Way>) -> Result<Self, ClientError> {
        Self::to(way).connect().await
    }

    /// The same, with more to say about it.
    pub fn to(way: impl Into<Way>) -> Connect {
        Connect { way: way.into(), model: None, topics: Vec::new(), options: Options::default() }
    }

    /// The same session, in which answers may take so long.
    pub fn within(&self, time: Duration) -> Self {
        Self { handle: Arc::clone(&self.handle), within: time }
    }

    /// The world, the terms and the tools, as the game has told them last.
    pub fn manifest(&self) -> Arc<SessionInit> {
        self.handle.link.manifest()
    }

    /// The id of the session, to resume it with over another connection.
    pub fn session(&self) -> Uuid {
        self.manifest().session_id
    }

    /// Goes on with an earlier session in the place of this one. Calls that wait for their results go on in
    /// this one, and their results are lost.
    ///
    /// # Errors
    ///
    /// That it has ended: this one goes on then.
    pub async fn resume(&self, session: Uuid) -> Result<Arc<SessionInit>, ClientError> {
        let message = SessionResume::new(session, fresh_id()?);
        self.handle.link.ask_manifest(message.into(), session, "session_resume", self.within).await
    }

    /// Asks for the manifest.
    ///
    /// # Errors
    ///
    /// When the game goes, or no answer comes.
    pub async fn refresh(&self) -> Result<Arc<SessionInit>, ClientError> {
        let session = self.session();
        let message = ManifestRequest::new(session, fresh_id()?);
        self.handle.link.ask_manifest(message.into(), session, "manifest_request", self.within).await
    }

    /// Calls a tool by its id (`world_look`), and waits for its output.
    ///
    /// # Errors
    ///
    /// When the call fails, the game goes, or no result comes.
    pub async fn call(
        &self,
        tool: &str,
        input: Map<String, Value>,
    ) -> Result<Map<String, Value>, ClientError> {
        let tool = ToolId::try_from(tool)
            .map_err(|error| ClientError::Protocol(format!("no id of a tool: {error}")))?;
        // Calls of an earlier connection may still end: ids are of no other call.
        let id = fresh_id()?;
        let call = CallId::try_from(id.as_str()).expect("it is not empty");
        let message = ToolCall::new(self.session(), fresh_id()?, call, tool, input);
        self.handle.link.call(id.as_str(), message.into(), self.within).await
    }

    /// The events that come, as [`Connect::events`] has asked for them; for the first who asks, those that have
    /// come before.
    pub fn events(&self) -> Events {
        Events::new(Arc::clone(&self.handle))
    }

    /// Shows that the agent lives, which [`Client`] does by itself whenever the game asks for it.
    ///
    /// # Errors
    ///
    /// When the connection is over.
    pub async fn heartbeat(&self) -> Result<(), ClientError> {
        self.handle.link.send(Heartbeat::new(self.session(), fresh_id()?).into(), self.within).await
    }

    /// Ends the session, and waits until the game has closed the connection.
    ///
    /// # Errors
    ///
    /// When the connection ends otherwise than that asks for, or goes on.
    pub async fn close(&self, reason: &str) -> Result<(), ClientError> {
        let close = SessionClose::new(self.session(), fresh_id()?).with_reason(reason);
        self.handle.link.close(close.into(), self.within).await
    }
}

impl Connect {
    /// What the model behind the agent is. Only a WebSocket can tell.
    pub fn model(self, class: ModelClass) -> Self {
        Self { model: Some(class), ..self }
    }

    /// The topics that the agent wants to hear of; else what the game sends to those who do not say. Only a
    /// WebSocket can tell.
    pub fn events(self, topics: impl IntoIterator<Item = EventTopic>) -> Self {
        Self { topics: topics.into_iter().collect(), ..self }
    }

    /// How long an answer may take, 30 s unless set.
    pub fn within(mut self, time: Duration) -> Self {
        self.options.within = time;
        self
    }

    /// The largest message that is read, in bytes, 64 MiB unless set.
    pub fn max_message_size(mut self, bytes: usize) -> Self {
        self.options.largest = bytes;
        self
    }

    /// Events that wait to be taken, 1024 unless set; then the oldest go.
    pub fn max_waiting_events(mut self, events: usize) -> Self {
        self.options.waiting = events.max(1);
        self
    }

    /// Connects and begins a session.
    ///
    /// # Errors
    ///
    /// When the game cannot be reached, or turns the token down.
    pub async fn connect(self) -> Result<Client, ClientError> {
        let Self { mut way, model, topics, options } = self;
        let Options { within, largest, waiting } = options;
        let begun = async {
            let open = open::open(&mut way, model, &topics, largest).await?;
            Link::begin(open, waiting).await
        };
        let begun = tokio::time::timeout(within, begun).await;
        let too_late = || ClientError::TimedOut { method: "session_init".to_owned(), within };
        let (link, running) = begun.unwrap_or_else(|_| Err(too_late()))?;
        let (alive, gone) = oneshot::channel::<()>();
        tokio::spawn(async move {
            tokio::select! {
                () = running => {}
                // Nobody sends anything: the last handle is gone.
                _ = gone => {}
            }
        });
        Ok(Client { handle: Arc::new(Handle { link, _alive: alive }), within })
    }
}

fn fresh_id() -> Result<Uuid, ClientError> {
    random::uuid().map_err(|error| ClientError::Unreachable(format!("no random numbers: {error}")))
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let session = self.session();
        f.debug_struct("Client")
            .field("session", &session)
            .field("within", &self.within)
            .finish_non_exhaustive()
    }
}
