use ludwire::tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Size(u32);

#[derive(Deserialize, Serialize, JsonSchema)]
struct Place(u32);

/// Spawns.
#[tool("world/spawn")]
fn spawn(#[arg(default = Size(1))] size: Size, #[arg(default)] place: Place) {
    let _ = (size.0, place.0);
}

fn main() {}
