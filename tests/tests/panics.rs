//! Code of the game that panics wherever it is called: the host answers, says so in the log, and goes on.

use ludwire::{Budget, Event, Gabp, Host, ToolError, observe, registered, resource, state, tool};
use ludwire_tests::arena::{Peer, request, wait_for};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

struct World {
    /// What panics when it is dropped.
    bomb: Bomb,
    count: u32,
}

#[derive(Default)]
struct Bomb(bool);

impl Drop for Bomb {
    fn drop(&mut self) {
        if std::mem::take(&mut self.0) {
            panic!("a secret of the bomb");
        }
    }
}

/// Panics when it is written, or read.
#[derive(JsonSchema)]
#[schemars(transparent)]
struct Trap(#[expect(dead_code, reason = "its type is its schema")] u32);

impl Serialize for Trap {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("a secret of the writer")
    }
}

impl<'de> Deserialize<'de> for Trap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            13 => panic!("a secret of the reader"),
            number => Ok(Self(number)),
        }
    }
}

/// Cannot be written.
#[derive(Serialize, JsonSchema, Event)]
#[event("trap/sprung")]
struct Sprung {
    trap: Trap,
}

/// Goes well.
#[derive(Serialize, JsonSchema, Event)]
#[event("world/counted")]
struct Counted {
    count: u32,
}

/// Counts.
#[tool("world/count")]
fn count(world: &mut World) -> u32 {
    world.count += 1;
    world.count
}

/// Panics at its end, on the game's thread.
#[tool("world/drop")]
fn drop_bomb(world: &mut World) {
    world.bomb = Bomb(true);
    world.bomb = Bomb::default();
}

/// Panics when its result is written.
#[tool("world/write")]
fn write(_: &World) -> Trap {
    Trap(1)
}

