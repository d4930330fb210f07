//! The methods of GABP. Who may ask for which, the session has decided before.

use super::failures::{error, of_state, of_tool};
use super::glob::glob;
use super::session::{Asked, Session};
use super::{attention, companions};
use crate::arguments::Sent;
use crate::call::Course;
use crate::dispatch::lock;
use crate::error::ToolError;
use crate::schema::{At, Cursor, member};
use ludwire_protocols::gabp::{self, EnvelopeError, Message, error_codes, methods};
use serde_json::{Map, Value};

impl gabp::Service for Asked {
    async fn session_hello(
        &self,
        hello: gabp::ReceivedSessionHelloParams,
    ) -> Result<gabp::SessionWelcomeResult, EnvelopeError> {
        // Before it comes in: what cannot be greeted stays outside.
        let greeting = self.greeting()?;
        self.welcome(hello.token.as_str()).await?;
        Ok(greeting)
    }

    async fn session_ping(&self, _: Map<String, Value>) -> Result<Value, EnvelopeError> {
        Ok(Value::Object(Map::new()))
    }

    async fn session_goodbye(&self, goodbye: gabp::SessionGoodbyeParams) -> Result<Value, EnvelopeError> {
        tracing::debug!(caller = ?self.caller, reason = goodbye.reason, "a peer says goodbye");
        self.end();
        Ok(Value::Object(Map::new()))
    }

    async fn tools_list(&self, list: gabp::ToolsListParams) -> Result<gabp::ToolsListResult, EnvelopeError> {
        let filter = list.filter.unwrap_or_default();
        let tools = self
            .shared
            .core
            .registry
            .all()
            .iter()
            .map(|registered| companions::tool(registered, &self.shared.core))
            .filter(|tool| {
                filter.name_pattern.as_deref().is_none_or(|pattern| glob(pattern, tool.name.as_str()))
            })
            .filter(|tool| {
                filter.tags.as_ref().is_none_or(|wanted| {
                    wanted.iter().all(|tag| tool.tags.as_ref().is_some_and(|tags| tags.contains(tag)))
                })
            })
            .collect();
        Ok(gabp::ToolsListResult { tools })
    }

    async fn tools_get(&self, get: gabp::ToolsGetParams) -> Result<gabp::ToolsGetResult, EnvelopeError> {
        let (registry, name) = (&self.shared.core.registry, get.name.as_str());
        match registry.get(name) {
            Some(registered) => {
                Ok(gabp::ToolsGetResult { tool: companions::tool(&registered, &self.shared.core) })
            }
            None => Err(error(error_codes::TOOL_NOT_FOUND, &registry.unknown(name))),
        }
    }

    async fn tools_call(&self, call: gabp::ReceivedToolsCallParams) -> Result<Value, EnvelopeError> {
        self.call(call.name.as_str(), self.arguments()).await
    }

    async fn events_list(&self, _: Map<String, Value>) -> Result<gabp::EventsListResult, EnvelopeError> {
        companions::events(&self.shared.core).map(gabp::EventsListResult::new)
    }

    async fn events_subscribe(
        &self,
        subscribe: gabp::EventsSubscribeParams,
    ) -> Result<gabp::EventsSubscribeResult, EnvelopeError> {
        let channels = subscribe.channels.into_inner().into_iter().map(gabp::NonEmptyString::into_string);
        let is_there = |channel: &String| self.shared.core.has_channel(channel);
        let subscribed: Vec<String> = channels.filter(is_there).collect();
        self.subscriber.subscribe(subscribed.iter().cloned());
        Ok(gabp::EventsSubscribeResult { subscribed })
    }

    async fn events_unsubscribe(
        &self,
        unsubscribe: gabp::EventsUnsubscribeParams,
    ) -> Result<gabp::EventsUnsubscribeResult, EnvelopeError> {
        let channels = unsubscribe.channels.into_inner().into_iter().map(gabp::NonEmptyString::into_string);
        Ok(gabp::EventsUnsubscribeResult { unsubscribed: self.subscriber.unsubscribe(channels) })
    }

    async fn attention_current(
        &self,
        _: gabp::AttentionCurrentParams,
    ) -> Result<gabp::AttentionCurrentResult, EnvelopeError> {
        let current = self.shared.core.attention.current();
        Ok(gabp::AttentionCurrentResult { attention: current.map(attention::item) })
    }

    async fn attention_ack(
        &self,
        ack: gabp::AttentionAckParams,
    ) -> Result<gabp::AttentionAckResult, EnvelopeError> {
        let core = &self.shared.core;
        let acknowledged = core.attention.clear(ack.attention_id.as_str(), &core.events);
        Ok(gabp::AttentionAckResult {
            acknowledged,
            attention_id: ack.attention_id,
            current_attention: core.attention.current().map(attention::item),
        })
    }

    async fn resources_list(
        &self,
        list: gabp::ResourcesListParams,
    ) -> Result<gabp::ResourcesListResult, EnvelopeError> {
        Ok(gabp::ResourcesListResult::new(companions::resources(&self.shared.core, &list)))
    }

    async fn resources_read(
        &self,
        read: gabp::ResourcesReadParams,
    ) -> Result<gabp::ResourcesReadResult, EnvelopeError> {
        companions::read(&self.shared.core, read, self.caller.clone()).await
    }

    async fn state_get(
        &self,
        get: Option<gabp::StateGetParams>,
    ) -> Result<gabp::StateGetResult, EnvelopeError> {
        companions::state(&self.shared.core, get.unwrap_or_default(), self.caller.clone()).await
    }

