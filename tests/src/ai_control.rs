//! A client of AiControl that speaks over a plain socket, and holds all that comes to the schemas.

use crate::arena::{PATIENCE, wait_for};
use crate::strict;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, ErrorKind, Write as _};
use std::net::TcpStream;

/// A connection to a bridge.
pub struct Client {
    /// The socket.
    pub stream: TcpStream,
    reader: BufReader<TcpStream>,
    next: u64,
    /// The last event that was seen.
    seen: u64,
}

impl Client {
    /// Connects, and shows no token.
    pub fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the bridge listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        stream.set_nodelay(true).expect("an option can be set");
        let reader = BufReader::new(stream.try_clone().expect("a socket has two sides"));
        Self { stream, reader, next: 0, seen: 0 }
    }

    /// Connects and shows this token.
    pub fn authorized(address: &str, token: &str) -> Self {
        let mut client = Self::connect(address);
        assert_eq!(client.result("auth", &json!({ "token": token })), json!({ "authorized": true }));
        client
    }

    /// Sends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the bridge reads");
    }

    /// Sends a line.
    pub fn line(&mut self, line: &[u8]) {
        self.raw(&[line, b"\n"].concat());
    }

    /// The next line, valid as an answer to that method where it is known; `None` when the connection is
    /// closed.
    pub fn read(&mut self, method: Option<&str>) -> Option<Value> {
        let mut line = Vec::new();
        match self.reader.read_until(b'\n', &mut line) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
            Err(error) => panic!("no answer came: {error}"),
        }
        assert_eq!(line.pop(), Some(b'\n'), "a line ends with LF");
        assert!(line.len() <= 1 << 20, "a line of {} bytes", line.len());
        let answer = crate::json(std::str::from_utf8(&line).expect("it is UTF-8")).expect("it is JSON");
        let method = method.filter(|_| answer.get("result").is_some());
        strict::check("aicontrol", &answer, method);
        Some(answer)
    }

    /// The next line as it is, with its LF.
    pub fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("an answer came");
        line
    }

    /// Sends a line and reads what answers it.
    pub fn ask_line(&mut self, line: &[u8]) -> Value {
        self.line(line);
        self.read(None).expect("there is an answer")
    }

    /// Sends a request and reads its answer.
    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.line(request.to_string().as_bytes());
        let answer = self.read(Some(method)).expect("there is an answer");
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The same, where a result is expected.
    pub fn result(&mut self, method: &str, params: &Value) -> Value {
        let mut answer = self.ask(method, params);
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    /// The same, where an error is expected: its code, and its message.
    pub fn refusal(&mut self, method: &str, params: &Value) -> (i64, String) {
        refusal(&self.ask(method, params))
    }

    /// Sends a command; its number.
    pub fn act(&mut self, command: &Value) -> u64 {
        let result = self.result("act", command);
        result["commandSeq"].as_u64().expect("a number")
    }

    /// The events after the last that was seen.
    pub fn events(&mut self) -> Vec<Value> {
        let page = self.result("events", &json!({ "afterSeq": self.seen }));
        let page = page["events"].as_array().expect("a list");
        if let Some(last) = page.last() {
            self.seen = last["seq"].as_u64().expect("a number");
        }
        page.iter().map(|entry| entry["event"].clone()).collect()
    }

    /// Sends a command, and waits for the event that ends it.
    pub fn carry_out(&mut self, command: &Value) -> Value {
        let seq = self.act(command);
        wait_for("the end of a command", || {
            let events = self.events();
            events
                .into_iter()
                .find(|event| event["type"] == "command_completed" && event["commandSeq"] == seq)
        })
    }
}

/// The error in an answer: its code, and its message.
pub fn refusal(answer: &Value) -> (i64, String) {
    let error = &answer["error"];
    let code = error["code"].as_i64().unwrap_or_else(|| panic!("no error: {answer}"));
    (code, error["message"].as_str().expect("a text").to_owned())
}
