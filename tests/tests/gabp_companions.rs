//! Resources, states and events over GABP, each answer held to its schema.

use ludwire::{Budget, Call, Event, Gabp, Host, Page, ToolError, registered, resource, state, tool, tools};
use ludwire_protocols::gabp;
use ludwire_tests::arena::{Peer, fresh_path, hello, request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

struct World {
    hp: u8,
    units: BTreeMap<u32, String>,
}

/// Where the world ends.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Size {
    width: u16,
    height: u16,
}

/// The world has changed.
#[derive(Serialize, JsonSchema, Event)]
#[event("world/changed")]
struct Changed {
    /// What has.
    what: u64,
}

#[tools]
impl World {
    /// How large the world is.
    #[resource("gabp://game/world/size", name = "Size")]
    fn size(&self) -> Size {
        Size { width: 16, height: 12 }
    }

    /// One unit.
    #[resource("gabp://game/units/{id}")]
    fn unit(
        &self,
        /// By which it is known.
        id: u32,
    ) -> Result<String, ToolError> {
        match self.units.get(&id) {
            Some(name) if name == "Busy" => Err(ToolError::unavailable("it is busy")),
            Some(name) => Ok(name.clone()),
            None => Err(ToolError::missing(format!("there is no unit {id}"))),
        }
    }

    /// All units.
    #[resource("gabp://game/units{?limit,offset}")]
    fn units(
        &self,
        #[arg(default = 2, range = 1..=10)] limit: usize,
        #[arg(default = 0)] offset: usize,
    ) -> Page<String> {
        Page::of(self.units.values().cloned(), limit, offset)
    }

    /// Hit points.
    #[state("hp")]
    fn hp(&self) -> u8 {
        self.hp
    }

    #[state("hp", write)]
    fn set_hp(&mut self, #[arg(range = ..=100)] hp: u8) -> Result<(), ToolError> {
        if hp == 13 {
            return Err(ToolError::failed("that is unlucky"));
        }
        self.hp = hp;
        Ok(())
    }

    /// How large the world is.
    #[state("size")]
    fn size_state(&self) -> Size {
        self.size()
    }

    /// The name of a unit.
    #[state("name")]
    fn name(&self, player_id: u32) -> Result<String, ToolError> {
        self.unit(player_id)
    }
}

/// A picture.
#[resource("gabp://mod/icon.png", mime = "image/png")]
fn icon() -> Vec<u8> {
    vec![0x89, b'P', b'N', b'G']
}

/// Panics.
#[resource("gabp://mod/broken")]
fn broken() -> String {
    panic!("a secret")
}

/// Cannot be set.
#[state("fixed")]
fn fixed() -> u8 {
    1
}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// Ends the game when a test ends, however it does.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Plays with a game that runs.
fn play(test: impl FnOnce(&Host<World>, &mut Peer, Value)) {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).bridge_file(fresh_path("companions.json"));
    let builder = Host::builder("Companions", "1").tools(registered()).method("test/own");
    let host = builder.serve(gabp).start().expect("it starts");
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = End(&over);
        scope.spawn(|| {
            let units = [(1, "Ada"), (2, "Bob"), (3, "Busy")].map(|(id, name)| (id, name.to_owned()));
            let mut world = World { hp: 9, units: BTreeMap::from(units) };
            while !over.load(Ordering::Relaxed) {
                host.run(&mut world, Budget::millis(4));
                std::thread::yield_now();
            }
        });
        let mut peer = Peer::stranger(&host.endpoints()[0].address);
        let welcome = ask(&mut peer, "session/hello", hello(TOKEN));
        test(&host, &mut peer, welcome);
    });
}

/// The answer, which is what its schema says.
fn ask(peer: &mut Peer, method: &str, params: Value) -> Value {
    let answer = peer.ask(method, params);
    if let Err(error) = gabp::decode_response(method, answer.to_string().as_bytes()) {
        panic!("{method}: {error}: {answer}");
    }
    answer
}

fn result(peer: &mut Peer, method: &str, params: Value) -> Value {
    let answer = ask(peer, method, params);
    answer.get("result").unwrap_or_else(|| panic!("{method}: {answer}")).clone()
}

fn error(peer: &mut Peer, method: &str, params: Value) -> (i64, String) {
    let answer = ask(peer, method, params);
    let error = answer.get("error").unwrap_or_else(|| panic!("{method}: {answer}"));
    (error["code"].as_i64().expect("a code"), error["message"].as_str().expect("a text").to_owned())
}

