//! One connection's session: what each message means, and its answer.

use super::framing::LARGEST_MESSAGE;
use super::server::{MOST_REQUESTS, Shared};
use crate::arguments::Sent;
use crate::call::Caller;
use crate::error::{ToolError, ToolErrorKind};
use crate::events::{Event, Subscriber};
use crate::host::tool_object;
use crate::random;
use crate::schema::member;
use ludwire_protocols::gabp::{self, Message, error_codes, methods};
use ludwire_protocols::support::{DecodeError, Uuid};
use serde::Serialize;
use serde_json::Value;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use subtle::ConstantTimeEq as _;

/// What follows from a message. Bodies are JSON, without the frame's header.
pub(super) enum Next {
    Answer(Vec<u8>),
    AnswerAndClose(Vec<u8>),
    /// The answer comes when a tool is done.
    Call(Pin<Box<dyn Future<Output = Vec<u8>> + Send>>),
    Nothing,
}

pub(super) struct Session {
    shared: Arc<Shared>,
    subscriber: Arc<Subscriber>,
    caller: Caller,
    welcome: bool,
}

impl Session {
    pub(super) fn new(shared: Arc<Shared>, subscriber: Arc<Subscriber>, caller: Caller) -> Self {
        Self { shared, subscriber, caller, welcome: false }
    }

    /// Whether the peer has shown the token.
    pub(super) fn is_welcome(&self) -> bool {
        self.welcome
    }

    /// Takes a message.
    pub(super) fn take(&mut self, body: &[u8]) -> Next {
        let message = match gabp::decode(body) {
            Ok(message) => message,
            Err(error) => {
                let answer = refused(body, &error);
                // A stranger has one try.
                return if self.welcome { Next::Answer(answer) } else { Next::AnswerAndClose(answer) };
            }
        };
        match message {
            Message::SessionHelloRequest(hello) => self.hello(&hello),
            _ if !self.welcome => {
                let id = id_of(body).unwrap_or(Uuid::NIL);
                let text = "say session/hello first, with the token";
                Next::AnswerAndClose(failure(id, error_codes::AUTHENTICATION_REQUIRED, text, None))
            }
            Message::ToolsListRequest(list) => Next::Answer(self.tools(&list)),
            Message::ToolsCallRequest(call) => self.call(call, body),
            Message::EventsSubscribeRequest(request) => Next::Answer(self.subscribe(request)),
            Message::EventsUnsubscribeRequest(request) => Next::Answer(self.unsubscribe(request)),
            Message::Request(request) => Next::Answer(unknown_method(request.id, request.method.as_str())),
            // A bridge has no business to answer or to send events; there is nothing to say to it.
            Message::Response(_) | Message::Event(_) | Message::AttentionEvent(_) => Next::Nothing,
            other => {
                let id = id_of(body).unwrap_or(Uuid::NIL);
                let method = other.name().trim_end_matches(" request");
                Next::Answer(unknown_method(id, method))
            }
        }
    }

    fn hello(&mut self, hello: &gabp::ReceivedSessionHelloRequest) -> Next {
        let token = hello.params.token.as_str();
        if !bool::from(token.as_bytes().ct_eq(self.shared.token.as_bytes())) {
            let text = "this is not the token; it stands in the bridge file";
            return Next::AnswerAndClose(failure(hello.id, error_codes::AUTHENTICATION_FAILED, text, None));
        }
        self.welcome = true;
        Next::Answer(self.welcome(hello.id))
    }

    fn welcome(&self, id: Uuid) -> Vec<u8> {
        let core = &self.shared.core;
        let text =
            |text: &str| gabp::NonEmptyString::try_from(if text.is_empty() { "unknown" } else { text });
        let offered = [
            methods::SESSION_HELLO,
            methods::TOOLS_LIST,
            methods::TOOLS_CALL,
            methods::EVENTS_SUBSCRIBE,
            methods::EVENTS_UNSUBSCRIBE,
        ];
        let offered =
            offered.iter().filter_map(|method| gabp::MethodName::try_from(*method).ok()).collect::<Vec<_>>();
        let limits = gabp::Limits {
            max_message_size: gabp::LimitsMaxMessageSize::try_from(LARGEST_MESSAGE as u64).ok(),
            max_concurrent_requests: gabp::PositiveInteger::try_from(MOST_REQUESTS as u64).ok(),
            request_timeout: gabp::PositiveInteger::try_from(core.timeout.as_secs().max(1)).ok(),
        };
        let capabilities = gabp::Capabilities {
            methods: gabp::CapabilitiesMethods::try_from(offered).ok(),
            limits: Some(limits),
            ..gabp::Capabilities::default()
        };
        let (agent_id, name, version) = (text(&self.shared.agent_id), text(&core.name), text(&core.version));
        let (Ok(agent_id), Ok(name), Ok(version)) = (agent_id, name, version) else {
            return failure(id, error_codes::INTERNAL_ERROR, "the host has no name", None);
        };
        let schema_version =
            gabp::SchemaVersion::try_from(gabp::SCHEMA_VERSION).expect("the constant fits its own schema");
        let result = gabp::SessionWelcomeResult::new(
            agent_id,
            gabp::AppInfo { name, version },
            capabilities,
            schema_version,
        );
        body(&gabp::SessionWelcomeResponse { id, result }, id)
    }

