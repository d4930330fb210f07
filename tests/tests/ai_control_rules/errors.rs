//! The error codes.

use super::*;

#[test]
fn ai_control_protocol_error_method_not_found() {
    let game = Game::open();
    let mut client = game.client();
    for method in ["Ping", "ping ", "tools/call", "unit/step"] {
        let (code, message) = client.refusal(method, &json!({}));
        assert_eq!((code, message.contains("\"observe\"")), (METHOD_NOT_FOUND, true), "{message}");
    }
}

#[test]
fn ai_control_protocol_error_invalid_params() {
    let game = Game::open();
    let mut client = game.client();
    for (method, params, at) in [
        ("act", json!({}), "/params/type"),
        ("act", json!({ "type": "" }), "/params/type"),
        ("act", json!({ "type": 5 }), "/params/type"),
        ("act", json!({ "type": "unit/aim", "x": "5" }), "/params/x"),
        ("act", json!({ "type": "unit/aim", "x": 1.5 }), "/params/x"),
        ("act", json!({ "type": "unit/aim", "targetId": {} }), "/params/targetId"),
        ("act", json!({ "type": "unit/aim", "append": 1 }), "/params/append"),
        ("events", json!({ "afterSeq": "0" }), "/params/afterSeq"),
        ("events", json!({ "limit": null }), "/params/limit"),
        ("auth", json!({ "token": 5 }), "/params/token"),
    ] {
        let (code, message) = client.refusal(method, &params);
        assert_eq!((code, message.contains(at)), (INVALID_PARAMS, true), "{method} {params}: {message}");
    }
    let deep = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    for id in [
        "0",
        "-1",
        "18446744073709551615",
        "1.5",
        "\"\"",
        "\"a\\u0000b\"",
        "true",
        "[1,{}]",
        "{\"a\":{}}",
        &deep,
    ] {
        for (method, member) in [("ping", "result"), ("nothing", "error")] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{}}}}"#);
            let answer = client.ask_line(line.as_bytes());
            assert_eq!(answer["id"], ludwire_tests::json(id).expect("it is JSON"), "{answer}");
            let both = answer.get("result").is_some() && answer.get("error").is_some();
            assert!(answer.get(member).is_some() && !both, "{answer}");
        }
    }
    for line in [
        r#"{"jsonrpc":"2.0","method":"ping","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping","params":{}}"#,
    ] {
        assert_eq!(
            client.ask_line(line.as_bytes()),
            json!({ "jsonrpc": "2.0", "id": null, "result": { "ok": true } })
        );
    }
}

#[test]
fn ai_control_protocol_error_parse() {
    let game = Game::open();
    let mut client = game.client();
    for line in
        ["", "{", "nonsense", "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{}} x", "{'a':1}"]
    {
        let answer = client.ask_line(line.as_bytes());
        assert_eq!((refusal(&answer).0, &answer["id"]), (PARSE, &json!(null)), "{line}");
    }
    assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }), "the connection goes on");
    // A stranger has one try.
    let game = guarded();
    let mut stranger = game.client();
    assert_eq!(refusal(&stranger.ask_line(b"{")).0, PARSE);
    assert_eq!(stranger.read(None), None);
}

#[test]
fn ai_control_protocol_error_invalid_request() {
    let game = Game::open();
    let mut client = game.client();
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"act","params":{{"type":"a","deep":{}1{}}}}}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    assert_eq!(refusal(&client.ask_line(deep.as_bytes())).0, INVALID_PARAMS, "deeper than JSON is read");
    let twice =
        br#"{"jsonrpc":"2.0","id":1,"method":"act","params":{"type":"unit/aim","at":[{"x":1,"x":2}]}}"#;
    let (code, message) = refusal(&client.ask_line(twice));
    assert_eq!((code, message.contains("/params/at/0/x")), (INVALID_PARAMS, true), "{message}");
    assert_eq!(client.result("status", &json!({}))["events"], 0, "none took a place");
}

#[test]
fn ai_control_protocol_error_unauthorized() {
    let game = guarded();
    let mut client = game.client();
    for method in ["ping", "status", "observe", "events", "act", "nothing"] {
        assert_eq!(client.refusal(method, &json!({ "type": "unit/step" })).0, UNAUTHORIZED, "{method}");
        assert_eq!(client.refusal(method, &json!([])).0, UNAUTHORIZED, "{method}");
    }
    drop(client);
    assert_eq!(game.end().steps, 0);
}

#[test]
fn ai_control_protocol_error_queue_full() {
    let game = Game::start(AiControl::on(0).without_token().max_commands(2));
    let mut client = game.client();
    game.pause();
    let accepted = [client.act(&json!({ "type": "unit/step" })), client.act(&json!({ "type": "unit/step" }))];
    for mut other in [game.client(), game.client()] {
        let (code, message) = other.refusal("act", &json!({ "type": "unit/fail" }));
        assert_eq!((code, message.contains('2')), (QUEUE_FULL, true), "{message}");
    }
    game.go_on();
    let mut ended = BTreeSet::new();
    wait_for("both commands", || {
        ended.extend(
            client
                .events()
                .iter()
                .filter(|event| event["success"] == true)
                .map(|event| event["commandSeq"].to_string()),
        );
        (ended.len() == 2).then_some(())
    });
    assert_eq!(ended, accepted.iter().map(u64::to_string).collect(), "what waited was not replaced");
    client.carry_out(&json!({ "type": "unit/step" }));
}