#[test]
fn the_welcome_says_what_there_is() {
    play(|_, _, welcome| {
        let capabilities = &welcome["result"]["capabilities"];
        let methods = capabilities["methods"].as_array().expect("there are methods");
        for method in ["resources/list", "resources/read", "state/get", "state/set", "events/list"] {
            assert!(methods.contains(&json!(method)), "{method}: {welcome}");
        }
        assert_eq!(capabilities["events"], json!(["world/changed"]));
        assert_eq!(
            capabilities["resources"],
            json!([
                "gabp://game/units",
                "gabp://game/world/size",
                "gabp://mod/broken",
                "gabp://mod/icon.png"
            ])
        );
    });
    // A host without any of it, or without what can be set, does not say so.
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).bridge_file(fresh_path("bare.json"));
    let host = Host::<()>::builder("Bare", "1").serve(gabp).start().expect("it starts");
    let mut peer = Peer::stranger(&host.endpoints()[0].address);
    let welcome = ask(&mut peer, "session/hello", hello(TOKEN));
    let capabilities = &welcome["result"]["capabilities"];
    assert_eq!((capabilities.get("events"), capabilities.get("resources")), (None, None));
    for method in ["resources/list", "state/get", "events/list"] {
        assert_eq!(error(&mut peer, method, json!({})).0, -32601);
    }
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).bridge_file(fresh_path("fixed.json"));
    let host = Host::<()>::builder("Fixed", "1").tools(registered()).serve(gabp).start().expect("it starts");
    let mut peer = Peer::welcome(&host.endpoints()[0].address, TOKEN);
    assert_eq!(error(&mut peer, "state/set", json!({ "updates": {} })).0, -32601);
}

#[test]
fn resources_are_listed() {
    play(|_, peer, _| {
        let mut list = |params| {
            let result = result(peer, "resources/list", params);
            let resources = result["resources"].as_array().expect("a list").clone();
            resources.into_iter().map(|resource| (resource["uri"].clone(), resource)).collect::<Vec<_>>()
        };
        let uris = |list: Vec<(Value, Value)>| list.into_iter().map(|(uri, _)| uri).collect::<Vec<_>>();
        let all = list(json!({}));
        assert_eq!(
            uris(all.clone()),
            [
                "gabp://game/units/%7Bid%7D",
                "gabp://game/units",
                "gabp://game/world/size",
                "gabp://mod/broken",
                "gabp://mod/icon.png"
            ]
        );
        assert_eq!(
            all[0].1["description"],
            "One unit.\n\nURI template: `gabp://game/units/{id}`\n- `id` (integer): By which it is known."
        );
        assert_eq!(
            all[1].1["description"],
            "All units.\n\nURI template: `gabp://game/units{?limit,offset}`\n- `limit` (integer, 2 if absent)\n- \
             `offset` (integer, 0 if absent)"
        );
        assert_eq!(all[2].1["name"], "Size");
        assert_eq!(all[2].1["description"], "How large the world is.");
        assert_eq!(all[2].1["mimeType"], "application/json");
        for (params, count) in [
            (json!({ "pattern": "world/*" }), 1),
            (json!({ "pattern": "gabp://game/*" }), 3),
            (json!({ "namespace": "mod" }), 2),
            (json!({ "namespace": "mod", "pattern": "*.png" }), 1),
            (json!({ "namespace": "system" }), 0),
            (json!({ "pattern": "nothing" }), 0),
        ] {
            assert_eq!(list(params.clone()).len(), count, "{params}");
        }
    });
}

#[test]
fn resources_are_read() {
    play(|_, peer, _| {
        let mut read = |uri: &str| result(peer, "resources/read", json!({ "uri": uri }));
        let json_type = "application/json";
        assert_eq!(
            read("gabp://game/world/size"),
            json!({ "content": { "width": 16, "height": 12 }, "mimeType": json_type })
        );
        assert_eq!(
            read("gabp://game/units/1"),
            json!({ "content": "Ada", "mimeType": "text/plain", "encoding": "utf-8" })
        );
        assert_eq!(
            read("gabp://mod/icon.png"),
            json!({ "content": "iVBORw==", "mimeType": "image/png", "encoding": "base64" })
        );
        assert_eq!(
            read("gabp://game/units?limit=1&offset=1"),
            json!({ "content": { "items": ["Bob"], "total": 3, "next": 2 }, "mimeType": json_type })
        );
        for (uri, code, part) in [
            ("gabp://game/units/9", -32300, "there is no unit 9"),
            ("gabp://game/unit/9", -32300, "did you mean `gabp://game/units/{id}`?"),
            ("gabp://game/units/%7Bid%7D", -32602, "/id: must be a whole number, found \"{id}\""),
            ("gabp://game/units?limit=99", -32602, "/limit: must be at most 10, found 99"),
            ("gabp://game/units?limit=%201", -32602, "/limit: must be a whole number, found \" 1\""),
            ("gabp://game/units/3", -32302, "it is busy"),
            ("gabp://mod/broken", -32603, "`gabp://mod/broken` panicked; the game's log says why"),
            ("no uri", -32602, "/params/uri"),
        ] {
            let (found, message) = error(peer, "resources/read", json!({ "uri": uri }));
            assert_eq!(found, code, "{uri}: {message}");
            assert!(message.contains(part) && !message.contains("secret"), "{uri}: {message}");
        }
    });
}

