//! What becomes of connections that do not do as they should.

use ludwire::{Budget, Call, Event, Gabp, Host, ToolError, registered, resource, state, tool};
use ludwire_tests::arena::{PATIENCE, Peer, hello, id, request, wait_for};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

struct World;

/// Echoes.
#[tool("test/echo")]
fn echo(text: String) -> String {
    text
}

/// Gives a long text.
#[tool("test/fill")]
fn fill(count: usize) -> String {
    "x".repeat(count)
}

/// Waits until nobody waits for it.
#[tool("test/wait")]
fn wait(call: &Call) -> Result<(), ToolError> {
    BEGUN.store(true, Ordering::Release);
    while !call.is_cancelled() {
        std::thread::sleep(Duration::from_millis(2));
    }
    GIVEN_UP.store(true, Ordering::Release);
    Err(ToolError::failed("nobody waits"))
}

static BEGUN: AtomicBool = AtomicBool::new(false);
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// Looks at what the game never shows.
#[tool("test/look")]
fn look(_: &World) -> u32 {
    0
}

/// How often it has been read.
#[state("reads")]
fn reads() -> u32 {
    READS.fetch_add(1, Ordering::AcqRel) + 1
}

static READS: AtomicU32 = AtomicU32::new(0);

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

fn host(setting: impl FnOnce(Gabp) -> Gabp) -> Host<World> {
    let gabp = setting(Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file());
    Host::builder("Connections", "1").tools(registered::<World>()).serve(gabp).start().expect("it starts")
}

fn address(host: &Host<World>) -> &str {
    &host.endpoints()[0].address
}

fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[test]
fn foreign_bytes_are_not_listened_to_before_and_after_the_hello() {
    // So long that nothing here ends because of it.
    let host = host(|gabp| gabp.hello_within(PATIENCE * 10));
    let spawn = request(1, "tools/call", &json!({ "name": "test/echo", "arguments": { "text": "a" } }));
    let inside = String::from_utf8(frame(&spawn)).expect("it is text");
    for bytes in [
        b"GET /".to_vec(),
        b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{inside}", inside.len()).into_bytes(),
        b"GET /gabp HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n".to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        format!("Origin: http://x\r\n{inside}").into_bytes(),
        vec![0x16, 0x03, 0x01, 0x02],
        b"\n\n".to_vec(),
        b"{\"v\":\"gabp/1\"".to_vec(),
        vec![0xff],
        format!("Content-Length: 0\r\n\r\n{inside}").into_bytes(),
        format!("X: {}", "y".repeat(9000)).into_bytes(),
    ] {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
        let mut stranger = Peer::stranger(address(&host));
        let _ = stranger.stream.write_all(&bytes);
        let mut rest = Vec::new();
        let _ = stranger.stream.read_to_end(&mut rest);
        let no_json = shown.starts_with("Content-Length: 0");
        assert_eq!(rest.is_empty(), !no_json, "{shown}: {}", String::from_utf8_lossy(&rest));

        let mut peer = Peer::welcome(address(&host), TOKEN);
        let _ = peer.stream.write_all(&bytes);
        if no_json {
            // A frame it is, and the next message is found.
            assert_eq!(peer.read().expect("an answer")["error"]["code"], -32700);
            assert_eq!(peer.read().expect("an answer")["result"], json!({ "result": "a" }));
            continue;
        }
        let answer = peer.read().expect("somebody who is known is told");
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &json!(null_id())), "{shown}");
        assert_eq!(peer.read(), None, "{shown}");
    }
}

fn null_id() -> &'static str {
    "00000000-0000-0000-0000-000000000000"
}

#[test]
fn a_hello_has_its_time() {
    let host = host(|gabp| gabp.hello_within(Duration::from_millis(200)));
    let start = Instant::now();
    let mut silent = Peer::stranger(address(&host));
    let mut slow = Peer::stranger(address(&host));
    slow.raw(b"Content-Le");
    let mut known = Peer::welcome(address(&host), TOKEN);
    for stranger in [&mut silent, &mut slow] {
        assert_eq!(stranger.read(), None);
    }
    assert!(start.elapsed() >= Duration::from_millis(200));
    std::thread::sleep(Duration::from_millis(200));
    assert!(known.ask("session/ping", json!({}))["result"].is_object(), "whoever has said it may wait");
}

