//! What real peers and the documents of GABP disagree about, and what this host makes of it: a test for each.

use ludwire::client::gabp::Client;
use ludwire::client::{Target, block_on};
use ludwire::protocols::gabp::{
    self, Message, SessionHelloParams, ToolName, ToolsCallParams, ToolsCallRequest,
};
use ludwire::{Attention, Budget, Event, Gabp, Host, Severity, ToolError, registered, tool};
use ludwire_tests::arena::{Peer, hello, id, request, wait_for};
use ludwire_tests::bridge::Bridge;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

struct World;

/// Looks.
#[tool("world/look")]
fn look(_: &World) -> u32 {
    0
}

/// Echoes.
#[tool("work/echo")]
fn echo(text: String) -> String {
    text
}

/// Adds one.
#[tool("work/next")]
fn next(number: u64) -> u64 {
    number.saturating_add(1)
}

/// Adds one to what is no large number.
#[tool("work/small", number)]
fn small(#[arg(number)] number: u64) -> u64 {
    number + 1
}

/// Gives back whatever it is given.
#[tool("work/any")]
fn any(value: Value) -> Value {
    value
}

/// Waits so many milliseconds.
#[tool("work/wait")]
fn wait(timeout: u32) {
    std::thread::sleep(Duration::from_millis(timeout.into()));
}

/// Fails.
#[tool("work/fail")]
fn fail() -> Result<(), ToolError> {
    Err(ToolError::failed("the gate is shut; open it first"))
}

/// Something happened.
#[derive(Serialize, JsonSchema, Event)]
#[event("world/happened")]
struct Happened {}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A game that has attention, and never ticks.
fn host() -> Host<World> {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file();
    let builder = Host::builder("Disagreements", "1").tools(registered()).attention().serve(gabp);
    builder.start().expect("it starts")
}

fn address(host: &Host<World>) -> String {
    host.endpoints()[0].address.clone()
}

fn peer(host: &Host<World>) -> Peer {
    Peer::welcome(&address(host), TOKEN)
}

/// What comes before and after a message of the host, and the message, as it stands there.
fn raw_answer(peer: &mut Peer) -> (String, String) {
    let mut bytes = Vec::new();
    wait_for("a whole message", || {
        let mut part = [0; 1024];
        let count = peer.stream.read(&mut part).expect("an answer comes");
        bytes.extend_from_slice(&part[..count]);
        let text = String::from_utf8(bytes.clone()).ok()?;
        let (header, body) = text.split_once("\r\n\r\n")?;
        let length = header.split("\r\n").next()?.strip_prefix("Content-Length: ")?.parse::<usize>().ok()?;
        (body.len() == length).then(|| (header.to_owned(), body.to_owned()))
    })
}

/// The first message of the client, and its header.
fn hello_of_the_client() -> (String, Value) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let target = Target::new(listener.local_addr().expect("it has one").to_string(), TOKEN);
    let asking = std::thread::spawn(move || block_on(async { Client::connect(&target).await.map(drop) }));
    let (mut stream, _) = listener.accept().expect("the client comes");
    let mut text = String::new();
    wait_for("the hello", || {
        let mut part = [0; 1024];
        let count = stream.read(&mut part).expect("the client writes");
        text.push_str(std::str::from_utf8(&part[..count]).expect("it is text"));
        text.ends_with('}').then_some(())
    });
    drop(stream);
    assert!(asking.join().expect("it does not panic").is_err());
    let (header, body) = text.split_once("\r\n\r\n").expect("a header");
    (header.to_owned(), serde_json::from_str(body).expect("a message is JSON"))
}

#[test]
fn framing() {
    let host = host();
    let mut peer = peer(&host);
    let ping = request(1, "session/ping", &json!({})).to_string();
    let length = ping.len();
    for header in [
        format!("Content-Length: {length}"),
        format!("content-type: x/y\r\nCONTENT-LENGTH:{length}"),
        format!("content-length:   {length}  \r\nContent-Type:application/json"),
    ] {
        peer.raw(format!("{header}\r\n\r\n{ping}").as_bytes());
        let (header, body) = raw_answer(&mut peer);
        let lines: Vec<&str> = header.split("\r\n").collect();
        assert_eq!(lines[0], format!("Content-Length: {}", body.len()));
        assert!(lines.len() == 2 && lines[1].starts_with("Content-Type: "), "{header}");
    }
    let (header, _) = hello_of_the_client();
    assert!(header.starts_with("Content-Length: ") && header.contains("\r\nContent-Type: "), "{header}");
}

