//! Every rule of AiControl's catalogue, by a test that has its id as its name.

use ludwire::{AiControl, Budget, Call, Event, Host, ToolError, observe, registered, tool};
use ludwire_tests::ai_control::{Client, refusal};
use ludwire_tests::arena::{Arena, agent, wait_for};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{JoinHandle, ThreadId};

#[derive(Default)]
struct World {
    steps: u32,
    thread: Option<ThreadId>,
}

/// All that the protocol has a name for.
#[derive(Serialize, JsonSchema)]
struct Aimed {
    target: String,
    item: Option<u32>,
    aux: Option<i64>,
    at: (i32, i32),
    on_screen: (i32, i32),
    int: i32,
    string: String,
    append: bool,
}

/// Takes what the protocol has a name for.
#[tool("unit/aim")]
#[expect(clippy::too_many_arguments, reason = "all of them are the point")]
fn aim(
    #[arg(default = "nobody")] target_id: String,
    item_id: Option<u32>,
    aux_id: Option<i64>,
    #[arg(default)] x: i32,
    #[arg(default)] y: i32,
    #[arg(default)] screen_x: i32,
    #[arg(default)] screen_y: i32,
    #[arg(default)] int_arg: i32,
    #[arg(default)] string_arg: String,
    #[arg(default)] append: bool,
) -> Aimed {
    Aimed {
        target: target_id,
        item: item_id,
        aux: aux_id,
        at: (x, y),
        on_screen: (screen_x, screen_y),
        int: int_arg,
        string: string_arg,
        append,
    }
}

/// Something steps.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/stepped")]
struct Stepped {
    steps: u32,
}

/// Makes a step.
#[tool("unit/step")]
fn step(world: &mut World, call: &Call) -> u32 {
    world.steps += 1;
    world.thread = Some(std::thread::current().id());
    call.emit(&Stepped { steps: world.steps });
    world.steps
}

/// Fails.
#[tool("unit/fail")]
fn fail(_: &mut World) -> Result<(), ToolError> {
    Err(ToolError::failed("the door is locked"))
}

/// Panics.
#[tool("unit/panic")]
fn panics(_: &mut World) {
    panic!("it does");
}

#[derive(Serialize, JsonSchema)]
struct Seen {
    steps: u32,
}

#[observe]
fn seen(world: &World) -> Seen {
    Seen { steps: world.steps }
}

/// A host, and a thread that plays the game.
struct Game {
    address: String,
    stop: Arc<AtomicBool>,
    /// While it is set, the game stands still.
    pause: Arc<AtomicBool>,
    loops: Arc<AtomicU32>,
    thread: Option<JoinHandle<World>>,
}

impl Game {
    fn start(front_end: AiControl) -> Self {
        let host = Host::builder("Rules", "1")
            .tools(registered::<World>())
            .serve(front_end)
            .start()
            .expect("it starts");
        let address = host.endpoints()[0].address.clone();
        let (stop, pause, loops) =
            (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default(), Arc::default());
        let thread = {
            let (stop, pause, loops) =
                (Arc::clone(&stop), Arc::clone(&pause), Arc::<AtomicU32>::clone(&loops));
            std::thread::spawn(move || {
                let mut world = World::default();
                while !stop.load(Ordering::Acquire) {
                    if !pause.load(Ordering::Acquire) {
                        host.run(&mut world, Budget::millis(4));
                    }
                    loops.fetch_add(1, Ordering::AcqRel);
                    std::thread::yield_now();
                }
                world
            })
        };
        Self { address, stop, pause, loops, thread: Some(thread) }
    }

    fn open() -> Self {
        Self::start(AiControl::on(0).without_token())
    }

    /// Stands still from now on.
    fn pause(&self) {
        self.pause.store(true, Ordering::Release);
        let before = self.loops.load(Ordering::Acquire);
        wait_for("the game to stand still", || {
            (self.loops.load(Ordering::Acquire) > before + 1).then_some(())
        });
    }

    fn go_on(&self) {
        self.pause.store(false, Ordering::Release);
    }

    fn client(&self) -> Client {
        Client::connect(&self.address)
    }

