//! One host that serves the three protocols at once: what is the same over each, and what is not mixed up.

use ludwire::{AiControl, Aicc, Budget, Call, Event, Gabp, Host, ToolError, observe, registered, tool};
use ludwire_tests::TOKEN_VARIABLE;
use ludwire_tests::agent::Agent;
use ludwire_tests::ai_control::{Client, refusal};
use ludwire_tests::arena::{Arena, Peer, wait_for};
use ludwire_tests::protocol::{self, Form};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

#[derive(Default)]
struct World {
    count: u32,
}

/// Somebody has counted.
#[derive(Serialize, JsonSchema, Event)]
#[event("count/changed")]
struct Changed {
    count: u32,
    by: String,
}

/// Counts, and tells.
#[tool("count/up")]
fn up(world: &mut World, call: &Call, by: String) -> u32 {
    world.count += 1;
    call.emit(&Changed { count: world.count, by });
    world.count
}

/// Counts off the game's thread, at once.
#[tool("count/quick")]
fn quick(by: String) -> u32 {
    drop(by);
    QUICK.fetch_add(1, Ordering::Relaxed) + 1
}

/// What `count/quick` has counted, which one test calls only.
static QUICK: AtomicU32 = AtomicU32::new(0);

/// Fails as it is told.
#[tool("test/fail", timeout = 2)]
fn fail(how: String) -> Result<String, ToolError> {
    match how.as_str() {
        "panic" => panic!("as it is told"),
        "slow" => std::thread::sleep(Duration::from_secs(5)),
        "closed" => return Err(ToolError::unavailable("closed on Mondays")),
        "large" => return Ok("x".repeat(2 << 20)),
        _ => return Err(ToolError::failed("the door is locked")),
    }
    Ok(String::new())
}

/// Rings, now and then.
#[tool("bell/ring", limits(per_minute = 2))]
fn ring() {}

/// Opens, for those who may.
#[tool("gate/open", requires = "gate:open")]
fn open() {}

#[derive(Serialize, JsonSchema)]
struct Seen {
    count: u32,
}

#[observe]
fn seen(world: &World) -> Seen {
    Seen { count: world.count }
}

/// A host, where it listens over each protocol, and a thread that plays.
struct Game {
    gabp: String,
    aicc: String,
    ai_control: String,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

impl Game {
    fn start(aicc: Aicc, ai_control: AiControl) -> Self {
        let host = Host::builder("Together", "1")
            .tools(registered::<World>())
            .attention()
            .serve(Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file())
            .serve(aicc)
            .serve(ai_control)
            .start()
            .expect("it starts");
        let at = |at: usize| host.endpoints()[at].address.clone();
        let (gabp, aicc, ai_control) = (at(0), at(1), at(2));
        let stop = Arc::<AtomicBool>::default();
        let is_over = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut world = World::default();
            while !is_over.load(Ordering::Acquire) {
                host.run(&mut world, Budget::millis(4));
                std::thread::yield_now();
            }
        });
        Self { gabp, aicc, ai_control, stop, thread: Some(thread) }
    }

    fn open() -> Self {
        Self::start(Aicc::websocket(0).without_token(), AiControl::on(0).without_token())
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the game does not panic");
        }
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

/// What a call comes to over GABP, in a word: `ok` or the code.
fn over_gabp(answer: &Value) -> String {
    if answer.get("result").is_some() { "ok".to_owned() } else { answer["error"]["code"].to_string() }
}

fn over_aicc(answer: &Value) -> String {
    match answer["error"]["code"].as_str() {
        Some(code) => code.to_owned(),
        None => "ok".to_owned(),
    }
}

fn over_ai_control(answer: &Value) -> String {
    match answer.get("success") {
        Some(success) if *success == true && answer.get("result").is_some() => "ok".to_owned(),
        Some(success) => format!("success {success}"),
        None => refusal(answer).0.to_string(),
    }
}

/// What is made to happen below; what a situation is over each protocol, the overlays say.
const SITUATIONS: [&str; 18] = [
    "no_such_tool",
    "wrong_arguments",
    "params_missing",
    "tool_fails",
    "tool_unavailable",
    "limit_reached",
    "capability_missing",
    "tool_panics",
    "deadline",
    "result_too_large",
    "queue_full",
    "no_json",
    "other_version",
    "member_twice",
    "no_such_method",
    "no_token",
    "wrong_token",
    "shutting_down",
];

