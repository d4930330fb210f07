//! AiControl, and clients that do not do as they should.

use ludwire::{AiControl, Budget, Host, registered, tool};
use ludwire_tests::TOKEN_VARIABLE;
use ludwire_tests::ai_control::{Client, refusal};
use ludwire_tests::arena::{Arena, wait_for};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Default)]
struct World {
    count: u32,
}

/// Counts.
#[tool("count/up")]
fn up(world: &mut World) -> u32 {
    world.count += 1;
    world.count
}

/// Gives a long text.
#[tool("text/fill")]
fn fill(_: &mut World, count: usize) -> String {
    "x".repeat(count)
}

fn host(setting: impl FnOnce(AiControl) -> AiControl) -> Host<World> {
    let front_end = setting(AiControl::on(0).token_env(&TOKEN_VARIABLE.0));
    Host::builder("Hostile", "1").tools(registered::<World>()).serve(front_end).start().expect("it starts")
}

fn token() -> String {
    TOKEN_VARIABLE.1.clone()
}

/// Plays while the other does what it does.
fn while_playing(host: &Host<World>, other: impl FnOnce(&str) + Send) {
    let is_over = AtomicBool::new(false);
    let address = host.endpoints()[0].address.clone();
    std::thread::scope(|scope| {
        let (is_over, address) = (&is_over, &address);
        let doing = scope.spawn(move || {
            // Whatever comes of it.
            let _end = End(is_over);
            other(address);
        });
        let mut world = World::default();
        while !is_over.load(Ordering::Acquire) {
            host.run(&mut world, Budget::millis(2));
            std::thread::yield_now();
        }
        doing.join().expect("what is done there goes well");
    });
}

struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// Whether the other side closes the connection.
fn is_closed(stream: &mut TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout can be set");
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}

#[test]
fn strangers_have_their_time_and_keep_nobody_out() {
    let host = host(|front_end| front_end.auth_within(Duration::from_millis(300)).max_connections(2));
    while_playing(&host, |address| {
        let silent: Vec<TcpStream> =
            (0..40).map(|_| TcpStream::connect(address).expect("it listens")).collect();
        let mut slow = TcpStream::connect(address).expect("it listens");
        slow.write_all(b"{\"jsonrpc\":").expect("it is open");
        let mut first = Client::authorized(address, &token());
        let mut second = Client::authorized(address, &token());
        let (code, message) = Client::connect(address).refusal("auth", &json!({ "token": token() }));
        assert!(code == -32603 && message.starts_with("there is room for 2 connections"), "{message}");
        for mut stream in silent.into_iter().chain([slow]) {
            assert!(is_closed(&mut stream));
        }
        // Whoever is inside may take its time.
        std::thread::sleep(Duration::from_millis(400));
        for client in [&mut first, &mut second] {
            assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }));
        }
        drop(first);
        wait_for("the place of the first", || {
            let answer = Client::connect(address).ask("auth", &json!({ "token": token() }));
            (answer["result"]["authorized"] == true).then_some(())
        });
    });
}

#[test]
fn a_stranger_has_short_lines() {
    let host = host(|front_end| front_end);
    while_playing(&host, |address| {
        let long = |method: &str| json!({ "text": "x".repeat(20_000), "token": token(), "method": method });
        let auth = json!({ "jsonrpc": "2.0", "id": 1, "method": "auth", "params": long("auth") });
        let mut stranger = Client::connect(address);
        stranger.line(auth.to_string().as_bytes());
        // What says so may be lost, with what was not read.
        if let Some(answer) = stranger.read(None) {
            assert_eq!(refusal(&answer), (-32600, "the line has more than 16384 bytes".to_owned()));
            assert_eq!(stranger.read(None), None);
        }
        let mut client = Client::authorized(address, &token());
        assert_eq!(client.result("ping", &long("ping")), json!({ "ok": true }));
    });
}

#[test]
fn lines_without_end_and_foreign_bytes_end_the_connection() {
    let host = host(|front_end| front_end);
    while_playing(&host, |address| {
        let mut known = Client::authorized(address, &token());
        let act = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"act\",\"params\":{\"type\":\"count/up\"}}\n";
        let http: &[u8] = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70\r\n\r\n";
        for bytes in [http, b"\x16\x03\x01\x02\x00", b"PRI * HTTP/2.0\r\n\r\n", b"OPTIONS * HTTP/1.0\r\n\r\n"]
        {
            for mut client in [Client::connect(address), Client::authorized(address, &token())] {
                let _ = client.stream.write_all(&[bytes, act].concat());
                assert_eq!(client.read(None), None, "{}", String::from_utf8_lossy(bytes));
            }
        }
        // One that never ends.
        let mut endless = Client::authorized(address, &token());
        let piece = vec![b'x'; 64 * 1024];
        while endless.stream.write_all(&piece).is_ok() {}
        assert_eq!(known.result("status", &json!({}))["events"], 0, "nothing of it was done");
    });
}

