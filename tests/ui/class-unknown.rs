use ludwire::tool;

/// Looks.
#[tool("world/look", class = sensr)]
fn look() {}

/// Looks.
#[tool("world/look_again", class = "sensor")]
fn look_again() {}

fn main() {}
