//! Reference pages.

use crate::OutputFile;
use crate::config::Config;
use crate::diagnostics::Result;
use crate::ir::Protocol;

/// The pages of all protocols.
pub fn files(_config: &Config, _protocols: &[Protocol]) -> Result<Vec<OutputFile>> {
    todo!()
}
