//! The methods.

use super::*;
use std::time::{Duration, Instant};

#[test]
fn ai_control_protocol_method_auth() {
    let game = guarded();
    let mut client = game.client();
    for wrong in ["", "wrong", &token()[1..]] {
        assert_eq!(client.result("auth", &json!({ "token": wrong })), json!({ "authorized": false }));
        assert_eq!(client.refusal("ping", &json!({})).0, UNAUTHORIZED);
    }
    assert_eq!(client.result("auth", &json!({ "token": token() })), json!({ "authorized": true }));
    assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }));
    // It belongs to this connection only.
    assert_eq!(game.client().refusal("ping", &json!({})).0, UNAUTHORIZED);
    assert_eq!(client.refusal("auth", &json!({})).0, INVALID_PARAMS);
}

#[test]
fn ai_control_protocol_method_ping() {
    let game = guarded();
    let mut client = Client::authorized(&game.address, &token());
    game.pause();
    assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }), "while the game stands still");
}

#[test]
fn ai_control_protocol_method_status() {
    let game = Game::start(AiControl::on(0).without_token().max_commands(3).max_events(2));
    let mut client = game.client();
    let (host, port) = game.address.split_once(':').expect("an address has a port");
    let expected = json!({
        "running": true, "host": host, "port": port.parse::<u16>().expect("a port"), "queuedCommands": 0,
        "maxQueuedCommands": 3, "events": 0, "maxEvents": 2, "observationSeq": 0, "lastError": null,
    });
    assert_eq!(client.result("status", &json!({})), expected);
    game.pause();
    client.act(&json!({ "type": "unit/step" }));
    assert_eq!(client.result("status", &json!({}))["queuedCommands"], 1);
    game.go_on();
    client.carry_out(&json!({ "type": "unit/fail" }));
    client.result("observe", &json!({}));
    let status = client.result("status", &json!({}));
    assert_eq!(
        (&status["queuedCommands"], &status["events"], &status["observationSeq"], &status["lastError"]),
        (&json!(0), &json!(2), &json!(1), &json!("the door is locked"))
    );
}

#[test]
fn ai_control_protocol_method_observe() {
    let game = Game::open();
    let mut client = game.client();
    let first = client.result("observe", &json!({}));
    assert_eq!((&first["observationSeq"], &first["observation"]["steps"]), (&json!(1), &json!(0)));
    assert_eq!(client.result("observe", &json!({})), first, "nothing has changed");
    client.carry_out(&json!({ "type": "unit/step" }));
    let second = game.client().result("observe", &json!({}));
    assert_eq!((&second["observationSeq"], &second["observation"]["steps"]), (&json!(2), &json!(1)));
}

#[test]
fn ai_control_protocol_method_events() {
    let game = Game::start(AiControl::on(0).without_token().max_events(600));
    let mut client = game.client();
    let empty = client.result("events", &json!({}));
    assert_eq!(empty, json!({ "latestSeq": 0, "events": [] }));
    for _ in 0..3 {
        client.carry_out(&json!({ "type": "unit/step" }));
    }
    let all = client.result("events", &json!({ "afterSeq": 0 }));
    let events = all["events"].as_array().expect("a list");
    let stepped: Vec<&Value> =
        events.iter().map(|entry| &entry["event"]).filter(|event| event["type"] == "unit/stepped").collect();
    let expected = |seq: u32| json!({ "type": "unit/stepped", "seq": seq, "data": { "steps": seq + 1 } });
    assert_eq!(stepped, [&expected(0), &expected(1), &expected(2)], "what the game tells is kept");
    for (wanted, expected) in [
        (json!({ "limit": 0 }), vec![1]),
        (json!({ "limit": -7 }), vec![1]),
        (json!({ "limit": 2.0 }), vec![1, 2]),
        (json!({ "afterSeq": -5, "limit": 2 }), vec![1, 2]),
        (json!({ "afterSeq": 4 }), vec![5, 6]),
        (json!({ "afterSeq": 6 }), vec![]),
        (json!({ "afterSeq": 1e30 }), vec![]),
        (json!({ "limit": 1e30 }), vec![1, 2, 3, 4, 5, 6]),
    ] {
        let page = client.result("events", &wanted);
        let seen: Vec<u64> = page["events"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|entry| entry["seq"].as_u64())
            .collect();
        assert_eq!((&page["latestSeq"], seen), (&json!(6), expected), "{wanted}");
    }
    for _ in 0..300 {
        client.carry_out(&json!({ "type": "unit/step" }));
    }
    let page = client.result("events", &json!({ "limit": 5000 }));
    assert_eq!(page["events"].as_array().map(Vec::len), Some(500), "{}", page["latestSeq"]);
    assert_eq!(page["events"][0]["seq"], 7, "the oldest have gone");
}

#[test]
fn ai_control_protocol_method_act() {
    let game = Game::open();
    let mut client = game.client();
    game.pause();
    for seq in 1..=3 {
        let result = client.result("act", &json!({ "type": "unit/step" }));
        assert_eq!(result, json!({ "accepted": true, "commandSeq": seq }), "it only waits");
    }
    let start = Instant::now();
    assert_eq!(client.events(), Vec::<Value>::new());
    assert!(start.elapsed() >= Duration::from_millis(15), "the end might have come in a moment");
    game.go_on();
    let last = client.carry_out(&json!({ "type": "unit/step" }));
    assert_eq!(last["result"], json!({ "result": 4 }), "in order, the last one last");
}
