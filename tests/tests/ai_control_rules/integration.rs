//! What ties the protocol to a game.

use super::*;

#[test]
fn ai_control_protocol_integration_loop_ownership() {
    let game = Game::open();
    let mut client = game.client();
    game.pause();
    client.act(&json!({ "type": "unit/step" }));
    client.result("ping", &json!({}));
    assert_eq!(client.events(), Vec::<Value>::new(), "nothing is done while the game's loop stands still");
    let thread = game.thread.as_ref().expect("it runs").thread().id();
    game.go_on();
    client.carry_out(&json!({ "type": "unit/fail" }));
    drop(client);
    let world = game.end();
    assert_eq!((world.steps, world.thread), (1, Some(thread)));
}

#[test]
fn ai_control_protocol_integration_observation_schema() {
    let game = Game::open();
    let observation = game.client().result("observe", &json!({}))["observation"].take();
    assert_eq!(observation["schemaVersion"], 1);
    assert_eq!(observation["availableActions"], json!(["unit/aim", "unit/fail", "unit/panic", "unit/step"]));
}

#[test]
fn ai_control_protocol_integration_command_completion() {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0"]);
    let address = arena.ready["aiControl"]["address"].as_str().expect("an address").to_owned();
    let mut client = Client::authorized(&address, &arena.token());
    let commands = [
        (json!({ "type": "world/spawn", "kind": "orc", "at": { "x": 1, "y": 2 } }), true),
        (json!({ "type": "world/spawn", "kind": "orc", "at": { "x": 1, "y": 2 } }), false),
        (json!({ "type": "world/spawn", "kind": "troll" }), false),
        (json!({ "type": "debug/crash" }), false),
        (json!({ "type": "no such thing" }), false),
        (json!({ "type": "debug/sleep", "ms": 60_000 }), false),
    ];
    let accepted: Vec<u64> = commands.iter().map(|(command, _)| client.act(command)).collect();
    // One of them sleeps still when the game ends.
    let mut ended = Vec::new();
    wait_for("what ends by itself", || {
        ended.extend(client.events());
        (ended.len() == commands.len() - 1).then_some(())
    });
    let pid = arena.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
    wait_for("the end of what slept", || {
        ended.extend(client.events());
        (ended.len() == commands.len()).then_some(())
    });
    for (seq, (command, success)) in accepted.iter().zip(&commands) {
        let of: Vec<&Value> = ended.iter().filter(|event| event["commandSeq"] == *seq).collect();
        assert_eq!(of.len(), 1, "{command} ends once");
        assert_eq!(
            (&of[0]["type"], &of[0]["success"]),
            (&json!("command_completed"), &json!(success)),
            "{command}"
        );
        assert!(!of[0]["message"].as_str().expect("a text").is_empty());
    }
    let spawned = ended.iter().find(|event| event["commandSeq"] == accepted[0]).expect("it was there");
    assert_eq!(spawned["result"], json!({ "id": 1 }));
}

#[test]
fn ai_control_protocol_integration_bounded_state() {
    for front_end in [AiControl::on(0).max_commands(0), AiControl::on(0).max_events(0)] {
        assert!(refused(front_end).0.contains("at least"));
    }
    let game = Game::start(AiControl::on(0).without_token().max_events(4));
    let mut client = game.client();
    for _ in 0..20 {
        client.carry_out(&json!({ "type": "unit/fail" }));
    }
    let status = client.result("status", &json!({}));
    assert_eq!((&status["events"], &status["maxEvents"]), (&json!(4), &json!(4)));
}
