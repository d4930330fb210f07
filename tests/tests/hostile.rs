//! Messages that a hostile peer may send: they cost no more time than their length asks for, and
//! whatever the bytes are, nothing panics.

use fastrand::Rng;
use ludwire_protocols::gabp::{self, Message};
use ludwire_protocols::support::{Content, Read};
use ludwire_tests::decode::{decode, decode_response};
use ludwire_tests::fixtures::{self, PROTOCOLS, first};
use ludwire_tests::protocol::{Form, Protocol};
use ludwire_tests::{protocol, route};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

/// The longest message that a bridge must take.
const LONG: usize = 1 << 20;

/// Far more than reading a long message takes when the time grows with its length, far less than when
/// it grows with the square of it.
const PATIENCE: Duration = Duration::from_secs(20);

fn in_time<T>(what: &str, read: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let result = read();
    let took = started.elapsed();
    assert!(took < PATIENCE, "{what} took {took:?}");
    result
}

#[test]
fn many_members_take_no_longer_than_their_text_asks_for() {
    let members: String = (0..LONG / 10).map(|number| format!("\"{number:x}\":0,")).collect();
    let mut kinds = HashSet::new();
    for fixture in fixtures::all().into_iter().filter(|fixture| kinds.insert(fixture.is.clone())) {
        let text = fixture.message.to_string();
        // Open objects keep the members, closed ones refuse the first.
        let before = format!("{{{members}{}", &text[1..]);
        let _ = in_time(&fixture.is, || fixture.read(before.as_bytes()));
    }
    for protocol in PROTOCOLS {
        assert!(in_time(protocol, || decode(protocol, format!("{{{members}\"\":0}}").as_bytes())).is_err());
    }
    for protocol in ["gabp", "aicontrol"] {
        let methods =
            if protocol == "gabp" { &route::GABP_METHODS[..] } else { &route::AICONTROL_METHODS[..] };
        for method in methods {
            let text = format!("{{{members}\"\":0}}");
            assert!(in_time(method, || decode_response(protocol, method, text.as_bytes())).is_err());
        }
    }
}

/// serde_json has names of its own, by which its parts speak to each other in objects of one member.
/// A message that says them means them.
#[test]
fn the_names_that_a_library_keeps_for_itself_are_names() {
    for (name, value) in [
        ("$serde_json::private::RawValue", json!("[1]")),
        ("$serde_json::private::RawValue", json!("no JSON")),
        ("$serde_json::private::RawValue", json!(7)),
        ("$serde_json::private::Number", json!("1e9")),
    ] {
        let object = json!({ name: value });
        let mut message = first("gabp", "tools/call request").message.clone();
        message["params"]["arguments"] = json!({ "deep": [object], name: value });
        let read: gabp::ToolsCallRequest = serde_json::from_str(&message.to_string()).expect(name);
        assert_eq!(Value::from(read.params.arguments.clone()), message["params"]["arguments"]);
        let decoded = gabp::decode(message.to_string().as_bytes()).expect(name);
        let Message::ToolsCallRequest(decoded) = decoded else { panic!("{decoded:?}") };
        assert_eq!(decoded.params.arguments, Some(read.params.arguments));
    }
}

#[test]
fn long_texts_and_lists_take_no_longer_than_their_length_asks_for() {
    let texts = [
        "a".repeat(LONG),
        "a/".repeat(LONG / 2),
        format!("{}!", "a/b".repeat(LONG / 3)),
        "1.0".repeat(LONG / 3),
    ];
    let places = [
        ("gabp", "tools/call request", "/params/name"),
        ("gabp", "request", "/method"),
        ("gabp", "session/hello request", "/params/token"),
        ("gabp", "resources/read request", "/params/uri"),
        ("gabp", "session/hello response", "/result/schemaVersion"),
        ("gabp", "event", "/timestamp"),
        ("aicc", "tool_call", "/tool"),
        ("aicc", "heartbeat", "/message_id"),
        ("aicontrol", "auth request", "/params/token"),
    ];
    for (protocol, is, pointer) in places {
        for text in &texts {
            let fixture = first(protocol, is);
            let mut message = fixture.message.clone();
            let (above, name) = pointer.rsplit_once('/').expect("a pointer");
            message.pointer_mut(above).expect("its parent")[name] = json!(text);
            let _ = in_time(pointer, || fixture.read(message.to_string().as_bytes()));
        }
    }
    // A list whose items must differ.
    let channels: Vec<String> = (0..LONG / 10).map(|number| format!("{number:x}")).collect();
    let mut message = first("gabp", "events/subscribe request").message;
    message["params"]["channels"] = json!(channels);
    assert!(in_time("different channels", || decode("gabp", message.to_string().as_bytes())).is_ok());
    message["params"]["channels"][LONG / 10 - 1] = json!("0");
    assert!(in_time("equal channels", || decode("gabp", message.to_string().as_bytes())).is_err());
}

