use ludwire::tool;

/// Spawns.
#[tool("example/object", examples = { "count": 1 })]
fn object(count: u32) {
    let _ = count;
}

/// Spawns.
#[tool("example/empty", examples = [])]
fn empty() {}

/// Spawns.
#[tool("example/tokens", examples = [{ "count": }])]
fn tokens(count: u32) {
    let _ = count;
}

fn main() {
    empty();
}
