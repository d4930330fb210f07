//! How messages travel, and their envelopes.

use super::*;

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
        (r#"{"jsonrpc":"2.0","id":10,"id":11,"method":"ping","params":{}}"#, json!(null)),
        (r#"{"jsonrpc":"2.0","id":1.5,"id":11,"method":"ping","params":{}}"#, json!(null)),
        (r#"{"jsonrpc":"2.0","id":11,"result":{}}"#, json!(11)),
        (r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":12,"method":"ping","params":{}}"#, json!(12)),
        (r#"{"jsonrpc":"2.0","id":13,"method":"ping","method":"ping","params":{}}"#, json!(13)),
        (r#"{"jsonrpc":"2.0","id":14,"method":"ping","method":"dance","params":{}}"#, json!(14)),
        (r#"{"jsonrpc":"2.0","id":15,"method":"dance","method":"ping","params":{}}"#, json!(15)),
        (r#"{"jsonrpc":"2.0","id":16,"method":"ping","params":{},"params":{}}"#, json!(16)),
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

/// Also what reading and writing would change, which no value of a test holds.
#[test]
fn an_id_comes_back_letter_by_letter() {
    let game = Game::open();
    let mut client = game.client();
    for id in [
        "0",
        "-0",
        "0.0",
        "1.0",
        "1.50",
        "1e2",
        "1E+2",
        "1e400",
        "123456789012345678901234567890",
        "18446744073709551616",
        r#""\u0041\/""#,
        r#""""#,
        "[ 1.0 , {\"b\" : 1, \"a\":2} ]",
        r#"{"z":1,"a":[null]}"#,
        "true",
        "null",
    ] {
        for (method, part) in [("ping", r#""result":{"ok":true}"#), ("dance", r#""error":{"code":-32601"#)] {
            client.line(
                format!(r#"{{"jsonrpc":"2.0", "id" : {id} ,"method":"{method}","params":{{}}}}"#).as_bytes(),
            );
            let answer = client.read_line();
            assert!(answer.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},{part}"#)), "{id}: {answer}");
        }
    }
    // However deep it is, within the line; an answer that would not fit into one says so.
    let deep = "[".repeat(1000) + &"]".repeat(1000);
    client.line(format!(r#"{{"jsonrpc":"2.0","id":{deep},"method":"ping","params":{{}}}}"#).as_bytes());
    assert!(client.read_line().starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{deep},"result""#)));
    let long = "1".repeat((1 << 20) - 100);
    client.line(format!(r#"{{"jsonrpc":"2.0","id":{long},"method":"dance","params":{{}}}}"#).as_bytes());
    assert!(client.read_line().starts_with(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600"#));
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
