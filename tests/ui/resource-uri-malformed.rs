use ludwire::resource;

/// The world.
#[resource("http://game/world")]
fn scheme() -> u32 {
    0
}

/// The world.
#[resource("gabp://Game/world")]
fn namespace() -> u32 {
    0
}

/// The world.
#[resource("gabp://game")]
fn path() -> u32 {
    0
}

/// A unit.
#[resource("gabp://game/unit-{id}")]
fn part(id: u32) -> u32 {
    id
}

/// Units.
#[resource("gabp://game/units?limit={limit}")]
fn query(limit: u32) -> u32 {
    limit
}

/// Units.
#[resource("gabp://game/units/{id}/{id}")]
fn twice(id: u32) -> u32 {
    id
}

/// Units.
#[resource("gabp://game/the units/")]
fn space() -> u32 {
    0
}

fn main() {}
