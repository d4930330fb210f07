//! Sessions that outlive their connections, and agents that do not.

use crate::game::{Game, error};
use ludwire_tests::agent::{Agent, Closed};
use ludwire_tests::arena::wait_for;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const RESUMED: &str = "the session goes on over another connection";

fn resume(agent: &mut Agent, session: &str) {
    agent.send("session_resume", json!({ "session_id": session }));
}

/// Another connection with the session of this one.
fn resumed(game: &Game, query: &str, session: &str) -> Agent {
    let mut agent = Agent::connect(game.address(), query, &[]).expect("it is let in");
    let fresh = agent.session.clone();
    resume(&mut agent, session);
    agent.begin();
    assert_eq!(agent.session, session);
    // What it had before is over.
    let mut other = game.agent();
    resume(&mut other, &fresh);
    error(&other.answer(), "session_expired");
    agent
}

#[test]
fn what_runs_goes_on_and_its_results_wait() {
    let game = Game::start(|aicc| aicc);
    let mut agent = game.agent();
    for call in ["a", "b"] {
        agent.begin_call(call, "test_sleep", json!({ "ms": "200" }));
    }
    agent.call("test_echo", json!({ "text": "they have been taken" }));
    let session = agent.session.clone();
    drop(agent);
    let mut agent = resumed(&game, "", &session.to_uppercase().to_lowercase());
    // What the game does not yet know to be written goes out once more.
    let first = agent.answer()["call_id"].clone();
    let first = if first == "c" { agent.answer()["call_id"].clone() } else { first };
    let mut ended = [first, agent.answer()["call_id"].clone()];
    ended.sort_by_key(Value::to_string);
    assert_eq!(ended, ["a", "b"]);
    // Who takes up another one has not closed this one.
    let other = game.agent().session.clone();
    agent.begin_call("c", "test_sleep", json!({ "ms": "100" }));
    agent.session.clone_from(&other);
    resume(&mut agent, &other);
    agent.begin();
    assert_eq!(agent.session, other);
    resume(&mut agent, &session);
    agent.begin();
    assert_eq!(agent.answer()["call_id"], "c");
    // Resuming what one has is asking for the manifest.
    resume(&mut agent, &session);
    assert_eq!(agent.answer()["session_id"], session);
    assert_eq!(agent.call("test_echo", json!({ "text": "a" }))["ok"], true);
}

#[test]
fn who_resumes_takes_over_from_a_connection_that_is_still_there() {
    let game = Game::start(|aicc| aicc);
    let mut old = game.agent();
    old.begin_call("open", "test_sleep", json!({ "ms": "300" }));
    old.call("test_echo", json!({ "text": "it has been taken" }));
    let session = old.session.clone();
    let mut new = resumed(&game, "", &session);
    assert_eq!(old.end(), Closed(Some((4000, RESUMED.to_owned()))));
    // What the game does not yet know to be written goes out once more.
    let first = new.answer();
    let open = if first["call_id"] == "c" { new.answer() } else { first };
    assert_eq!(open["call_id"], "open");
    assert_eq!(new.call("test_echo", json!({ "text": "a" }))["ok"], true);
}

#[test]
fn what_a_connection_that_hangs_has_not_read_the_next_one_gets() {
    const CALLS: usize = 30;
    let game = Game::start(|aicc| aicc);
    let mut old = Agent::narrow(game.address());
    for call in 0..CALLS {
        old.begin_call(&call.to_string(), "test_fill", json!({ "count": 200_000 }));
    }
    // More than a socket holds, and less than makes the game stop reading: calls that it has not read are
    // not taken.
    std::thread::sleep(Duration::from_millis(300));
    let session = old.session.clone();
    let mut new = resumed(&game, "", &session);
    let mut read = BTreeSet::new();
    while let Ok(message) = old.read() {
        if message["type"] == "tool_result" {
            read.insert(message["call_id"].to_string());
        }
    }
    assert!(read.len() < CALLS - 2, "it has read some: {}", read.len());
    let mut later = BTreeSet::new();
    while read.union(&later).count() < CALLS {
        let result = new.answer();
        assert_eq!(result["ok"], true, "{}", result["error"]);
        assert!(later.insert(result["call_id"].to_string()), "each comes once: {}", result["call_id"]);
    }
    new.call("test_echo", json!({ "text": "nothing else comes" }));
}

