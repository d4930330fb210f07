//! The methods of GABP that need no tool, over TCP, against a host whose game never ticks.

use ludwire::{Attention, Budget, Event, Gabp, Host, Severity, registered, tool};
use ludwire_protocols::gabp::methods;
use ludwire_tests::arena::{Peer, fresh_path, hello};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

struct World;

/// Looks at what never answers.
#[tool("world/look", class = sensor)]
fn look(_: &World) -> u32 {
    0
}

/// Something is other than it was.
#[derive(Serialize, JsonSchema, Event)]
#[event("world/changed")]
struct Changed {}

/// Dances.
#[tool("orcs/dance")]
fn dance(fast: bool) -> bool {
    fast
}

/// Is in a part of the names that is the protocol's.
#[tool("session/dance")]
fn dance_in_session() {}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

fn host(with_attention: bool) -> Host<World> {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).bridge_file(fresh_path("methods.json"));
    let builder = Host::builder("Methods", "1").tools(registered::<World>()).serve(gabp);
    let builder = if with_attention { builder.attention() } else { builder };
    builder.start().expect("it starts")
}

fn peer(host: &Host<World>) -> Peer {
    Peer::welcome(&host.endpoints()[0].address, TOKEN)
}

/// What a method takes, where it must be given something.
fn params(method: &str) -> Value {
    match method {
        "session/hello" => hello(TOKEN),
        "tools/get" => json!({ "name": "world/look" }),
        "events/subscribe" | "events/unsubscribe" => json!({ "channels": ["a"] }),
        "resources/read" => json!({ "uri": "gabp://game/map" }),
        "state/set" => json!({ "updates": {} }),
        "attention/ack" => json!({ "attentionId": "none" }),
        _ => json!({}),
    }
}

#[test]
fn the_welcome_names_the_methods_that_are_answered_and_no_others() {
    for with_attention in [false, true] {
        let host = host(with_attention);
        let mut peer = Peer::stranger(&host.endpoints()[0].address);
        let welcome = peer.ask("session/hello", hello(TOKEN));
        let offered: BTreeSet<&str> = welcome["result"]["capabilities"]["methods"]
            .as_array()
            .expect("there are methods")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        assert_eq!(offered.contains("attention/current"), with_attention);
        let events = &welcome["result"]["capabilities"]["events"];
        assert_eq!(events.as_array().map(Vec::len), Some(if with_attention { 4 } else { 1 }), "{welcome}");
        // The game never runs a tool, and goodbye ends it.
        for method in methods::ALL.iter().filter(|method| !["tools/call", "session/goodbye"].contains(method))
        {
            let answer = peer.ask(method, params(method));
            if offered.contains(method) {
                assert!(answer["result"].is_object(), "{method}: {answer}");
            } else {
                assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
                assert!(
                    answer["error"]["message"].as_str().is_some_and(|text| text.contains(method)),
                    "{answer}"
                );
            }
        }
    }
}

#[test]
fn a_goodbye_is_answered_and_then_the_connection_is_closed() {
    let host = host(false);
    let (mut leaver, mut other) = (peer(&host), peer(&host));
    assert_eq!(leaver.ask("session/goodbye", json!({ "reason": "enough" }))["result"], json!({}));
    assert_eq!(leaver.read(), None);
    assert_eq!(other.ask("session/ping", json!({ "anything": 1 }))["result"], json!({}));
}

#[test]
fn one_tool_is_described_as_in_the_list() {
    let host = host(false);
    let mut peer = peer(&host);
    let list = peer.ask("tools/list", json!({}));
    let one = peer.ask("tools/get", json!({ "name": "world/look" }));
    assert_eq!(one["result"]["tool"], list["result"]["tools"][2]);
    assert_eq!(one["result"]["tool"]["name"], "world/look");
    let none = peer.ask("tools/get", json!({ "name": "world/lok" }));
    assert_eq!(none["error"]["code"], -32400);
    assert!(none["error"]["message"].as_str().is_some_and(|text| text.contains("`world/look`")), "{none}");
}

#[test]
fn a_peer_subscribes_to_what_is_there_and_to_nothing_else() {
    let host = host(false);
    let mut peer = peer(&host);
    let many: Vec<String> = (0..1000).map(|number| format!("x/{number}")).collect();
    let mut channels = vec!["world/changed".to_owned()];
    channels.extend(many);
    // What only comes with attention is not there without it.
    channels.push("attention/opened".to_owned());
    let answer = peer.ask("events/subscribe", json!({ "channels": channels }));
    assert_eq!(answer["result"]["subscribed"], json!(["world/changed"]));
    let answer = peer.ask("events/unsubscribe", json!({ "channels": channels }));
    assert_eq!(answer["result"]["unsubscribed"], json!(["world/changed"]));
}

