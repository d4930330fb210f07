//! `ludwire-agent` as a process, against the arena.

use ludwire::{Budget, Event, Gabp, Host, ToolError, registered, resource, state, tool};
use ludwire_tests::arena::{Arena, agent, fresh_path};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// A ship has sunk.
#[derive(Serialize, JsonSchema, Event)]
#[event("ship/sunk")]
struct Sunk {
    /// Which one.
    id: u32,
}

struct Sea;

/// The rules.
#[resource("gabp://game/rules", mime = "text/markdown")]
fn rules(_: &Sea) -> &'static str {
    "# Rules"
}

/// One ship.
#[resource("gabp://game/ships/{id}")]
fn ship(_: &Sea, id: u32) -> Result<u32, ToolError> {
    if id < 3 { Ok(id) } else { Err(ToolError::missing(format!("there is no ship {id}"))) }
}

/// How high the waves are.
#[state("waves")]
fn waves(_: &Sea) -> u32 {
    4
}

/// What the wind does.
#[state("wind")]
fn wind(_: &Sea) -> &'static str {
    "west"
}

/// Plays a game without tools while somebody asks it, through a bridge file.
fn at_sea(ask: impl FnOnce(&Path) + Send) {
    let bridge_file = fresh_path("sea.json");
    let gabp = Gabp::tcp("127.0.0.1:0").bridge_file(&bridge_file);
    let builder = Host::builder("Sea", "1").tools(registered::<Sea>());
    let host = builder.serve(gabp).start().expect("it starts");
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            let asked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| ask(&bridge_file)));
            over.store(true, Ordering::Release);
            asked
        });
        while !over.load(Ordering::Acquire) {
            host.run(&mut Sea, Budget::millis(1));
            std::thread::yield_now();
        }
        if let Err(panicked) = asking.join().expect("panics are caught") {
            std::panic::resume_unwind(panicked);
        }
    });
}