/// What the pages tell agents to do about it.
#[test]
fn a_call_whose_result_went_with_the_connection_has_run_and_looking_tells() {
    let game = Game::start(|aicc| aicc);
    let (mut old, mut other) = (game.agent(), game.agent());
    old.begin_call("spawn", "world_spawn_orc", json!({}));
    let looked = |agent: &mut Agent| agent.call("world_look", json!({}))["output"]["result"].clone();
    wait_for("the orc", || (looked(&mut other) == 1).then_some(()));
    // Nothing of what was sent is read, and the game is told that nothing will be.
    let socket = socket2::SockRef::from(old.socket().get_ref());
    socket.set_linger(Some(Duration::ZERO)).expect("it can be set");
    let session = old.session.clone();
    drop(old);
    let mut new = resumed(&game, "", &session);
    new.begin_call("look", "world_look", json!({}));
    let last = loop {
        let result = new.answer();
        assert_eq!(result["ok"], true, "{result}");
        match result["call_id"].as_str() {
            // It may come all the same.
            Some("spawn") => {}
            _ => break result,
        }
    };
    assert_eq!((&last["call_id"], &last["output"]["result"]), (&json!("look"), &json!(1)));
}

#[test]
fn results_that_nobody_reads_have_a_bound() {
    const CALLS: usize = 40;
    let game = Game::start(|aicc| aicc);
    let mut old = game.agent();
    let session = old.session.clone();
    // They run when it has gone, all of them together.
    old.begin_call("first", "test_sleep", json!({ "ms": "400" }));
    for call in 0..CALLS {
        let call =
            json!({ "call_id": call.to_string(), "tool": "test_late", "input": { "count": 1_000_000 } });
        old.send("tool_call", call);
    }
    old.send("heartbeat", json!({}));
    old.socket().get_ref().shutdown(std::net::Shutdown::Both).expect("it is open");
    drop(old);
    std::thread::sleep(Duration::from_millis(1_500));
    let mut new = resumed(&game, "", &session);
    let (mut kept, mut lost) = (0, 0);
    for _ in 0..=CALLS {
        let result = new.answer();
        match result["ok"].as_bool() {
            Some(true) => kept += 1,
            _ => {
                assert!(error(&result, "execution_failed").contains("wait to be read"), "{result}");
                lost += 1;
            }
        }
    }
    // 16 MiB of them, and the one that slept; two may end in the same moment.
    assert_eq!(kept + lost, CALLS + 1, "each has its result");
    assert!((17..=19).contains(&kept), "{kept}");
    assert_eq!(new.call("test_fill", json!({ "count": 1_000_000 }))["ok"], true, "there is room again");
}

#[test]
fn who_resumes_its_own_session_misses_nothing() {
    const CALLS: usize = 12;
    let game = Game::start(|aicc| aicc);
    let mut agent = Agent::narrow(game.address());
    agent.send("manifest_request", json!({}));
    let size = agent.answer().to_string().len();
    // More than a socket holds, so that some of them are on their way all the time.
    let manifests = 5_000_000 / size;
    for _ in 0..manifests {
        agent.send("manifest_request", json!({}));
    }
    std::thread::sleep(Duration::from_millis(500));
    let session = agent.session.clone();
    resume(&mut agent, &session);
    for call in 0..CALLS {
        agent.begin_call(&call.to_string(), "test_echo", json!({ "text": "a" }));
    }
    std::thread::sleep(Duration::from_millis(300));
    let (mut read, mut results) = (0, BTreeSet::new());
    while results.len() < CALLS {
        let message = agent.answer();
        match message["type"].as_str() {
            Some("session_init") => read += 1,
            _ => assert!(results.insert(message["call_id"].to_string()), "{message}"),
        }
    }
    assert_eq!(read, manifests + 1, "what was asked for before is answered too");
}

