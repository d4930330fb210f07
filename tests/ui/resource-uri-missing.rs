use ludwire::{resource, tools};

/// The world.
#[resource]
fn world() -> u32 {
    0
}

/// The world.
#[resource(uri = "gabp://game/world")]
fn key() -> u32 {
    0
}

/// The world.
#[resource(mime = "text/plain", "gabp://game/world")]
fn second() -> u32 {
    0
}

const URI: &str = "gabp://game/world";

/// The world.
#[resource(URI)]
fn constant() -> u32 {
    0
}

struct World;

#[tools]
impl World {
    /// The world.
    #[resource = "gabp://game/world"]
    fn method(&self) -> u32 {
        0
    }
}

fn main() {
    let _ = URI;
}
