//! The pages of the games here: what they show is right, since it is done.

use jsonschema::Validator;
use ludwire::protocols::{aicc, aicontrol, gabp};
use ludwire_codegen::emit::docs::Templates;
use ludwire_codegen::emit::docs::game::{Manifest, pages, splice};
use ludwire_tests::agent::Agent;
use ludwire_tests::ai_control::Client;
use ludwire_tests::arena::{Arena, Peer, agent, fresh_path, programs};
use ludwire_tests::schemas::sane;
use ludwire_tests::workspace;
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

/// What a game's example of a program prints with `--manifest`.
fn manifest(game: &str) -> Value {
    let output = Command::new(programs().join("examples").join(game)).arg("--manifest").output();
    let output = output.expect("the game runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a manifest is JSON")
}

/// What stands on the pages of the tools.
fn tool_pages(manifest: &Value) -> Vec<Value> {
    let manifest = Manifest::of(manifest, "the game").expect("it is a manifest");
    let model = json!(pages(&manifest, ""));
    let pages = model["pages"].as_array().expect("a list").iter();
    let pages = pages.filter(|page| page["template"] == "game-tool.md");
    pages.map(|page| page["model"]["page"].clone()).collect()
}

fn text<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no {pointer} in {value}"))
}

/// A message of GABP as it goes over the wire.
fn framed(shown: &str) -> Vec<u8> {
    let (head, body) = shown.split_once("\n\n").expect("an empty line ends the header");
    [head.replace('\n', "\r\n").as_bytes(), b"\r\n\r\n", body.as_bytes()].concat()
}

#[test]
fn examples_fit_their_schemas_and_their_protocols() {
    for (game, count) in [("arena", 7), ("text_adventure", 4)] {
        let manifest = manifest(game);
        let pages = tool_pages(&manifest);
        assert_eq!(pages.len(), count, "{game}");
        let tools = manifest["tools"].as_array().expect("a list");
        for page in pages {
            let name = text(&page, "/tool/name");
            let tool = tools.iter().find(|tool| tool["name"] == name).expect("it is a tool");
            let arguments: Value = serde_json::from_str(text(&page, "/call/arguments")).expect("JSON");
            let valid = jsonschema::draft202012::new(&tool["inputSchema"]).expect("a schema");
            assert!(valid.is_valid(&arguments), "{name}: {arguments}");

            let (_, body) = text(&page, "/call/gabp").split_once("\n\n").expect("a header");
            let length = format!("Content-Length: {}\n", body.len());
            assert!(text(&page, "/call/gabp").starts_with(&length), "{page}");
            let Ok(gabp::Message::ToolsCallRequest(request)) = gabp::decode(body.as_bytes()) else {
                panic!("{body}")
            };
            assert_eq!(
                (request.params.name.as_str(), json!(request.params.arguments)),
                (name, arguments.clone())
            );

            let message = text(&page, "/call/aicc");
            let Ok(aicc::Message::ToolCall(call)) = aicc::decode(message.as_bytes()) else {
                panic!("{message}")
            };
            assert_eq!(
                (call.tool.as_str(), json!(call.input)),
                (text(&page, "/names/aicc"), arguments.clone())
            );

            let line = text(&page, "/call/ai_control");
            let Ok(aicontrol::Message::ActRequest(act)) = aicontrol::decode(line.as_bytes()) else {
                panic!("{line}")
            };
            let mut command = json!(act.params);
            assert_eq!(command["type"].take(), name);
            command.as_object_mut().expect("an object").remove("type");
            assert_eq!(command, arguments);
        }
    }
}

/// An arena in which what the examples speak of is there, and the pages of its tools but that which panics.
fn played(more: &[&str]) -> (Arena, Vec<Value>) {
    let arena = Arena::start_and(more);
    let mut peer = arena.peer();
    for (x, kind) in [(3, "orc"), (4, "elf")] {
        let spawned = peer.call("world/spawn", json!({ "kind": kind, "at": { "x": x, "y": 9 } }));
        assert!(spawned.get("error").is_none(), "{spawned}");
    }
    let pages = tool_pages(&manifest("arena"));
    let pages = pages.into_iter().filter(|page| page["tool"]["name"] != "debug/crash").collect();
    (arena, pages)
}

#[test]
fn examples_are_carried_out_over_gabp() {
    let (arena, pages) = played(&[]);
    let mut peer = Peer::welcome(&arena.address, &arena.token());
    for page in pages {
        peer.raw(&framed(text(&page, "/call/gabp")));
        let answer = peer.read().expect("there is an answer");
        assert!(answer["result"].is_object(), "{answer}");
    }
}

#[test]
fn examples_are_carried_out_over_aicc() {
    let (arena, pages) = played(&["--aicc", "127.0.0.1:0"]);
    let address = text(&arena.ready, "/aicc/address");
    let bearer = format!("Bearer {}", arena.token());
    let mut agent = Agent::connect(address, "", &[("Authorization", &bearer)]).expect("it is let in");
    for page in pages {
        let mut message: Value = serde_json::from_str(text(&page, "/call/aicc")).expect("JSON");
        message["session_id"] = Value::from(agent.session.as_str());
        agent.raw(&message.to_string()).expect("the arena reads");
        let answer = agent.answer();
        assert_eq!((&answer["type"], &answer["ok"]), (&json!("tool_result"), &json!(true)), "{answer}");
    }
}

