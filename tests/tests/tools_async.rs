//! Async tools, and values that the host holds.

use ludwire::{
    Budget, BuildError, Call, Host, Res, ToolError, ToolErrorKind, Tools, registered, tool, tools,
};
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
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
        assert_eq!(error.message(), "the tool `async/panic` panicked; the game's log says why");
    }
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
    use ludwire::client::{Client, Target};
    use std::path::PathBuf;
    use std::time::Instant;

    /// Set when a future of [`forever`] is dropped.
    static DROPPED: AtomicBool = AtomicBool::new(false);

    struct OnDrop;

    impl Drop for OnDrop {
        fn drop(&mut self) {
            DROPPED.store(true, Ordering::SeqCst);
        }
    }

    /// Never ends.
    #[tool("async/forever", timeout = 0.2)]
    async fn forever() {
        let _on_drop = OnDrop;
        std::future::pending::<()>().await;
    }

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn served(name: &str) -> (Host<World>, Client) {
        let file: PathBuf = std::env::temp_dir().join(format!("ludwire-{name}-{}.json", std::process::id()));
        let host = Host::builder("Async", "1")
            .tools(tools_here())
            .hold(Counter::default())
            .serve(Gabp::tcp("127.0.0.1:0").token(TOKEN).bridge_file(file))
            .start()
            .expect("it listens");
        let target = Target { address: host.endpoints()[0].address.clone(), token: TOKEN.to_owned() };
        let client = Client::connect(&target).expect("it answers");
        (host, client)
    }

    #[test]
    fn a_peer_calls_an_async_tool() {
        let (host, mut client) = served("async");
        let arguments = Map::from_iter([("name".to_owned(), json!("Eve"))]);
        let calling = std::thread::spawn(move || client.call("async/spawn", arguments));
        let mut world = World::default();
        let start = Instant::now();
        while !calling.is_finished() && start.elapsed() < Duration::from_secs(60) {
            host.run(&mut world, Budget::millis(4));
            std::thread::sleep(Duration::from_millis(1));
        }
        let answer = calling.join().expect("it does not panic").expect("it succeeds");
        assert_eq!(answer, json!({ "result": "Eve: 0 1" }));
    }

    #[test]
    fn at_its_deadline_the_future_is_dropped() {
        let (_host, mut client) = served("forever");
        let error = client.call("async/forever", Map::new()).expect_err("it never ends");
        assert!(error.to_string().contains("`async/forever` did not finish within 0.2 s"), "{error}");
        assert!(DROPPED.load(Ordering::SeqCst));
    }
}