/// What the pages say that a situation is over each protocol.
fn row(situation: &str) -> [String; 3] {
    static SAID: LazyLock<BTreeMap<(String, String), String>> = LazyLock::new(|| {
        let all = protocol::all(Form::Written);
        let said = all.iter().flat_map(|protocol| {
            let situations = protocol.ir.guide.iter().flat_map(|guide| &guide.situations);
            situations.map(|one| ((protocol.name.clone(), one.id.clone()), one.is.clone()))
        });
        said.collect()
    });
    assert!(SITUATIONS.contains(&situation), "add {situation} to the situations");
    ["gabp", "aicc", "aicontrol"].map(|protocol| {
        let said = SAID.get(&(protocol.to_owned(), situation.to_owned()));
        said.unwrap_or_else(|| panic!("the overlay of {protocol} says nothing of {situation}")).clone()
    })
}

#[test]
fn the_page_tells_of_what_is_made_to_happen() {
    let page = ludwire_tests::workspace().join("generated/docs/index.md");
    let page = std::fs::read_to_string(page).expect("it is there");
    let told = page.split("<a id=\"situation:").skip(1).filter_map(|rest| rest.split('"').next());
    assert_eq!(told.collect::<BTreeSet<_>>(), BTreeSet::from(SITUATIONS));
    for situation in SITUATIONS {
        let line = page.lines().find(|line| line.contains(&format!("\"situation:{situation}\"")));
        let cells: Vec<&str> = line.unwrap_or_default().split(" | ").collect();
        for (cell, is) in cells[1..].iter().zip(row(situation)) {
            assert!(cell.contains(&format!("`{is}`")), "{situation}: {is} is not in {cell}");
        }
    }
}

