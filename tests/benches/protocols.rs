//! The same call over the three protocols: one connection over loopback, one call at a time and 64 at a time, of
//! a tool on a worker and of one on the game's thread. What is timed is how long it takes until the agent holds
//! the result. The peers are as thin as can be, so that this is the game's side.
//!
//! AiControl answers a command before it is carried out, and its client fetches the end as an event, which it
//! asks for when it has that answer: two exchanges a call, one after the other, as the catalogue has it
//! (wire, sequential-connection). "aicontrol" is such a client. "aicontrol ahead" writes its lines without waiting
//! for answers, which clients should not do: it shows what the game's side takes, as for the other protocols.
//! "bare" are the same two clients with a bare tokio loop instead of a game, which parses each line and writes a
//! line of the same form for it, together with others where lines came together: faster than that it cannot be.
//!
//! All take turns, round after round, so that whatever else the machine does hits all of them; a number is
//! the median of the rounds.

use ludwire::{AiControl, Aicc, Budget, Gabp, Host, registered, tool};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const ID: &str = "00000000-0000-4000-8000-000000000001";
const ROUNDS: usize = 41;
const AT_ONCE: usize = 64;
const PEERS: usize = 6;

struct World;

/// Adds on a worker.
#[tool("math/add")]
fn add(a: i32, b: i32) -> i32 {
    a + b
}

/// Adds on the game's thread.
#[tool("world/add")]
fn add_there(_: &mut World, a: i32, b: i32) -> i32 {
    a + b
}

/// Whoever calls.
trait Caller {
    fn name(&self) -> &'static str;

    /// The time of a call, where so many are there at one time.
    fn time(&mut self, tool: &str, calls: usize, at_once: usize) -> Duration;
}

/// A peer that is answered with results: what it writes to call a tool, and how it reads a message.
struct Peer {
    name: &'static str,
    reader: BufReader<TcpStream>,
    writer: TcpStream,
    call: fn(tool: &str, session: &str) -> Vec<u8>,
    read: fn(&mut BufReader<TcpStream>) -> String,
    session: String,
}

fn gabp(address: &str) -> Peer {
    let (reader, writer) = connect(address);
    let call = |tool: &str, _: &str| {
        frame(&format!(
            r#"{{"v":"gabp/1","id":"{ID}","type":"request","method":"tools/call","params":{{"name":"{tool}","arguments":{{"a":2,"b":3}}}}}}"#
        ))
    };
    let read = |reader: &mut BufReader<TcpStream>| {
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("an answer comes");
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim().parse().expect("a length");
            }
        }
        text(reader, length)
    };
    let mut peer = Peer { name: "gabp", reader, writer, call, read, session: String::new() };
    let hello = format!(
        r#"{{"v":"gabp/1","id":"{ID}","type":"request","method":"session/hello","params":{{"token":"{TOKEN}","bridgeVersion":"1","platform":"linux","launchId":"{ID}"}}}}"#
    );
    peer.writer.write_all(&frame(&hello)).expect("it is read");
    assert!(peer.next().contains("agentId"));
    peer
}

fn aicc(address: &str) -> Peer {
    let (mut reader, mut writer) = connect(address);
    let request = "GET /aicc HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                   Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    writer.write_all(request.as_bytes()).expect("it is read");
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).expect("an answer comes");
    }
    let call = |tool: &str, session: &str| {
        let tool = tool.replace('/', "_");
        let body = format!(
            r#"{{"protocol":"aicc/0.1","type":"tool_call","session_id":"{session}","message_id":"{ID}","call_id":"N","tool":"{tool}","input":{{"a":2,"b":3}}}}"#
        );
        let length = u16::try_from(body.len()).expect("it is small");
        // Masked with zeros, that is not.
        [&[0x81, 0xfe][..], &length.to_be_bytes(), &[0; 4], body.as_bytes()].concat()
    };
    let read = |reader: &mut BufReader<TcpStream>| {
        let mut head = [0; 2];
        reader.read_exact(&mut head).expect("an answer comes");
        let length = match head[1] {
            126 => {
                let mut length = [0; 2];
                reader.read_exact(&mut length).expect("an answer comes");
                u16::from_be_bytes(length).into()
            }
            length => usize::from(length),
        };
        text(reader, length)
    };
    let mut peer = Peer { name: "aicc", reader, writer, call, read, session: String::new() };
    let init = peer.next();
    let at = init.find("\"session_id\":\"").expect("it is a session_init") + 14;
    peer.session = init[at..at + 36].to_owned();
    peer
}

