//! Many sessions at one time, well-behaved ones, broken ones and such as end in the midst of it.
//!
//! `LUDWIRE_CALLS=10000 cargo test -p ludwire-tests --test sessions` makes more of it.

use fastrand::Rng;
use ludwire::{Budget, Call, Event, Gabp, Host, ToolError, registered, tool};
use ludwire_tests::arena::{Peer, hello, id, request};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

#[derive(Default)]
struct World {
    orcs: u32,
}

/// A frame has passed.
#[derive(Serialize, JsonSchema, Event)]
#[event("world/tick")]
struct Tick {
    orcs: u32,
}

/// Counts on the game's thread.
#[tool("world/spawn")]
fn spawn(world: &mut World) -> u32 {
    world.orcs += 1;
    world.orcs
}

/// Echoes on a worker.
#[tool("work/echo")]
fn echo(text: String) -> String {
    text
}

/// Works a moment on a worker.
#[tool("work/moment")]
fn moment(call: &Call) -> bool {
    std::thread::sleep(Duration::from_micros(200));
    call.is_cancelled()
}

/// Asks the game from the runtime.
#[tool("async/orcs")]
async fn orcs(call: &Call) -> Result<u32, ToolError> {
    tokio::task::yield_now().await;
    call.on_game(|world: &mut World| world.orcs).await
}

/// Fails.
#[tool("work/fail")]
fn fail() -> Result<(), ToolError> {
    Err(ToolError::failed("as it should"))
}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
/// Panics on threads of the runtime, which nobody would see otherwise.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Plays a game while something is done with it from other threads.
fn while_playing(work: impl FnOnce(&str)) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name().is_some_and(|name| name.starts_with("ludwire")) {
            PANICS.fetch_add(1, Ordering::SeqCst);
        }
        before(panic);
    }));
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file();
    let host = Host::builder("Sessions", "1").tools(registered::<World>()).serve(gabp).start();
    let host = host.expect("it starts");
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| {
            let mut world = World::default();
            while !over.load(Ordering::Acquire) {
                host.run(&mut world, Budget::millis(2));
                host.emit(&Tick { orcs: world.orcs });
                std::thread::sleep(Duration::from_micros(500));
            }
        });
        let result =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&host.endpoints()[0].address)));
        over.store(true, Ordering::Release);
        playing.join().expect("the game does not panic");
        result.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked));
    });
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "something panicked inside");
}

fn any_call(rng: &mut Rng, number: u64) -> Value {
    let (method, params) = match rng.u8(..10) {
        0 => ("tools/list", json!({})),
        1 => ("session/ping", json!({})),
        2 => ("events/subscribe", json!({ "channels": ["world/tick"] })),
        3 => ("events/unsubscribe", json!({ "channels": ["world/tick"] })),
        4 | 5 => ("tools/call", json!({ "name": "world/spawn" })),
        6 => ("tools/call", json!({ "name": "async/orcs" })),
        7 => ("tools/call", json!({ "name": "work/moment" })),
        8 => ("tools/call", json!({ "name": "work/fail" })),
        _ => (
            "tools/call",
            json!({ "name": "work/echo", "arguments": { "text": "🎮".repeat(rng.usize(..200)) } }),
        ),
    };
    request(number, method, &params)
}

/// Sends so many requests, some at a time, and takes their answers; or breaks off somewhere.
fn play(mut peer: Peer, calls: u64, rng: &mut Rng) {
    let (mut sent, mut open) = (0, BTreeSet::new());
    let ends_after = rng.bool().then(|| rng.u64(..calls));
    loop {
        while sent < calls && open.len() < rng.usize(1..50) {
            if ends_after == Some(sent) {
                // Whatever is open is never taken.
                return;
            }
            peer.send(&any_call(rng, sent));
            open.insert(id(sent));
            sent += 1;
        }
        if open.is_empty() {
            return;
        }
        let message = peer.read().expect("the game does not end it");
        if message["type"] == "response" {
            let id = message["id"].as_str().expect("an id");
            assert!(open.remove(id), "an answer comes once, and to what was asked: {message}");
        }
    }
}

