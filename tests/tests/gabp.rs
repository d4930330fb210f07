//! The arena as a process, played over real sockets by well-behaved and by hostile peers.

use ludwire_tests::arena::{Arena, PATIENCE, hello, id, request, wait_for};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::process::Command;
use std::time::Instant;

fn code(answer: &Value) -> i64 {
    answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {answer}"))
}

fn message(answer: &Value) -> &str {
    answer["error"]["message"].as_str().unwrap_or_else(|| panic!("no error: {answer}"))
}

#[test]
fn a_client_in_another_language_plays() {
    let arena = Arena::start();
    let script = ludwire_tests::workspace().join("tests/clients/gabp_agent.py");
    let output = Command::new("python3").arg(script).arg(&arena.bridge_file).output().expect("python3 runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains("hello result")).collect();
    let expected = [
        "spawn result {\"id\": 1}",
        "wall error -32402",
        "broken error -32700",
        "look result {}",
        "parameters result {}",
        "arguments-first error -32602",
        "short-token error -32101",
        "bad-token error -32101",
        "bad-token-then closed",
        "broken-before-hello error -32700",
        "broken-before-hello-then closed",
        "no-hello error -32100",
        "no-hello-then closed",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn headers_and_bodies_come_in_many_forms() {
    let arena = Arena::start();
    let mut peer = arena.peer();
    let look = request(7, "tools/call", &json!({ "name": "world/look" })).to_string();
    let length = look.len();
    for frame in [
        format!("Content-Length: {length}\r\n\r\n{look}"),
        format!("content-length:  {length} \r\nContent-Type: application/json\r\n\r\n{look}"),
        format!("Content-Type: x/y\r\nCONTENT-LENGTH:{length}\r\n\r\n{look}"),
    ] {
        peer.raw(frame.as_bytes());
        assert_eq!(peer.read().expect("an answer")["id"], id(7), "{frame}");
    }
    let frame = format!("Content-Length: {length}\r\n\r\n{look}");
    for byte in frame.as_bytes() {
        peer.raw(&[*byte]);
    }
    assert_eq!(peer.read().expect("an answer")["id"], id(7));
    peer.raw(format!("{frame}{frame}").as_bytes());
    assert_eq!(peer.read().expect("an answer")["id"], id(7));
    assert_eq!(peer.read().expect("an answer")["id"], id(7));
    // More than the 300 kB that others choke on.
    let answer = peer.call("chat/say", json!({ "text": "🎮".repeat(100_000) }));
    assert!(message(&answer).contains("at most 200 characters"), "{answer}");
}

#[test]
fn a_bridge_may_have_its_own_words_for_things() {
    let arena = Arena::start();
    let mut peer = arena.stranger();
    let mut words = hello(&arena.token());
    words["platform"] = json!("darwin");
    words["launchId"] = json!("started by hand");
    assert!(peer.ask("session/hello", words.clone())["result"].is_object());
    let at = |x: u8| json!({ "kind": "orc", "at": { "x": x, "y": 0 } });
    let answer = peer.ask("tools/call", json!({ "name": "world/spawn", "parameters": at(0) }));
    assert_eq!(answer["result"], json!({ "id": 1 }), "{answer}");
    // Where both are there, `arguments` counts, also when it is empty.
    let answer =
        peer.ask("tools/call", json!({ "name": "world/spawn", "parameters": at(1), "arguments": {} }));
    assert_eq!(code(&answer), -32602, "{answer}");
    let answer =
        peer.ask("tools/call", json!({ "name": "world/spawn", "parameters": {}, "arguments": at(2) }));
    assert_eq!(answer["result"], json!({ "id": 2 }), "{answer}");
    for member in ["platform", "launchId", "token"] {
        let mut empty = words.clone();
        empty[member] = json!("");
        assert_eq!(code(&arena.stranger().ask("session/hello", empty)), -32602, "{member}");
    }
}

#[test]
fn tokens_open_the_door_and_are_never_repeated() {
    let arena = Arena::start();
    let secret = "secret-".repeat(10);
    for token in [secret.as_str(), "secret"] {
        let mut stranger = arena.stranger();
        let answer = stranger.ask("session/hello", hello(token));
        assert_eq!(code(&answer), -32101, "{answer}");
        assert!(!answer.to_string().contains("secret"), "{answer}");
        assert_eq!(stranger.read(), None, "a stranger has one try");
    }
    // Another bridge takes over while the first is still there.
    let (mut first, mut second) = (arena.peer(), arena.peer());
    assert!(second.call("world/look", json!({}))["result"].is_object());
    assert!(first.call("world/look", json!({}))["result"].is_object());
}

#[test]
fn each_failure_has_its_code_and_the_next_call_works() {
    let arena = Arena::start();
    let mut peer = arena.peer();
    let answer = peer.call("world/spwan", json!({}));
    assert_eq!((code(&answer), message(&answer).contains("`world/spawn`")), (-32400, true), "{answer}");

    let answer =
        peer.call("world/spawn", json!({ "kind": "troll", "at": { "x": "1" }, "hp": 101, "size": 2 }));
    assert_eq!(code(&answer), -32602);
    let pointers: BTreeSet<&str> = answer["error"]["data"]["problems"]
        .as_array()
        .expect("problems")
        .iter()
        .filter_map(|problem| problem["pointer"].as_str())
        .collect();
    for pointer in ["/kind", "/at/x", "/hp", "/size"] {
        assert!(pointers.contains(pointer) && message(&answer).contains(pointer), "{pointer}: {answer}");
    }

    let params = r#"{"name":"world/spawn","arguments":{"kind":"orc","at":{"x":1,"y":2,"x":3},"kind":"elf"}}"#;
    let twice = request(1, "tools/call", &Value::Null).to_string().replace("null", params);
    peer.raw(format!("Content-Length: {}\r\n\r\n{twice}", twice.len()).as_bytes());
    let answer = peer.read().expect("an answer");
    let text = "invalid arguments: /kind: is given twice; /at/x: is given twice";
    assert_eq!((code(&answer), message(&answer)), (-32602, text));

    assert_eq!(code(&peer.call("world/spawn", json!({ "kind": "orc", "at": { "x": 5, "y": 4 } }))), -32402);
    let answer = peer.call("debug/crash", json!({}));
    assert_eq!(code(&answer), -32603);
    assert!(!message(&answer).contains("somebody called"), "{answer}");

    assert_eq!(code(&peer.ask("state/get", json!({}))), -32601);
    assert_eq!(code(&peer.ask("my-game/dance", json!({ "fast": true }))), -32601);
    // What is no name is the name of nothing, as long as it is a text.
    for (method, params, is, words) in [
        ("tools/call", json!({ "name": "world_spawn" }), -32400, "did you mean `world/spawn`?"),
        ("tools/get", json!({ "name": "World/Spawn" }), -32400, "there is no tool `World/Spawn`"),
        ("tools/call", json!({ "name": 7 }), -32602, "/params/name"),
        ("tools/call", json!({}), -32602, "/params/name"),
        ("Tools/List", json!({}), -32601, "/method"),
    ] {
        let answer = peer.ask(method, params);
        assert_eq!((code(&answer), message(&answer).contains(words)), (is, true), "{answer}");
    }
    peer.send(&json!({ "v": "gabp/2", "id": id(3), "type": "request", "method": "tools/list" }));
    let answer = peer.read().expect("an answer");
    assert_eq!((code(&answer), &answer["id"]), (-32200, &json!(id(3))));

    let answer = peer.call("world/spawn", json!({ "kind": "orc", "at": { "x": 1, "y": 2 } }));
    assert_eq!(answer["result"], json!({ "id": 1 }));
    let answer = peer.call("world/look", json!({}));
    assert_eq!(answer["result"]["entities"][0]["hp"], 10, "{answer}");
}

#[test]
fn tools_are_listed_and_filtered() {
    let arena = Arena::start();
    let mut peer = arena.peer();
    let mut names = |filter: Value| -> Vec<String> {
        let answer = peer.ask("tools/list", json!({ "filter": filter }));
        let tools = answer["result"]["tools"].as_array().expect("tools").clone();
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names(json!({})).len(), 7);
    assert_eq!(names(json!({ "namePattern": "unit/*" })), ["unit/attack", "unit/move"]);
    assert_eq!(names(json!({ "tags": ["debug"] })), ["debug/crash", "debug/sleep"]);
}

#[test]
fn slow_calls_do_not_hold_up_others_and_each_is_answered_once() {
    let arena = Arena::start();
    let mut peer = arena.peer();
    peer.send(&request(1000, "tools/call", &json!({ "name": "debug/sleep", "arguments": { "ms": 1000 } })));
    for number in 0..200 {
        peer.send(&request(number, "tools/call", &json!({ "name": "world/look" })));
    }
    let mut seen = Vec::new();
    for _ in 0..201 {
        seen.push(peer.read().expect("an answer")["id"].as_str().expect("an id").to_owned());
    }
    assert_eq!(seen.last(), Some(&id(1000)), "the sleeper is answered last");
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), 201, "no answer comes twice");
}

#[test]
fn events_are_numbered_from_zero_and_only_sent_to_subscribers() {
    let arena = Arena::start();
    let (mut listener, mut speaker) = (arena.peer(), arena.peer());
    let answer = listener.ask("events/subscribe", json!({ "channels": ["chat/said"] }));
    assert_eq!(answer["result"]["subscribed"], json!(["chat/said"]));
    for text in ["a", "🎮"] {
        assert_eq!(speaker.call("chat/say", json!({ "text": text }))["result"], json!({}));
    }
    for (seq, text) in ["a", "🎮"].into_iter().enumerate() {
        let event = listener.read().expect("an event");
        assert_eq!((&event["type"], &event["channel"]), (&json!("event"), &json!("chat/said")));
        assert_eq!((&event["seq"], &event["payload"]["text"]), (&json!(seq), &json!(text)));
    }
    let answer = listener.ask("events/unsubscribe", json!({ "channels": ["chat/said", "other"] }));
    assert_eq!(answer["result"]["unsubscribed"], json!(["chat/said"]));
    speaker.call("chat/say", json!({ "text": "b" }));
    assert!(listener.call("world/look", json!({}))["result"].is_object(), "no event comes before the answer");
}

#[test]
fn what_is_no_gabp_is_closed_and_nothing_of_it_runs() {
    let arena = Arena::start();
    let spawn = request(
        1,
        "tools/call",
        &json!({ "name": "world/spawn", "arguments": { "kind": "orc", "at": { "x": 0, "y": 0 } } }),
    );
    let hello = request(2, "session/hello", &hello(&arena.token())).to_string();
    let frames = format!(
        "Content-Length: {}\r\n\r\n{hello}Content-Length: {}\r\n\r\n{spawn}",
        hello.len(),
        spawn.to_string().len()
    );
    for bytes in [
        format!("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{frames}", frames.len())
            .into_bytes(),
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        b"Content-Length: 99999999\r\n\r\n".to_vec(),
        b"Content-Length: -1\r\n\r\n".to_vec(),
        format!("X: {}\r\n", "y".repeat(100_000)).into_bytes(),
        vec![0; 20_000],
        (0u8..=255).cycle().take(50_000).collect(),
        hello.clone().into_bytes(),
    ] {
        let mut stranger = arena.stranger();
        // The arena may close before all of it is written.
        let _ = stranger.stream.write_all(&bytes);
        let _ = stranger.stream.shutdown(std::net::Shutdown::Write);
        let mut rest = Vec::new();
        let _ = stranger.stream.read_to_end(&mut rest);
        assert!(rest.is_empty(), "{}", String::from_utf8_lossy(&rest));
    }
    let answer = arena.peer().call("world/look", json!({}));
    assert_eq!(answer["result"]["entities"], json!([]));
}

#[test]
fn a_peer_that_never_reads_is_no_trouble_for_others() {
    let arena = Arena::start();
    let mut deaf = arena.peer();
    deaf.ask("events/subscribe", json!({ "channels": ["chat/said"] }));
    deaf.stream.set_write_timeout(Some(std::time::Duration::from_millis(200))).expect("a timeout can be set");
    let list = request(1, "tools/list", &json!({})).to_string();
    let frame = format!("Content-Length: {}\r\n\r\n{list}", list.len());
    // As much as the system's buffers hold, some 10 MB: the arena stops reading what it cannot answer.
    let most = 64 * 1024 * 1024 / frame.len();
    let taken = (0..most).take_while(|_| deaf.stream.write_all(frame.as_bytes()).is_ok()).count();
    assert!(taken < most, "the arena took {taken} requests and nobody took its answers");
    // The answers to all of them would be some 400 MB.
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string(format!("/proc/{}/status", arena.child.id())).expect("it runs");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kilobytes < 20 * 1024, "the arena took {kilobytes} kB");
    }
    let mut peer = arena.peer();
    for number in 0..50 {
        let answer = peer.call("chat/say", json!({ "text": number.to_string() }));
        assert_eq!(answer["result"], json!({}));
    }
}

