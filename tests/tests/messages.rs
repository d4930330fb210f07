//! Messages made by hand: what `decode` and `decode_response` call the good ones, and where and how
//! they refuse the bad ones.

use fastrand::Rng;
use ludwire_protocols::support::Number;
use ludwire_protocols::{aicontrol, gabp};
use ludwire_tests::decode::{decode, decode_response};
use ludwire_tests::edit::Edit::{Drop, Set};
use ludwire_tests::edit::{accepted, refused};
use ludwire_tests::fixtures::{self, first};
use ludwire_tests::protocol::{self, Form};
use ludwire_tests::route;
use ludwire_tests::same::difference;
use ludwire_tests::spell::spell;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[test]
fn every_kind_of_message_is_known_by_its_name() {
    for protocol in protocol::all(Form::Read) {
        let defaults = protocol.defaults();
        let fixtures: Vec<_> =
            fixtures::all().into_iter().filter(|fixture| fixture.protocol == protocol.name).collect();
        for message in &protocol.ir.messages {
            assert!(
                fixtures.iter().any(|fixture| fixture.is == message.name),
                "add a {} to tests/fixtures/{}.json",
                message.name,
                protocol.name
            );
        }
        for fixture in fixtures {
            // In any order of members, with any blanks, escapes and forms of numbers.
            for seed in 0..40 {
                let text = spell(&fixture.message, &mut Rng::with_seed(seed));
                let read = fixture.read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}\n{error}"));
                assert_eq!(read.name, fixture.is, "{text}");
                let written = serde_json::from_str(&read.json).expect("it was written");
                assert_eq!(difference(&fixture.message, &written, &defaults), None, "{text}");
            }
        }
    }
}

