//! Connections in memory, for tests.

use super::connection::Shared;
use super::listen::Open;
use std::future::Future as _;
use std::io::{self, Read, Write};
use std::sync::{Arc, OnceLock};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, ReadHalf, WriteHalf};
use tokio::runtime::Handle;

/// The way to a host in memory: made by [`Gabp::memory`](crate::Gabp::memory), and open once that host has
/// started.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    host: Arc<OnceLock<(Arc<Shared>, Handle)>>,
}

/// One connection in memory, read and written by a thread that may wait.
#[derive(Debug)]
pub struct Connection {
    /// What the host writes.
    pub reader: MemoryReader,
    /// What the host reads; dropped, it is the end of that.
    pub writer: MemoryWriter,
}

/// The side of a [`Connection`] that is read.
#[derive(Debug)]
pub struct MemoryReader(ReadHalf<DuplexStream>, Handle);

/// The side of a [`Connection`] that is written.
#[derive(Debug)]
pub struct MemoryWriter(WriteHalf<DuplexStream>, Handle);

/// Bytes on their way, each way.
const ROOM: usize = 64 * 1024;
/// Nobody else can get here, so it is no secret.
const TOKEN: &str = "in-memory-there-is-nobody-to-fear";

impl Memory {
    /// The token to say hello with.
    pub fn token(&self) -> &str {
        TOKEN
    }

    /// A new connection, which has not said hello. A thread that runs async code must not wait for it.
    ///
    /// # Errors
    ///
    /// When the host has not started.
    pub fn connect(&self) -> io::Result<Connection> {
        let (stream, handle) = self.stream()?;
        let (reader, writer) = tokio::io::split(stream);
        Ok(Connection { reader: MemoryReader(reader, handle.clone()), writer: MemoryWriter(writer, handle) })
    }

    /// A new connection for async code, which has not said hello.
    ///
    /// # Errors
    ///
    /// When the host has not started.
    pub fn connect_async(&self) -> io::Result<DuplexStream> {
        Ok(self.stream()?.0)
    }

    fn stream(&self) -> io::Result<(DuplexStream, Handle)> {
        let (shared, handle) = self
            .host
            .get()
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotConnected, "the host has not started"))?;
        let (own, other) = tokio::io::duplex(ROOM);
        let (reader, writer) = tokio::io::split(own);
        let _entered = handle.enter();
        shared.admit(reader, writer);
        Ok((other, handle.clone()))
    }

    pub(super) fn open(self, shared: Arc<Shared>, handle: Handle) -> Open {
        let begin = move || {
            // A second host with the same builder does not get here: the first one keeps it.
            let _ = self.host.set((shared, handle));
            Ok(())
        };
        Open { kind: "memory", address: "memory".to_owned(), guard: None, begin: Some(Box::new(begin)) }
    }
}

impl Read for MemoryReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.1.block_on(self.0.read(into))
    }
}

impl Write for MemoryWriter {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        self.1.block_on(self.0.write(from))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.1.block_on(self.0.flush())
    }
}

impl Drop for MemoryWriter {
    /// The host sees an end, as it does of a socket.
    fn drop(&mut self) {
        // Shutting a pipe in memory down waits for nothing.
        let _ = std::pin::pin!(self.0.shutdown())
            .poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
    }
}
