use ludwire::tool;
use serde::Deserialize;

struct Point;

#[derive(Deserialize)]
struct Size(u32);

/// Moves.
#[tool("unit/move")]
fn go(to: Point, size: Option<Size>, more: Vec<Size>) {
    let _ = (to, size.map(|size| size.0), more);
}

fn main() {}
