//! Async tools, and values that the host holds.

use ludwire::{
    Budget, BuildError, Call, Host, Res, ToolError, ToolErrorKind, Tools, registered, tool, tools,
};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

#[derive(Default)]
struct World {
    orcs: u32,
}

/// How often something happened.
#[derive(Default)]
struct Counter(AtomicU32);

#[tools]
impl World {
    /// Spawns an orc, after a while.
    #[tool("async/spawn")]
    async fn spawn(call: &Call, counter: &Res<Counter>, name: &str) -> Result<String, ToolError> {
        let before = call.on_game(|world: &mut World| world.orcs).await?;
        tokio::time::sleep(Duration::from_millis(5)).await;
        let after = call
            .on_game(|world: &mut World| {
                world.orcs += 1;
                world.orcs
            })
            .await?;
        counter.0.fetch_add(1, Ordering::Relaxed);
        Ok(format!("{name}: {before} {after}"))
    }
}

/// Asks for a state that the host does not have.
#[tool("async/wrong_state")]
async fn wrong_state(call: &Call) -> Result<(), ToolError> {
    call.on_game(|(): &mut ()| ()).await
}

/// Panics on the game's thread, or off it.
#[tool("async/panic")]
async fn panic(call: &Call, on_game: bool) -> Result<(), ToolError> {
    if on_game {
        return call.on_game(|_: &mut World| panic!("a secret")).await;
    }
    tokio::task::yield_now().await;
    panic!("a secret")
}

/// Panics when it is dropped.
struct Fragile;

