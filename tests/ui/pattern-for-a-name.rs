use ludwire::tool;

/// Moves.
#[tool("unit/move")]
fn go((x, y): (i32, i32), _: u32, all @ _: u32) {
    let _ = (x, y, all);
}

fn main() {}
