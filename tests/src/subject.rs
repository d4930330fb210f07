//! The generated types, each with the schema that it stands for.

use crate::json;
use crate::protocol::Form;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Debug;

/// A generated type.
pub struct Subject {
    /// Its schema, as `path#/pointer`.
    pub at: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Reads a document into it, in every way there is.
    pub examine: fn(&str) -> Result<Outcome, String>,
    /// For a type that is only read: makes one of what is written in its place.
    pub widen: Option<Widen>,
}

/// Reads a document into the type that is written, makes a wider one of it, and says how that is
/// written otherwise; nothing where the document is none of that type.
pub type Widen = fn(&str) -> Result<(), String>;

/// What a type says of a document.
#[derive(Debug)]
pub enum Outcome {
    /// It is refused, with these words.
    Refused(String),
    /// It is accepted, and the value written down is this.
    Accepted(Value),
}

/// Reads `text` into a `T`, and writes what was read.
///
/// # Errors
///
/// When `T` contradicts itself: one reader refuses what another accepts, a value can't be written, or
/// is another one after it was written and read again.
pub fn examine<T: DeserializeOwned + Serialize + PartialEq + Debug>(text: &str) -> Result<Outcome, String> {
    let from_text = serde_json::from_str::<T>(text);
    let from_stream = serde_json::from_reader::<_, T>(text.as_bytes());
    let from_value = json(text).and_then(serde_json::from_value::<T>);
    let (value, stream, tree) = match (from_text, from_stream, from_value) {
        (Ok(value), Ok(stream), Ok(tree)) => (value, stream, tree),
        (Err(error), Err(_), Err(_)) => return Ok(Outcome::Refused(error.to_string())),
        (value, stream, tree) => {
            return Err(format!("from_str says {value:?}, from_reader {stream:?}, from_value {tree:?}"));
        }
    };
    if value != stream || value != tree {
        return Err(format!("from_str reads {value:?}, from_reader {stream:?}, from_value {tree:?}"));
    }
    let written =
        serde_json::to_string(&value).map_err(|error| format!("{value:?} can't be written: {error}"))?;
    let again =
        serde_json::from_str::<T>(&written).map_err(|error| format!("it wrote {written}: {error}"))?;
    if again != value {
        return Err(format!("it read {value:?}, wrote {written} and read {again:?}"));
    }
    let tree = serde_json::to_value(&value).map_err(|error| format!("{value:?} is no value: {error}"))?;
    match json(&written) {
        Ok(parsed) if parsed == tree => Ok(Outcome::Accepted(parsed)),
        parsed => Err(format!("as text it is {parsed:?}, as a value {tree:?}")),
    }
}

fn widen<Own: DeserializeOwned + Serialize, Wide: From<Own> + Serialize>(text: &str) -> Result<(), String> {
    let Ok(own) = serde_json::from_str::<Own>(text) else { return Ok(()) };
    let written = |value: serde_json::Result<Value>| value.map_err(|error| error.to_string());
    let as_own = written(serde_json::to_value(&own))?;
    let as_wide = written(serde_json::to_value(Wide::from(own)))?;
    if as_own == as_wide { Ok(()) } else { Err(format!("{as_own} became {as_wide}")) }
}

/// The types of a protocol, in the order of the schemas: those that are written, or those that are
/// only read.
pub fn of(protocol: &str, form: Form) -> Vec<Subject> {
    match form {
        Form::Written => written(protocol),
        Form::Read => received(protocol),
    }
}

macro_rules! subjects {
    ($of:ident: $($protocol:ident { $($at:literal => $name:ident $(from $own:ident)?,)* })+) => {
        fn $of(protocol: &str) -> Vec<Subject> {
            match protocol {
                $(stringify!($protocol) => vec![$(
                    Subject {
                        at: $at,
                        name: stringify!($name),
                        examine: examine::<ludwire_protocols::$protocol::$name>,
                        widen: None$(.or(Some(widen::<
                            ludwire_protocols::$protocol::$own,
                            ludwire_protocols::$protocol::$name,
                        > as Widen)))?,
                    },
                )*],)+
                other => panic!("no types of {other} are listed in tests/src/subject.rs"),
            }
        }
    };
}