/// Panics when its arguments are read.
#[tool("work/read")]
fn read(#[expect(unused_variables, reason = "it is read")] trap: Trap) {}

/// Panics on a worker.
#[tool("work/panic")]
fn on_worker() {
    panic!("a secret of the worker")
}

/// Panics while it waits.
#[tool("async/panic")]
async fn later() {
    tokio::task::yield_now().await;
    panic!("a secret of the runtime")
}

/// Panics in what it has the game do.
#[tool("async/game")]
async fn in_the_game(call: &ludwire::Call) -> Result<(), ToolError> {
    call.on_game(|_: &mut World| panic!("a secret of the game")).await
}

/// Asks the game for something, and does not wait for it.
#[tool("async/leave")]
async fn leave(call: &ludwire::Call) {
    let bomb = Bomb(true);
    let asking = call.on_game(move |_: &mut World| std::mem::forget(bomb));
    tokio::select! {
        biased;
        _ = asking => {}
        () = std::future::ready(()) => {}
    }
}

/// Emits what cannot be written.
#[tool("work/emit")]
fn emit(call: &ludwire::Call) {
    call.emit(&Sprung { trap: Trap(1) });
}

/// Panics.
#[resource("gabp://game/panic")]
fn panicking(_: &World) -> String {
    panic!("a secret of the resource")
}

/// Panics when it is written.
#[resource("gabp://game/trap")]
fn trap(_: &World) -> Trap {
    Trap(1)
}

/// Panics when it is set, or read.
#[state("bomb")]
fn bomb(world: &World) -> bool {
    assert!(!world.bomb.0, "a secret of the reader of a state");
    false
}

#[state("bomb", write)]
fn set_bomb(world: &mut World, value: u8) {
    match value {
        0 => world.bomb = Bomb::default(),
        1 => std::mem::forget(std::mem::replace(&mut world.bomb, Bomb(true))),
        _ => panic!("a secret of the setter"),
    }
}

/// Panics.
#[observe]
fn observe(_: &World) -> Seen {
    panic!("a secret of the observer")
}

#[derive(Serialize, JsonSchema)]
struct Seen {}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn the_host_goes_on() {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file();
    let host = Host::builder("Panics", "1").tools(registered()).serve(gabp).start().expect("it starts");
    let mut world = World { bomb: Bomb::default(), count: 0 };
    let mut peer = Peer::welcome(&host.endpoints()[0].address, TOKEN);
    let channels = json!({ "channels": ["trap/sprung", "world/counted"] });
    assert!(peer.ask("events/subscribe", channels)["result"].is_object());
    let call = |name: &str, arguments: Value| ("tools/call", json!({ "name": name, "arguments": arguments }));
    let set = |value: u8| ("state/set", json!({ "updates": { "bomb": value } }));
    for (round, (method, params)) in [
        call("world/drop", json!({})),
        call("world/write", json!({})),
        call("work/read", json!({ "trap": 13 })),
        call("work/panic", json!({})),
        call("async/panic", json!({})),
        call("async/game", json!({})),
        ("resources/read", json!({ "uri": "gabp://game/panic" })),
        ("resources/read", json!({ "uri": "gabp://game/trap" })),
        set(2),
        // Set, and what holds then cannot be read.
        set(1),
        ("state/get", json!({ "components": ["bomb"] })),
        // What is replaced panics.
        set(0),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = asked(&host, &mut world, &mut peer, method, &params);
        let text = answer.to_string();
        assert!(text.contains("panicked; the game's log says why"), "{method} {params}: {text}");
        assert!(!text.contains("secret"), "{method} {params}: {text}");
        // Neither an event that cannot be written nor an observation ends a frame of the game.
        host.emit(&Sprung { trap: Trap(1) });
        assert!(host.observe(&mut world).is_err_and(|error| error.message().contains("panicked")));
        host.emit(&Counted { count: world.count });
        let event = peer.read().expect("the next one comes");
        assert_eq!((&event["channel"], &event["seq"]), (&json!("world/counted"), &json!(round)));
        let answer = asked(&host, &mut world, &mut peer, "tools/call", &json!({ "name": "world/count" }));
        assert_eq!(answer["result"], json!({ "result": round + 1 }));
    }
    let answer = asked(&host, &mut world, &mut peer, "tools/call", &json!({ "name": "work/emit" }));
    assert_eq!(answer["result"], json!({}), "what cannot be sent is no fault of the tool");
    assert_eq!(host.state(&mut world, "bomb", None), Ok(json!(false)));
}

#[test]
fn what_a_panic_says_stands_in_the_log() {
    let host = Host::builder("Panics", "1").tools(registered()).build().expect("no names meet");
    let mut world = World { bomb: Bomb::default(), count: 0 };
    let said = ludwire_tests::log::said("ERROR", || {
        assert!(host.call(&mut world, "world/drop", json!({})).is_err());
    });
    let [line] = said.as_slice() else { panic!("{said:#?}") };
    assert!(line.contains("world/drop") && line.contains("a secret of the bomb"), "{line}");
}

/// The answer of a game that runs meanwhile.
fn asked(host: &Host<World>, world: &mut World, peer: &mut Peer, method: &str, params: &Value) -> Value {
    peer.send(&request(1, method, params));
    peer.stream.set_read_timeout(Some(std::time::Duration::from_millis(1))).expect("it can be set");
    let answer = wait_for("the answer", || {
        host.run(world, Budget::millis(4));
        peer.read_if_any()
    });
    peer.stream.set_read_timeout(Some(ludwire_tests::arena::PATIENCE)).expect("it can be set");
    answer
}

/// What an async tool has asked of the game is let go on the game's thread when nobody waits for it.
#[test]
fn what_a_tool_leaves_to_the_game_may_panic() {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file();
    let host = Host::builder("Panics", "1").tools(registered()).serve(gabp).start().expect("it starts");
    let mut world = World { bomb: Bomb::default(), count: 0 };
    let mut peer = Peer::welcome(&host.endpoints()[0].address, TOKEN);
    assert_eq!(peer.call("async/leave", json!({}))["result"], json!({}));
    assert_eq!(host.waiting(), 1);
    assert_eq!(host.run(&mut world, Budget::millis(1000)).ran, 0, "nobody waits for it");
    let answer = asked(&host, &mut world, &mut peer, "tools/call", &json!({ "name": "world/count" }));
    assert_eq!(answer["result"], json!({ "result": 1 }));
}
