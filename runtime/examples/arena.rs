//! A small tile world that agents can play.
//!
//! ```text
//! cargo run -p ludwire --example arena -- --gabp 127.0.0.1:0 --ai-control 127.0.0.1:0 --aicc 127.0.0.1:0
//! ```
//!
//! When it is ready it prints one line of JSON, where it listens and which file holds the token, and
//! nothing else; the map is drawn when standard output is a terminal. The token comes from
//! `ARENA_TOKEN`, else a fresh one stands in the bridge file. SIGINT and SIGTERM end it.

use clap::Parser;
use ludwire::protocols::aicc::WorldKind;
use ludwire::{AiControl, Aicc, Budget, Call, Event, Gabp, Host, ToolError, observe, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const WIDTH: u32 = 16;
const HEIGHT: u32 = 12;
/// Tiles that nobody can enter.
const WALLS: [Point; 6] = [
    Point { x: 5, y: 3 },
    Point { x: 5, y: 4 },
    Point { x: 5, y: 5 },
    Point { x: 10, y: 7 },
    Point { x: 11, y: 7 },
    Point { x: 12, y: 7 },
];
const TICK: Duration = Duration::from_millis(50);
/// What an attack takes from its target.
const DAMAGE: u32 = 4;

/// A tile of the map, counted from the top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Point {
    /// Column, 0 to 15.
    x: u32,
    /// Row, 0 to 11.
    y: u32,
}

/// What something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Orc,
    Elf,
    Chest,
}

/// Something in the arena.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Entity {
    /// By which other tools know it.
    id: u32,
    /// What it is.
    kind: Kind,
    /// Where it stands.
    at: Point,
    /// Hit points; at 0 it is gone.
    hp: u32,
}

/// All that there is to see.
#[derive(Serialize, JsonSchema)]
struct Look {
    /// Ticks since the arena opened, 20 in a second.
    tick: u32,
    /// Everything in the arena, by id.
    entities: Vec<Entity>,
}

/// Something new.
#[derive(Serialize, JsonSchema)]
struct Spawned {
    /// Its id.
    id: u32,
}

/// What an attack did.
#[derive(Serialize, JsonSchema)]
struct Attacked {
    /// Hit points that the target has left.
    hp: u32,
    /// The target is gone.
    defeated: bool,
}

/// Somebody says something.
#[derive(Serialize, JsonSchema, Event)]
#[event("chat/said")]
struct Said {
    /// What is said.
    text: String,
    /// When.
    tick: u32,
}

#[derive(Default)]
struct Arena {
    tick: u32,
    next_id: u32,
    entities: BTreeMap<u32, Entity>,
}

impl Arena {
    fn get(&mut self, id: u32) -> Result<&mut Entity, ToolError> {
        let ids: Vec<String> = self.entities.keys().map(u32::to_string).collect();
        let there = if ids.is_empty() { "nothing".to_owned() } else { ids.join(", ") };
        self.entities
            .get_mut(&id)
            .ok_or_else(|| ToolError::failed(format!("there is no {id} in the arena; there is {there}")))
    }

    /// Whether somebody could stand on a tile; if not, why.
    fn check_free(&self, at: Point) -> Result<(), ToolError> {
        let Point { x, y } = at;
        if x >= WIDTH || y >= HEIGHT {
            let (right, bottom) = (WIDTH - 1, HEIGHT - 1);
            return Err(ToolError::failed(format!(
                "the tile {x},{y} is outside the arena, which goes from 0,0 to {right},{bottom}"
            )));
        }
        if WALLS.contains(&at) {
            return Err(ToolError::failed(format!("the tile {x},{y} is blocked by a wall")));
        }
        match self.entities.values().find(|entity| entity.at == at) {
            Some(other) => {
                let kind = format!("{:?}", other.kind).to_lowercase();
                Err(ToolError::failed(format!("the tile {x},{y} is blocked by {kind} {}", other.id)))
            }
            None => Ok(()),
        }
    }
}

/// Shows everything in the arena, and the tick.
#[tool("world/look", class = sensor)]
fn look(arena: &Arena) -> Look {
    Look { tick: arena.tick, entities: arena.entities.values().cloned().collect() }
}

