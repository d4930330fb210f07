use ludwire::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Place {
    #[expect(dead_code, reason = "only read")]
    x: u32,
}

/// Spawns.
#[tool("world/spawn")]
fn spawn(
    #[arg(flatten)] count: u32,
    #[arg(flatten)] name: &str,
    #[arg(flatten)] list: Vec<Place>,
    #[arg(flatten)] maybe: Option<Place>,
    #[arg(flatten, rename = "at", alias = "where")] place: Place,
) {
    let _ = (count, name, list, maybe, place);
}

fn main() {}