#[cfg(target_os = "linux")]
fn kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("it is there");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it has a size");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[test]
fn ten_connections_play_and_some_end_in_the_midst_of_it() {
    let calls = std::env::var("LUDWIRE_CALLS").ok().and_then(|calls| calls.parse().ok()).unwrap_or(1000u64);
    while_playing(|address| {
        let rounds = || {
            std::thread::scope(|scope| {
                let playing: Vec<_> = (0..10)
                    .map(|seed| {
                        scope.spawn(move || {
                            let mut rng = Rng::with_seed(seed);
                            let mut left = calls;
                            while left > 0 {
                                let now = left.min(100 + rng.u64(..200));
                                // The place of a connection that has ended is free soon, not at once.
                                play(wait_for_room(address), now, &mut rng);
                                left -= now;
                            }
                        })
                    })
                    .collect();
                playing.into_iter().for_each(|playing| playing.join().expect("each is answered"));
            });
        };
        rounds();
        #[cfg(target_os = "linux")]
        {
            let before = kilobytes();
            rounds();
            let after = kilobytes();
            assert!(after < before + 8 * 1024, "{before} kB became {after} kB");
        }
        // All places are free again.
        let all: Vec<Peer> = (0..10).map(|_| wait_for_room(address)).collect();
        assert_eq!(all.len(), 10);
    });
}

/// A connection that is welcome, once there is room for one.
fn wait_for_room(address: &str) -> Peer {
    ludwire_tests::arena::wait_for("room", || {
        let mut peer = Peer::stranger(address);
        let hello = request(0, "session/hello", &hello(TOKEN)).to_string();
        let frame = format!("Content-Length: {}\r\n\r\n{hello}", hello.len());
        peer.stream.write_all(frame.as_bytes()).ok()?;
        peer.read()?.get("result").is_some().then_some(peer)
    })
}

/// A session as bytes, damaged somewhere.
fn damaged(rng: &mut Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    let messages = [request(0, "session/hello", &hello(TOKEN)), any_call(rng, 1), any_call(rng, 2)];
    let first = usize::from(rng.u8(..8) == 0);
    for message in &messages[first..] {
        let mut body = message.to_string();
        if rng.u8(..4) == 0 {
            body = body.replace("gabp/1", ["gabp/2", "", "\\u0067abp/1"][rng.usize(..3)]);
        }
        let length = if rng.u8(..10) == 0 { rng.usize(..3000) } else { body.len() };
        let name = ["Content-Length: ", "content-length:", "X: y\r\nContent-Length:\t"][rng.usize(..3)];
        bytes.extend_from_slice(format!("{name}{length}\r\n\r\n{body}").as_bytes());
    }
    for _ in 0..rng.usize(..6) {
        let at = rng.usize(..bytes.len().max(1));
        if bytes.is_empty() {
            break;
        }
        match rng.u8(..4) {
            0 => bytes[at] = rng.u8(..),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, rng.u8(..)),
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

#[test]
fn damaged_sessions_end_or_are_answered() {
    while_playing(|address| {
        let end = Instant::now() + Duration::from_secs(5);
        let mut rng = Rng::with_seed(7);
        let mut count = 0;
        while Instant::now() < end || count < 50 {
            let bytes = damaged(&mut rng);
            let mut peer = Peer::stranger(address);
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                let (now, later) = rest.split_at(rng.usize(1..=rest.len()));
                if peer.stream.write_all(now).is_err() {
                    break;
                }
                rest = later;
            }
            let _ = peer.stream.shutdown(std::net::Shutdown::Write);
            // It ends at once, since nothing more can come; what is in between are frames.
            let mut answers = Vec::new();
            let _ = peer.stream.read_to_end(&mut answers);
            assert!(answers.is_empty() || answers.starts_with(b"Content-Length: "));
            count += 1;
        }
        assert!(wait_for_room(address).ask("session/ping", json!({}))["result"].is_object());
    });
}