#[test]
fn arguments_or_parameters() {
    let host = host();
    let mut peer = peer(&host);
    let texts = |one: &str, other: &str| json!({ "name": "work/echo", one: { "text": one }, other: { "text": other } });
    for params in [texts("arguments", "parameters"), texts("parameters", "arguments")] {
        assert_eq!(peer.ask("tools/call", params)["result"], json!({ "result": "arguments" }));
    }
    let parameters = json!({ "name": "work/echo", "parameters": { "text": "a" } });
    assert_eq!(peer.ask("tools/call", parameters)["result"], json!({ "result": "a" }));
    let arguments = Map::from_iter([("text".to_owned(), json!("a"))]);
    let params = ToolsCallParams::new(ToolName::try_from("work/echo").expect("a name"));
    let call = ToolsCallRequest::new(id(1).parse().expect("an id"), params.with_arguments(arguments));
    let written = Message::from(call).to_json().expect("it is a message");
    assert!(written.contains(r#""arguments":{"text":"a"}"#) && !written.contains("parameters"), "{written}");
}

#[test]
fn launch_id_and_platform() {
    let host = host();
    for (platform, launch) in [("darwin", "started by hand"), ("Haiku R1", "1"), ("linux", &id(1))] {
        let mut words = hello(TOKEN);
        (words["platform"], words["launchId"]) = (json!(platform), json!(launch));
        let answer = Peer::stranger(&address(&host)).ask("session/hello", words.clone());
        assert_eq!(answer["result"]["schemaVersion"], "1.0", "{answer}");
        let is_strict = serde_json::from_value::<SessionHelloParams>(words).is_ok();
        assert_eq!(is_strict, platform == "linux", "what is written is strict");
    }
    let (_, sent) = hello_of_the_client();
    assert!(serde_json::from_value::<SessionHelloParams>(sent["params"].clone()).is_ok(), "{sent}");
}

#[test]
fn the_length_of_a_token() {
    let builder = || Host::<World>::builder("Tokens", "1").tools(registered());
    let short = builder().serve(Gabp::tcp("127.0.0.1:0").token("t".repeat(31)).no_bridge_file()).start();
    assert!(short.expect_err("it is short").to_string().contains("31 characters"));
    let host = host();
    for token in ["t".to_owned(), "t".repeat(31), "t".repeat(100_000)[..10_000].to_owned()] {
        let answer = Peer::stranger(&address(&host)).ask("session/hello", hello(&token));
        assert_eq!(answer["error"]["code"], -32101, "it is another one, and no more is said: {answer}");
    }
}

#[test]
fn the_pattern_of_methods() {
    let host = host();
    let mut peer = peer(&host);
    for method in ["my-game2/do_it-9", "a/b/c_d", "tools/kall"] {
        let answer = peer.ask(method, json!({}));
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
}

#[test]
fn events_have_no_time() {
    let host = host();
    let mut peer = peer(&host);
    peer.ask("events/subscribe", json!({ "channels": ["world/happened"] }));
    host.emit(&Happened {});
    let event = peer.read().expect("it comes");
    assert_eq!((&event["channel"], event.get("timestamp")), (&json!("world/happened"), None));
}

#[test]
fn an_error_of_null() {
    let host = host();
    let mut peer = peer(&host);
    assert_eq!(peer.ask("session/ping", json!({})).get("error"), None);
    // That a client takes it from a game, `client::what_a_game_may_say_besides` shows for all of it.
    let answer =
        json!({ "v": "gabp/1", "id": id(1), "type": "response", "error": null, "result": { "events": [] } });
    let read = gabp::decode_response("events/list", answer.to_string().as_bytes());
    assert!(matches!(read, Ok(Message::EventsListResponse(_))), "{read:?}");
}

#[test]
fn codes_and_lengths() {
    let host = host();
    let mut peer = peer(&host);
    peer.send(&request(1, "no/method", &json!({})));
    let (_, body) = raw_answer(&mut peer);
    assert!(body.contains(r#""code":-32601,"#), "{body}");
    // The length is that of the bytes, either way.
    peer.send(&request(1, "tools/call", &json!({ "name": "work/echo", "arguments": { "text": "🎮é" } })));
    let (header, body) = raw_answer(&mut peer);
    assert!(header.starts_with(&format!("Content-Length: {}\r\n", body.len())) && body.contains("🎮é"));
    assert!(body.chars().count() < body.len());
}

#[test]
fn integers_beyond_two_to_the_53() {
    let host = host();
    let mut peer = peer(&host);
    let next = json!({ "result": "9007199254740994" });
    for number in [json!("9007199254740993"), json!(9_007_199_254_740_993u64)] {
        assert_eq!(peer.call("work/next", json!({ "number": number }))["result"], next);
    }
    assert_eq!(
        peer.call("work/small", json!({ "number": 41 }))["result"],
        json!({ "result": 42 }),
        "opted out"
    );
}

#[test]
fn the_data_of_an_error() {
    let host = host();
    let mut peer = peer(&host);
    for (name, arguments, hint) in [
        ("work/fail", json!({}), "open it first"),
        ("work/echo", json!({ "text": 1 }), "/text: must be a string"),
        ("work/ecko", json!({}), "did you mean `work/echo`"),
    ] {
        let answer = peer.call(name, arguments);
        let message = answer["error"]["message"].as_str().expect("a text");
        assert!(message.contains(hint), "{message}");
    }
}

#[test]
fn schemas_are_objects() {
    // The bridge looks into all of them.
    let host = host();
    let bridge = Bridge::connect(&address(&host), TOKEN);
    assert_eq!(bridge.tools["work/any"]["outputSchema"]["type"], "object");
    assert!(bridge.tools["work/any"]["inputSchema"]["properties"]["value"].is_object());
}

#[test]
fn attention_before_every_call() {
    let host = host();
    let mut peer = peer(&host);
    let id = host.attention().publish(Attention::new(Severity::Error, "It burns.").blocking());
    peer.send(&request(7, "tools/call", &json!({ "name": "world/look" })));
    wait_for("the call", || (host.waiting() == 1).then_some(()));
    // The game stands still, and a call waits for it.
    let start = Instant::now();
    let current = peer.ask("attention/current", json!({}));
    assert_eq!(current["result"]["attention"]["attentionId"], *id);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    host.run(&mut World, Budget::millis(1000));
    assert_eq!(peer.read().expect("an answer")["result"], json!({ "result": 0 }));
}

#[test]
fn deadlines() {
    let host = host();
    let welcome = Peer::stranger(&address(&host)).ask("session/hello", hello(TOKEN));
    assert_eq!(welcome["result"]["capabilities"]["limits"]["requestTimeout"], 25);
    // `ui/timeout-not-an-integer.rs` shows that nothing else may have this name.
    let schema = peer(&host).ask("tools/get", json!({ "name": "work/wait" }))["result"]["tool"].clone();
    assert_eq!(schema["inputSchema"]["properties"]["timeout"]["type"], "integer");
}

#[test]
fn schemas_as_they_were_meant() {
    // The payload is said in another file, by a `$ref` with an `$id` beside it, under a draft that has no `$defs`.
    let host = host();
    let mut peer = peer(&host);
    peer.ask("events/subscribe", json!({ "channels": ["attention/opened"] }));
    host.attention().publish(Attention::new(Severity::Info, "It rains."));
    let mut event = peer.read().expect("it comes");
    assert!(gabp::decode(event.to_string().as_bytes()).is_ok(), "{event}");
    event["payload"]["severity"] = json!("dreadful");
    let refused = gabp::decode(event.to_string().as_bytes()).expect_err("no such severity");
    assert_eq!(refused.pointer(), "/payload/severity", "{refused}");
}

#[test]
fn what_cannot_be_read() {
    let host = host();
    let mut peer = peer(&host);
    let nil = "00000000-0000-0000-0000-000000000000";
    // The frame is known, so that the next one is found.
    peer.raw(b"Content-Length: 2\r\n\r\n{]");
    let answer = peer.read().expect("an answer");
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &json!(nil)));
    assert_eq!(peer.ask("session/ping", json!({}))["result"], json!({}));
    // It is lost.
    peer.stream.write_all(b"Content-Length: two\r\n\r\n{}").expect("the host reads");
    let answer = peer.read().expect("an answer");
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &json!(nil)));
    assert_eq!(peer.read(), None);
}
