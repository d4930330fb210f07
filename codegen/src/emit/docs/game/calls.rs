//! A call as it goes over each protocol, as a test of the game makes it, and as a person does.

use super::manifest::Tool;
use serde::Serialize;
use serde_json::Value;

/// Ids that stand in the examples. A client makes its own, and is told that of its session.
const SESSION: &str = "11111111-1111-4111-8111-111111111111";
const MESSAGE: &str = "22222222-2222-4222-8222-222222222222";

/// One call in all its forms. Where one is empty, the tool cannot be called so.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Call {
    /// The arguments as JSON, to be read.
    pub(super) arguments: String,
    pub(super) gabp: String,
    pub(super) aicc: String,
    pub(super) ai_control: String,
    /// The arguments that keep it from being called over AiControl.
    pub(super) refused: Vec<String>,
    pub(super) rust: String,
    pub(super) agent: String,
}

impl Call {
    pub(super) fn of(tool: &Tool, arguments: &Value) -> Self {
        let names = &tool.names;
        let text = visible(&arguments.to_string());
        let id = Value::from(MESSAGE);
        let gabp = |name: &String| {
            let params = ordered(&[("name", &Value::from(name.as_str())), ("arguments", arguments)]);
            request_of("tools/call", &params)
        };
        let aicc = |name: &String| {
            ordered(&[
                ("protocol", &Value::from("aicc/0.1")),
                ("type", &Value::from("tool_call")),
                ("session_id", &Value::from(SESSION)),
                ("message_id", &id),
                ("call_id", &Value::from("1")),
                ("tool", &Value::from(name.as_str())),
                ("input", arguments),
            ])
        };
        let refused = refused(arguments);
        let act = |name: &String| {
            let mut members = vec![("type".to_owned(), Value::from(name.as_str()))];
            members.extend(
                arguments
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(name, value)| (name.clone(), value.clone())),
            );
            let members: Vec<(&str, &Value)> =
                members.iter().map(|(name, value)| (name.as_str(), value)).collect();
            let command = ordered(&members);
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"act\",\"params\":{command}}}")
        };
        Self {
            arguments: pretty(arguments),
            gabp: names.gabp.as_ref().map(gabp).unwrap_or_default(),
            aicc: names.aicc.as_ref().map(aicc).unwrap_or_default(),
            ai_control: names.ai_control.as_ref().filter(|_| refused.is_empty()).map(act).unwrap_or_default(),
            refused,
            rust: names.rust.as_deref().map(|name| rust(name, arguments, &text)).unwrap_or_default(),
            agent: called(tool, &text),
        }
    }
}

/// Members of a command that the protocol itself has a name and a type for. The name of the tool goes as
/// `type`.
fn refused(arguments: &Value) -> Vec<String> {
    let fits = |name: &str, value: &Value| match name {
        "type" => false,
        "targetId" | "itemId" | "auxId" => value.is_string() || is_whole(value),
        "x" | "y" | "screenX" | "screenY" | "intArg" => is_whole(value),
        "stringArg" => value.is_string(),
        "append" => value.is_boolean(),
        _ => true,
    };
    let arguments = arguments.as_object().into_iter().flatten();
    arguments.filter(|(name, value)| !fits(name, value)).map(|(name, _)| name.clone()).collect()
}

fn is_whole(value: &Value) -> bool {
    value.as_number().and_then(super::accepts::whole).is_some()
}

/// JSON text in which everything can be seen: marks that reorder what stands beside them, and line ends that
/// look like blanks, are escaped.
fn visible(json: &str) -> String {
    json.chars().fold(String::new(), |mut text, c| {
        match c {
            '\n' => text.push(c),
            c if c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}') => {
                text.push_str(&format!("\\u{:04x}", c as u32));
            }
            c => text.push(c),
        }
        text
    })
}

/// In a test of the game. `json!` has an end to how much it takes.
fn rust(name: &str, arguments: &Value, text: &str) -> String {
    const MOST: usize = 40;
    if size(arguments) > MOST {
        let hashes =
            (1..).map(|count| "#".repeat(count)).find(|hashes| !text.contains(&format!("\"{hashes}")));
        let hashes = hashes.unwrap_or_default();
        return format!("host.call_json(&mut state, {name:?}, r{hashes}\"{text}\"{hashes})?");
    }
    format!("host.call(&mut state, {name:?}, json!({}))?", literal(arguments))
}

