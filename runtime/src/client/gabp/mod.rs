//! GABP 1.0, asked.

mod events;
mod keeper;
mod link;

use super::{Backoff, ClientError, Options, Way};
use crate::random;
pub use events::Events;
use keeper::{Handle, State};
pub use ludwire_protocols::gabp::Requests;
use ludwire_protocols::gabp::{self, RuleError};
use ludwire_protocols::support::Uuid;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A connection to a game that has been said hello to. Clones share it, and may be used all at once; it ends
/// with the last of them, and of what they have subscribed to.
///
/// [`Requests`] has a method for each request of the protocol.
#[derive(Clone)]
pub struct Client {
    handle: Arc<Handle>,
    within: Duration,
}

/// What a client is to be, before it connects.
#[derive(Debug)]
pub struct Connect {
    way: Way,
    reconnect: Option<Backoff>,
    options: Options,
}

impl Client {
    /// Connects and says hello. When the connection ends, so does the client.
    ///
    /// # Errors
    ///
    /// When the game cannot be reached, or turns the token down.
    pub async fn connect(way: impl Into<Way>) -> Result<Self, ClientError> {
        Self::to(way).connect().await
    }

    /// The same, with more to say about it.
    pub fn to(way: impl Into<Way>) -> Connect {
        Connect { way: way.into(), reconnect: None, options: Options::default() }
    }

    /// The same connection, on which answers may take so long.
    pub fn within(&self, time: Duration) -> Self {
        Self { handle: Arc::clone(&self.handle), within: time }
    }

    /// What the game has said in its welcome; after the connection was made again, the last one.
    pub fn welcome(&self) -> Arc<gabp::SessionWelcomeResult> {
        self.handle.shared.welcome()
    }

    /// Calls a tool.
    ///
    /// # Errors
    ///
    /// When the game refuses, the tool fails, or no answer comes.
    pub async fn call(&self, name: &str, arguments: Map<String, Value>) -> Result<Value, ClientError> {
        let name = gabp::ToolName::try_from(name)
            .map_err(|error| ClientError::Protocol(format!("no name of a tool: {error}")))?;
        self.tools_call(gabp::ToolsCallParams::new(name).with_arguments(arguments)).await
    }

    /// Subscribes to events, until what is given is dropped. It [has](Events::channels) the channels that the
    /// game has of these.
    ///
    /// # Errors
    ///
    /// When the game refuses or no answer comes, and when a name is empty or stands twice.
    pub async fn subscribe(&self, channels: &[&str]) -> Result<Events, ClientError> {
        let params = subscription(channels.iter().copied())?;
        // What comes right behind the answer must find it there.
        let mut events = Events::new(Arc::clone(&self.handle), channels);
        events.keep(self.events_subscribe(params).await?.subscribed);
        Ok(events)
    }

    async fn ask<F>(&self, method: &str, request: F) -> Result<Vec<u8>, ClientError>
    where
        F: FnOnce(Uuid) -> serde_json::Result<Vec<u8>> + Send,
    {
        let deadline = Instant::now().checked_add(self.within);
        let too_late = || ClientError::TimedOut { method: method.to_owned(), within: self.within };
        let link = self.handle.shared.link();
        let link = match in_time(deadline, link).await {
            Some(link) => link?,
            None => return Err(self.handle.shared.why_down().unwrap_or_else(too_late)),
        };
        in_time(deadline, link.exchange(request)).await.unwrap_or_else(|| Err(too_late()))
    }
}

impl Requests for Client {
    type Error = ClientError;

    async fn exchange<F>(&self, method: &str, request: F) -> Result<Vec<u8>, ClientError>
    where
        F: FnOnce(Uuid) -> serde_json::Result<Vec<u8>> + Send,
    {
        self.ask(method, request).await
    }
}

impl Connect {
    /// Connects again whenever the connection ends, and subscribes again to what was subscribed to. What waits
    /// for an answer then fails; what is asked in the meantime waits for the connection, as long as it may.
    /// A connection that cannot be made at first is not tried again, nor one over
    /// [streams](Way::streams) or to a [process](Way::process).
    pub fn reconnect(self, backoff: Backoff) -> Self {
        Self { reconnect: Some(backoff), ..self }
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

    /// Events of a subscription that wait to be taken, 1024 unless set; then the oldest go, which leaves a gap
    /// in their `seq`.
    pub fn max_waiting_events(mut self, events: usize) -> Self {
        self.options.waiting = events.max(1);
        self
    }

    /// Connects and says hello.
    ///
    /// # Errors
    ///
    /// When the game cannot be reached, or turns the token down.
    pub async fn connect(self) -> Result<Client, ClientError> {
        let within = self.options.within;
        let handle = Handle::start(self.way, self.reconnect, self.options);
        handle.shared.link().await?;
        Ok(Client { handle, within })
    }
}

/// What a future gives before the deadline, if there is one.
async fn in_time<T>(deadline: Option<Instant>, future: impl Future<Output = T>) -> Option<T> {
    match deadline {
        Some(deadline) => tokio::time::timeout_at(deadline, future).await.ok(),
        None => Some(future.await),
    }
}

/// The parameters of a subscription.
fn subscription<'a>(
    channels: impl Iterator<Item = &'a str>,
) -> Result<gabp::EventsSubscribeParams, ClientError> {
    let wrong = |error: RuleError| ClientError::Protocol(format!("channels: {error}"));
    let names: Result<Vec<_>, _> = channels.map(gabp::NonEmptyString::try_from).collect();
    let channels = gabp::EventsSubscribeParamsChannels::try_from(names.map_err(wrong)?).map_err(wrong)?;
    Ok(gabp::EventsSubscribeParams::new(channels))
}

fn fresh_id() -> Result<Uuid, ClientError> {
    random::uuid().map_err(|error| ClientError::Unreachable(format!("no random numbers: {error}")))
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match &*self.handle.shared.state.borrow() {
            State::Up(_) => "connected",
            State::Down(_) => "not connected",
            State::Over(_) => "over",
        };
        f.debug_struct("Client").field("state", &state).field("within", &self.within).finish_non_exhaustive()
    }
}
