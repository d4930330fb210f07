//! AICC where a message is a line: over a Unix socket, and over standard input and output.
#![cfg(unix)]

use crate::game::{Game, error};
use ludwire::Aicc;
use ludwire::protocols::aicc::EventTopic;
use ludwire_tests::agent::{Agent, Closed};
use ludwire_tests::arena::{arena, fresh_path};
use serde_json::json;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::process::Stdio;

fn connect(path: &std::path::Path) -> (Agent, UnixStream) {
    let stream = UnixStream::connect(path).expect("it listens");
    let twin = || stream.try_clone().expect("it has two sides");
    (Agent::lines(twin(), twin()), stream)
}

#[test]
fn a_unix_socket_is_for_its_owner() {
    let path = fresh_path("aicc.sock");
    let aicc = Aicc::unix(&path).max_message_size(4096).events([EventTopic::StateChange]);
    let game = Game::of(|builder| builder.serve(aicc)).go_on();
    assert_eq!(game.address(), path.to_str().expect("it is text"));
    let mode = std::fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let (mut agent, mut raw) = connect(&path);
    assert_eq!(agent.init["event_subscriptions"], json!(["state_change"]));
    assert_eq!(agent.call("world_look", json!({}))["output"], json!({ "result": 0 }));
    assert_eq!(agent.unasked(|message| message["type"] == "event")["payload"]["channel"], "world/looked");
    raw.write_all(b"\xff\xfe\n{\n").expect("the game reads");
    assert!(error(&agent.answer(), "invalid_input").contains("UTF-8"));
    assert!(error(&agent.answer(), "invalid_input").contains("JSON"));
    // It resumes as over any transport.
    let session = agent.session.clone();
    let (mut new, _raw) = connect(&path);
    new.send("session_resume", json!({ "session_id": session }));
    new.begin();
    assert_eq!(new.session, session);
    assert_eq!(agent.end(), Closed(None));
    // A line that never ends.
    let (mut agent, mut raw) = connect(&path);
    let _ = raw.write_all(&vec![b'x'; 5000]);
    assert!(error(&agent.answer(), "invalid_input").contains("4096 bytes"));
    assert_eq!(agent.end(), Closed(None));
    assert_eq!(new.call("world_spawn_orc", json!({}))["ok"], true);
    drop((new, agent));
    game.end();
    assert!(!path.exists());
}

#[test]
fn the_arena_speaks_over_its_standard_output() {
    let bridge = fresh_path("aicc-stdio.json");
    let mut child = arena()
        .args(["--aicc", "stdio", "--bridge-file"])
        .arg(&bridge)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the arena starts");
    let (stdin, stdout) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let mut agent = Agent::lines(stdout, stdin);
    assert_eq!(agent.init["world"]["kind"], "2d");
    let spawned = agent.call("world_spawn", json!({ "kind": "orc", "at": { "x": 1, "y": 1 } }));
    assert_eq!(spawned["output"], json!({ "id": 1 }));
    agent.send("session_close", json!({}));
    assert_eq!(agent.end(), Closed(None));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let _ = std::fs::remove_file(bridge);
}
