//! The manifest, calls, and what is refused.

use crate::game::{Game, error};
use ludwire::client::gabp::Client;
use ludwire::client::{ClientError, Way, block_on};
use ludwire::protocols::aicc::{ModelClass, TickMode, WorldKind};
use ludwire::{AiControl, Aicc, Capabilities, Class, Gabp};
use ludwire_tests::agent::{Agent, Closed};
use ludwire_tests::arena::{fresh_path, id, wait_for};
use serde_json::{Map, Value, json};
use std::time::Duration;

#[test]
fn a_session_begins_with_the_manifest() {
    let game = Game::start(|aicc| {
        aicc.world("Mordor", WorldKind::N2d)
            .tick_rate(20.0)
            .tick_mode(TickMode::Hybrid)
            .allow(Class::Sensor, "gate:see")
            .model(ModelClass::EdgeMedium)
            .model_budgets(Duration::from_millis(300), Duration::from_secs(2))
    });
    let mut agent = game.agent();
    let init = agent.init.clone();
    assert_eq!(init["world"], json!({ "name": "Mordor", "kind": "2d" }));
    assert_eq!((&init["tick_rate_hz"], &init["tick_mode"]), (&json!(20.0), &json!("hybrid")));
    assert_eq!(init["capabilities"], json!({ "sensors": ["gate:see"], "actuators": [], "generators": [] }));
    let model =
        json!({ "class": "edge_medium", "expected_first_token_ms": 300, "expected_full_response_ms": 2000 });
    assert_eq!(init["agent_model"], model);
    assert_eq!(init["event_subscriptions"], json!([]));
    let tool = |id: &str| {
        let tools = init["tools"].as_array().expect("a list");
        tools.iter().find(|tool| tool["id"] == id).unwrap_or_else(|| panic!("no {id} in {init}"))
    };
    let spawn = tool("world_spawn_orc");
    assert_eq!((&spawn["class"], &spawn["description"]), (&json!("generator"), &json!("Spawns an orc.")));
    assert_eq!((&spawn["strict_input"], spawn.get("limits")), (&json!(true), None));
    assert_eq!(tool("bell_ring")["limits"], json!({ "calls_per_minute": 2, "calls_per_session": 3 }));
    assert_eq!(tool("gate_open")["requires_capability"], "gate:open", "what is in the way");
    assert_ne!(tool("test_echo")["strict_input"], json!(true));
    assert_eq!(tool("test_echo")["input_schema"]["properties"]["text"]["type"], "string");

    agent.send("manifest_request", json!({}));
    let mut again = agent.answer();
    assert_ne!(again["message_id"], init["message_id"], "an id is of one message");
    again["message_id"] = init["message_id"].clone();
    assert_eq!(again, init);

    let other = Agent::connect(game.address(), "model=edge_small&events=tick,nonsense,audio", &[]);
    let other = other.expect("it is let in");
    assert_eq!(other.init["agent_model"]["class"], "edge_small");
    assert_eq!(other.init["event_subscriptions"], json!(["tick", "audio"]));
    assert_ne!(other.session, agent.session);
}

#[test]
fn calls_have_one_result_each() {
    let game = Game::start(|aicc| aicc);
    let mut agent = game.agent();
    let result = agent.call("world_spawn_orc", json!({}));
    assert_eq!(result["output"], json!({ "result": 1 }));
    let meta = &result["meta"];
    assert_eq!(meta["source"], "world/spawn-orc");
    assert!(meta["tick"].is_u64() && meta["latency_ms"].is_u64(), "{result}");
    let later = agent.call("world_spawn_orc", json!({}));
    assert!(later["meta"]["tick"].as_u64() >= meta["tick"].as_u64(), "{result}, then {later}");
    // What it does not know is ignored by one, refused by another.
    assert_eq!(
        agent.call("test_echo", json!({ "text": "a", "more": 1 }))["output"],
        json!({ "result": "a" })
    );
    let refused = agent.call("world_spawn_orc", json!({ "more": 1 }));
    assert!(error(&refused, "invalid_input").contains("more"), "{refused}");
    // They are carried out in the order in which they were sent; results may come in another one.
    for number in 0..50 {
        agent.begin_call(&number.to_string(), "world_spawn_orc", json!({}));
    }
    for _ in 0..50 {
        let result = agent.answer();
        let number: u32 = result["call_id"].as_str().and_then(|id| id.parse().ok()).expect("a number");
        assert_eq!(result["output"], json!({ "result": number + 3 }));
    }
}