    fn end(mut self) -> World {
        self.stop.store(true, Ordering::Release);
        self.thread.take().expect("it runs").join().expect("the game does not panic")
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

/// An environment variable that is there wherever tests run, in place of one with a token.
const VARIABLE: &str = "PATH";

fn token() -> String {
    std::env::var(VARIABLE).expect("it is there")
}

fn guarded() -> Game {
    Game::start(AiControl::on(0).token_env(VARIABLE))
}

const PARSE: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const UNAUTHORIZED: i64 = -32001;
const QUEUE_FULL: i64 = -32002;

#[test]
fn ai_control_protocol_wire_tcp_stream() {
    let game = Game::open();
    for greeting in
        ["GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}"]
    {
        let mut foreign = game.client();
        foreign.raw(greeting.as_bytes());
        foreign
            .raw(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"act\",\"params\":{\"type\":\"unit/step\"}}\n");
        assert_eq!(foreign.read(None), None, "{greeting:?} is no AiControl");
    }
    let mut client = game.client();
    assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }));
    assert_eq!(client.result("status", &json!({}))["queuedCommands"], 0);
    drop(client);
    assert_eq!(game.end().steps, 0, "nothing that HTTP carries is done");
}

#[test]
fn ai_control_protocol_wire_ndjson() {
    let game = Game::open();
    let mut client = game.client();
    // Three in one piece, one in pieces, one with CR: each has its line.
    let line = |id: u32| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\",\"params\":{{}}}}\n");
    client.raw([line(1), line(2), line(3)].concat().as_bytes());
    for byte in line(4).as_bytes() {
        client.raw(&[*byte]);
    }
    client.raw(line(5).replace('\n', "\r\n").as_bytes());
    for id in 1..=5 {
        assert_eq!(client.read(Some("ping")).expect("an answer")["id"], id);
    }
}

#[test]
fn ai_control_protocol_wire_utf8() {
    let game = Game::open();
    let mut client = game.client();
    for broken in
        [&b"\xff"[..], b"{\"jsonrpc\":\"2.0\",\"id\":\"\xc3\x28\",\"method\":\"ping\",\"params\":{}}"]
    {
        let (code, message) = refusal(&client.ask_line(broken));
        assert_eq!((code, message.contains("UTF-8")), (PARSE, true), "{message}");
    }
    let answer = client
        .ask_line("{\"jsonrpc\":\"2.0\",\"id\":\"ключ🗝\",\"method\":\"ping\",\"params\":{}}".as_bytes());
    assert_eq!(answer["id"], "ключ🗝");
}

#[test]
fn ai_control_protocol_wire_line_limit() {
    let game = Game::open();
    let most = 1 << 20;
    let request = |size: usize| {
        let shell = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"pad\":\"\"}}";
        shell.replace("\"\"", &format!("\"{}\"", "x".repeat(size - shell.len())))
    };
    let mut client = game.client();
    assert_eq!(client.ask_line(request(most).as_bytes())["result"], json!({ "ok": true }));
    client.line(request(most + 1).as_bytes());
    let (code, message) = refusal(&client.read(None).expect("it is told"));
    assert_eq!((code, message.contains("1048576")), (INVALID_REQUEST, true), "{message}");
    assert_eq!(client.read(None), None, "where the next line begins is unknown");
    // Answers are cut or refused: the client of these tests takes no longer line.
    let mut client = game.client();
    let long = "y".repeat(300_000);
    for _ in 0..5 {
        client.carry_out(&json!({ "type": "unit/aim", "stringArg": long }));
    }
    let page = client.result("events", &json!({}));
    assert_eq!((&page["latestSeq"], page["events"].as_array().map(Vec::len)), (&json!(5), Some(3)));
}