fn size(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(members) => members.values().map(|value| 1 + size(value)).sum(),
        _ => 0,
    }
}

/// A value as `json!` takes it: texts and numbers are Rust's there.
pub(super) fn literal(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Number(number) if number.as_i64().is_some_and(|number| i32::try_from(number).is_err()) => {
            format!("{number}_i64")
        }
        Value::Number(number) if number.as_i64().is_none() && number.is_u64() => format!("{number}_u64"),
        Value::Array(items) => format!("[{}]", joined(items.iter().map(literal).collect())),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{name:?}: {}", literal(value)));
            format!("{{ {} }}", joined(members.collect()))
        }
        other => other.to_string(),
    }
}

/// On the command line of a shell.
fn called(tool: &Tool, arguments: &str) -> String {
    let Some((protocol, name)) = tool.names.agent() else { return String::new() };
    let mut words: Vec<&str> = protocol.into_iter().flat_map(|protocol| ["--protocol", protocol]).collect();
    words.push("call");
    if name.starts_with('-') {
        words.push("--");
    }
    words.push(name);
    words.extend((arguments != "{}").then_some(arguments));
    agent(&words)
}

/// A line for `ludwire-agent`; none where a word cannot be seen on it.
pub(super) fn agent(words: &[&str]) -> String {
    if words.iter().any(|word| visible(word) != *word || word.contains('\n')) {
        return String::new();
    }
    let words = words.iter().map(|word| format!(" {}", quoted(word)));
    format!("ludwire-agent{}", words.collect::<String>())
}

/// A request of GABP with its header. Its lines end with CR LF there.
pub(super) fn request(method: &str, params: &Value) -> String {
    request_of(method, &visible(&super::sample::sorted(params).to_string()))
}

fn request_of(method: &str, params: &str) -> String {
    let (id, method) = (Value::from(MESSAGE), Value::from(method));
    let head = ordered(&[
        ("v", &Value::from("gabp/1")),
        ("id", &id),
        ("type", &Value::from("request")),
        ("method", &method),
    ]);
    let head = head.trim_end_matches('}');
    framed(&format!("{head},\"params\":{params}}}"))
}

/// An object with its members in this order, which reads better than that of the alphabet.
fn ordered(members: &[(&str, &Value)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{}:{value}", Value::from(*name))).collect();
    visible(&format!("{{{}}}", members.join(",")))
}

fn framed(body: &str) -> String {
    let length = body.len();
    format!("Content-Length: {length}\nContent-Type: application/json; charset=utf-8\n\n{body}")
}

/// JSON for people to read.
pub(super) fn pretty(value: &Value) -> String {
    visible(&format!("{:#}", super::sample::sorted(value)))
}

/// A URI of a template, with these values for its variables. Of a query, those that there are stand in it; a path
/// has all, and `1` is right for most where nothing is known of them.
pub(super) fn expanded(template: &str, values: Option<&Value>) -> String {
    let value = |name: &str| {
        let value = values?.get(name)?;
        Some(encoded(&value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
    };
    let mut uri = String::new();
    let mut rest = template;
    while let Some((before, inside)) = rest.split_once('{') {
        let Some((variables, after)) = inside.split_once('}') else { break };
        uri.push_str(before);
        match variables.strip_prefix('?') {
            Some(names) => {
                let pairs: Vec<String> =
                    names.split(',').filter_map(|name| Some(format!("{name}={}", value(name)?))).collect();
                if !pairs.is_empty() {
                    uri.push_str(&format!("?{}", pairs.join("&")));
                }
            }
            None => uri.push_str(&value(variables).unwrap_or_else(|| "1".to_owned())),
        }
        rest = after;
    }
    uri + rest
}

/// Percent-encoded (RFC 3986).
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut written, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                written.push(char::from(byte))
            }
            _ => written.push_str(&format!("%{byte:02X}")),
        }
        written
    })
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/_-.:".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
