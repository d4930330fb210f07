//! The load generator: one thread, one connection, no runtime. It is the same for all servers, but for the
//! text of the messages.

use crate::middle;
use crate::servers::{Kind, TOKEN};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A connection that has been said hello to, and calls.
pub(crate) struct Load {
    kind: Kind,
    stream: TcpStream,
    /// What has come and is not yet an answer.
    come: Vec<u8>,
    number: u64,
}

const ARGUMENTS: &str = r#"{"at":{"x":3,"y":4},"label":"a thing of some kind","count":7,"loud":true}"#;
/// In every answer that is right.
const RIGHT: &[u8] = br#""label":"a thing of some kind""#;

impl Load {
    pub(crate) fn connect(kind: Kind, address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_nodelay(true).expect("an option can be set");
        let mut load = Self { kind, stream, come: Vec::new(), number: 0 };
        match kind {
            Kind::Ludwire => {
                let hello = format!(
                    r#"{{"v":"gabp/1","id":"{}","type":"request","method":"session/hello","params":{{"token":"{TOKEN}","bridgeVersion":"1","platform":"linux","launchId":"{}"}}}}"#,
                    id(0),
                    id(0)
                );
                load.say(&hello);
                load.answers(1, |answer| assert!(contains(answer, b"schemaVersion")));
            }
            Kind::Rmcp => {
                load.say(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"load","version":"1"}}}"#);
                load.answers(1, |answer| assert!(contains(answer, b"serverInfo")));
                load.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
            }
            _ => {}
        }
        load
    }

    /// The time of `count` calls, with `at_once` of them in flight.
    pub(crate) fn many(&mut self, count: usize, at_once: usize) -> Duration {
        let mut out = Vec::new();
        let start = Instant::now();
        let mut sent = at_once.min(count);
        (0..sent).for_each(|_| self.call(&mut out));
        let mut answered = 0;
        while answered < count {
            self.stream.write_all(&out).expect("it reads");
            out.clear();
            let come = self.answers(1, |answer| assert!(contains(answer, RIGHT), "{}", text(answer)));
            answered += come;
            // Each answer makes room for a call.
            let more = come.min(count - sent);
            (0..more).for_each(|_| self.call(&mut out));
            sent += more;
        }
        start.elapsed()
    }

    /// The median time of `count` calls, one after the other.
    pub(crate) fn one(&mut self, count: usize) -> Duration {
        let mut out = Vec::new();
        let mut times: Vec<Duration> = (0..count)
            .map(|_| {
                out.clear();
                self.call(&mut out);
                let start = Instant::now();
                self.stream.write_all(&out).expect("it reads");
                self.answers(1, |answer| assert!(contains(answer, RIGHT), "{}", text(answer)));
                start.elapsed()
            })
            .collect();
        middle(&mut times)
    }

    /// Appends a call.
    fn call(&mut self, out: &mut Vec<u8>) {
        self.number += 1;
        let number = self.number;
        let call = match self.kind {
            Kind::Ludwire => format!(
                r#"{{"v":"gabp/1","id":"{}","type":"request","method":"tools/call","params":{{"name":"thing/do","arguments":{ARGUMENTS}}}}}"#,
                id(number)
            ),
            _ => format!(
                r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"thing_do","arguments":{ARGUMENTS}}}}}"#
            ),
        };
        self.frame(out, &call);
    }

    fn say(&mut self, message: &str) {
        let mut out = Vec::new();
        self.frame(&mut out, message);
        self.stream.write_all(&out).expect("it reads");
    }

    fn frame(&self, out: &mut Vec<u8>, message: &str) {
        if self.kind == Kind::Ludwire {
            write!(out, "Content-Length: {}\r\n\r\n{message}", message.len()).expect("a list takes all");
        } else {
            out.extend_from_slice(message.as_bytes());
            out.push(b'\n');
        }
    }

    /// Waits for `least` answers, and takes all that have come: how many.
    fn answers(&mut self, least: usize, mut check: impl FnMut(&[u8])) -> usize {
        let mut count = 0;
        loop {
            let mut used = 0;
            while let Some((start, end)) = self.answer(used) {
                check(&self.come[start..end]);
                count += 1;
                used = end;
            }
            self.come.drain(..used);
            if count >= least {
                return count;
            }
            let mut bytes = [0; 64 * 1024];
            let read = self.stream.read(&mut bytes).expect("it answers");
            assert!(read > 0, "it has closed the connection");
            self.come.extend_from_slice(&bytes[..read]);
        }
    }

    /// Where the first answer after `from` begins and ends, if it is there.
    fn answer(&self, from: usize) -> Option<(usize, usize)> {
        let come = &self.come[from..];
        if self.kind != Kind::Ludwire {
            let end = come.iter().position(|byte| *byte == b'\n')?;
            return Some((from, from + end + 1));
        }
        let head = come.windows(4).position(|bytes| bytes == b"\r\n\r\n")? + 4;
        let length: &[u8] = come.strip_prefix(b"Content-Length: ").expect("it comes first");
        let digits = length.iter().take_while(|byte| byte.is_ascii_digit());
        let length = digits.fold(0, |number, digit| number * 10 + usize::from(digit - b'0'));
        (come.len() >= head + length).then_some((from + head, from + head + length))
    }
}

fn id(number: u64) -> String {
    format!("00000000-0000-4000-8000-{number:012x}")
}

fn contains(answer: &[u8], part: &[u8]) -> bool {
    answer.windows(part.len()).any(|bytes| bytes == part)
}

fn text(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer).into_owned()
}
