//! A game that stands still is told of in its own log, while calls still wait.

use ludwire::{Budget, Gabp, Host, registered, tool};
use ludwire_tests::arena::{Peer, fresh_path, request, wait_for};
use ludwire_tests::log::Log;
use serde_json::json;
use tracing::Level;

struct World;

/// Looks.
#[tool("world/look")]
fn look(_: &World) -> u32 {
    0
}

const MISSED: &str = "the game has not ticked for 2 s, and calls wait for it";

#[test]
fn a_stall_is_said_once() {
    let log = Log::of_all(Level::INFO);
    // How often something is said.
    let count = |text: &str| log.text().matches(text).count();
    let token = "0123456789abcdef0123456789abcdef";
    let gabp = Gabp::tcp("127.0.0.1:0").token(token).bridge_file(fresh_path("stall.json"));
    let host = Host::builder("Stall", "1").tools(registered()).serve(gabp).start().expect("it starts");
    let mut peer = Peer::welcome(&host.endpoints()[0].address, token);
    for stall in 1..=2 {
        host.run(&mut World, Budget::millis(1));
        for number in 0..8 {
            peer.send(&request(number, "tools/call", &json!({ "name": "world/look" })));
        }
        wait_for("the warning", || (count("WARN") == stall).then_some(()));
        assert_eq!(count(MISSED), stall);
        // The others that wait find that it is said.
        std::thread::sleep(std::time::Duration::from_millis(2500));
        assert_eq!(count("WARN"), stall);
        host.run(&mut World, Budget::millis(10_000));
        assert_eq!(count("the game ticks again, after "), stall);
        for _ in 0..8 {
            assert_eq!(peer.read().expect("an answer")["result"], json!({ "result": 0 }));
        }
    }
}
