use ludwire::tool;

/// Destroys.
#[tool("hint/both", read_only, destructive)]
fn both() {}

/// Destroys.
#[tool("hint/sensor", class = sensor, destructive = true)]
fn sensor() {}

/// Repeats.
#[tool("hint/value", idempotent = "yes", lenient = true)]
fn value() {}

fn main() {
    both();
    sensor();
    value();
}
