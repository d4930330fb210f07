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
pub mod pattern;
pub mod resolve;
pub mod support;
pub mod write;

use config::{Config, Kind, ProtocolConfig};
use diagnostics::{Diagnostics, Result};
pub use emit::rust::Support;
pub use lower::Formats;

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

/// How a module for any schemas is made.
#[derive(Clone, Debug)]
pub struct ModuleOptions {
    /// The name of the type of the first file's root, whatever its title.
    pub root: Option<String>,
    /// What formats are to the types.
    pub formats: Formats,
    /// URLs that documents stand for.
    pub mappings: Vec<resolve::Mapping>,
    /// Where the module finds the support code.
    pub support: Support,
    /// The command that makes it, for the header.
    pub command: String,
}

/// Makes one Rust module of any schemas.
///
/// # Errors
///
/// Everything that is wrong in the schemas and all that cannot be typed exactly, with its place.
pub fn module(source: load::Source, options: &ModuleOptions) -> Result<String> {
    let graph = resolve::graph_with(&source.documents, &options.mappings)?;
    let protocol = lower::schemas(source, &graph, options.root.as_deref(), options.formats)?;
    emit::rust::module(&protocol, &options.support, &options.command)
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
