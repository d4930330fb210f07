//! `ludwire.toml`.

mod read;

pub use read::read;

use std::path::PathBuf;

/// `ludwire.toml`, read.
#[derive(Clone, Debug)]
pub struct Config {
    /// The folder of `ludwire.toml`; every path in it counts from there.
    pub root: PathBuf,
    /// Where Rust goes: `generated/src`.
    pub src: String,
    /// Where pages go: `generated/docs`.
    pub docs: String,
    /// Files in `src` that are written by hand: `lib.rs`.
    pub hand_written: Vec<String>,
    /// A folder of templates that replace ours one by one.
    pub templates: Option<String>,
    /// A file of what holds over all protocols, for the page about all.
    pub together: Option<String>,
    /// The protocols, in order.
    pub protocols: Vec<ProtocolConfig>,
}

/// One protocol of `ludwire.toml`.
#[derive(Clone, Debug)]
pub struct ProtocolConfig {
    /// Module and folder name.
    pub name: String,
    /// What its files are.
    pub kind: Kind,
    /// The folder of JSON Schemas, or the catalogue file.
    pub schemas: String,
    /// The overlay file.
    pub overlay: Option<String>,
    /// A URL that a catalogue's source paths are links below.
    pub source_url: Option<String>,
}

/// What a protocol's files are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A folder of JSON Schemas.
    JsonSchema,
    /// A catalogue of rules, methods and codes.
    Catalogue,
}
