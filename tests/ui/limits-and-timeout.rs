use ludwire::tool;

/// Spawns.
#[tool("limit/none", limits())]
fn none() {}

/// Spawns.
#[tool("limit/zero", limits(per_minute = 0, per_sesion = 3, 5), timeout = 0)]
fn zero() {}

/// Spawns.
#[tool("limit/equals", limits = 60, timeout = "5s")]
fn equals() {}

/// Spawns.
#[tool("limit/types", limits(per_minute = 1.5), timeout = 1 + 1)]
fn types() {}

fn main() {
    none();
    zero();
    equals();
    types();
}
