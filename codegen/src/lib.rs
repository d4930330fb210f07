//! Turns protocol schemas into typed Rust messages and reference pages.
//!
//! The whole way, from file to file, is [`generate`]: load, overlay, resolve, lower, emit; the
//! caller hands the files to [`mod@write`], which decides what becomes of them.

pub mod catalogue;
pub mod config;
pub mod diagnostics;
pub mod emit;
pub mod format;
pub mod graph;
pub mod ir;
pub mod json;
pub mod load;
pub mod lower;
pub mod names;
pub mod notation;
pub mod overlay;
pub mod resolve;
pub mod support;
pub mod write;

use config::{Config, Kind, ProtocolConfig};
use diagnostics::{Diagnostics, Result};

/// The command that brings every generated file up to date.
pub const REGENERATE: &str = "cargo run -- generate";

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Path from the folder of `ludwire.toml`, with forward slashes.
    pub path: String,
    /// Its whole content.
    pub content: String,
}

/// Makes every generated file of every protocol that `config` names, sorted by path.
///
/// # Errors
///
/// Everything that is wrong in any input, with its place.
pub fn generate(config: &Config) -> Result<Vec<OutputFile>> {
    let mut problems = Diagnostics::default();
    let mut protocols = Vec::new();
    for protocol in &config.protocols {
        match read(config, protocol) {
            Ok(protocol) => protocols.push(protocol),
            Err(found) => problems.append(found),
        }
    }
    let protocols = problems.finish(protocols)?;
    let mut files = emit::rust::files(config, &protocols)?;
    files.extend(emit::docs::files(config, &protocols)?);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Reads one protocol: from its files to the intermediate representation.
///
/// # Errors
///
/// Everything that is wrong in its files, with its place.
pub fn read(config: &Config, protocol: &ProtocolConfig) -> Result<ir::Protocol> {
    let overlay = overlay::read(config, protocol)?;
    let mut source = match protocol.kind {
        Kind::JsonSchema => load::folder(config, &protocol.schemas)?,
        Kind::Catalogue => catalogue::source(load::file(config, &protocol.schemas)?)?,
    };
    overlay::apply(&overlay, &mut source)?;
    let graph = resolve::graph(&source.documents)?;
    lower::protocol(protocol, source, &overlay, &graph)
}