#[test]
fn calls_of_a_peer_that_has_gone_are_told_so() {
    let arena = Arena::start();
    let mut leaver = arena.peer();
    for number in 0..8 {
        leaver.send(&request(
            number,
            "tools/call",
            &json!({ "name": "debug/sleep", "arguments": { "ms": 60_000 } }),
        ));
    }
    // All workers sleep now; they wake when their caller goes.
    assert!(leaver.ask("tools/list", json!({}))["result"].is_object());
    drop(leaver);
    let mut peer = arena.peer();
    let start = Instant::now();
    let answer = peer.call("debug/sleep", json!({ "ms": 1 }));
    assert_eq!(answer["result"], json!({}));
    assert!(start.elapsed() < PATIENCE);
}

#[test]
fn it_ends_cleanly_also_during_a_call() {
    let mut arena = Arena::start();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode =
            std::fs::metadata(&arena.bridge_file).expect("the bridge file is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let mut peer = arena.peer();
    peer.send(&request(1, "tools/call", &json!({ "name": "debug/sleep", "arguments": { "ms": 30_000 } })));
    assert_eq!(arena.terminate(), Some(0));
    assert!(!arena.bridge_file.exists());
    let mut rest = String::new();
    arena.output.read_to_string(&mut rest).expect("the output ends");
    assert_eq!(rest, "", "nothing but the first line is printed");
    drop(peer);
}

#[test]
fn a_killed_arena_leaves_nothing_in_the_way() {
    let bridge_file = ludwire_tests::arena::fresh_path("killed.json");
    let mut first = Arena::start_with(&bridge_file, "127.0.0.1:0");
    first.child.kill().expect("it can be killed");
    first.child.wait().expect("it ends");
    assert!(bridge_file.exists(), "nobody removed it");
    let mut second = Arena::start_with(&bridge_file, &first.address);
    assert!(second.peer().call("world/look", json!({}))["result"].is_object());

    // The port is taken now.
    let output = ludwire_tests::arena::arena()
        .args(["--gabp", &second.address, "--bridge-file"])
        .arg(ludwire_tests::arena::fresh_path("other.json"))
        .output()
        .expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains(&second.address) && output.stdout.is_empty(), "{stderr}");
    assert_eq!(second.terminate(), Some(0));
    wait_for("the removal of the bridge file", || (!bridge_file.exists()).then_some(()));
}
