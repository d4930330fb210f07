//! Bounded reading of lines, and patient writing.

use crate::task::at_once;
use std::io;
use std::pin::pin;
use std::time::Duration;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::time::Instant;

/// What came on a stream of lines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Without its LF.
    Bytes(Vec<u8>),
    /// More bytes without an LF than a line may have. Where the next one begins is unknown.
    TooLong,
    /// Nothing more comes. What came after the last LF is no line.
    End,
}

/// Reads the next line, of `largest` bytes at most, the LF not counted.
pub(crate) async fn read_line<R: AsyncBufRead + Unpin>(reader: &mut R, largest: usize) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let most = largest as u64 + 1;
    reader.take(most).read_until(b'\n', &mut bytes).await?;
    Ok(match bytes.pop() {
        Some(b'\n') => Line::Bytes(bytes),
        Some(_) if bytes.len() == largest => Line::TooLong,
        _ => Line::End,
    })
}

/// When this time has passed; a day at most, which is as good as never for whoever says nothing.
pub(crate) fn after(time: Duration) -> Instant {
    Instant::now() + time.min(Duration::from_secs(24 * 60 * 60))
}

/// Writes all of it, as long as the peer takes some of it now and then.
///
/// # Errors
///
/// `TimedOut` when the peer takes nothing for so long.
pub(crate) async fn write_all<W: AsyncWrite + Send + Unpin>(
    writer: &mut W,
    mut bytes: &[u8],
    within: Duration,
) -> io::Result<()> {
    while !bytes.is_empty() {
        let taken = in_time(writer.write(bytes), within).await?;
        if taken == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        bytes = &bytes[taken..];
    }
    in_time(writer.flush(), within).await
}

/// What is done in so much time. Only who must wait needs a clock.
async fn in_time<T>(step: impl Future<Output = io::Result<T>>, within: Duration) -> io::Result<T> {
    let mut step = pin!(step);
    match at_once(step.as_mut()).await {
        Some(done) => done,
        None => tokio::time::timeout(within, step).await.map_err(|_| io::ErrorKind::TimedOut)?,
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, read_line};

    #[tokio::test]
    async fn a_line_ends_with_lf_and_has_a_bound() {
        let mut reader = "ab\n\nabcd\nabcde\n".as_bytes();
        for expected in ["ab", "", "abcd"] {
            let line = read_line(&mut reader, 4).await.expect("memory is read");
            assert_eq!(line, Line::Bytes(expected.as_bytes().to_vec()));
        }
        assert_eq!(read_line(&mut reader, 4).await.expect("memory is read"), Line::TooLong);
        for rest in ["", "ab", "abcd"] {
            assert_eq!(
                read_line(&mut rest.as_bytes(), 4).await.expect("memory is read"),
                Line::End,
                "{rest}"
            );
        }
    }
}
