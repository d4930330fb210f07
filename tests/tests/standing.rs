//! A quick tool that stands holds up nobody, over any protocol: neither what came with it, nor what others wait
//! for. It stands until all these have come, so no clock decides.

use ludwire::{AiControl, Aicc, Call, Event, Gabp, Host, registered, tool};
use ludwire_tests::agent::Agent;
use ludwire_tests::ai_control::Client;
use ludwire_tests::arena::{PATIENCE, Peer, request, wait_for};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// Quick calls in a row after which a tool is surely known as quick.
const OFTEN: usize = 32;
/// More than a task does before the runtime has others go on.
const MANY: usize = 300;

/// The id of the last call.
const LAST: usize = 999_999;

/// One test has all of them.
static ALONE: Mutex<()> = Mutex::new(());
/// Those that stand, and those that have to.
static STANDING: AtomicUsize = AtomicUsize::new(0);
static STANDS: AtomicUsize = AtomicUsize::new(0);

/// Stands, until it is let go.
#[tool("stand/still")]
fn still(stands: bool) {
    if stands {
        STANDING.fetch_add(1, Ordering::SeqCst);
        let since = Instant::now();
        while STANDS.load(Ordering::SeqCst) > 0 && since.elapsed() < 3 * PATIENCE {
            std::thread::sleep(Duration::from_millis(2));
        }
        STANDING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Passes by, and is not quick any more when it takes its time.
#[tool("stand/pass")]
fn pass(ms: u64) -> u64 {
    std::thread::sleep(Duration::from_millis(ms));
    ms
}

/// Something has passed by.
#[derive(Serialize, JsonSchema, Event)]
#[event("stand/passed")]
struct Passed {}

/// Passes by, and says so.
#[tool("stand/tell")]
fn tell(call: &Call) {
    call.emit(&Passed {});
}

/// Has `still` stand from here on, and lets it go.
struct Stand;

impl Stand {
    fn begin() -> Self {
        STANDS.store(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        STANDS.store(0, Ordering::SeqCst);
        wait_for("its end", || (STANDING.load(Ordering::SeqCst) == 0).then_some(()));
    }
}

/// A host and where it listens: GABP, AICC, AiControl.
fn host() -> (Host<()>, [String; 3]) {
    let builder = Host::builder("Standing", "1").tools(registered::<()>());
    let builder = builder.serve(Gabp::tcp("127.0.0.1:0").no_bridge_file().token(TOKEN));
    let builder = builder.serve(Aicc::websocket(0).without_token()).serve(AiControl::on(0).without_token());
    let host = builder.start().expect("it starts");
    let addresses = [0, 1, 2].map(|at: usize| host.endpoints()[at].address.clone());
    (host, addresses)
}

/// Makes tools known as quick, unless the machine has too much else to do: then nothing stands in a way, which
/// must hold, too.
fn hurry(address: &str) {
    let mut peer = Peer::welcome(address, TOKEN);
    for (name, arguments) in [
        ("stand/still", json!({ "stands": false })),
        ("stand/pass", json!({ "ms": 0 })),
        ("stand/tell", json!({})),
    ] {
        let (mut quick, begun) = (0, Instant::now());
        while quick < OFTEN && begun.elapsed() < PATIENCE / 10 {
            let start = Instant::now();
            assert!(peer.call(name, arguments.clone())["result"].is_object(), "{name}");
            quick = if start.elapsed() < Duration::from_millis(1) { quick + 1 } else { 0 };
        }
    }
}

/// What an agent of a protocol sends in one piece: calls, and whatever else is answered or not.
trait Sender {
    /// Sends calls, each with its number as its id, so many things that are no calls after the first, and a last
    /// call of `stand/pass`.
    fn send(&mut self, calls: &[(&str, Value)], others: usize);
    /// Waits until these have ended.
    fn ended(&mut self, calls: &[usize]);
}

/// Over GABP.
struct OverGabp(Peer);

/// The messages that these are.
fn in_order<'a>(
    calls: &'a [(&'a str, Value)],
    others: usize,
    call: impl Fn(usize, &str, &Value) -> Value + 'a,
    other: impl Fn(usize) -> Value + 'a,
) -> Vec<Value> {
    let mut sent: Vec<Value> =
        calls.iter().enumerate().map(|(at, (name, with))| call(at, name, with)).collect();
    sent.extend((0..others).map(|at| other(1000 + at)));
    sent.push(call(LAST, "stand/pass", &json!({ "ms": 0 })));
    sent
}

impl Sender for OverGabp {
    fn send(&mut self, calls: &[(&str, Value)], others: usize) {
        let call = |at: usize, name: &str, with: &Value| {
            request(at as u64, "tools/call", &json!({ "name": name, "arguments": with }))
        };
        let ping = |at: usize| request(at as u64, "session/ping", &json!({}));
        let sent = in_order(calls, others, call, ping).into_iter().map(|message| message.to_string());
        let frames: String =
            sent.map(|text| format!("Content-Length: {}\r\n\r\n{text}", text.len())).collect();
        self.0.raw(frames.as_bytes());
    }