#[test]
fn ten_thousand_commands_are_accepted_or_refused_and_each_accepted_one_completes_once() {
    // All of them, since the bridge may be far ahead of a client that reads slowly.
    let host = host(|front_end| front_end.max_events(10_000));
    while_playing(&host, |address| {
        let mut client = Client::authorized(address, &token());
        let mut other = Client::authorized(address, &token());
        let sending = client.stream.try_clone().expect("a socket has two sides");
        let writer = std::thread::spawn(move || {
            let mut sending = sending;
            for id in 0..10_000 {
                let act =
                    json!({ "jsonrpc": "2.0", "id": id, "method": "act", "params": { "type": "count/up" } });
                sending.write_all(format!("{act}\n").as_bytes()).expect("the bridge reads");
            }
        });
        let mut ended = BTreeMap::<u64, u32>::new();
        let mut accepted = Vec::new();
        for id in 0..10_000 {
            let answer = client.read(None).expect("each is answered");
            assert_eq!(answer["id"], id);
            match answer["result"]["commandSeq"].as_u64() {
                Some(seq) => accepted.push(seq),
                None => assert_eq!(refusal(&answer).0, -32002),
            }
            if id % 500 == 0 {
                // Others go on undisturbed.
                let before = Instant::now();
                assert_eq!(other.result("ping", &json!({})), json!({ "ok": true }));
                assert!(before.elapsed() < Duration::from_secs(5));
                count(other.events(), &mut ended);
            }
        }
        writer.join().expect("it is written");
        wait_for("the end of all", || {
            let events = other.events();
            count(events, &mut ended);
            (ended.len() == accepted.len()).then_some(())
        });
        assert!(!accepted.is_empty());
        assert!(accepted.iter().all(|seq| ended.get(seq) == Some(&1)), "each once");
        assert_eq!(client.result("status", &json!({}))["queuedCommands"], 0);
    });
}

fn count(events: Vec<Value>, ended: &mut BTreeMap<u64, u32>) {
    for event in events.iter().filter(|event| event["type"] == "command_completed") {
        *ended.entry(event["commandSeq"].as_u64().expect("a number")).or_default() += 1;
    }
}

#[test]
fn a_client_that_goes_has_its_commands_done_all_the_same() {
    let host = host(|front_end| front_end);
    let mut world = World::default();
    let mut client = Client::authorized(&host.endpoints()[0].address, &token());
    for _ in 0..100 {
        client.act(&json!({ "type": "count/up" }));
    }
    drop(client);
    wait_for("all of them", || {
        host.run(&mut world, Budget::millis(1));
        (world.count == 100).then_some(())
    });
    while_playing(&host, |address| {
        let mut later = Client::authorized(address, &token());
        let mut ended = BTreeMap::new();
        wait_for("their ends", || {
            count(later.events(), &mut ended);
            (ended.len() == 100).then_some(())
        });
    });
}

#[test]
fn results_that_no_line_holds_are_told() {
    let host = host(|front_end| front_end);
    while_playing(&host, |address| {
        let mut client = Client::authorized(address, &token());
        let done = client.carry_out(&json!({ "type": "text/fill", "count": 1_000_000 }));
        assert_eq!(done["result"]["result"].as_str().map(str::len), Some(1_000_000));
        let done = client.carry_out(&json!({ "type": "text/fill", "count": 2_000_000 }));
        assert_eq!((&done["success"], done.get("result")), (&json!(true), None));
        assert!(done["message"].as_str().expect("a text").contains("too much for a line"), "{done}");
        // An id takes room as well.
        let id = "y".repeat(900_000);
        for (method, params) in [("events", json!({})), ("ping", json!({})), ("nothing", json!({}))] {
            let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            let answer = client.ask_line(request.to_string().as_bytes());
            assert_eq!(answer["id"], id, "{method}");
        }
        let request = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":\"{}\",\"method\":\"x\",\"params\":{{}}}}",
            "y".repeat((1 << 20) - 53)
        );
        assert!(request.len() <= 1 << 20);
        let (code, message) = refusal(&client.ask_line(request.as_bytes()));
        assert_eq!((code, message.contains("so long")), (-32600, true), "{message}");
    });
}

#[test]
fn a_client_that_never_reads_is_closed_and_others_are_not() {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0"]);
    let address = arena.ready["aiControl"]["address"].as_str().expect("an address").to_owned();
    let mut deaf = Client::authorized(&address, &arena.token());
    let mut other = Client::authorized(&address, &arena.token());
    let line = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\",\"params\":{}}\n".repeat(100);
    let gone = Arc::new(AtomicBool::new(false));
    let flooding = {
        let gone = Arc::clone(&gone);
        std::thread::spawn(move || {
            while deaf.stream.write_all(&line).is_ok() {}
            gone.store(true, Ordering::Release);
        })
    };
    let start = Instant::now();
    while !gone.load(Ordering::Acquire) {
        assert_eq!(other.result("ping", &json!({})), json!({ "ok": true }));
        assert!(start.elapsed() < Duration::from_secs(120), "it is never closed");
        std::thread::sleep(Duration::from_millis(20));
    }
    flooding.join().expect("it ends");
}

/// Bytes that seeds make: whatever comes, the bridge answers in JSON or closes, and lives.
#[test]
fn random_bytes_are_survived() {
    let host = host(|front_end| front_end);
    while_playing(&host, |address| {
        let valid =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "act", "params": { "type": "count/up", "x": 1 } })
                .to_string();
        for seed in 0..300 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut client = Client::authorized(address, &token());
            let mut bytes = valid.clone().into_bytes();
            for _ in 0..rng.usize(1..6) {
                let at = rng.usize(..bytes.len());
                match rng.u8(..3) {
                    0 => bytes[at] = rng.u8(..),
                    1 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, rng.u8(..)),
                }
            }
            let _ = client.stream.write_all(&[&bytes, &b"\n"[..]].concat());
            let _ = client.stream.shutdown(std::net::Shutdown::Write);
            // Each is checked against the schemas.
            while client.read(None).is_some() {}
        }
        assert_eq!(Client::authorized(address, &token()).result("ping", &json!({})), json!({ "ok": true }));
    });
}