/// Damaged bytes of each message made by hand.
const DAMAGED: usize = 400;

#[test]
fn damaged_bytes_are_read_as_what_they_still_say() {
    let protocols: HashMap<String, Protocol> =
        protocol::all(Form::Read).into_iter().map(|protocol| (protocol.name.clone(), protocol)).collect();
    let (mut json, mut valid) = (0, 0);
    let all = fixtures::all();
    for (index, fixture) in all.iter().enumerate() {
        let oracle = protocols[fixture.protocol].oracle();
        let mut validators = HashMap::new();
        for round in 0..DAMAGED {
            let seed = (index * DAMAGED + round) as u64;
            let bytes = damage(fixture.message.to_string().into_bytes(), &mut Rng::with_seed(seed));
            let shown = String::from_utf8_lossy(&bytes);
            let read = catch_unwind(|| fixture.read(&bytes))
                .unwrap_or_else(|_| panic!("{shown}: reading it panics"));
            let Ok(document) = serde_json::from_slice::<Value>(&bytes) else {
                assert!(read.is_err(), "{shown} is no JSON");
                continue;
            };
            json += 1;
            let route = match &fixture.answers {
                Some(method) => route::response(fixture.protocol, method, &document),
                None => route::message(fixture.protocol, &document),
            };
            let accepts = |at: &String| {
                validators.entry(at.clone()).or_insert_with(|| oracle.validator(at)).is_valid(&document)
            };
            let expected = route.filter(|route| { accepts }(&route.at)).map(|route| route.name);
            // What a schema says of a member that stands twice depends on the reader.
            if !repeats(&bytes) {
                assert_eq!(
                    read.as_ref().ok().map(|read| read.name),
                    expected.as_deref(),
                    "{shown}\n{read:?}"
                );
                valid += usize::from(expected.is_some());
            }
        }
    }
    let count = all.len() * DAMAGED;
    println!("{count} damaged texts: {json} are JSON, {valid} are messages");
    assert!(json * 4 > count && valid * 20 > count, "the damage is too great: {json} and {valid} of {count}");
}

/// Changes a few bytes, or moves them.
fn damage(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    const TOKENS: [&str; 20] = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "null", "true", "1e9", "-", ".0", "e",
        " ", "\u{0}", "é", "\u{2028}",
    ];
    for _ in 0..rng.usize(1..3) {
        let at = rng.usize(..bytes.len());
        let end = (at + rng.usize(1..20)).min(bytes.len());
        match rng.u8(..8) {
            0 => bytes[at] ^= 1 << rng.u8(..8),
            1 => bytes[at] = rng.u8(b' '..=b'~'),
            2 => bytes[at] = rng.u8(b'0'..=b'9'),
            3 => drop(bytes.drain(at..at + 1)),
            4 => drop(bytes.drain(at..end)),
            5 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            6 => {
                let token = TOKENS[rng.usize(..TOKENS.len())].bytes();
                bytes.splice(at..at, token);
            }
            _ => {
                let to = rng.usize(..bytes.len());
                bytes.swap(at, to);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'{');
        }
    }
    bytes
}

/// Whether some object has a member twice.
fn repeats(bytes: &[u8]) -> bool {
    fn inside(content: &Content<'_>) -> bool {
        match content {
            Content::List(items) => items.iter().any(inside),
            Content::Members(members) => {
                let mut names = HashSet::new();
                members.iter().any(|(name, value)| !names.insert(name) || inside(value))
            }
            _ => false,
        }
    }
    let content = Content::read(&mut serde_json::Deserializer::from_slice(bytes));
    inside(&content.expect("it was read before"))
}
