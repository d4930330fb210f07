use ludwire::tool;

#[tool("world/spawn")]
fn spawn() {}

///
#[tool("world/spawn_more")]
#[doc(hidden)]
fn spawn_more() {}

fn main() {}