#[test]
fn there_is_room_for_so_many_and_a_takeover() {
    let host = host(|gabp| gabp.max_connections(2));
    let mut first = Peer::welcome(address(&host), TOKEN);
    // A bridge takes over while its old socket is still open.
    let mut second = Peer::welcome(address(&host), TOKEN);
    let mut third = Peer::stranger(address(&host));
    let answer = third.ask("session/hello", hello(TOKEN));
    let told = answer["error"]["message"].as_str().expect("it is turned away");
    assert!(told.contains("there is room for 2 connections, and no more"), "{answer}");
    assert_eq!(third.read(), None);
    for peer in [&mut first, &mut second] {
        assert!(peer.ask("session/ping", json!({}))["result"].is_object());
    }
    drop(first);
    wait_for("room", || {
        let mut next = Peer::stranger(address(&host));
        next.ask("session/hello", hello(TOKEN)).get("result").cloned()
    });
}

#[test]
fn strangers_that_say_nothing_keep_nobody_out() {
    let host = host(|gabp| gabp.max_connections(2).hello_within(PATIENCE * 10));
    let start = Instant::now();
    let mut silent: Vec<Peer> = (0..40).map(|_| Peer::stranger(address(&host))).collect();
    silent[30].raw(b"Content-Le");
    let mut known = Peer::welcome(address(&host), TOKEN);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    // The oldest have made room for the others.
    for oldest in &mut silent[..20] {
        assert_eq!(oldest.read(), None);
    }
    let mut last = silent.pop().expect("there are many");
    assert_eq!(last.ask("session/hello", hello(TOKEN))["result"]["schemaVersion"], "1.0");
    assert!(known.ask("session/ping", json!({}))["result"].is_object());
}

#[test]
fn a_stranger_is_brief() {
    let host = host(|gabp| gabp);
    let mut stranger = Peer::stranger(address(&host));
    stranger.raw(b"Content-Length: 20000\r\n\r\n");
    let start = Instant::now();
    assert_eq!(stranger.read(), None);
    assert!(start.elapsed() < Duration::from_secs(4), "not only because its time is over");
    let mut known = Peer::welcome(address(&host), TOKEN);
    assert_eq!(
        known.call("test/echo", json!({ "text": "x".repeat(20_000) }))["result"]["result"]
            .as_str()
            .map(str::len),
        Some(20_000)
    );
}

#[test]
fn a_peer_that_has_gone_is_missed_though_much_of_what_it_sent_has_not_been_read() {
    let host = host(|gabp| gabp);
    let mut peer = Peer::welcome(address(&host), TOKEN);
    peer.send(&request(0, "tools/call", &json!({ "name": "test/linger" })));
    wait_for("the tool to begin", || LINGERS.load(Ordering::Acquire).then_some(()));
    // The game does not tick, so that no more than some of these are taken.
    for number in 1..400 {
        peer.send(&request(number, "tools/call", &json!({ "name": "test/look" })));
    }
    wait_for("the calls", || (host.waiting() > 60).then_some(()));
    let start = Instant::now();
    drop(peer);
    wait_for("the tool to see it", || LEFT.load(Ordering::Acquire).then_some(()));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let ran = host.run(&mut World, Budget::millis(10_000));
    assert_eq!(ran.ran, 0, "nobody waits for them");
}

#[test]
fn whoever_closes_its_side_behind_many_requests_gets_all_answers() {
    let host = host(|gabp| gabp);
    let mut peer = Peer::welcome(address(&host), TOKEN);
    for number in 0..500 {
        peer.send(&request(
            number,
            "tools/call",
            &json!({ "name": "test/echo", "arguments": { "text": "a" } }),
        ));
    }
    peer.stream.shutdown(std::net::Shutdown::Write).expect("it can be shut down");
    let mut ids: Vec<String> =
        (0..500).map(|_| peer.read().expect("an answer")["id"].as_str().expect("an id").to_owned()).collect();
    ids.sort();
    assert_eq!(ids, (0..500).map(id).collect::<Vec<_>>());
    assert_eq!(peer.read(), None);
}

