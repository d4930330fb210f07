//! A game as it may be shipped: its tools are there for itself, and with the feature `serve` for others.
//!
//! ```text
//! cargo run -p ludwire --example shipping --no-default-features
//! ```

use ludwire::{Host, tool};
use serde_json::json;

struct World {
    orcs: u32,
}

/// Spawns orcs.
#[tool("world/spawn", class = generator)]
fn spawn(
    world: &mut World,
    /// How many.
    #[arg(default = 1, range = 1..=10)]
    count: u32,
) -> u32 {
    world.orcs += count;
    world.orcs
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let builder = Host::builder("Shipping", "1.0").tools(ludwire::registered::<World>());
    #[cfg(feature = "serve")]
    let host =
        builder.serve(ludwire::Gabp::from_env().no_bridge_file()).serve(ludwire::AiControl::on(0)).start()?;
    #[cfg(not(feature = "serve"))]
    let host = builder.build()?;
    let mut world = World { orcs: 0 };
    println!("{}", host.call(&mut world, "world/spawn", json!({ "count": 3 }))?);
    Ok(())
}
