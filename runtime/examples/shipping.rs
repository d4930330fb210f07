//! A game as it may be shipped: its tools are there for itself, and with the feature `serve` for others.
//!
//! ```text
//! cargo run -p ludwire --example shipping --no-default-features
//! ```

use clap::Parser;
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

/// A game as it may be shipped: it spawns three orcs, prints how many there are, and ends.
#[derive(Parser)]
struct Options {}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Options {} = Options::parse();
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