#[test]
fn examples_are_carried_out_over_ai_control() {
    let (arena, pages) = played(&["--ai-control", "127.0.0.1:0"]);
    let mut client = Client::authorized(text(&arena.ready, "/aiControl/address"), &arena.token());
    for page in pages {
        let line = text(&page, "/call/ai_control");
        let answer = client.ask_line(line.as_bytes());
        let seq = &answer["result"]["commandSeq"];
        let ended = ludwire_tests::arena::wait_for("the end of a command", || {
            let ended = |event: &Value| event["type"] == "command_completed" && event["commandSeq"] == *seq;
            client.events().into_iter().find(ended)
        });
        assert_eq!(ended["success"], true, "{line}: {ended}");
    }
}

#[cfg(unix)]
#[test]
fn lines_for_a_shell_are_carried_out() {
    let (arena, pages) = played(&[]);
    // Where a game that runs is looked for.
    let home = fresh_path("home");
    let folder = home.join(if cfg!(target_os = "macos") {
        "Library/Application Support/gabp"
    } else {
        ".config/gabp"
    });
    fs::create_dir_all(&folder).expect("it can be made");
    fs::copy(&arena.bridge_file, folder.join("bridge.json")).expect("it can be copied");
    let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap_or_default());
    for page in pages {
        let line = text(&page, "/call/agent");
        let output = Command::new("sh").args(["-c", line]).env("HOME", &home).env("PATH", &path).output();
        let output = output.expect("a shell runs");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    fs::remove_dir_all(home).expect("it is ours");
}

#[test]
fn the_readme_shows_the_tools_of_the_arena() {
    let path = workspace().join("README.md");
    let readme = fs::read_to_string(&path).expect("there is one");
    let manifest = Manifest::of(&manifest("arena"), "the arena").expect("it is a manifest");
    let templates = Templates::new(None).expect("the templates are ours");
    let made = splice(&manifest, &templates, None, "README.md", &readme).expect("there are markers");
    assert!(
        made == readme,
        "the table of tools in README.md is stale; run:\n  cargo run -q -p ludwire --example arena -- --manifest > arena.json\n  \
         cargo run -- docs --manifest arena.json --into README.md"
    );
}

/// The same pages, as far as each protocol tells.
#[test]
fn a_running_game_has_pages_over_each_protocol() {
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0", "--aicc", "127.0.0.1:0"]);
    let folder = fresh_path("pages");
    let whole = tool_pages(&manifest("arena"));
    for (protocol, at, names) in [
        ("gabp", None, "gabp"),
        ("aicc", Some("/aicc/address"), "aicc"),
        ("aicontrol", Some("/aiControl/address"), "ai_control"),
    ] {
        let ask = |more: &[&str]| {
            let mut agent = agent();
            agent.arg("--bridge-file").arg(&arena.bridge_file).args(["--protocol", protocol]);
            if let Some(at) = at {
                agent.args(["--connect", text(&arena.ready, at)]);
            }
            let output = agent.arg("docs").args(more).output().expect("the agent runs");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success() && told.is_empty(), "{protocol}: {told}");
            String::from_utf8(output.stdout).expect("UTF-8")
        };
        let told: Value = serde_json::from_str(&ask(&["--json"])).expect("JSON");
        for page in &whole {
            let name = text(page, &format!("/names/{names}"));
            let same = tool_pages(&told).into_iter().find(|same| same["tool"]["name"] == name);
            let same = same.unwrap_or_else(|| panic!("{protocol} has no {name}"));
            if protocol != "aicontrol" {
                for part in ["arguments", "result", "description"] {
                    assert_eq!(same[part], page[part], "{protocol}, {name}");
                }
                assert_eq!(same["tool"]["class"], page["tool"]["class"], "{protocol}, {name}");
                assert_eq!(same["call"][protocol], page["call"][protocol]);
            }
        }
        let printed = ask(&[]);
        assert!(printed.starts_with("<!-- index.md -->\n") && printed.contains("<!-- tools/"), "{printed}");
        let into = folder.join(protocol);
        let into = into.to_str().expect("UTF-8");
        fs::create_dir_all(folder.join(protocol).join("tools")).expect("it can be made");
        let first = printed.lines().nth(1).expect("a line").to_owned();
        let gone = folder.join(protocol).join("tools/gone.md");
        fs::write(&gone, first).expect("it is writable");
        let said = ask(&["--markdown", into]);
        assert!(said.contains(" pages, 1 removed") && !gone.exists(), "{said}");
        assert!(said == ask(&["--markdown", into]).replace(" pages", " pages, 1 removed"), "{said}");
        let index = fs::read_to_string(folder.join(protocol).join("index.md")).expect("it is there");
        assert!(index.contains("was told over"), "{index}");
        // What somebody else wrote stays.
        fs::write(folder.join(protocol).join("index.md"), "# Mine\n").expect("it is writable");
        let mut agent = agent();
        agent.arg("--bridge-file").arg(&arena.bridge_file).args(["--protocol", protocol]);
        if let Some(at) = at {
            agent.args(["--connect", text(&arena.ready, at)]);
        }
        let output = agent.args(["docs", "--markdown", into]).output().expect("the agent runs");
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    }
    fs::remove_dir_all(folder).expect("it is ours");
}

