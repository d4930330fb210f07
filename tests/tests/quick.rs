//! Tools that were always quick so far, and then are not.

use ludwire::{AiControl, Aicc, Call, Event, Gabp, Host, ToolError, registered, tool};
use ludwire_tests::agent::Agent;
use ludwire_tests::ai_control::Client;
use ludwire_tests::arena::{PATIENCE, Peer, request, wait_for};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// Quick calls in a row after which a tool is surely known as quick.
const OFTEN: u64 = 32;

/// Something was looked at.
#[derive(Serialize, JsonSchema, Event)]
#[event("look/done")]
struct Looked {}

/// Calls of `look/slow` that wait, and those that were told that nobody waits for them.
static WAITING: AtomicUsize = AtomicUsize::new(0);
static TOLD: AtomicUsize = AtomicUsize::new(0);

/// Waits for so many milliseconds, or until nobody waits for it.
fn wait(call: &Call, ms: u32) {
    WAITING.fetch_add(1, Ordering::SeqCst);
    let end = Instant::now() + Duration::from_millis(ms.into());
    while Instant::now() < end {
        if call.is_cancelled() {
            TOLD.fetch_add(1, Ordering::SeqCst);
            // What it says after the deadline is too late.
            std::thread::sleep(Duration::from_millis(200));
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    WAITING.fetch_sub(1, Ordering::SeqCst);
}

/// Looks, and may take its time.
#[tool("look/slow", timeout = 1)]
fn slow(call: &Call, ms: u32, number: u32) -> u32 {
    call.emit(&Looked {});
    if ms > 0 {
        wait(call, ms);
    }
    number
}

/// Looks, and may take longer than anybody here waits.
#[tool("look/patient")]
fn patient(call: &Call, ms: u32) {
    if ms > 0 {
        wait(call, ms);
    }
}

/// Takes its time whatever is said.
#[tool("look/deaf")]
fn deaf(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

/// Looks.
#[tool("look/fast")]
fn fast(number: u32) -> u32 {
    number
}

/// Looks, and stumbles over some numbers.
#[tool("look/odd")]
fn odd(number: u32) -> Result<u32, ToolError> {
    match number {
        7 => panic!("seven"),
        8 => Err(ToolError::failed("eight")),
        _ => Ok(number),
    }
}

fn host() -> (Host<()>, String) {
    let gabp = Gabp::tcp("127.0.0.1:0").no_bridge_file().token(TOKEN);
    let host = Host::builder("Quick", "1").tools(registered::<()>()).serve(gabp).start().expect("it starts");
    let address = host.endpoints()[0].address.clone();
    (host, address)
}

fn call(number: u64, name: &str, arguments: Value) -> Value {
    request(number, "tools/call", &json!({ "name": name, "arguments": arguments }))
}

/// Makes a tool known as quick; how many calls that took. A run is no longer than what its caller waits for, so
/// that it is known even where the machine has much else to do.
fn hurry(peer: &mut Peer, name: &str, arguments: &Value) -> u64 {
    let (mut calls, mut quick) = (0, 0);
    let begun = Instant::now();
    while quick < OFTEN {
        let start = Instant::now();
        assert!(peer.call(name, arguments.clone())["result"].is_object(), "{name}");
        quick = if start.elapsed() < Duration::from_millis(1) { quick + 1 } else { 0 };
        calls += 1;
        assert!(begun.elapsed() < 2 * PATIENCE, "this machine is too busy for anything to be quick");
    }
    calls
}

#[test]
fn one_that_is_quick_no_more_holds_nobody_up() {
    let (host, address) = host();
    let mut peer = Peer::welcome(&address, TOKEN);
    peer.ask("events/subscribe", json!({ "channels": ["look/done"] }));
    let mut other = Peer::welcome(&address, TOKEN);
    let mut looks = hurry(&mut other, "look/slow", &json!({ "ms": 0, "number": 1 }));
    hurry(&mut other, "look/fast", &json!({ "number": 1 }));
    for turn in 0..3 {
        // Several at once: all after the first wait for it, and are not its kind.
        let mut waiter = Peer::welcome(&address, TOKEN);
        waiter.send(&call(900, "look/slow", json!({ "ms": 60_000, "number": 1 })));
        for number in 0..40 {
            waiter.send(&call(number, "look/fast", json!({ "number": number })));
        }
        waiter.send(&request(901, "session/ping", &json!({})));
        let start = Instant::now();
        // Before that one has to give up, whose answer would be among these.
        let mut answered: Vec<Value> = (0..41).map(|_| waiter.read().expect("an answer")).collect();
        answered.sort_by_key(|answer| answer["id"].to_string());
        for (number, answer) in answered[..40].iter().enumerate() {
            assert_eq!(answer["result"], json!({ "result": number }), "{turn}: {answer}");
        }
        assert!(answered[40]["result"].is_object(), "the ping: {}", answered[40]);
        assert!(other.call("look/fast", json!({ "number": 2 }))["result"].is_object());
        // Exactly one answer comes, at the deadline.
        let late = waiter.read().expect("an answer");
        assert_eq!(late["error"]["code"], -32403, "{late}");
        assert!(start.elapsed() >= Duration::from_millis(990), "{:?}", start.elapsed());
        wait_for("its end", || (WAITING.load(Ordering::SeqCst) == 0).then_some(()));
        // Its own answer would be on its way by now.
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(waiter.ask("session/ping", json!({}))["result"], json!({}), "nothing more came of it");
        looks += 1 + hurry(&mut other, "look/slow", &json!({ "ms": 0, "number": 1 }));
    }
    // Its events have come, one for each call, also while it stood.
    let mut seq = 0;
    while seq < looks {
        let event = peer.read().expect("an event");
        assert_eq!((&event["channel"], &event["seq"]), (&json!("look/done"), &json!(seq)));
        seq += 1;
    }
    drop(host);
}

#[test]
fn answers_from_before_do_not_wait_for_one_that_stands() {
    let (host, address) = host();
    let mut peer = Peer::welcome(&address, TOKEN);
    hurry(&mut peer, "look/deaf", &json!({ "ms": 0 }));
    hurry(&mut peer, "look/fast", &json!({ "number": 1 }));
    // In one piece, so that the last one waits already when the first ones run.
    let calls = (0..8).map(|number| call(number, "look/fast", json!({ "number": number })));
    let calls = calls.chain([call(8, "look/deaf", json!({ "ms": 3_000 }))]).map(|call| call.to_string());
    let frames: String = calls.map(|call| format!("Content-Length: {}\r\n\r\n{call}", call.len())).collect();
    peer.raw(frames.as_bytes());
    for number in 0..8 {
        let answer = peer.read().expect("an answer");
        assert_eq!(answer["result"], json!({ "result": number }), "{answer}");
    }
    assert!(peer.read().expect("an answer")["result"].is_object());
    drop(host);
}

#[test]
fn one_whose_peer_has_gone_is_told_so() {
    let (host, address) = host();
    let mut peer = Peer::welcome(&address, TOKEN);
    hurry(&mut peer, "look/patient", &json!({ "ms": 0 }));
    let (told, waiting) = (TOLD.load(Ordering::SeqCst), WAITING.load(Ordering::SeqCst));
    peer.send(&call(1, "look/patient", json!({ "ms": 60_000 })));
    wait_for("it to begin", || (WAITING.load(Ordering::SeqCst) > waiting).then_some(()));
    drop(peer);
    // Before its deadline, which is later than anything is waited for here.
    wait_for("it to be told", || (TOLD.load(Ordering::SeqCst) > told).then_some(()));
    drop(host);
}

#[test]
fn a_host_that_goes_down_answers_for_one_that_stands() {
    let (host, address) = host();
    let mut peer = Peer::welcome(&address, TOKEN);
    hurry(&mut peer, "look/deaf", &json!({ "ms": 0 }));
    peer.send(&call(1, "look/deaf", json!({ "ms": 3_000 })));
    std::thread::sleep(Duration::from_millis(100));
    let start = Instant::now();
    drop(host);
    assert!(start.elapsed() < Duration::from_millis(2_500), "{:?}", start.elapsed());
    let answer = peer.read().expect("an answer");
    assert_eq!(answer["error"]["code"], -32401, "{answer}");
    assert_eq!(peer.read(), None);
}

#[test]
fn failures_and_panics_are_answers_as_ever() {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let (host, address) = host();
    let mut peer = Peer::welcome(&address, TOKEN);
    hurry(&mut peer, "look/odd", &json!({ "number": 1 }));
    let start = Instant::now();
    while COUNT.fetch_add(1, Ordering::SeqCst) < 50 {
        for (number, code) in [(7, -32603), (8, -32402)] {
            assert_eq!(peer.call("look/odd", json!({ "number": number }))["error"]["code"], code);
        }
        assert_eq!(peer.call("look/odd", json!({ "number": 9 }))["result"], json!({ "result": 9 }));
        let wrong = peer.call("look/odd", json!({ "number": -1 }));
        assert_eq!(wrong["error"]["code"], -32602, "{wrong}");
    }
    assert!(start.elapsed() < PATIENCE);
    // Its bytes are all there when the peer only listens any more.
    for number in 0..30 {
        peer.send(&call(number, "look/odd", json!({ "number": 1 })));
    }
    peer.stream.shutdown(std::net::Shutdown::Write).expect("it is open");
    let mut answers = 0;
    while peer.read().is_some() {
        answers += 1;
    }
    assert_eq!(answers, 30);
    drop(host);
}

/// Runs of `look/crowd` at one time, and the most that there were.
static CROWD: AtomicUsize = AtomicUsize::new(0);
static LARGEST_CROWD: AtomicUsize = AtomicUsize::new(0);

/// Counts who looks.
fn crowd(ms: u64) {
    let there = CROWD.fetch_add(1, Ordering::SeqCst) + 1;
    LARGEST_CROWD.fetch_max(there, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(ms));
    CROWD.fetch_sub(1, Ordering::SeqCst);
}

/// Tools that look in a crowd.
macro_rules! crowds {
    ($($function:ident $name:literal)*) => {
        const CROWDS: &[&str] = &[$($name),*];
        $(
            /// Looks.
            #[tool($name)]
            fn $function(ms: u64) {
                crowd(ms);
            }
        )*
    };
}
crowds! {
    crowd_a "look/crowd_a" crowd_b "look/crowd_b" crowd_c "look/crowd_c"
    crowd_d "look/crowd_d" crowd_e "look/crowd_e" crowd_f "look/crowd_f"
}

#[test]
fn ones_that_are_quick_no_more_have_the_room_that_others_have() {
    let gabp = Gabp::tcp("127.0.0.1:0").no_bridge_file().token(TOKEN);
    let builder = Host::builder("Quick", "1").tools(registered::<()>()).workers(2);
    let host = builder.serve(gabp).start().expect("it starts");
    let address = host.endpoints()[0].address.clone();
    let mut peers: Vec<Peer> = (0..4).map(|_| Peer::welcome(&address, TOKEN)).collect();
    for _ in 0..3 {
        for crowd in CROWDS {
            hurry(&mut peers[0], crowd, &json!({ "ms": 0 }));
        }
        // All known as quick, and at once not so any more, many times in one piece.
        for peer in &mut peers {
            for number in 0..30 {
                peer.send(&call(number, CROWDS[number as usize % CROWDS.len()], json!({ "ms": 40 })));
            }
        }
        // It is answered in between, and all of them are at last.
        let mut other = Peer::welcome(&address, TOKEN);
        assert!(other.ask("session/ping", json!({}))["result"].is_object());
        for peer in &mut peers {
            for _ in 0..30 {
                assert!(peer.read().expect("an answer")["result"].is_object());
            }
        }
    }
    // One is found out at a time, and holds its thread beside the two.
    let largest = LARGEST_CROWD.load(Ordering::SeqCst);
    assert!(largest <= 2 + 1, "{largest} ran at one time");
}

/// Calls of `look/held` that have begun and last, and those that were told that nobody waits for them.
static HELD_BEGUN: AtomicUsize = AtomicUsize::new(0);
static HELD_TOLD: AtomicUsize = AtomicUsize::new(0);

/// Looks, for so many milliseconds or until nobody waits for it.
#[tool("look/held", timeout = 1)]
fn held(call: &Call, ms: u32) {
    HELD_BEGUN.fetch_add(usize::from(ms > 0), Ordering::SeqCst);
    let end = Instant::now() + Duration::from_millis(ms.into());
    while Instant::now() < end {
        if call.is_cancelled() {
            HELD_TOLD.fetch_add(1, Ordering::SeqCst);
            // What it says after the deadline is too late.
            std::thread::sleep(Duration::from_millis(200));
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A host that serves the other protocols: where it listens over AICC, and over AiControl.
fn host_of_others() -> (Host<()>, String, String) {
    let builder = Host::builder("Quick", "1").tools(registered::<()>());
    let builder = builder.serve(Aicc::websocket(0).without_token()).serve(AiControl::on(0).without_token());
    let host = builder.start().expect("it starts");
    let at = |at: usize| host.endpoints()[at].address.clone();
    let (aicc, ai_control) = (at(0), at(1));
    (host, aicc, ai_control)
}

/// An agent of AICC that has made these tools known as quick.
fn hurried_agent(address: &str, tools: &[(&str, Value)]) -> Agent {
    let mut agent = Agent::of(address);
    for (tool, input) in tools {
        for _ in 0..OFTEN {
            assert_eq!(agent.call(tool, input.clone())["ok"], true, "{tool}");
        }
    }
    agent
}

#[test]
fn over_aicc_one_that_stands_holds_up_nobody() {
    let (host, address, _) = host_of_others();
    let tools = [
        ("look_fast", json!({ "number": 1 })),
        ("look_deaf", json!({ "ms": 0 })),
        ("look_held", json!({ "ms": 0 })),
        ("look_odd", json!({ "number": 1 })),
    ];
    let mut agent = hurried_agent(&address, &tools);
    // In one piece, so that all wait already when the first ones run.
    let mut calls: Vec<Value> = (0..16).map(|number| json!({ "number": number })).collect();
    calls.insert(8, json!({ "ms": 3_000 }));
    for (at, input) in calls.into_iter().enumerate() {
        let tool = if at == 8 { "look_deaf" } else { "look_fast" };
        let call = json!({ "call_id": at.to_string(), "tool": tool, "input": input });
        let message = agent.message("tool_call", call).to_string();
        agent.socket().write(tungstenite::Message::text(message)).expect("it has room");
    }
    agent.socket().flush().expect("the game reads");
    let mut results: BTreeMap<String, Value> = BTreeMap::new();
    for _ in 0..16 {
        let result = agent.answer();
        let id = result["call_id"].as_str().expect("a text").to_owned();
        assert!(results.insert(id, result["output"]["result"].clone()).is_none(), "once: {result}");
    }
    assert!(!results.contains_key("8"), "it stands");
    let numbers: BTreeMap<u64, u64> = results
        .iter()
        .map(|(id, number)| (id.parse().expect("a number"), number.as_u64().expect("a number")))
        .collect();
    let expected = (0..17).filter(|id| *id != 8).zip(0..16).collect();
    assert_eq!(numbers, expected);
    assert_eq!(agent.answer()["call_id"], "8", "it ends in its time");

    // At the deadline, and once.
    let late = agent.call("look_held", json!({ "ms": 60_000 }));
    assert_eq!(late["error"]["code"], "timeout", "{late}");
    for (number, code) in [(7, "internal_error"), (8, "execution_failed"), (-1, "invalid_input")] {
        assert_eq!(agent.call("look_odd", json!({ "number": number }))["error"]["code"], code);
    }
    wait_for("it to be told", || (HELD_TOLD.load(Ordering::SeqCst) > 0).then_some(()));

    // One whose session is over is told so, and one whose game goes down is answered.
    let (begun, told) = (HELD_BEGUN.load(Ordering::SeqCst), HELD_TOLD.load(Ordering::SeqCst));
    let mut gone = hurried_agent(&address, &tools[2..3]);
    gone.begin_call("gone", "look_held", json!({ "ms": 900 }));
    wait_for("it to begin", || (HELD_BEGUN.load(Ordering::SeqCst) > begun).then_some(()));
    gone.send("session_close", json!({}));
    wait_for("it to be told", || (HELD_TOLD.load(Ordering::SeqCst) > told).then_some(()));
    let mut last = hurried_agent(&address, &tools[1..2]);
    last.begin_call("last", "look_deaf", json!({ "ms": 3_000 }));
    std::thread::sleep(Duration::from_millis(100));
    drop(host);
    assert_eq!(last.answer()["error"]["code"], "tool_unavailable");
}

#[test]
fn over_ai_control_one_that_stands_holds_up_nobody() {
    let (host, _, address) = host_of_others();
    let mut client = Client::connect(&address);
    for command in [json!({ "type": "look/fast", "number": 1 }), json!({ "type": "look/deaf", "ms": 0 })] {
        for _ in 0..OFTEN {
            assert_eq!(client.carry_out(&command)["success"], true);
        }
    }
    let act = |id: usize, command: &Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "act", "params": command }).to_string() + "\n"
    };
    let deaf = json!({ "type": "look/deaf", "ms": 3_000 });
    let lines: String =
        (0..17)
            .map(|at| {
                if at == 8 { act(at, &deaf) } else { act(at, &json!({ "type": "look/fast", "number": at })) }
            })
            .collect();
    client.raw(lines.as_bytes());
    let accepted: Vec<u64> = (0..17)
        .map(|_| {
            client.read(Some("act")).expect("an answer")["result"]["commandSeq"].as_u64().expect("a number")
        })
        .collect();
    let mut ended = BTreeMap::new();
    let fetch = |client: &mut Client, ended: &mut BTreeMap<u64, Value>, count: usize| {
        wait_for("the ends of the commands", || {
            for event in client.events() {
                let seq = event["commandSeq"].as_u64().expect("a number");
                assert!(ended.insert(seq, event["result"]["result"].clone()).is_none(), "once: {event}");
            }
            (ended.len() == count).then_some(())
        });
    };
    fetch(&mut client, &mut ended, 16);
    assert!(!ended.contains_key(&accepted[8]), "it stands");
    for (at, seq) in accepted.iter().enumerate().filter(|(at, _)| *at != 8) {
        assert_eq!(ended[seq], at, "of each its own");
    }
    fetch(&mut client, &mut ended, 17);
    assert!(ended.contains_key(&accepted[8]));
    // Whoever has gone has its commands carried out all the same.
    let mut other = Client::connect(&address);
    let seq = other.act(&json!({ "type": "look/fast", "number": 5 }));
    drop(other);
    fetch(&mut client, &mut ended, 18);
    assert_eq!(ended[&seq], 5);
    // Of one that stands when the game goes down, its end is told.
    for _ in 0..OFTEN {
        client.carry_out(&json!({ "type": "look/deaf", "ms": 0 }));
    }
    let seq = client.act(&deaf);
    std::thread::sleep(Duration::from_millis(100));
    let closing = std::thread::spawn(move || drop(host));
    let end = wait_for("its end", || client.events().into_iter().find(|event| event["commandSeq"] == seq));
    assert_eq!(end["success"], false, "{end}");
    closing.join().expect("it goes down");
}
