//! What a call of a tool costs over the function itself: from the text of its arguments to the function,
//! and from there to its result. Beside it stands what a person would write with serde's derive, which
//! checks less and has no call around it.
//!
//! After divan's table comes one of times and ratios. For it all ways take turns, round after round, so
//! that whatever else the machine does hits all of them; a number is the median of the rounds.

use divan::{Bencher, black_box};
use ludwire::{Host, registered, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::{Duration, Instant};

fn main() {
    divan::main();
    table();
}

/// The state of the game.
#[derive(Default)]
pub struct World {
    spawned: u64,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Orc,
    Elf,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Spawned {
    id: u32,
    at: Point,
}

/// Puts something new on a tile.
#[tool("world/spawn")]
#[inline(never)]
fn spawn(
    world: &mut World,
    /// What it is.
    kind: Kind,
    /// Where it appears.
    at: Point,
    /// Hit points.
    #[arg(range = 1..=100)]
    hp: u32,
    /// What it is called.
    #[arg(len = 1..=40)]
    name: String,
) -> Spawned {
    world.spawned += u64::from(hp) + name.len() as u64 + kind as u64;
    Spawned { id: world.spawned as u32, at }
}

/// The same, from a struct.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spawn {
    kind: Kind,
    at: Point,
    hp: u32,
    name: String,
}

const TEXT: &str = r#"{"kind":"orc","at":{"x":12,"y":7},"hp":35,"name":"Grishnak of the north"}"#;

/// What is right, but not as it is usually written: `35.0`.
const UNUSUAL: &str = r#"{"kind":"orc","at":{"x":12,"y":7},"hp":35.0,"name":"Grishnak of the north"}"#;

struct Bench {
    host: Host<World>,
    world: World,
    arguments: Value,
}

type Way = fn(&mut Bench);

const WAYS: [(&str, Way); 6] = [
    ("function", function),
    ("derived", derived),
    ("derived, by value", derived_by_value),
    ("tool", tool_by_text),
    ("tool, unusual text", tool_by_unusual_text),
    ("tool, by value", tool_by_value),
];

impl Bench {
    fn new() -> Self {
        let host = Host::builder("World", "1").tools(registered()).build().expect("the tool is right");
        let arguments = serde_json::from_str(TEXT).expect("it is JSON");
        Self { host, world: World::default(), arguments }
    }
}

/// With arguments that are there, as far as they can be, and no result to write.
fn function(bench: &mut Bench) {
    let name = black_box("Grishnak of the north").to_owned();
    let at = Point { x: 12, y: 7 };
    black_box(spawn(&mut bench.world, black_box(Kind::Orc), black_box(at), black_box(35), name));
}

/// From text to text, by derived code.
fn derived(bench: &mut Bench) {
    let Spawn { kind, at, hp, name } = serde_json::from_str(black_box(TEXT)).expect("it is right");
    let spawned = spawn(&mut bench.world, kind, at, hp, name);
    black_box(serde_json::to_string(&spawned).expect("it is JSON"));
}

/// From a value to a value, by derived code.
fn derived_by_value(bench: &mut Bench) {
    let arguments: Value = serde_json::from_str(black_box(TEXT)).expect("it is JSON");
    let Spawn { kind, at, hp, name } = serde_json::from_value(arguments).expect("it is right");
    let spawned = spawn(&mut bench.world, kind, at, hp, name);
    black_box(serde_json::to_value(&spawned).expect("it is JSON"));
}

fn tool_by_text(bench: &mut Bench) {
    let result = bench.host.call_json(&mut bench.world, black_box("world/spawn"), black_box(TEXT));
    black_box(result.expect("it is right"));
}

fn tool_by_unusual_text(bench: &mut Bench) {
    let result = bench.host.call_json(&mut bench.world, black_box("world/spawn"), black_box(UNUSUAL));
    black_box(result.expect("it is right"));
}

fn tool_by_value(bench: &mut Bench) {
    let arguments = black_box(&bench.arguments).clone();
    let result = bench.host.call(&mut bench.world, black_box("world/spawn"), arguments);
    black_box(result.expect("it is right"));
}

#[divan::bench(args = WAYS.map(|(name, _)| name))]
fn call(bencher: Bencher, name: &str) {
    let mut bench = Bench::new();
    let (_, way) = WAYS.iter().find(|way| way.0 == name).expect("it is one of them");
    bencher.bench_local(|| way(&mut bench));
}

const ROUNDS: usize = 401;
/// Long enough for the clock, short enough that the next way meets the same machine.
const TURN: Duration = Duration::from_micros(50);

fn table() {
    let mut bench = Bench::new();
    let calls = WAYS.map(|(_, way)| {
        (0..1000).for_each(|_| way(&mut bench));
        let start = Instant::now();
        (0..100).for_each(|_| way(&mut bench));
        (TURN.as_nanos() * 100 / start.elapsed().as_nanos().max(1)).clamp(1, 10_000) as u32
    });
    let mut times = [const { Vec::new() }; WAYS.len()];
    for round in 0..ROUNDS {
        // Who begins changes, so that nobody always comes after the same one.
        for way in (0..WAYS.len()).map(|at| (at + round) % WAYS.len()) {
            let start = Instant::now();
            (0..calls[way]).for_each(|_| WAYS[way].1(&mut bench));
            times[way].push(start.elapsed().as_nanos() as f64 / f64::from(calls[way]));
        }
    }
    let median = |numbers: &mut dyn Iterator<Item = f64>| {
        let mut numbers: Vec<f64> = numbers.collect();
        numbers.sort_by(f64::total_cmp);
        numbers[numbers.len() / 2]
    };
    println!("\n                        time   over the function   to derived");
    for (way, (name, _)) in WAYS.iter().enumerate() {
        let of_round = |round: usize| times[way][round] - times[0][round];
        let time = median(&mut times[way].iter().copied());
        let over = median(&mut (0..ROUNDS).map(of_round));
        let ratio = median(&mut (0..ROUNDS).map(|round| times[way][round] / times[1][round]));
        println!("{name:20} {time:6.0} ns           {over:6.0} ns       {ratio:5.2}x");
    }
}
