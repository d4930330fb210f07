//! What a call costs the game's thread beside what the tool does: 640 wait, and one `run` takes them.
//!
//! `cargo bench -p ludwire-tests --bench drain`

use ludwire::{Budget, Connection, Gabp, Host, registered, tool};
use ludwire_tests::arena::{hello, request};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

struct World(u64);

/// Does as little as a tool can with four arguments.
#[tool("bench/take")]
fn take(world: &mut World, unit: u32, x: f64, y: f64, name: &str) -> u32 {
    world.0 += u64::from(unit) + x.to_bits() % 2 + y.to_bits() % 2 + name.len() as u64;
    unit
}

const CONNECTIONS: u64 = 10;
const CALLS: u64 = 64;

fn main() {
    let (gabp, memory) = Gabp::memory();
    let builder = Host::builder("Bench", "1").tools(registered::<World>()).serve(gabp);
    let host = builder.start().expect("it starts");
    let mut writers: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let Connection { mut reader, mut writer } = memory.connect().expect("the host has started");
            writer.write_all(&frame(&request(0, "session/hello", &hello(memory.token())))).expect("it reads");
            std::thread::spawn(move || {
                let mut bytes = vec![0; 64 * 1024];
                while reader.read(&mut bytes).is_ok_and(|count| count > 0) {}
            });
            writer
        })
        .collect();
    let mut world = World(0);
    let arguments = |unit: u64| json!({ "unit": unit, "x": 1.5, "y": -2.25, "name": "orc" });
    let calls: Vec<Vec<u8>> = (1..=CALLS)
        .map(|unit| {
            let params = json!({ "name": "bench/take", "arguments": arguments(unit) });
            frame(&request(unit, "tools/call", &params))
        })
        .collect();
    let mut times: Vec<Duration> = (0..200)
        .map(|_| {
            for writer in &mut writers {
                calls.iter().for_each(|call| writer.write_all(call).expect("the host reads"));
            }
            while host.waiting() < (CONNECTIONS * CALLS) as usize {
                std::thread::sleep(Duration::from_millis(1));
            }
            let start = Instant::now();
            let ran = host.run(&mut world, Budget::millis(10_000));
            assert_eq!(ran.ran as u64, CONNECTIONS * CALLS);
            start.elapsed() / ran.ran as u32
        })
        .collect();
    times.sort();
    let start = Instant::now();
    let directly = 20_000u32;
    for unit in 0..directly {
        host.call(&mut world, "bench/take", arguments(u64::from(unit) % CALLS)).expect("it works");
    }
    println!("a call of four arguments on the game's thread, {} at one time", CONNECTIONS * CALLS);
    println!("taken by `run`: median {:?}, the slowest {:?}", times[times.len() / 2], times[times.len() - 1]);
    println!("by `Host::call`, which also makes the arguments: {:?}", start.elapsed() / directly);
    assert!(world.0 > 0);
}

fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
