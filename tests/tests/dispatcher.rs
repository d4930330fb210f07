//! Who gets to the game's thread when, and what becomes of those who do not.

use ludwire::{AiControl, Budget, Builder, Gabp, Host, registered, tool};
use ludwire_tests::ai_control::Client;
use ludwire_tests::arena::{Peer, id, request, wait_for};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Default)]
struct World {
    calls: Vec<String>,
}

/// Notes who called.
#[tool("world/note")]
fn note(world: &mut World, who: String) -> usize {
    world.calls.push(who);
    world.calls.len()
}

/// Panics.
#[tool("world/panic")]
fn panic(_: &mut World) {
    panic!("a secret path");
}

/// Waits until it may go on, and notes who called.
#[tool("work/gate")]
fn gate(who: usize) {
    while !GATE_IS_OPEN.load(Ordering::Acquire) {
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(2));
    PASSED.lock().expect("nothing panics here").push(who);
}

static GATE_IS_OPEN: AtomicBool = AtomicBool::new(false);
static PASSED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Asks for the game's thread in vain.
#[tool("game/late", timeout = Duration::from_millis(2500))]
fn late(_: &World) {}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

fn host(setting: impl FnOnce(Builder<World>) -> Builder<World>) -> Host<World> {
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file();
    let builder = Host::builder("Dispatcher", "1").tools(registered::<World>()).serve(gabp);
    setting(builder).start().expect("it starts")
}

fn peer(host: &Host<World>) -> Peer {
    Peer::welcome(&host.endpoints()[0].address, TOKEN)
}

fn call(number: u64, name: &str, arguments: Value) -> Value {
    request(number, "tools/call", &json!({ "name": name, "arguments": arguments }))
}

fn waiting(host: &Host<World>, count: usize) {
    wait_for("the calls", || (host.waiting() == count).then_some(()));
}

#[test]
fn connections_take_turns() {
    let (host, mut world) = (host(|builder| builder), World::default());
    let (mut busy, mut calm) = (peer(&host), peer(&host));
    for number in 0..60 {
        busy.send(&call(number, "world/note", json!({ "who": "busy" })));
    }
    waiting(&host, 60);
    for number in 0..2 {
        calm.send(&call(number, "world/note", json!({ "who": "calm" })));
    }
    waiting(&host, 62);
    let ran = host.run(&mut world, Budget::millis(1000).calls(4));
    assert_eq!((ran.ran, ran.waiting), (4, 58));
    assert_eq!(world.calls, ["busy", "calm", "busy", "calm"]);
    let ran = host.run(&mut world, Budget::millis(10_000));
    assert_eq!((ran.ran, ran.waiting, world.calls.len()), (58, 0, 62));
    let answers: BTreeSet<String> =
        (0..60).map(|_| busy.read().expect("an answer")["id"].as_str().expect("an id").to_owned()).collect();
    assert_eq!(answers, (0..60).map(id).collect());
    assert_eq!(host.run(&mut world, Budget::millis(0)).ran, 0);
}

#[test]
fn a_game_that_sleeps_is_woken_once() {
    let woken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&woken);
    let host = host(|builder| {
        builder.on_wake(move || {
            count.fetch_add(1, Ordering::SeqCst);
            panic!("and that is no harm");
        })
    });
    let mut peer = peer(&host);
    assert_eq!(woken.load(Ordering::SeqCst), 0, "a hello does not need the game");
    for number in 0..10 {
        peer.send(&call(number, "world/note", json!({ "who": "a" })));
    }
    waiting(&host, 10);
    let woken = |count| wait_for("the wake", || (woken.load(Ordering::SeqCst) == count).then_some(()));
    woken(1);
    host.run(&mut World::default(), Budget::millis(1000));
    peer.send(&call(10, "world/note", json!({ "who": "a" })));
    woken(2);
}

#[test]
fn a_game_that_stands_still_is_said_to_and_controls_go_on() {
    let host = host(Builder::attention);
    host.run(&mut World::default(), Budget::millis(1));
    let mut peer = peer(&host);
    peer.send(&call(7, "game/late", json!({})));
    // As many as it may have, as the welcome says.
    for number in 101..164 {
        peer.send(&call(number, "world/note", json!({ "who": "a" })));
    }
    waiting(&host, 64);
    for method in ["session/ping", "tools/list", "attention/current"] {
        assert!(peer.ask(method, json!({}))["result"].is_object(), "{method}");
    }
    let answer = peer.read().expect("an answer");
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(id(7)), &json!(-32403)));
    let told = answer["error"]["message"].as_str().expect("it is told why");
    assert!(told.contains("the game has not ticked for ") && told.contains("game/late"), "{told}");
    let ran = host.run(&mut World::default(), Budget::millis(10_000));
    assert_eq!((ran.ran, ran.waiting), (63, 0), "nobody waits for the first any more");
}

#[test]
fn whoever_asks_much_of_the_workers_keeps_nobody_waiting() {
    let host = host(|builder| builder.workers(1));
    let mut peers = [peer(&host), peer(&host), peer(&host)];
    for (who, (peer, calls)) in peers.iter_mut().zip([60, 1, 1]).enumerate() {
        for number in 0..calls {
            peer.send(&call(number, "work/gate", json!({ "who": who })));
        }
        assert_eq!(peer.ask("session/ping", json!({}))["result"], json!({}), "what came before it is taken");
    }
    // And has got to where it waits.
    std::thread::sleep(Duration::from_millis(500));
    GATE_IS_OPEN.store(true, Ordering::Release);
    for (peer, calls) in peers.iter_mut().zip([60, 1, 1]) {
        for _ in 0..calls {
            assert!(peer.read().expect("an answer")["result"].is_object());
        }
    }
    let passed = PASSED.lock().expect("nothing panics here").clone();
    let first = |who: usize| passed.iter().position(|passed| *passed == who).expect("it has passed");
    assert!(passed.len() == 62 && first(1) < 8 && first(2) < 8, "{passed:?}");
}

#[test]
fn whoever_asks_much_over_ai_control_keeps_nobody_waiting() {
    let host = host(|builder| builder.serve(AiControl::on(0).without_token().max_commands(64)));
    let address = host.endpoints()[1].address.clone();
    let [mut greedy, mut other] = [Client::connect(&address), Client::connect(&address)];
    let note = |who: &str| json!({ "type": "world/note", "who": who });
    let accepted = (0..64).filter(|_| greedy.ask("act", &note("greedy"))["result"]["accepted"] == true);
    assert_eq!(accepted.count(), 48, "three quarters are for one");
    other.act(&note("other"));
    waiting(&host, 49);
    let mut world = World::default();
    host.run(&mut world, Budget::millis(10_000).calls(2));
    assert_eq!(world.calls, ["greedy", "other"]);
}

#[test]
fn a_panic_is_an_answer_and_the_next_call_works() {
    let (host, mut world) = (host(|builder| builder), World::default());
    let mut peer = peer(&host);
    for round in 0..3 {
        peer.send(&call(round, "world/panic", json!({})));
        peer.send(&call(100 + round, "world/note", json!({ "who": "a" })));
        waiting(&host, 2);
        host.run(&mut world, Budget::millis(1000));
        let mut answers = [peer.read(), peer.read()].map(|answer| answer.expect("an answer"));
        answers.sort_by_key(|answer| answer["id"].as_str().map(str::to_owned));
        let [panicked, noted] = answers;
        assert_eq!(panicked["error"]["code"], -32603);
        assert!(!panicked.to_string().contains("secret"), "{panicked}");
        assert!(noted["result"].is_object(), "{noted}");
    }
}