#[test]
fn ai_control_protocol_wire_request_envelope() {
    let game = Game::open();
    let mut client = game.client();
    for (line, id) in [
        (r#"[]"#, json!(null)),
        (r#""ping""#, json!(null)),
        (r#"{"id":1,"method":"ping","params":{}}"#, json!(1)),
        (r#"{"jsonrpc":"1.0","id":2,"method":"ping","params":{}}"#, json!(2)),
        (r#"{"jsonrpc":2.0,"id":3,"method":"ping","params":{}}"#, json!(3)),
        (r#"{"jsonrpc":"2.0","id":4,"params":{}}"#, json!(4)),
        (r#"{"jsonrpc":"2.0","id":5,"method":"","params":{}}"#, json!(5)),
        (r#"{"jsonrpc":"2.0","id":6,"method":7,"params":{}}"#, json!(6)),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#, json!(7)),
        (r#"{"jsonrpc":"2.0","id":8,"method":"ping","params":[]}"#, json!(8)),
        (r#"{"jsonrpc":"2.0","id":9,"method":"ping","params":null}"#, json!(9)),
        (r#"{"jsonrpc":"2.0","id":10,"id":10,"method":"ping","params":{}}"#, json!(10)),
        (r#"{"jsonrpc":"2.0","id":11,"result":{}}"#, json!(11)),
        (r#"{"jsonrpc":"2.0","id":123456789012345678901,"method":"ping","params":{}}"#, json!(null)),
    ] {
        let answer = client.ask_line(line.as_bytes());
        assert_eq!((refusal(&answer).0, &answer["id"]), (INVALID_REQUEST, &id), "{line}: {answer}");
    }
}

#[test]
fn ai_control_protocol_wire_response_envelope() {
    let game = Game::open();
    let mut client = game.client();
    for line in ["5", "null", "{}", r#"{"method":"ping"}"#] {
        assert_eq!(refusal(&client.ask_line(line.as_bytes())).0, INVALID_REQUEST, "{line}");
    }
}

#[test]
fn ai_control_protocol_error_method_not_found() {
    let game = Game::open();
    let mut client = game.client();
    for method in ["Ping", "ping ", "tools/call", "unit/step"] {
        let (code, message) = client.refusal(method, &json!({}));
        assert_eq!((code, message.contains("\"observe\"")), (METHOD_NOT_FOUND, true), "{message}");
    }
}

#[test]
fn ai_control_protocol_error_invalid_params() {
    let game = Game::open();
    let mut client = game.client();
    for (method, params, at) in [
        ("act", json!({}), "/params/type"),
        ("act", json!({ "type": "" }), "/params/type"),
        ("act", json!({ "type": 5 }), "/params/type"),
        ("act", json!({ "type": "unit/aim", "x": "5" }), "/params/x"),
        ("act", json!({ "type": "unit/aim", "x": 1.5 }), "/params/x"),
        ("act", json!({ "type": "unit/aim", "targetId": {} }), "/params/targetId"),
        ("act", json!({ "type": "unit/aim", "append": 1 }), "/params/append"),
        ("events", json!({ "afterSeq": "0" }), "/params/afterSeq"),
        ("events", json!({ "limit": null }), "/params/limit"),
        ("auth", json!({ "token": 5 }), "/params/token"),
    ] {
        let (code, message) = client.refusal(method, &params);
        assert_eq!((code, message.contains(at)), (INVALID_PARAMS, true), "{method} {params}: {message}");
    }
    let deep = format!("{}1{}", "[".repeat(60), "]".repeat(60));
    for id in [
        "0",
        "-1",
        "18446744073709551615",
        "1.5",
        "\"\"",
        "\"a\\u0000b\"",
        "true",
        "[1,{}]",
        "{\"a\":{}}",
        &deep,
    ] {
        for (method, member) in [("ping", "result"), ("nothing", "error")] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{}}}}"#);
            let answer = client.ask_line(line.as_bytes());
            assert_eq!(answer["id"], ludwire_tests::json(id).expect("it is JSON"), "{answer}");
            let both = answer.get("result").is_some() && answer.get("error").is_some();
            assert!(answer.get(member).is_some() && !both, "{answer}");
        }
    }
    for line in [
        r#"{"jsonrpc":"2.0","method":"ping","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping","params":{}}"#,
    ] {
        assert_eq!(
            client.ask_line(line.as_bytes()),
            json!({ "jsonrpc": "2.0", "id": null, "result": { "ok": true } })
        );
    }
}

#[test]
fn ai_control_protocol_wire_sequential_connection() {
    let game = Game::open();
    let mut client = game.client();
    // Nobody should, but whoever does not wait is answered in order all the same.
    let all: String = (0..200)
        .map(|id| {
            let (method, params) = match id % 3 {
                0 => ("ping", json!({})),
                1 => ("act", json!({ "type": "unit/step" })),
                _ => ("observe", json!({})),
            };
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string() + "\n"
        })
        .collect();
    client.raw(all.as_bytes());
    for id in 0..200 {
        let answer = client.read(None).expect("an answer");
        assert_eq!(answer["id"], id, "{answer}");
    }
}

#[test]
fn ai_control_protocol_method_auth() {
    let game = guarded();
    let mut client = game.client();
    for wrong in ["", "wrong", &token()[1..]] {
        assert_eq!(client.result("auth", &json!({ "token": wrong })), json!({ "authorized": false }));
        assert_eq!(client.refusal("ping", &json!({})).0, UNAUTHORIZED);
    }
    assert_eq!(client.result("auth", &json!({ "token": token() })), json!({ "authorized": true }));
    assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }));
    // It belongs to this connection only.
    assert_eq!(game.client().refusal("ping", &json!({})).0, UNAUTHORIZED);
    assert_eq!(client.refusal("auth", &json!({})).0, INVALID_PARAMS);
}

#[test]
fn ai_control_protocol_method_ping() {
    let game = guarded();
    let mut client = Client::authorized(&game.address, &token());
    game.pause();
    assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }), "while the game stands still");
}

#[test]
fn ai_control_protocol_method_status() {
    let game = Game::start(AiControl::on(0).without_token().max_commands(3).max_events(2));
    let mut client = game.client();
    let (host, port) = game.address.split_once(':').expect("an address has a port");
    let expected = json!({
        "running": true, "host": host, "port": port.parse::<u16>().expect("a port"), "queuedCommands": 0,
        "maxQueuedCommands": 3, "events": 0, "maxEvents": 2, "observationSeq": 0, "lastError": null,
    });
    assert_eq!(client.result("status", &json!({})), expected);
    game.pause();
    client.act(&json!({ "type": "unit/step" }));
    assert_eq!(client.result("status", &json!({}))["queuedCommands"], 1);
    game.go_on();
    client.carry_out(&json!({ "type": "unit/fail" }));
    client.result("observe", &json!({}));
    let status = client.result("status", &json!({}));
    assert_eq!(
        (&status["queuedCommands"], &status["events"], &status["observationSeq"], &status["lastError"]),
        (&json!(0), &json!(2), &json!(1), &json!("the door is locked"))
    );
}

#[test]
fn ai_control_protocol_method_observe() {
    let game = Game::open();
    let mut client = game.client();
    let first = client.result("observe", &json!({}));
    assert_eq!((&first["observationSeq"], &first["observation"]["steps"]), (&json!(1), &json!(0)));
    assert_eq!(client.result("observe", &json!({})), first, "nothing has changed");
    client.carry_out(&json!({ "type": "unit/step" }));
    let second = game.client().result("observe", &json!({}));
    assert_eq!((&second["observationSeq"], &second["observation"]["steps"]), (&json!(2), &json!(1)));
}

#[test]
fn ai_control_protocol_method_events() {
    let game = Game::start(AiControl::on(0).without_token().max_events(600));
    let mut client = game.client();
    let empty = client.result("events", &json!({}));
    assert_eq!(empty, json!({ "latestSeq": 0, "events": [] }));
    for _ in 0..3 {
        client.carry_out(&json!({ "type": "unit/step" }));
    }
    let all = client.result("events", &json!({ "afterSeq": 0 }));
    let events = all["events"].as_array().expect("a list");
    let stepped: Vec<&Value> =
        events.iter().map(|entry| &entry["event"]).filter(|event| event["type"] == "unit/stepped").collect();
    let expected = |seq: u32| json!({ "type": "unit/stepped", "seq": seq, "data": { "steps": seq + 1 } });
    assert_eq!(stepped, [&expected(0), &expected(1), &expected(2)], "what the game tells is kept");
    for (wanted, expected) in [
        (json!({ "limit": 0 }), vec![1]),
        (json!({ "limit": -7 }), vec![1]),
        (json!({ "limit": 2.0 }), vec![1, 2]),
        (json!({ "afterSeq": -5, "limit": 2 }), vec![1, 2]),
        (json!({ "afterSeq": 4 }), vec![5, 6]),
        (json!({ "afterSeq": 6 }), vec![]),
        (json!({ "afterSeq": 1e30 }), vec![]),
        (json!({ "limit": 1e30 }), vec![1, 2, 3, 4, 5, 6]),
    ] {
        let page = client.result("events", &wanted);
        let seen: Vec<u64> = page["events"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|entry| entry["seq"].as_u64())
            .collect();
        assert_eq!((&page["latestSeq"], seen), (&json!(6), expected), "{wanted}");
    }
    for _ in 0..300 {
        client.carry_out(&json!({ "type": "unit/step" }));
    }
    let page = client.result("events", &json!({ "limit": 5000 }));
    assert_eq!(page["events"].as_array().map(Vec::len), Some(500), "{}", page["latestSeq"]);
    assert_eq!(page["events"][0]["seq"], 7, "the oldest have gone");
}

#[test]
fn ai_control_protocol_method_act() {
    let game = Game::open();
    let mut client = game.client();
    game.pause();
    for seq in 1..=3 {
        let result = client.result("act", &json!({ "type": "unit/step" }));
        assert_eq!(result, json!({ "accepted": true, "commandSeq": seq }), "it only waits");
    }
    assert_eq!(client.events(), Vec::<Value>::new());
    game.go_on();
    let last = client.carry_out(&json!({ "type": "unit/step" }));
    assert_eq!(last["result"], json!({ "result": 4 }), "in order, the last one last");
}

#[test]
fn ai_control_protocol_error_parse() {
    let game = Game::open();
    let mut client = game.client();
    for line in
        ["", "{", "nonsense", "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{}} x", "{'a':1}"]
    {
        let answer = client.ask_line(line.as_bytes());
        assert_eq!((refusal(&answer).0, &answer["id"]), (PARSE, &json!(null)), "{line}");
    }
    assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }), "the connection goes on");
    // A stranger has one try.
    let game = guarded();
    let mut stranger = game.client();
    assert_eq!(refusal(&stranger.ask_line(b"{")).0, PARSE);
    assert_eq!(stranger.read(None), None);
}

