//! Turns protocol schemas into typed Rust messages and reference pages.
//!
//! The whole way, from file to file, is [`generate`]: load, overlay, resolve, lower, emit; the
//! caller hands the files to [`mod@write`], which decides what becomes of them.
//!
//! Without the feature `generator` there is only what makes the pages of a game: [`emit::docs::game`].

#[cfg(feature = "generator")]
pub mod catalogue;
#[cfg(feature = "generator")]
pub mod config;
pub mod diagnostics;
pub mod emit;
#[cfg(feature = "generator")]
pub mod format;
#[cfg(feature = "generator")]
pub mod graph;
#[cfg(feature = "generator")]
pub mod ir;
pub mod json;
#[cfg(feature = "generator")]
pub mod load;
#[cfg(feature = "generator")]
pub mod lower;
#[cfg(feature = "generator")]
pub mod names;
mod near;
#[cfg(feature = "generator")]
pub mod notation;
#[cfg(feature = "generator")]
pub mod overlay;
pub mod pattern;
#[cfg(feature = "generator")]
mod reach;
#[cfg(feature = "generator")]
pub mod resolve;
#[cfg(feature = "generator")]
mod run;
#[cfg(feature = "generator")]
pub mod support;
#[cfg(feature = "generator")]
pub mod write;

#[cfg(feature = "generator")]
pub use run::{
    CatalogueOptions, Formats, Generated, ModuleOptions, REGENERATE, Summary, Support, catalogue_pages,
    game_manifest, generate, module, protocol_pages, read,
};

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// Path from the folder of `ludwire.toml`, with forward slashes.
    pub path: String,
    /// Its whole content.
    pub content: String,
}
