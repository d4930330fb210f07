//! What the host says of its world, and what agents may take.

use crate::dispatch::lock;
use crate::tool::Class;
use ludwire_protocols::aicc::{self, AgentModel, EventTopic, ModelClass, TickMode, WorldKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// `None`: that of the game.
    pub(super) world_name: Option<String>,
    pub(super) world_kind: WorldKind,
    pub(super) tick_rate: f64,
    pub(super) tick_mode: TickMode,
    /// Of agents that do not say what they are.
    pub(super) model: AgentModel,
    /// What agents get that do not say what they want.
    pub(super) topics: BTreeSet<EventTopic>,
    pub(super) capabilities: Capabilities,
    pub(super) limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            world_name: None,
            world_kind: WorldKind::Abstract,
            tick_rate: 60.0,
            tick_mode: TickMode::Fixed,
            model: AgentModel::new(ModelClass::CloudLarge),
            topics: BTreeSet::new(),
            capabilities: Capabilities::default(),
            limits: Limits::default(),
        }
    }
}

/// What agents may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Bytes of a message, either way.
    pub(super) message: usize,
    /// Connections at one time.
    pub(super) connections: usize,
    /// Calls of a session that run or whose results the agent has not taken.
    pub(super) calls: usize,
    /// How long the handshake of a connection may take.
    pub(super) handshake_within: Duration,
    /// How long an agent may take nothing of what waits for it.
    pub(super) read_within: Duration,
    /// A heartbeat is sent when nothing else was for so long.
    pub(super) heartbeat: Duration,
    /// An agent of which nothing is heard for so long is gone.
    pub(super) dead_after: Duration,
    /// How long a session waits for an agent that has lost its connection.
    pub(super) resume_within: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            message: 1 << 20,
            connections: 10,
            calls: 128,
            handshake_within: Duration::from_secs(5),
            read_within: Duration::from_secs(10),
            heartbeat: Duration::from_secs(15),
            dead_after: Duration::from_secs(60),
            resume_within: Duration::from_secs(60),
        }
    }
}

/// What agents are allowed, by class of tool: a tool with `requires` can be called while all that it
/// requires is here.
///
/// A clone is another handle of the same: give one to [`Aicc::capabilities`](crate::Aicc::capabilities),
/// and keep one to change what agents may do while the game runs. They are told of it.
///
/// ```standalone_crate
/// use ludwire::{Aicc, Capabilities, Class};
///
/// let capabilities = Capabilities::new();
/// capabilities.allow(Class::Sensor, "farm:read");
/// let front_end = Aicc::websocket(0).capabilities(&capabilities);
/// // Later, when the agent has earned it:
/// capabilities.allow(Class::Actuator, "farm:write");
/// capabilities.forbid("farm:read");
/// assert_eq!(capabilities.allowed(Class::Sensor), [""; 0]);
/// # let _ = front_end;
/// ```
#[derive(Clone, Debug, Default)]
pub struct Capabilities(Arc<Allowed>);

#[derive(Debug, Default)]
struct Allowed {
    names: Mutex<BTreeMap<String, Class>>,
    /// Counts changes.
    changes: watch::Sender<u64>,
}

impl Capabilities {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows what has this name, which stands with the tools of this class.
    pub fn allow(&self, class: Class, name: impl Into<String>) {
        let before = lock(&self.0.names).insert(name.into(), class);
        if before != Some(class) {
            self.0.changes.send_modify(|count| *count += 1);
        }
    }

    /// Forbids what has this name. `false` when it was not allowed.
    pub fn forbid(&self, name: &str) -> bool {
        let was_there = lock(&self.0.names).remove(name).is_some();
        if was_there {
            self.0.changes.send_modify(|count| *count += 1);
        }
        was_there
    }

    /// The names of what is allowed in a class.
    pub fn allowed(&self, class: Class) -> Vec<String> {
        let names = lock(&self.0.names);
        names.iter().filter(|(_, of)| **of == class).map(|(name, _)| name.clone()).collect()
    }

    /// The first of these that is not allowed.
    pub(super) fn missing<'a>(&self, required: &[&'a str]) -> Option<&'a str> {
        if required.is_empty() {
            return None;
        }
        let names = lock(&self.0.names);
        required.iter().find(|name| !names.contains_key(**name)).copied()
    }

    /// As a message has them.
    pub(super) fn told(&self) -> aicc::Capabilities {
        aicc::Capabilities::new(
            self.allowed(Class::Sensor),
            self.allowed(Class::Actuator),
            self.allowed(Class::Generator),
        )
    }

    /// Tells when something was allowed or forbidden.
    pub(super) fn changes(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }
}

/// What a connection says of its agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wishes {
    pub(super) model: Option<ModelClass>,
    pub(super) topics: Option<BTreeSet<EventTopic>>,
}

impl Wishes {
    /// Those in the query of a URL. What is no class of models is as none, and so is what is no topic: the
    /// session_init says what holds.
    pub(super) fn of_query(query: &str) -> Self {
        let mut wishes = Self::default();
        for (name, value) in query.split('&').filter_map(|part| part.split_once('=')) {
            let value = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
            match name {
                "model" => wishes.model = ModelClass::try_from(&*value).ok(),
                "events" => {
                    let topics = value.split(',').filter_map(|topic| EventTopic::try_from(topic.trim()).ok());
                    wishes.topics = Some(topics.collect());
                }
                _ => {}
            }
        }
        wishes
    }
}

#[cfg(test)]
mod tests {
    use super::Wishes;
    use ludwire_protocols::aicc::{EventTopic, ModelClass};

    #[test]
    fn queries_say_what_an_agent_wants() {
        let wishes = Wishes::of_query("model=edge_small&events=tick%2Caudio,nonsense, tick");
        assert_eq!(wishes.model, Some(ModelClass::EdgeSmall));
        let topics: Vec<_> = wishes.topics.into_iter().flatten().collect();
        assert_eq!(topics, [EventTopic::Tick, EventTopic::Audio]);
        assert_eq!(Wishes::of_query("model=huge&event=tick&&="), Wishes::default());
        assert_eq!(Wishes::of_query("events=").topics.map(|topics| topics.len()), Some(0));
    }
}
