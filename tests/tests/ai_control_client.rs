//! The typed client of AiControl, against bridges that do as they should and bridges that do not.

use ludwire::client::aicontrol::{Client, Requests as _};
use ludwire::client::{ClientError, Target, block_on};
use ludwire::protocols::aicontrol::{self, NonEmptyString};
use ludwire_tests::arena::Arena;
use serde_json::{Map, Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// A bridge that reads a line for each of these and answers it so. Then it says what it was asked.
fn bridge(answers: Vec<Vec<u8>>) -> (Target, JoinHandle<Vec<Value>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound").to_string();
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody connects");
        let mut reader = BufReader::new(stream.try_clone().expect("a socket has two sides"));
        let mut asked = Vec::new();
        let mut answers = answers.into_iter();
        let mut line = String::new();
        while reader.read_line(&mut line).unwrap_or(0) > 0 {
            asked.push(serde_json::from_str(&line).expect("a client sends JSON"));
            line.clear();
            let Some(answer) = answers.next() else { break };
            drop(stream.write_all(&answer));
            if !answer.is_empty() && !answer.ends_with(b"\n") {
                break;
            }
        }
        asked
    });
    (Target::new(address, ""), thread)
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

#[test]
fn ai_control_protocol_validation_malformed_peer() {
    let long = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"ok\":true,\"pad\":\"{}\"}}}}\n",
        "x".repeat(1 << 20)
    );
    let cases: [(&[u8], &str); 13] = [
        (b"nonsense\n", "no JSON"),
        (b"\xff\n", "no UTF-8"),
        (b"[]\n", "must be an object"),
        (b"{\"id\":1,\"result\":{\"ok\":true}}\n", "/jsonrpc"),
        (b"{\"jsonrpc\":\"1.0\",\"id\":1,\"result\":{\"ok\":true}}\n", "/jsonrpc"),
        (b"{\"jsonrpc\":\"2.0\",\"result\":{\"ok\":true}}\n", "/id"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"ok\":true}}\n", "something else"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{\"ok\":true}}\n", "something else"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1}\n", "does not speak AiControl"),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"ok\":true},\"error\":{\"code\":1,\"message\":\"\"}}\n",
            "does not speak AiControl",
        ),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":1,\"result\":{\"ok\":true}}\n", "twice"),
        (long.as_bytes(), "more than 1048576 bytes"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"res", "has ended"),
    ];
    for (answer, words) in cases {
        let shown = String::from_utf8_lossy(&answer[..answer.len().min(60)]).into_owned();
        let (target, thread) = bridge(vec![answer.to_vec()]);
        block_on(async {
            let client = Client::connect(target).await?;
            let wrong = client.ping(Map::new()).await;
            let wrong = wrong.expect_err("it is no answer").to_string();
            assert!(wrong.contains(words), "{shown}: {wrong}");
            // It fails closed.
            let again = client.ping(Map::new()).await.expect_err("the connection is not trusted any more");
            assert_eq!(again.to_string(), "the connection to the game is over", "{shown}");
            Ok::<_, ClientError>(())
        })
        .expect("it connects");
        assert_eq!(
            thread.join().expect("the bridge does not panic").len(),
            1,
            "nothing more was asked: {shown}"
        );
    }
}

