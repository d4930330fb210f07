//! Which schema a message must pass: what `decode` decides, said once more and in another way.

use serde_json::Value;

/// What a message is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The name that `decode` gives it.
    pub name: String,
    /// Its schema, as `path#/pointer`.
    pub at: String,
}

impl Route {
    fn new(name: impl Into<String>, at: impl Into<String>) -> Self {
        Self { name: name.into(), at: at.into() }
    }
}

/// The methods of GABP.
pub const GABP_METHODS: [&str; 15] = [
    "session/hello",
    "session/ping",
    "session/goodbye",
    "tools/list",
    "tools/get",
    "tools/call",
    "events/list",
    "events/subscribe",
    "events/unsubscribe",
    "resources/list",
    "resources/read",
    "state/get",
    "state/set",
    "attention/current",
    "attention/ack",
];

/// The methods of AiControl.
pub const AICONTROL_METHODS: [&str; 6] = ["auth", "ping", "status", "observe", "events", "act"];

/// The messages of AICC, by `type`, with the name of the definition.
pub const AICC_TYPES: [(&str, &str); 9] = [
    ("session_init", "sessionInit"),
    ("session_resume", "sessionResume"),
    ("session_close", "sessionClose"),
    ("manifest_request", "manifestRequest"),
    ("tool_call", "toolCall"),
    ("tool_result", "toolResult"),
    ("event", "event"),
    ("error", "errorMessage"),
    ("heartbeat", "heartbeat"),
];

/// What a document is as a message of `protocol`; `None` when it is none, whatever else it says.
pub fn message(protocol: &str, document: &Value) -> Option<Route> {
    let text = |name: &str| document.get(name).and_then(Value::as_str);
    match protocol {
        "gabp" if text("v") == Some("gabp/1") => match text("type")? {
            "request" => Some(match text("method")? {
                method if GABP_METHODS.contains(&method) => gabp_request(method),
                _ => Route::new("request", "envelope.schema.json#/$defs/request"),
            }),
            "event" => Some(match text("channel")? {
                "attention/opened" | "attention/updated" | "attention/cleared" => {
                    Route::new("attention event", "events/attention.message.json#")
                }
                _ => Route::new("event", "events/event.message.json#"),
            }),
            "response" => Some(general_response("gabp")),
            _ => None,
        },
        "aicc" if text("protocol") == Some("aicc/0.1") => {
            let (name, definition) = AICC_TYPES.iter().find(|(name, _)| text("type") == Some(*name))?;
            Some(Route::new(*name, format!("aicc.schema.json#/$defs/{definition}")))
        }
        "aicontrol" if text("jsonrpc") == Some("2.0") => match document.get("method") {
            None => Some(general_response("aicontrol")),
            Some(method) => {
                let method = AICONTROL_METHODS.iter().find(|name| method.as_str() == Some(**name))?;
                Some(Route::new(format!("{method} request"), format!("methods/{method}.request.json#")))
            }
        },
        _ => None,
    }
}

/// What a document is as the response to a request of `method`; `None` when it is none.
pub fn response(protocol: &str, method: &str, document: &Value) -> Option<Route> {
    let failed = document.get("error").is_some() && document.get("result").is_none();
    match protocol {
        // Its schema has both forms.
        "gabp" if method == "tools/call" => {
            Some(Route::new("tools/call response", "methods/tools.call.response.json#"))
        }
        _ if failed => known(protocol, method).then(|| general_response(protocol)),
        "gabp" if method == "session/hello" => {
            Some(Route::new("session/hello response", "methods/session.welcome.response.json#"))
        }
        "gabp" if GABP_METHODS.contains(&method) => {
            let file = method.replace('/', ".");
            Some(Route::new(format!("{method} response"), format!("methods/{file}.response.json#")))
        }
        "gabp" => Some(general_response("gabp")),
        "aicontrol" if AICONTROL_METHODS.contains(&method) => {
            Some(Route::new(format!("{method} response"), format!("methods/{method}.response.json#")))
        }
        _ => None,
    }
}

/// GABP's envelope lets a method of any name be answered; AiControl's list of methods is closed.
fn known(protocol: &str, method: &str) -> bool {
    protocol == "gabp" || AICONTROL_METHODS.contains(&method)
}

fn gabp_request(method: &str) -> Route {
    Route::new(format!("{method} request"), format!("methods/{}.request.json#", method.replace('/', ".")))
}

fn general_response(protocol: &str) -> Route {
    let at = if protocol == "gabp" { "envelope.schema.json#/$defs/response" } else { "response.json#" };
    Route::new("response", at)
}