    fn tools(&self, list: &gabp::ToolsListRequest) -> Vec<u8> {
        let filter = list.params.filter.clone().unwrap_or_default();
        let tools = self
            .shared
            .core
            .registry
            .all()
            .iter()
            .map(|registered| tool_object(registered))
            .filter(|tool| {
                filter.name_pattern.as_deref().is_none_or(|pattern| glob(pattern, tool.name.as_str()))
            })
            .filter(|tool| {
                filter.tags.as_ref().is_none_or(|wanted| {
                    wanted.iter().all(|tag| tool.tags.as_ref().is_some_and(|tags| tags.contains(tag)))
                })
            })
            .collect();
        body(&gabp::ToolsListResponse { id: list.id, result: gabp::ToolsListResult { tools } }, list.id)
    }

    fn call(&self, call: gabp::ReceivedToolsCallRequest, body: &[u8]) -> Next {
        let core = Arc::clone(&self.shared.core);
        let caller = self.caller.clone();
        let arguments = arguments(body);
        Next::Call(Box::pin(async move {
            let id = call.id;
            match core.call(call.params.name.as_str(), arguments, caller).await {
                Ok(result) => called(id, result),
                Err(error) => failure(id, code(&error), error.message(), error.data()),
            }
        }))
    }

    fn subscribe(&self, request: gabp::EventsSubscribeRequest) -> Vec<u8> {
        let subscribed: Vec<String> =
            request.params.channels.into_inner().into_iter().map(gabp::NonEmptyString::into_string).collect();
        self.subscriber.subscribe(subscribed.iter().cloned());
        let id = request.id;
        body(&gabp::EventsSubscribeResponse { id, result: gabp::EventsSubscribeResult { subscribed } }, id)
    }

    fn unsubscribe(&self, request: gabp::EventsUnsubscribeRequest) -> Vec<u8> {
        let channels =
            request.params.channels.into_inner().into_iter().map(gabp::NonEmptyString::into_string);
        let unsubscribed = self.subscriber.unsubscribe(channels);
        let id = request.id;
        body(
            &gabp::EventsUnsubscribeResponse { id, result: gabp::EventsUnsubscribeResult { unsubscribed } },
            id,
        )
    }
}

/// The arguments in a tools/call that is right, as they are written: the tool reads them itself.
fn arguments(body: &[u8]) -> Sent {
    let params = std::str::from_utf8(body).ok().and_then(|body| member(body, "params"));
    // Some bridges have another name for them.
    let given =
        params.and_then(|params| member(params, "arguments").or_else(|| member(params, "parameters")));
    Sent::Text(given.unwrap_or("{}").to_owned())
}

/// The answer to a tools/call; a result that is too large is refused with its size.
fn called(id: Uuid, result: Value) -> Vec<u8> {
    let answer = body(&gabp::ToolsCallResponse { id, result: Some(result), error: None }, id);
    if answer.len() <= LARGEST_MESSAGE {
        return answer;
    }
    let text = format!(
        "the result has {} bytes, at most {LARGEST_MESSAGE} can be sent; ask for less, in parts if need be",
        answer.len()
    );
    failure(id, error_codes::TOOL_EXECUTION_FAILED, &text, None)
}

/// An event as a message.
pub(super) fn event_frame(event: &Event) -> Vec<u8> {
    let channel = gabp::NonEmptyString::try_from(&*event.channel);
    let (Ok(channel), Ok(id)) = (channel, random::uuid()) else { return Vec::new() };
    let message = gabp::Event {
        id,
        channel,
        seq: gabp::NonNegativeInteger::from(event.seq),
        payload: (*event.payload).clone(),
        timestamp: None,
    };
    body(&message, id)
}

/// A failure as a message.
pub(super) fn failure(id: Uuid, code: i64, message: &str, data: Option<Value>) -> Vec<u8> {
    let message = gabp::NonEmptyString::try_from(message)
        .unwrap_or_else(|_| gabp::NonEmptyString::try_from("no reason was given").expect("it is not empty"));
    let error = gabp::EnvelopeError { code: code.into(), message, data };
    let response = gabp::ResponseEnvelope { id, result: None, error: Some(error) };
    serde_json::to_vec(&response).expect("a response with an error and without a result is valid")
}

