//! The client of the runtime, and games that do not do as they should.

use crate::game::Game;
use ludwire::client::Target;
use ludwire::client::aicc::{AiccError, Client};
use ludwire::protocols::aicc::{ErrorCode, EventTopic, ModelClass};
use ludwire::{Aicc, Gabp};
use ludwire_tests::arena::fresh_path;
use serde_json::{Map, json};
use std::io::Cursor;

fn target(game: &Game) -> Target {
    Target { address: game.address().to_owned(), token: String::new() }
}

fn object(value: serde_json::Value) -> Map<String, serde_json::Value> {
    value.as_object().cloned().expect("an object")
}

#[test]
fn a_client_plays() {
    let game = Game::start(|aicc| aicc);
    let mut agent = Client::connect(&target(&game), Some(ModelClass::EdgeSmall), &[EventTopic::StateChange])
        .expect("it is in");
    assert_eq!(agent.manifest().agent_model.class, ModelClass::EdgeSmall);
    assert_eq!(agent.call("world_spawn_orc", Map::new()).expect("it works"), object(json!({ "result": 1 })));
    agent.call("world_look", Map::new()).expect("it works");
    let event = agent.next_event().expect("it has looked");
    assert_eq!((event.topic, &event.payload["channel"]), (EventTopic::StateChange, &json!("world/looked")));
    let Err(AiccError::Failed(failed)) = agent.call("test_echo", Map::new()) else { panic!("no text") };
    assert_eq!((failed.code, failed.retryable), (ErrorCode::InvalidInput, false));
    let Err(AiccError::Protocol(_)) = agent.call("test/echo", Map::new()) else { panic!("no id") };

    // It hears of changes while it waits for something.
    assert!(game.host.disable_tool("bell/ring"));
    let has_bell = |agent: &Client| agent.manifest().tools.iter().any(|tool| tool.id.as_str() == "bell_ring");
    for _ in 0..1000 {
        agent.call("world_spawn_orc", Map::new()).expect("it works");
        if !has_bell(&agent) {
            break;
        }
    }
    assert!(!has_bell(&agent));
    assert!(game.host.enable_tool("bell/ring"));
    agent.refresh().expect("there is one");
    assert!(has_bell(&agent));

    let session = agent.session();
    drop(agent);
    let mut agent = Client::connect(&target(&game), None, &[]).expect("it is in");
    agent.resume(session).expect("it waits");
    assert_eq!((agent.session(), agent.manifest().agent_model.class), (session, ModelClass::EdgeSmall));
    agent.heartbeat().expect("it is there");
    agent.close("done").expect("it is closed as it should");
    let mut agent = Client::connect(&target(&game), None, &[]).expect("it is in");
    let Err(AiccError::Failed(failed)) = agent.resume(session) else { panic!("it is closed") };
    assert_eq!(failed.code, ErrorCode::SessionExpired);
    game.end();
    let Err(AiccError::Closed { reason, .. }) = agent.next_event() else { panic!("it is down") };
    assert!(reason.contains("shutting down"), "{reason}");
}

#[test]
fn a_client_shows_its_token() {
    let path = fresh_path("aicc-client.json");
    let gabp = Gabp::tcp("127.0.0.1:0").bridge_file(&path);
    let game = Game::of(|builder| builder.serve(Aicc::websocket(0)).serve(gabp)).go_on();
    let found = Target::from_bridge_file(&path).expect("it is there");
    let right = Target { address: game.address().to_owned(), token: found.token };
    Client::connect(&right, None, &[]).expect("it is in");
    let wrong = Target { token: "wrong".to_owned(), ..right };
    let Err(AiccError::Refused { status: 401, message }) = Client::connect(&wrong, None, &[]) else {
        panic!("it is wrong")
    };
    assert!(message.contains("token"), "{message}");
}

#[test]
fn what_is_no_game_is_not_taken_for_one() {
    for told in [
        "",
        "{}\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        r#"{"protocol":"aicc/0.2","type":"session_init"}"#,
        "{\"protocol\":\"aicc/0.1\",\"type\":\"heartbeat\",\"session_id\":\"00000000-0000-4000-8000-000000000000\",\"message_id\":\"00000000-0000-4000-8000-000000000000\"}\n",
        "{\"protocol\":\"aicc/0.1\"",
    ] {
        let over = Client::over(Cursor::new(told.as_bytes().to_vec()), Vec::new());
        assert!(matches!(over, Err(AiccError::Protocol(_) | AiccError::Io(_))), "{told:?}: {over:?}");
    }
}

#[test]
fn events_that_a_client_never_asks_for_have_a_bound() {
    let game = Game::start(|aicc| aicc);
    let agent = Client::connect(&target(&game), None, &[]).expect("it is in");
    let session = agent.session();
    let event = |tick: u32| {
        json!({
            "protocol": "aicc/0.1", "type": "event", "session_id": session, "message_id": session,
            "topic": "tick", "payload": { "tick": tick },
        })
    };
    let messages = std::iter::once(json!(agent.manifest())).chain((0..3000).map(event));
    let told: String = messages.map(|message| format!("{message}\n")).collect();
    let mut client = Client::over(Cursor::new(told.into_bytes()), Vec::new()).expect("it is a game");
    assert!(client.call("world_look", Map::new()).is_err(), "it does not answer");
    let kept = std::iter::from_fn(|| client.next_event().ok()).map(|event| event.payload["tick"].clone());
    assert_eq!(kept.collect::<Vec<_>>(), (1976..3000).map(|tick| json!(tick)).collect::<Vec<_>>());
}

#[cfg(unix)]
#[test]
fn a_client_speaks_over_a_unix_socket() {
    let path = fresh_path("aicc-client.sock");
    let game = Game::of(|builder| builder.serve(Aicc::unix(&path))).go_on();
    let target = Target { address: format!("unix:{}", path.display()), token: String::new() };
    let mut agent = Client::connect(&target, None, &[]).expect("it is in");
    assert_eq!(agent.call("world_spawn_orc", Map::new()).expect("it works")["result"], 1);
    agent.close("done").expect("it is closed as it should");
    game.end();
}
