//! A bridge that is as strict, and as peculiar, as the widespread one.

use crate::arena::{hello, id};
use crate::strict;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A session of a bridge.
pub struct Bridge {
    stream: TcpStream,
    /// What was read and is no whole message yet.
    bytes: Vec<u8>,
    next: u64,
    /// What was asked and not answered in time: its answer is thrown away.
    late: BTreeMap<String, String>,
    /// The tools, by name.
    pub tools: BTreeMap<String, Value>,
    asks_for_attention: bool,
    /// Events that came in between.
    pub events: Vec<Value>,
}

/// Why a call came to nothing.
#[derive(Debug)]
pub enum Refusal {
    /// The game says so; of the error, code and message are kept.
    Game(i64, String),
    /// Attention is asked for, and blocks.
    Attention(String),
    /// It took too long.
    TooLate,
    /// The connection ended.
    Gone,
}

/// How long attention/current may take.
const ATTENTION_WITHIN: Duration = Duration::from_secs(2);
/// How long anything else may take.
const CALL_WITHIN: Duration = Duration::from_secs(30);

impl Bridge {
    /// Connects, says hello once, and fetches the tools, of which one bad one loses all.
    ///
    /// # Panics
    ///
    /// When the game does not answer as a strict bridge wants it.
    pub fn connect(address: &str, token: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the game listens");
        let mut bridge = Self {
            stream,
            bytes: Vec::new(),
            next: 0,
            late: BTreeMap::new(),
            tools: BTreeMap::new(),
            asks_for_attention: false,
            events: Vec::new(),
        };
        let welcome = bridge.ask("session/hello", hello(token), CALL_WITHIN).expect("it is welcome");
        let methods = welcome["capabilities"]["methods"].as_array().expect("methods are announced");
        bridge.asks_for_attention = methods.contains(&json!("attention/current"));
        let list = bridge.ask("tools/list", json!({}), CALL_WITHIN).expect("there are tools");
        for tool in list["tools"].as_array().expect("a list") {
            let name = tool["name"].as_str().expect("a tool has a name").to_owned();
            for member in ["inputSchema", "outputSchema"] {
                only_objects(&tool[member], &format!("{name} {member}"));
            }
            bridge.tools.insert(name, tool.clone());
        }
        bridge
    }

    /// Calls a tool. Where the game has attention, that is asked for first, and what blocks stops the
    /// call.
    ///
    /// # Errors
    ///
    /// What came instead of a result.
    pub fn call(&mut self, name: &str, parameters: Value, within: Duration) -> Result<Value, Refusal> {
        if self.asks_for_attention {
            let current = self.ask("attention/current", json!({}), ATTENTION_WITHIN)?;
            if current["attention"]["blocking"] == true {
                let summary = current["attention"]["summary"].as_str().unwrap_or_default();
                return Err(Refusal::Attention(summary.to_owned()));
            }
        }
        self.ask("tools/call", json!({ "name": name, "parameters": parameters }), within)
    }

    /// Calls a tool with parameters as text, however deep they nest.
    ///
    /// # Errors
    ///
    /// What came instead of a result.
    pub fn call_text(&mut self, name: &str, parameters: &str, within: Duration) -> Result<Value, Refusal> {
        let params = format!(r#"{{"name":"{name}","parameters":{parameters}}}"#);
        self.ask_text("tools/call", &params, within)
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    ///
    /// What came instead of a result.
    pub fn ask(&mut self, method: &str, params: Value, within: Duration) -> Result<Value, Refusal> {
        self.ask_text(method, &params.to_string(), within)
    }

    fn ask_text(&mut self, method: &str, params: &str, within: Duration) -> Result<Value, Refusal> {
        self.next += 1;
        let own = id(self.next);
        let body = format!(
            r#"{{"v":"gabp/1","id":"{own}","type":"request","method":"{method}","params":{params}}}"#
        );
        // No Content-Type, and nothing but this header.
        let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.stream.write_all(frame.as_bytes()).map_err(|_| Refusal::Gone)?;
        let end = Instant::now() + within;
        loop {
            let message = match self.read(end) {
                Err(Refusal::TooLate) => {
                    self.late.insert(own, method.to_owned());
                    return Err(Refusal::TooLate);
                }
                message => message?,
            };
            if message["type"] == "event" {
                strict::check("gabp", &message, None);
                self.events.push(message);
                continue;
            }
            let answers = message["id"].as_str().expect("an answer has an id");
            if let Some(method) = self.late.remove(answers) {
                strict::check("gabp", &message, Some(&method));
                continue;
            }
            assert_eq!(answers, own, "nothing else was asked for, and each answer comes once: {message}");
            strict::check("gabp", &message, Some(method));
            return match message.get("result") {
                Some(result) => {
                    assert_eq!(message.get("error"), None, "a null that is nothing is something: {message}");
                    Ok(result.clone())
                }
                None => {
                    let code = message["error"]["code"].as_i64().expect("a whole number");
                    // The rest of the error is lost.
                    Err(Refusal::Game(code, message["error"]["message"].as_str().expect("a text").to_owned()))
                }
            };
        }
    }

    /// The next message: the header must begin with `Content-Length: `, just so.
    fn read(&mut self, end: Instant) -> Result<Value, Refusal> {
        loop {
            if let Some(at) = self.bytes.windows(4).position(|part| part == b"\r\n\r\n") {
                let header = std::str::from_utf8(&self.bytes[..at]).expect("a header is text");
                let rest = header.strip_prefix("Content-Length: ").expect("that is all that is looked for");
                let length: usize =
                    rest.lines().next().and_then(|digits| digits.parse().ok()).expect("a length");
                if self.bytes.len() >= at + 4 + length {
                    let rest = self.bytes.split_off(at + 4 + length);
                    let message = serde_json::from_slice(&self.bytes[at + 4..]).expect("a message is JSON");
                    self.bytes = rest;
                    return Ok(message);
                }
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Refusal::TooLate);
            }
            self.stream.set_read_timeout(Some(left)).expect("it can be set");
            let mut bytes = [0; 4096];
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(Refusal::Gone),
                Ok(count) => self.bytes.extend_from_slice(&bytes[..count]),
                Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                }
                Err(_) => return Err(Refusal::Gone),
            }
        }
    }
}

/// A schema anywhere that is `true` or `false` is one that it cannot read.
fn only_objects(schema: &Value, at: &str) {
    assert!(schema.is_object(), "{at} is {schema}");
    for keyword in ["properties", "$defs", "patternProperties"] {
        for (name, member) in schema.get(keyword).and_then(Value::as_object).into_iter().flatten() {
            only_objects(member, &format!("{at}/{keyword}/{name}"));
        }
    }
    for keyword in ["oneOf", "anyOf", "allOf", "prefixItems"] {
        for member in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            only_objects(member, &format!("{at}/{keyword}"));
        }
    }
    if let Some(items) = schema.get("items") {
        only_objects(items, &format!("{at}/items"));
    }
}