#[test]
fn long_names_are_not_repeated() {
    let host = host(|gabp| gabp.max_message_size(1 << 22));
    let mut peer = Peer::welcome(address(&host), TOKEN);
    let long = "x".repeat(300_000);
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let one = |name: &str, value: Value| Value::Object([(name.to_owned(), value)].into_iter().collect());
    for (method, params) in [
        ("tools/call", call(&format!("x/{long}"), json!({}))),
        ("tools/call", call(&long, json!({}))),
        ("tools/call", call("test/echo", one(&long, json!(0)))),
        ("tools/call", call("test/pick", json!({ "which": long }))),
        ("tools/call", call("test/pick", json!({ "which": "no", "at": one(&long, json!(0)) }))),
        ("tools/call", call("test/pick", json!({ "which": "no", "at": { "x": long } }))),
        ("tools/call", one(&long, json!(0))),
        ("tools/get", json!({ "name": format!("x/{long}") })),
        ("resources/read", json!({ "uri": format!("gabp://game/{long}") })),
        ("resources/read", json!({ "uri": format!("gabp://test/paged?{long}=1") })),
        ("resources/read", json!({ "uri": format!("gabp://test/paged?limit={long}") })),
        ("resources/read", json!({ "uri": long })),
        ("state/get", json!({ "components": [long] })),
        (&format!("x/{long}"), json!({})),
        (&long, json!({})),
        ("state/set", json!({ "updates": one(&long, json!(0)) })),
    ] {
        peer.send(&request(1, method, &params));
        if method == "state/set" {
            wait_for("the request", || (host.waiting() > 0).then_some(()));
            host.run(&mut World, Budget::millis(0));
        }
        let answer = peer.read().expect("an answer");
        let text = answer.to_string();
        assert!(text.len() < 2000, "{:.60}: {} bytes: {:.900}", method, text.len(), text);
        assert!(text.contains("xxx") && !text.contains(&"x".repeat(201)), "{text}");
    }
}

/// Lingers until nobody waits for it.
#[tool("test/linger")]
fn linger(call: &Call) {
    LINGERS.store(true, Ordering::Release);
    while !call.is_cancelled() {
        std::thread::sleep(Duration::from_millis(2));
    }
    LEFT.store(true, Ordering::Release);
}

static LINGERS: AtomicBool = AtomicBool::new(false);
static LEFT: AtomicBool = AtomicBool::new(false);

/// A choice.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Which {
    Yes,
    No,
}

/// A place.
#[derive(Deserialize, JsonSchema)]
struct At {
    x: i32,
}

/// Picks.
#[tool("test/pick")]
fn pick(which: Which, at: Option<At>) -> i32 {
    match which {
        Which::Yes => at.map_or(0, |at| at.x),
        Which::No => 0,
    }
}

/// Numbers.
#[resource("gabp://test/paged{?limit}")]
fn paged(#[arg(default = 5)] limit: u8) -> u8 {
    limit
}