fn run(arena: &Arena, arguments: &[&str]) -> Output {
    agent().arg("--bridge-file").arg(&arena.bridge_file).args(arguments).output().expect("the agent runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

#[test]
fn tools_are_shown_to_people_and_to_machines() {
    let arena = Arena::start();
    let output = run(&arena, &["tools"]);
    let shown = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(shown.contains("world/spawn (generator)"), "{shown}");
    assert!(shown.contains("hp: integer, 1 to 100, default 10, optional. Hit points."), "{shown}");
    let tools: Value = serde_json::from_slice(&run(&arena, &["tools", "--json"]).stdout).expect("JSON");
    assert_eq!(tools.as_array().map(Vec::len), Some(7));
}

#[test]
fn calls_and_their_exit_codes() {
    let arena = Arena::start();
    let spawn = r#"{"kind":"orc","at":{"x":1,"y":2}}"#;
    let output = run(&arena, &["call", "world/spawn", spawn, "--json"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "{\"id\":1}\n"));

    let output = run(&arena, &["call", "world/spawn", spawn]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("blocked by orc 1"), "{}", text(&output.stderr));

    let output = run(&arena, &["call", "world/spwan", "--json"]);
    let failure: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((output.status.code(), &failure["error"]["code"]), (Some(1), &json!(-32400)));

    let twice = run(&arena, &["call", "chat/say", r#"{"text":"a","text":"b"}"#]);
    assert!(text(&twice.stderr).contains("/text is given twice"), "{}", text(&twice.stderr));
    for wrong in [&["call", "world/look", "[1]"][..], &["call", "world/look", "{"], &["call"], &["dance"]] {
        assert_eq!(run(&arena, wrong).status.code(), Some(2), "{wrong:?}");
    }
    let missing = fresh_path("missing.json");
    let output = agent().arg("--bridge-file").arg(missing).arg("tools").output().expect("the agent runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is the game running?"));
}

#[test]
fn arguments_from_standard_input_and_a_token_from_the_environment() {
    let arena = Arena::start();
    let mut child = agent()
        .args(["--connect", &arena.address, "--token-env", "TEST_TOKEN", "call", "chat/say", "-"])
        .env("TEST_TOKEN", arena.token())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the agent runs");
    child.stdin.take().expect("it is piped").write_all(br#"{"text":"hi"}"#).expect("the agent reads");
    let output = child.wait_with_output().expect("the agent ends");
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "{}\n"));

    let output = agent()
        .args(["--connect", &arena.address, "--token-env", "TEST_TOKEN", "tools"])
        .env("TEST_TOKEN", "wrong-".repeat(10))
        .output()
        .expect("the agent runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(!text(&output.stderr).contains("wrong-"), "{}", text(&output.stderr));
}

#[test]
fn what_else_a_game_tells() {
    at_sea(|bridge_file| {
        let ask = |arguments: &[&str]| {
            let output = agent().arg("--bridge-file").arg(bridge_file).args(arguments).output();
            let output = output.expect("the agent runs");
            (output.status.code(), text(&output.stdout), text(&output.stderr))
        };
        let shown = |arguments: &[&str]| match ask(arguments) {
            (Some(0), shown, _) => shown,
            other => panic!("{arguments:?}: {other:?}"),
        };
        let json = |arguments: &[&str]| -> Value {
            serde_json::from_str(&shown(&[arguments, &["--json"]].concat())).expect("it is JSON")
        };
        assert_eq!(shown(&["tools"]), "The game has no tools.\n");
        let events = "ship/sunk\n  A ship has sunk.\n    id: integer, 0 to 4294967295. Which one.\n";
        assert_eq!(shown(&["events"]), events);
        assert_eq!(json(&["events"])[0]["channel"], "ship/sunk");
        let listed = shown(&["resources"]);
        assert!(listed.starts_with("gabp://game/rules (text/markdown)\n  The rules.\n\ngabp://"), "{listed}");
        assert!(listed.contains("  URI template: `gabp://game/ships/{id}`\n"), "{listed}");
        assert_eq!(json(&["resources"])[1]["mimeType"], "application/json");
        assert_eq!(shown(&["read", "gabp://game/rules"]), "# Rules\n");
        assert_eq!(shown(&["read", "gabp://game/ships/2"]), "2\n");
        assert_eq!(json(&["read", "gabp://game/ships/2"])["content"], 2);
        let (status, _, told) = ask(&["read", "gabp://game/ships/7"]);
        assert!(status == Some(1) && told.contains("there is no ship 7"), "{status:?} {told}");
        let (status, _, told) = ask(&["read", "rules"]);
        assert!(status == Some(2) && told.contains("no URI of a resource"), "{status:?} {told}");
        assert_eq!(shown(&["states"]), "waves: 4\nwind: \"west\"\n");
        assert_eq!(shown(&["states", "waves"]), "waves: 4\n");
        assert_eq!(json(&["states"]), json!({ "waves": 4, "wind": "west" }));
        let (status, _, told) = ask(&["states", "wvaes"]);
        assert!(status == Some(1) && told.contains("did you mean `waves`?"), "{status:?} {told}");
    });
}

struct Space;

/// Counts far.
#[tool("count/far")]
fn far(_: &Space, from: u64) -> u64 {
    from
}

#[test]
fn what_a_game_has_none_of_is_said_so() {
    let bridge_file = fresh_path("tools.json");
    let gabp = Gabp::tcp("127.0.0.1:0").bridge_file(&bridge_file);
    let builder = Host::builder("Tools", "1").tools(registered::<Space>());
    let _host = builder.serve(gabp).start().expect("it starts");
    let ask = |arguments: &[&str]| {
        let output = agent().arg("--bridge-file").arg(&bridge_file).args(arguments).output();
        let output = output.expect("the agent runs");
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    for (arguments, code, expected) in [
        (&["states"][..], 0, "The game has no states.\n"),
        (&["states", "--json"], 0, "{}\n"),
        (&["states", "waves"], 1, "ludwire-agent: the game has no states\n"),
        (&["resources"], 0, "The game has no resources.\n"),
        (&["resources", "--json"], 0, "[]\n"),
        (&["read", "gabp://game/rules"], 1, "ludwire-agent: the game has no resources\n"),
        (&["observe"], 1, "ludwire-agent: the game has no observation\n"),
    ] {
        let (status, shown, told) = ask(arguments);
        assert_eq!((status, shown + &told), (Some(code), expected.to_owned()), "{arguments:?}");
    }
    let shown = ask(&["tools"]).1;
    assert!(shown.contains("\n    from: integer as text.\n"), "{shown}");
}

#[test]
fn a_channel_that_is_not_there_is_not_waited_for() {
    at_sea(|bridge_file| {
        for (channel, hint) in
            [("ship/snuk", "did you mean `ship/sunk`?"), ("zebra", "`ludwire-agent events` lists them")]
        {
            for json in [false, true] {
                let mut agent = agent();
                agent.arg("--bridge-file").arg(bridge_file).args(["watch", "ship/sunk", channel]);
                let output = agent.args(json.then_some("--json")).output().expect("the agent runs");
                let told = text(if json { &output.stdout } else { &output.stderr });
                assert_eq!(output.status.code(), Some(1), "{told}");
                assert!(told.contains(&format!("there is no event `{channel}`")), "{told}");
                assert!(told.contains(hint), "{told}");
            }
        }
    });
}

#[test]
fn a_game_that_is_gone_and_one_that_never_was() {
    let bridge_file = fresh_path("stale.json");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = listener.local_addr().expect("it has one").to_string();
    drop(listener);
    for (kind, address) in [
        ("tcp", address),
        #[cfg(unix)]
        ("pipe", fresh_path("stale.sock").display().to_string()),
    ] {
        let file = json!({
            "token": "t".repeat(32), "transport": { "type": kind, "address": address }, "metadata": { "pid": 4711 },
        });
        std::fs::write(&bridge_file, file.to_string()).expect("it can be written");
        let output = agent().arg("--bridge-file").arg(&bridge_file).arg("tools").output();
        let output = output.expect("the agent runs");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(&address) && told.contains("the game (process 4711)"), "{told}");
        assert!(told.contains(bridge_file.to_str().expect("UTF-8")) && told.contains("is gone"), "{told}");
    }
    std::fs::remove_file(&bridge_file).expect("it can be removed");

    let output = agent().args(["--run", "/nonexistent/game", "tools"]).output().expect("the agent runs");
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("cannot start /nonexistent/game: "), "{told}");
}

#[test]
fn the_arena_shows_its_log() {
    let mut arena = ludwire_tests::arena::arena();
    arena.args(["--gabp", "127.0.0.1:0", "--bridge-file"]).arg(fresh_path("log.json"));
    let mut child = arena.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.as_mut().expect("the arena starts");
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("it says where it listens");
    let ready: Value = serde_json::from_str(&line).expect("nothing of the log comes between");
    let path = ready["gabp"]["bridgeFile"].as_str().expect("a path");
    let crashed =
        agent().args(["--bridge-file", path, "call", "debug/crash"]).output().expect("the agent runs");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    std::fs::remove_file(path).expect("it is left behind");
    assert!(text(&crashed.stderr).contains("the game's log says why"), "{}", text(&crashed.stderr));
    let mut log = String::new();
    child.stderr.take().expect("it is piped").read_to_string(&mut log).expect("it is text");
    let told = log.lines().find(|line| line.contains("code of the game panicked"));
    assert!(told.is_some_and(|told| told.contains("somebody called debug/crash")), "{log}");
}

#[test]
fn the_same_is_asked_over_each_protocol() {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0", "--aicc", "127.0.0.1:0"]);
    let at = |name: &str| arena.ready[name]["address"].as_str().expect("an address").to_owned();
    let (ai_control, aicc) = (at("aiControl"), at("aicc"));
    let over = |protocol: &str, arguments: &[&str]| {
        let connect = match protocol {
            "aicontrol" => vec!["--connect", ai_control.as_str()],
            "aicc" => vec!["--connect", aicc.as_str()],
            _ => vec![],
        };
        let output = run(&arena, &[&["--protocol", protocol], connect.as_slice(), arguments].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    for (number, protocol) in ["gabp", "aicontrol", "aicc"].into_iter().enumerate() {
        let tools = over(protocol, &["tools"]);
        assert!(
            tools.0 == Some(0) && tools.1.replace('_', "/").contains("world/spawn"),
            "{protocol}: {tools:?}"
        );
        let spawn = format!(r#"{{"kind":"orc","at":{{"x":{number},"y":0}}}}"#);
        let spawned = over(protocol, &["call", "world/spawn", &spawn, "--json"]);
        assert_eq!(spawned, (Some(0), format!("{{\"id\":{}}}\n", number + 1), String::new()), "{protocol}");
        let blocked = over(protocol, &["call", "world/spawn", &spawn]);
        assert!(blocked.0 == Some(1) && blocked.2.contains("is blocked by orc"), "{protocol}: {blocked:?}");
        let wrong: Value =
            serde_json::from_str(&over(protocol, &["call", "world/spawn", "--json"]).1).expect("JSON");
        let (place, expected) = match protocol {
            "aicc" => (&wrong["error"]["code"], "invalid_input"),
            _ => (&wrong["error"]["data"]["problems"][0]["pointer"], "/kind"),
        };
        assert_eq!(place, expected, "{protocol}: {wrong}");
        let observed: Value = serde_json::from_str(&over(protocol, &["observe", "--json"]).1).expect("JSON");
        assert_eq!(observed["entities"].as_array().map(Vec::len), Some(number + 1), "{protocol}: {observed}");
        let events = over(protocol, &["events"]);
        let expected = ["chat/said", "command_completed", "state_change"][number];
        assert!(events.0 == Some(0) && events.1.contains(expected), "{protocol}: {events:?}");
    }
    let states = over("aicontrol", &["states"]);
    assert!(states.0 == Some(2) && states.2.contains("observation only"), "{states:?}");
    for protocol in ["aicontrol", "aicc"] {
        let unknown = over(protocol, &["call", "world/spwan"]);
        assert!(unknown.0 == Some(1) && unknown.2.contains("did you mean `world"), "{unknown:?}");
    }
    let ticks = over("aicc", &["watch", "tick", "--count", "1"]);
    assert!(ticks.0 == Some(0) && ticks.1.starts_with("{\"payload\":{\"tick\":"), "{ticks:?}");
    assert_eq!(over("aicc", &["watch", "tock"]).0, Some(1));
    let connect = agent().args(["--connect", &ai_control, "tools"]).output().expect("the agent runs");
    assert!(text(&connect.stderr).contains("--token-env names a variable"), "{}", text(&connect.stderr));
}
