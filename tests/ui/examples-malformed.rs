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
#[tool("example/value", examples = [{ "count": }])]
fn value(count: u32) {
    let _ = count;
}

/// Spawns.
#[tool("example/quotes", examples = [{ count: 1 }])]
fn quotes(count: u32) {
    let _ = count;
}

/// Spawns.
#[tool("example/colon", examples = [{ "count" = 1 }])]
fn colon(count: u32) {
    let _ = count;
}

/// Spawns.
#[tool("example/comma", examples = [{ "count": 1 } { "count": [1 2] }])]
fn comma(count: u32) {
    let _ = count;
}

/// Spawns.
#[tool("example/expression", examples = [{ "count": [3, ;] }])]
fn expression(count: u32) {
    let _ = count;
}

fn main() {
    empty();
}