impl Drop for Fragile {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

/// Holds the game's thread until it has given up what it has asked for beside.
#[tool("async/give_up")]
async fn give_up(call: &Call) -> Result<bool, ToolError> {
    let (release, held) = std::sync::mpsc::channel::<()>();
    let holding = call.on_game(move |_: &mut World| held.recv().is_ok());
    let giving_up = async move {
        let fragile = Fragile;
        tokio::select! {
            biased;
            _ = call.on_game(move |_: &mut World| drop(fragile)) => {}
            () = std::future::ready(()) => {}
        }
        release.send(())
    };
    tokio::join!(holding, giving_up).0
}

/// Two at one time.
#[tool("async/both")]
async fn both(call: &Call) -> Result<u32, ToolError> {
    let add = |n: u32| {
        call.on_game(move |world: &mut World| {
            world.orcs += n;
            world.orcs
        })
    };
    let (first, second) = tokio::join!(add(1), add(10));
    Ok(first? + second?)
}

/// Waits for the game where it cannot: on the game's thread.
#[tool("sync/wait")]
fn wait(_: &World, call: &Call) -> Result<u32, ToolError> {
    block_on(call.on_game(|world: &mut World| world.orcs))
}

/// Waits for the game on a worker.
#[tool("sync/wait_on_worker")]
fn wait_on_worker(call: &Call) -> Result<u32, ToolError> {
    block_on(call.on_game(|world: &mut World| world.orcs))
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("there is a thread");
    runtime.block_on(future)
}

/// Counts.
#[tool("res/count")]
fn count(world: &World, counter: &Res<Counter>) -> (u32, u32) {
    (world.orcs, counter.0.fetch_add(1, Ordering::Relaxed) + 1)
}

/// Counts, without the state.
#[tool("res/alone")]
fn alone(counter: &Res<Counter>) -> u32 {
    counter.0.fetch_add(1, Ordering::Relaxed) + 1
}

fn tools_here() -> Tools<World> {
    registered()
}

fn host() -> Host<World> {
    let builder = Host::builder("Async", "1").tools(tools_here()).hold(Counter::default());
    builder.build().expect("the tools of this file go together")
}

#[test]
fn an_async_tool_reaches_the_game() {
    let (host, mut world) = (host(), World { orcs: 3 });
    let spawned = host.call(&mut world, "async/spawn", json!({ "name": "Bob" }));
    assert_eq!(spawned, Ok(json!({ "result": "Bob: 3 4" })));
    assert_eq!(world.orcs, 4);
    assert_eq!(host.call(&mut world, "async/both", json!({})), Ok(json!({ "result": 5 + 15 })));
    let error = host.call(&mut world, "async/spawn", json!({ "nam": "Bob" })).expect_err("it is misspelled");
    assert_eq!(error.kind(), ToolErrorKind::InvalidArguments);
}

/// The game may be in somebody's async program: nothing of ours minds.
#[tokio::test]
async fn within_a_runtime_too() {
    let (host, mut world) = (host(), World::default());
    assert!(host.call(&mut world, "async/spawn", json!({ "name": "Bob" })).is_ok());
    drop(host);
    assert_eq!(world.orcs, 1);
}

#[test]
fn what_goes_wrong_is_an_error() {
    let (host, mut world) = (host(), World::default());
    let error = host.call(&mut world, "async/wrong_state", json!({})).expect_err("there is another state");
    assert_eq!(error.kind(), ToolErrorKind::Internal);
    assert!(error.message().contains("the game's state is no `()`"), "{error}");
    for on_game in [true, false] {
        let panicked = host.call(&mut world, "async/panic", json!({ "on_game": on_game }));
        let error = panicked.expect_err("it panics");
        assert_eq!(error.message(), "`async/panic` panicked; the game's log says why");
    }
    assert!(host.call(&mut world, "async/spawn", json!({ "name": "Bob" })).is_ok());
}

/// What would wait for itself for ever is an error at once.
#[test]
fn a_tool_that_holds_the_thread_cannot_wait_for_it() {
    let (host, mut world) = (host(), World::default());
    for name in ["sync/wait", "sync/wait_on_worker"] {
        let error = host.call(&mut world, name, json!({})).expect_err("it would wait for itself");
        assert_eq!(error.kind(), ToolErrorKind::Unavailable);
        assert!(error.message().starts_with("this tool holds the game's thread"), "{error}");
    }
}

/// What a tool leaves in the queue is no danger for the game's loop.
#[test]
fn what_panics_when_dropped_is_dropped_with_care() {
    let (host, mut world) = (host(), World::default());
    assert_eq!(host.call(&mut world, "async/give_up", json!({})), Ok(json!({ "result": true })));
    assert!(host.call(&mut world, "async/spawn", json!({ "name": "Bob" })).is_ok());
}

#[test]
fn what_the_host_holds_is_lent() {
    let (host, mut world) = (host(), World { orcs: 7 });
    assert_eq!(host.call(&mut world, "res/count", json!({})), Ok(json!({ "result": [7, 1] })));
    assert_eq!(host.call(&mut world, "res/alone", json!({})), Ok(json!({ "result": 2 })));
    let annotations = &host.manifest()["annotations"];
    let thread = |tool: &str| annotations[tool]["thread"].clone();
    assert_eq!(
        [thread("res/count"), thread("res/alone"), thread("async/both")],
        ["game", "worker", "async"].map(Value::from)
    );
}

#[test]
fn a_host_that_does_not_hold_it_is_refused() {
    let built = Host::builder("Async", "1").tools(tools_here()).build();
    let Err(BuildError::Setting(text)) = built else { panic!("it was built") };
    for name in ["async/spawn", "res/alone", "res/count"] {
        assert!(text.contains(&format!("the tool `{name}` at tests/tests/tools_async.rs:")), "{text}");
    }
    assert!(text.contains("it takes a `&Res<tools_async::Counter>`, and the host holds none"), "{text}");
    let twice = Host::<World>::builder("Async", "1").hold(1_u8).hold(2_u8).build();
    assert!(matches!(twice, Err(BuildError::Setting(text)) if text.contains("two `u8`")));
}

/// Over a connection: queues, deadlines and peers that go.
mod served {
    use super::*;
    use ludwire::Gabp;
    use ludwire_tests::arena::{Peer, request, wait_for};

    /// Futures of [`forever`] that have begun, and that have been dropped.
    static BEGUN: AtomicU32 = AtomicU32::new(0);
    static DROPPED: AtomicU32 = AtomicU32::new(0);

    struct OnDrop;