#[test]
fn ai_control_protocol_error_invalid_request() {
    let game = Game::open();
    let mut client = game.client();
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"act","params":{{"type":"a","deep":{}1{}}}}}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    assert_eq!(refusal(&client.ask_line(deep.as_bytes())).0, INVALID_PARAMS, "deeper than JSON is read");
    assert_eq!(client.result("status", &json!({}))["events"], 0, "none took a place");
}

#[test]
fn ai_control_protocol_error_unauthorized() {
    let game = guarded();
    let mut client = game.client();
    for method in ["ping", "status", "observe", "events", "act", "nothing"] {
        assert_eq!(client.refusal(method, &json!({ "type": "unit/step" })).0, UNAUTHORIZED, "{method}");
        assert_eq!(client.refusal(method, &json!([])).0, UNAUTHORIZED, "{method}");
    }
    drop(client);
    assert_eq!(game.end().steps, 0);
}

#[test]
fn ai_control_protocol_error_queue_full() {
    let game = Game::start(AiControl::on(0).without_token().max_commands(2));
    let mut client = game.client();
    game.pause();
    let accepted = [client.act(&json!({ "type": "unit/step" })), client.act(&json!({ "type": "unit/step" }))];
    for mut other in [game.client(), game.client()] {
        let (code, message) = other.refusal("act", &json!({ "type": "unit/fail" }));
        assert_eq!((code, message.contains('2')), (QUEUE_FULL, true), "{message}");
    }
    game.go_on();
    let mut ended = BTreeSet::new();
    wait_for("both commands", || {
        ended.extend(
            client
                .events()
                .iter()
                .filter(|event| event["success"] == true)
                .map(|event| event["commandSeq"].to_string()),
        );
        (ended.len() == 2).then_some(())
    });
    assert_eq!(ended, accepted.iter().map(u64::to_string).collect(), "what waited was not replaced");
    client.carry_out(&json!({ "type": "unit/step" }));
}

