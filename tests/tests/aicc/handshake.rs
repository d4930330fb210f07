//! Who may connect, and what the others are told.

use crate::game::{Game, error};
use ludwire::{Aicc, BuildError, Gabp, Host};
use ludwire_tests::agent::Agent;
use ludwire_tests::arena::{Arena, PATIENCE, fresh_path};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A game with a token, which the bridge file of GABP tells.
fn guarded(setting: impl FnOnce(Aicc) -> Aicc) -> (Game, String, PathBuf) {
    let path = fresh_path("aicc-bridge.json");
    let gabp = Gabp::tcp("127.0.0.1:0").bridge_file(&path);
    let game = Game::of(|builder| builder.serve(setting(Aicc::websocket(0))).serve(gabp)).go_on();
    let file: Value =
        serde_json::from_str(&std::fs::read_to_string(&path).expect("it is there")).expect("it is JSON");
    (game, file["token"].as_str().expect("a text").to_owned(), path)
}

/// What is answered to bytes; with the time that it took.
fn ask(address: &str, bytes: &[u8]) -> (String, Duration) {
    let start = Instant::now();
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("it can be set");
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    (String::from_utf8_lossy(&answer).into_owned(), start.elapsed())
}

#[test]
fn the_token_is_shown_in_either_way() {
    let (game, token, _) = guarded(|aicc| aicc);
    let address = game.address();
    let (bearer, protocols) = (format!("Bearer {token}"), format!("aicc.0.1, bearer.{token}"));
    for headers in [
        &[("Authorization", bearer.as_str())][..],
        &[("Authorization", &bearer.replace("Bearer", "bearer")), ("Origin", "http://localhost:3000")],
        &[("Sec-WebSocket-Protocol", &protocols)],
        &[("Authorization", &bearer), ("Sec-WebSocket-Protocol", "aicc.0.1")],
    ] {
        let mut agent = Agent::connect(address, "", headers).expect("it is let in");
        assert_eq!(agent.call("test_echo", json!({ "text": "a" }))["ok"], true);
    }
    let wrong = format!("Bearer {}x", &token[..token.len() - 1]);
    for (path, headers, status, words) in [
        ("/aicc", &[][..], 401, "token"),
        ("/aicc", &[("Authorization", wrong.as_str())], 401, "token"),
        ("/aicc", &[("Authorization", token.as_str())], 401, "token"),
        ("/aicc", &[("Sec-WebSocket-Protocol", "aicc.0.1, bearer.x")], 401, "token"),
        ("/aicc?token=x", &[], 401, "token"),
        ("/other", &[("Authorization", bearer.as_str())], 404, "/aicc"),
        ("/aicc/", &[("Authorization", bearer.as_str())], 404, "/aicc"),
        ("/aicc", &[("Authorization", bearer.as_str()), ("Origin", "http://example.com")], 403, "origin"),
        ("/aicc", &[("Authorization", bearer.as_str()), ("Origin", "null")], 403, "origin"),
        ("/aicc", &[("Authorization", bearer.as_str()), ("Origin", "file://localhost")], 403, "origin"),
        ("/aicc", &[("Authorization", bearer.as_str()), ("Authorization", wrong.as_str())], 400, "one token"),
        ("/aicc", &[("Authorization", wrong.as_str()), ("Authorization", bearer.as_str())], 400, "one token"),
        (
            "/aicc",
            &[("Authorization", bearer.as_str()), ("Sec-WebSocket-Protocol", &protocols)],
            400,
            "one token",
        ),
        ("/aicc", &[("Authorization", bearer.as_str()), ("Sec-WebSocket-Protocol", "chat")], 400, "aicc.0.1"),
    ] {
        let Err((found, text)) = Agent::greet(address, path, headers) else { panic!("{path} {headers:?}") };
        assert_eq!(found, status, "{path} {headers:?}: {text}");
        assert!(text.contains(words), "{text}");
        assert!(!text.contains(&token) && !text.contains(&wrong), "{text}");
    }
}

#[test]
fn a_token_with_marks_stands_in_the_header() {
    for mark in [",", "/", "="] {
        let token = format!("0123456789abcdef{mark}0123456789abcdef");
        let game = Arena::start_with_token(&["--aicc", "127.0.0.1:0"], &token);
        let address = game.ready["aicc"]["address"].as_str().expect("an address");
        let bearer = format!("Bearer {token}");
        Agent::connect(address, "", &[("Authorization", &bearer)]).expect("it is let in");
        let protocols = format!("aicc.0.1, bearer.{token}");
        let shown = Agent::connect(address, "", &[("Sec-WebSocket-Protocol", &protocols)]);
        // Others than the comma can be read; but browsers do not send them.
        match shown {
            Ok(_) => assert_ne!(mark, ","),
            Err((status, text)) => {
                assert_eq!((mark, status), (",", 401));
                assert!(text.contains("if it has no comma, as the subprotocol"), "{text}");
            }
        }
    }
}