    impl Drop for OnDrop {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::SeqCst);
            // Whatever it does, the call has its answer.
            panic!("dropped");
        }
    }

    /// Never ends.
    #[tool("async/forever", timeout = 0.2)]
    async fn forever() {
        let _on_drop = OnDrop;
        std::future::pending::<()>().await;
    }

    /// Never ends either, and has time.
    #[tool("async/patient", timeout = 300)]
    async fn patient() {
        BEGUN.fetch_add(1, Ordering::SeqCst);
        forever().await;
    }

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    /// A game and a peer.
    fn served(name: &str) -> (Host<World>, Peer) {
        let file = std::env::temp_dir().join(format!("ludwire-{name}-{}.json", std::process::id()));
        let host = Host::builder("Async", "1")
            .tools(tools_here())
            .hold(Counter::default())
            .serve(Gabp::tcp("127.0.0.1:0").token(TOKEN).bridge_file(file))
            .start()
            .expect("it listens");
        let peer = Peer::welcome(&host.endpoints()[0].address, TOKEN);
        (host, peer)
    }

    /// What a peer is answered while the game runs.
    fn answer(host: &Host<World>, mut peer: Peer, name: &'static str, arguments: Value) -> Value {
        let calling = std::thread::spawn(move || peer.call(name, arguments));
        let mut world = World::default();
        wait_for("the answer", || {
            host.run(&mut world, Budget::millis(4));
            calling.is_finished().then_some(())
        });
        calling.join().expect("it does not panic")
    }

    #[test]
    fn a_peer_calls_an_async_tool() {
        let (host, peer) = served("async");
        let answer = answer(&host, peer, "async/spawn", json!({ "name": "Eve" }));
        assert_eq!(answer["result"], json!({ "result": "Eve: 0 1" }), "{answer}");
    }

    #[test]
    fn a_worker_can_wait_for_the_game_and_the_game_not_for_itself() {
        let (host, peer) = served("worker");
        let waited = answer(&host, peer, "sync/wait_on_worker", json!({}));
        assert_eq!(waited["result"], json!({ "result": 0 }), "{waited}");
        let (host, peer) = served("itself");
        let refused = answer(&host, peer, "sync/wait", json!({}));
        let message = refused["error"]["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("this tool holds the game's thread"), "{refused}");
    }

    #[test]
    fn a_call_that_waits_is_told_that_its_tool_has_gone() {
        let (host, mut peer) = served("disabled");
        let mut world = World::default();
        let mut run = || {
            wait_for("a call", || {
                let ran = host.run(&mut world, Budget::millis(4).calls(1));
                (ran.ran == 1).then_some(ran.waiting)
            })
        };
        let codes = |peer: &mut Peer| {
            let mut read = || peer.read().expect("an answer")["error"]["code"].as_i64();
            [read(), read()]
        };
        // Both may wait, or one not yet.
        loop {
            for number in [1, 2] {
                peer.send(&request(number, "tools/call", &json!({ "name": "res/count" })));
            }
            if run() == 1 {
                break;
            }
            run();
            assert_eq!(codes(&mut peer), [None, None]);
        }
        assert!(host.disable_tool("res/count"));
        run();
        let mut codes = codes(&mut peer);
        codes.sort_unstable();
        assert_eq!(codes, [None, Some(-32400)]);
        assert!(host.enable_tool("res/count"));
    }

    /// In one test, since both count.
    #[test]
    fn a_future_is_dropped_at_its_deadline_and_when_its_peer_goes() {
        let (_host, mut peer) = served("forever");
        let refused = peer.call("async/forever", json!({}));
        assert_eq!(refused["error"]["message"], "`async/forever` did not finish within 0.2 s", "{refused}");
        assert_eq!(DROPPED.load(Ordering::SeqCst), 1);
        peer.send(&request(2, "tools/call", &json!({ "name": "async/patient" })));
        wait_for("the tool to begin", || (BEGUN.load(Ordering::SeqCst) == 1).then_some(()));
        drop(peer);
        wait_for("the future to be dropped", || (DROPPED.load(Ordering::SeqCst) == 2).then_some(()));
    }
}
