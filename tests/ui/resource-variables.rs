use ludwire::resource;

/// A unit.
#[resource("gabp://game/units/{id}{?limit}")]
fn no_argument(limit: Option<u32>) -> Option<u32> {
    limit
}

/// A unit.
#[resource("gabp://game/units")]
fn no_variable(id: u32, #[arg(rename = "many")] limit: Option<u32>) -> u32 {
    limit.unwrap_or(id)
}

/// A unit.
#[resource("gabp://game/{kind}/{id}")]
fn always_there(kind: Option<String>, #[arg(default = 1)] id: u32) -> u32 {
    let _ = kind;
    id
}

/// A unit.
#[resource("gabp://game/unit{?id}")]
fn alias(#[arg(alias = "number")] id: Option<u32>) -> Option<u32> {
    id
}

/// Units.
#[resource("gabp://game/units/at/{at}{?ids,names}")]
fn lists(at: (u32, u32), ids: Vec<u32>, names: Option<&[String]>) -> usize {
    let _ = at;
    ids.len() + names.map_or(0, <[String]>::len)
}

fn main() {}
