//! Asks games what they offer agents: [`gabp::Client`] over GABP, [`aicontrol::Client`] over AiControl,
//! [`aicc::Client`] over AICC.
//!
//! Where a game is found and how it is reached, [`Target`] and [`Way`] say; the client of a protocol stands
//! in a module of its name. All are async, on tokio; [`block_on`] is for whoever has no runtime.
//!
//! ```standalone_crate
//! use ludwire::client::gabp::{Client, Requests as _};
//! use ludwire::client::{Backoff, ClientError, Way};
//! use ludwire::protocols::gabp::ToolsListParams;
//!
//! async fn play(bridge_file: &std::path::Path) -> Result<(), ClientError> {
//!     let client = Client::to(Way::bridge_file(bridge_file)).reconnect(Backoff::default()).connect().await?;
//!     let mut said = client.subscribe(&["chat/said"]).await?;
//!     let tools = client.tools_list(ToolsListParams::default()).await?.tools;
//!     let look = client.call("world/look", Default::default());
//!     let wait = client.call("turn/end", Default::default());
//!     println!("{} tools: {:?}", tools.len(), tokio::join!(look, wait)); // both at once
//!     println!("{}", said.next().await?.payload);
//!     Ok(())
//! }
//! # let _ = play;
//! ```

pub mod aicc;
pub mod aicontrol;
mod backoff;
mod error;
pub mod gabp;
mod target;
mod waiting;
mod way;

pub use backoff::Backoff;
pub use error::ClientError;
pub use target::Target;
pub use way::Way;

use std::time::Duration;

/// What the clients of more than one protocol can be told before they connect.
#[derive(Clone, Copy, Debug)]
struct Options {
    /// How long an answer may take.
    within: Duration,
    /// Bytes of a message from the game.
    largest: usize,
    /// Events that wait for one who takes them.
    waiting: usize,
}

impl Default for Options {
    fn default() -> Self {
        // Games answer after 25 s at the latest; what they are to send in one piece, they decide themselves.
        Self { within: Duration::from_secs(30), largest: 64 << 20, waiting: 1024 }
    }
}

/// Waits for a future on this thread, for whoever runs no async code. What is connected in it ends with it.
///
/// # Errors
///
/// When the runtime cannot be made, and as the future.
pub fn block_on<T, E: From<ClientError>>(future: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| ClientError::Unreachable(format!("there is no runtime: {error}")))?;
    let result = runtime.block_on(future);
    // A thread that looks up a name, or reads a pipe, is not waited for.
    runtime.shutdown_background();
    result
}
