//! The same messages as serde derives them: every text a `String`, nothing checked.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Serialize, Deserialize)]
pub struct ToolsCall {
    pub v: String,
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub method: String,
    pub params: ToolsCallParams,
}

#[derive(Serialize, Deserialize)]
pub struct ToolsCallParams {
    pub name: String,
    pub arguments: Option<Value>,
}

/// A GABP response whose result is an `R`.
#[derive(Serialize, Deserialize)]
pub struct GabpResponse<R> {
    pub v: String,
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub result: R,
}

#[derive(Serialize, Deserialize)]
pub struct ToolsList {
    pub tools: Vec<GabpTool>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GabpTool {
    pub name: String,
    pub title: String,
    pub description: String,
    pub input_schema: Value,
    pub output_schema: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub struct SessionInit {
    pub protocol: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub session_id: String,
    pub message_id: String,
    pub tick_rate_hz: f64,
    pub tick_mode: String,
    pub world: World,
    pub agent_model: AgentModel,
    pub capabilities: Capabilities,
    pub tools: Vec<AiccTool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event_subscriptions: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
pub struct World {
    pub name: String,
    pub kind: String,
}

#[derive(Serialize, Deserialize)]
pub struct AgentModel {
    pub class: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_first_token_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_full_response_ms: Option<u64>,
}

#[derive(Serialize, Deserialize)]
pub struct Capabilities {
    pub sensors: Vec<String>,
    pub actuators: Vec<String>,
    pub generators: Vec<String>,
}

#[derive(Serialize, Deserialize)]
pub struct AiccTool {
    pub id: String,
    pub class: String,
    pub description: String,
    pub input_schema: Value,
    pub output_schema: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<ToolLimits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires_capability: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strict_input: Option<bool>,
}

#[derive(Serialize, Deserialize)]
pub struct ToolLimits {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_minute: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_per_session: Option<u64>,
}

/// An AiControl response whose result is an `R`.
#[derive(Serialize, Deserialize)]
pub struct AiControlResponse<R> {
    pub jsonrpc: String,
    pub id: u64,
    pub result: R,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventsPage {
    pub latest_seq: u64,
    pub events: Vec<EventsEntry>,
}

#[derive(Serialize, Deserialize)]
pub struct EventsEntry {
    pub seq: u64,
    pub event: Value,
}
