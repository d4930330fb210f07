//! The client, against the arena as a process, and against games of a few lines that do what none should.

use ludwire::client::gabp::{Client, Connect, Requests as _};
use ludwire::client::{Backoff, ClientError, Target, Way, block_on};
use ludwire::protocols::gabp::{MethodName, StateGetParams, ToolsListParams};
use ludwire::{Budget, Call, Event, Gabp, Host, registered, tool};
use ludwire_tests::arena::{Arena, PATIENCE, fresh_path};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Says how far it has counted.
#[derive(Serialize, JsonSchema, Event)]
#[event("count/changed")]
struct Counted {
    /// How far.
    count: u32,
}

/// Waits, and says what it was told.
#[tool("echo/later")]
async fn later(ms: u64, number: u32) -> u32 {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    number
}

/// Counts from nought, with an event for each number.
#[tool("count/to")]
fn count(call: &Call, number: u32) {
    (0..number).for_each(|count| call.emit(&Counted { count }));
}

fn host(gabp: Gabp) -> Host<()> {
    Host::builder("Client", "1").tools(registered::<()>()).serve(gabp).start().expect("it starts")
}

fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).expect("it is an object")
}

/// What a future gives, which must not go wrong.
fn play<T>(future: impl Future<Output = Result<T, ClientError>>) -> T {
    block_on(async { tokio::time::timeout(2 * PATIENCE, future).await.expect("it ends in time") })
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A game that a few lines play, on a connection.
struct Game {
    reader: BufReader<TcpStream>,
    listener: TcpListener,
}

impl Game {
    /// Begins to listen: how it is reached, and its thread.
    fn start(serve: impl FnOnce(Self) + Send + 'static) -> (Target, JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let target = Target::new(listener.local_addr().expect("it has one").to_string(), "t".repeat(32));
        let serving = std::thread::spawn(move || {
            let reader = Self::accept(&listener);
            serve(Self { reader, listener });
        });
        (target, serving)
    }

    fn accept(listener: &TcpListener) -> BufReader<TcpStream> {
        let (stream, _) = listener.accept().expect("the client comes");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        BufReader::new(stream)
    }

    /// Closes the connection and takes the next one.
    fn again(&mut self) {
        self.reader.get_ref().shutdown(std::net::Shutdown::Both).expect("it is open");
        self.reader = Self::accept(&self.listener);
    }

    /// The next request; `None` when the client has gone.
    fn read(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().expect("a length"),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).expect("the whole message");
        Some(serde_json::from_slice(&body).expect("JSON"))
    }

    /// The next request, which asks for this.
    fn asked(&mut self, method: &str) -> Value {
        let request = self.read().unwrap_or_else(|| panic!("nobody asks for {method}"));
        assert_eq!(request["method"], method, "{request}");
        request
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.reader.get_mut().write_all(bytes).expect("the client reads");
    }

    fn body(&mut self, text: &str) {
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    fn answer(&mut self, request: &Value, member: &str, value: Value) {
        let mut answer = json!({ "v": "gabp/1", "id": request["id"], "type": "response" });
        answer[member] = value;
        self.body(&answer.to_string());
    }

    fn event(&mut self, channel: &str, seq: u64) {
        let id = "11111111-2222-4333-8444-555555555555";
        let event = json!({ "v": "gabp/1", "id": id, "type": "event", "channel": channel, "seq": seq, "payload": {} });
        self.body(&event.to_string());
    }

    /// Takes the hello.
    fn welcome(&mut self) {
        let hello = self.asked("session/hello");
        let capabilities = json!({ "limits": { "maxMessageSize": 4096 } });
        let app = json!({ "name": "n", "version": "1" });
        let welcome =
            json!({ "agentId": "a", "app": app, "capabilities": capabilities, "schemaVersion": "1.0" });
        self.answer(&hello, "result", welcome);
    }

    /// Waits until the client has gone.
    fn end(mut self) {
        while self.read().is_some() {}
    }
}

#[test]
fn many_calls_at_once_are_answered_in_any_order() {
    let host = host(Gabp::tcp("127.0.0.1:0").no_bridge_file().token("t".repeat(32)));
    let target = Target::new(&host.endpoints()[0].address, "t".repeat(32));
    play(async {
        let client = Client::connect(&target).await?;
        let mut calls = tokio::task::JoinSet::new();
        for number in 0..64u32 {
            let client = client.clone();
            let arguments = object(json!({ "ms": (64 - number) * 10, "number": number }));
            calls.spawn(async move { (number, client.call("echo/later", arguments).await) });
        }
        let mut order = Vec::new();
        while let Some(call) = calls.join_next().await {
            let (number, result) = call.expect("it does not panic");
            assert_eq!(result?, json!({ "result": number }));
            order.push(number);
        }
        assert_eq!(order.len(), 64);
        assert_ne!(order, (0..64).collect::<Vec<_>>(), "the last ones are ready first");
        Ok(())
    });
}

#[test]
fn a_game_that_is_killed_answers_nobody_and_another_takes_its_place() {
    let bridge_file = fresh_path("killed.json");
    let mut arena = Arena::start_with(&bridge_file, "127.0.0.1:0");
    let address = arena.address.clone();
    let token = arena.token();
    play(async {
        let backoff = Backoff { first: Duration::from_millis(20), ..Backoff::default() };
        let client = Client::to(Way::bridge_file(&bridge_file)).reconnect(backoff).connect().await?;
        let for_once = Client::connect(Target::new(&address, &token)).await?;
        let mut said = client.subscribe(&["chat/said", "unit/died"]).await?;
        let mut ends = for_once.subscribe(&["chat/said"]).await?;
        let (one, other) = (client.clone(), for_once.clone());
        let sleep = || object(json!({ "ms": 60_000 }));
        let pending = tokio::spawn(async move { one.call("debug/sleep", sleep()).await });
        let others = tokio::spawn(async move { other.call("debug/sleep", sleep()).await });
        // Both have arrived: what was asked afterwards is answered.
        for client in [&client, &for_once] {
            client.call("world/look", Map::new()).await?;
        }
        let killed = Instant::now();
        arena.child.kill().expect("it runs");
        arena.child.wait().expect("it ends");
        for pending in [pending, others] {
            let error = pending.await.expect("it does not panic").expect_err("it was killed");
            assert!(matches!(&error, ClientError::Disconnected(_)), "{error:?}");
        }
        assert!(killed.elapsed() < PATIENCE);
        // Without more ado, that was it.
        let over = for_once.call("world/look", Map::new()).await.expect_err("it is gone");
        assert!(matches!(&over, ClientError::Disconnected(_)), "{over:?}");
        assert_eq!(ends.next().await.expect_err("there are no more"), over);
        // What is asked in the meantime waits, as long as it may.
        let brief = client.within(Duration::from_millis(100));
        let down = brief.call("world/look", Map::new()).await.expect_err("nobody is there");
        let is_fit = matches!(&down, ClientError::Disconnected(_) | ClientError::Unreachable(_));
        assert!(is_fit, "{down:?}");
        // Another one takes its place, with a token of its own.
        let asked = client.clone();
        let waits = tokio::spawn(async move { asked.call("world/look", Map::new()).await });
        let again = tokio::task::spawn_blocking({
            let (bridge_file, address) = (bridge_file.clone(), address.clone());
            move || Arena::start_with(&bridge_file, &address)
        });
        let again = again.await.expect("it starts");
        assert_eq!(again.address, address);
        assert_ne!(again.token(), token);
        assert_eq!(waits.await.expect("it does not panic")?["entities"], json!([]));
        client.call("chat/say", object(json!({ "text": "back" }))).await?;
        let event = said.next().await?;
        assert_eq!((event.payload["text"].as_str(), event.seq.to_string().as_str()), (Some("back"), "0"));
        drop(again);
        Ok(())
    });
}

#[test]
fn a_game_that_says_nothing_is_not_waited_for() {
    let (target, serving) = Game::start(Game::end);
    let brief = Duration::from_millis(50);
    let error = block_on(Client::to(&target).within(brief).connect()).expect_err("it says nothing");
    let late = ClientError::TimedOut { method: "session/hello".to_owned(), within: brief };
    assert_eq!(error, late);
    serving.join().expect("it ends with its client");

    // One that answers too late: that answer is for nobody, and the next one is not taken for it.
    let (target, serving) = Game::start(|mut game| {
        game.welcome();
        let first = game.asked("tools/call");
        let second = game.asked("tools/call");
        game.answer(&first, "result", json!("first"));
        game.answer(&second, "result", json!("second"));
        game.end();
    });
    play(async {
        let client = Client::connect(&target).await?;
        let error = client.within(brief).call("tool/slow", Map::new()).await.expect_err("it is slow");
        assert_eq!(error, ClientError::TimedOut { method: "tools/call".to_owned(), within: brief });
        assert!(error.to_string().contains("tools/call was not answered within 0.05 s"), "{error}");
        assert_eq!(client.call("tool/slow", Map::new()).await?, json!("second"));
        Ok(())
    });
    serving.join().expect("it ends with its client");
}

#[test]
fn what_is_no_answer_is_told_and_what_is_no_gabp_is_the_end() {
    // The answer to one of two calls; the other one is answered as it should be.
    let deep = format!(r#","result":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
    for (rest, words) in [
        ("}", "`result` must be there"),
        (r#","result":{"tools":7}}"#, "/result/tools"),
        (r#","result":{},"error":{"code":1,"message":"x"}}"#, "error"),
        (r#","error":{"code":"1","message":"x"}}"#, "/error/code"),
        (deep.as_str(), "nested deeper than 127"),
    ] {
        let rest = rest.to_owned();
        let (target, serving) = Game::start(move |mut game| {
            game.welcome();
            let (one, two) = (game.read().expect("it asks"), game.read().expect("it asks"));
            let (list, call) = if one["method"] == "tools/list" { (one, two) } else { (two, one) };
            game.body(&format!(r#"{{"v":"gabp/1","type":"response","id":{}{rest}"#, list["id"]));
            game.answer(&call, "result", json!(1));
            game.end();
        });
        let (list, call) = play(async {
            let client = Client::connect(&target).await?;
            Ok(tokio::join!(
                client.tools_list(ToolsListParams::default()),
                client.call("tool/fine", Map::new())
            ))
        });
        let error = list.expect_err("it is no list");
        assert!(matches!(&error, ClientError::Protocol(text) if text.contains(words)), "{error:?}");
        assert_eq!(call, Ok(json!(1)));
        serving.join().expect("it ends with its client");
    }
    // Nothing can be told of what comes after these.
    for (bytes, words) in [
        (&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], "does not speak GABP"),
        (b"\x00\xff\xfe", "does not speak GABP"),
        (b"Content-Length: 99999999999\r\n\r\n", "bytes"),
        (b"Content-Length: 2\r\n\r\n{]", "no message"),
        (b"Content-Length: 5\r\n\r\n{}", "has ended"),
        (b"", "closed the connection"),
    ] {
        let (target, serving) = Game::start(move |mut game| {
            game.welcome();
            game.asked("tools/call");
            game.raw(bytes);
        });
        let error = play(async {
            let client = Client::connect(&target).await?;
            Ok(client.call("tool/fine", Map::new()).await.expect_err("it is no answer"))
        });
        assert!(error.to_string().contains(words), "{error}");
        serving.join().expect("it ends");
    }
}

#[test]
fn what_a_game_may_say_besides() {
    let (target, serving) = Game::start(|mut game| {
        game.welcome();
        let request = game.asked("tools/call");
        // A request, an answer for nobody, what is no message, an event that nobody wants.
        let id = "11111111-2222-4333-8444-555555555555";
        game.body(&json!({ "v": "gabp/1", "id": id, "type": "request", "method": "a/b" }).to_string());
        game.answer(&json!({ "id": id }), "result", json!(1));
        game.body("[]");
        game.event("a/b", 7);
        game.answer(&request, "result", json!(null));
        // A null beside the result is no failure.
        let request = game.asked("my-game/dance");
        let answer =
            json!({ "v": "gabp/1", "id": request["id"], "type": "response", "error": null, "result": 3 });
        game.body(&answer.to_string());
        let request = game.asked("state/get");
        game.answer(&request, "error", json!({ "code": -1, "message": "no", "data": [7] }));
        game.end();
    });
    play(async {
        let client = Client::connect(&target).await?;
        assert_eq!(client.welcome().agent_id.as_str(), "a");
        assert_eq!(client.call("tool/null", Map::new()).await?, json!(null));
        let dance = MethodName::try_from("my-game/dance").expect("a name");
        assert_eq!(client.other(dance, Map::new()).await?, json!(3));
        let refused = client.state_get(Some(StateGetParams::default())).await.expect_err("it says no");
        let no = ClientError::Refused { code: -1, message: "no".to_owned(), data: Some(json!([7])) };
        assert_eq!(refused, no);
        // Not even sent.
        let long = object(json!({ "text": "x".repeat(4096) }));
        let error = client.call("tool/long", long).await.expect_err("it is too long");
        assert!(error.to_string().contains("takes 4096 at most"), "{error}");
        for wrong in [&[""][..], &["x", "x"], &[]] {
            let error = client.subscribe(wrong).await.expect_err("they are no channels");
            assert!(
                matches!(&error, ClientError::Protocol(text) if text.starts_with("channels")),
                "{error:?}"
            );
        }
        Ok(())
    });
    serving.join().expect("it ends with its client");
}

#[test]
fn events_that_nobody_takes_leave_a_gap() {
    let (gabp, memory) = Gabp::memory();
    let host = host(gabp);
    play(async {
        let client = Client::to(Way::memory(&memory)).max_waiting_events(4).connect().await?;
        let mut events = client.subscribe(&["count/changed", "no/such"]).await?;
        assert_eq!(events.channels(), ["count/changed"]);
        client.call("count/to", object(json!({ "number": 1 }))).await?;
        let first = events.next().await?;
        assert_eq!((first.seq.to_string().as_str(), &first.payload["count"]), ("0", &json!(0)));
        client.call("count/to", object(json!({ "number": 20 }))).await?;
        // The game hands them out on another thread, and answers ahead of them.
        let mut seqs = Vec::new();
        while seqs.last() != Some(&20) {
            tokio::time::sleep(Duration::from_millis(20)).await;
            seqs.push(events.next().await?.seq.as_u64().expect("it is small"));
        }
        assert!(seqs.len() < 20 && seqs[0] > 1, "{seqs:?}");
        assert!(seqs.is_sorted_by(|one, next| one < next), "{seqs:?}");
        Ok(())
    });
    drop(host);
}

#[test]
fn what_nobody_listens_to_any_more_is_not_sent() {
    let (target, serving) = Game::start(|mut game| {
        game.welcome();
        for channels in [json!(["a/b"]), json!(["a/b", "c/d"])] {
            let request = game.asked("events/subscribe");
            assert_eq!(request["params"]["channels"], channels);
            // Right behind the answer, and before it.
            game.event("a/b", 1);
            game.answer(&request, "result", json!({ "subscribed": channels }));
            game.event("a/b", 2);
        }
        // One of the two channels is still wanted.
        let request = game.asked("events/unsubscribe");
        assert_eq!(request["params"]["channels"], json!(["c/d"]));
        game.answer(&request, "result", json!({ "unsubscribed": ["c/d"] }));
        // A client that comes back subscribes to what is still wanted, before anything else.
        game.again();
        game.welcome();
        let request = game.asked("events/subscribe");
        assert_eq!(request["params"]["channels"], json!(["a/b"]));
        game.answer(&request, "result", json!({ "subscribed": ["a/b"] }));
        game.event("a/b", 0);
        game.end();
    });
    play(async {
        let client = Client::to(&target).reconnect(Backoff::default()).connect().await?;
        let mut one = client.subscribe(&["a/b"]).await?;
        let two = client.subscribe(&["a/b", "c/d"]).await?;
        drop(two);
        let mut seqs = Vec::new();
        while seqs.len() < 5 {
            seqs.push(one.next().await?.seq.to_string());
        }
        assert_eq!(seqs, ["1", "2", "1", "2", "0"]);
        Ok(())
    });
    serving.join().expect("it ends with its client");
}

#[test]
fn who_is_turned_down_is_told_and_the_token_is_not() {
    let token = "a-secret-a-secret-a-secret-a-secret";
    for by_connection in [false, true] {
        let (target, serving) = Game::start(move |mut game| {
            let hello = game.asked("session/hello");
            let token = hello["params"]["token"].as_str().expect("a token").to_owned();
            let failure = json!({ "code": -32101, "message": format!("{token} is wrong"), "data": [token] });
            let nobody = json!({ "id": "00000000-0000-0000-0000-000000000000" });
            game.answer(if by_connection { &nobody } else { &hello }, "error", failure);
            game.end();
        });
        let target = Target::new(target.address, token);
        let connect = || Client::to(&target).reconnect(Backoff::default());
        let shown = format!("{:?} {target:?} {:?}", connect(), Way::from(&target));
        let error = block_on(Connect::connect(connect())).expect_err("it is turned down");
        let expected = ClientError::Refused { code: -32101, message: "… is wrong".to_owned(), data: None };
        assert_eq!(error, expected);
        assert!(!shown.contains("a-secret"), "{shown}");
        serving.join().expect("it ends with its client");
    }
    let short = block_on(Client::connect(Way::streams(&b""[..], tokio::io::sink(), "a-secret")));
    let short = short.expect_err("it is short").to_string();
    assert!(short.contains("too short") && !short.contains("a-secret"), "{short}");
}

#[test]
fn attempts_end() {
    let (target, serving) = Game::start(|mut game| {
        game.welcome();
    });
    let error = play(async {
        let backoff = Backoff { first: Duration::from_millis(1), attempts: Some(3), ..Backoff::default() };
        // It may be gone before it can be asked anything.
        let called = match Client::to(&target).reconnect(backoff).connect().await {
            Ok(client) => client.call("tool/any", Map::new()).await.map(drop),
            Err(error) => Err(error),
        };
        Ok(called.expect_err("it is gone"))
    });
    let is_fit = matches!(&error, ClientError::Disconnected(_) | ClientError::Unreachable(_));
    assert!(is_fit, "{error:?}");
    serving.join().expect("it ends");
}

#[test]
fn the_host_runs_while_a_client_in_memory_waits() {
    struct World(u32);
    /// Counts.
    #[tool("world/count")]
    fn count(world: &mut World) -> u32 {
        world.0 += 1;
        world.0
    }
    let (gabp, memory) = Gabp::memory();
    let host = Host::builder("Client", "1").tools(registered::<World>()).serve(gabp).start();
    let host = host.expect("it starts");
    let mut world = World(6);
    let playing = std::thread::spawn(move || {
        block_on(async { Client::connect(Way::memory(&memory)).await?.call("world/count", Map::new()).await })
    });
    while !playing.is_finished() {
        host.run(&mut world, Budget::millis(4));
        std::thread::yield_now();
    }
    let result: Result<Value, ClientError> = playing.join().expect("it does not panic");
    assert_eq!(result, Ok(json!({ "result": 7 })));
}