/// What the tool was given by a command with this member.
fn aimed(member: &str, value: Value) -> Value {
    let game = Game::open();
    let mut client = game.client();
    let mut command = json!({ "type": "unit/aim" });
    command[member] = value;
    let completed = client.carry_out(&command);
    assert_eq!(completed["success"], true, "{completed}");
    completed["result"].clone()
}

#[test]
fn ai_control_protocol_command_type() {
    let game = Game::open();
    let mut client = game.client();
    let unknown = client.carry_out(&json!({ "type": "unit/stepp" }));
    assert_eq!(unknown["success"], false);
    assert!(unknown["message"].as_str().expect("a text").contains("did you mean `unit/step`"), "{unknown}");
}

#[test]
fn ai_control_protocol_command_target_id() {
    assert_eq!(aimed("targetId", json!("orc-7"))["target"], "orc-7");
    assert_eq!(aimed("targetId", json!(7))["target"], "7", "the game has texts");
    assert_eq!(aimed("target_id", json!("orc"))["target"], "orc");
}

#[test]
fn ai_control_protocol_command_item_id() {
    assert_eq!(aimed("itemId", json!(9))["item"], 9);
    assert_eq!(aimed("itemId", json!("9"))["item"], 9, "the game has numbers");
}

#[test]
fn ai_control_protocol_command_aux_id() {
    assert_eq!(aimed("auxId", json!(-4))["aux"], "-4");
    assert_eq!(aimed("auxId", json!("-4"))["aux"], "-4");
}