subjects! {
    received:
    gabp {
        "envelope.schema.json#/$defs/response" => ReceivedResponseEnvelope from ResponseEnvelope,
        "methods/attention.ack.response.json#" => ReceivedAttentionAckResponse from AttentionAckResponse,
        "methods/attention.current.response.json#" => ReceivedAttentionCurrentResponse from AttentionCurrentResponse,
        "methods/events.list.response.json#" => ReceivedEventsListResponse from EventsListResponse,
        "methods/events.subscribe.response.json#" => ReceivedEventsSubscribeResponse from EventsSubscribeResponse,
        "methods/events.unsubscribe.response.json#" => ReceivedEventsUnsubscribeResponse from EventsUnsubscribeResponse,
        "methods/resources.list.response.json#" => ReceivedResourcesListResponse from ResourcesListResponse,
        "methods/resources.read.response.json#" => ReceivedResourcesReadResponse from ResourcesReadResponse,
        "methods/session.goodbye.response.json#" => ReceivedSessionGoodbyeResponse from SessionGoodbyeResponse,
        "methods/session.ping.response.json#" => ReceivedSessionPingResponse from SessionPingResponse,
        "methods/session.hello.request.json#" => ReceivedSessionHelloRequest from SessionHelloRequest,
        "methods/session.hello.request.json#/properties/params" => ReceivedSessionHelloParams from SessionHelloParams,
        "methods/session.welcome.response.json#" => ReceivedSessionWelcomeResponse from SessionWelcomeResponse,
        "methods/state.get.response.json#" => ReceivedStateGetResponse from StateGetResponse,
        "methods/state.set.response.json#" => ReceivedStateSetResponse from StateSetResponse,
        "methods/tools.call.request.json#" => ReceivedToolsCallRequest from ToolsCallRequest,
        "methods/tools.call.request.json#/properties/params" => ReceivedToolsCallParams from ToolsCallParams,
        "methods/tools.call.response.json#" => ReceivedToolsCallResponse from ToolsCallResponse,
        "methods/tools.get.response.json#" => ReceivedToolsGetResponse from ToolsGetResponse,
        "methods/tools.list.response.json#" => ReceivedToolsListResponse from ToolsListResponse,
    }
    aicc {}
    aicontrol {
        "methods/auth.request.json#" => ReceivedAuthRequest from AuthRequest,
        "methods/ping.request.json#" => ReceivedPingRequest from PingRequest,
        "methods/status.request.json#" => ReceivedStatusRequest from StatusRequest,
        "methods/observe.request.json#" => ReceivedObserveRequest from ObserveRequest,
        "methods/events.request.json#" => ReceivedEventsRequest from EventsRequest,
        "methods/act.request.json#" => ReceivedActRequest from ActRequest,
    }
}

