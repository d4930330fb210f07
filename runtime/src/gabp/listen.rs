//! Where connections come from.

use super::connection::Shared;
use crate::host::{Begin, BuildError};
use crate::listen::{self, Reach, io_error, pause};
use std::io;
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
    let (listener, file) = super::socket_file::SocketFile::bind(path)
        .map_err(io_error(format!("listening on {}", path.display())))?;
    listener.set_nonblocking(true).map_err(io_error("setting up the listener"))?;
    let listener =
        tokio::net::UnixListener::from_std(listener).map_err(io_error("setting up the listener"))?;
    let (present, closing) = (shared.core.presence(), shared.core.closing());
    tokio::spawn(async move {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = closing.wait() => break,
            };
            match accepted {
                Ok((stream, _)) => {
                    let (reader, writer) = stream.into_split();
                    shared.admit(reader, writer);
                }
                Err(error) => pause(&error).await,
            }
        }
        // When the host has gone, the address is free.
        drop(listener);
        drop(present);
    });
    let address = path.display().to_string();
    Ok(Open { kind: "pipe", address, guard: Some(Box::new(file)), begin: None })
}

/// Speaks over standard input and output, which nobody else has from the beginning on.
#[cfg(unix)]
pub(super) fn stdio(shared: Arc<Shared>) -> Open {
    let keep = || -> io::Result<std::os::fd::OwnedFd> {
        let own = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
        // What the game prints goes where its log goes.
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        Ok(own)
    };
    let begin = move || {
        let own = keep().map_err(io_error("taking standard output"))?;
        let writer = tokio::fs::File::from_std(std::fs::File::from(own));
        shared.admit(tokio::io::stdin(), writer);
        Ok(())
    };
    Open { kind: "stdio", address: "stdio".to_owned(), guard: None, begin: Some(Box::new(begin)) }
}
