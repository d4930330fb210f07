use ludwire::tool;

/// Spawns.
#[tool("world/spawn", tag = ["spawn"], colour = "red", limits(per_minute = 60))]
fn spawn(#[arg(defualt = 1, regex = "^a$", alias = "n")] count: u32) {
    let _ = count;
}

fn main() {}
