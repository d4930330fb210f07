//! What serves a host over a protocol.

use super::BuildError;
use crate::dispatch::Core;
use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A protocol that serves the tools of a host.
pub trait FrontEnd: Send {
    /// What is wrong with its settings, for a host that has these methods of its own.
    #[doc(hidden)]
    fn wrong(&self, methods: &BTreeSet<String>) -> Vec<String>;

    /// Begins to listen, on the runtime that is entered; nothing is wrong with its settings.
    ///
    /// # Errors
    ///
    /// When it cannot.
    #[doc(hidden)]
    fn listen(self: Box<Self>, core: CoreHandle) -> Result<Listening, BuildError>;
}

/// The host as a front end sees it.
#[doc(hidden)]
#[derive(Clone)]
pub struct CoreHandle {
    pub(crate) core: Arc<Core>,
    /// For every front end that is not given one of its own: whoever may use one may use them all.
    pub(crate) fresh_token: String,
}

/// A front end that listens.
#[doc(hidden)]
pub struct Listening {
    pub(crate) protocol: &'static str,
    pub(crate) address: String,
    /// Dropped with the host.
    pub(crate) guard: Option<Box<dyn Send>>,
    pub(crate) announcement: Option<Announcement>,
    /// What must not be done for a host that cannot start; done last, on the runtime that is entered.
    pub(crate) begin: Option<Box<Begin>>,
}

/// Takes standard output, say; or tells why it cannot.
pub(crate) type Begin = dyn FnOnce() -> Result<(), BuildError>;

/// A bridge file that may be written once every front end listens: a host that cannot start must not stand
/// where one that runs is found.
pub(crate) struct Announcement {
    pub(crate) path: PathBuf,
    pub(crate) write: Box<Write>,
}

/// Writes it at this path; what it gives is dropped with the host.
type Write = dyn FnOnce(&Path) -> io::Result<Box<dyn Send>>;

/// Where a host can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Endpoint {
    /// `gabp`
    pub protocol: &'static str,
    /// `127.0.0.1:43011`
    pub address: String,
    /// The file that tells bridges this address and the token, where one was written.
    pub bridge_file: Option<PathBuf>,
}

/// `gabp at 127.0.0.1:43011, found through /home/ada/.config/gabp/bridge.json`
impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.protocol, self.address)?;
        match &self.bridge_file {
            Some(path) => write!(f, ", found through {}", path.display()),
            None => Ok(()),
        }
    }
}