subjects! {
    written:
    gabp {
        "common/attention.schema.json#" => AttentionItem,
        "common/attention.schema.json#/properties/attentionId" => AttentionId,
        "common/attention.schema.json#/properties/state" => AttentionState,
        "common/attention.schema.json#/properties/severity" => AttentionSeverity,
        "common/attention.schema.json#/properties/summary" => NonEmptyString,
        "common/attention.schema.json#/properties/openedAtSequence" => NonNegativeInteger,
        "common/attention.schema.json#/properties/sample/items/properties/repeatCount" => PositiveInteger,
        "common/attention.schema.json#/properties/sample/items" => AttentionSample,
        "common/capabilities.schema.json#" => Capabilities,
        "common/capabilities.schema.json#/properties/methods/items" => MethodName,
        "common/capabilities.schema.json#/properties/methods" => CapabilitiesMethods,
        "common/capabilities.schema.json#/properties/events" => CapabilitiesEvents,
        "common/capabilities.schema.json#/properties/resources/items" => ResourceUri,
        "common/capabilities.schema.json#/properties/resources" => CapabilitiesResources,
        "common/capabilities.schema.json#/properties/extensions" => Extensions,
        "common/capabilities.schema.json#/properties/limits/properties/maxMessageSize" => LimitsMaxMessageSize,
        "common/capabilities.schema.json#/properties/limits" => Limits,
        "common/error.schema.json#" => Error,
        "common/tool.schema.json#" => Tool,
        "common/tool.schema.json#/properties/name" => ToolName,
        "common/tool.schema.json#/properties/tags" => ToolTags,
        "envelope.schema.json#" => Envelope,
        "envelope.schema.json#/$defs/request" => RequestEnvelope,
        "envelope.schema.json#/$defs/uuid" => Uuid,
        "envelope.schema.json#/$defs/response" => ResponseEnvelope,
        "envelope.schema.json#/$defs/error" => EnvelopeError,
        "envelope.schema.json#/$defs/event" => EventEnvelope,
        "events/attention.payload.schema.json#" => AttentionPayload,
        "events/event.message.json#" => Event,
        "events/event.message.json#/properties/timestamp" => EventTime,
        "methods/attention.ack.request.json#" => AttentionAckRequest,
        "methods/attention.ack.request.json#/properties/params" => AttentionAckParams,
        "methods/attention.ack.response.json#" => AttentionAckResponse,
        "methods/attention.ack.response.json#/properties/result" => AttentionAckResult,
        "methods/attention.current.request.json#" => AttentionCurrentRequest,
        "methods/attention.current.request.json#/properties/params" => AttentionCurrentParams,
        "methods/attention.current.response.json#" => AttentionCurrentResponse,
        "methods/attention.current.response.json#/properties/result" => AttentionCurrentResult,
        "methods/events.subscribe.request.json#" => EventsSubscribeRequest,
        "methods/events.subscribe.request.json#/properties/params/properties/channels" => EventsSubscribeParamsChannels,
        "methods/events.subscribe.request.json#/properties/params" => EventsSubscribeParams,
        "methods/events.unsubscribe.request.json#" => EventsUnsubscribeRequest,
        "methods/events.unsubscribe.request.json#/properties/params/properties/channels" => EventsUnsubscribeParamsChannels,
        "methods/events.unsubscribe.request.json#/properties/params" => EventsUnsubscribeParams,
        "methods/resources.list.request.json#" => ResourcesListRequest,
        "methods/resources.list.request.json#/properties/params" => ResourcesListParams,
        "methods/resources.list.response.json#" => ResourcesListResponse,
        "methods/resources.list.response.json#/properties/result/properties/resources/items" => Resource,
        "methods/resources.list.response.json#/properties/result" => ResourcesListResult,
        "methods/resources.read.request.json#" => ResourcesReadRequest,
        "methods/resources.read.request.json#/properties/params" => ResourcesReadParams,
        "methods/resources.read.response.json#" => ResourcesReadResponse,
        "methods/resources.read.response.json#/properties/result/properties/encoding" => ContentEncoding,
        "methods/resources.read.response.json#/properties/result" => ResourcesReadResult,
        "methods/session.hello.request.json#" => SessionHelloRequest,
        "methods/session.hello.request.json#/properties/params/properties/token" => Token,
        "methods/session.hello.request.json#/properties/params/properties/platform" => Platform,
        "methods/session.hello.request.json#/properties/params/properties/clientInfo" => ClientInfo,
        "methods/session.hello.request.json#/properties/params" => SessionHelloParams,
        "methods/session.welcome.response.json#" => SessionWelcomeResponse,
        "methods/session.welcome.response.json#/properties/result/properties/app" => AppInfo,
        "methods/session.welcome.response.json#/properties/result/properties/schemaVersion" => SchemaVersion,
        "methods/session.welcome.response.json#/properties/result/properties/serverInfo" => ServerInfo,
        "methods/session.welcome.response.json#/properties/result/properties/observed" => ObservedStart,
        "methods/session.welcome.response.json#/properties/result" => SessionWelcomeResult,
        "methods/state.get.request.json#" => StateGetRequest,
        "methods/state.get.request.json#/properties/params" => StateGetParams,
        "methods/state.get.response.json#" => StateGetResponse,
        "methods/state.get.response.json#/properties/result" => StateGetResult,
        "methods/state.set.request.json#" => StateSetRequest,
        "methods/state.set.request.json#/properties/params" => StateSetParams,
        "methods/state.set.response.json#" => StateSetResponse,
        "methods/state.set.response.json#/properties/result/properties/errors/items" => StateUpdateError,
        "methods/state.set.response.json#/properties/result" => StateSetResult,
        "methods/tools.call.request.json#" => ToolsCallRequest,
        "methods/tools.call.request.json#/properties/params" => ToolsCallParams,
        "methods/tools.call.response.json#" => ToolsCallResponse,
        "methods/tools.list.request.json#" => ToolsListRequest,
        "methods/tools.list.request.json#/properties/params/properties/filter" => ToolFilter,
        "methods/tools.list.request.json#/properties/params" => ToolsListParams,
        "methods/tools.list.response.json#" => ToolsListResponse,
        "methods/tools.list.response.json#/properties/result" => ToolsListResult,
        "methods/events.subscribe.response.json#" => EventsSubscribeResponse,
        "methods/events.subscribe.response.json#/properties/result" => EventsSubscribeResult,
        "methods/events.unsubscribe.response.json#" => EventsUnsubscribeResponse,
        "methods/events.unsubscribe.response.json#/properties/result" => EventsUnsubscribeResult,
        "methods/session.ping.request.json#" => SessionPingRequest,
        "methods/session.ping.response.json#" => SessionPingResponse,
        "methods/session.goodbye.request.json#" => SessionGoodbyeRequest,
        "methods/session.goodbye.request.json#/properties/params" => SessionGoodbyeParams,
        "methods/session.goodbye.response.json#" => SessionGoodbyeResponse,
        "methods/tools.get.request.json#" => ToolsGetRequest,
        "methods/tools.get.request.json#/properties/params" => ToolsGetParams,
        "methods/tools.get.response.json#" => ToolsGetResponse,
        "methods/tools.get.response.json#/properties/result" => ToolsGetResult,
        "methods/events.list.request.json#" => EventsListRequest,
        "methods/events.list.response.json#" => EventsListResponse,
        "methods/events.list.response.json#/properties/result/properties/events/items" => EventDescription,
        "methods/events.list.response.json#/properties/result" => EventsListResult,
        "events/attention.message.json#" => AttentionEvent,
        "events/attention.message.json#/properties/channel" => AttentionChannel,
    }
    aicc {
        "aicc.schema.json#" => AiccMessage,
        "aicc.schema.json#/$defs/sessionInit" => SessionInit,
        "aicc.schema.json#/$defs/sessionId" => SessionId,
        "aicc.schema.json#/$defs/messageId" => MessageId,
        "aicc.schema.json#/$defs/sessionInit/properties/tick_rate_hz" => SessionInitTickRateHz,
        "aicc.schema.json#/$defs/tickMode" => TickMode,
        "aicc.schema.json#/$defs/sessionInit/properties/world/properties/name" => NonEmptyString,
        "aicc.schema.json#/$defs/worldKind" => WorldKind,
        "aicc.schema.json#/$defs/sessionInit/properties/world" => World,
        "aicc.schema.json#/$defs/modelDecl" => AgentModel,
        "aicc.schema.json#/$defs/modelClass" => ModelClass,
        "aicc.schema.json#/$defs/modelDecl/properties/expected_first_token_ms" => NonNegativeInteger,
        "aicc.schema.json#/$defs/capabilities" => Capabilities,
        "aicc.schema.json#/$defs/tool" => Tool,
        "aicc.schema.json#/$defs/tool/properties/id" => ToolId,
        "aicc.schema.json#/$defs/toolClass" => ToolClass,
        "aicc.schema.json#/$defs/tool/properties/limits/properties/calls_per_minute" => PositiveInteger,
        "aicc.schema.json#/$defs/tool/properties/limits" => ToolLimits,
        "aicc.schema.json#/$defs/sessionResume" => SessionResume,
        "aicc.schema.json#/$defs/sessionClose" => SessionClose,
        "aicc.schema.json#/$defs/manifestRequest" => ManifestRequest,
        "aicc.schema.json#/$defs/toolCall" => ToolCall,
        "aicc.schema.json#/$defs/callId" => CallId,
        "aicc.schema.json#/$defs/toolResult" => ToolResult,
        "aicc.schema.json#/$defs/error" => Error,
        "aicc.schema.json#/$defs/errorCode" => ErrorCode,
        "aicc.schema.json#/$defs/meta" => Meta,
        "aicc.schema.json#/$defs/event" => Event,
        "aicc.schema.json#/$defs/event/properties/topic" => EventTopic,
        "aicc.schema.json#/$defs/errorMessage" => ErrorMessage,
        "aicc.schema.json#/$defs/heartbeat" => Heartbeat,
        "aicc.schema.json#/$defs/protocolString" => ProtocolString,
        "aicc.schema.json#/$defs/uuid" => Uuid,
        "aicc.schema.json#/$defs/envelope" => Envelope,
        "aicc.schema.json#/$defs/envelope/properties/type" => EnvelopeType,
    }
    aicontrol {
        "methods/auth.request.json#" => AuthRequest,
        "id.json#" => RequestId,
        "methods/auth.request.json#/properties/params" => AuthParams,
        "methods/auth.response.json#" => AuthResponse,
        "methods/auth.response.json#/properties/result" => AuthResult,
        "methods/ping.request.json#" => PingRequest,
        "methods/ping.response.json#" => PingResponse,
        "methods/ping.response.json#/properties/result" => PingResult,
        "methods/status.request.json#" => StatusRequest,
        "methods/status.response.json#" => StatusResponse,
        "methods/status.response.json#/properties/result/properties/port" => StatusResultPort,
        "methods/status.response.json#/properties/result/properties/queuedCommands" => NonNegativeInteger,
        "methods/status.response.json#/properties/result/properties/maxQueuedCommands" => PositiveInteger,
        "methods/status.response.json#/properties/result" => StatusResult,
        "methods/observe.request.json#" => ObserveRequest,
        "methods/observe.response.json#" => ObserveResponse,
        "methods/observe.response.json#/properties/result" => ObserveResult,
        "methods/events.request.json#" => EventsRequest,
        "methods/events.request.json#/properties/params" => EventsParams,
        "methods/events.response.json#" => EventsResponse,
        "methods/events.response.json#/properties/result/properties/events/items" => EventsEntry,
        "methods/events.response.json#/properties/result" => EventsResult,
        "methods/act.request.json#" => ActRequest,
        "command.json#" => Command,
        "command.json#/properties/type" => NonEmptyString,
        "identifier.json#" => ProjectIdentifier,
        "methods/act.response.json#" => ActResponse,
        "methods/act.response.json#/properties/result" => ActResult,
        "response.json#" => Response,
        "error.json#" => Error,
        "error.response.json#" => ErrorResponse,
        "events/command_completed.json#" => CommandCompleted,
    }
}
