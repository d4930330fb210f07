//! What `ludwire-agent` says to whoever has mistaken a token, an address, a name or a protocol.

use ludwire_tests::arena::{Arena, PATIENCE, agent};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a run has ended, and all that it has said.
fn said(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("the agent runs");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

/// An arena that speaks all protocols, and where.
fn arena() -> (Arena, [(&'static str, String); 3]) {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0", "--aicc", "127.0.0.1:0"]);
    let at = |name: &str| arena.ready[name]["address"].as_str().expect("an address").to_owned();
    let addresses = [("gabp", at("gabp")), ("aicontrol", at("aiControl")), ("aicc", at("aicc"))];
    (arena, addresses)
}

#[test]
fn a_token_that_is_none_is_said_so() {
    let (_arena, addresses) = arena();
    for (protocol, address) in &addresses {
        let with = |token: Option<&str>| {
            let mut agent = agent();
            agent.args(["--protocol", protocol, "--connect", address, "--token-env", "SHORT", "tools"]);
            match token {
                Some(token) => agent.env("SHORT", token),
                None => agent.env_remove("SHORT"),
            };
            said(&mut agent)
        };
        let empty = "ludwire-agent: the environment variable SHORT is empty\n".to_owned();
        assert_eq!(with(Some("")), (Some(2), empty), "{protocol}");
        let missing = "ludwire-agent: the environment variable SHORT is not set\n".to_owned();
        assert_eq!(with(None), (Some(2), missing), "{protocol}");
        // Other games may have short tokens, but over GABP; and a letter is in every word.
        let (status, words) = match *protocol {
            "gabp" => (2, "the token is too short, GABP wants at least 32 characters"),
            "aicontrol" => (1, "the game has another token than the one that was shown"),
            _ => (1, "this is not the token: show the token, in the header Authorization"),
        };
        for token in ["t", "token", "the"] {
            let (found, told) = with(Some(token));
            assert!(found == Some(status) && told.contains(words), "{protocol}, {token}: {found:?} {told}");
        }
    }
}

#[test]
fn an_address_has_its_form() {
    for protocol in ["gabp", "aicontrol", "aicc"] {
        for address in
            ["43210", "localhost", "ws://127.0.0.1:43210/aicc", "127.0.0.1:", "::1:43210", ":43210"]
        {
            let mut agent = agent();
            agent.args(["--protocol", protocol, "--connect", address, "--token-env", "TEST_TOKEN", "tools"]);
            let (status, told) = said(agent.env("TEST_TOKEN", "t".repeat(32)));
            assert_eq!(status, Some(2), "{protocol}, {address}: {told}");
            let expected =
                format!("cannot connect to {address}: an address is HOST:PORT, such as 127.0.0.1:");
            assert!(told.contains(&expected), "{protocol}: {told}");
        }
    }
}

#[test]
fn what_is_no_name_of_a_tool_is_near_one_all_the_same() {
    let (arena, addresses) = arena();
    for (protocol, address) in &addresses {
        let over = |name: &str| {
            let mut agent = agent();
            agent.args(["--protocol", protocol, "--bridge-file"]).arg(&arena.bridge_file);
            said(agent.args(["--connect", address, "call", name]))
        };
        for (name, hint) in [("world_loook", "look`?"), ("World/Look", "look`?"), ("?", "tools")] {
            let (status, told) = over(name);
            assert_eq!(status, Some(1), "{protocol}, {name}: {told}");
            assert!(told.contains("there is no tool `") && told.contains(hint), "{protocol}: {told}");
            assert!(!told.contains("must match"), "{protocol}: {told}");
        }
    }
}

#[test]
fn what_a_protocol_has_not_is_asked_for_without_its_address() {
    for (protocol, name) in [("aicontrol", "AiControl"), ("aicc", "AICC")] {
        let over = |more: &[&str]| {
            let mut agent = agent();
            said(agent.args(["--protocol", protocol, "states"]).args(more))
        };
        let begin = format!("ludwire-agent: {name} has tools, events and an observation only; ");
        let leave = format!("{begin}leave --protocol away for the rest");
        assert_eq!(over(&[]), (Some(2), format!("{leave}\n")));
        let connect = ["--connect", "127.0.0.1:1"];
        let told = format!("{leave}, and --connect, which leads to {name}'s port\n");
        assert_eq!(over(&connect), (Some(2), told));
        let told = format!("{leave}, and --connect and --token-env, which lead to {name}'s port\n");
        assert_eq!(over(&[&connect[..], &["--token-env", "TOKEN"]].concat()), (Some(2), told));
    }
}

#[test]
fn channels_of_the_game_are_watched_over_aicc() {
    let (arena, addresses) = arena();
    let (_, aicc) = &addresses[2];
    let watch = |channels: &[&str]| {
        let mut agent = agent();
        agent.args(["--protocol", "aicc", "--connect", aicc, "--bridge-file"]).arg(&arena.bridge_file);
        agent.args(["watch", "--count", "1"]).args(channels);
        agent
    };
    let (status, told) = said(&mut watch(&["tock"]));
    assert_eq!(status, Some(1), "{told}");
    let expected = "there is no topic `tock`; there are tick, collision, audio, state_change, agent_message, and the \
                    game's own channels, such as `world/changed`";
    assert!(told.contains(expected), "{told}");

    let mut peer = arena.peer();
    let mut first = |channels: &[&str]| -> Value {
        let mut agent = watch(channels);
        let mut agent = agent.stdout(Stdio::piped()).spawn().expect("the agent runs");
        let start = Instant::now();
        while agent.try_wait().expect("it is ours").is_none() {
            assert!(start.elapsed() < PATIENCE, "{channels:?}: nothing came");
            peer.call("chat/say", json!({ "text": "hello" }));
            std::thread::sleep(Duration::from_millis(50));
        }
        let output = agent.wait_with_output().expect("it has ended");
        assert_eq!(output.status.code(), Some(0), "{channels:?}");
        serde_json::from_slice(&output.stdout).expect("one event")
    };
    for channels in [&["chat/said"][..], &["chat/unsaid", "state_change"], &["audio/heard", "chat/said"]] {
        let event = first(channels);
        assert_eq!(event["topic"], "state_change", "{event}");
        assert_eq!(event["payload"]["channel"], "chat/said", "{event}");
    }
    // What comes of the same topic, and was not asked for, is passed over.
    assert_eq!(first(&["chat/unsaid", "tick"])["topic"], "tick");
}
