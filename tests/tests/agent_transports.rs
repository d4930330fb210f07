//! `ludwire-agent` plays the arena, two processes, over each transport.

use ludwire_tests::arena::{Arena, agent, arena, fresh_path, programs, terminate, wait_for};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Plays a game that lives on from one run of the agent to the next, which `connected` leads to.
fn play(connected: impl Fn() -> Command) {
    let run = |arguments: &[&str]| connected().args(arguments).output().expect("the agent runs");
    let result = |arguments: &[&str]| -> Value {
        let output = run(&[arguments, &["--json"]].concat());
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    };
    assert_eq!(result(&["tools"]).as_array().map(Vec::len), Some(7));
    let spawn = r#"{"kind":"orc","at":{"x":1,"y":2}}"#;
    assert_eq!(result(&["call", "world/spawn", spawn]), json!({ "id": 1 }));
    let blocked = run(&["call", "world/spawn", spawn]);
    let told = String::from_utf8_lossy(&blocked.stderr).into_owned();
    assert!(blocked.status.code() == Some(1) && told.contains("is blocked by orc 1"), "{told}");
    assert_eq!(result(&["observe"])["entities"][0]["id"], 1);
    // Something is said while somebody listens.
    let mut watching = connected();
    watching.args(["watch", "chat/said", "--count", "1"]).stdout(Stdio::piped());
    let mut watching = watching.spawn().expect("the agent runs");
    wait_for("what is said", || {
        result(&["call", "chat/say", r#"{"text":"hello"}"#]);
        watching.try_wait().expect("it can be waited for")
    });
    let heard: Value = serde_json::from_slice(&watching.wait_with_output().expect("it has ended").stdout)
        .expect("it is JSON");
    assert_eq!((&heard["channel"], &heard["payload"]["text"]), (&json!("chat/said"), &json!("hello")));
}

fn through(bridge_file: &Path) -> Command {
    let mut agent = agent();
    agent.arg("--bridge-file").arg(bridge_file);
    agent
}

#[test]
fn over_tcp() {
    let mut arena = Arena::start();
    play(|| through(&arena.bridge_file));
    assert_eq!(arena.terminate(), Some(0));
    assert!(!arena.bridge_file.exists());
}

#[cfg(unix)]
#[test]
fn over_a_unix_socket() {
    let (socket, bridge_file) = (fresh_path("arena.sock"), fresh_path("arena.json"));
    let address = format!("unix:{}", socket.display());
    let mut game = arena();
    game.args(["--gabp", &address, "--bridge-file"]).arg(&bridge_file).stdout(Stdio::null());
    let mut game = game.spawn().expect("the arena starts");
    wait_for("the bridge file", || bridge_file.exists().then_some(()));
    play(|| through(&bridge_file));
    assert_eq!(terminate(&mut game), Some(0));
    assert!(!socket.exists() && !bridge_file.exists());
}

/// What the arena prints when it is ready must not come between the messages. It ends with the agent that has
/// started it.
#[cfg(unix)]
#[test]
fn over_standard_input_and_output() {
    let game = programs().join("examples").join("arena");
    let run = |arguments: &[&str]| -> Output {
        let mut agent = agent();
        agent.arg("--run").arg(&game).args(["--run-arg", "--gabp", "--run-arg", "stdio"]).args(arguments);
        agent.output().expect("the agent runs")
    };
    for (arguments, expected) in [
        (&["tools"][..], "world/spawn (generator)"),
        (&["call", "world/spawn", r#"{"kind":"orc","at":{"x":1,"y":2}}"#], "\"id\": 1"),
        (&["call", "world/look"], "\"entities\": []"),
        (&["observe"], "\"entities\": []"),
        (&["events"], "chat/said"),
    ] {
        let output = run(arguments);
        let (text, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && text.contains(expected), "{arguments:?}: {text}\n{log}");
        assert!(log.contains("\"gabp\""), "what it prints goes to standard error: {log}");
    }
    let wrong = run(&["call", "world/spawn", r#"{"kind":"troll","at":{"x":1,"y":2}}"#]);
    assert_eq!(wrong.status.code(), Some(1), "{wrong:?}");
}