/// What an agent sees that asks for no tool.
#[observe]
fn seen(arena: &Arena) -> Look {
    look(arena)
}

/// Puts something new on a free tile.
///
/// Fails when the tile is blocked or outside the arena.
#[tool("world/spawn", class = generator, examples = [{ "kind": "orc", "at": { "x": 1, "y": 2 } }])]
fn spawn(
    arena: &mut Arena,
    /// What it is.
    kind: Kind,
    /// Where it appears.
    at: Point,
    /// Hit points.
    #[arg(default = 10, range = 1..=100)]
    hp: u32,
) -> Result<Spawned, ToolError> {
    arena.check_free(at)?;
    arena.next_id += 1;
    let id = arena.next_id;
    arena.entities.insert(id, Entity { id, kind, at, hp });
    Ok(Spawned { id })
}

/// Moves an orc or elf to a free tile, any distance away.
///
/// Fails when the tile is blocked, and says which and by what.
#[tool("unit/move", class = actuator, examples = [{ "id": 1, "to": { "x": 2, "y": 3 } }])]
fn move_unit(
    arena: &mut Arena,
    /// Who moves.
    id: u32,
    /// Where to.
    to: Point,
) -> Result<Entity, ToolError> {
    let unit = arena.get(id)?.clone();
    if unit.kind == Kind::Chest {
        return Err(ToolError::failed(format!("{id} is a chest, which cannot move")));
    }
    if unit.at != to {
        arena.check_free(to)?;
    }
    let unit = arena.get(id)?;
    unit.at = to;
    Ok(unit.clone())
}

/// Attacks something on a tile next to an orc or elf, which takes 4 hit points from it.
#[tool("unit/attack", class = actuator, examples = [{ "id": 1, "target": 2 }])]
fn attack(
    arena: &mut Arena,
    /// Who attacks.
    id: u32,
    /// The id of what is attacked.
    target: u32,
) -> Result<Attacked, ToolError> {
    let attacker = arena.get(id)?.clone();
    if attacker.kind == Kind::Chest {
        return Err(ToolError::failed(format!("{id} is a chest, which cannot attack")));
    }
    if id == target {
        return Err(ToolError::failed(format!("{id} cannot attack itself")));
    }
    let victim = arena.get(target)?;
    if victim.at.x.abs_diff(attacker.at.x) > 1 || victim.at.y.abs_diff(attacker.at.y) > 1 {
        let Point { x, y } = victim.at;
        return Err(ToolError::failed(format!("{target} stands on {x},{y}, too far away from {id}")));
    }
    victim.hp = victim.hp.saturating_sub(DAMAGE);
    let hp = victim.hp;
    if hp == 0 {
        arena.entities.remove(&target);
    }
    Ok(Attacked { hp, defeated: hp == 0 })
}

/// Says something to everybody who listens to the event chat/said.
#[tool("chat/say", class = actuator, tags = ["chat"], examples = [{ "text": "Hello!" }])]
fn say(
    arena: &Arena,
    call: &Call,
    /// What is said.
    #[arg(len = 1..=200)]
    text: String,
) {
    call.emit(&Said { text, tick: arena.tick });
}

/// Sleeps on a worker, while the game goes on.
#[tool("debug/sleep", class = sensor, tags = ["debug"], examples = [{ "ms": 500 }])]
fn sleep(
    call: &Call,
    /// How long, in milliseconds.
    #[arg(range = 0..=60_000)]
    ms: u32,
) -> Result<(), ToolError> {
    let end = Instant::now() + Duration::from_millis(ms.into());
    while let Some(left) = end.checked_duration_since(Instant::now()) {
        if call.is_cancelled() {
            return Err(ToolError::failed("nobody waits any more"));
        }
        std::thread::sleep(left.min(Duration::from_millis(20)));
    }
    Ok(())
}

/// Panics, to show that the game lives on.
#[tool("debug/crash", class = actuator, tags = ["debug"])]
fn crash(_arena: &mut Arena) {
    panic!("somebody called debug/crash");
}

/// A small tile world that agents can play.
#[derive(Parser)]
struct Options {
    /// Serve GABP on this address of the loopback, where port 0 is any free one; on a Unix socket with
    /// unix:PATH; or over standard input and output with stdio.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    gabp: String,

