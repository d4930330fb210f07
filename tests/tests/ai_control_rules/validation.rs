//! What tests must show.

use super::*;

#[test]
fn ai_control_protocol_validation_protocol_smoke() {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0"]);
    let address = arena.ready["aiControl"]["address"].as_str().expect("an address").to_owned();
    let mut client = Client::connect(&address);
    assert_eq!(client.result("auth", &json!({ "token": arena.token() })), json!({ "authorized": true }));
    assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }));
    assert_eq!(client.result("status", &json!({}))["running"], true);
    let before = client.result("observe", &json!({}));
    assert_eq!(client.refusal("act", &json!({})).0, INVALID_PARAMS);
    let completed =
        client.carry_out(&json!({ "type": "world/spawn", "kind": "elf", "at": { "x": 3, "y": 3 } }));
    assert_eq!(completed["success"], true, "{completed}");
    let after = client.result("observe", &json!({}));
    assert!(after["observationSeq"].as_u64() > before["observationSeq"].as_u64());
    assert_eq!(after["observation"]["entities"][0]["kind"], "elf");
    assert_eq!(client.events(), Vec::<Value>::new(), "the cursor is at the end");
}

#[test]
fn ai_control_protocol_validation_security() {
    let game = guarded();
    let mut client = game.client();
    assert_eq!(client.refusal("observe", &json!({})).0, UNAUTHORIZED);
    assert_eq!(client.result("auth", &json!({ "token": "wrong" })), json!({ "authorized": false }));
    assert_eq!(client.refusal("observe", &json!({})).0, UNAUTHORIZED);
    assert!(refused(AiControl::at("[::]:0")).0.contains("loopback only"));
}