#[test]
fn attention_is_told_acknowledged_and_counted_on() {
    let host = host(true);
    let mut peer = peer(&host);
    let channels = ["attention/opened", "attention/updated", "attention/cleared"];
    let answer = peer.ask("events/subscribe", json!({ "channels": channels }));
    assert_eq!(answer["result"]["subscribed"], json!(channels));
    let current = |peer: &mut Peer| peer.ask("attention/current", json!({}))["result"]["attention"].clone();
    assert_eq!(current(&mut peer), json!(null));

    let board = host.attention();
    let first = board.publish(Attention::new(Severity::Error, "A script died.").caused_by("world/look"));
    let opened = peer.read().expect("it is told");
    assert_eq!((&opened["channel"], &opened["seq"]), (&json!("attention/opened"), &json!(0)));
    assert_eq!(opened["payload"], current(&mut peer));
    let second = board.publish(Attention::new(Severity::Info, "The day ends.").blocking());
    let opened = peer.read().expect("it is told");
    assert_eq!((&opened["seq"], &opened["payload"]["openedAtSequence"]), (&json!(1), &json!(1)));
    assert_eq!(current(&mut peer)["attentionId"], second.as_str(), "what blocks comes first");

    for _ in 0..2 {
        assert!(board.update(&first, Attention::new(Severity::Warning, "Another one.").invalidates_state()));
    }
    peer.read().expect("it is told");
    let updated = peer.read().expect("it is told");
    assert_eq!((&updated["channel"], &updated["seq"]), (&json!("attention/updated"), &json!(1)));
    let item = &updated["payload"];
    assert_eq!(
        (&item["severity"], &item["stateInvalidated"], &item["causalMethod"], &item["summary"]),
        (&json!("error"), &json!(true), &json!("world/look"), &json!("Another one."))
    );
    assert_eq!(
        (&item["openedAtSequence"], &item["latestSequence"], &item["totalUrgentEntries"]),
        (&json!(0), &json!(3), &json!(3))
    );
    assert_eq!(item["sample"][1]["repeatCount"], 2);

    peer.send(&ludwire_tests::arena::request(5, "attention/ack", &json!({ "attentionId": second })));
    let (mut answer, mut event) = (peer.read().expect("an answer"), peer.read().expect("an event"));
    if answer["type"] == "event" {
        std::mem::swap(&mut answer, &mut event);
    }
    let result = &answer["result"];
    assert_eq!((&result["acknowledged"], &result["attentionId"]), (&json!(true), &json!(second)));
    assert_eq!(result["currentAttention"]["attentionId"], first.as_str());
    assert_eq!(
        (&event["channel"], &event["payload"]["state"]),
        (&json!("attention/cleared"), &json!("cleared"))
    );

    let answer = peer.ask("attention/ack", json!({ "attentionId": second }));
    assert_eq!(answer["result"]["acknowledged"], false, "it is over");
    assert!(
        board.clear(&first)
            && !board.clear(&first)
            && !board.update(&second, Attention::new(Severity::Info, ""))
    );
    peer.read().expect("it is told");
    assert_eq!(current(&mut peer), json!(null));

    // Many reports do not pile up.
    for number in 0..100 {
        board.publish(Attention::new(Severity::Info, format!("{number}")));
    }
    assert_eq!(board.current().expect("some are open").summary, "84");
}

/// What the page of `tools/call` says of a tool that was switched off.
#[test]
fn a_tool_that_was_switched_off_is_unknown_also_to_calls_that_wait() {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file();
    let (wake, woken) = std::sync::mpsc::channel();
    let builder = Host::builder("Methods", "1").tools(registered::<World>()).serve(gabp);
    let host = builder.on_wake(move || wake.send(()).unwrap_or_default()).start().expect("it starts");
    let mut peer = Peer::stranger(&host.endpoints()[0].address);
    peer.ask("session/hello", hello(TOKEN));
    let call = json!({ "name": "world/look", "arguments": {} });
    let waits = std::thread::spawn(move || {
        let answer = peer.ask("tools/call", call.clone());
        (answer, peer.ask("tools/call", call))
    });
    woken.recv().expect("the call waits");
    assert!(host.disable_tool("world/look"));
    host.run(&mut World, Budget::millis(100));
    let (waited, after) = waits.join().expect("it is answered");
    for answer in [waited, after] {
        assert_eq!(answer["error"]["code"], -32400, "{answer}");
    }
}

#[test]
fn a_tool_may_be_a_method_of_the_game() {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file();
    let builder = Host::builder("Methods", "1").tools(registered::<World>()).method("orcs/dance").serve(gabp);
    let host = builder.start().expect("it starts");
    let mut peer = Peer::stranger(&host.endpoints()[0].address);
    let welcome = peer.ask("session/hello", hello(TOKEN));
    let methods = welcome["result"]["capabilities"]["methods"].as_array().expect("there are some").clone();
    assert!(methods.contains(&json!("orcs/dance")) && !methods.contains(&json!("world/look")), "{welcome}");
    assert_eq!(peer.ask("orcs/dance", json!({ "fast": true }))["result"], json!({ "result": true }));
    let wrong = peer.ask("orcs/dance", json!({ "fast": 1, "slow": true }));
    assert_eq!(wrong["error"]["code"], -32602);
    assert_eq!(peer.ask("world/look", json!({}))["error"]["code"], -32601, "other tools are no methods");
    host.disable_tool("orcs/dance");
    assert_eq!(peer.ask("orcs/dance", json!({ "fast": true }))["error"]["code"], -32601);
    for (name, words) in [("orcs/dnce", "did you mean `orcs/dance`"), ("session/dance", "is the protocol's")]
    {
        let gabp = Gabp::memory().0;
        let error =
            Host::builder("Methods", "1").tools(registered::<World>()).method(name).serve(gabp).build();
        let error = error.expect_err("it is no method").to_string();
        assert!(error.contains(words), "{error}");
    }
}
