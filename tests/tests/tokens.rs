//! Tokens, over whatever protocol: which are taken, and what the log says of wrong ones.

use ludwire::{AiControl, Aicc, BuildError, Builder, Gabp, Host, registered, tool};
use ludwire_tests::TOKEN_VARIABLE;
use ludwire_tests::agent::Agent;
use ludwire_tests::ai_control::Client;
use ludwire_tests::arena::{PATIENCE, Peer, arena, hello, request};
use ludwire_tests::log::Log;
use serde_json::json;
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};
use tracing::Level;

/// Does nothing.
#[tool("test/nothing")]
fn nothing() {}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// What each front end says of the token in a variable. It is started by the test below, with that variable.
#[test]
#[ignore = "it is started by another"]
fn tokens_of_the_environment() {
    let told = |front_end: &str, host: Result<Host<()>, BuildError>| {
        let told = host.map_or_else(|error| error.to_string(), |_| "it starts".to_owned());
        println!("{SAID}{front_end}: {told}");
    };
    let said = |front_end: &str, builder: Builder<()>| told(front_end, builder.start());
    let builder = || Host::<()>::builder("Tokens", "1");
    // First: another could be given this port, where any is good.
    said("gabp of a supervisor", builder().serve(Gabp::from_env()));
    said("gabp", builder().serve(Gabp::tcp("127.0.0.1:0").no_bridge_file().token_env("GABP_TOKEN")));
    said("aicc", builder().serve(Aicc::websocket(0).token_env("GABP_TOKEN")));
    told("a host that is only built", builder().serve(AiControl::on(0).token_env("GABP_TOKEN")).build());
    said("aicontrol", builder().serve(AiControl::on(0).token_env("GABP_TOKEN")));
}

/// What a line begins with, among those of the test's own runner.
const SAID: &str = "of the token, ";

#[test]
fn a_token_of_the_environment_is_refused_by_each_or_by_none() {
    let own = std::env::current_exe().expect("a test knows where it lies");
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let port = free.local_addr().expect("it has one").port().to_string();
    drop(free);
    let said = |token: &OsStr| {
        let mut command = Command::new(&own);
        command.args(["--exact", "tokens_of_the_environment", "--ignored", "--nocapture"]);
        let output = command.env("GABP_SERVER_PORT", &port).env("GABP_TOKEN", token).output();
        let output = String::from_utf8(output.expect("it runs").stdout).expect("it is text");
        let said = output.lines().filter_map(|line| Some(line.split_once(SAID)?.1.to_owned()));
        let said: Vec<String> = said.collect();
        assert_eq!(said.len(), 5, "{output}");
        said
    };
    for said in said(TOKEN.as_ref()) {
        assert!(said.ends_with(": it starts"), "{said}");
    }
    let mut refused = vec![
        (OsString::from("hush-hush"), "has 9 characters; it must have 32 at least"),
        (OsString::from(format!("{TOKEN}é")), "character 33 is not of ASCII"),
        (OsString::from(format!("{TOKEN}\n")), "character 33 is a control character"),
        (OsString::from(format!("{TOKEN} hush")), "character 33 is a space"),
    ];
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt as _;
        let bytes = [TOKEN.as_bytes(), b"\xff"].concat();
        refused.push((OsString::from_vec(bytes), "character 33 is not of ASCII"));
    }
    for (token, why) in refused {
        for said in said(&token) {
            assert!(said.contains(": the token in GABP_TOKEN ") && said.contains(why), "{said}");
            assert!(!said.contains(TOKEN) && !said.contains("hush"), "{said}");
        }
        let output = arena().args(["--gabp", "127.0.0.1:0"]).env("ARENA_TOKEN", &token).output();
        let output = output.expect("the arena runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("the token in ARENA_TOKEN ") && said.contains(why), "{said}");
        assert!(!said.contains(TOKEN) && !said.contains("hush"), "{said}");
    }
}

#[test]
fn many_wrong_tokens_are_few_lines_and_keep_nobody_out() {
    let log = Log::of_all(Level::TRACE);
    let (variable, right) = &*TOKEN_VARIABLE;
    let host = Host::<()>::builder("Wrong", "1")
        .tools(registered())
        .serve(Gabp::tcp("127.0.0.1:0").no_bridge_file().token_env(variable))
        .serve(Aicc::websocket(0).token_env(variable))
        .serve(AiControl::on(0).token_env(variable))
        .start()
        .expect("it starts");
    let wrong = "hush-hush-hush-hush-hush-hush-hush";
    let gabp = request(1, "session/hello", &hello(wrong)).to_string();
    let auth = json!({ "jsonrpc": "2.0", "id": 1, "method": "auth", "params": { "token": wrong } });
    let shown = [
        format!("Content-Length: {}\r\n\r\n{gabp}", gabp.len()),
        format!(
            "GET /aicc HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             Authorization: Bearer {wrong}\r\n\r\n"
        ),
        format!("{auth}\n"),
    ];
    for (endpoint, shown) in host.endpoints().iter().zip(&shown) {
        // Nobody waits for the answer, which comes late; of those who wait, the oldest make room for others.
        let (mut sent, start) = (0u32, Instant::now());
        let mut strangers = VecDeque::new();
        let protocol = endpoint.protocol;
        let told = format!("wrong tokens were shown of late protocol=\"{protocol}\" count=64");
        while !log.text().contains(&told) {
            assert!(start.elapsed() < PATIENCE, "{sent} were sent to {protocol}: {}", log.text());
            let mut stranger = TcpStream::connect(&endpoint.address).expect("the game listens");
            stranger.write_all(shown.as_bytes()).expect("the game reads");
            strangers.push_back(stranger);
            sent += 1;
            if strangers.len() > 100 {
                strangers.pop_front();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // Who has the right one need not wait, as the last of those would.
        let start = Instant::now();
        match protocol {
            "gabp" => drop(Peer::welcome(&endpoint.address, right)),
            "aicc" => {
                let header = format!("Bearer {right}");
                Agent::connect(&endpoint.address, "", &[("authorization", &header)]).expect("it is let in");
            }
            _ => drop(Client::authorized(&endpoint.address, right)),
        }
        assert!(start.elapsed() < Duration::from_secs(3), "{protocol}: {:?}", start.elapsed());
        let said = log.text();
        let of_it = format!("protocol=\"{protocol}\"");
        let warnings = said.lines().filter(|line| line.contains(" WARN ") && line.contains(&of_it)).count();
        // Of those with wrong tokens, and of those who were turned away: at 1, 2, 4 and so on of them.
        let most = 2 * (sent.ilog2() as usize + 1);
        assert!((7..=most).contains(&warnings), "{warnings} of {sent} over {protocol}: {said}");
    }
    drop(host);
    let said = log.text();
    let warnings = said.lines().filter(|line| line.contains(" WARN ")).count();
    assert!(warnings < 100, "{warnings}: {said}");
    for token in [wrong, right] {
        assert!(!said.contains(token), "{said}");
    }
}
