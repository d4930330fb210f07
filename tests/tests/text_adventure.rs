//! The text adventure of the examples, played through to its end.

#[path = "../../runtime/examples/text_adventure.rs"]
#[expect(dead_code, reason = "it has a `main` of its own")]
mod game;

use game::House;
use ludwire::{Budget, Gabp, Host, ToolError, ToolErrorKind, registered};
use ludwire_tests::arena::{Peer, fresh_path, programs, terminate};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

fn host() -> Host<House> {
    Host::builder("Adventure", "1").tools(registered()).build().expect("the game goes together")
}

#[test]
fn it_can_be_won() {
    let (host, mut house) = (host(), House::default());
    let mut call = |name: &str, arguments| host.call(&mut house, name, arguments);
    assert_eq!(call("room/look", json!({})).expect("it is light")["items"], json!(["lamp"]));
    let mut fails = |name: &str, arguments| call(name, arguments).expect_err(name).to_string();
    assert_eq!(
        fails("hero/go", json!({ "direction": "up" })),
        "there is no way Up, but North to the Kitchen"
    );
    assert_eq!(fails("item/take", json!({ "item": "key" })), "no Key lies here");
    assert_eq!(
        fails("item/take", json!({ "item": "chese" })),
        "invalid arguments: /item: must be one of \"key\", \"lamp\", \"cheese\", found \"chese\"; did you mean \"cheese\"?"
    );
    assert_eq!(call("hero/go", json!({ "direction": "north" })), Ok(json!({ "result": "kitchen" })));
    assert!(
        call("hero/go", json!({ "direction": "down" }))
            .is_err_and(|error| error.message().contains("locked"))
    );
    assert_eq!(call("item/take", json!({ "item": "key" })).expect("it lies here")["bag"], json!(["key"]));
    assert_eq!(call("hero/go", json!({ "direction": "down" })), Ok(json!({ "result": "cellar" })));
    assert!(call("room/look", json!({})).is_err_and(|error| error.message().contains("dark")));
    assert_eq!(host.observe(&mut house).expect_err("it is dark").kind(), ToolErrorKind::Failed);
    // Some have a lamp without going back for it.
    let hero = json!({ "name": "Ada", "bag": ["key", "lamp"] });
    assert_eq!(host.set_state(&mut house, "hero", None, hero.clone()), Ok(hero));
    assert_eq!(host.observe(&mut house).expect("it is light")["items"], json!(["cheese"]));
    host.call(&mut house, "item/take", json!({ "item": "cheese" })).expect("it lies here");
    let hero = host.state(&mut house, "hero", None).expect("there is one");
    assert_eq!(hero, json!({ "name": "Ada", "bag": ["key", "lamp", "cheese"] }));
    let cellar = host.read_resource(&mut house, "gabp://game/rooms/cellar").expect("it can be read");
    assert_eq!(cellar.value["items"], json!([]));
    let story = host.read_resource(&mut house, "gabp://game/story?offset=1&limit=2").expect("it can be read");
    assert_eq!(
        story.value,
        json!({ "items": ["You go North, to the Kitchen.", "You take the Key."], "total": 5, "next": 3 })
    );
}

#[test]
fn what_is_wrong_changes_nothing() {
    let (host, mut house) = (host(), House::default());
    let before = host.state(&mut house, "hero", None);
    let mut set = |hero| host.set_state(&mut house, "hero", None, hero).expect_err("it is no hero");
    assert_eq!(set(json!({ "name": " ", "bag": [] })), ToolError::failed("a hero has a name"));
    let error = set(json!({ "name": "Bob", "bag": ["sword"] }));
    assert!(error.message().starts_with("invalid arguments: /bag/0: must be one of"), "{error}");
    assert_eq!(host.state(&mut house, "hero", None), before);
}

#[test]
fn who_asks_for_help_starts_no_game() {
    for name in ["arena", "text_adventure"] {
        let home = fresh_path("no-home");
        let run = |argument: &str| {
            let mut program = Command::new(programs().join("examples").join(name));
            let output = program.arg(argument).env("HOME", &home).output().expect("it runs");
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it is text");
            (output.status.code(), text(output.stdout), text(output.stderr))
        };
        for help in ["--help", "-h"] {
            let (code, stdout, stderr) = run(help);
            assert_eq!((code, stderr.as_str()), (Some(0), ""), "{name}");
            assert!(stdout.contains("Usage: ") && stdout.contains("--manifest"), "{stdout}");
        }
        for unknown in ["--hlep", "west"] {
            let (code, stdout, stderr) = run(unknown);
            assert_eq!((code, stdout.as_str()), (Some(2), ""), "{name}");
            assert!(stderr.contains(&format!("unexpected argument '{unknown}'")), "{stderr}");
            assert!(stderr.contains("Usage: "), "{stderr}");
        }
        assert!(!home.exists(), "no bridge file was written");
    }
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_asked_to() {
    let home = fresh_path("adventure-home");
    std::fs::create_dir(&home).expect("it can be made");
    let mut game = Command::new(programs().join("examples").join("text_adventure"));
    game.env("HOME", &home).env_remove("GABP_SERVER_PORT").env_remove("GABP_TOKEN");
    let mut game = game.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(game.stdout.take().expect("it is piped")).read_line(&mut line).expect("it is ready");
    let path = home.join(".config/gabp/bridge.json");
    if cfg!(target_os = "linux") {
        assert!(line.starts_with("gabp at 127.0.0.1:"), "{line}");
        assert!(line.ends_with(&format!(", found through {}\n", path.display())), "{line}");
    }
    let file = ["Library/Application Support/gabp/bridge.json", ".config/gabp/bridge.json"];
    let file =
        file.iter().map(|path| home.join(path)).find(|path| path.exists()).expect("it says where it listens");
    assert_eq!(terminate(&mut game), Some(0));
    assert!(!file.exists());
    std::fs::remove_dir_all(&home).expect("it can be removed");
}

/// Ends the game when a test ends, however it does.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn time_passes_while_somebody_waits() {
    const TOKEN: &str = "0123456789abcdef0123456789abcdef";
    let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).bridge_file(fresh_path("adventure.json"));
    let host = Host::builder("Adventure", "1").tools(registered()).serve(gabp).start().expect("it starts");
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _end = End(&over);
        scope.spawn(|| {
            let mut house = House::default();
            while !over.load(Ordering::Relaxed) {
                if host.run(&mut house, Budget::millis(4)).ran > 0 {
                    house.tick(&host);
                }
                std::thread::yield_now();
            }
        });
        let mut peer = Peer::welcome(&host.endpoints()[0].address, TOKEN);
        let channels = json!({ "channels": ["clock/struck"] });
        assert_eq!(peer.ask("events/subscribe", channels)["result"]["subscribed"], json!(["clock/struck"]));
        peer.send(&ludwire_tests::arena::request(
            7,
            "tools/call",
            &json!({ "name": "hero/wait", "arguments": { "hour": 11 } }),
        ));
        let mut hours: Vec<Value> = Vec::new();
        let answer = loop {
            let message = peer.read().expect("the game goes on");
            match message["type"].as_str() {
                Some("event") => hours.push(message["payload"]["hour"].clone()),
                _ => break message,
            }
        };
        assert_eq!(answer["result"], json!({ "result": "It is 11 o'clock." }), "{answer}");
        assert!(hours.starts_with(&[json!(9), json!(10), json!(11)]), "{hours:?}");
    });
}
