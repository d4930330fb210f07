//! The messages that are read, and the ways to read each.

use crate::plain;
use ludwire_protocols::support::{DecodeError, Read};
use ludwire_protocols::{aicc, aicontrol, gabp};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// A message, by the type that is generated for it.
pub trait Subject {
    /// What it is called.
    const NAME: &'static str;
    /// Protocol and schema.
    const SCHEMA: (&'static str, &'static str);
    /// The generated type.
    type Strict: DeserializeOwned + for<'de> Read<'de> + Serialize;
    /// The derived type of the same shape.
    type Plain: DeserializeOwned + Serialize;
    /// What `decode` gives.
    type Message;
    /// One.
    fn plain() -> Self::Plain;
    /// Reads one among all messages of its protocol.
    fn decode(bytes: &[u8]) -> Result<Self::Message, DecodeError>;
}

pub struct ToolsCall;

impl Subject for ToolsCall {
    const NAME: &'static str = "tools/call request";
    const SCHEMA: (&'static str, &'static str) = ("gabp", "methods/tools.call.request.json#");
    type Strict = gabp::ToolsCallRequest;
    type Plain = plain::ToolsCall;
    type Message = gabp::Message;
    fn plain() -> plain::ToolsCall {
        let arguments = json!({
            "kind": "orc",
            "at": { "x": 12, "y": -7 },
            "count": 3,
            "facing": 1.25,
            "equipment": ["axe", "round shield", "torch"],
            "hostile": true,
            "note": "guards the bridge until the drums stop"
        });
        plain::ToolsCall {
            v: "gabp/1".into(),
            id: ID.into(),
            kind: "request".into(),
            method: "tools/call".into(),
            params: plain::ToolsCallParams { name: "world/spawn_group".into(), arguments: Some(arguments) },
        }
    }
    fn decode(bytes: &[u8]) -> Result<gabp::Message, DecodeError> {
        gabp::decode(bytes)
    }
}

pub struct ToolsList;

impl Subject for ToolsList {
    const NAME: &'static str = "tools/list response, 200 tools";
    const SCHEMA: (&'static str, &'static str) = ("gabp", "methods/tools.list.response.json#");
    type Strict = gabp::ToolsListResponse;
    type Plain = plain::GabpResponse<plain::ToolsList>;
    type Message = gabp::Message;
    fn plain() -> Self::Plain {
        let tools = (0..200).map(gabp_tool).collect();
        gabp_response(plain::ToolsList { tools })
    }
    fn decode(bytes: &[u8]) -> Result<gabp::Message, DecodeError> {
        gabp::decode_response("tools/list", bytes)
    }
}

/// The same message for a reader that does not know what it answers.
pub struct AnyToolsList;

impl Subject for AnyToolsList {
    const NAME: &'static str = "tools/list, as any response";
    const SCHEMA: (&'static str, &'static str) = ("gabp", "envelope.schema.json#/$defs/response");
    type Strict = gabp::ResponseEnvelope;
    type Plain = plain::GabpResponse<Value>;
    type Message = gabp::Message;
    fn plain() -> Self::Plain {
        gabp_response(
            serde_json::to_value(ToolsList::plain().result).expect("it has no other keys than texts"),
        )
    }
    fn decode(bytes: &[u8]) -> Result<gabp::Message, DecodeError> {
        gabp::decode(bytes)
    }
}

pub struct SessionInit;

impl Subject for SessionInit {
    const NAME: &'static str = "session_init, 200 tools";
    const SCHEMA: (&'static str, &'static str) = ("aicc", "aicc.schema.json#/$defs/sessionInit");
    type Strict = aicc::SessionInit;
    type Plain = plain::SessionInit;
    type Message = aicc::Message;
    fn plain() -> plain::SessionInit {
        plain::SessionInit {
            protocol: "aicc/0.1".into(),
            kind: "session_init".into(),
            session_id: ID.into(),
            message_id: "0b6f0f64-57e2-4c0e-8b7a-6f1f0a3c9d21".into(),
            tick_rate_hz: 20.0,
            tick_mode: "hybrid".into(),
            world: plain::World { name: "The marsh".into(), kind: "2d".into() },
            agent_model: plain::AgentModel {
                class: "cloud_medium".into(),
                expected_first_token_ms: Some(400),
                expected_full_response_ms: Some(2500),
            },
            capabilities: plain::Capabilities {
                sensors: vec!["sight".into(), "hearing".into()],
                actuators: vec!["walk".into(), "speak".into()],
                generators: vec!["craft".into()],
            },
            tools: (0..200).map(aicc_tool).collect(),
            event_subscriptions: Some(vec!["perception".into(), "dialogue".into()]),
        }
    }
    fn decode(bytes: &[u8]) -> Result<aicc::Message, DecodeError> {
        aicc::decode(bytes)
    }
}

pub struct EventsPage;