fn body<T: Serialize>(message: &T, id: Uuid) -> Vec<u8> {
    serde_json::to_vec(message).unwrap_or_else(|error| {
        tracing::error!(%error, "an answer could not be written");
        failure(
            id,
            error_codes::INTERNAL_ERROR,
            "the answer could not be written; the game's log says why",
            None,
        )
    })
}

fn unknown_method(id: Uuid, method: &str) -> Vec<u8> {
    failure(id, error_codes::METHOD_NOT_FOUND, &format!("there is no method `{method}` here"), None)
}

/// The code of a failed call (error registry).
fn code(error: &ToolError) -> i64 {
    match error.kind() {
        ToolErrorKind::NotFound => error_codes::TOOL_NOT_FOUND,
        ToolErrorKind::Unavailable => error_codes::TOOL_UNAVAILABLE,
        ToolErrorKind::InvalidArguments => error_codes::INVALID_PARAMS,
        ToolErrorKind::Failed => error_codes::TOOL_EXECUTION_FAILED,
        ToolErrorKind::TimedOut => error_codes::TOOL_TIMEOUT,
        ToolErrorKind::Internal => error_codes::INTERNAL_ERROR,
    }
}

/// The answer to what is no message.
fn refused(body: &[u8], error: &DecodeError) -> Vec<u8> {
    let id = id_of(body).unwrap_or(Uuid::NIL);
    let code = match error.pointer() {
        _ if error.is_syntax() => error_codes::PARSE_ERROR,
        "/v" => error_codes::VERSION_MISMATCH,
        "/type" => error_codes::INVALID_MESSAGE_TYPE,
        pointer if pointer == "/params" || pointer.starts_with("/params/") => error_codes::INVALID_PARAMS,
        _ => error_codes::INVALID_REQUEST,
    };
    failure(id, code, &error.to_string(), None)
}

/// The id of a message that is none, so that its sender can tell which one it was.
fn id_of(body: &[u8]) -> Option<Uuid> {
    let value: Value = serde_json::from_slice(body).ok()?;
    value.get("id")?.as_str()?.parse().ok()
}

/// Whether a name matches a pattern in which `*` stands for any text and `?` for one character.
fn glob(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // The last `*`, and what it stands for so far: one place to go back to is enough.
    let (mut at, mut in_name, mut star) = (0, 0, None);
    while in_name < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, in_name));
                at += 1;
            }
            Some(c) if *c == '?' || *c == name[in_name] => {
                at += 1;
                in_name += 1;
            }
            _ => match star {
                Some((star_at, taken)) => {
                    star = Some((star_at, taken + 1));
                    at = star_at + 1;
                    in_name = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::{Next, Session, Shared, glob};
    use crate::call::Caller;
    use crate::dispatch::Core;
    use crate::held::Held;
    use crate::registry::Registry;
    use serde_json::{Value, json};
    use std::sync::Arc;
    use std::time::Duration;

    /// How long a token must be was decided by whoever made it.
    #[test]
    fn a_short_token_opens_the_door_if_it_is_the_one() {
        let (registry, held) = (Registry::default(), Held::default());
        let core = Core::new("g".to_owned(), "1".to_owned(), registry, held, Duration::from_secs(1));
        let core = Arc::new(core);
        let subscriber = core.events.subscriber(Arc::default());
        let shared = Arc::new(Shared { core, token: "t".to_owned(), agent_id: "a".to_owned() });
        let caller = || Caller::Peer { protocol: "gabp", connection: 1 };
        let hello = |token: &str| {
            let mut session = Session::new(Arc::clone(&shared), Arc::clone(&subscriber), caller());
            let id = "11111111-2222-4333-8444-555555555555";
            let params =
                json!({ "token": token, "bridgeVersion": "1", "platform": "darwin", "launchId": "x" });
            let message = json!({ "v": "gabp/1", "id": id, "type": "request", "method": "session/hello", "params": params });
            let answer = match session.take(message.to_string().as_bytes()) {
                Next::Answer(body) | Next::AnswerAndClose(body) => body,
                Next::Call(_) | Next::Nothing => panic!("a hello is answered at once"),
            };
            (session.is_welcome(), serde_json::from_slice::<Value>(&answer).expect("it is JSON"))
        };
        let (welcome, answer) = hello("t");
        assert!(welcome && answer["result"]["agentId"] == "a", "{answer}");
        let (welcome, answer) = hello("u");
        assert!(!welcome && answer["error"]["code"] == -32101, "{answer}");
    }

    #[test]
    fn globs() {
        for (pattern, name, matches) in [
            ("*", "a/b", true),
            ("world/*", "world/spawn", true),
            ("world/*", "unit/move", false),
            ("*/s*n", "world/spawn", true),
            ("w?rld/spawn", "world/spawn", true),
            ("", "a", false),
            ("a*b*c", "aXbYbZc", true),
        ] {
            assert_eq!(glob(pattern, name), matches, "{pattern} {name}");
        }
    }
}
