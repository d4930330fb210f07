//! Where a game is found.

use super::ClientError;
use crate::gabp::{split, still_listens};
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
    /// Reads a bridge file: the game that has written it or, where that no longer listens, the latest of those
    /// whose places it has taken and that still do.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or names no transport that is spoken here.
    pub fn from_bridge_file(path: &Path) -> Result<Self, ClientError> {
        let mut games = Game::all_in(path)?;
        // Where there is no choice, nobody is disturbed.
        let living =
            if games.len() > 1 { games.iter().position(|game| still_listens(&game.file)) } else { None };
        Ok(games.swap_remove(living.unwrap_or(0)).target)
    }

    /// One that is known.
    pub fn new(address: impl Into<String>, token: impl Into<String>) -> Self {
        Self { address: address.into(), token: token.into() }
    }

    /// Where games put their bridge file.
    pub fn usual_bridge_file() -> Option<PathBuf> {
        crate::gabp::default_path()
    }
}

/// A game of which a bridge file tells.
pub(super) struct Game {
    pub(super) target: Target,
    /// Its process, where the file says so.
    pub(super) process: Option<u64>,
    /// What is said of it.
    file: Value,
}

impl Game {
    /// The game that has written a bridge file, and after it those whose places it has taken, the latest first:
    /// that which is killed does not bring them back.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or names no transport that is spoken here.
    pub(super) fn all_in(path: &Path) -> Result<Vec<Self>, ClientError> {
        let name = path.display();
        let wrong = |what: String| ClientError::Unreachable(format!("{name}{what}"));
        // Nobody may ever write to what is no file.
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(wrong(" is no file".to_owned()));
        }
        let bytes = std::fs::read(path).map_err(|error| wrong(format!(": {error}; is the game running?")))?;
        let file: Value =
            serde_json::from_slice(&bytes).map_err(|error| wrong(format!(" is no JSON: {error}")))?;
        let (file, replaced) = split(file).unwrap_or_default();
        let first = Self::of(file).map_err(wrong)?;
        // What others have written there is theirs.
        let others = replaced.into_iter().filter_map(|file| Self::of(file).ok());
        Ok(std::iter::once(first).chain(others).collect())
    }

    fn of(file: Value) -> Result<Self, String> {
        let text = |pointer: &str| file.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let target = match (text("/transport/type").as_deref(), text("/transport/address"), text("/token")) {
            (Some("tcp"), Some(address), Some(token)) => Target { address, token },
            (Some("pipe"), Some(path), Some(token)) if cfg!(unix) => {
                Target { address: format!("unix:{path}"), token }
            }
            (Some(other), ..) if other != "tcp" => {
                return Err(format!(": the transport {other:?} is not spoken here"));
            }
            _ => return Err(" lacks /token, /transport/type or /transport/address".to_owned()),
        };
        let process = file.pointer("/metadata/pid").and_then(Value::as_u64);
        Ok(Self { target, process, file })
    }
}

/// The token is not shown.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target").field("address", &self.address).finish_non_exhaustive()
    }
}