#[test]
fn every_failure_has_its_code() {
    let game = Game::start(|aicc| aicc.max_message_size(4096));
    let mut agent = game.agent();
    for (tool, input, code, retryable, words) in [
        ("world_spawn_ork", json!({}), "tool_unknown", false, "did you mean `world_spawn_orc`?"),
        ("no_such", json!({}), "tool_unknown", false, "no tool"),
        ("test_echo", json!({ "text": 1 }), "invalid_input", false, "/text: must be a string"),
        ("test_fail", json!({ "how": "never" }), "execution_failed", false, "never"),
        ("test_fail", json!({ "how": "again" }), "execution_failed", true, "not yet"),
        ("test_fail", json!({ "how": "missing" }), "execution_failed", false, "not there"),
        ("test_fail", json!({ "how": "unavailable" }), "tool_unavailable", true, "Mondays"),
        ("test_fail", json!({ "how": "panic" }), "internal_error", true, "panicked"),
        ("test_slow", json!({}), "timeout", true, "0.05 s"),
        ("test_fill", json!({ "count": 5000 }), "execution_failed", false, "at most 4096"),
        ("gate_open", json!({}), "tool_unavailable", true, "gate:see"),
    ] {
        let result = agent.call(tool, input);
        assert!(error(&result, code).contains(words), "{result}");
        assert_eq!(result["error"]["retryable"], retryable, "{result}");
        assert!(result["meta"]["latency_ms"].is_u64(), "{result}");
    }
}

#[test]
fn a_game_that_stands_still_is_told_from_a_tool_that_is_slow() {
    let game = Game::still(|aicc| aicc);
    let mut agent = game.agent();
    let result = agent.call("test_stalled", json!({}));
    let message = error(&result, "tool_unavailable");
    assert!(message.contains("try again") && result["error"]["retryable"] == true, "{result}");
    // Nothing else waits for it.
    agent.send("manifest_request", json!({}));
    assert_eq!(agent.answer()["type"], "session_init");
}

#[test]
fn limits_count_in_a_session() {
    let game = Game::start(|aicc| aicc);
    let mut agent = game.agent();
    for _ in 0..2 {
        assert_eq!(agent.call("bell_ring", json!({}))["ok"], true);
    }
    let refused = agent.call("bell_ring", json!({}));
    assert!(error(&refused, "tool_unavailable").contains("2 times a minute; try again in"), "{refused}");
    assert_eq!(refused["error"]["retryable"], true);
    // Another session has limits of its own, and so have other protocols.
    assert_eq!(game.agent().call("bell_ring", json!({}))["ok"], true);
    // They go with the session, not with the connection.
    let session = agent.session.clone();
    drop(agent);
    let mut agent = game.agent();
    agent.send("session_resume", json!({ "session_id": session }));
    agent.begin();
    assert_eq!(agent.session, session);
    assert!(error(&agent.call("bell_ring", json!({})), "tool_unavailable").contains("a minute"));
}

#[test]
fn capabilities_come_and_go() {
    let capabilities = Capabilities::new();
    let game = Game::start(|aicc| aicc.capabilities(&capabilities));
    let mut agent = game.agent();
    let update = |agent: &mut Agent| agent.unasked(|message| message.get("manifest_update").is_some());
    capabilities.allow(Class::Sensor, "gate:see");
    let manifest = update(&mut agent)["manifest_update"].clone();
    assert_eq!(manifest["capabilities"]["sensors"], json!(["gate:see"]));
    assert!(error(&agent.call("gate_open", json!({})), "tool_unavailable").contains("gate:open"));
    capabilities.allow(Class::Actuator, "gate:open");
    update(&mut agent);
    assert_eq!(agent.call("gate_open", json!({}))["ok"], true);
    capabilities.forbid("gate:see");
    assert!(error(&agent.call("gate_open", json!({})), "tool_unavailable").contains("gate:see"));
    update(&mut agent);

    // Tools do, too.
    assert!(game.host.disable_tool("world/look"));
    let manifest = update(&mut agent)["manifest_update"].clone();
    let tools = manifest["tools"].as_array().expect("a list");
    assert!(tools.iter().all(|tool| tool["id"] != "world_look"), "{manifest}");
    error(&agent.call("world_look", json!({})), "tool_unknown");
    assert!(game.host.enable_tool("world/look"));
    update(&mut agent);
    assert_eq!(agent.call("world_look", json!({}))["ok"], true);
}

