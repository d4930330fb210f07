//! What an event costs the thread that sends it, with 100 subscribers.
//!
//! `cargo bench -p ludwire-tests --bench events`

use ludwire::{Event, Gabp, Host, Memory, registered};
use ludwire_tests::arena::{hello, request};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

const SUBSCRIBERS: usize = 100;
/// What is asked for.
const BAR: Duration = Duration::from_micros(2);

/// A unit has moved.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/moved")]
struct Moved {
    unit: u32,
    x: f64,
    y: f64,
    name: &'static str,
}

/// The same, where nobody listens.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/unheard")]
struct Unheard {
    unit: u32,
    x: f64,
    y: f64,
    name: &'static str,
}

fn main() {
    let (gabp, memory) = Gabp::memory();
    let builder = Host::<()>::builder("Bench", "1").tools(registered());
    let host = builder.serve(gabp.max_connections(2 * SUBSCRIBERS)).start();
    let host = host.expect("it starts");
    let (ready, is_ready) = std::sync::mpsc::channel();
    std::thread::spawn(move || listen(&memory, &ready));
    for _ in 0..SUBSCRIBERS {
        is_ready.recv().expect("a subscriber is ready");
    }
    let timed = |send: &dyn Fn()| {
        let start = Instant::now();
        send();
        start.elapsed()
    };
    let emit = |unit| timed(&|| host.emit(&Moved { unit, x: 1.5, y: -2.0, name: "orc" }));
    let emit_unheard = |unit| timed(&|| host.emit(&Unheard { unit, x: 1.5, y: -2.0, name: "orc" }));
    let unheard: Vec<Duration> = (0..20_000).map(emit_unheard).collect();
    // What a thread pays that has slept, whatever it does.
    let cold: Vec<Duration> = (0..1000)
        .map(|unit| {
            std::thread::sleep(Duration::from_millis(2));
            emit_unheard(unit)
        })
        .collect();
    // Many at once, as in a frame in which much happens; and one now and then, also after a pause.
    let burst: Vec<Duration> = (0..200)
        .flat_map(|_| {
            std::thread::sleep(Duration::from_millis(5));
            (0..100).map(emit).collect::<Vec<_>>()
        })
        .collect();
    let paced: Vec<Duration> = (0..1000)
        .map(|unit| {
            std::thread::sleep(Duration::from_millis(2));
            emit(unit)
        })
        .collect();
    // What it takes to write such a payload, while others hand events out: of a thread that has slept, the
    // caches are cold.
    let written: Vec<Duration> = (0..1000)
        .map(|unit| {
            emit(unit);
            std::thread::sleep(Duration::from_millis(2));
            let event = Moved { unit, x: 1.5, y: -2.0, name: "orc" };
            let start = Instant::now();
            let value = serde_json::to_value(&event);
            let time = start.elapsed();
            drop(value);
            time
        })
        .collect();
    let rare: Vec<Duration> = (0..20)
        .map(|unit| {
            std::thread::sleep(Duration::from_millis(700));
            emit(unit)
        })
        .collect();
    println!("an event of four members, {SUBSCRIBERS} subscribers; the bar is {BAR:?}");
    for (what, times) in [
        ("unheard", unheard),
        ("unheard, one in 2 ms", cold),
        ("100 in a frame", burst),
        ("one in 2 ms", paced),
        ("its to_value alone", written),
        ("one in 700 ms", rare),
    ] {
        let mean = times.iter().sum::<Duration>() / u32::try_from(times.len()).expect("they are few");
        let mut times = times;
        times.sort();
        let at = |part: usize| times[times.len() * part / 100];
        println!("{what:20} mean {mean:?}, median {:?}, 99 % {:?}", at(50), at(99));
    }
}

/// Subscribes so often, and reads whatever comes.
fn listen(memory: &Memory, ready: &std::sync::mpsc::Sender<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("there is a thread");
    let local = tokio::task::LocalSet::new();
    for _ in 0..SUBSCRIBERS {
        let (memory, ready) = (memory.clone(), ready.clone());
        local.spawn_local(async move {
            let mut stream = memory.connect_async().expect("the host has started");
            for (number, method, params) in [
                (1, "session/hello", hello(memory.token())),
                (2, "events/subscribe", json!({ "channels": ["unit/moved"] })),
            ] {
                let body = request(number, method, &params).to_string();
                let frame = format!("Content-Length: {}\r\n\r\n{body}", body.len());
                stream.write_all(frame.as_bytes()).await.expect("the host reads");
            }
            let (mut seen, mut bytes) = (Vec::new(), vec![0; 64 * 1024]);
            let mut is_ready = false;
            while let Ok(count @ 1..) = stream.read(&mut bytes).await {
                if !is_ready {
                    seen.extend_from_slice(&bytes[..count]);
                    is_ready = seen.windows(10).any(|part| part == b"subscribed");
                    if is_ready {
                        ready.send(()).expect("the bench waits");
                    }
                }
            }
        });
    }
    runtime.block_on(local);
}
