use ludwire::tool;

struct Tired;

/// Walks.
#[tool("unit/walk")]
fn walk() -> Result<u32, Tired> {
    Err(Tired)
}

fn main() {}
