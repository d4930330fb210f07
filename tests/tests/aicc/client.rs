//! The client of the runtime, and games that do not do as they should.

use crate::game::Game;
use ludwire::client::aicc::Client;
use ludwire::client::{ClientError, Target, Way, block_on};
use ludwire::protocols::aicc::{ErrorCode, EventTopic, ModelClass};
use ludwire::{Aicc, Gabp};
use ludwire_tests::arena::{PATIENCE, fresh_path};
use serde_json::{Map, Value, json};
use std::io::Cursor;
use std::time::{Duration, Instant};

fn target(game: &Game) -> Target {
    Target::new(game.address(), "")
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

/// Plays on a runtime of its own.
fn play(playing: impl Future<Output = ()>) {
    block_on::<_, ClientError>(async {
        playing.await;
        Ok(())
    })
    .expect("there is a runtime");
}

#[test]
fn a_client_plays() {
    let game = Game::start(|aicc| aicc);
    play(async {
        let connect =
            Client::to(target(&game)).model(ModelClass::EdgeSmall).events([EventTopic::StateChange]);
        let agent = connect.connect().await.expect("it is in");
        assert_eq!(agent.manifest().agent_model.class, ModelClass::EdgeSmall);
        let spawned = agent.call("world_spawn_orc", Map::new()).await.expect("it works");
        assert_eq!(spawned, object(json!({ "result": 1 })));
        agent.call("world_look", Map::new()).await.expect("it works");
        // It came before anybody asked for it.
        let event = agent.events().next().await.expect("it has looked");
        assert_eq!(
            (event.topic, &event.payload["channel"]),
            (EventTopic::StateChange, &json!("world/looked"))
        );
        let Err(ClientError::Aicc(failed)) = agent.call("test_echo", Map::new()).await else {
            panic!("no text")
        };
        assert_eq!((failed.code, failed.retryable), (ErrorCode::InvalidInput, false));
        let Err(ClientError::Protocol(_)) = agent.call("test/echo", Map::new()).await else {
            panic!("no id")
        };

        // It hears of changes whatever it does.
        let has_bell =
            |agent: &Client| agent.manifest().tools.iter().any(|tool| tool.id.as_str() == "bell_ring");
        assert!(game.host.disable_tool("bell/ring"));
        let start = Instant::now();
        while has_bell(&agent) {
            assert!(start.elapsed() < PATIENCE, "nobody says that it is gone");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert!(game.host.enable_tool("bell/ring"));
        agent.refresh().await.expect("there is one");
        assert!(has_bell(&agent));

        let session = agent.session();
        drop(agent);
        let agent = Client::connect(target(&game)).await.expect("it is in");
        agent.resume(session).await.expect("it waits");
        assert_eq!((agent.session(), agent.manifest().agent_model.class), (session, ModelClass::EdgeSmall));
        agent.heartbeat().await.expect("it is there");
        agent.close("done").await.expect("it is closed as it should");
        let Err(ClientError::Disconnected(_)) = agent.call("world_look", Map::new()).await else {
            panic!("it is over")
        };
        let agent = Client::connect(target(&game)).await.expect("it is in");
        let Err(ClientError::Aicc(failed)) = agent.resume(session).await else { panic!("it is closed") };
        assert_eq!(failed.code, ErrorCode::SessionExpired);
        agent.call("world_look", Map::new()).await.expect("its own session goes on");
        let mut events = agent.events();
        game.end();
        let Err(ClientError::Disconnected(reason)) = events.next().await else { panic!("it is down") };
        assert!(reason.contains("shutting down"), "{reason}");
    });
}

#[test]
fn calls_run_at_once_and_each_has_its_own_result() {
    let game = Game::start(|aicc| aicc);
    play(async {
        let agent = Client::connect(target(&game)).await.expect("it is in");
        let late = agent.call("test_sleep", object(json!({ "ms": 300 })));
        let echoes = async {
            let start = Instant::now();
            for number in 0..50 {
                let (one, other) = (agent.clone(), agent.clone());
                let [one, other] = [(one, number), (other, number + 100)].map(|(agent, number)| async move {
                    agent.call("test_echo", object(json!({ "text": number.to_string() }))).await
                });
                let (one, other) = tokio::join!(one, other);
                assert_eq!(one.expect("it works")["result"], number.to_string());
                assert_eq!(other.expect("it works")["result"], (number + 100).to_string());
            }
            start.elapsed()
        };
        let (late, echoes) = tokio::join!(late, echoes);
        late.expect("it works");
        assert!(echoes < PATIENCE, "{echoes:?}");
    });
}

#[test]
fn each_wait_has_an_end() {
    // It begins as a game does, and then says nothing more.
    let game = Game::start(|aicc| aicc);
    play(async {
        let manifest = Client::connect(target(&game)).await.expect("it is in").manifest();
        let (own, theirs) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(own);
        let (_silent, mut begun) = tokio::io::split(theirs);
        let text = format!("{}\n", json!(&*manifest));
        tokio::io::AsyncWriteExt::write_all(&mut begun, text.as_bytes()).await.expect("it has room");
        let agent = Client::connect(Way::streams(reader, writer, "")).await.expect("it is in");
        let agent = agent.within(Duration::from_millis(50));
        let late = [
            agent.call("world_look", Map::new()).await.map(drop),
            agent.refresh().await.map(drop),
            agent.resume(agent.session()).await.map(drop),
            agent.close("done").await,
        ];
        for (late, what) in
            late.into_iter().zip(["tool_call", "manifest_request", "session_resume", "session_close"])
        {
            let Err(ClientError::TimedOut { method, .. }) = late else { panic!("{what}: {late:?}") };
            assert_eq!(method, what);
        }
        let nobody = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("there are ports");
        let address = nobody.local_addr().expect("it has one").to_string();
        let connect = Client::to(Target::new(address, "")).within(Duration::from_millis(50));
        let Err(ClientError::TimedOut { .. }) = connect.connect().await else { panic!("nobody answers") };
    });
}

#[test]
fn a_client_shows_its_token() {
    let path = fresh_path("aicc-client.json");
    let gabp = Gabp::tcp("127.0.0.1:0").bridge_file(&path);
    let game = Game::of(|builder| builder.serve(Aicc::websocket(0)).serve(gabp)).go_on();
    let found = Target::from_bridge_file(&path).expect("it is there");
    let right = Target { address: game.address().to_owned(), token: found.token };
    play(async {
        Client::connect(&right).await.expect("it is in");
        let wrong = Target { token: "wrong".to_owned(), ..right.clone() };
        let Err(ClientError::Refused { code: 401, message, .. }) = Client::connect(wrong).await else {
            panic!("it is wrong")
        };
        assert!(message.contains("token"), "{message}");
        let Err(ClientError::Unreachable(why)) = Client::connect(Way::bridge_file(&path)).await else {
            panic!("it is GABP's")
        };
        assert!(why.contains("only GABP"), "{why}");
    });
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
        play(async {
            let over = Client::connect(Way::streams(told.as_bytes(), Vec::new(), "")).await;
            let is_told = matches!(over, Err(ClientError::Protocol(_) | ClientError::Disconnected(_)));
            assert!(is_told, "{told:?}: {over:?}");
        });
    }
}

#[test]
fn events_that_a_client_never_asks_for_have_a_bound() {
    let game = Game::start(|aicc| aicc);
    play(async {
        let agent = Client::connect(target(&game)).await.expect("it is in");
        let session = agent.session();
        let event = |tick: u32| {
            json!({
                "protocol": "aicc/0.1", "type": "event", "session_id": session, "message_id": session,
                "topic": "tick", "payload": { "tick": tick },
            })
        };
        let messages = std::iter::once(json!(&*agent.manifest())).chain((0..3000).map(event));
        let told: String = messages.map(|message| format!("{message}\n")).collect();
        let way = Way::streams(Cursor::new(told.into_bytes()), Vec::new(), "");
        let client = Client::connect(way).await.expect("it is a game");
        assert!(client.call("world_look", Map::new()).await.is_err(), "it does not answer");
        let (mut events, mut kept) = (client.events(), Vec::new());
        while let Ok(event) = events.next().await {
            kept.push(event.payload["tick"].clone());
        }
        assert_eq!(kept, (1976..3000).map(|tick| json!(tick)).collect::<Vec<_>>());
    });
}

#[cfg(unix)]
#[test]
fn a_client_speaks_over_a_unix_socket() {
    let path = fresh_path("aicc-client.sock");
    let game = Game::of(|builder| builder.serve(Aicc::unix(&path))).go_on();
    play(async {
        let target = Target::new(format!("unix:{}", path.display()), "");
        let agent = Client::connect(target).await.expect("it is in");
        assert_eq!(agent.call("world_spawn_orc", Map::new()).await.expect("it works")["result"], 1);
        agent.close("done").await.expect("it is closed as it should");
    });
    game.end();
}
