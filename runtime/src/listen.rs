//! Sockets that front ends listen on.

use crate::dispatch::Core;
use crate::host::BuildError;
#[cfg(unix)]
use crate::socket_file::SocketFile;
use crate::task;
use std::future::poll_fn;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;

/// A peer whose machine has gone is noticed after about a minute.
const KEEP_ALIVE: Duration = Duration::from_secs(30);
const KEEP_ALIVE_AGAIN: Duration = Duration::from_secs(10);

/// Who may reach a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Programs on this machine.
    Local,
    /// Other machines were allowed; whether a token was given, which they must show then.
    Remote { has_own_token: bool },
}

/// Listens on an address of the loopback, or where `reach` allows it on any. Whoever connects is handed to
/// `admit`.
pub(crate) fn tcp(
    protocol: &str,
    address: &str,
    reach: Reach,
    core: &Arc<Core>,
    admit: impl Fn(TcpStream) + Send + 'static,
) -> Result<SocketAddr, BuildError> {
    let looked_up = address.to_socket_addrs().map_err(io_error(format!("looking up {address}")))?;
    let addresses: Vec<SocketAddr> = looked_up.collect();
    if let Some(far) = addresses.iter().find(|address| !address.ip().is_loopback()) {
        match reach {
            Reach::Remote { has_own_token: true } => {}
            Reach::Remote { has_own_token: false } => {
                let text = format!("{far} can be reached from other machines: a token must be given for it");
                return Err(BuildError::Setting(text));
            }
            Reach::Local => {
                return Err(BuildError::Setting(format!(
                    "{far} can be reached from other machines; {protocol} is served on loopback only (127.0.0.1 or \
                     [::1]), unless that is allowed and a token given"
                )));
            }
        }
    }
    // The standard library sets SO_REUSEADDR where it means that a port can be taken again at once, and
    // not on Windows, where it means that others can take it as well.
    let listener = std::net::TcpListener::bind(addresses.as_slice())
        .map_err(io_error(format!("listening on {address}")))?;
    listener.set_nonblocking(true).map_err(io_error("setting up the listener"))?;
    let address = listener.local_addr().map_err(io_error("asking for the port"))?;
    let listener =
        tokio::net::TcpListener::from_std(listener).map_err(io_error("setting up the listener"))?;
    accept(
        core,
        move |context| listener.poll_accept(context),
        move |(stream, _)| {
            set_up(&stream);
            admit(stream);
        },
    );
    Ok(address)
}

/// Hands whoever connects to `admit`, until the host goes down; then the address is free.
fn accept<T: Send>(
    core: &Core,
    mut next: impl FnMut(&mut Context<'_>) -> Poll<io::Result<T>> + Send + 'static,
    admit: impl Fn(T) + Send + 'static,
) {
    let (present, closing) = (core.presence(), core.closing());
    task::spawn(async move {
        loop {
            let accepted = tokio::select! {
                accepted = poll_fn(&mut next) => accepted,
                () = closing.wait() => break,
            };
            match accepted {
                Ok(connection) => admit(connection),
                Err(error) => pause(&error).await,
            }
        }
        drop(next);
        drop(present);
    });
}

fn set_up(stream: &TcpStream) {
    // Answers are small and awaited.
    let _ = stream.set_nodelay(true);
    let alive = socket2::TcpKeepalive::new().with_time(KEEP_ALIVE).with_interval(KEEP_ALIVE_AGAIN);
    let _ = socket2::SockRef::from(stream).set_tcp_keepalive(&alive);
}

/// Listens on a Unix socket of this path. Whoever connects is handed to `admit`.
#[cfg(unix)]
pub(crate) fn unix(
    path: &std::path::Path,
    core: &Arc<Core>,
    admit: impl Fn(tokio::net::UnixStream) + Send + 'static,
) -> Result<SocketFile, BuildError> {
    let (listener, file) =
        SocketFile::bind(path).map_err(io_error(format!("listening on {}", path.display())))?;
    listener.set_nonblocking(true).map_err(io_error("setting up the listener"))?;
    let listener =
        tokio::net::UnixListener::from_std(listener).map_err(io_error("setting up the listener"))?;
    accept(core, move |context| listener.poll_accept(context), move |(stream, _)| admit(stream));
    Ok(file)
}

/// Standard input and output, which nobody else has from now on: what the game prints goes where its log
/// goes.
#[cfg(unix)]
pub(crate) fn stdio() -> Result<(tokio::io::Stdin, tokio::fs::File), BuildError> {
    use std::sync::atomic::{AtomicBool, Ordering};
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::Relaxed) {
        let text = "standard input and output are taken: one front end can speak over them, once";
        return Err(BuildError::Setting(text.to_owned()));
    }
    let keep = || -> io::Result<std::os::fd::OwnedFd> {
        let own = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
        Ok(own)
    };
    let own = keep().map_err(io_error("taking standard output"))?;
    Ok((tokio::io::stdin(), tokio::fs::File::from_std(std::fs::File::from(own))))
}

/// Too many open files, say: others must end first.
async fn pause(error: &io::Error) {
    tracing::warn!(%error, "a connection could not be accepted");
    tokio::time::sleep(Duration::from_millis(100)).await;
}

pub(crate) fn io_error(what: impl Into<String>) -> impl FnOnce(io::Error) -> BuildError {
    let what = what.into();
    move |source| BuildError::Io { what, source }
}
