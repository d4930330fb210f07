//! Compiles under strict lints, with nothing but `ludwire` in scope.
#![forbid(unsafe_code, unused_imports, unused_mut, dead_code, missing_docs)]
#![deny(warnings, unused, nonstandard_style, future_incompatible, rust_2018_idioms, unreachable_pub)]
#![deny(unused_qualifications, unused_results, trivial_casts, trivial_numeric_casts)]
#![deny(single_use_lifetimes, let_underscore_drop, elided_lifetimes_in_paths, unused_lifetimes)]

/// The state.
#[derive(Debug)]
pub struct World {
    orcs: u32,
}

/// Nothing at all.
#[ludwire::tool("world/nothing")]
pub fn nothing() {}

/// Only looks.
#[ludwire::tool("world/look", class = sensor)]
pub fn look(world: &World) -> u32 {
    world.orcs
}

/// Everything.
#[ludwire::tool(
    "world/everything",
    title = "Everything",
    class = generator,
    tags = ["a", "b"],
    version = "1.0",
    deprecated,
)]
pub fn everything(
    world: &mut World,
    _call: &ludwire::Call,
    /// A number.
    #[arg(default = 10, range = 1..=100)]
    mut hp: u32,
    #[arg(default, range = -1.5..=2.5)] luck: f32,
    #[arg(len = 1..20, pattern = "^[a-z]+$", rename = "label")] name: Option<String>,
    #[arg(default = vec![1, 2], len = ..5)] list: Vec<u8>,
    #[arg(range = LEAST..MOST)] between: i64,
) -> Result<u32, ludwire::ToolError> {
    hp += world.orcs + list.len() as u32 + between as u32;
    drop((luck, name));
    Ok(hp)
}

const LEAST: i64 = -3;
const MOST: i64 = 3;

/// Old.
#[ludwire::tool("world/old")]
#[deprecated = "use world/look"]
pub fn old(#[expect(unused_variables, reason = "attributes of parameters stay")] count: u32) {}

fn main() {
    let mut world = World { orcs: 1 };
    let host = ludwire::Host::builder("strict", "1").tools(ludwire::registered::<World>()).build();
    let host = host.expect("no names meet");
    let tools = host.manifest()["tools"].as_array().map(Vec::len);
    assert_eq!(tools, Some(4));
    assert_eq!(host.manifest()["tools"][0]["deprecated"], true);
    assert_eq!(host.manifest()["tools"][3]["deprecated"], true);
    let arguments = ludwire::private::Value::Object(ludwire::private::Map::from_iter([(
        "between".to_owned(),
        ludwire::private::Value::from(2),
    )]));
    let result = host.call(&mut world, "world/everything", arguments).expect("it succeeds");
    assert_eq!(result["result"], 15);
}