    fn ended(&mut self, calls: &[usize]) {
        let number = |at: usize| request(at as u64, "session/ping", &json!({}))["id"].clone();
        let mut missing: Vec<Value> = calls.iter().map(|at| number(*at)).collect();
        while !missing.is_empty() {
            let answer = self.0.read().expect("an answer");
            missing.retain(|id| *id != answer["id"]);
        }
    }
}

/// Over AICC.
struct OverAicc(Agent);

impl Sender for OverAicc {
    fn send(&mut self, calls: &[(&str, Value)], others: usize) {
        let agent = &self.0;
        let call = |at: usize, name: &str, with: &Value| {
            let name = name.replace('/', "_");
            agent.message("tool_call", json!({ "call_id": at.to_string(), "tool": name, "input": with }))
        };
        let sent = in_order(calls, others, call, |_| agent.message("heartbeat", json!({})));
        for message in sent {
            let text = tungstenite::Message::text(message.to_string());
            self.0.socket().write(text).expect("it has room");
        }
        self.0.socket().flush().expect("the game reads");
    }

    fn ended(&mut self, calls: &[usize]) {
        let mut missing: Vec<String> = calls.iter().map(usize::to_string).collect();
        while !missing.is_empty() {
            let answer = self.0.answer();
            missing.retain(|id| *id != answer["call_id"]);
        }
    }
}

/// Over AiControl, with the numbers that calls were given.
struct OverAiControl(Client, Vec<u64>);

impl Sender for OverAiControl {
    fn send(&mut self, calls: &[(&str, Value)], others: usize) {
        let line = |id: usize, method: &str, with: &Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": with });
        let call = |at: usize, name: &str, with: &Value| {
            let mut with = with.clone();
            with["type"] = name.into();
            line(at, "act", &with)
        };
        let sent = in_order(calls, others, call, |at| line(at, "ping", &json!({})));
        let lines: String = sent.iter().map(|message| message.to_string() + "\n").collect();
        self.0.raw(lines.as_bytes());
        let mut numbers = Vec::new();
        let read = |client: &mut Client, method| client.read(Some(method)).expect("an answer");
        for _ in calls {
            let seq = read(&mut self.0, "act")["result"]["commandSeq"].as_u64();
            numbers.push(seq.expect("a number"));
        }
        for _ in 0..others {
            read(&mut self.0, "ping");
        }
        numbers.push(read(&mut self.0, "act")["result"]["commandSeq"].as_u64().expect("a number"));
        self.1 = numbers;
    }

    fn ended(&mut self, calls: &[usize]) {
        let last = self.1.len() - 1;
        let mut missing: Vec<u64> = calls.iter().map(|at| self.1[last.min(*at)]).collect();
        wait_for("the ends of the commands", || {
            for event in self.0.events() {
                missing.retain(|seq| event["commandSeq"] != *seq);
            }
            missing.is_empty().then_some(())
        });
    }
}

/// Who plays, over each of the protocols.
fn senders([gabp, aicc, ai_control]: &[String; 3]) -> [Box<dyn Sender>; 3] {
    [
        Box::new(OverGabp(Peer::welcome(gabp, TOKEN))),
        Box::new(OverAicc(Agent::of(aicc))),
        Box::new(OverAiControl(Client::connect(ai_control), Vec::new())),
    ]
}

#[test]
fn what_comes_after_it_in_any_number_is_answered() {
    let _alone = ALONE.lock().expect("the others have held");
    let (host, addresses) = host();
    for mut sender in senders(&addresses) {
        hurry(&addresses[0]);
        let stand = Stand::begin();
        sender.send(&[("stand/still", json!({ "stands": true }))], MANY);
        sender.ended(&[LAST]);
        drop(stand);
    }
    drop(host);
}

#[test]
fn what_is_not_quick_any_more_does_not_wait_for_it() {
    let _alone = ALONE.lock().expect("the others have held");
    let (host, addresses) = host();
    for mut sender in senders(&addresses) {
        for _ in 0..3 {
            hurry(&addresses[0]);
            let stand = Stand::begin();
            // The first takes too long to be quick, and not so long that it is left behind.
            sender.send(
                &[
                    ("stand/pass", json!({ "ms": 2 })),
                    ("stand/pass", json!({ "ms": 0 })),
                    ("stand/still", json!({ "stands": true })),
                ],
                0,
            );
            sender.ended(&[0, 1, LAST]);
            drop(stand);
            sender.ended(&[2]);
        }
    }
    drop(host);
}

#[test]
fn events_from_before_do_not_wait_for_it() {
    let _alone = ALONE.lock().expect("the others have held");
    let (host, addresses) = host();
    for mut sender in senders(&addresses) {
        hurry(&addresses[0]);
        let mut listener = Peer::welcome(&addresses[0], TOKEN);
        listener.ask("events/subscribe", json!({ "channels": ["stand/passed"] }));
        let stand = Stand::begin();
        sender.send(&[("stand/tell", json!({})), ("stand/still", json!({ "stands": true }))], 0);
        let event = listener.read().expect("an event");
        assert_eq!(event["channel"], "stand/passed", "{event}");
        assert!(listener.ask("session/ping", json!({}))["result"].is_object());
        drop(stand);
    }
    drop(host);
}
