//! Where connections come from.

use super::connection::Shared;
use super::io_error;
use crate::host::{Begin, BuildError};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;

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

/// A peer whose machine has gone is noticed after about a minute.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
const KEEP_ALIVE_AGAIN: Duration = Duration::from_secs(10);

/// Listens on an address of the loopback, or where `remote` allows it on any.
pub(super) fn tcp(
    address: &str,
    remote: bool,
    has_own_token: bool,
    shared: Arc<Shared>,
) -> Result<Open, BuildError> {
    let looked_up = address.to_socket_addrs().map_err(io_error(format!("looking up {address}")))?;
    let addresses: Vec<SocketAddr> = looked_up.collect();
    if let Some(far) = addresses.iter().find(|address| !address.ip().is_loopback())
        && !(remote && has_own_token)
    {
        let text = match remote {
            true => format!("{far} can be reached from other machines: a token must be given for it"),
            false => format!(
                "{far} can be reached from other machines; GABP is served on loopback only (127.0.0.1 or [::1]), \
                 unless that is allowed and a token given"
            ),
        };
        return Err(BuildError::Setting(text));
    }
    // The standard library sets SO_REUSEADDR where it means that a port can be taken again at once, and
    // not on Windows, where it means that others can take it as well.
    let listener = std::net::TcpListener::bind(addresses.as_slice())
        .map_err(io_error(format!("listening on {address}")))?;
    listener.set_nonblocking(true).map_err(io_error("setting up the listener"))?;
    let address = listener.local_addr().map_err(io_error("asking for the port"))?;
    let listener =
        tokio::net::TcpListener::from_std(listener).map_err(io_error("setting up the listener"))?;
    let (present, closing) = (shared.core.presence(), shared.core.closing());
    tokio::spawn(async move {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                () = closing.wait() => break,
            };
            match accepted {
                Ok((stream, _)) => {
                    set_up(&stream);
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
    Ok(Open { kind: "tcp", address: address.to_string(), guard: None, begin: None })
}

fn set_up(stream: &TcpStream) {
    // Answers are small and awaited.
    let _ = stream.set_nodelay(true);
    let alive = socket2::TcpKeepalive::new().with_time(KEEP_ALIVE).with_interval(KEEP_ALIVE_AGAIN);
    let _ = socket2::SockRef::from(stream).set_tcp_keepalive(&alive);
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

/// Too many open files, say: others must end first.
async fn pause(error: &io::Error) {
    tracing::warn!(%error, "a connection could not be accepted");
    tokio::time::sleep(Duration::from_millis(100)).await;
}