/// Examples that are made are held to a validator by other people, on schemas of all sorts.
#[test]
fn examples_of_random_schemas_are_valid() {
    let (mut made, mut none) = (0, 0);
    for seed in 0..1500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let inner = sane(&mut rng);
        let schema = json!({ "type": "object", "required": ["a"], "properties": { "a": inner }, "$defs": inner.get("$defs") });
        let options = jsonschema::options().should_validate_formats(false).build(&schema);
        let Ok(validator): Result<Validator, _> = options else { continue };
        let manifest = json!({
            "format": "ludwire-manifest/1", "name": "Any", "tools": [{ "name": "a/b", "inputSchema": schema }],
        });
        match tool_pages(&manifest).remove(0)["call"]["arguments"].as_str() {
            None => none += 1,
            Some(arguments) => {
                made += 1;
                let arguments: Value = serde_json::from_str(arguments).expect("JSON");
                assert!(validator.is_valid(&arguments), "seed {seed}: {arguments} for {schema}");
            }
        }
    }
    println!("{made} examples made, {none} not");
    // Most schemas of games are not as odd as these.
    assert!(made > none, "{made} examples made, {none} not");
}

/// The pages of a game say the same of what can happen as the page over all protocols, which a test makes happen.
#[test]
fn failures_are_those_of_the_page_over_all_protocols() {
    let manifest = Manifest::of(&manifest("arena"), "the arena").expect("it is a manifest");
    let model = json!(pages(&manifest, ""));
    let errors = model["pages"][0]["model"]["page"]["errors"].as_array().expect("a list").clone();
    let page = fs::read_to_string(workspace().join("generated/docs/index.md")).expect("it is there");
    let mut told = 0;
    for (situation, id) in [
        ("unknown", "no_such_tool"),
        ("invalid", "wrong_arguments"),
        ("failed", "tool_fails"),
        ("timeout", "deadline"),
        ("unavailable", "tool_unavailable"),
        ("queue", "queue_full"),
        ("limit", "limit_reached"),
        ("capability", "capability_missing"),
        ("internal", "tool_panics"),
    ] {
        let error = errors.iter().find(|error| error["situation"] == situation).expect("it is told");
        let row = page.lines().find(|line| line.contains(&format!("\"situation:{id}\"")));
        let cells: Vec<&str> =
            row.unwrap_or_else(|| panic!("{id} is not on the page")).split(" | ").collect();
        for (protocol, at) in [("gabp", 1), ("aicc", 2), ("ai_control", 3)] {
            let code = text(error, &format!("/{protocol}"));
            let code = match code {
                "" if protocol == "ai_control" && error["gabp"] != "" => "success false",
                "" => "ok",
                code => code,
            };
            assert!(cells[at].contains(&format!("`{code}`")), "{situation}: {} is not {code}", cells[at]);
            told += 1;
        }
    }
    assert_eq!(told, 3 * errors.len());
}

/// The codes on the pages are those that a game gives.
#[test]
fn failures_have_the_codes_of_the_pages() {
    let manifest = Manifest::of(&manifest("arena"), "the arena").expect("it is a manifest");
    let model = json!(pages(&manifest, ""));
    let errors = model["pages"][0]["model"]["page"]["errors"].clone();
    let of = |situation: &str| {
        let all = errors.as_array().expect("a list").iter();
        all.clone().find(|error| error["situation"] == situation).expect("it is told").clone()
    };
    let arena = Arena::start_and(&["--ai-control", "127.0.0.1:0", "--aicc", "127.0.0.1:0"]);
    let mut peer = arena.peer();
    let bearer = format!("Bearer {}", arena.token());
    let address = text(&arena.ready, "/aicc/address");
    let mut agent = Agent::connect(address, "", &[("Authorization", &bearer)]).expect("it is let in");
    let mut client = Client::authorized(text(&arena.ready, "/aiControl/address"), &arena.token());
    for (situation, name, arguments) in [
        ("unknown", "world/lock", json!({})),
        ("invalid", "world/spawn", json!({ "kind": "cow" })),
        ("failed", "unit/attack", json!({ "id": 1, "target": 2 })),
        ("internal", "debug/crash", json!({})),
    ] {
        let told = of(situation);
        let answer = peer.call(name, arguments.clone());
        assert_eq!(answer["error"]["code"].to_string(), told["gabp"].as_str().expect("a text"), "{answer}");
        let answer = agent.call(&name.replace('/', "_"), arguments.clone());
        assert_eq!(answer["error"]["code"], told["aicc"], "{answer}");
        let mut command = arguments;
        command["type"] = Value::from(name);
        assert_eq!(client.carry_out(&command)["success"], false, "{situation}");
    }
}
