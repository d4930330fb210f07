//! `ludwire-agent` as a process, against the arena.

use ludwire_tests::arena::{Arena, agent, fresh_path};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Output, Stdio};

fn run(arena: &Arena, arguments: &[&str]) -> Output {
    agent().arg("--bridge-file").arg(&arena.bridge_file).args(arguments).output().expect("the agent runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

#[test]
fn tools_are_shown_to_people_and_to_machines() {
    let arena = Arena::start();
    let output = run(&arena, &["tools"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(shown.contains("world/spawn (generator)"), "{shown}");
    assert!(shown.contains("hp: integer, 1 to 100, default 10, optional. Hit points."), "{shown}");
    let tools: Value = serde_json::from_slice(&run(&arena, &["tools", "--json"]).stdout).expect("JSON");
    assert_eq!(tools.as_array().map(Vec::len), Some(7));
}

#[test]
fn calls_and_their_exit_codes() {
    let arena = Arena::start();
    let spawn = r#"{"kind":"orc","at":{"x":1,"y":2}}"#;
    let output = run(&arena, &["call", "world/spawn", spawn, "--json"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "{\"id\":1}\n"));

    let output = run(&arena, &["call", "world/spawn", spawn]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("blocked by orc 1"), "{}", text(&output.stderr));

    let output = run(&arena, &["call", "world/spwan", "--json"]);
    let failure: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((output.status.code(), &failure["error"]["code"]), (Some(1), &json!(-32400)));

    for wrong in [&["call", "world/look", "[1]"][..], &["call", "world/look", "{"], &["call"], &["dance"]] {
        assert_eq!(run(&arena, wrong).status.code(), Some(2), "{wrong:?}");
    }
    let missing = fresh_path("missing.json");
    let output = agent().arg("--bridge-file").arg(missing).arg("tools").output().expect("the agent runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is the game running?"));
}

#[test]
fn arguments_from_standard_input_and_a_token_from_the_environment() {
    let arena = Arena::start();
    let mut child = agent()
        .args(["--connect", &arena.address, "--token-env", "TEST_TOKEN", "call", "chat/say", "-"])
        .env("TEST_TOKEN", arena.token())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the agent runs");
    child.stdin.take().expect("it is piped").write_all(br#"{"text":"hi"}"#).expect("the agent reads");
    let output = child.wait_with_output().expect("the agent ends");
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "{}\n"));

    let output = agent()
        .args(["--connect", &arena.address, "--token-env", "TEST_TOKEN", "tools"])
        .env("TEST_TOKEN", "wrong-".repeat(10))
        .output()
        .expect("the agent runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(!text(&output.stderr).contains("wrong-"), "{}", text(&output.stderr));
}