#[test]
fn ai_control_protocol_command_x() {
    assert_eq!(aimed("x", json!(5))["at"], json!([5, 0]));
}

#[test]
fn ai_control_protocol_command_y() {
    assert_eq!(aimed("y", json!(-5))["at"], json!([0, -5]));
}

#[test]
fn ai_control_protocol_command_screen_x() {
    assert_eq!(aimed("screenX", json!(640.0))["on_screen"], json!([640, 0]));
}

#[test]
fn ai_control_protocol_command_screen_y() {
    assert_eq!(aimed("screenY", json!(480))["on_screen"], json!([0, 480]));
}

#[test]
fn ai_control_protocol_command_int_arg() {
    assert_eq!(aimed("intArg", json!(42))["int"], 42);
}

#[test]
fn ai_control_protocol_command_string_arg() {
    assert_eq!(aimed("stringArg", json!("a \"b\""))["string"], "a \"b\"");
}

#[test]
fn ai_control_protocol_command_append() {
    assert_eq!(aimed("append", json!(true))["append"], true);
    assert_eq!(aimed("append", json!(false))["append"], false);
    let game = Game::open();
    let mut client = game.client();
    let step = client.carry_out(&json!({ "type": "unit/step", "append": false }));
    assert_eq!(step["success"], true, "absent means false: {step}");
    let step = client.carry_out(&json!({ "type": "unit/step", "append": true }));
    assert_eq!(step["success"], false, "a tool that cannot must not be asked to: {step}");
    assert_eq!(step["problems"][0]["pointer"], "/append");
}

#[test]
fn ai_control_protocol_security_disabled_default() {
    let arena = Arena::start();
    assert_eq!(
        arena.ready.as_object().map(|ready| ready.keys().cloned().collect::<Vec<_>>()),
        Some(vec!["gabp".to_owned()])
    );
    let host = Host::builder("Rules", "1").tools(registered::<World>()).build().expect("it is built");
    assert!(host.endpoints().is_empty());
}

#[test]
fn ai_control_protocol_security_loopback_default() {
    let game = Game::open();
    assert!(game.address.starts_with("127.0.0.1:"));
    let (reason, _) = refused(AiControl::at("0.0.0.0:0").token_env(VARIABLE));
    assert!(reason.contains("loopback only"), "{reason}");
}

/// Why a host with this front end does not start.
fn refused(front_end: AiControl) -> (String, String) {
    let shown = format!("{front_end:?}");
    let builder = Host::builder("Rules", "1").tools(registered::<World>());
    (builder.serve(front_end).start().expect_err("it must not start").to_string(), shown)
}

