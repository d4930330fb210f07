//! The pages say what is so: their examples are messages, their bytes are understood, their names are those that
//! a host gives.

use ludwire::{AiControl, Aicc, Budget, BuildError, Gabp, Host, registered, tool};
use ludwire_codegen::ir::MessageKind;
use ludwire_tests::agent::Agent;
use ludwire_tests::ai_control::Client;
use ludwire_tests::arena::Peer;
use ludwire_tests::fixtures::Fixture;
use ludwire_tests::protocol::{self, Form};
use ludwire_tests::same::difference;
use ludwire_tests::subject::{self, Outcome};
use ludwire_tests::{TOKEN_VARIABLE, workspace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};

fn page(path: &str) -> String {
    let path = workspace().join("generated/docs").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The block of code below this heading.
fn block(page: &str, anchor: &str) -> String {
    let from = page.find(&format!("<a id=\"{anchor}\"></a>")).expect("the page has this heading");
    let block = page[from..].split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next());
    block.expect("a block of code").to_owned()
}

/// The rows of the table that begins with this line, without their code marks.
fn rows(page: &str, head: &str) -> Vec<Vec<String>> {
    let lines = page.lines().skip_while(|line| !line.starts_with(head)).skip(2);
    let cells = |line: &str| {
        let line = line.trim_matches(['|', ' ']).replace('`', "");
        line.split(" | ").map(|cell| cell.trim().to_owned()).collect()
    };
    lines.take_while(|line| line.starts_with('|')).map(cells).collect()
}

#[test]
fn every_example_is_the_message_that_it_is_called() {
    let mut count = 0;
    for protocol in protocol::all(Form::Written) {
        let Some(guide) = protocol.ir.guide.as_ref().filter(|guide| guide.examples_file.is_some()) else {
            continue;
        };
        let (oracle, subjects) = (protocol.oracle(), subject::of(&protocol.name, Form::Written));
        let defaults = protocol.defaults();
        let name = match protocol.name.as_str() {
            "gabp" => "gabp",
            "aicc" => "aicc",
            "aicontrol" => "aicontrol",
            other => panic!("say how messages of {other} are read"),
        };
        for message in &protocol.ir.messages {
            let ty = &protocol.ir.types[message.ty.0].name;
            let subject = subjects.iter().find(|subject| subject.name == ty).expect("each type is listed");
            let validator = oracle.validator(subject.at);
            let examples: Vec<_> =
                guide.examples.iter().filter(|example| example.of == message.name).collect();
            assert!(!examples.is_empty(), "there is no example of {}", message.name);
            for example in examples {
                let text = example.message.to_string();
                let value: Value = serde_json::from_str(&text).expect("it is JSON");
                if let Err(error) = validator.validate(&value) {
                    panic!("{}: the schema of {} refuses it: {error}", example.place, message.name);
                }
                match (subject.examine)(&text) {
                    Ok(Outcome::Accepted(written)) => {
                        assert_eq!(difference(&value, &written, &defaults), None, "{}", example.place);
                    }
                    other => panic!("{}: {ty}: {other:?}", example.place),
                }
                let answers = message.method.clone().filter(|_| message.kind == MessageKind::Response);
                let fixture = Fixture { protocol: name, is: message.name.clone(), answers, message: value };
                let read = fixture.read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}\n{error}"));
                assert_eq!(read.name, message.name, "{}", example.place);
                count += 1;
            }
        }
        assert!(
            guide
                .examples
                .iter()
                .all(|example| { protocol.ir.messages.iter().any(|message| message.name == example.of) })
        );
    }
    assert!(count >= 60, "{count} examples");
}

#[test]
fn names_match_the_patterns_that_stand_beside_them() {
    let matches = |pattern: &str, name: &str| {
        let schema = json!({ "type": "string", "pattern": pattern });
        jsonschema::validator_for(&schema).expect("it is a schema").is_valid(&json!(name))
    };
    let mut count = 0;
    for path in ["gabp/index.md", "aicc/index.md"] {
        for row in rows(&page(path), "| Of what |") {
            assert!(matches(&row[1], &row[2]), "{row:?}");
            count += 1;
        }
    }
    let page = page("index.md");
    let patterns = rows(&page, "| Protocol | Where");
    for names in rows(&page, "| GABP | AICC | AiControl |") {
        for (name, pattern) in names.iter().zip(&patterns) {
            assert!(matches(&pattern[2], name), "{name} {pattern:?}");
            count += 1;
        }
    }
    assert!(count >= 16, "{count} names");
}

/// A game with the tools of the page.
#[derive(Default)]
struct World;

/// Spawns.
#[tool("world/spawn_orc")]
fn spawn_orc(_: &World) {}

