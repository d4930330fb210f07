//! What a session is told when it begins: the world, the terms, and the tools under their ids.

use super::connection::Shared;
use super::session::Session;
use super::settings::Settings;
use crate::dispatch::lock;
use crate::function::{Entry, Limits, Registered};
use crate::offer::flat;
use crate::registry::{Registry, nearest};
use crate::schema::shown;
use crate::tool::{Class, Tool};
use ludwire_protocols::aicc::{
    self, EventTopic, NonEmptyString, PositiveInteger, SessionInit, SessionInitTickRateHz, ToolClass, ToolId,
    ToolLimits, World,
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// The tools by id, as long as they are what the registry has.
pub(super) struct Catalog {
    changes: watch::Receiver<u64>,
    latest: Mutex<Option<(u64, Arc<ById>)>>,
}

type ById = BTreeMap<String, Arc<Entry<Tool>>>;

/// The sensor that gives what `#[observe]` does: AICC has no other way to look at a game than to call a
/// sensor. A tool of the game has two segments, so that none is in its way.
const OBSERVE: &str = "observe";

impl Catalog {
    pub(super) fn new(registry: &Registry) -> Self {
        Self { changes: registry.changes(), latest: Mutex::default() }
    }

    /// The tool of that id.
    ///
    /// # Errors
    ///
    /// That there is none, in words.
    pub(super) fn find(&self, registry: &Registry, id: &str) -> Result<Arc<Entry<Tool>>, String> {
        let tools = self.tools(registry);
        tools.get(id).cloned().ok_or_else(|| {
            let shown = shown(id);
            match nearest(id, tools.keys().map(String::as_str)) {
                Some(near) => format!("there is no tool `{shown}`, did you mean `{near}`?"),
                None => format!("there is no tool `{shown}`; the manifest lists those there are"),
            }
        })
    }

    /// All tools, by id.
    pub(super) fn tools(&self, registry: &Registry) -> Arc<ById> {
        let now = *self.changes.borrow();
        let mut latest = lock(&self.latest);
        match &*latest {
            Some((of, tools)) if *of == now => Arc::clone(tools),
            _ => {
                let all = registry.all().into_iter();
                let mut tools: ById = all.map(|entry| (flat(entry.declared.function.name), entry)).collect();
                let observation = registry.observation().map(sensor);
                tools.extend(observation.map(|sensor| (OBSERVE.to_owned(), Arc::new(sensor))));
                let tools = Arc::new(tools);
                *latest = Some((now, Arc::clone(&tools)));
                tools
            }
        }
    }
}

/// The observation as a tool.
fn sensor(function: Arc<Registered>) -> Entry<Tool> {
    let declared = Tool {
        function: function.function,
        title: None,
        class: Class::Sensor,
        tags: &[],
        deprecated: false,
        version: None,
    };
    Entry { declared, function }
}

impl Shared {
    /// All that a session is told when it begins.
    pub(super) fn session_init(&self, session: &Session) -> SessionInit {
        let Settings { world_name, world_kind, tick_rate, tick_mode, capabilities, .. } = &self.settings;
        let name = world_name.as_deref().unwrap_or(&self.core.name);
        let name = if name.is_empty() { "unnamed" } else { name };
        let (agent_model, topics) = session.terms();
        SessionInit {
            session_id: session.id,
            message_id: self.message_id(),
            tick_rate_hz: SessionInitTickRateHz::try_from(*tick_rate).expect("it was looked at before"),
            tick_mode: *tick_mode,
            world: World::new(NonEmptyString::try_from(name).expect("it is not empty"), *world_kind),
            agent_model,
            capabilities: capabilities.told(),
            tools: self
                .catalog
                .tools(&self.core.registry)
                .iter()
                .map(|(id, entry)| self.tool(id, entry))
                .collect(),
            event_subscriptions: Some(topics.iter().map(EventTopic::to_string).collect()),
        }
    }

    /// The same as a heartbeat has it when something has changed.
    pub(super) fn manifest_update(&self, session: &Session) -> Map<String, Value> {
        match serde_json::to_value(self.session_init(session)) {
            Ok(Value::Object(mut manifest)) => {
                manifest.retain(|name, _| name != "session_id" && name != "message_id");
                manifest
            }
            _ => unreachable!("no rule spans the members of a session_init"),
        }
    }

    fn tool(&self, id: &str, entry: &Entry<Tool>) -> aicc::Tool {
        let (function, options) = (&entry.function, &entry.declared.function.options);
        // There is room for one name: that which is in the way, if one is.
        let required = self.settings.capabilities.missing(options.requires);
        let required = required.or(options.requires.first().copied());
        aicc::Tool {
            id: ToolId::try_from(id).expect("the macro checks names"),
            class: match entry.declared.class {
                Class::Sensor => ToolClass::Sensor,
                Class::Actuator => ToolClass::Actuator,
                Class::Generator => ToolClass::Generator,
            },
            description: NonEmptyString::try_from(function.function.description)
                .unwrap_or_else(|_| NonEmptyString::try_from("What there is to see.").expect("it is a text")),
            input_schema: self.core.shown(&function.input_schema),
            output_schema: self.core.shown(&function.output_schema),
            limits: limits(options.limits),
            requires_capability: required.map(str::to_owned),
            strict_input: !options.lenient,
        }
    }
}

fn limits(limits: Limits) -> Option<ToolLimits> {
    let number = |limit: Option<u32>| limit.and_then(|limit| PositiveInteger::try_from(limit).ok());
    let limits = ToolLimits {
        calls_per_minute: number(limits.per_minute),
        calls_per_session: number(limits.per_session),
    };
    Some(limits).filter(|limits| *limits != ToolLimits::new())
}