#[test]
fn ai_control_protocol_security_remote_token() {
    for front_end in [
        AiControl::at("0.0.0.0:0"),
        AiControl::at("0.0.0.0:0").without_token(),
        AiControl::at("0.0.0.0:0").token_env("LUDWIRE_NOT_SET"),
    ] {
        let (reason, _) = refused(front_end.allow_remote());
        assert!(reason.contains("a token must be given"), "{reason}");
    }
    let game = Game::start(AiControl::at("0.0.0.0:0").allow_remote().token_env(VARIABLE));
    let local = game.address.replace("0.0.0.0", "127.0.0.1");
    assert_eq!(Client::connect(&local).refusal("ping", &json!({})).0, UNAUTHORIZED);
    Client::authorized(&local, &token());
}

#[test]
fn ai_control_protocol_security_secret_input() {
    // Neither program has an option that takes a token, and what is shown of a front end holds none.
    for mut program in [agent(), ludwire_tests::arena::arena()] {
        let help = program.arg("--help").output().expect("it runs");
        let help = String::from_utf8(help.stdout).expect("it is text");
        let options: Vec<&str> =
            help.split_whitespace().filter(|word| word.starts_with("--") && word.contains("token")).collect();
        assert!(options.iter().all(|option| *option == "--token-env"), "{options:?}");
    }
    let shown = format!("{:?}", AiControl::on(0).token_env(VARIABLE));
    assert!(!shown.contains(&token()), "{shown}");
}

#[test]
fn ai_control_protocol_integration_loop_ownership() {
    let game = Game::open();
    let mut client = game.client();
    game.pause();
    client.act(&json!({ "type": "unit/step" }));
    client.result("ping", &json!({}));
    assert_eq!(client.events(), Vec::<Value>::new(), "nothing is done while the game's loop stands still");
    let thread = game.thread.as_ref().expect("it runs").thread().id();
    game.go_on();
    client.carry_out(&json!({ "type": "unit/fail" }));
    drop(client);
    let world = game.end();
    assert_eq!((world.steps, world.thread), (1, Some(thread)));
}

#[test]
fn ai_control_protocol_integration_observation_schema() {
    let game = Game::open();
    let observation = game.client().result("observe", &json!({}))["observation"].take();
    assert_eq!(observation["schemaVersion"], 1);
    assert_eq!(observation["availableActions"], json!(["unit/aim", "unit/fail", "unit/panic", "unit/step"]));
}

#[test]
fn ai_control_protocol_integration_command_completion() {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0"]);
    let address = arena.ready["aiControl"]["address"].as_str().expect("an address").to_owned();
    let mut client = Client::authorized(&address, &arena.token());
    let commands = [
        (json!({ "type": "world/spawn", "kind": "orc", "at": { "x": 1, "y": 2 } }), true),
        (json!({ "type": "world/spawn", "kind": "orc", "at": { "x": 1, "y": 2 } }), false),
        (json!({ "type": "world/spawn", "kind": "troll" }), false),
        (json!({ "type": "debug/crash" }), false),
        (json!({ "type": "no such thing" }), false),
        (json!({ "type": "debug/sleep", "ms": 60_000 }), false),
    ];
    let accepted: Vec<u64> = commands.iter().map(|(command, _)| client.act(command)).collect();
    // One of them sleeps still when the game ends.
    let mut ended = Vec::new();
    wait_for("what ends by itself", || {
        ended.extend(client.events());
        (ended.len() == commands.len() - 1).then_some(())
    });
    let pid = arena.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
    wait_for("the end of what slept", || {
        ended.extend(client.events());
        (ended.len() == commands.len()).then_some(())
    });
    for (seq, (command, success)) in accepted.iter().zip(&commands) {
        let of: Vec<&Value> = ended.iter().filter(|event| event["commandSeq"] == *seq).collect();
        assert_eq!(of.len(), 1, "{command} ends once");
        assert_eq!(
            (&of[0]["type"], &of[0]["success"]),
            (&json!("command_completed"), &json!(success)),
            "{command}"
        );
        assert!(!of[0]["message"].as_str().expect("a text").is_empty());
    }
    let spawned = ended.iter().find(|event| event["commandSeq"] == accepted[0]).expect("it was there");
    assert_eq!(spawned["result"], json!({ "id": 1 }));
}