/// Sows.
#[tool("farm/sow-wheat")]
fn sow(_: &World) {}

/// Looks.
#[tool("world/region/weather")]
fn weather(_: &World) {}

/// A game that cannot be.
struct Meeting;

/// Sows.
#[tool("farm/sow_wheat")]
fn sow_wheat(_: &Meeting) {}

/// Sows.
#[tool("farm_sow/wheat")]
fn wheat(_: &Meeting) {}

/// Opens.
#[tool("door/open-all")]
fn open(_: &Meeting) {}

/// Opens.
#[tool("door/open_all")]
fn open_all(_: &Meeting) {}

/// The game of AiControl's examples.
#[derive(Default)]
struct Chat;

/// Says something.
#[tool("chat/say")]
fn say(_: &Chat, text: String) -> BTreeMap<String, u32> {
    BTreeMap::from([("heard_by".to_owned(), u32::from(!text.is_empty()) * 2)])
}

/// The token of the examples.
const TOKEN: &str = "9b0d6e1f4c7a28530e9f1b6c5d4a7283";

/// Runs a host over each protocol, and does something with the three addresses meanwhile.
fn with_host(aicc: Aicc, play: impl FnOnce(&str, &str, &str)) {
    with_host_of::<World>(aicc, AiControl::on(0).without_token(), play);
}

/// The same of a game of this state.
fn with_host_of<S: Default + Send + 'static>(
    aicc: Aicc,
    ai_control: AiControl,
    play: impl FnOnce(&str, &str, &str),
) {
    let host = Host::builder("Pages", "1")
        .tools(registered::<S>())
        .serve(Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file())
        .serve(aicc)
        .serve(ai_control)
        .start()
        .expect("it starts");
    let at: Vec<String> = host.endpoints().iter().map(|endpoint| endpoint.address.clone()).collect();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let is_over = &is_over;
        scope.spawn(move || {
            let mut state = S::default();
            while !is_over.load(Ordering::Acquire) {
                host.run(&mut state, Budget::millis(4));
                std::thread::yield_now();
            }
        });
        // Also when a check fails.
        struct End<'a>(&'a AtomicBool);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Release);
            }
        }
        let _end = End(is_over);
        play(&at[0], &at[1], &at[2]);
    });
}

