//! Reads a protocol's files.

use crate::config::Config;
use crate::diagnostics::Result;
use crate::ir::{Amendment, Constant, ErrorCode, RuleList};
use crate::json::Node;

/// A JSON file.
#[derive(Clone, Debug)]
pub struct Document {
    /// Path below the protocol's folder, with forward slashes; a virtual document has one too.
    pub path: String,
    /// Path as diagnostics show it: from the folder of `ludwire.toml`.
    pub display: String,
    /// Its text, for showing lines; empty for a virtual document.
    pub text: String,
    /// Its content.
    pub root: Node,
}

/// Everything that a protocol's files say, before references are resolved.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The schemas.
    pub documents: Vec<Document>,
    /// The files that were read, with their digests.
    pub sources: Vec<crate::ir::Source>,
    /// A catalogue's lists.
    pub lists: Vec<RuleList>,
    /// A catalogue's error codes.
    pub errors: Vec<ErrorCode>,
    /// A catalogue's facts.
    pub constants: Vec<Constant>,
    /// A catalogue's description.
    pub description: String,
    /// What the overlay changed.
    pub amendments: Vec<Amendment>,
}

/// Reads one file.
pub fn file(_config: &Config, _path: &str) -> Result<Source> {
    todo!()
}

/// Reads every `.json` file below a folder, sorted by path.
pub fn folder(_config: &Config, _path: &str) -> Result<Source> {
    todo!()
}

/// Reads JSON text; `display` is the file name for diagnostics.
pub fn json(_display: &str, _text: &str) -> Result<Node> {
    todo!()
}