fn connect(address: &str) -> (BufReader<TcpStream>, TcpStream) {
    let stream = TcpStream::connect(address).expect("the game listens");
    stream.set_nodelay(true).expect("it can be set");
    (BufReader::new(stream.try_clone().expect("it has two sides")), stream)
}

fn frame(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn text(reader: &mut BufReader<TcpStream>, length: usize) -> String {
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("the whole message comes");
    String::from_utf8(body).expect("it is text")
}

impl Peer {
    fn next(&mut self) -> String {
        (self.read)(&mut self.reader)
    }
}

impl Caller for Peer {
    fn name(&self) -> &'static str {
        self.name
    }

    fn time(&mut self, tool: &str, calls: usize, at_once: usize) -> Duration {
        let call = (self.call)(tool, &self.session);
        // Ids of calls that are there at one time differ, and are as long as each other.
        let place = call.windows(3).position(|part| part == b"\"N\"").map(|at| at + 1);
        let numbered = |number: usize| {
            let mut call = call.clone();
            if let Some(at) = place {
                call[at] = b' ' + u8::try_from(number % at_once).expect("there are few");
                // Neither of these may stand in a text by itself.
                call[at] += u8::from(call[at] >= b'"') + u8::from(call[at] >= b'\\' - 1);
            }
            call
        };
        let start = Instant::now();
        let mut first = Vec::new();
        (0..at_once).for_each(|number| first.extend(numbered(number)));
        self.writer.write_all(&first).expect("it is read");
        for done in 0..calls {
            let answer = self.next();
            assert!(answer.contains("\"result\":5"), "{answer}");
            if done + at_once < calls {
                // With the id that is free now.
                let mut call = call.clone();
                if let (Some(at), Some(id)) = (place, answer.find("\"call_id\":\"")) {
                    call[at] = answer.as_bytes()[id + 11];
                }
                self.writer.write_all(&call).expect("it is read");
            }
        }
        start.elapsed() / u32::try_from(calls).expect("there are few")
    }
}

/// A client of AiControl.
struct Client {
    name: &'static str,
    reader: BufReader<TcpStream>,
    writer: TcpStream,
    /// It does not wait for answers before it asks again.
    is_ahead: bool,
    /// The last event that it has.
    seen: u64,
}

impl Client {
    fn connect(name: &'static str, address: &str, is_ahead: bool) -> Self {
        let (reader, writer) = connect(address);
        Self { name, reader, writer, is_ahead, seen: 0 }
    }

    fn act(tool: &str) -> String {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"act","params":{{"type":"{tool}","a":2,"b":3}}}}"#)
            + "\n"
    }

    fn events(&self) -> String {
        let seen = self.seen;
        format!(r#"{{"jsonrpc":"2.0","id":2,"method":"events","params":{{"afterSeq":{seen}}}}}"#) + "\n"
    }

    fn write(&mut self, lines: &str) {
        self.writer.write_all(lines.as_bytes()).expect("it is read");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("an answer comes");
        line
    }

    fn accepted(&mut self) {
        let answer = self.line();
        assert!(answer.contains("\"accepted\":true"), "{answer}");
    }

    /// How many commands have ended, as a page tells that was asked for.
    fn page(&mut self) -> usize {
        let page = self.line();
        let ended = page.matches("\"command_completed\"").count();
        assert_eq!(page.matches("\"result\":5").count(), ended, "{page}");
        if ended > 0 {
            self.seen = latest(&page);
        }
        ended
    }
}

/// The number of the latest event, as a page has it.
fn latest(page: &str) -> u64 {
    let at = page.find("\"latestSeq\":").expect("it is a page") + 12;
    let digits = page[at..].split(|letter: char| !letter.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).expect("a number")
}

impl Caller for Client {
    fn name(&self) -> &'static str {
        self.name
    }

    fn time(&mut self, tool: &str, calls: usize, at_once: usize) -> Duration {
        let act = Self::act(tool);
        // What others have caused meanwhile is passed over.
        self.write(
            &(r#"{"jsonrpc":"2.0","id":2,"method":"events","params":{"afterSeq":1e18}}"#.to_owned() + "\n"),
        );
        self.seen = latest(&self.line());
        let start = Instant::now();
        let (mut sent, mut ended, mut free) = (0, 0, at_once);
        while ended < calls {
            let count = free.min(calls - sent);
            if self.is_ahead {
                let lines = act.repeat(count) + &self.events();
                self.write(&lines);
                (0..count).for_each(|_| self.accepted());
            } else {
                for _ in 0..count {
                    self.write(&act);
                    self.accepted();
                }
                let events = self.events();
                self.write(&events);
            }
            free = self.page();
            (sent, ended) = (sent + count, ended + free);
        }
        start.elapsed() / u32::try_from(calls).expect("there are few")
    }
}