#[test]
fn the_bytes_on_the_pages_open_a_session() {
    with_host(Aicc::websocket(0).token_env(&TOKEN_VARIABLE.0), |gabp, aicc, _| {
        // Line breaks that are sent are written out there.
        let frame =
            block(&page("gabp/index.md"), "topic:framing").replace('\n', "").replace("\\r\\n", "\r\n");
        let mut peer = Peer::stranger(gabp);
        peer.raw(frame.as_bytes());
        let welcome = peer.read().expect("it is answered");
        assert_eq!(welcome["result"]["app"]["name"], "Pages", "{welcome}");
        assert!(frame.contains(welcome["id"].as_str().expect("an id")), "{welcome}");

        let handshake = block(&page("aicc/index.md"), "topic:connect");
        let handshake = format!("{}\r\n\r\n", handshake.trim_end().replace('\n', "\r\n"));
        let own = handshake.replace(TOKEN, &TOKEN_VARIABLE.1);
        assert_ne!(own, handshake);
        let answer = |request: &str| {
            let mut stream = TcpStream::connect(aicc).expect("the game listens");
            stream.write_all(request.as_bytes()).expect("it reads");
            let mut bytes = vec![0; 8192];
            let mut length = 0;
            while length < bytes.len() && !String::from_utf8_lossy(&bytes[..length]).contains("session_init")
            {
                match stream.read(&mut bytes[length..]).expect("it answers") {
                    0 => break,
                    read => length += read,
                }
            }
            String::from_utf8_lossy(&bytes[..length]).into_owned()
        };
        let granted = answer(&own);
        assert!(granted.starts_with("HTTP/1.1 101 "), "{granted}");
        assert!(granted.contains(r#""event_subscriptions":["tick","state_change"]"#), "{granted}");
        assert!(answer(&handshake).starts_with("HTTP/1.1 401 "));
    });
}

/// Every request of AiControl's examples is a line that a game answers as the examples have it.
#[test]
fn the_lines_on_the_pages_of_ai_control_are_answered() {
    let protocol = protocol::named("aicontrol", Form::Written);
    let guide = protocol.ir.guide.as_ref().expect("it has a guide");
    let examples: Vec<(&str, Value)> = guide
        .examples
        .iter()
        .map(|one| (one.of.as_str(), serde_json::from_str(&one.message.to_string()).expect("it is JSON")))
        .collect();
    let mut requests: Vec<&Value> =
        examples.iter().filter(|(of, _)| of.ends_with(" request")).map(|(_, message)| message).collect();
    requests.sort_by_key(|request| request["id"].as_u64());
    // On the page they are broken up for reading.
    let text = page("aicontrol/messages.md") + &page("aicontrol/index.md");
    let shown: Vec<Value> = text
        .split("```json\n")
        .skip(1)
        .filter_map(|block| serde_json::from_str(block.split("```").next()?).ok())
        .collect();
    let token = &TOKEN_VARIABLE.1;
    let line = |request: &Value| request.to_string().replace(TOKEN, token);
    let answer_to = |request: &Value, has: &str| {
        let answers = examples.iter().filter(|(of, _)| of.ends_with("response"));
        let found =
            answers.map(|(_, answer)| answer).find(|one| one["id"] == request["id"] && !one[has].is_null());
        found.unwrap_or_else(|| panic!("no example answers {request}")).clone()
    };
    with_host_of::<Chat>(
        Aicc::websocket(0).without_token(),
        AiControl::on(0).token_env(&TOKEN_VARIABLE.0),
        |_, _, at| {
            let mut client = Client::connect(at);
            // Whoever shows no token first.
            let mut early = requests[1].clone();
            let refused = answer_to(requests[0], "error");
            early["id"] = refused["id"].clone();
            assert_eq!(client.ask_line(line(&early).as_bytes()), refused);
            for request in &requests {
                assert!(shown.contains(request), "{request} is on no page");
                let method = request["method"].as_str().expect("it has a method");
                let example = answer_to(request, "result");
                let mut answer = client.ask_line(line(request).as_bytes());
                match method {
                    "auth" | "ping" | "act" => assert_eq!(answer, example),
                    "status" => {
                        let names = |answer: &Value| {
                            answer["result"].as_object().map(|all| all.keys().cloned().collect::<Vec<_>>())
                        };
                        assert_eq!(names(&answer), names(&example));
                    }
                    "observe" => {
                        assert_eq!(answer["result"]["observation"]["availableActions"], json!(["chat/say"]));
                    }
                    "events" => {
                        // The end may take a moment.
                        let mut ended = ludwire_tests::arena::wait_for("the end of the command", || {
                            let all = answer["result"]["events"].as_array().cloned().unwrap_or_default();
                            answer = client.ask_line(line(request).as_bytes());
                            all.into_iter().find(|event| event["event"]["type"] == "command_completed")
                        });
                        let all = example["result"]["events"].as_array().expect("a list");
                        let told = all.iter().find(|event| event["event"]["type"] == "command_completed");
                        let mut told = told.expect("the example has the end").clone();
                        // What else happened in that game came before it.
                        for event in [&mut ended, &mut told] {
                            event["seq"] = Value::Null;
                        }
                        assert_eq!(ended, told);
                    }
                    other => panic!("say what answers {other}"),
                }
            }
        },
    );
}

#[test]
fn tools_have_the_names_of_the_page() {
    let table = rows(&page("index.md"), "| GABP | AICC | AiControl |");
    let column = |at: usize| table.iter().map(|row| row[at].clone()).collect::<BTreeSet<_>>();
    with_host(Aicc::websocket(0).without_token(), |gabp, aicc, ai_control| {
        let listed = |value: &Value, name: &str| {
            let tools = value.as_array().into_iter().flatten();
            tools.map(|tool| tool[name].as_str().expect("a name").to_owned()).collect::<BTreeSet<_>>()
        };
        let tools = Peer::welcome(gabp, TOKEN).ask("tools/list", json!({}))["result"]["tools"].clone();
        assert_eq!(listed(&tools, "name"), column(0));
        assert_eq!(listed(&Agent::of(aicc).init["tools"], "id"), column(1));
        let mut client = Client::connect(ai_control);
        for name in column(2) {
            assert_eq!(client.carry_out(&json!({ "type": name }))["success"], true, "{name}");
        }
        assert_eq!(column(2).len(), 3);
    });
}

#[test]
fn tools_that_meet_on_the_page_are_refused() {
    let error = Host::<Meeting>::builder("Pages", "1").tools(registered()).build().expect_err("names meet");
    let BuildError::Clashes(clashes) = &error else { panic!("{error}") };
    let met = clashes.iter().map(|clash| {
        let (one, other) = &clash.names;
        (BTreeSet::from([one.clone(), other.clone()]), clash.meet_as.clone())
    });
    let table = rows(&page("index.md"), "| These two");
    let told = table
        .iter()
        .map(|row| (row[0].split(", ").map(str::to_owned).collect::<BTreeSet<_>>(), row[1].clone()));
    assert_eq!(met.collect::<BTreeSet<_>>(), told.collect::<BTreeSet<_>>());
}
