//! What all pages of a protocol share: what it is, its sources, codes, constants and amendments.

use crate::config::ProtocolConfig;
use crate::format::{self, Origin};
use crate::ir::{Amendment, Enforcement, Protocol};
use serde::Serialize;

/// A protocol as the templates see it, without its messages and lists.
#[derive(Debug, Serialize)]
pub(super) struct Facts {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: String,
    /// The file or the folder that it was made from, for the header; empty where there is none. The digests stand
    /// on the index alone: a change of one schema is no change of every page.
    pub(super) origin: String,
    pub(super) sources: Vec<SourceRow>,
    /// The file or the folder to change.
    pub(super) schemas: Option<String>,
    pub(super) constants: Vec<ConstantRow>,
    pub(super) errors: Vec<ErrorRow>,
    pub(super) amendments: Vec<AmendmentRow>,
    pub(super) enforcement: Vec<EnforcementRow>,
    /// The overlay file.
    pub(super) overlay: Option<String>,
    /// The command that makes the page again.
    pub(super) command: String,
}

/// A file.
#[derive(Debug, Serialize)]
pub(super) struct SourceRow {
    pub(super) path: String,
    /// The start of its sha256.
    pub(super) digest: String,
    /// The whole of it.
    pub(super) sha256: String,
}

/// A fact with a name.
#[derive(Debug, Serialize)]
pub(super) struct ConstantRow {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) description: Option<String>,
}

/// An error code.
#[derive(Debug, Serialize)]
pub(super) struct ErrorRow {
    pub(super) code: String,
    /// The last one, where it is a range.
    pub(super) last: Option<String>,
    pub(super) name: String,
    /// Name of the Rust constant.
    pub(super) rust: String,
    pub(super) description: String,
}

/// A change of the overlay, to one file or to several.
#[derive(Debug, Serialize)]
pub(super) struct AmendmentRow {
    pub(super) files: Vec<String>,
    pub(super) operation: String,
    pub(super) pointer: String,
    pub(super) reason: String,
    /// It only counts for what is read.
    pub(super) reading: bool,
}

/// What becomes of a rule.
#[derive(Debug, Serialize)]
pub(super) struct EnforcementRow {
    pub(super) id: String,
    /// What sees to it, or what is advised.
    pub(super) by: String,
    /// `null`: it is the duty of whoever uses the protocol.
    pub(super) test: Option<String>,
}

/// What is known of a protocol as a whole.
pub(super) fn facts(protocol: &Protocol, config: Option<&ProtocolConfig>, command: &str) -> Facts {
    let sources: Vec<(String, String)> =
        protocol.sources.iter().map(|source| (source.path.clone(), source.sha256.clone())).collect();
    let title = if protocol.title.trim().is_empty() { &protocol.name } else { &protocol.title };
    Facts {
        name: protocol.name.clone(),
        title: title.clone(),
        description: protocol.description.clone(),
        origin: Origin::of(&sources).path,
        sources: sources
            .iter()
            .map(|(path, sha256)| SourceRow {
                path: path.clone(),
                digest: format::short(sha256).to_owned(),
                sha256: sha256.clone(),
            })
            .collect(),
        schemas: config.map(|config| config.schemas.clone()),
        constants: protocol
            .constants
            .iter()
            .map(|constant| ConstantRow {
                name: constant.rust.clone(),
                value: constant.value.to_string(),
                description: constant.description.clone(),
            })
            .collect(),
        errors: protocol
            .errors
            .iter()
            .map(|error| ErrorRow {
                code: error.text(),
                last: error.last.map(|last| last.to_string()),
                name: error.name.clone(),
                rust: error.rust.clone(),
                description: error.description.clone(),
            })
            .collect(),
        amendments: protocol.amendments.chunk_by(is_same).map(amendment_row).collect(),
        enforcement: protocol
            .enforcement
            .iter()
            .cloned()
            .map(|Enforcement { id, by, test }| EnforcementRow { id, by, test })
            .collect(),
        overlay: config.and_then(|config| config.overlay.clone()),
        command: command.to_owned(),
    }
}

/// Whether two amendments are the same change to different files.
fn is_same(a: &Amendment, b: &Amendment) -> bool {
    *a == Amendment { file: a.file.clone(), ..b.clone() }
}

fn amendment_row(same: &[Amendment]) -> AmendmentRow {
    let first = same[0].clone();
    AmendmentRow {
        files: same.iter().map(|amendment| amendment.file.clone()).collect(),
        operation: first.operation,
        pointer: first.pointer,
        reason: first.reason,
        reading: first.reading,
    }
}