#[test]
fn agents_that_only_look_in_take_no_session_from_one_that_has_called() {
    let game = Game::start(|aicc| aicc);
    let mut agent = game.agent();
    agent.call("test_echo", json!({ "text": "a" }));
    let session = agent.session.clone();
    drop(agent);
    for _ in 0..40 {
        drop(wait_for("room", || Agent::connect(game.address(), "", &[]).ok()));
    }
    std::thread::sleep(Duration::from_millis(500));
    resumed(&game, "", &session);
}

#[test]
fn a_session_waits_only_so_long() {
    for so_long in [Duration::from_millis(100), Duration::ZERO] {
        let game = Game::start(|aicc| aicc.resume_within(so_long));
        let mut agent = game.agent();
        agent.call("bell_ring", json!({}));
        let session = agent.session.clone();
        drop(agent);
        let start = Instant::now();
        let mut other = game.agent();
        loop {
            assert!(start.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(150));
            // A connection that asks before the game has noticed has it, and then leaves it for as long again.
            resume(&mut other, &session);
            let answer = other.answer();
            if answer["type"] == "error" {
                error(&answer, "session_expired");
                assert_eq!(answer["error"]["retryable"], false);
                break;
            }
            drop(std::mem::replace(&mut other, game.agent()));
        }
    }
}

#[test]
fn of_many_that_resume_at_once_one_has_the_session() {
    const MANY: usize = 8;
    let game = Game::start(|aicc| aicc);
    let agent = game.agent();
    let session = agent.session.clone();
    drop(agent);
    let mut agents: Vec<Agent> = (0..MANY).map(|_| game.agent()).collect();
    let start = std::sync::Barrier::new(MANY);
    let winners: Vec<bool> = std::thread::scope(|scope| {
        let racing: Vec<_> = agents
            .iter_mut()
            .map(|agent| {
                scope.spawn(|| {
                    start.wait();
                    resume(agent, &session);
                    // A connection may lose the session before it has told of it.
                    let mut closed = None;
                    while closed.is_none() {
                        match agent.read() {
                            Ok(init) if init["session_id"] == session.as_str() => break,
                            Ok(other) => panic!("another message: {other}"),
                            Err(ended) => closed = Some(ended),
                        }
                    }
                    agent.session.clone_from(&session);
                    if closed.is_none() {
                        let _ = agent.raw(&agent.message("manifest_request", json!({})).to_string());
                        std::thread::sleep(Duration::from_millis(500));
                        match agent.read() {
                            Ok(_) => {}
                            Err(ended) => closed = Some(ended),
                        }
                    }
                    match closed {
                        None => true,
                        // What it wrote meanwhile may have cost it the reason.
                        Some(Closed(Some((4000, _)) | None)) => false,
                        Some(other) => panic!("another end: {other:?}"),
                    }
                })
            })
            .collect();
        racing.into_iter().map(|thread| thread.join().expect("none panics")).collect()
    });
    let mut alive = 0;
    for (agent, _) in agents.iter_mut().zip(&winners).filter(|(_, won)| **won) {
        if agent.raw(&agent.message("manifest_request", json!({})).to_string()).is_ok()
            && agent.read().is_ok()
        {
            alive += 1;
        }
    }
    assert_eq!(alive, 1, "{winners:?}");
}

#[test]
fn a_session_that_is_resumed_by_who_has_it_loses_nothing() {
    const CALLS: usize = 100;
    let game = Game::start(|aicc| aicc);
    let mut agent = game.agent();
    let session = agent.session.clone();
    for call in 0..CALLS {
        agent.begin_call(&call.to_string(), "test_echo", json!({ "text": "a" }));
        resume(&mut agent, &session);
        agent.raw("{").expect("the game reads");
    }
    let mut kinds = BTreeMap::new();
    let mut calls = BTreeSet::new();
    for _ in 0..3 * CALLS {
        let answer = agent.answer();
        *kinds.entry(answer["type"].to_string()).or_insert(0) += 1;
        calls.extend(answer.get("call_id").map(Value::to_string));
    }
    assert_eq!(kinds.into_values().collect::<Vec<_>>(), [CALLS; 3]);
    assert_eq!(calls.len(), CALLS);
}