#[test]
fn ai_control_protocol_integration_bounded_state() {
    for front_end in [AiControl::on(0).max_commands(0), AiControl::on(0).max_events(0)] {
        assert!(refused(front_end).0.contains("at least"));
    }
    let game = Game::start(AiControl::on(0).without_token().max_events(4));
    let mut client = game.client();
    for _ in 0..20 {
        client.carry_out(&json!({ "type": "unit/fail" }));
    }
    let status = client.result("status", &json!({}));
    assert_eq!((&status["events"], &status["maxEvents"]), (&json!(4), &json!(4)));
}

#[test]
fn ai_control_protocol_validation_protocol_smoke() {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0"]);
    let address = arena.ready["aiControl"]["address"].as_str().expect("an address").to_owned();
    let mut client = Client::connect(&address);
    assert_eq!(client.result("auth", &json!({ "token": arena.token() })), json!({ "authorized": true }));
    assert_eq!(client.result("ping", &json!({})), json!({ "ok": true }));
    assert_eq!(client.result("status", &json!({}))["running"], true);
    let before = client.result("observe", &json!({}));
    assert_eq!(client.refusal("act", &json!({})).0, INVALID_PARAMS);
    let completed =
        client.carry_out(&json!({ "type": "world/spawn", "kind": "elf", "at": { "x": 3, "y": 3 } }));
    assert_eq!(completed["success"], true, "{completed}");
    let after = client.result("observe", &json!({}));
    assert!(after["observationSeq"].as_u64() > before["observationSeq"].as_u64());
    assert_eq!(after["observation"]["entities"][0]["kind"], "elf");
    assert_eq!(client.events(), Vec::<Value>::new(), "the cursor is at the end");
}

#[test]
fn ai_control_protocol_validation_security() {
    let game = guarded();
    let mut client = game.client();
    assert_eq!(client.refusal("observe", &json!({})).0, UNAUTHORIZED);
    assert_eq!(client.result("auth", &json!({ "token": "wrong" })), json!({ "authorized": false }));
    assert_eq!(client.refusal("observe", &json!({})).0, UNAUTHORIZED);
    assert!(refused(AiControl::at("[::]:0")).0.contains("loopback only"));
}

/// Rules that no library can see to.
const DUTIES: [&str; 6] = [
    "integration.native-extension",
    "integration.mcp-boundary",
    "security.server-authority",
    "security.plaintext",
    "validation.project-native",
    "validation.gameplay-authority",
];

#[test]
fn every_rule_has_its_test() {
    let folder = ludwire_tests::workspace();
    let file = |path: &str| std::fs::read_to_string(folder.join(path)).expect("the file is there");
    let catalogue: Value =
        serde_json::from_str(&file("schemas/aicontrol/AiControlProtocol.json")).expect("JSON");
    let lists = catalogue.as_object().expect("an object").values().filter_map(Value::as_array).flatten();
    let ids: BTreeSet<&str> = lists.filter_map(|entry| entry["id"].as_str()).collect();
    assert_eq!(ids.len(), 49);
    let tests: String = std::fs::read_dir(folder.join("tests/tests"))
        .expect("the folder is there")
        .filter_map(|entry| {
            Some(entry.expect("it can be read").path()).filter(|path| path.extension().is_some())
        })
        .map(|path| std::fs::read_to_string(path).expect("it is text"))
        .collect();
    let page = file("generated/docs/aicontrol/enforcement.md");
    for id in ids {
        let name = id.replace(['.', '-'], "_");
        let is_tested = tests.contains(&format!("#[test]\nfn {name}() {{"));
        let rule = id.strip_prefix("ai-control-protocol.").expect("ids begin so");
        assert_eq!(is_tested, !DUTIES.contains(&rule), "{id}");
        let row =
            page.lines().find(|line| line.starts_with(&format!("| `{id}` |"))).expect("a row of the page");
        assert_eq!(row.ends_with(&format!("| `{name}` |")), is_tested, "{row}");
    }
}
