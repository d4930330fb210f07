//! Where what peers send comes from.

use tokio::io::{AsyncRead, DuplexStream, Interest, ReadHalf, Ready, Stdin};

/// The side of a connection that is read.
pub(super) trait Source: AsyncRead + Send + Sync + Unpin + 'static {
    /// Whether the peer has closed its side, or has gone, even if what it sent before has not been read.
    /// Where that cannot be known, reading and writing will tell.
    fn has_ended(&self) -> impl Future<Output = bool> + Send {
        async { false }
    }
}

impl Source for Stdin {}
impl Source for ReadHalf<DuplexStream> {}

impl Source for tokio::net::tcp::OwnedReadHalf {
    async fn has_ended(&self) -> bool {
        is_closed(self.ready(Interest::READABLE)).await
    }
}

#[cfg(unix)]
impl Source for tokio::net::unix::OwnedReadHalf {
    async fn has_ended(&self) -> bool {
        is_closed(self.ready(Interest::READABLE)).await
    }
}

/// What is known now, without waiting for more.
async fn is_closed(ready: impl Future<Output = std::io::Result<Ready>> + Send) -> bool {
    tokio::select! {
        biased;
        ready = ready => ready.map_or(true, Ready::is_read_closed),
        () = std::future::ready(()) => false,
    }
}
