//! Where connections come from.

use super::connection::Shared;
use crate::host::{Begin, BuildError};
use crate::listen::{self, Reach};
use std::sync::Arc;

/// A transport that is open.
pub(super) struct Open {
    /// `transport.type` of the bridge file.
    pub(super) kind: &'static str,
    pub(super) address: String,
    /// Dropped with the host.
    pub(super) guard: Option<Box<dyn Send>>,
    /// Done once every front end listens.
    pub(super) begin: Option<Box<Begin>>,
}

/// Listens on an address.
pub(super) fn tcp(address: &str, reach: Reach, shared: Arc<Shared>) -> Result<Open, BuildError> {
    let address = listen::tcp("GABP", address, reach, &Arc::clone(&shared.core), move |stream| {
        let (reader, writer) = stream.into_split();
        shared.admit(reader, writer);
    })?;
    Ok(Open { kind: "tcp", address: address.to_string(), guard: None, begin: None })
}

/// Listens on a Unix socket of this path.
#[cfg(unix)]
pub(super) fn unix(path: &std::path::Path, shared: Arc<Shared>) -> Result<Open, BuildError> {
    let core = Arc::clone(&shared.core);
    let file = listen::unix(path, &core, move |stream| {
        let (reader, writer) = stream.into_split();
        shared.admit(reader, writer);
    })?;
    let address = path.display().to_string();
    Ok(Open { kind: "pipe", address, guard: Some(Box::new(file)), begin: None })
}

/// Speaks over standard input and output, which nobody else has from the beginning on.
#[cfg(unix)]
pub(super) fn stdio(shared: Arc<Shared>) -> Open {
    let begin = move || {
        let (reader, writer) = listen::stdio()?;
        shared.admit(reader, writer);
        Ok(())
    };
    Open { kind: "stdio", address: "stdio".to_owned(), guard: None, begin: Some(Box::new(begin)) }
}
