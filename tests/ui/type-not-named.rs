use ludwire::tool;
use std::fmt::Display;

struct World;

/// Says.
#[tool("world/say")]
fn say(text: impl Display) {
    let _ = text;
}

/// Says.
#[tool("world/say_boxed")]
fn say_boxed(world: &World, text: Box<dyn Display>) -> impl Display {
    let _ = (world, text);
    1
}

/// Says.
#[tool("world/say_by")]
fn say_by(by: &mut dyn Display) {
    let _ = by;
}

fn main() {}
