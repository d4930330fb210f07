//! The arena, played over AICC by an agent in Python.

use ludwire_tests::arena::{arena, fresh_path};
use ludwire_tests::workspace;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A Python with what the agents need: that which `LUDWIRE_PYTHON` names, as CI does, or one in a folder of
/// our own below `target`, which is made where it is not there.
fn python() -> PathBuf {
    if let Some(python) = std::env::var_os("LUDWIRE_PYTHON") {
        return python.into();
    }
    let script = workspace().join("tests/clients/python");
    let output = Command::new(script).output().expect("a shell runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "there is no Python with websockets, which LUDWIRE_PYTHON could name: {told}"
    );
    String::from_utf8_lossy(&output.stdout).trim().into()
}

#[test]
fn an_agent_in_another_language_plays() {
    let python = python();
    let bridge = fresh_path("aicc-python.json");
    let token = "a-token-that-is-no-word-of-any-message";
    let mut game = arena()
        .args(["--aicc", "127.0.0.1:0", "--bridge-file"])
        .arg(&bridge)
        .env("ARENA_TOKEN", token)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the arena starts");
    let mut line = String::new();
    let output = game.stdout.take().expect("it is piped");
    BufReader::new(output).read_line(&mut line).expect("the arena says where it listens");
    let ready: Value = serde_json::from_str(&line).expect("the line is JSON");
    let mut agent = Command::new(python)
        .arg(workspace().join("tests/clients/aicc_agent.py"))
        .arg(ready["aicc"]["address"].as_str().expect("an address"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python runs");
    // No argument: whoever looks at the processes would see it.
    agent.stdin.take().expect("it is piped").write_all(token.as_bytes()).expect("it reads");
    let played = agent.wait_with_output().expect("it ends");
    game.kill().expect("it runs");
    let log = game.wait_with_output().expect("it ends");
    let _ = std::fs::remove_file(bridge);
    let (text, told) = (String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
    assert!(played.status.success(), "{text}\n{told}");
    let expected = [
        "no-token 401",
        "wrong-token 401",
        "wrong-path 404",
        "foreign-origin 403",
        "subprotocol aicc.0.1",
        "world {\"kind\": \"2d\", \"name\": \"Arena\"}",
        "model {\"class\": \"edge_medium\"}",
        "spawn-class generator",
        "orc {\"id\": 1}",
        "wall [\"execution_failed\", false]",
        "dragon invalid_input",
        "spwan [\"tool_unknown\", true]",
        "crash internal_error",
        "heard [\"chat/said\", \"hello\"]",
        "ticks-grow true",
        "broken invalid_input",
        "resumed true",
        "asleep true",
        "there [\"orc\", \"elf\"]",
        "closed 1000",
        "binary 1003",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    let log = String::from_utf8_lossy(&log.stderr);
    assert!(!log.contains(token), "the token stands in the log: {log}");
}
