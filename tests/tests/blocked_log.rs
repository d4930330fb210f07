//! A game that stands still because nobody takes what it prints: its peers are answered all the same.

use ludwire::{Gabp, Host, registered, tool};
use ludwire_tests::arena::{Peer, request};
use serde_json::json;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tracing_subscriber::fmt::MakeWriter;

struct World;

/// Looks.
#[tool("world/look")]
fn look(_: &World) -> u32 {
    0
}

/// A terminal that somebody has stopped.
struct Stopped;

static GOES_ON: AtomicBool = AtomicBool::new(false);
static WRITERS: AtomicU32 = AtomicU32::new(0);

impl Write for Stopped {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        WRITERS.fetch_add(1, Ordering::AcqRel);
        while !GOES_ON.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Stopped {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        Self
    }
}

#[test]
fn a_log_that_nobody_reads_keeps_nobody_waiting() {
    let token = "0123456789abcdef0123456789abcdef";
    let gabp = Gabp::tcp("127.0.0.1:0").token(token).no_bridge_file();
    let builder = Host::builder("Blocked", "1").tools(registered::<World>());
    let host = builder.tool_timeout(Duration::from_secs(4)).serve(gabp).start().expect("it starts");
    let subscriber = tracing_subscriber::fmt().with_writer(Stopped).with_ansi(false);
    tracing::subscriber::set_global_default(subscriber.finish()).expect("it is the only one here");
    let mut peer = Peer::welcome(&host.endpoints()[0].address, token);
    for number in 0..4 {
        peer.send(&request(number, "tools/call", &json!({ "name": "world/look" })));
    }
    for _ in 0..4 {
        let answer = peer.read().expect("each is answered");
        let message = answer["error"]["message"].as_str().expect("a text");
        assert!(message.contains("the game has not ticked for"), "{message}");
    }
    assert_eq!(WRITERS.load(Ordering::Acquire), 1, "somebody writes into the log, and waits");
    let start = Instant::now();
    let mut other = Peer::welcome(&host.endpoints()[0].address, token);
    assert!(other.ask("tools/list", json!({}))["result"].is_object());
    assert!(start.elapsed() < Duration::from_secs(10));
    GOES_ON.store(true, Ordering::Release);
}