#[state("reads", write)]
fn set_reads(#[expect(unused_variables, reason = "it is there")] value: u32) {}

#[test]
fn wrong_tokens_are_slowed_down_and_keep_nobody_out() {
    let host = host(|gabp| gabp.max_connections(2));
    let wrong = |token: &str| {
        let mut stranger = Peer::stranger(address(&host));
        let start = Instant::now();
        let answer = stranger.ask("session/hello", hello(token));
        assert_eq!(answer["error"]["code"], -32101);
        assert_eq!(stranger.read(), None);
        start.elapsed()
    };
    let bad = "f".repeat(32);
    for _ in 0..6 {
        wrong(&bad);
    }
    assert!(wrong(&bad) >= Duration::from_millis(400), "the seventh waits");
    // Those that wait take no room.
    let mut waiting: Vec<Peer> = Vec::new();
    for number in 0..6 {
        let mut stranger = wait_for("room", || {
            let mut stranger = Peer::stranger(address(&host));
            stranger.stream.write_all(&frame(&request(number, "session/hello", &hello(&bad)))).ok()?;
            Some(stranger)
        });
        stranger.stream.flush().expect("it can be flushed");
        waiting.push(stranger);
        std::thread::sleep(Duration::from_millis(20));
    }
    let start = Instant::now();
    let mut known = Peer::welcome(address(&host), TOKEN);
    assert!(known.ask("session/ping", json!({}))["result"].is_object());
    let right = start.elapsed();
    assert!(right < wrong(&bad) / 2, "{right:?}");
}

#[test]
fn frames_may_be_split_anywhere_and_glued() {
    let host = host(|gabp| gabp);
    let mut peer = Peer::welcome(address(&host), TOKEN);
    let call = |number: u64| {
        request(number, "tools/call", &json!({ "name": "test/echo", "arguments": { "text": "🎮ü" } }))
    };
    let glued = [frame(&call(1)), frame(&call(2))].concat();
    for at in 0..=glued.len() {
        let (head, tail) = glued.split_at(at);
        peer.raw(head);
        std::thread::yield_now();
        peer.raw(tail);
        let mut ids = [peer.read().expect("an answer"), peer.read().expect("an answer")].map(|answer| {
            assert_eq!(answer["result"], json!({ "result": "🎮ü" }), "split at {at}");
            answer["id"].as_str().expect("an id").to_owned()
        });
        ids.sort();
        assert_eq!(ids, [id(1), id(2)]);
    }
}

#[test]
fn messages_have_a_size_either_way_which_is_announced() {
    let host = host(|gabp| gabp.max_message_size(4096));
    let mut peer = Peer::stranger(address(&host));
    let welcome = peer.ask("session/hello", hello(TOKEN));
    assert_eq!(welcome["result"]["capabilities"]["limits"]["maxMessageSize"], 4096);
    let call =
        |text: &str| request(1, "tools/call", &json!({ "name": "test/echo", "arguments": { "text": text } }));
    let overhead = call("").to_string().len();
    let most = "x".repeat(4096 - overhead);
    peer.send(&call(&most));
    assert_eq!(peer.read().expect("an answer")["result"]["result"], most.as_str());
    // What is too large to send is refused with its size, and the connection lives on.
    let answer = peer.ask("tools/call", json!({ "name": "test/fill", "arguments": { "count": 10_000_000 } }));
    let told = answer["error"]["message"].as_str().expect("it is refused");
    assert!(told.contains("10000") && told.contains("4096") && told.contains("ask for less"), "{answer}");
    assert_eq!(answer["error"]["code"], -32402);
    peer.send(&call(&"x".repeat(4097 - overhead)));
    let answer = peer.read().expect("it is told");
    assert!(
        answer["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("4097") && text.contains("4096")),
        "{answer}"
    );
    assert_eq!(peer.read(), None, "what comes next is unknown");
}

#[test]
fn failures_have_the_same_size_whatever_they_repeat() {
    let host = host(|gabp| gabp.max_message_size(4096));
    let mut peer = Peer::welcome(address(&host), TOKEN);
    let long = "x".repeat(3800);
    let unknown: serde_json::Map<_, _> = (0..400).map(|i| (format!("a{i}"), json!(0))).collect();
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    for (method, params, code, told) in [
        ("tools/call", call(&format!("x/{long}"), json!({})), -32400, "there is no tool `x/xxx"),
        ("tools/get", json!({ "name": format!("x/{long}") }), -32400, "there is no tool `x/xxx"),
        (&format!("x/{long}"), json!({}), -32601, "there is no method `x/xxx"),
        // The name stands in the message and in the data, and is longer when it is written.
        ("tools/call", call("test/fill", json!({ "\"".repeat(1800): 0 })), -32602, "/count: is missing"),
        ("tools/call", call("test/echo", Value::Object(unknown)), -32602, "/text: is missing"),
    ] {
        let answer = peer.ask(method, params);
        assert!(answer.to_string().len() <= 4096, "{} bytes: {answer}", answer.to_string().len());
        assert_eq!(answer["error"]["code"], code, "{answer}");
        let message = answer["error"]["message"].as_str().expect("it is told");
        assert!(message.contains(told), "{message}");
    }
    assert!(peer.ask("session/ping", json!({}))["result"].is_object(), "the connection lives on");
}

#[test]
fn of_very_many_problems_the_first_are_told() {
    let host = host(|gabp| gabp);
    let mut peer = Peer::welcome(address(&host), TOKEN);
    let unknown: serde_json::Map<_, _> = (0..20_000).map(|i| (format!("a{i}"), json!(0))).collect();
    let answer = peer.call("test/echo", Value::Object(unknown));
    let message = answer["error"]["message"].as_str().expect("it is refused");
    assert!(message.starts_with("invalid arguments: /text: is missing; /a0: unknown argument"), "{message}");
    assert!(message.ends_with("; and more"), "{message}");
    assert_eq!(answer["error"]["data"]["problems"].as_array().map(Vec::len), Some(65));
}

#[test]
fn a_state_is_read_once_however_often_it_is_named() {
    let host = host(|gabp| gabp);
    let mut peer = Peer::welcome(address(&host), TOKEN);
    peer.send(&request(1, "state/get", &json!({ "components": vec!["reads"; 10_000] })));
    wait_for("the request", || (host.waiting() > 0).then_some(()));
    host.run(&mut World, Budget::millis(0));
    assert_eq!(peer.read().expect("an answer")["result"]["state"], json!({ "reads": 1 }));
}

#[test]
fn what_is_set_is_set_though_the_answer_is_too_large() {
    let host = host(|gabp| gabp);
    let mut peer = Peer::welcome(address(&host), TOKEN);
    let updates = json!({ "motto": "x".repeat(700_000), "reads": 3, "nothing": 0 });
    peer.send(&request(1, "state/set", &json!({ "updates": updates })));
    wait_for("the request", || (host.waiting() > 0).then_some(()));
    host.run(&mut World, Budget::millis(0));
    let answer = peer.read().expect("an answer");
    assert_eq!(answer["error"]["code"], -32603);
    assert_eq!(
        answer["error"]["message"],
        "set: `motto`, `reads`; not set: `nothing`; more cannot be told, since what holds now takes more than 1048576 \
         bytes"
    );
    assert_eq!(MOTTO.lock().expect("nothing panics here").len(), 700_000);
}

/// What is said, twice.
#[state("motto")]
fn motto() -> String {
    MOTTO.lock().expect("nothing panics here").repeat(2)
}

#[state("motto", write)]
fn set_motto(motto: String) {
    *MOTTO.lock().expect("nothing panics here") = motto;
}

static MOTTO: Mutex<String> = Mutex::new(String::new());

#[test]
fn a_host_that_goes_down_answers_what_waits_and_what_runs() {
    let host = host(|gabp| gabp);
    host.run(&mut World, Budget::millis(1));
    let mut peer = Peer::welcome(address(&host), TOKEN);
    peer.send(&request(1, "tools/call", &json!({ "name": "test/wait" })));
    peer.send(&request(2, "tools/call", &json!({ "name": "test/look" })));
    assert!(peer.ask("session/ping", json!({}))["result"].is_object());
    wait_for("the tool to begin", || BEGUN.load(Ordering::Acquire).then_some(()));
    wait_for("the other call", || (host.waiting() > 0).then_some(()));
    let start = Instant::now();
    drop(host);
    assert!(start.elapsed() < Duration::from_secs(5));
    let mut ids = [peer.read(), peer.read()].map(|answer| {
        let answer = answer.expect("each is answered");
        assert_eq!(answer["error"]["code"], -32401, "{answer}");
        assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains("shutting down")));
        answer["id"].as_str().expect("an id").to_owned()
    });
    ids.sort();
    assert_eq!(ids, [id(1), id(2)]);
    assert_eq!(peer.read(), None);
    wait_for("the tool to see it", || GIVEN_UP.load(Ordering::Acquire).then_some(()));
}