#[test]
fn the_same_mistake_has_each_protocols_own_error() {
    let game = Game::open();
    let mut gabp = Peer::welcome(&game.gabp, TOKEN);
    let mut aicc = Agent::of(&game.aicc);
    let mut ai_control = Client::connect(&game.ai_control);
    for (situation, tool, arguments) in [
        ("no_such_tool", "count/down", json!({})),
        ("wrong_arguments", "count/up", json!({ "bye": 1 })),
        ("tool_fails", "test/fail", json!({ "how": "fail" })),
        ("tool_unavailable", "test/fail", json!({ "how": "closed" })),
        ("tool_panics", "test/fail", json!({ "how": "panic" })),
        ("deadline", "test/fail", json!({ "how": "slow" })),
        ("result_too_large", "test/fail", json!({ "how": "large" })),
    ] {
        let mut command = arguments.clone();
        command["type"] = json!(tool);
        let is = [
            over_gabp(&gabp.call(tool, arguments.clone())),
            over_aicc(&aicc.call(&tool.replace('/', "_"), arguments)),
            over_ai_control(&ai_control.carry_out(&command)),
        ];
        assert_eq!(is, row(situation), "{situation}");
    }

    let mut without = ludwire_tests::arena::request(6, "tools/call", &Value::Null);
    without.as_object_mut().expect("it is an object").remove("params");
    gabp.send(&without);
    aicc.send("tool_call", json!({ "call_id": "c", "tool": "count_up" }));
    let is = [
        over_gabp(&gabp.read().expect("an answer")),
        over_aicc(&aicc.answer()),
        over_ai_control(&ai_control.ask_line(br#"{"jsonrpc":"2.0","id":1,"method":"act"}"#)),
    ];
    assert_eq!(is, row("params_missing"));

    gabp.raw(b"Content-Length: 1\r\n\r\n{");
    aicc.raw("{").expect("it is open");
    let is = [
        over_gabp(&gabp.read().expect("an answer")),
        over_aicc(&aicc.answer()),
        over_ai_control(&ai_control.ask_line(b"{")),
    ];
    assert_eq!(is, row("no_json"));

    let mut other = ludwire_tests::arena::request(7, "tools/list", &json!({}));
    other["v"] = json!("gabp/2");
    gabp.send(&other);
    let mut foreign = aicc.message("manifest_request", json!({}));
    foreign["protocol"] = json!("aicc/0.2");
    aicc.raw(&foreign.to_string()).expect("it is open");
    let line = br#"{"jsonrpc":"1.0","id":1,"method":"ping","params":{}}"#;
    let is = [
        over_gabp(&gabp.read().expect("an answer")),
        over_aicc(&aicc.answer()),
        over_ai_control(&ai_control.ask_line(line)),
    ];
    assert_eq!(is, row("other_version"));

    let twice = |message: &Value, name: &str, value: &str| {
        message.to_string().replacen('{', &format!("{{\"{name}\":\"{value}\","), 1)
    };
    let request = ludwire_tests::arena::request(2, "session/ping", &json!({}));
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": {} });
    let heartbeat = aicc.message("heartbeat", json!({}));
    for (gabp_member, aicc_member, ai_control_member) in [
        (("v", "gabp/1"), ("protocol", "aicc/0.1"), ("jsonrpc", "2.0")),
        (("v", "gabp/2"), ("protocol", "aicc/0.2"), ("jsonrpc", "1.0")),
        (("type", "request"), ("type", "heartbeat"), ("method", "ping")),
        (("method", "no/such"), ("type", "dance"), ("method", "dance")),
        (("method", "session/ping"), ("message_id", "x"), ("id", "x")),
    ] {
        let body = twice(&request, gabp_member.0, gabp_member.1);
        gabp.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        aicc.raw(&twice(&heartbeat, aicc_member.0, aicc_member.1)).expect("it is open");
        let line = twice(&ping, ai_control_member.0, ai_control_member.1);
        let is = [
            over_gabp(&gabp.read().expect("an answer")),
            over_aicc(&aicc.answer()),
            over_ai_control(&ai_control.ask_line(line.as_bytes())),
        ];
        assert_eq!(is, row("member_twice"), "{body} {line}");
    }

    aicc.send("dance", json!({}));
    let is = [
        over_gabp(&gabp.ask("no/such", json!({}))),
        over_aicc(&aicc.answer()),
        over_ai_control(&ai_control.ask("dance", &json!({}))),
    ];
    assert_eq!(is, row("no_such_method"));
}

#[test]
fn limits_hold_over_each_and_for_each_by_itself() {
    let game = Game::open();
    let mut gabp = Peer::welcome(&game.gabp, TOKEN);
    let mut aicc = Agent::of(&game.aicc);
    let mut ai_control = Client::connect(&game.ai_control);
    // The calls of one do not count for another.
    for _ in 0..2 {
        assert_eq!(over_gabp(&gabp.call("bell/ring", json!({}))), "ok");
        assert_eq!(over_aicc(&aicc.call("bell_ring", json!({}))), "ok");
        assert_eq!(over_ai_control(&ai_control.carry_out(&json!({ "type": "bell/ring" }))), "ok");
    }
    let refused = [
        gabp.call("bell/ring", json!({})),
        aicc.call("bell_ring", json!({})),
        ai_control.carry_out(&json!({ "type": "bell/ring" })),
    ];
    let [over_gabp_is, over_aicc_is, over_ai_control_is] = &refused;
    let is = [over_gabp(over_gabp_is), over_aicc(over_aicc_is), over_ai_control(over_ai_control_is)];
    assert_eq!(is, row("limit_reached"));
    for answer in refused {
        let words = "cannot be called: it may be called 2 times a minute; try again in";
        assert!(answer.to_string().contains(words), "{answer}");
    }
    // Another session counts anew.
    assert_eq!(over_gabp(&Peer::welcome(&game.gabp, TOKEN).call("bell/ring", json!({}))), "ok");
    assert_eq!(over_aicc(&Agent::of(&game.aicc).call("bell_ring", json!({}))), "ok");
    let mut other = Client::connect(&game.ai_control);
    assert_eq!(over_ai_control(&other.carry_out(&json!({ "type": "bell/ring" }))), "ok");

    let is = [
        over_gabp(&gabp.call("gate/open", json!({}))),
        over_aicc(&aicc.call("gate_open", json!({}))),
        over_ai_control(&ai_control.carry_out(&json!({ "type": "gate/open" }))),
    ];
    assert_eq!(is, row("capability_missing"));
}

#[test]
fn whoever_has_no_token_stays_outside() {
    let variable = &TOKEN_VARIABLE.0;
    let game = Game::start(Aicc::websocket(0).token_env(variable), AiControl::on(0).token_env(variable));
    let status = |headers: &[(&'static str, &str)]| match Agent::greet(&game.aicc, "/aicc", headers) {
        Ok(_) => "ok".to_owned(),
        Err((status, _)) => status.to_string(),
    };
    let mut ai_control = Client::connect(&game.ai_control);
    let is = [
        over_gabp(&Peer::stranger(&game.gabp).ask("tools/list", json!({}))),
        status(&[]),
        over_ai_control(&ai_control.ask("ping", &json!({}))),
    ];
    assert_eq!(is, row("no_token"));
    let authorized = ai_control.result("auth", &json!({ "token": "wrong" }))["authorized"].clone();
    let is = [
        over_gabp(&Peer::stranger(&game.gabp).ask("session/hello", ludwire_tests::arena::hello("wrong"))),
        status(&[("authorization", "Bearer wrong")]),
        format!("authorized {authorized}"),
    ];
    assert_eq!(is, row("wrong_token"));
}

#[test]
fn a_call_through_one_shows_in_the_events_of_the_others_and_numbers_do_not_mix() {
    let game = Game::open();
    let mut gabp = Peer::welcome(&game.gabp, TOKEN);
    let mut aicc = Agent::connect(&game.aicc, "events=state_change", &[]).expect("it is let in");
    let mut ai_control = Client::connect(&game.ai_control);
    let subscribed = gabp.ask("events/subscribe", json!({ "channels": ["count/changed"] }));
    assert_eq!(subscribed["result"]["subscribed"], json!(["count/changed"]));

    let aicc_result = aicc.call("count_up", json!({ "by": "aicc" }));
    assert_eq!(aicc_result["output"], json!({ "result": 1 }));
    assert_eq!(
        ai_control.carry_out(&json!({ "type": "count/up", "by": "ai_control" }))["result"],
        json!({ "result": 2 })
    );
    gabp.send(&ludwire_tests::arena::request(
        9,
        "tools/call",
        &json!({ "name": "count/up", "arguments": { "by": "gabp" } }),
    ));

    let mut seen = Vec::new();
    let mut answer = None;
    while seen.len() < 3 || answer.is_none() {
        let message = gabp.read().expect("the connection goes on");
        match message["type"].as_str() {
            Some("event") => seen.push((message["seq"].clone(), message["payload"].clone())),
            _ => answer = Some(message["result"].clone()),
        }
    }
    let expected: Vec<(Value, Value)> = ["aicc", "ai_control", "gabp"]
        .into_iter()
        .zip(0..)
        .map(|(by, seq)| (json!(seq), json!({ "count": seq + 1, "by": by })))
        .collect();
    assert_eq!((seen, answer), (expected.clone(), Some(json!({ "result": 3 }))));
    let over_aicc: Vec<(Value, Value)> = (0..3)
        .map(|_| {
            let event = aicc.unasked(|message| message["type"] == "event");
            assert_eq!(
                (&event["topic"], &event["payload"]["channel"]),
                (&json!("state_change"), &json!("count/changed"))
            );
            (event["payload"]["seq"].clone(), event["payload"]["data"].clone())
        })
        .collect();
    assert_eq!(over_aicc, expected);
    // One of the three was seen with the end of the command.
    let mut fresh = Client::connect(&game.ai_control);
    let kept = fresh.events();
    let of_game: Vec<(Value, Value)> = kept
        .iter()
        .filter(|event| event["type"] == "count/changed")
        .map(|event| (event["seq"].clone(), event["data"].clone()))
        .collect();
    assert_eq!(of_game, expected);
    let ends: Vec<&Value> = kept.iter().filter(|event| event["type"] == "command_completed").collect();
    assert_eq!((ends.len(), &ends[0]["commandSeq"]), (1, &json!(1)), "calls of the others are no commands");
    // The observation is the same.
    let over_gabp =
        gabp.ask("resources/read", json!({ "uri": "gabp://mod/observation" }))["result"]["content"].clone();
    assert_eq!(aicc.call("observe", json!({}))["output"], json!({ "count": 3 }));
    assert_eq!(
        (&over_gabp["count"], &fresh.result("observe", &json!({}))["observation"]["count"]),
        (&json!(3), &json!(3))
    );
}

#[test]
fn the_end_of_the_game_answers_what_waits() {
    let host = Host::builder("Together", "1")
        .tools(registered::<World>())
        .serve(Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file())
        .serve(Aicc::websocket(0).without_token())
        .serve(AiControl::on(0).without_token().max_commands(2))
        .start()
        .expect("it starts");
    let at = |at: usize| host.endpoints()[at].address.clone();
    let mut gabp = Peer::welcome(&at(0), TOKEN);
    let mut aicc = Agent::of(&at(1));
    let mut ai_control = Client::connect(&at(2));
    let up = json!({ "name": "count/up", "arguments": { "by": "x" } });
    gabp.send(&ludwire_tests::arena::request(1, "tools/call", &up));
    aicc.begin_call("c", "count_up", json!({ "by": "x" }));
    for _ in 0..2 {
        ai_control.act(&json!({ "type": "count/up", "by": "x" }));
    }
    wait_for("all four", || (host.waiting() == 4).then_some(()));
    assert_eq!(over_ai_control(&ai_control.ask("act", &json!({ "type": "count/up" }))), row("queue_full")[2]);
    let closing = std::thread::spawn(move || drop(host));
    let gabp = over_gabp(&gabp.read().expect("an answer"));
    let aicc = over_aicc(&aicc.answer());
    let mut ended = Vec::new();
    wait_for("the ends of the commands", || {
        ended.extend(ai_control.events());
        (ended.len() == 2).then_some(())
    });
    closing.join().expect("it goes down");
    assert_eq!([gabp, aicc, over_ai_control(&ended[0])], row("shutting_down"));
}

/// Fills the queue of the game, which stands still, through GABP and AICC.
#[test]
fn a_full_queue_is_told_over_each() {
    let host = Host::builder("Together", "1")
        .tools(registered::<World>())
        .serve(Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file())
        .serve(Aicc::websocket(0).without_token())
        .start()
        .expect("it starts");
    let (gabp, aicc) = (host.endpoints()[0].address.clone(), host.endpoints()[1].address.clone());
    // 1024 may wait for the game in all, and fewer for each.
    let mut peers: Vec<Peer> = (0..9).map(|_| Peer::welcome(&gabp, TOKEN)).collect();
    let mut agents: Vec<Agent> = (0..8).map(|_| Agent::of(&aicc)).collect();
    for number in 0..64 {
        let up = json!({ "name": "count/up", "arguments": { "by": "x" } });
        let request = ludwire_tests::arena::request(number, "tools/call", &up);
        peers.iter_mut().take(8).for_each(|peer| peer.send(&request));
        agents
            .iter_mut()
            .for_each(|agent| agent.begin_call(&format!("c{number}"), "count_up", json!({ "by": "x" })));
    }
    wait_for("the queue to fill", || (host.waiting() == 1024).then_some(()));
    let last = peers.last_mut().expect("there are nine");
    let over_the_first = over_gabp(&last.call("count/up", json!({ "by": "x" })));
    let mut agent = Agent::of(&aicc);
    let is = [over_the_first, over_aicc(&agent.call("count_up", json!({ "by": "x" })))];
    assert_eq!(is, row("queue_full")[..2]);
}

/// For how long the soak goes on: `LUDWIRE_SOAK_SECONDS`, some seconds unless set.
fn soak() -> Duration {
    let seconds = std::env::var("LUDWIRE_SOAK_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or(6))
}

/// All three under load, with peers that go in the middle and come back: each call is answered or its connection
/// is gone, each accepted command ends once, and what was counted is what the game says.
#[test]
fn all_three_under_load_with_peers_that_come_and_go() {
    let mut game =
        Game::start(Aicc::websocket(0).without_token(), AiControl::on(0).without_token().max_events(8192));
    let end = Instant::now() + soak();
    let (answered, broken) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for seed in 0..2 {
            let (game, answered, broken) = (&game, &answered, &broken);
            scope.spawn(move || {
                let mut rng = fastrand::Rng::with_seed(seed);
                while Instant::now() < end {
                    let mut peer = Peer::welcome(&game.gabp, TOKEN);
                    let calls = rng.u64(1..60);
                    for number in 0..calls {
                        let tool = if rng.bool() { "count/up" } else { "count/quick" };
                        let params = json!({ "name": tool, "arguments": { "by": "gabp" } });
                        peer.send(&ludwire_tests::arena::request(number, "tools/call", &params));
                    }
                    if rng.u8(..3) == 0 {
                        // It goes without a word.
                        broken.fetch_add(calls, Ordering::Relaxed);
                        continue;
                    }
                    let mut ids = BTreeSet::new();
                    for _ in 0..calls {
                        let answer = peer.read().expect("each is answered");
                        assert!(answer["result"]["result"].is_u64(), "{answer}");
                        assert!(ids.insert(answer["id"].to_string()), "once: {answer}");
                    }
                    answered.fetch_add(calls, Ordering::Relaxed);
                }
            });
            scope.spawn(move || {
                let mut rng = fastrand::Rng::with_seed(seed + 100);
                while Instant::now() < end {
                    let mut agent =
                        Agent::connect(&game.aicc, "events=state_change,tick", &[]).expect("it is let in");
                    let calls = rng.usize(1..60);
                    for number in 0..calls {
                        let tool = if rng.bool() { "count_up" } else { "count_quick" };
                        agent.begin_call(&format!("c{number}"), tool, json!({ "by": "aicc" }));
                    }
                    if rng.u8(..3) == 0 {
                        broken.fetch_add(calls as u64, Ordering::Relaxed);
                        continue;
                    }
                    let mut ids = BTreeSet::new();
                    for _ in 0..calls {
                        let answer = agent.answer();
                        assert_eq!(answer["ok"], true, "{answer}");
                        assert!(ids.insert(answer["call_id"].to_string()), "once: {answer}");
                    }
                    answered.fetch_add(calls as u64, Ordering::Relaxed);
                    agent.send("session_close", json!({ "reason": "done" }));
                }
            });
            scope.spawn(move || {
                let mut rng = fastrand::Rng::with_seed(seed + 200);
                let mut watcher = Client::connect(&game.ai_control);
                let mut accepted = BTreeSet::new();
                let mut ended: BTreeMap<u64, u32> = BTreeMap::new();
                let mut take = |watcher: &mut Client, accepted: &BTreeSet<u64>| {
                    // All that there is: a page holds 500, and the others send more meanwhile.
                    loop {
                        let events = watcher.events();
                        for event in events.iter().filter(|event| event["type"] == "command_completed") {
                            *ended.entry(event["commandSeq"].as_u64().expect("a number")).or_default() += 1;
                        }
                        if events.len() < 100 {
                            break;
                        }
                    }
                    assert!(ended.values().all(|times| *times == 1), "once each");
                    accepted.iter().all(|seq| ended.contains_key(seq))
                };
                while Instant::now() < end {
                    let mut client = Client::connect(&game.ai_control);
                    for _ in 0..rng.u32(1..30) {
                        let tool = if rng.bool() { "count/up" } else { "count/quick" };
                        let answer = client.ask("act", &json!({ "type": tool, "by": "ai_control" }));
                        match answer["result"]["commandSeq"].as_u64() {
                            Some(seq) => drop(accepted.insert(seq)),
                            // Whoever is refused may try again later.
                            None => assert_eq!(refusal(&answer).0, -32002),
                        }
                    }
                    // It goes, and what was accepted is done all the same.
                    drop(client);
                    take(&mut watcher, &accepted);
                }
                wait_for("the ends of all commands", || take(&mut watcher, &accepted).then_some(()));
                answered.fetch_add(accepted.len() as u64, Ordering::Relaxed);
            });
        }
    });
    let (answered, broken) = (answered.into_inner(), broken.into_inner());
    let count =
        Client::connect(&game.ai_control).result("observe", &json!({}))["observation"]["count"].as_u64();
    let count = count.expect("a number") + u64::from(QUICK.load(Ordering::Relaxed));
    assert!(
        (answered..=answered + broken).contains(&count),
        "{answered} answered, {broken} given up, {count} counted"
    );
    println!("{answered} answered, {broken} given up, {count} counted");
    game.end();
}

/// Of a game that is killed nobody is left waiting, and over each protocol the next one is found.
#[test]
fn a_game_that_is_killed_leaves_nobody_waiting() {
    let mut arena = Arena::start_and(&["--ai-control", "127.0.0.1:0", "--aicc", "127.0.0.1:0"]);
    let at = |name: &str| arena.ready[name]["address"].as_str().expect("an address").to_owned();
    let bearer = format!("Bearer {}", arena.token());
    let mut gabp = arena.peer();
    let mut aicc = Agent::connect(&at("aicc"), "", &[("authorization", &bearer)]).expect("it is let in");
    let mut ai_control = Client::authorized(&at("aiControl"), &arena.token());
    let sleep = json!({ "name": "debug/sleep", "arguments": { "ms": 60_000 } });
    gabp.send(&ludwire_tests::arena::request(1, "tools/call", &sleep));
    aicc.begin_call("c", "debug_sleep", json!({ "ms": 60_000 }));
    ai_control.act(&json!({ "type": "debug/sleep", "ms": 60_000 }));
    arena.child.kill().expect("it runs");
    assert_eq!(gabp.read(), None);
    assert_eq!(aicc.end().0, None);
    assert_eq!(ai_control.read(None), None);
}
