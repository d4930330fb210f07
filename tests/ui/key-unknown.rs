use ludwire::tool;

/// Spawns.
#[tool("world/spawn", tag = ["spawn"], colour = "red", limit(per_minute = 60))]
fn spawn(#[arg(defualt = 1, regex = "^a$", nick = "n")] count: u32) {
    let _ = count;
}

fn main() {}