#[test]
fn a_session_goes_on_after_what_is_no_message() {
    let game = Game::start(|aicc| aicc);
    let mut agent = game.agent();
    let mut other = agent.message("heartbeat", json!({}));
    other["protocol"] = json!("aicc/9.9");
    let deep = format!(
        r#"{{"protocol":"aicc/0.1","type":"tool_call","call_id":"d","input":{}1{}}}"#,
        r#"{"a":"#.repeat(5000),
        "}".repeat(5000)
    );
    let twice = agent.message("heartbeat", json!({})).to_string().replacen('{', r#"{"type":"heartbeat","#, 1);
    let plain = agent.message("heartbeat", json!({})).to_string();
    let session = agent.session.clone();
    for (name, value) in [
        ("protocol", "aicc/0.1"),
        ("protocol", "aicc/9.9"),
        ("session_id", &session),
        ("message_id", &session),
    ] {
        let message = plain.replacen('{', &format!("{{\"{name}\":\"{value}\","), 1);
        agent.raw(&message).expect("the game reads");
        assert!(error(&agent.answer(), "invalid_input").contains(&format!("/{name}: ")), "{message}");
    }
    // Of two ids, neither is that of a call which has a result.
    let call =
        agent.message("tool_call", json!({ "call_id": "x", "tool": "test_echo", "input": 1 })).to_string();
    agent
        .raw(&call.replacen("\"input\"", "\"input\":1,\"call_id\":\"y\",\"input\"", 1))
        .expect("the game reads");
    assert_eq!(agent.answer()["type"], "error");
    let sent_by_bridges = ["session_init", "tool_result", "event"];
    for (text, code, words) in [
        ("{".to_owned(), "invalid_input", "no JSON"),
        (String::new(), "invalid_input", ""),
        ("[]".to_owned(), "invalid_input", "object"),
        ("null".to_owned(), "invalid_input", "object"),
        (deep, "invalid_input", ""),
        (twice, "invalid_input", "twice"),
        (other.to_string(), "protocol_mismatch", "aicc/9.9"),
        (json!({ "type": "heartbeat" }).to_string(), "invalid_input", "/protocol"),
        (agent.message("dance", json!({})).to_string(), "invalid_input", "/type"),
        (agent.message("heartbeat", json!({ "more": 1 })).to_string(), "invalid_input", "/more"),
        (agent.message("tool_call", json!({ "tool": "world_look" })).to_string(), "invalid_input", "missing"),
        (
            agent.message("heartbeat", json!({ "session_id": id(99) })).to_string(),
            "invalid_input",
            "/session_id",
        ),
        (
            agent
                .message(
                    "tool_call",
                    json!({ "session_id": id(99), "call_id": "x", "tool": "test_echo", "input": {} }),
                )
                .to_string(),
            "invalid_input",
            "/session_id",
        ),
    ] {
        agent.raw(&text).expect("the game reads");
        let told = agent.answer();
        let shown = text.chars().take(100).collect::<String>();
        assert_eq!((&told["type"], &told["session_id"]), (&json!("error"), &json!(agent.session)), "{shown}");
        assert!(error(&told, code).contains(words), "{shown}: {told}");
        assert_eq!(told["error"]["retryable"], false);
    }
    for kind in sent_by_bridges {
        let members = match kind {
            "session_init" => {
                let mut init = agent.init.clone();
                init["message_id"] = json!(id(5));
                init
            }
            "tool_result" => json!({ "call_id": "x", "ok": true, "output": {} }),
            _ => json!({ "topic": "tick", "payload": {} }),
        };
        agent.send(kind, members);
        assert!(error(&agent.answer(), "invalid_input").contains("only the bridge sends"));
    }
    // An error is told, not answered, and so is a heartbeat.
    agent.send("error", json!({ "error": { "code": "internal_error", "message": "oh", "retryable": true } }));
    agent.send("heartbeat", json!({}));
    assert_eq!(agent.call("world_spawn_orc", json!({}))["ok"], true);
}

#[test]
fn a_call_id_is_of_one_call_at_a_time() {
    let game = Game::start(|aicc| aicc.max_calls(3));
    let mut agent = game.agent();
    agent.begin_call("same", "test_sleep", json!({ "ms": "300" }));
    agent.begin_call("same", "test_echo", json!({ "text": "a" }));
    let refused = agent.answer();
    assert_eq!(refused["type"], "error", "a result would be taken for that of the first: {refused}");
    assert!(error(&refused, "invalid_input").contains("\"same\" runs already"), "{refused}");
    for other in ["b", "c", "d"] {
        agent.begin_call(other, "test_sleep", json!({ "ms": "300" }));
    }
    let refused = agent.answer();
    assert_eq!(refused["call_id"], "d");
    assert!(error(&refused, "tool_unavailable").contains("3 calls"), "{refused}");
    let mut ended: Vec<Value> = (0..3).map(|_| agent.answer()["call_id"].clone()).collect();
    ended.sort_by_key(Value::to_string);
    assert_eq!(ended, ["b", "c", "same"]);
    agent.begin_call(&"x".repeat(257), "test_echo", json!({ "text": "a" }));
    assert!(error(&agent.answer(), "invalid_input").contains("/call_id: must have at most 256 bytes"));
    agent.begin_call("same", "test_echo", json!({ "text": "a" }));
    assert_eq!(agent.answer()["output"], json!({ "result": "a" }), "then it is free again");
}

#[test]
fn agents_hear_what_they_have_asked_for() {
    let game = Game::start(|aicc| aicc);
    let connect = |query| Agent::connect(game.address(), query, &[]).expect("it is let in");
    let (mut hears, mut deaf) = (connect("events=state_change"), connect("events=collision"));
    for orcs in 0..2u64 {
        hears.call("world_look", json!({}));
        let event = hears.unasked(|message| message["type"] == "event");
        let payload = json!({ "channel": "world/looked", "seq": orcs, "data": { "orcs": 0 } });
        assert_eq!((&event["topic"], &event["payload"]), (&json!("state_change"), &payload), "{event}");
        assert_eq!(event["meta"]["source"], "world/looked");
    }
    for _ in 0..3 {
        deaf.call("world_look", json!({}));
    }
    assert_eq!(deaf.unasked, [json!(null); 0]);
}

#[test]
fn a_binary_message_and_a_large_one_close_the_connection() {
    let game = Game::start(|aicc| aicc.max_message_size(4096));
    let mut bystander = game.agent();
    let mut agent = game.agent();
    agent.socket().send(tungstenite::Message::binary(vec![1])).expect("the game reads");
    let Closed(Some((1003, reason))) = agent.end() else { panic!("another end") };
    assert!(reason.contains("text"), "{reason}");

    let mut agent = game.agent();
    let _ = agent.raw(&"x".repeat(1 << 20));
    let Closed(Some((1009, _))) = agent.end() else { panic!("another end") };

    // A session is closed by whoever has it.
    let mut agent = game.agent();
    let session = agent.session.clone();
    agent.send("session_close", json!({ "reason": "done" }));
    assert_eq!(agent.end(), Closed(Some((1000, "the session is closed".to_owned()))));
    bystander.send("session_resume", json!({ "session_id": session }));
    let told = bystander.answer();
    error(&told, "session_expired");
    assert_eq!(told["session_id"], session, "it is this one that has expired");
    assert_eq!(bystander.call("world_spawn_orc", json!({}))["ok"], true, "not that of the connection");
}

#[test]
fn a_world_may_wait_for_agents() {
    let game = Game::start(|aicc| aicc.tick_mode(TickMode::Event).tick_rate(100.0));
    let mut agent = Agent::connect(game.address(), "events=tick", &[]).expect("it is let in");
    assert_eq!(game.host.tick(), 0);
    let before = agent.call("world_spawn_orc", json!({}));
    assert_eq!(before["meta"]["tick"], 0);
    let tick = agent.unasked(|message| message["topic"] == "tick");
    assert_eq!((&tick["payload"], &tick["meta"]["tick"]), (&json!({ "tick": 1 }), &json!(1)));
    game.host.trigger();
    wait_for("the trigger", || (game.host.tick() == 2).then_some(()));
    assert_eq!(agent.call("world_spawn_orc", json!({}))["meta"]["tick"], 2);
}

#[test]
fn protocols_share_a_game_and_nothing_else() {
    let path = fresh_path("aicc-shared.json");
    let gabp = Gabp::tcp("127.0.0.1:0").bridge_file(&path);
    let aicc = Aicc::websocket(0).without_token().tick_mode(TickMode::Event);
    let game = Game::of(|builder| builder.serve(aicc).serve(gabp).serve(AiControl::on(0).without_token()));
    let game = game.go_on();
    let mut agent = Agent::connect(game.address(), "events=state_change", &[]).expect("it is let in");
    let call = |tool: &str| {
        let called = async { Client::connect(Way::bridge_file(&path)).await?.call(tool, Map::new()).await };
        block_on::<_, ClientError>(called)
    };
    let before = game.host.tick();
    call("world/look").expect("it works");
    let event = agent.unasked(|message| message["type"] == "event");
    assert_eq!(event["payload"]["channel"], "world/looked", "{event}");
    wait_for("the tick that a call of another protocol asks for", || {
        (game.host.tick() > before).then_some(())
    });
    // Limits and capabilities are those of sessions.
    for _ in 0..5 {
        call("bell/ring").expect("nobody counts");
    }
    call("gate/open").expect("there are no capabilities");
    assert_eq!(agent.call("bell_ring", json!({}))["ok"], true);
    error(&agent.call("gate_open", json!({})), "tool_unavailable");
}

#[test]
fn a_host_that_goes_down_says_so() {
    let game = Game::start(|aicc| aicc);
    let mut agent = game.agent();
    agent.begin_call("open", "test_sleep", json!({ "ms": "60000" }));
    agent.call("world_spawn_orc", json!({}));
    game.end();
    let result = agent.answer();
    assert_eq!(result["call_id"], "open");
    assert!(error(&result, "tool_unavailable").contains("shutting down"), "{result}");
    let close = agent.answer();
    assert_eq!(
        (&close["type"], &close["reason"]),
        (&json!("session_close"), &json!("the game is shutting down"))
    );
    assert_eq!(agent.end(), Closed(Some((1001, "the game is shutting down".to_owned()))));
}

#[test]
fn a_call_that_cannot_be_read_has_its_result() {
    let game = Game::start(|aicc| aicc);
    let mut agent = game.agent();
    let deep = format!("{{\"deep\":{}1{}}}", "[".repeat(200), "]".repeat(200));
    for input in [r#"{"text":"\ud800"}"#, r#"{"n":1e400}"#, "[1]", "null", &deep] {
        let call = agent.message("tool_call", json!({ "call_id": "odd", "tool": "test_echo" })).to_string();
        let text = format!("{},\"input\":{input}}}", call.strip_suffix('}').expect("it is an object"));
        agent.raw(&text).expect("it is open");
        let result = agent.answer();
        assert_eq!(
            (&result["type"], &result["call_id"]),
            (&json!("tool_result"), &json!("odd")),
            "{input}: {result}"
        );
        error(&result, "invalid_input");
    }
    for (members, code, words) in [
        (
            json!({ "tool": "world/spawn_orc", "input": {} }),
            "tool_unknown",
            "did you mean `world_spawn_orc`?",
        ),
        (json!({ "tool": "!", "input": {} }), "tool_unknown", "there is no tool `!`"),
        (json!({ "tool": 7, "input": {} }), "invalid_input", "/tool"),
        (json!({ "input": {} }), "invalid_input", "/tool: is missing"),
        (json!({ "tool": "test_echo" }), "invalid_input", "/input: is missing"),
        (json!({ "tool": "test_echo", "input": {}, "more": 1 }), "invalid_input", "/more"),
        (json!({ "tool": "test_echo", "input": {}, "message_id": "x" }), "invalid_input", "/message_id"),
    ] {
        let mut call = agent.message("tool_call", members);
        call["call_id"] = json!("odd");
        agent.raw(&call.to_string()).expect("it is open");
        let result = agent.answer();
        assert_eq!((&result["type"], &result["call_id"]), (&json!("tool_result"), &json!("odd")), "{result}");
        assert!(error(&result, code).contains(words), "{result}");
    }
    // The id of a call that runs is that call's.
    agent.begin_call("odd", "test_sleep", json!({ "ms": "200" }));
    let call = agent.message("tool_call", json!({ "call_id": "odd", "tool": "test_echo", "input": [] }));
    agent.raw(&call.to_string()).expect("it is open");
    assert_eq!(agent.answer()["type"], "error");
    assert_eq!(agent.answer()["ok"], true);
}