#[test]
fn states_are_read_and_set() {
    play(|_, peer, _| {
        let all = result(peer, "state/get", json!({}));
        assert!(all["timestamp"].as_u64().is_some_and(|seconds| seconds > 1_700_000_000), "{all}");
        assert_eq!(all["state"], json!({ "fixed": 1, "hp": 9, "size": { "width": 16, "height": 12 } }));
        let some = result(peer, "state/get", json!({ "components": ["hp", "fixed"] }));
        assert_eq!(some["state"], json!({ "fixed": 1, "hp": 9 }));
        assert_eq!(result(peer, "state/get", json!({ "components": [] }))["state"], json!({}));
        assert_eq!(result(peer, "state/get", json!({ "playerId": "1" }))["state"], json!({ "name": "Ada" }));
        for (params, part) in [
            (json!({ "components": ["hpp"] }), "there is no state `hpp`; did you mean `hp`?"),
            (json!({ "components": ["name"] }), "say which player's"),
            (json!({ "components": ["hp"], "playerId": "1" }), "belongs to no player"),
            (json!({ "playerId": "Ada" }), "/player_id: must be a whole number"),
            (json!({ "playerId": "9" }), "there is no unit 9"),
        ] {
            let (code, message) = error(peer, "state/get", params);
            assert!(code == -32602 && message.contains(part), "{code} {message}");
        }

        let updates = json!({ "hp": 50, "fixed": 2, "size": {}, "hpp": 1, "name": "Bo" });
        let set = result(peer, "state/set", json!({ "updates": updates, "validate": true }));
        assert_eq!(set["applied"], json!({ "hp": 50 }));
        let told = |field: &str, code: &str, message: &str| json!({ "field": field, "code": code, "message": message });
        assert_eq!(
            set["errors"],
            json!([
                told("fixed", "read_only", "the state `fixed` can be read, and not set"),
                told("hpp", "unknown", "there is no state `hpp`; did you mean `hp`?"),
                told("name", "invalid", "each player has a state `name`: say which player's"),
                told("size", "read_only", "the state `size` can be read, and not set"),
            ])
        );
        for (value, code, message) in [
            (json!(101), "invalid", "must be at most 100, found 101"),
            (json!("x"), "invalid", "must be a whole number, found \"x\""),
            (json!(13), "failed", "that is unlucky"),
        ] {
            let set = result(peer, "state/set", json!({ "updates": { "hp": value }, "validate": false }));
            assert_eq!(set, json!({ "applied": {}, "errors": [told("hp", code, message)] }));
        }
        assert_eq!(
            result(peer, "state/set", json!({ "updates": { "hp": 7 } })),
            json!({ "applied": { "hp": 7 } })
        );
        assert_eq!(result(peer, "state/get", json!({ "components": ["hp"] }))["state"], json!({ "hp": 7 }));
    });
}