    async fn state_set(&self, set: gabp::StateSetParams) -> Result<gabp::StateSetResult, EnvelopeError> {
        // Of members that stand twice, the type has the last.
        let updates = At::Member(&At::Root, "updates");
        let mut problems = Vec::new();
        self.sent("updates").and_then(|text| Cursor::new(text).value(updates, &mut problems));
        if !problems.is_empty() {
            return Err(of_state(&ToolError::invalid(problems)));
        }
        companions::set_state(&self.shared.core, set, self.caller.clone()).await
    }

    /// A method of the game's own is a tool.
    async fn other(&self, method: gabp::MethodName, _: Map<String, Value>) -> Result<Value, EnvelopeError> {
        self.call(method.as_str(), self.own_arguments()).await
    }

    /// A result that is too large is refused with its size.
    fn written(&self, method: &str, response: serde_json::Result<Vec<u8>>) -> Result<Vec<u8>, EnvelopeError> {
        let response = response.map_err(|wrong| {
            tracing::error!(method, error = %wrong, "an answer could not be written");
            let text = "the answer could not be written; the game's log says why";
            error(error_codes::INTERNAL_ERROR, text)
        })?;
        let largest = self.shared.limits.message;
        if response.len() <= largest {
            tracing::trace!(caller = ?self.caller, method, body = %String::from_utf8_lossy(&response), "answered");
            return Ok(response);
        }
        let size = response.len();
        let text = match method {
            methods::STATE_SET => companions::set_in_short(&response, largest),
            // It has an effect for all that.
            methods::TOOLS_CALL => format!(
                "the tool has run, but its result has {size} bytes, and at most {largest} can be sent; ask for less, in \
                 parts if need be"
            ),
            _ => format!(
                "the result has {size} bytes, at most {largest} can be sent; ask for less, in parts if need be"
            ),
        };
        let code = match method {
            methods::TOOLS_CALL => error_codes::TOOL_EXECUTION_FAILED,
            _ => error_codes::INTERNAL_ERROR,
        };
        Err(error(code, &text))
    }
}

impl Session {
    /// What a peer is told that has shown the token.
    fn greeting(&self) -> Result<gabp::SessionWelcomeResult, EnvelopeError> {
        let core = &self.shared.core;
        let text =
            |text: &str| gabp::NonEmptyString::try_from(if text.is_empty() { "unknown" } else { text });
        let (agent_id, name, version) = (text(&self.shared.agent_id), text(&core.name), text(&core.version));
        let (Ok(agent_id), Ok(name), Ok(version)) = (agent_id, name, version) else {
            return Err(error(error_codes::INTERNAL_ERROR, "the host has no name"));
        };
        let schema_version =
            gabp::SchemaVersion::try_from(gabp::SCHEMA_VERSION).expect("the constant fits its own schema");
        let app = gabp::AppInfo { name, version };
        let welcome = gabp::SessionWelcomeResult::new(agent_id, app, self.capabilities(), schema_version);
        Ok(gabp::SessionWelcomeResult { observed: self.shared.observed.clone(), ..welcome })
    }

    /// What this host offers, and nothing else.
    fn capabilities(&self) -> gabp::Capabilities {
        let core = &self.shared.core;
        let all = methods::ALL.iter().copied().chain(core.methods.iter().map(String::as_str));
        let offered: Vec<_> = all
            .filter(|method| self.offers(method))
            .filter_map(|method| gabp::MethodName::try_from(method).ok())
            .collect();
        let bounds = self.shared.limits;
        let limits = gabp::Limits {
            max_message_size: gabp::LimitsMaxMessageSize::try_from(bounds.message as u64).ok(),
            max_concurrent_requests: gabp::PositiveInteger::try_from(bounds.requests as u64).ok(),
            request_timeout: gabp::PositiveInteger::try_from(core.timeout.as_secs().max(1)).ok(),
        };
        let (channels, resources) = (core.channels(), companions::readable(core));
        gabp::Capabilities {
            methods: gabp::CapabilitiesMethods::try_from(offered).ok(),
            events: gabp::CapabilitiesEvents::try_from(channels).ok().filter(|channels| !channels.is_empty()),
            resources: gabp::CapabilitiesResources::try_from(resources).ok().filter(|all| !all.is_empty()),
            limits: Some(limits),
            ..gabp::Capabilities::default()
        }
    }
}

impl Asked {
    /// Calls a tool, unless it is known already how that ends.
    async fn call(&self, name: &str, arguments: Sent) -> Result<Value, EnvelopeError> {
        let ended = lock(&self.ended).take();
        let called = match ended {
            Some(result) => result,
            None => {
                let course = Course::of_connection(&self.gone);
                self.shared.core.call(name, arguments, self.caller.clone(), course).await
            }
        };
        called.map_err(|failed| of_tool(&failed))
    }

    /// The arguments of a tools/call.
    fn arguments(&self) -> Sent {
        let found = self.arguments.clone().and_then(|range| std::str::from_utf8(self.body.get(range)?).ok());
        // Without these it has none, or is written in an odd way.
        let found = found.or_else(|| self.sent("arguments").or_else(|| self.sent("parameters")));
        Sent::Text(found.unwrap_or("{}").to_owned())
    }

    /// The arguments of a method of the game's own.
    fn own_arguments(&self) -> Sent {
        Sent::Text(self.params().unwrap_or("{}").to_owned())
    }

    /// The arguments of the tool that a message calls.
    pub(super) fn arguments_of(&self, message: &Message) -> Sent {
        match message {
            Message::ToolsCallRequest(_) => self.arguments(),
            _ => self.own_arguments(),
        }
    }

    fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.body).ok()
    }

    /// The parameters of a request that is right, as they are written.
    fn params(&self) -> Option<&str> {
        member(self.text()?, "params")
    }

    /// One of them, which somebody reads who wants to see all that stands there.
    fn sent(&self, name: &str) -> Option<&str> {
        member(self.params()?, name)
    }
}
