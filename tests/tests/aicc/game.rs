//! A game that agents play in these tests.

use ludwire::{Aicc, Budget, Builder, Call, Event, Host, ToolError, registered, tool};
use ludwire_tests::agent::Agent;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[derive(Default)]
pub(crate) struct World {
    orcs: u32,
    ticks: u32,
}

/// Spawns an orc.
#[tool("world/spawn-orc", class = generator)]
fn spawn_orc(world: &mut World) -> u32 {
    world.orcs += 1;
    world.orcs
}

/// Looks around.
#[tool("world/look", class = sensor)]
fn look(world: &World, call: &Call) -> u32 {
    call.emit(&Looked { orcs: world.orcs });
    world.orcs
}

/// Somebody looks.
#[derive(Serialize, JsonSchema, Event)]
#[event("world/looked")]
struct Looked {
    orcs: u32,
}

/// Echoes.
#[tool("test/echo", lenient)]
fn echo(text: String) -> String {
    text
}

/// Rings a bell.
#[tool("bell/ring", limits(per_minute = 2, per_session = 3))]
fn ring() {}

/// Opens the gate.
#[tool("gate/open", requires = ["gate:see", "gate:open"])]
fn open() {}

/// Fails as it is told.
#[tool("test/fail")]
fn fail(how: String) -> Result<u32, ToolError> {
    match how.as_str() {
        "again" => Err(ToolError::failed("not yet").retryable()),
        "missing" => Err(ToolError::missing("it is not there")),
        "panic" => panic!("as it is told"),
        "unavailable" => Err(ToolError::unavailable("closed on Mondays")),
        _ => Err(ToolError::failed("never")),
    }
}

/// Takes too long.
#[tool("test/slow", timeout = 0.05)]
fn slow() {
    std::thread::sleep(Duration::from_millis(300));
}

/// Waits for the game, in vain.
#[tool("test/stalled", timeout = 0.05)]
fn stalled(_: &World) {}

/// Sleeps.
#[tool("test/sleep")]
fn sleep(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

/// Gives a long text.
#[tool("test/fill")]
fn fill(count: usize) -> String {
    "x".repeat(count)
}

/// Gives a long text, after a while.
#[tool("test/late")]
async fn late(count: usize) -> String {
    tokio::time::sleep(Duration::from_millis(500)).await;
    "x".repeat(count)
}

/// A game on a thread of its own, until it is dropped.
pub(crate) struct Game {
    pub(crate) host: Arc<Host<World>>,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Game {
    pub(crate) fn start(setting: impl FnOnce(Aicc) -> Aicc) -> Self {
        let game = Self::still(setting);
        game.go_on()
    }

    /// One that stands still.
    pub(crate) fn still(setting: impl FnOnce(Aicc) -> Aicc) -> Self {
        Self::of(|builder| builder.serve(setting(Aicc::websocket(0).without_token())))
    }

    /// One that serves as it is told, and stands still.
    pub(crate) fn of(setting: impl FnOnce(Builder<World>) -> Builder<World>) -> Self {
        let host = setting(Host::builder("Orcs", "1").tools(registered::<World>())).start();
        Self { host: Arc::new(host.expect("it starts")), stop: Arc::default(), thread: None }
    }

    /// Ends it, and gives nothing back before that is done.
    pub(crate) fn end(mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().expect("it runs").join().expect("it ends");
        assert_eq!(Arc::strong_count(&self.host), 1);
    }

    /// Runs it on a thread of its own.
    pub(crate) fn go_on(mut self) -> Self {
        let (host, stop) = (Arc::clone(&self.host), Arc::clone(&self.stop));
        self.thread = Some(std::thread::spawn(move || {
            let mut world = World::default();
            while !stop.load(Ordering::Relaxed) {
                host.run(&mut world, Budget::millis(4));
                world.ticks += u32::from(host.should_tick());
                std::thread::sleep(Duration::from_millis(2));
            }
        }));
        self
    }

    pub(crate) fn address(&self) -> &str {
        &self.host.endpoints()[0].address
    }

    pub(crate) fn agent(&self) -> Agent {
        Agent::of(self.address())
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The message of an error of that code.
pub(crate) fn error<'a>(message: &'a Value, code: &str) -> &'a str {
    assert_eq!(message["error"]["code"], code, "{message}");
    message["error"]["message"].as_str().expect("a text")
}