#[test]
fn a_host_that_goes_down_waits_until_its_last_answers_have_gone() {
    for _ in 0..20 {
        let host = host(|gabp| gabp);
        let mut peers: Vec<Peer> = (0..4).map(|_| Peer::welcome(address(&host), TOKEN)).collect();
        for peer in &mut peers {
            peer.send(&request(1, "tools/call", &json!({ "name": "test/look" })));
        }
        wait_for("the calls", || (host.waiting() == 4).then_some(()));
        drop(host);
        for peer in &mut peers {
            assert_eq!(peer.read().expect("each is answered")["error"]["code"], -32401);
            assert_eq!(peer.read(), None);
        }
    }
}

/// An event of some 200 bytes.
#[derive(Serialize, JsonSchema, Event)]
#[event("test/tick")]
struct Tick {
    number: u32,
    filler: String,
}

fn emit(host: &Host<World>, number: u32) {
    host.emit(&Tick { number, filler: "x".repeat(160) });
}

#[test]
fn a_peer_that_reads_late_finds_a_gap_and_all_of_its_answers() {
    const EVENTS: u32 = 100_000;
    let host = host(|gabp| gabp.read_within(PATIENCE * 10));
    let (mut deaf, mut other) = (Peer::welcome(address(&host), TOKEN), Peer::welcome(address(&host), TOKEN));
    deaf.ask("events/subscribe", json!({ "channels": ["test/tick"] }));
    for number in 0..EVENTS {
        emit(&host, number);
        if number % 10_000 == 0 {
            // In the midst of it, others are answered, and what the deaf one asks is kept for it.
            assert!(other.ask("session/ping", json!({}))["result"].is_object());
            deaf.send(&request(u64::from(number), "session/ping", &json!({})));
        }
    }
    let (mut seen, mut answers, mut last) = (0u64, Vec::new(), None::<u64>);
    // How many of the latest have come without a gap.
    let mut latest = 0;
    while last != Some(u64::from(EVENTS) - 1) || answers.len() < 10 {
        let message = deaf.read().expect("it is not closed");
        if message["type"] == "response" {
            answers.push(message["id"].as_str().expect("an id").to_owned());
            continue;
        }
        let seq = message["seq"].as_u64().expect("a number");
        assert!(last.is_none_or(|last| last < seq), "{seq} after {last:?}");
        assert_eq!(message["payload"]["number"], seq, "numbers tell which one it is");
        latest = if last.is_none_or(|last| last + 1 == seq) { latest + 1 } else { 1 };
        last = Some(seq);
        seen += 1;
    }
    assert!((1000..u64::from(EVENTS)).contains(&seen), "{seen}");
    assert!(latest >= 1000, "of what waited, the oldest have gone: {latest}");
    assert_eq!(answers, (0..10).map(|number| id(number * 10_000)).collect::<Vec<_>>());
}

