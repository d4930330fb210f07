//! Agents that ask for too much, or go without a word.

use crate::game::{Game, error};
use ludwire_tests::agent::{Agent, Closed};
use ludwire_tests::arena::PATIENCE;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn ten_thousand_calls_at_once_have_ten_thousand_results() {
    const CALLS: usize = 10_000;
    let game = Game::start(|aicc| aicc);
    let mut bystander = game.agent();
    let mut agent = game.agent();
    let flood = std::thread::spawn(move || {
        for call in 0..CALLS {
            agent.begin_call(&call.to_string(), "world_spawn_orc", json!({}));
        }
        let mut results = BTreeMap::new();
        while results.len() < CALLS {
            let result = agent.answer();
            let call = result["call_id"].as_str().expect("a text").to_owned();
            if result["ok"] == false {
                error(&result, "tool_unavailable");
                assert_eq!(result["error"]["retryable"], true);
            }
            assert_eq!(results.insert(call, result["ok"] == true), None, "each has one: {result}");
        }
        results.values().filter(|ok| **ok).count()
    });
    let mut slowest = Duration::ZERO;
    while !flood.is_finished() {
        let start = Instant::now();
        assert_eq!(bystander.call("test_echo", json!({ "text": "a" }))["ok"], true);
        slowest = slowest.max(start.elapsed());
    }
    let ran = flood.join().expect("none is missing");
    let orcs = bystander.call("world_spawn_orc", json!({}))["output"]["result"].as_u64();
    assert_eq!(orcs, Some(ran as u64 + 1), "what was refused did not run");
    assert!(ran >= 128 && slowest < Duration::from_secs(5), "{ran} ran, a bystander waited {slowest:?}");
}

#[test]
fn of_pings_that_nobody_reads_the_answers_of_not_all_are_answered() {
    const PINGS: usize = 300_000;
    let game = Game::start(|aicc| aicc);
    let mut agent = Agent::narrow(game.address());
    let ping = [&[0x89, 0x80 | 125, 0, 0, 0, 0][..], &[b'p'; 125]].concat();
    let stream = agent.socket().get_mut();
    for _ in 0..PINGS / 100 {
        stream.write_all(&ping.repeat(100)).expect("the game reads");
    }
    // What it has kept for the agent is less than what was asked for.
    stream.set_read_timeout(Some(Duration::from_secs(1))).expect("a timeout can be set");
    let (mut part, mut answered) = (vec![0; 1 << 16], 0);
    while let Ok(count @ 1..) = stream.read(&mut part) {
        answered += count;
    }
    assert!(answered > 0 && answered < PINGS * ping.len() * 2 / 3, "{answered}");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
    assert_eq!(agent.call("test_echo", json!({ "text": "a" }))["ok"], true);
}

