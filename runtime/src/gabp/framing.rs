//! Header lines, an empty line, then `Content-Length` bytes of JSON.

use std::fmt;
use std::io::{self, BufRead, Read as _};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};

/// The largest message that is read or written, in bytes.
pub(crate) const LARGEST_MESSAGE: usize = 4 * 1024 * 1024;
/// All header lines of a message together, in bytes.
const LARGEST_HEADER: usize = 8 * 1024;

/// A message, or the end of the stream between two messages.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    Message(Vec<u8>),
    End,
}

/// Why the stream cannot be read on.
#[derive(Debug)]
pub(crate) enum FrameError {
    Io(io::Error),
    /// No header of ours: what is wrong with it.
    Header(String),
    /// A message of this many bytes.
    TooLarge(usize),
}

/// A message with its header. `Content-Length` comes first and is written just so: there are bridges
/// that look for nothing else.
pub(crate) fn encode(body: &[u8]) -> Vec<u8> {
    let mut frame =
        format!("Content-Length: {}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n", body.len())
            .into_bytes();
    frame.extend_from_slice(body);
    frame
}

/// Reads the next message.
pub(crate) async fn read_frame<R: AsyncBufRead + Unpin>(reader: &mut R) -> Result<Frame, FrameError> {
    let mut header = Header::default();
    loop {
        let mut line = Vec::new();
        // One byte more than allowed shows that there is too much.
        let limit = header.left() as u64 + 1;
        let count = (&mut *reader).take(limit).read_until(b'\n', &mut line).await.map_err(FrameError::Io)?;
        match header.line(&line, count)? {
            Step::More => {}
            Step::End => return Ok(Frame::End),
            Step::Body(length) => {
                let mut body = Vec::new();
                let read = (&mut *reader)
                    .take(length as u64)
                    .read_to_end(&mut body)
                    .await
                    .map_err(FrameError::Io)?;
                return whole(body, read, length);
            }
        }
    }
}

/// Reads the next message of a blocking stream.
pub(crate) fn read_frame_blocking<R: BufRead>(reader: &mut R) -> Result<Frame, FrameError> {
    let mut header = Header::default();
    loop {
        let mut line = Vec::new();
        let limit = header.left() as u64 + 1;
        let count = reader.by_ref().take(limit).read_until(b'\n', &mut line).map_err(FrameError::Io)?;
        match header.line(&line, count)? {
            Step::More => {}
            Step::End => return Ok(Frame::End),
            Step::Body(length) => {
                let mut body = Vec::new();
                let read =
                    reader.by_ref().take(length as u64).read_to_end(&mut body).map_err(FrameError::Io)?;
                return whole(body, read, length);
            }
        }
    }
}

fn whole(body: Vec<u8>, read: usize, length: usize) -> Result<Frame, FrameError> {
    if read == length {
        Ok(Frame::Message(body))
    } else {
        Err(FrameError::Io(io::ErrorKind::UnexpectedEof.into()))
    }
}

/// The header lines so far.
#[derive(Default)]
struct Header {
    bytes: usize,
    lines: usize,
    length: Option<usize>,
}

enum Step {
    More,
    End,
    Body(usize),
}

impl Header {
    fn left(&self) -> usize {
        LARGEST_HEADER - self.bytes
    }

    /// Takes a line with its end; `count` bytes were read.
    fn line(&mut self, line: &[u8], count: usize) -> Result<Step, FrameError> {
        if count == 0 {
            return if self.lines == 0 {
                Ok(Step::End)
            } else {
                Err(FrameError::Io(io::ErrorKind::UnexpectedEof.into()))
            };
        }
        if count > self.left() {
            return Err(FrameError::Header(format!("more than {LARGEST_HEADER} bytes of header")));
        }
        self.bytes += count;
        self.lines += 1;
        let Some(text) = line.strip_suffix(b"\n") else {
            return Err(FrameError::Io(io::ErrorKind::UnexpectedEof.into()));
        };
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.is_empty() {
            return match self.length {
                Some(length) if length > LARGEST_MESSAGE => Err(FrameError::TooLarge(length)),
                Some(length) => Ok(Step::Body(length)),
                None => Err(FrameError::Header("no Content-Length".to_owned())),
            };
        }
        let text = std::str::from_utf8(text)
            .map_err(|_| FrameError::Header("a header that is not UTF-8".to_owned()))?;
        let Some((name, value)) = text.split_once(':') else {
            return Err(FrameError::Header("a header line without a colon".to_owned()));
        };
        let (name, value) = (name.trim(), value.trim());
        // What a browser sends: a page must not be able to talk to the game.
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') || name.is_empty() {
            return Err(FrameError::Header(
                "a header without a name; messages begin with Content-Length".to_owned(),
            ));
        }
        if ["host", "origin", "user-agent"].iter().any(|odd| name.eq_ignore_ascii_case(odd)) {
            return Err(FrameError::Header("an HTTP request; this port speaks GABP".to_owned()));
        }
        if name.eq_ignore_ascii_case("content-length") {
            let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
            let length = value.parse::<usize>().ok().filter(|_| digits);
            let Some(length) = length else {
                return Err(FrameError::Header("a Content-Length that is no number".to_owned()));
            };
            if self.length.is_some_and(|other| other != length) {
                return Err(FrameError::Header("two lengths that differ".to_owned()));
            }
            self.length = Some(length);
        }
        Ok(Step::More)
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Header(what) => f.write_str(what),
            Self::TooLarge(length) => {
                write!(f, "a message of {length} bytes; at most {LARGEST_MESSAGE} are taken")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Frame, FrameError> {
        read_frame_blocking(&mut text.as_bytes())
    }

    #[test]
    fn headers_in_any_form() {
        for text in [
            "Content-Length: 2\r\n\r\n{}",
            "content-length:  2 \r\n\r\n{}",
            "Content-Type: application/json\r\nCONTENT-LENGTH:2\r\n\r\n{}",
            "Content-Length: 2\n\n{}",
        ] {
            assert_eq!(read(text).expect(text), Frame::Message(b"{}".to_vec()));
        }
        assert_eq!(read("").expect("nothing"), Frame::End);
    }

    #[test]
    fn what_is_no_frame() {
        for (text, part) in [
            ("GET / HTTP/1.1\r\n\r\n", "colon"),
            ("Host: a\r\nContent-Length: 2\r\n\r\n{}", "HTTP"),
            ("POST /x HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", "colon"),
            ("Content-Length: x\r\n\r\n", "no number"),
            ("Content-Length: -1\r\n\r\n", "no number"),
            ("Content-Length: 99999999999999999999\r\n\r\n", "no number"),
            ("Content-Length: 99999999\r\n\r\n", "bytes"),
            ("Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", "differ"),
            ("X: y\r\n\r\n", "no Content-Length"),
            ("{\"v\":\"gabp/1\"}\r\n", "without a name"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
        let long = format!("X: {}\r\n", "y".repeat(LARGEST_HEADER));
        assert!(matches!(read(&long), Err(FrameError::Header(_))));
        assert!(matches!(read("Content-Length: 5\r\n\r\n{}"), Err(FrameError::Io(_))));
    }

    #[test]
    fn what_is_written_is_read() {
        let frame = encode("{\"a\":\"🎮\"}".as_bytes());
        assert!(frame.starts_with(b"Content-Length: 12\r\nContent-Type: "));
        assert_eq!(
            read_frame_blocking(&mut frame.as_slice()).expect("a frame"),
            Frame::Message("{\"a\":\"🎮\"}".as_bytes().to_vec())
        );
    }
}
