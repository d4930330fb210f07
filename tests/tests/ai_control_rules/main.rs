//! Every rule of AiControl's catalogue, by a test that has its id as its name.

mod commands;
mod errors;
mod integration;
mod methods;
mod security;
mod validation;
mod wire;

use ludwire::{AiControl, Budget, Call, Event, Host, ToolError, observe, registered, tool};
use ludwire_tests::TOKEN_VARIABLE;
use ludwire_tests::ai_control::{Client, refusal};
use ludwire_tests::arena::{Arena, agent, wait_for};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{JoinHandle, ThreadId};

#[derive(Default)]
struct World {
    steps: u32,
    thread: Option<ThreadId>,
}

/// All that the protocol has a name for.
#[derive(Serialize, JsonSchema)]
struct Aimed {
    target: String,
    item: Option<u32>,
    aux: Option<i64>,
    at: (i32, i32),
    on_screen: (i32, i32),
    int: i32,
    string: String,
    append: bool,
}

/// Takes what the protocol has a name for.
#[tool("unit/aim")]
#[expect(clippy::too_many_arguments, reason = "all of them are the point")]
fn aim(
    #[arg(default = "nobody")] target_id: String,
    item_id: Option<u32>,
    aux_id: Option<i64>,
    #[arg(default)] x: i32,
    #[arg(default)] y: i32,
    #[arg(default)] screen_x: i32,
    #[arg(default)] screen_y: i32,
    #[arg(default)] int_arg: i32,
    #[arg(default)] string_arg: String,
    #[arg(default)] append: bool,
) -> Aimed {
    Aimed {
        target: target_id,
        item: item_id,
        aux: aux_id,
        at: (x, y),
        on_screen: (screen_x, screen_y),
        int: int_arg,
        string: string_arg,
        append,
    }
}

/// Something steps.
#[derive(Serialize, JsonSchema, Event)]
#[event("unit/stepped")]
struct Stepped {
    steps: u32,
}

/// Makes a step.
#[tool("unit/step")]
fn step(world: &mut World, call: &Call) -> u32 {
    world.steps += 1;
    world.thread = Some(std::thread::current().id());
    call.emit(&Stepped { steps: world.steps });
    world.steps
}

/// Fails.
#[tool("unit/fail")]
fn fail(_: &mut World) -> Result<(), ToolError> {
    Err(ToolError::failed("the door is locked"))
}

/// Panics.
#[tool("unit/panic")]
fn panics(_: &mut World) {
    panic!("it does");
}

#[derive(Serialize, JsonSchema)]
struct Seen {
    steps: u32,
}

#[observe]
fn seen(world: &World) -> Seen {
    Seen { steps: world.steps }
}

/// A host, and a thread that plays the game.
struct Game {
    address: String,
    stop: Arc<AtomicBool>,
    /// While it is set, the game stands still.
    pause: Arc<AtomicBool>,
    loops: Arc<AtomicU32>,
    thread: Option<JoinHandle<World>>,
}

impl Game {
    fn start(front_end: AiControl) -> Self {
        let host = Host::builder("Rules", "1")
            .tools(registered::<World>())
            .serve(front_end)
            .start()
            .expect("it starts");
        let address = host.endpoints()[0].address.clone();
        let (stop, pause, loops) =
            (Arc::<AtomicBool>::default(), Arc::<AtomicBool>::default(), Arc::default());
        let thread = {
            let (stop, pause, loops) =
                (Arc::clone(&stop), Arc::clone(&pause), Arc::<AtomicU32>::clone(&loops));
            std::thread::spawn(move || {
                let mut world = World::default();
                while !stop.load(Ordering::Acquire) {
                    if !pause.load(Ordering::Acquire) {
                        host.run(&mut world, Budget::millis(4));
                    }
                    loops.fetch_add(1, Ordering::AcqRel);
                    std::thread::yield_now();
                }
                world
            })
        };
        Self { address, stop, pause, loops, thread: Some(thread) }
    }

    fn open() -> Self {
        Self::start(AiControl::on(0).without_token())
    }

    /// Stands still from now on.
    fn pause(&self) {
        self.pause.store(true, Ordering::Release);
        let before = self.loops.load(Ordering::Acquire);
        wait_for("the game to stand still", || {
            (self.loops.load(Ordering::Acquire) > before + 1).then_some(())
        });
    }

    fn go_on(&self) {
        self.pause.store(false, Ordering::Release);
    }

    fn client(&self) -> Client {
        Client::connect(&self.address)
    }

    fn end(mut self) -> World {
        self.stop.store(true, Ordering::Release);
        self.thread.take().expect("it runs").join().expect("the game does not panic")
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

fn token() -> String {
    TOKEN_VARIABLE.1.clone()
}

fn guarded() -> Game {
    Game::start(AiControl::on(0).token_env(&TOKEN_VARIABLE.0))
}

const PARSE: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const UNAUTHORIZED: i64 = -32001;
const QUEUE_FULL: i64 = -32002;

/// Why a host with this front end does not start.
fn refused(front_end: AiControl) -> (String, String) {
    let shown = format!("{front_end:?}");
    let builder = Host::builder("Rules", "1").tools(registered::<World>());
    (builder.serve(front_end).start().expect_err("it must not start").to_string(), shown)
}

/// Rules that no library can see to.
const DUTIES: [&str; 6] = [
    "integration.native-extension",
    "integration.mcp-boundary",
    "security.server-authority",
    "security.plaintext",
    "validation.project-native",
    "validation.gameplay-authority",
];

#[test]
fn every_rule_has_its_test() {
    let folder = ludwire_tests::workspace();
    let file = |path: &str| std::fs::read_to_string(folder.join(path)).expect("the file is there");
    let catalogue: Value =
        serde_json::from_str(&file("schemas/aicontrol/AiControlProtocol.json")).expect("JSON");
    let lists = catalogue.as_object().expect("an object").values().filter_map(Value::as_array).flatten();
    let ids: BTreeSet<&str> = lists.filter_map(|entry| entry["id"].as_str()).collect();
    assert_eq!(ids.len(), 49);
    let mut tests = String::new();
    for folder in ["tests/tests", "tests/tests/ai_control_rules"].map(|below| folder.join(below)) {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            if path.extension().is_some() {
                tests += &std::fs::read_to_string(path).expect("it is text");
            }
        }
    }
    let page = file("generated/docs/aicontrol/enforcement.md");
    for id in ids {
        let name = id.replace(['.', '-'], "_");
        let is_tested = tests.contains(&format!("#[test]\nfn {name}() {{"));
        let rule = id.strip_prefix("ai-control-protocol.").expect("ids begin so");
        assert_eq!(is_tested, !DUTIES.contains(&rule), "{id}");
        let row =
            page.lines().find(|line| line.starts_with(&format!("| [`{id}`]("))).expect("a row of the page");
        assert_eq!(row.ends_with(&format!("| `{name}` |")), is_tested, "{row}");
    }
}