#[test]
fn what_the_new_connection_wants_holds() {
    let game = Game::start(|aicc| aicc);
    let agent =
        Agent::connect(game.address(), "model=edge_small&events=state_change", &[]).expect("it is in");
    let session = agent.session.clone();
    let same = resumed(&game, "", &session);
    assert_eq!(same.init["agent_model"]["class"], "edge_small");
    assert_eq!(same.init["event_subscriptions"], json!(["state_change"]));
    let mut other = resumed(&game, "model=cloud_large&events=audio", &session);
    assert_eq!(other.init["agent_model"]["class"], "cloud_large");
    assert_eq!(other.init["event_subscriptions"], json!(["audio"]));
    for _ in 0..3 {
        other.call("world_look", json!({}));
    }
    assert_eq!(other.unasked, [json!(null); 0]);
}

#[test]
fn both_sides_show_that_they_live() {
    let game =
        Game::start(|aicc| aicc.heartbeat(Duration::from_millis(100)).dead_after(Duration::from_secs(2)));
    // What a library answers to pings is a sign of life.
    let mut agent = game.agent();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(3) {
        let heartbeat = agent.unasked(|_| true);
        assert_eq!((&heartbeat["type"], heartbeat.get("manifest_update")), (&json!("heartbeat"), None));
    }
    // Who neither reads nor writes is taken for dead, and may come back. It reads why while the game lingers.
    std::thread::sleep(Duration::from_millis(2500));
    let end = agent.end();
    let Closed(Some((4001, reason))) = &end else { panic!("another end: {end:?}") };
    assert!(reason.contains("2 s"), "{reason}");
    let mut agent = resumed(&game, "", &agent.session);
    // Who does not read, but sends heartbeats, lives.
    for _ in 0..10 {
        std::thread::sleep(Duration::from_millis(300));
        agent.send("heartbeat", json!({}));
    }
    assert_eq!(agent.call("test_echo", json!({ "text": "a" }))["ok"], true);
}

#[test]
fn times_may_be_as_long_as_one_likes() {
    let forever = Duration::MAX;
    let game = Game::start(|aicc| {
        aicc.heartbeat(forever)
            .dead_after(forever)
            .resume_within(forever)
            .read_within(forever)
            .handshake_within(forever)
            .tick_rate(f64::MIN_POSITIVE)
    });
    let agent = Agent::connect(game.address(), "events=tick", &[]).expect("it is let in");
    let session = agent.session.clone();
    drop(agent);
    let mut agent = resumed(&game, "", &session);
    assert_eq!(agent.call("test_echo", json!({ "text": "a" }))["ok"], true);
}

#[test]
fn ticks_do_not_pile_up() {
    let game = Game::start(|aicc| aicc.tick_rate(200.0));
    let connect = |query| Agent::connect(game.address(), query, &[]).expect("it is let in");
    let mut slow = connect("events=tick");
    let mut small = connect("events=tick&model=edge_small");
    for _ in 0..4 {
        small.call("world_look", json!({}));
    }
    small.unasked.clear();
    let start = Instant::now();
    let mut ticks = Vec::new();
    while start.elapsed() < Duration::from_millis(1500) {
        ticks.push(small.unasked(|message| message["topic"] == "tick")["payload"]["tick"].as_u64());
    }
    assert!(ticks.len() <= 4, "one a second for an agent that only looks: {ticks:?}");
    assert!(ticks.is_sorted(), "{ticks:?}");
    // Each tells the latest of many.
    let told = slow.unasked(|message| message["topic"] == "tick")["payload"]["tick"].as_u64();
    assert!(told < Some(100), "it has waited to be read: {told:?}");
    let next = slow.unasked(|message| message["topic"] == "tick")["payload"]["tick"].as_u64();
    assert!(next > told, "{next:?} after {told:?}");
}