/// Answers lines as AiControl does, without a game, a history and checks.
async fn bare(stream: tokio::net::TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let (reader, mut writer) = stream.into_split();
    let mut reader = tokio::io::BufReader::new(reader);
    let (mut line, mut bytes, mut accepted, mut ended) = (Vec::new(), Vec::new(), 0, 0);
    while reader.read_until(b'\n', &mut line).await? > 0 {
        let asked: Value = serde_json::from_slice(&line)?;
        let result = if asked["method"] == "act" {
            accepted += 1;
            json!({ "accepted": true, "seq": accepted })
        } else {
            let is_wanted =
                |seq: &u64| asked["params"]["afterSeq"].as_f64().is_some_and(|after| *seq as f64 > after);
            let end = |seq| {
                let event = json!({ "type": "command_completed", "commandSeq": seq, "success": true,
                    "message": "`math/add` is done", "result": { "result": 5 } });
                json!({ "seq": seq, "event": event })
            };
            let events: Vec<Value> = (ended + 1..=accepted).filter(is_wanted).map(end).collect();
            ended = accepted;
            json!({ "latestSeq": accepted, "events": events })
        };
        serde_json::to_writer(&mut bytes, &json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result }))?;
        bytes.push(b'\n');
        line.clear();
        if !reader.buffer().contains(&b'\n') {
            writer.write_all(&bytes).await?;
            bytes.clear();
        }
    }
    Ok(())
}

/// Serves it on two threads, as the host has them.
fn bare_server() -> (tokio::runtime::Runtime, String) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("there are threads");
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port is free");
    let address = listener.local_addr().expect("it is bound").to_string();
    runtime.spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(bare(stream));
        }
    });
    (runtime, address)
}

fn main() {
    let (_bare, bare) = bare_server();
    let host = Host::builder("Bench", "1")
        .tools(registered::<World>())
        .serve(Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file())
        // No ping comes between, which these peers know nothing of.
        .serve(Aicc::websocket(0).without_token().heartbeat(Duration::from_secs(3600)))
        .serve(AiControl::on(0).without_token())
        .start()
        .expect("it starts");
    let host = Arc::new(host);
    let stop = Arc::new(AtomicBool::new(false));
    let game = std::thread::spawn({
        let (host, stop) = (Arc::clone(&host), Arc::clone(&stop));
        move || {
            while !stop.load(Ordering::Relaxed) {
                host.run(&mut World, Budget::millis(4));
                std::thread::yield_now();
            }
        }
    });
    let address = |protocol: &str| {
        let found = host.endpoints().iter().find(|endpoint| endpoint.protocol == protocol);
        found.expect("it is served").address.clone()
    };
    let mut peers: [Box<dyn Caller>; PEERS] = [
        Box::new(gabp(&address("gabp"))),
        Box::new(aicc(&address("aicc"))),
        Box::new(Client::connect("aicontrol ahead", &address("aicontrol"), true)),
        Box::new(Client::connect("bare ahead", &bare, true)),
        Box::new(Client::connect("aicontrol", &address("aicontrol"), false)),
        Box::new(Client::connect("bare", &bare, false)),
    ];
    println!("{:46} {:>10} {:>10} {:>8}", "", "time", "calls/s", "to gabp");
    for (tool, at_once, calls) in [
        ("math/add", 1, 200),
        ("math/add", AT_ONCE, 2000),
        ("world/add", 1, 200),
        ("world/add", AT_ONCE, 2000),
    ] {
        let mut times = [const { Vec::new() }; PEERS];
        for round in 0..ROUNDS {
            for at in (0..PEERS).map(|at| (at + round) % PEERS) {
                times[at].push(peers[at].time(tool, calls, at_once).as_secs_f64());
            }
        }
        let median = |mut numbers: Vec<f64>| {
            numbers.sort_by(f64::total_cmp);
            numbers[numbers.len() / 2]
        };
        for (peer, own) in peers.iter().zip(&times) {
            let speed = median(times[0].iter().zip(own).map(|(first, own)| first / own).collect());
            let time = median(own.clone());
            let what = format!("{tool} over {}, {at_once} at a time", peer.name());
            println!("{what:46} {:7.1} µs {:10.0} {speed:7.2}x", time * 1e6, 1.0 / time);
        }
    }
    stop.store(true, Ordering::Relaxed);
    game.join().expect("it ends");
}
