use ludwire::resource;

/// The world.
#[resource("gabp://game/world", mimetype = "text/plain", names = "World", colour = "red")]
fn unknown() -> u32 {
    0
}

/// The world.
#[resource("gabp://game/world", mime = "text", name = "")]
fn mime() -> u32 {
    0
}

#[resource("gabp://game/world")]
fn silent() -> u32 {
    0
}

/// The world.
#[resource("gabp://game/world")]
fn nothing() {}

/// The world.
#[resource("gabp://game/world")]
fn never() -> ! {
    loop {}
}

fn main() {}
