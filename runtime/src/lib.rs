//! Lets a Rust game be played, tested and debugged by AI agents.
//!
//! Annotate functions with [`tool`], build a [`Host`], and call [`Host::run`] once a frame:
//!
//! ```standalone_crate
//! use ludwire::{Budget, Host, ToolError, tool};
//! use serde_json::json;
//!
//! struct World { orcs: u32 }
//!
//! /// Spawns orcs.
//! #[tool("world/spawn", class = generator)]
//! fn spawn(
//!     world: &mut World,
//!     /// How many.
//!     #[arg(default = 1, range = 1..=10)] count: u32,
//! ) -> Result<u32, ToolError> {
//!     world.orcs += count;
//!     Ok(world.orcs)
//! }
//!
//! let host = Host::builder("Arena", "1.0").tools(ludwire::registered::<World>()).build()?;
//! let mut world = World { orcs: 0 };
//! assert_eq!(host.call(&mut world, "world/spawn", json!({ "count": 2 }))?, json!({ "result": 2 }));
//! // With a listener (`.serve(…)` and `.start()`), calls wait here until the game takes them:
//! host.run(&mut world, Budget::millis(4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The game's log
//!
//! What only the people who make the game should know goes to its log, which is `tracing`: warnings of what
//! agents will miss, the text of a panic, events that could not be sent. It is silent until the game has a
//! subscriber. Without one of your own, add a dependency, and a line at the start of `main`:
//!
//! ```toml
//! tracing-subscriber = "0.3"
//! ```
//!
//! ```standalone_crate
//! tracing_subscriber::fmt::init();
//! ```

#![cfg_attr(
    not(feature = "serve"),
    allow(dead_code, reason = "what only peers need is called by nobody where there are none")
)]

#[cfg(feature = "serve")]
mod aicc;
#[cfg(feature = "serve")]
mod aicontrol;
mod arguments;
mod attention;
mod attributes;
mod call;
#[cfg(feature = "serve")]
pub mod client;
mod clock;
mod common;
mod dispatch;
#[cfg(feature = "serve")]
mod door;
mod error;
mod event;
mod events;
mod function;
#[cfg(feature = "serve")]
mod gabp;
mod held;
mod host;
mod inputs;
mod lanes;
mod left_out;
#[cfg(feature = "serve")]
mod listen;
mod offer;
mod outputs;
mod pool;
mod progress;
mod queue;
mod quick;
#[cfg(feature = "serve")]
mod random;
mod references;
mod registry;
mod resource;
mod running;
mod schema;
#[cfg(all(feature = "serve", unix))]
mod socket_file;
mod state;
#[cfg(feature = "serve")]
mod stream;
mod task;
mod ticks;
mod tool;
#[cfg(feature = "serve")]
mod usage;

#[doc(hidden)]
pub mod private;

#[cfg(feature = "serve")]
pub use aicc::{Aicc, Capabilities};
#[cfg(feature = "serve")]
pub use aicontrol::AiControl;
pub use attention::{Attention, AttentionItem, AttentionReport, Attentions, Severity};
pub use attributes::{Event, observe, resource, state, tool, tools};
pub use call::{Call, Caller};
pub use dispatch::{Budget, Ran};
pub use error::{Problem, ToolError, ToolErrorKind};
pub use event::Event;
pub use function::Location;
#[cfg(feature = "serve")]
pub use gabp::{Connection, Gabp, Memory, MemoryReader, MemoryWriter};
pub use held::Res;
pub use host::{BuildError, Builder, Host};
#[cfg(feature = "serve")]
pub use host::{Endpoint, FrontEnd};
pub use ludwire_protocols as protocols;
pub use registry::{Clash, Tools, registered};
pub use resource::{Content, Encoding, Page};
pub use schemars;
pub use serde;
pub use tool::Class;
