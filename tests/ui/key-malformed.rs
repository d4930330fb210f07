use ludwire::tool;

/// Spawns.
#[tool("world/spawn" title = "Spawn", tags = [;], class = sensr)]
fn spawn() {}

/// Spawns.
#[tool("world/spawn_more", title "Spawn", class = sensr, tags = ["a"] "b", version)]
fn spawn_more(#[arg(range = ..=, len = 1..=2, 7)] count: u32) {
    let _ = count;
}

fn main() {
    spawn_more(1);
}
