//! What an error says of a message: enough to find the mistake, no secret, and not much.

use fastrand::Rng;
use ludwire_protocols::gabp;
use ludwire_tests::edit::Edit::Set;
use ludwire_tests::fixtures::first;
use ludwire_tests::spell::spell;
use serde_json::json;

#[test]
fn an_error_says_what_the_message_was_taken_for() {
    let mut message = first("gabp", "tools/call request").message;
    message["params"]["name"] = json!("spawn");
    let text = gabp::decode(message.to_string().as_bytes()).expect_err("one segment").to_string();
    assert!(text.starts_with("tools/call request: /params/name: must match ^[a-z]"), "{text}");
    assert!(text.ends_with(r#"found "spawn""#), "{text}");
}

#[test]
fn an_error_never_holds_the_token() {
    const SECRET: &str = "s3cr3t-7f1f1d6ad9f44f46bd1f0b8d3a6f9c55";
    const NUMBER: u64 = 6_158_331_907_442_068;
    let fixtures = [first("gabp", "session/hello request"), first("aicontrol", "auth request")];
    for fixture in fixtures {
        let mut wrong = Vec::new();
        for token in [
            json!(&SECRET[..31]),
            json!(NUMBER),
            json!(NUMBER as f64 + 0.5),
            json!(-(NUMBER as i64)),
            json!([SECRET]),
            json!({ "value": SECRET }),
            json!(SECRET.repeat(50)),
            json!(SECRET),
        ] {
            let mut message = fixture.message.clone();
            message["params"]["token"] = token.clone();
            wrong.push(message.clone());
            for (pointer, value) in [
                ("/id", json!([])),
                ("/params/launchId", json!("x")),
                ("/params/platform", json!("amiga")),
                ("/params/zzz", json!(1)),
                ("/zzz", json!(1)),
                ("/type", json!("x")),
                ("/method", json!("world/dance")),
            ] {
                let mut message = message.clone();
                Set(pointer, value).apply(&mut message);
                wrong.push(message);
            }
            // In place of all params, where an object belongs.
            let mut message = message.clone();
            message["params"] = token;
            wrong.push(message);
        }
        let mut errors = 0;
        for message in wrong {
            for seed in 0..10 {
                let text = spell(&message, &mut Rng::with_seed(seed));
                if let Err(error) = fixture.read(text.as_bytes()) {
                    errors += 1;
                    for shown in [error.to_string(), format!("{error:?}")] {
                        for secret in ["s3cr3t", "7f1f1d6a", "61583319"] {
                            assert!(!shown.contains(secret), "{text}\n{shown}");
                        }
                    }
                }
            }
        }
        assert!(errors > 100, "only {errors} errors");
    }
}

#[test]
fn an_error_is_short_however_long_the_message() {
    let long = "x".repeat(1 << 20);
    for (protocol, is, pointer) in [
        ("gabp", "tools/call request", "/v"),
        ("gabp", "tools/call request", "/id"),
        ("gabp", "tools/call request", "/method"),
        ("gabp", "tools/call request", "/params"),
        ("gabp", "tools/call request", "/params/name"),
        ("gabp", "session/hello request", "/params/clientInfo"),
        ("gabp", "resources/read response", "/result/encoding"),
        ("aicc", "event", "/topic"),
        ("aicc", "tool_result", "/ok"),
        ("aicontrol", "events request", "/params/limit"),
        ("aicontrol", "ping response", "/result/ok"),
    ] {
        let fixture = first(protocol, is);
        let mut message = fixture.message.clone();
        Set(pointer, json!(long)).apply(&mut message);
        let error = fixture.read(message.to_string().as_bytes()).expect_err(pointer).to_string();
        assert!(error.len() < 500, "{pointer}: {} bytes", error.len());
    }
}