#[test]
fn a_peer_that_never_reads_is_closed_and_no_trouble() {
    let host = host(|gabp| gabp.read_within(Duration::from_millis(300)).max_connections(2));
    let mut deaf = Peer::welcome(address(&host), TOKEN);
    deaf.ask("events/subscribe", json!({ "channels": ["test/tick"] }));
    let mut number = 0;
    wait_for("its end", || {
        for _ in 0..1000 {
            emit(&host, number);
            number += 1;
        }
        deaf.stream.write_all(&frame(&request(1, "session/ping", &json!({})))).is_err().then_some(())
    });
    // Its place is free again.
    let _first = Peer::welcome(address(&host), TOKEN);
    let _second = Peer::welcome(address(&host), TOKEN);
}

#[test]
fn what_is_unsubscribed_does_not_come_any_more() {
    let host = host(|gabp| gabp);
    let mut peer = Peer::welcome(address(&host), TOKEN);
    for round in 0..50 {
        peer.ask("events/subscribe", json!({ "channels": ["test/tick"] }));
        emit(&host, round);
        assert_eq!(peer.read().expect("an event")["seq"], round, "numbers go on");
    }
    assert_eq!(
        peer.ask("events/unsubscribe", json!({ "channels": ["test/tick"] }))["result"]["unsubscribed"],
        json!(["test/tick"])
    );
    emit(&host, 50);
    assert!(peer.ask("session/ping", json!({}))["result"].is_object());
    peer.ask("events/subscribe", json!({ "channels": ["test/tick"] }));
    emit(&host, 51);
    assert_eq!(peer.read().expect("an event")["seq"], 51, "numbers also count what nobody hears");
}