#[test]
fn members_that_stand_twice_are_refused() {
    play(|_, peer, _| {
        let mut asked = |method: &str, params: &str| {
            let id = "00000000-0000-4000-8000-000000000001";
            let body = format!(
                r#"{{"v":"gabp/1","id":"{id}","type":"request","method":"{method}","params":{params}}}"#
            );
            peer.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
            let answer = peer.read().expect("an answer");
            answer["error"]["message"].as_str().map_or_else(|| answer.to_string(), str::to_owned)
        };
        for (method, params, told) in [
            ("state/set", r#"{"updates":{"hp":1,"\u0068p":2}}"#, "/updates/hp: is given twice"),
            ("state/set", r#"{"updates":{"hp":{"a":[{"b":1,"b":2}]}}}"#, "/updates/hp/a/0/b: is given twice"),
            ("state/set", r#"{"updates":{"hp":1},"updates":{}}"#, "updates"),
            ("tools/call", r#"{"name":"test/own","arguments":{"n":1,"n":2}}"#, "/n: is given twice"),
            ("tools/call", r#"{"name":"test/own","parameters":{"n":1,"n":2}}"#, "/n: is given twice"),
            (
                "tools/call",
                r#"{"name":"test/own","arguments":{"list":[{"a":1,"a":1}]}}"#,
                "/list/0/a: is given twice",
            ),
            ("test/own", r#"{"n":1,"n":2}"#, "/n: is given twice"),
            ("test/own", r#"{"list":[{"a":1,"a":1}]}"#, "/list/0/a: is given twice"),
            ("resources/read", r#"{"uri":"gabp://game/units?limit=1&limit=2"}"#, "/limit: is given twice"),
        ] {
            let message = asked(method, params);
            assert!(message.contains(told), "{method} {params}: {message}");
        }
        assert_eq!(result(peer, "state/get", json!({ "components": ["hp"] }))["state"], json!({ "hp": 9 }));
    });
}

/// Is a method of the game's own, too.
#[tool("test/own")]
fn own(n: u8, list: Option<Vec<BTreeMap<String, u8>>>) -> usize {
    usize::from(n) + list.map_or(0, |list| list.len())
}

#[test]
fn events_are_listed_and_sent() {
    play(|host, peer, _| {
        let events = result(peer, "events/list", json!({}))["events"].clone();
        assert_eq!(events.as_array().map(Vec::len), Some(1), "{events}");
        assert_eq!(events[0]["channel"], "world/changed");
        assert_eq!(events[0]["description"], "The world has changed.");
        assert_eq!(events[0]["payloadSchema"]["properties"]["what"]["type"], "string");
        let channels = json!({ "channels": ["world/changed", "world/chnged"] });
        assert_eq!(result(peer, "events/subscribe", channels)["subscribed"], json!(["world/changed"]));
        host.emit(&Changed { what: u64::MAX });
        let event = peer.read().expect("it comes");
        gabp::decode(event.to_string().as_bytes()).expect("it is what its schema says");
        assert_eq!(event["payload"], json!({ "what": "18446744073709551615" }));
        assert_eq!((&event["channel"], &event["seq"]), (&json!("world/changed"), &json!(0)));
    });
}

/// Digs, and says how far it is.
#[tool("cave/dig")]
fn dig(call: &Call) {
    for done in [0.25, f64::NAN, 7.0] {
        call.progress(done, "digging");
    }
}

#[test]
fn a_running_tool_says_how_far_it_is() {
    let host = |name: &str, asked: bool| {
        let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).bridge_file(fresh_path(name));
        let host = Host::<World>::builder("Cave", "1").tools(registered()).serve(gabp);
        let host = if asked { host.progress() } else { host };
        host.start().expect("it starts")
    };
    let channels = json!({ "channels": ["tool/progress"] });

    let told = host("progress.json", true);
    let mut peer = Peer::welcome(&told.endpoints()[0].address, TOKEN);
    assert_eq!(
        result(&mut peer, "events/subscribe", channels.clone())["subscribed"],
        json!(["tool/progress"])
    );
    peer.send(&request(1, "tools/call", &json!({ "name": "cave/dig" })));
    let mut payloads = Vec::new();
    while payloads.len() < 3 {
        let message = peer.read().expect("it comes");
        if message["type"] == "event" {
            assert_eq!(message["channel"], "tool/progress");
            payloads.push(message["payload"].clone());
        }
    }
    for (payload, done) in payloads.iter().zip([0.25, 0.0, 1.0]) {
        let expected = json!({ "tool": "cave/dig", "connection": payload["connection"], "done": done, "message": "digging" });
        assert_eq!(*payload, expected);
        assert!(payload["connection"].is_u64(), "{payload}");
    }

    let silent = host("no_progress.json", false);
    let mut peer = Peer::welcome(&silent.endpoints()[0].address, TOKEN);
    assert_eq!(result(&mut peer, "events/subscribe", channels)["subscribed"], json!([]));
    assert_eq!(peer.call("cave/dig", json!({}))["result"], json!({}));
}

#[test]
fn a_game_that_stands_still_is_told_of() {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).bridge_file(fresh_path("still.json"));
    let host = Host::<World>::builder("Still", "1").tools(registered()).serve(gabp);
    let host = host.tool_timeout(std::time::Duration::from_millis(50)).start().expect("it starts");
    let mut peer = Peer::welcome(&host.endpoints()[0].address, TOKEN);
    assert_eq!(result(&mut peer, "resources/list", json!({}))["resources"].as_array().map(Vec::len), Some(5));
    for (method, params) in [
        ("resources/read", json!({ "uri": "gabp://game/units/1" })),
        ("state/get", json!({})),
        ("state/set", json!({ "updates": { "hp": 1 } })),
    ] {
        let (code, message) = error(&mut peer, method, params);
        assert!(code == -32000 && message.contains("did not finish within 0.05 s"), "{code} {message}");
    }
}
