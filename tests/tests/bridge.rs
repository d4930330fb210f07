//! A game, and a bridge that is as strict as the widespread one.

use ludwire::{Attention, Budget, Call, Gabp, Host, Severity, ToolError, registered, tool};
use ludwire_tests::arena::wait_for;
use ludwire_tests::bridge::{Bridge, Refusal};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Default)]
struct World {
    orcs: u64,
}

/// What an orc carries, if anything.
#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
struct Bag {
    /// What is in it, whatever it is.
    content: Value,
    /// How many coins.
    coins: u64,
    /// Where it was found.
    at: Option<(i32, i32)>,
}

/// Spawns an orc, with a bag or without.
#[tool("world/spawn")]
fn spawn(world: &mut World, bag: Option<Bag>) -> Option<Bag> {
    world.orcs += 1;
    bag
}

/// Says a number that JavaScript cannot hold.
#[tool("world/secret")]
fn secret(_: &World) -> u64 {
    9_007_199_254_740_993
}

/// Fails, with good advice.
#[tool("world/fail")]
fn fail(_: &World) -> Result<(), ToolError> {
    Err(ToolError::failed("the gate is shut; open it first"))
}

/// Works for a while.
#[tool("work/slowly")]
fn slowly(call: &Call, ms: u64) -> u64 {
    let end = Instant::now() + Duration::from_millis(ms);
    while Instant::now() < end && !call.is_cancelled() {
        std::thread::sleep(Duration::from_millis(2));
    }
    ms
}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const SOON: Duration = Duration::from_secs(10);

/// Plays a game that has attention, while a bridge does something with it.
fn while_playing(work: impl FnOnce(&Host<World>, &str) + Send) {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file();
    let builder = Host::builder("Bridge", "1").tools(registered::<World>()).attention().serve(gabp);
    let host = builder.start().expect("it starts");
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| {
            let mut world = World::default();
            while !over.load(Ordering::Acquire) {
                host.run(&mut world, Budget::millis(4));
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        // The game ends also when the work panics.
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            work(&host, &host.endpoints()[0].address)
        }));
        over.store(true, Ordering::Release);
        playing.join().expect("the game does not panic");
        if let Err(panicked) = result {
            std::panic::resume_unwind(panicked);
        }
    });
}

#[test]
fn it_plays() {
    while_playing(|_, address| {
        let mut bridge = Bridge::connect(address, TOKEN);
        assert_eq!(bridge.tools.len(), 4);
        let bag =
            json!({ "content": { "any": [1, "thing"] }, "coins": "18446744073709551615", "at": [1, -2] });
        assert_eq!(bridge.call("world/spawn", json!({ "bag": bag }), SOON).expect("it works")["result"], bag);
        let number = json!({ "bag": { "content": {}, "coins": 7 } });
        let bag = bridge.call("world/spawn", number, SOON).expect("a number is read, too")["result"].clone();
        assert_eq!(bag["coins"], "7");
        bridge.call("world/spawn", json!({ "bag": null }), SOON).expect("null is none");
        let secret = bridge.call("world/secret", json!({}), SOON).expect("it works");
        assert_eq!(secret, json!({ "result": "9007199254740993" }), "no digit is lost on the way");
        for (name, parameters, code, words) in [
            ("world/fail", json!({}), -32402, "open it first"),
            ("world/spawn", json!({ "bag": { "coins": 1 } }), -32602, "/bag/content"),
            ("world/spwan", json!({}), -32400, "world/spawn"),
        ] {
            match bridge.call(name, parameters, SOON) {
                // What stands in `data` is lost, so the message must say it.
                Err(Refusal::Game(found, text)) => {
                    assert!(found == code && text.contains(words), "{found} {text}")
                }
                other => panic!("{name}: {other:?}"),
            }
        }
        let orcs = bridge.call("world/spawn", json!({}), SOON);
        assert!(orcs.is_ok(), "{orcs:?}");
    });
}

#[test]
fn attention_holds_it_back_until_it_is_acknowledged() {
    while_playing(|host, address| {
        let mut bridge = Bridge::connect(address, TOKEN);
        let channels = json!({ "channels": ["attention/opened", "attention/cleared"] });
        bridge.ask("events/subscribe", channels, SOON).expect("it is there");
        host.attention().publish(Attention::new(Severity::Info, "It rains."));
        bridge.call("world/spawn", json!({}), SOON).expect("that blocks nothing");
        let id = host.attention().publish(Attention::new(Severity::Fatal, "The world burns.").blocking());
        match bridge.call("world/spawn", json!({}), SOON) {
            Err(Refusal::Attention(text)) => assert_eq!(text, "The world burns."),
            other => panic!("{other:?}"),
        }
        let left = bridge.ask("attention/ack", json!({ "attentionId": id }), SOON).expect("it is open");
        assert_eq!(left["currentAttention"]["summary"], "It rains.");
        bridge.call("world/spawn", json!({}), SOON).expect("nothing blocks any more");
        wait_for("the events", || {
            bridge.ask("session/ping", json!({}), SOON).expect("it is there");
            (bridge.events.len() == 3).then_some(())
        });
    });
}

#[test]
fn answers_that_come_too_late_are_no_trouble() {
    while_playing(|_, address| {
        let mut bridge = Bridge::connect(address, TOKEN);
        let late = bridge.call("work/slowly", json!({ "ms": "600" }), Duration::from_millis(50));
        assert!(matches!(late, Err(Refusal::TooLate)), "{late:?}");
        for _ in 0..20 {
            let found = bridge.call("work/slowly", json!({ "ms": "50" }), SOON).expect("it works");
            assert_eq!(found["result"], "50");
        }
    });
}

#[test]
fn it_takes_over_while_its_old_socket_is_open() {
    while_playing(|_, address| {
        let mut old = Bridge::connect(address, TOKEN);
        let late = old.call("work/slowly", json!({ "ms": "30000" }), Duration::from_millis(50));
        assert!(matches!(late, Err(Refusal::TooLate)), "{late:?}");
        let mut new = Bridge::connect(address, TOKEN);
        new.call("world/spawn", json!({}), SOON).expect("it works");
        drop(old);
        new.call("world/spawn", json!({}), SOON).expect("it works");
    });
}

#[test]
fn what_nests_deeply_is_refused_and_the_session_goes_on() {
    while_playing(|_, address| {
        let mut bridge = Bridge::connect(address, TOKEN);
        let bag_text = |levels: usize| {
            let (open, close) = ("[".repeat(levels), "]".repeat(levels));
            format!(r#"{{ "bag": {{ "content": {open}1{close}, "coins": 1 }} }}"#)
        };
        assert!(bridge.call_text("world/spawn", &bag_text(100), SOON).is_ok());
        for levels in [125, 10_000, 500_000] {
            match bridge.call_text("world/spawn", &bag_text(levels), SOON) {
                Err(Refusal::Game(-32602, text)) => assert!(text.contains("nested deeper"), "{text}"),
                other => panic!("{other:?}"),
            }
        }
        assert!(bridge.call("world/spawn", json!({}), SOON).is_ok());
    });
}