    /// Serve AiControl as well, on this address of the loopback.
    #[arg(long, value_name = "ADDRESS")]
    ai_control: Option<String>,

    /// Serve AICC as well, on this address of the loopback; on a Unix socket with unix:PATH; or over
    /// standard input and output with stdio.
    #[arg(long, value_name = "ADDRESS")]
    aicc: Option<String>,

    /// Write the bridge file here instead of at its usual place.
    #[arg(long, value_name = "FILE")]
    bridge_file: Option<PathBuf>,

    /// Print what the arena offers as JSON, and exit.
    #[arg(long)]
    manifest: bool,
}

fn main() -> ExitCode {
    // The map, or messages, go to standard output.
    tracing_subscriber::fmt().with_writer(io::stderr).init();
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("arena: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let builder = Host::builder("Arena", env!("CARGO_PKG_VERSION")).tools(ludwire::registered::<Arena>());
    if options.manifest {
        writeln!(io::stdout(), "{:#}", builder.build()?.manifest())?;
        return Ok(());
    }
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    let mut gabp = transport(&options.gabp).token_env("ARENA_TOKEN");
    if let Some(path) = &options.bridge_file {
        gabp = gabp.bridge_file(path);
    }
    let mut builder = builder.serve(gabp);
    if let Some(address) = &options.ai_control {
        builder = builder.serve(AiControl::at(address).token_env("ARENA_TOKEN"));
    }
    if let Some(address) = &options.aicc {
        let ticks = 1.0 / TICK.as_secs_f64();
        let aicc = aicc_transport(address).token_env("ARENA_TOKEN");
        builder = builder.serve(aicc.world("Arena", WorldKind::N2d).tick_rate(ticks));
    }
    let host = builder.start()?;
    let ready: serde_json::Map<_, _> = host
        .endpoints()
        .iter()
        .map(|end| {
            let name = if end.protocol == "aicontrol" { "aiControl" } else { end.protocol };
            (name.to_owned(), json!({ "address": end.address, "bridgeFile": end.bridge_file }))
        })
        .collect();
    writeln!(io::stdout(), "{}", json!(ready))?;
    io::stdout().flush()?;

    let screen = io::stdout().is_terminal();
    let addresses: Vec<String> =
        host.endpoints().iter().map(|end| format!("{} {}", end.protocol, end.address)).collect();
    let addresses = addresses.join(", ");
    let mut arena = Arena::default();
    let mut next = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        host.run(&mut arena, Budget::millis(4));
        arena.tick += 1;
        if screen {
            draw(&arena, &addresses)?;
        }
        next += TICK;
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    Ok(())
}

#[cfg(unix)]
fn transport(address: &str) -> Gabp {
    match address.strip_prefix("unix:") {
        Some(path) => Gabp::unix(path),
        None if address == "stdio" => Gabp::stdio(),
        None => Gabp::tcp(address),
    }
}

#[cfg(not(unix))]
fn transport(address: &str) -> Gabp {
    Gabp::tcp(address)
}

#[cfg(unix)]
fn aicc_transport(address: &str) -> Aicc {
    match address.strip_prefix("unix:") {
        Some(path) => Aicc::unix(path),
        None if address == "stdio" => Aicc::stdio(),
        None => Aicc::at(address),
    }
}

#[cfg(not(unix))]
fn aicc_transport(address: &str) -> Aicc {
    Aicc::at(address)
}

/// Draws the map, over the last one, and says where the arena is played.
fn draw(arena: &Arena, addresses: &str) -> io::Result<()> {
    let mut map = String::from("\x1b[H\x1b[J");
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let at = Point { x, y };
            let there = arena.entities.values().find(|entity| entity.at == at);
            map.push(match there.map(|entity| entity.kind) {
                Some(Kind::Orc) => 'O',
                Some(Kind::Elf) => 'E',
                Some(Kind::Chest) => '$',
                None if WALLS.contains(&at) => '#',
                None => '.',
            });
            map.push(' ');
        }
        map.push('\n');
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{map}tick {}, {} in the arena; {addresses}; Ctrl-C ends it",
        arena.tick,
        arena.entities.len()
    )?;
    out.flush()
}