impl Subject for EventsPage {
    const NAME: &'static str = "events response, 500 events";
    const SCHEMA: (&'static str, &'static str) = ("aicontrol", "methods/events.response.json#");
    type Strict = aicontrol::EventsResponse;
    type Plain = plain::AiControlResponse<plain::EventsPage>;
    type Message = aicontrol::Message;
    fn plain() -> Self::Plain {
        let events = (9001..9501).map(|seq| plain::EventsEntry { seq, event: event(seq) }).collect();
        aicontrol_response(plain::EventsPage { latest_seq: 9500, events })
    }
    fn decode(bytes: &[u8]) -> Result<aicontrol::Message, DecodeError> {
        aicontrol::decode_response("events", bytes)
    }
}

/// The same message for a reader that does not know what it answers.
pub struct AnyEventsPage;

impl Subject for AnyEventsPage {
    const NAME: &'static str = "events, as any response";
    const SCHEMA: (&'static str, &'static str) = ("aicontrol", "response.json#");
    type Strict = aicontrol::Response;
    type Plain = plain::AiControlResponse<Value>;
    type Message = aicontrol::Message;
    fn plain() -> Self::Plain {
        aicontrol_response(
            serde_json::to_value(EventsPage::plain().result).expect("it has no other keys than texts"),
        )
    }
    fn decode(bytes: &[u8]) -> Result<aicontrol::Message, DecodeError> {
        aicontrol::decode(bytes)
    }
}

const ID: &str = "7b5bd2a0-0a5c-4d7b-9c0c-0d4a4a6f7a11";

fn gabp_response<R>(result: R) -> plain::GabpResponse<R> {
    plain::GabpResponse { v: "gabp/1".into(), id: ID.into(), kind: "response".into(), result }
}

fn aicontrol_response<R>(result: R) -> plain::AiControlResponse<R> {
    plain::AiControlResponse { jsonrpc: "2.0".into(), id: 41, result }
}

const PLACES: [&str; 5] = ["marsh", "harbour", "tower", "old_mine", "square"];

fn gabp_tool(index: usize) -> plain::GabpTool {
    let place = PLACES[index % PLACES.len()];
    plain::GabpTool {
        name: format!("world/{place}_{index}"),
        title: format!("Send a party to the {place}"),
        description: description(place),
        input_schema: input_schema(index),
        output_schema: output_schema(),
        tags: (!index.is_multiple_of(3)).then(|| vec!["world".into(), place.into()]),
        deprecated: index.is_multiple_of(50).then_some(true),
        version: index.is_multiple_of(4).then(|| "1.2.0".into()),
    }
}

fn aicc_tool(index: usize) -> plain::AiccTool {
    let place = PLACES[index % PLACES.len()];
    plain::AiccTool {
        id: format!("visit_{place}_{index}"),
        class: ["sensor", "actuator", "generator"][index % 3].into(),
        description: description(place),
        input_schema: input_schema(index),
        output_schema: output_schema(),
        limits: index.is_multiple_of(2).then_some(plain::ToolLimits {
            calls_per_minute: Some(30),
            calls_per_session: (index.is_multiple_of(4)).then_some(1000),
        }),
        requires_capability: index.is_multiple_of(5).then(|| "walk".into()),
        strict_input: index.is_multiple_of(3).then_some(true),
    }
}

fn description(place: &str) -> String {
    format!(
        "Sends those of the party who can walk to the {place}, by the shortest way that is known to be \
         safe. Use it when nobody is in danger. Those who set out leave the formation."
    )
}

fn input_schema(index: usize) -> Value {
    json!({
        "type": "object",
        "properties": {
            "who": { "type": "array", "items": { "type": "string" }, "minItems": 1 },
            "pace": { "enum": ["slow", "steady", "fast"], "description": "How fast they walk." },
            "at": {
                "type": "object",
                "properties": { "x": { "type": "integer" }, "y": { "type": "integer" } },
                "required": ["x", "y"],
                "additionalProperties": false
            },
            "wait": { "type": "number", "minimum": 0, "maximum": 30 + index, "default": 0.5 }
        },
        "required": ["who"],
        "additionalProperties": false
    })
}

fn output_schema() -> Value {
    json!({
        "type": "object",
        "properties": { "arrived": { "type": "boolean" }, "tick": { "type": "integer" } },
        "required": ["arrived"]
    })
}

fn event(seq: u64) -> Value {
    match seq % 3 {
        0 => {
            json!({ "type": "command_completed", "commandSeq": seq / 3, "success": true, "message": "done" })
        }
        1 => json!({ "type": "moved", "unit": format!("orc-{}", seq % 40), "from": { "x": seq % 90, "y": 4 },
            "to": { "x": seq % 90 + 1, "y": 4 }, "speed": 1.25 }),
        _ => json!({ "type": "said", "unit": "elder", "text": "The water rises; we should not stay here." }),
    }
}
