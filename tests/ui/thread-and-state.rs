use ludwire::{Call, Res, tool};

struct World;
struct Names;

/// Looks.
#[tool("world/look", thread = worker)]
fn look(_call: &Call, _names: &Res<Names>, world: &World) {
    let _ = world;
}

/// Spawns.
#[tool("world/spawn", thread = worker)]
fn spawn(world: &mut World) {
    let _ = world;
}

/// Waits.
#[tool("world/wait", thread = game)]
async fn wait() {}

/// Runs somewhere.
#[tool("world/run", thread = "main")]
fn run() {}

fn main() {
    run();
    let _ = Names;
}
