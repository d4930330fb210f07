//! Where a game is found.

use super::ClientError;
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where a game listens, and its token.
#[derive(Clone)]
pub struct Target {
    /// `127.0.0.1:43011`, or `unix:` and the path of a socket.
    pub address: String,
    /// The token, which is never shown.
    pub token: String,
}

impl Target {
    /// Reads a bridge file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or names no transport that is spoken here.
    pub fn from_bridge_file(path: &Path) -> Result<Self, ClientError> {
        Ok(Self::with_process(path)?.0)
    }

    /// One that is known.
    pub fn new(address: impl Into<String>, token: impl Into<String>) -> Self {
        Self { address: address.into(), token: token.into() }
    }

    /// What a bridge file says, and the process that has written the file, where it says so.
    pub(super) fn with_process(path: &Path) -> Result<(Self, Option<u64>), ClientError> {
        let name = path.display();
        // Nobody may ever write to what is no file.
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(ClientError::Unreachable(format!("{name} is no file")));
        }
        let bytes = std::fs::read(path)
            .map_err(|error| ClientError::Unreachable(format!("{name}: {error}; is the game running?")))?;
        let file: Value = serde_json::from_slice(&bytes)
            .map_err(|error| ClientError::Unreachable(format!("{name} is no JSON: {error}")))?;
        let text = |pointer: &str| file.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let target = match (text("/transport/type").as_deref(), text("/transport/address"), text("/token")) {
            (Some("tcp"), Some(address), Some(token)) => Ok(Self { address, token }),
            (Some("pipe"), Some(path), Some(token)) if cfg!(unix) => {
                Ok(Self { address: format!("unix:{path}"), token })
            }
            (Some(other), ..) if other != "tcp" => {
                Err(ClientError::Unreachable(format!("{name}: the transport {other:?} is not spoken here")))
            }
            _ => Err(ClientError::Unreachable(format!(
                "{name} lacks /token, /transport/type or /transport/address"
            ))),
        };
        Ok((target?, file.pointer("/metadata/pid").and_then(Value::as_u64)))
    }

    /// Where games put their bridge file.
    pub fn usual_bridge_file() -> Option<PathBuf> {
        crate::gabp::default_path()
    }
}

/// The token is not shown.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target").field("address", &self.address).finish_non_exhaustive()
    }
}