/// Connects, calls a tool, and says that it waits.
const VICTIM: &str = r#"
import base64, json, os, socket, sys, time
host, port = sys.argv[1].split(":")
s = socket.create_connection((host, int(port)))
key = base64.b64encode(os.urandom(16)).decode()
s.sendall(f"GET /aicc?events=state_change HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
data = b""
while b'"session_id":"' not in data or len(data.split(b'"session_id":"')[1]) < 36:
    data += s.recv(65536)
session = data.split(b'"session_id":"')[1][:36].decode()
for call in ["a", "b"]:
    text = json.dumps({"protocol": "aicc/0.1", "type": "tool_call", "session_id": session,
                       "message_id": session, "call_id": call, "tool": "test_sleep", "input": {"ms": "500"}}).encode()
    s.sendall(bytes([0x81, 0xFE]) + len(text).to_bytes(2, "big") + bytes(4) + text)
print(session, flush=True)
time.sleep(600)
"#;

#[test]
fn an_agent_may_be_killed_in_the_middle() {
    let game = Game::start(|aicc| aicc);
    let mut bystander = game.agent();
    let mut victim = Command::new("python3")
        .args(["-c", VICTIM, game.address()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut line = String::new();
    let mut output = std::io::BufReader::new(victim.stdout.take().expect("it is piped"));
    std::io::BufRead::read_line(&mut output, &mut line).expect("it says its session");
    bystander.call("test_echo", json!({ "text": "its calls have come, too" }));
    victim.kill().expect("kill -9");
    victim.wait().expect("it is dead");
    assert_eq!(bystander.call("test_echo", json!({ "text": "a" }))["ok"], true);
    // It has called, and whoever it is that comes back in its place is told how that ended.
    let mut heir = game.agent();
    heir.send("session_resume", json!({ "session_id": line.trim() }));
    heir.begin();
    assert_eq!(heir.init["event_subscriptions"], json!(["state_change"]));
    let mut ended = [heir.answer(), heir.answer()].map(|result| result["call_id"].to_string());
    ended.sort();
    assert_eq!(ended, ["\"a\"", "\"b\""]);
}

#[test]
fn an_agent_that_reads_late_gets_each_result_once() {
    const CALLS: usize = 30;
    let game = Game::start(|aicc| aicc);
    let mut agent = Agent::narrow(game.address());
    for call in 0..CALLS {
        agent.begin_call(&call.to_string(), "test_fill", json!({ "count": 200_000 }));
    }
    // More than a socket holds: whoever has a result writes a part of it, and a task the rest.
    std::thread::sleep(Duration::from_millis(300));
    let mut read = BTreeSet::new();
    for _ in 0..CALLS {
        let result = agent.answer();
        assert_eq!(result["output"]["result"].as_str().map(str::len), Some(200_000), "{}", result["error"]);
        assert!(read.insert(result["call_id"].to_string()), "each comes once: {}", result["call_id"]);
    }
    agent.call("test_echo", json!({ "text": "nothing else comes" }));
}

#[test]
fn an_agent_that_reads_nothing_is_closed() {
    let game =
        Game::start(|aicc| aicc.read_within(Duration::from_millis(300)).dead_after(Duration::from_secs(60)));
    let mut agent = Agent::narrow(game.address());
    let mut bystander = game.agent();
    let start = Instant::now();
    for call in 0.. {
        assert!(start.elapsed() < Duration::from_secs(20), "it takes calls for ever");
        let call = agent.message(
            "tool_call",
            json!({ "call_id": call.to_string(), "tool": "test_fill", "input": { "count": 200_000 } }),
        );
        if agent.raw(&call.to_string()).is_err() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(bystander.call("test_echo", json!({ "text": "a" }))["ok"], true);
}

#[test]
fn what_is_no_websocket_frame_closes_the_connection() {
    use std::io::Write as _;
    let game = Game::start(|aicc| aicc);
    for (bytes, code) in [
        // Not masked.
        (&[0x81, 0x01, b'a'][..], 1002),
        // A reserved opcode.
        (&[0x83, 0x80, 0, 0, 0, 0], 1002),
        // Not UTF-8.
        (&[0x81, 0x81, 0, 0, 0, 0, 0xff], 1007),
        // Larger than anything.
        (&[0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0], 1009),
    ] {
        let mut agent = game.agent();
        agent.socket().get_mut().write_all(bytes).expect("it is sent");
        let Closed(Some((found, reason))) = agent.end() else { panic!("{bytes:?}: no reason") };
        assert_eq!(found, code, "{bytes:?}: {reason}");
    }
}

#[test]
fn agents_come_and_go_as_they_like() {
    const AGENTS: usize = 6;
    let game = Game::start(|aicc| aicc.resume_within(Duration::from_millis(200)));
    let start = Instant::now();
    let ran: usize = std::thread::scope(|scope| {
        let agents: Vec<_> = (0..AGENTS)
            .map(|number| {
                let game = &game;
                scope.spawn(move || {
                    let mut random = fastrand::Rng::with_seed(number as u64);
                    let (mut last, mut ran) = (None::<String>, 0);
                    while start.elapsed() < Duration::from_secs(3) {
                        // The room of connections that have just gone is free a moment later.
                        let Ok(mut agent) = Agent::connect(game.address(), "events=state_change,tick", &[])
                        else {
                            std::thread::sleep(Duration::from_millis(5));
                            continue;
                        };
                        if let Some(last) = last.take() {
                            agent.send("session_resume", json!({ "session_id": last }));
                            loop {
                                let answer = agent.answer();
                                match answer["type"].as_str() {
                                    Some("session_init") => break agent.session.clone_from(&last),
                                    Some("error") => {
                                        error(&answer, "session_expired");
                                        break;
                                    }
                                    // Of the calls that nobody has waited for.
                                    _ => assert_eq!(answer["type"], "tool_result"),
                                }
                            }
                        }
                        for call in 0..random.u32(0..5) {
                            let id = format!("{ran} {call}");
                            agent.begin_call(&id, "test_echo", json!({ "text": id }));
                            while random.bool() {
                                let answer = agent.answer();
                                if answer["call_id"] == id {
                                    assert_eq!(answer["output"], json!({ "result": id }));
                                    ran += 1;
                                    break;
                                }
                            }
                        }
                        match random.u32(0..4) {
                            0 => agent.send("session_close", json!({})),
                            1 => drop(agent.socket().close(None)),
                            // It goes without a word.
                            2 => {}
                            _ => last = Some(agent.session.clone()),
                        }
                    }
                    ran
                })
            })
            .collect();
        agents.into_iter().map(|agent| agent.join().expect("none is told nonsense")).sum()
    });
    assert!(ran > AGENTS, "{ran} calls");
    let start = Instant::now();
    let mut all = Vec::new();
    while all.len() < 10 {
        assert!(start.elapsed() < Duration::from_secs(20), "{} of 10 places are free again", all.len());
        match Agent::connect(game.address(), "", &[]) {
            Ok(agent) => all.push(agent),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
    for agent in &mut all {
        assert_eq!(agent.call("world_spawn_orc", json!({}))["ok"], true);
    }
}

#[test]
fn a_peer_that_knocks_for_ever_keeps_nobody_out() {
    let game = Game::start(|aicc| aicc.max_connections(3));
    for _ in 0..100 {
        let agent = Agent::connect(game.address(), "", &[]);
        // The room of the last one may be taken for a moment.
        if let Ok(mut agent) = agent {
            agent.begin_call("a", "test_sleep", json!({ "ms": "50" }));
        }
    }
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(20), "there is room again");
        if let Ok(mut agent) = Agent::connect(game.address(), "", &[]) {
            assert_eq!(agent.call("world_spawn_orc", json!({}))["ok"], true);
            break;
        }
    }
}