#[test]
fn what_is_no_websocket_is_refused() {
    let (game, token, _) = guarded(|aicc| aicc.handshake_within(PATIENCE * 10));
    let address = game.address();
    let upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n";
    for (request, status) in [
        (format!("GET /aicc HTTP/1.1\r\nAuthorization: Bearer {token}\r\n\r\n"), "426"),
        (format!("GET /aicc HTTP/1.1\r\nAuthorization: Bearer {token}\r\n{upgrade}\r\n"), "426"),
        (format!("POST /aicc HTTP/1.1\r\nAuthorization: Bearer {token}\r\n\r\n{{}}"), "400"),
        ("GET /aicc HTTP/1.0\r\n\r\n".to_owned(), "400"),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), "404"),
        ("GET /aicc HTTP/1.1\r\nOrigin: http://x\r\n\r\n".to_owned(), "403"),
        ("GET /aicc\r\n\r\n".to_owned(), "400"),
        ("HELLO\r\n\r\n".to_owned(), "400"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), "400"),
    ] {
        let (answer, _) = ask(address, request.as_bytes());
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request:?}: {answer:?}");
        assert!(!answer.contains(&token), "{answer:?}");
    }
    for bytes in [
        vec![0x16, 0x03, 0x01, 0x02, 0x00],
        b"{\"protocol\":\"aicc/0.1\"}\n".to_vec(),
        b"\r\n\r\n".to_vec(),
        vec![0xff; 10],
    ] {
        let (answer, _) = ask(address, &bytes);
        assert_eq!(answer, "", "{:?}", &bytes[..bytes.len().min(30)]);
    }
    for head in ["GET /aicc HTTP/1.1\r\nX: ", "GET /aicc?"] {
        let (answer, _) = ask(address, &[head.as_bytes(), &vec![b'y'; 100_000]].concat());
        assert!(answer.starts_with("HTTP/1.1 431 ") && answer.contains("16384 bytes"), "{answer:?}");
    }
    let bearer = format!("Bearer {token}");
    Agent::connect(address, "", &[("Authorization", &bearer)]).expect("others are let in all the while");
}

#[test]
fn strangers_take_no_time_and_no_room() {
    let (game, token, _) =
        guarded(|aicc| aicc.handshake_within(Duration::from_millis(300)).max_connections(2));
    let address = game.address();
    let (answer, took) = ask(address, b"GET /aicc HT");
    assert_eq!(answer, "");
    assert!(took >= Duration::from_millis(250), "{took:?}");
    let silent: Vec<_> = (0..60).map(|_| TcpStream::connect(address).expect("it listens")).collect();
    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", bearer.as_str())];
    let connect = || Agent::connect(address, "", &headers);
    let mut first = connect().expect("it is let in");
    let second = connect().expect("it is let in");
    let Err((503, text)) = connect() else { panic!("a third one") };
    assert!(text.contains("2 connections"), "{text}");
    assert_eq!(first.call("test_echo", json!({ "text": "a" }))["ok"], true);
    drop((second, silent));
    let start = Instant::now();
    while connect().is_err() {
        assert!(start.elapsed() < PATIENCE, "there is room again");
    }
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let start = |aicc: Aicc| Host::<()>::builder("Refused", "1").serve(aicc).start().err();
    for (aicc, words) in [
        (Aicc::at("0.0.0.0:0"), "loopback only"),
        (Aicc::at("0.0.0.0:0").allow_remote(), "a token must be given"),
        (Aicc::websocket(0).tick_rate(0.0), "tick rate"),
        (Aicc::websocket(0).tick_rate(f64::NAN), "tick rate"),
        (Aicc::websocket(0).max_message_size(10), "1024 bytes"),
        (Aicc::websocket(0).max_connections(0), "room"),
        (Aicc::websocket(0).heartbeat(Duration::ZERO), "heartbeats"),
        (Aicc::websocket(0).world("", ludwire::protocols::aicc::WorldKind::Text), "name"),
    ] {
        let Some(BuildError::Setting(text)) = start(aicc) else { panic!("no {words}") };
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn errors_do_not_mix_between_sessions() {
    let game = Game::start(|aicc| aicc);
    let (mut one, mut other) = (game.agent(), game.agent());
    one.raw("{").expect("the game reads");
    error(&one.answer(), "invalid_input");
    assert_eq!(other.call("test_echo", json!({ "text": "a" }))["ok"], true);
}