#[test]
fn the_lists_of_methods_are_complete() {
    for (name, methods, routed) in [
        ("gabp", gabp::methods::ALL, &route::GABP_METHODS[..]),
        ("aicontrol", aicontrol::methods::ALL, &route::AICONTROL_METHODS[..]),
    ] {
        let sorted = |methods: &[&'static str]| methods.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(sorted(methods), sorted(routed), "{name}");
        let protocol = protocol::named(name, Form::Read);
        let published =
            protocol.files.iter().filter_map(|file| file.root.pointer("/properties/method/const"));
        assert_eq!(sorted(methods), published.filter_map(Value::as_str).collect(), "{name}");
    }
}

#[test]
fn a_failed_request_is_answered_by_a_general_response() {
    let failure = json!({ "v": "gabp/1", "id": "5f0c9d1e-0001-4b7a-9e21-3c6a8d2f0001", "type": "response",
        "error": { "code": -32601, "message": "there is none" } });
    for method in gabp::methods::ALL {
        let name = decode_response("gabp", method, failure.to_string().as_bytes()).expect("it is valid").name;
        // The schema of this one response has the failure in it.
        assert_eq!(
            name,
            if *method == "tools/call" { "tools/call response" } else { "response" },
            "{method}"
        );
    }
    let failure = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": 0, "message": "" } });
    for method in aicontrol::methods::ALL {
        let read = decode_response("aicontrol", method, failure.to_string().as_bytes());
        assert_eq!(read.expect("it is valid").name, "response", "{method}");
    }
    let result = first("gabp", "response").message.to_string();
    let read = decode_response("gabp", "my-game/dance", result.as_bytes());
    assert_eq!(read.expect("any result of a method without a schema is read").name, "response");
    let error = decode_response("aicontrol", "dance", b"{}").expect_err("there is no such method");
    assert!(error.to_string().contains("dance") && error.to_string().contains("observe"), "{error}");
}

#[test]
fn the_version_decides_first() {
    let error = gabp::decode(br#"{"v":"gabp/2","type":17,"nonsense":[]}"#).expect_err("another version");
    assert_eq!((error.pointer(), error.subject()), ("/v", None));
    assert_eq!(error.message(), r#"must be "gabp/1", found "gabp/2""#);
    for (protocol, member) in [("gabp", "/v"), ("aicc", "/protocol"), ("aicontrol", "/jsonrpc")] {
        for version in
            [json!("gabp/10"), json!("AICC/0.1"), json!(2.0), json!(null), json!(["2.0"]), json!({})]
        {
            let message = json!({ &member[1..]: version, "type": "event" });
            let error = decode(protocol, message.to_string().as_bytes()).expect_err("a wrong version");
            assert_eq!(error.pointer(), member, "{message}");
        }
        let error = decode(protocol, b"{}").expect_err("no version");
        assert_eq!((error.pointer(), error.message().contains("is missing")), (member, true), "{error}");
    }
}

#[test]
fn an_unknown_kind_of_message_is_refused_where_it_says_what_it_is() {
    refused("gabp", "event", Set("/type", json!("notification")), "/type", r#"found "notification""#);
    refused("gabp", "event", Drop("/type"), "/type", "is missing");
    refused("gabp", "event", Drop("/channel"), "/channel", "is missing");
    refused("gabp", "tools/call request", Drop("/method"), "/method", "is missing");
    refused("aicc", "heartbeat", Set("/type", json!("heart_beat")), "/type", r#"found "heart_beat""#);
    refused("aicc", "heartbeat", Set("/type", json!(["heartbeat"])), "/type", "found an array");
    refused("aicontrol", "ping request", Set("/method", json!("pong")), "/method", r#"found "pong""#);
    refused("aicontrol", "ping request", Set("/method", json!("Ping")), "/method", r#"found "Ping""#);
    refused("aicontrol", "ping request", Set("/method", json!(null)), "/method", "found null");
}

#[test]
fn the_method_decides_also_behind_a_result() {
    let read = |text: &str| decode("aicontrol", text.as_bytes());
    for (text, name) in [
        (r#"{"jsonrpc":"2.0","id":1,"result":{"a":[1]}}"#, "response"),
        (r#"{"result":{"a":[1]},"id":1,"jsonrpc":"2.0"}"#, "response"),
        (r#"{"jsonrpc":"2.0","id":1,"result":{"a":[1]},"method":"ping","params":{}}"#, "ping request"),
        (r#"{"jsonrpc":"2.0","id":1,"error":1,"method":"ping","params":{}}"#, "ping request"),
        (r#"{"jsonrpc":"2.0","method":"ping","id":1,"params":{},"result":{}}"#, "ping request"),
    ] {
        assert_eq!(read(text).map(|message| message.name), Ok(name), "{text}");
    }
    let error = read(r#"{"jsonrpc":"2.0","id":1,"result":{},"method":"pong"}"#).expect_err("no such method");
    assert_eq!(error.pointer(), "/method");
    let error = read(r#"{"jsonrpc":"2.0","id":1,"error":1}"#).expect_err("no error object");
    assert_eq!((error.subject(), error.pointer()), (Some("response"), "/error"));
}

#[test]
fn a_method_without_a_schema_of_its_own_is_a_general_request() {
    let with_method = |method: &str| {
        let id = "5f0c9d1e-0001-4b7a-9e21-3c6a8d2f0001";
        gabp::decode(
            json!({ "v": "gabp/1", "id": id, "type": "request", "method": method }).to_string().as_bytes(),
        )
    };
    for legal in ["session/pong", "resources/watch", "tools/call/now", "x/y-1_z", "tools/calls"] {
        assert_eq!(with_method(legal).expect("a legal name").name(), "request", "{legal}");
    }
    for illegal in
        ["", "tools", "/tools", "tools/", "Tools/call", "tools//call", "tools/1", "tools/call\n", "a/é"]
    {
        let error = with_method(illegal).expect_err(illegal);
        assert_eq!((error.pointer(), error.subject()), ("/method", Some("request")), "{illegal}: {error}");
        assert!(error.message().starts_with("must match ^[a-z]"), "{illegal}: {error}");
    }
}

#[test]
fn attention_channels_carry_attention_items() {
    for channel in ["attention/opened", "attention/updated", "attention/cleared"] {
        let edit = Set("/channel", json!(channel));
        assert_eq!(accepted("gabp", "attention event", edit).name, "attention event");
    }
    refused("gabp", "attention event", Set("/payload", json!("trouble")), "/payload", "must be an object");
    refused("gabp", "attention event", Set("/payload", json!({})), "/payload/attentionId", "is missing");
    refused(
        "gabp",
        "attention event",
        Set("/payload/state", json!("shut")),
        "/payload/state",
        "found \"shut\"",
    );
    refused(
        "gabp",
        "attention event",
        Set("/payload/blocking", json!(0)),
        "/payload/blocking",
        "found a number",
    );
    refused("gabp", "attention event", Set("/seq", json!(-1)), "/seq", "must be at least 0, found -1");
    // Any other channel carries anything.
    let mut message = first("gabp", "attention event").message;
    message["channel"] = json!("attention/other");
    message["payload"] = json!("trouble");
    assert_eq!(gabp::decode(message.to_string().as_bytes()).expect("an event").name(), "event");
}

#[test]
fn a_response_has_a_result_or_an_error() {
    let error = json!({ "code": 1, "message": "no" });
    for (protocol, is) in [("gabp", "response"), ("gabp", "tools/call response"), ("aicontrol", "response")] {
        let (both, none) = if protocol == "gabp" {
            ("with `error` absent or null beside it", "or else an `error` that is not null")
        } else {
            (
                "`result` and `error` must not stand together",
                "at least one of `result` and `error` must be there",
            )
        };
        refused(protocol, is, Set("/error", error.clone()), "", both);
        refused(protocol, is, Drop("/result"), "", none);
    }
    refused("aicontrol", "response", Set("/error", json!(null)), "/error", "must be an object");
    // A specific response is a success. Whichever comes first, the rule says why it is refused with both.
    for (protocol, is) in [("gabp", "tools/list response"), ("aicontrol", "ping response")] {
        let both = Set("/error", error.clone());
        refused(protocol, is, both, "", "`result` and `error` must not stand together");
        let mut message = first(protocol, is).message;
        message["error"] = json!(1);
        let refusal = first(protocol, is).read(message.to_string().as_bytes()).expect_err("both");
        assert_eq!(refusal.subject(), Some(is));
    }
    refused("gabp", "tools/list response", Drop("/result"), "/result", "is missing");
    refused("aicontrol", "ping response", Drop("/result"), "/result", "is missing");
    refused("aicontrol", "ping response", Set("/error", json!(null)), "/error", "");
    refused("aicontrol", "ping response", Set("/result/ok", json!(false)), "/result/ok", "must be true");
    refused(
        "aicontrol",
        "act response",
        Set("/result/accepted", json!(1)),
        "/result/accepted",
        "must be true",
    );
}

#[test]
fn null_is_a_value_and_no_absence() {
    for (protocol, is, pointer) in [
        ("gabp", "tools/call request", "/params/arguments"),
        ("gabp", "tools/list request", "/params"),
        ("gabp", "request", "/params"),
        ("gabp", "event", "/timestamp"),
        ("gabp", "attention event", "/payload/sample"),
        ("gabp", "session/hello request", "/params/clientInfo"),
        ("gabp", "session/hello response", "/result/serverInfo"),
        ("gabp", "state/set response", "/result/errors"),
        ("aicc", "session_close", "/reason"),
        ("aicc", "tool_result", "/output"),
        ("aicc", "tool_result", "/error"),
        ("aicc", "tool_result", "/meta/tick"),
        ("aicc", "heartbeat", "/manifest_update"),
        ("aicc", "session_init", "/event_subscriptions"),
        ("aicontrol", "act request", "/params/targetId"),
        ("aicontrol", "act request", "/params/append"),
        ("aicontrol", "events request", "/params/limit"),
    ] {
        refused(protocol, is, Set(pointer, json!(null)), pointer, "");
    }
    // Where the schema says null, it is one.
    accepted("gabp", "attention/current response", Set("/result/attention", json!(null)));
    accepted("gabp", "event", Set("/payload", json!(null)));
    accepted("gabp", "response", Set("/result", json!(null)));
    accepted("aicontrol", "status response", Set("/result/lastError", json!(null)));
    refused(
        "gabp",
        "attention/current response",
        Drop("/result/attention"),
        "/result/attention",
        "is missing",
    );
    refused("aicontrol", "status response", Drop("/result/lastError"), "/result/lastError", "is missing");
}

#[test]
fn closed_objects_have_no_members_of_their_own() {
    for (protocol, is, pointer) in [
        ("gabp", "tools/call request", "/trace"),
        ("gabp", "tools/call request", "/params/params"),
        ("gabp", "tools/call response", "/ok"),
        ("gabp", "event", "/payloads"),
        ("gabp", "response", "/Result"),
        ("aicc", "heartbeat", "/tick"),
        ("aicc", "session_init", "/world/size"),
        ("aicc", "error", "/error/hint"),
    ] {
        refused(protocol, is, Set(pointer, json!(1)), pointer, "unknown member");
    }
    let none = Set("/params", json!({ "x": 1 }));
    refused("gabp", "attention/current request", none, "/params/x", "unknown member, expected no members");
    // An open one keeps them.
    for (protocol, is, pointer) in [
        ("gabp", "state/set response", "/result/errors"),
        ("aicc", "tool_result", "/meta/zone"),
        ("aicontrol", "act request", "/params/Type"),
        ("aicontrol", "act request", "/trace"),
        ("aicontrol", "response", "/hint"),
    ] {
        let value = json!([{ "field": "", "message": "", "extra": [null] }]);
        let read: Value =
            serde_json::from_str(&accepted(protocol, is, Set(pointer, value.clone())).json).expect("JSON");
        assert_eq!(read.pointer(pointer), Some(&value), "{protocol} {is} {pointer}");
    }
}

#[test]
fn rules_of_single_members_are_kept() {
    let entries: Vec<Value> =
        serde_json::from_str(include_str!("../fixtures/refused.json")).expect("the file is a list");
    for entry in &entries {
        let text = |name: &str| entry.get(name).and_then(Value::as_str);
        let is = text("is").expect("a message has a name");
        let edit = match (text("set"), text("drop")) {
            (Some(pointer), None) => Set(pointer, entry["to"].clone()),
            (None, Some(pointer)) => Drop(pointer),
            _ => panic!("{entry} sets or drops one value"),
        };
        let at = text("at").or(text("set")).or(text("drop")).unwrap_or_default();
        let protocol = fixtures::PROTOCOLS.into_iter().find(|name| text("protocol") == Some(name));
        refused(protocol.expect("a protocol"), is, edit, at, text("words").expect("what the error says"));
    }
    for fixture in fixtures::all() {
        let refused =
            |entry: &&Value| entry["protocol"] == fixture.protocol && entry["is"] == json!(fixture.is);
        assert!(entries.iter().any(|entry| refused(&entry)), "add a bad {} to refused.json", fixture.is);
    }
}

#[test]
fn a_message_that_breaks_a_rule_is_not_written() {
    let id = gabp::Uuid::NIL;
    let empty = gabp::ResponseEnvelope::new(id);
    assert!(serde_json::to_string(&empty).is_err(), "neither result nor error");
    let mut both = gabp::ResponseEnvelope { result: Some(json!(1)), ..empty };
    assert_eq!(serde_json::to_value(&both).expect("a result alone is right")["result"], 1);
    both.error = serde_json::from_value(json!({ "code": 1, "message": "no" })).ok();
    assert!(both.error.is_some() && serde_json::to_string(&both).is_err(), "both");
    assert!(gabp::Message::from(both).to_json().is_err());

    // A member that has a field of its own may not stand among the others as well.
    for name in ["type", "x", "append"] {
        let act = first("aicontrol", "act request").message;
        let mut command: aicontrol::Command =
            serde_json::from_value(act["params"].clone()).expect("a command");
        assert!(serde_json::to_string(&command).is_ok());
        command.additional.insert(name.to_owned(), json!("move"));
        assert!(serde_json::to_string(&command).is_err(), "{name}");
    }
    assert!(gabp::ToolName::try_from("spawn").is_err());
    assert!(gabp::EventTime::try_from("yesterday").is_err());
    assert!(Number::try_from(f64::NAN).is_err() && Number::try_from(f64::INFINITY).is_err());
}

#[test]
fn what_peers_send_otherwise_is_read() {
    let hello = |edit| accepted("gabp", "session/hello request", edit);
    for (pointer, value) in
        [("/params/platform", "darwin"), ("/params/launchId", "started by hand"), ("/params/token", "short")]
    {
        let read: Value = serde_json::from_str(&hello(Set(pointer, json!(value))).json).expect("JSON");
        assert_eq!(read.pointer(pointer), Some(&json!(value)));
        refused("gabp", "session/hello request", Set(pointer, json!("")), pointer, "at least 1 character");
        refused("gabp", "session/hello request", Drop(pointer), pointer, "is missing");
    }

    let call = first("gabp", "tools/call request");
    let with = |params: Value| {
        let mut message = call.message.clone();
        message["params"] = params;
        match gabp::decode(message.to_string().as_bytes()) {
            Ok(gabp::Message::ToolsCallRequest(call)) => call.params,
            other => panic!("{message} is {other:?}"),
        }
    };
    let params = with(json!({ "name": "a/b", "parameters": { "x": 1 } }));
    assert_eq!((params.arguments, params.parameters), (None, json!({ "x": 1 }).as_object().cloned()));
    let params = with(json!({ "name": "a/b", "parameters": { "x": 1 }, "arguments": {} }));
    assert!(params.arguments.is_some_and(|arguments| arguments.is_empty()) && params.parameters.is_some());
    let parameters = Set("/params/parameters", json!([]));
    refused("gabp", "tools/call request", parameters, "/params/parameters", "must be an object");

    // An id is whatever the caller chose, or nothing.
    for id in [json!(1.5), json!(null), json!([1, { "a": true }]), json!("x"), json!(7)] {
        accepted("aicontrol", "ping response", Set("/id", id.clone()));
        let read = accepted("aicontrol", "ping request", Set("/id", id.clone()));
        assert_eq!(serde_json::from_str::<Value>(&read.json).expect("JSON")["id"], id);
    }
    let read = accepted("aicontrol", "ping request", Drop("/id"));
    assert!(!read.json.contains("id"), "{}", read.json);

    // No error beside a result is said in two ways, and is no answer by itself.
    let responses = fixtures::of("gabp").into_iter().filter(|fixture| fixture.message["type"] == "response");
    let mut count = 0;
    for fixture in responses.filter(|fixture| fixture.message.get("result").is_some()) {
        let mut message = fixture.message.clone();
        message["error"] = json!(null);
        let read = fixture.read(message.to_string().as_bytes()).expect("it has a result");
        assert_eq!(read.name, fixture.is);
        message.as_object_mut().expect("it is an object").remove("result");
        let error = fixture.read(message.to_string().as_bytes()).expect_err("it says nothing");
        assert!(error.message().contains("result") || error.pointer() == "/result", "{message}: {error}");
        count += 1;
    }
    assert!(count >= 12, "{count} responses");
}

#[test]
fn what_is_written_stays_strict() {
    fn reads<T: serde::de::DeserializeOwned>(message: &Value) -> bool {
        serde_json::from_value::<T>(message.clone()).is_ok()
    }
    let edited = |is: &str, pointer: &str, value: Value| {
        let mut message = first("gabp", is).message;
        Set(pointer, value).apply(&mut message);
        message
    };
    for (pointer, value) in
        [("/params/platform", "darwin"), ("/params/launchId", "started by hand"), ("/params/token", "short")]
    {
        let hello = edited("session/hello request", pointer, json!(value));
        assert!(!reads::<gabp::SessionHelloRequest>(&hello), "{hello}");
        assert!(reads::<gabp::ReceivedSessionHelloRequest>(&hello), "{hello}");
    }
    let call = edited("tools/call request", "/params/parameters", json!({}));
    assert!(!reads::<gabp::ToolsCallRequest>(&call) && reads::<gabp::ReceivedToolsCallRequest>(&call));
    let mut ping = first("aicontrol", "ping request").message;
    ping["id"] = json!(1.5);
    assert!(!reads::<aicontrol::PingRequest>(&ping) && reads::<aicontrol::ReceivedPingRequest>(&ping));
    let list = edited("tools/list response", "/error", json!(null));
    assert!(!reads::<gabp::ToolsListResponse>(&list) && reads::<gabp::ReceivedToolsListResponse>(&list));
}
