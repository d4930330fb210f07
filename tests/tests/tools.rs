//! Tools as a game writes them, called through a host.

use ludwire::{Call, Host, ToolError, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

struct Arena {
    spawned: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Point {
    x: i32,
    y: i32,
}

/// Spawns an orc.
#[tool("world/spawn_orc", class = generator, tags = ["spawn"], version = "1.0")]
fn spawn_orc(
    arena: &mut Arena,
    call: &Call,
    /// Where, in tiles.
    at: Point,
    #[arg(default = 10, range = 1..=100)] hp: u32,
    #[arg(len = 1..=20, pattern = "^[a-z]+$", rename = "label")] name: Option<String>,
) -> Result<u32, ToolError> {
    call.emit("world/spawned", &at);
    arena.spawned.push(format!("{name:?} {hp} {},{}", at.x, at.y));
    Ok(arena.spawned.len() as u32)
}

#[test]
fn first() {
    let host = Host::builder("Arena", "1").tools(ludwire::registered::<Arena>()).build().expect("builds");
    let mut arena = Arena { spawned: Vec::new() };
    let result = host.call(&mut arena, "world/spawn_orc", json!({ "at": { "x": 1, "y": 2 } }));
    println!("{:#}", host.manifest());
    assert_eq!(result, Ok(json!({ "result": 1 })));
}