#[test]
fn an_answer_of_another_form_is_told_and_a_refusal_is_no_mistake() {
    let (target, thread) = bridge(vec![
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"ok\":false}}\n".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32001,\"message\":\"no\"}}\n".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"ok\":true}}\n".to_vec(),
    ]);
    block_on(async {
        let client = Client::connect(target).await?;
        let wrong = client.ping(Map::new()).await.expect_err("it is no pong").to_string();
        assert!(wrong.contains("/result/ok"), "{wrong}");
        let refused = client.ping(Map::new()).await.expect_err("it refuses");
        assert_eq!(refused, ClientError::Refused { code: -32001, message: "no".to_owned(), data: None });
        client.ping(Map::new()).await?;
        Ok::<_, ClientError>(())
    })
    .expect("the connection goes on");
    let asked = thread.join().expect("the bridge does not panic");
    assert_eq!(asked[0], json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": {} }));
}

#[test]
fn numbers_at_their_end_are_numbers() {
    let latest = u64::MAX;
    let (target, thread) = bridge(vec![
        format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"latestSeq\":{latest},\"events\":[]}}}}\n").into(),
        b"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"accepted\":true,\"commandSeq\":1}}\n".to_vec(),
        format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{{\"latestSeq\":{latest},\"events\":[{{\"seq\":{latest},\
             \"event\":{{\"type\":\"command_completed\",\"commandSeq\":1,\"success\":true,\"message\":\"\"}}}}]}}}}\n"
        )
        .into(),
    ]);
    block_on(async {
        let client = Client::connect(target).await?;
        assert_eq!(client.call("world/look", Map::new()).await?, Value::Null);
        Ok::<_, ClientError>(())
    })
    .expect("it has ended");
    thread.join().expect("the bridge does not panic");
}

#[test]
fn what_nobody_waits_for_any_more_answers_nobody_else() {
    // The answer to the first would come while the second waits.
    let (target, thread) = bridge(vec![Vec::new()]);
    block_on(async {
        let client = Client::to(target).within(Duration::from_millis(100)).connect().await?;
        let late = client.ping(Map::new()).await.expect_err("nothing comes");
        assert_eq!(late.to_string(), "ping was not answered within 0.1 s");
        let again = client.ping(Map::new()).await.expect_err("the connection is not trusted any more");
        assert!(matches!(again, ClientError::Disconnected(_)), "{again}");
        Ok::<_, ClientError>(())
    })
    .expect("it connects");
    assert_eq!(thread.join().expect("the bridge does not panic").len(), 1);
}

#[test]
fn other_machines_must_be_allowed() {
    for address in ["192.0.2.1:43011", "0.0.0.0:43011", "[2001:db8::1]:43011"] {
        let wrong = block_on(Client::connect(Target::new(address, ""))).expect_err("it is another machine");
        assert!(wrong.to_string().contains("not on this machine"), "{wrong}");
    }
}

#[test]
fn the_arena_is_played() {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0"]);
    let address = arena.ready["aiControl"]["address"].as_str().expect("an address");
    let wrong = block_on(Client::connect(Target::new(address, "wrong"))).expect_err("it is another token");
    assert_eq!(wrong.to_string(), "the game has another token than the one that was shown (-32001)");
    let target = Target::new(address, arena.token());
    assert!(!format!("{:?}", Client::to(target.clone())).contains(&arena.token()));
    block_on(async {
        let client = Client::connect(target).await?;
        let spawn = object(json!({ "kind": "orc", "at": { "x": 2, "y": 2 } }));
        assert_eq!(client.call("world/spawn", spawn.clone()).await?, json!({ "id": 1 }));
        let blocked = client.call("world/spawn", spawn).await.expect_err("the tile is taken");
        assert_eq!(blocked.to_string(), "the tile 2,2 is blocked by orc 1");
        let wrong =
            client.call("world/spawn", object(json!({ "kind": "troll" }))).await.expect_err("it is wrong");
        let ClientError::Failed { problems: Some(problems), .. } = &wrong else { panic!("{wrong:?}") };
        assert_eq!(problems.as_array().map(Vec::len), Some(2), "{problems}");
        // Clones take turns, and each learns how its own command ended.
        let say = |text: String| client.call("chat/say", object(json!({ "text": text })));
        let (first, second) = tokio::join!(say("a".to_owned()), say("b".to_owned()));
        assert_eq!((first?, second?), (json!({}), json!({})));
        let crash = aicontrol::Command::new(NonEmptyString::try_from("debug/crash").expect("it is a text"));
        assert!(!client.carry_out(crash).await?.success);
        assert_eq!(client.observe(Map::new()).await?.observation["entities"][0]["kind"], "orc");
        Ok::<_, ClientError>(())
    })
    .expect("the game is there");
}

#[test]
fn a_client_in_another_language_plays() {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0"]);
    let address = arena.ready["aiControl"]["address"].as_str().expect("an address");
    let mut agent = Command::new("python3")
        .arg(ludwire_tests::workspace().join("tests/clients/ai_control_agent.py"))
        .arg(address)
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut input = agent.stdin.take().expect("it is piped");
    input.write_all(arena.token().as_bytes()).expect("it reads");
    drop(input);
    let output = agent.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let expected = [
        "unauthorized -32001",
        "wrong token False",
        "right token True",
        "ping True",
        "status True",
        "empty [] 1",
        "can chat/say debug/crash debug/sleep unit/attack unit/move world/look world/spawn",
        "spawn True 1",
        "blocked False the tile 4,3 is blocked by elf 2",
        "seen orc elf",
        "attack True",
        "said ['готово']",
        "crash False",
        "no type -32602",
        "no method -32601",
        "no JSON -32700",
        "no UTF-8 -32700",
        "no object -32600",
        "any id {'a': [1, None]}",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
}
