//! Header lines, an empty line, then `Content-Length` bytes of JSON.

use std::fmt;
use std::io::{self, Write as _};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};

/// All header lines of a message together, in bytes.
const LARGEST_HEADER: usize = 8 * 1024;

/// Room that a message is given before it has come, in bytes.
const AT_ONCE: usize = 16 * 1024;

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
    /// A message of this many bytes, and how many are taken.
    TooLarge(usize, usize),
}

/// A message with its header. `Content-Length` comes first and is written just so: there are bridges
/// that look for nothing else.
pub(crate) fn encode_into(bytes: &mut Vec<u8>, body: &[u8]) {
    let length = body.len();
    write!(bytes, "Content-Length: {length}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n")
        .expect("a list takes all");
    bytes.extend_from_slice(body);
}

/// Reads the next message, of `largest` bytes at most.
pub(crate) async fn read_frame<R: AsyncBufRead + Unpin>(
    reader: &mut R,
    largest: usize,
) -> Result<Frame, FrameError> {
    let mut header = Header::new(largest);
    loop {
        let bytes = reader.fill_buf().await.map_err(FrameError::Io)?;
        if bytes.is_empty() {
            return header.end();
        }
        let (used, length) = match usual(bytes).filter(|(_, length)| header.bytes == 0 && *length <= largest)
        {
            Some((used, length)) => (used, Some(length)),
            None => header.take(bytes)?,
        };
        let Some(length) = length else {
            reader.consume(used);
            continue;
        };
        if let Some(body) = bytes.get(used..used + length) {
            let body = body.to_vec();
            reader.consume(used + length);
            return Ok(Frame::Message(body));
        }
        reader.consume(used);
        // What is only announced takes no room.
        let mut body = Vec::with_capacity(length.min(AT_ONCE));
        let read = reader.take(length as u64).read_to_end(&mut body).await.map_err(FrameError::Io)?;
        return whole(body, read, length);
    }
}

/// The header that most messages have, where it is there: how long it is, and the message.
fn usual(bytes: &[u8]) -> Option<(usize, usize)> {
    const NAME: &[u8] = b"Content-Length: ";
    let value = bytes.strip_prefix(NAME)?;
    let digits = value.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let is_usual = digits > 0 && value[digits..].starts_with(b"\r\n\r\n");
    let length = || value[..digits].iter().fold(0, |number, digit| 10 * number + usize::from(digit - b'0'));
    is_usual.then(|| (NAME.len() + digits + 4, length()))
}

fn whole(body: Vec<u8>, read: usize, length: usize) -> Result<Frame, FrameError> {
    if read == length {
        Ok(Frame::Message(body))
    } else {
        Err(FrameError::Io(io::ErrorKind::UnexpectedEof.into()))
    }
}

/// The header lines so far.
struct Header {
    /// All bytes so far.
    bytes: usize,
    /// Those of the line that has not ended.
    line: Vec<u8>,
    /// Its name has ended.
    is_named: bool,
    length: Option<usize>,
    largest: usize,
}

impl Header {
    fn new(largest: usize) -> Self {
        Self { bytes: 0, line: Vec::new(), is_named: false, length: None, largest }
    }

    /// What it means that nothing more comes.
    fn end(&self) -> Result<Frame, FrameError> {
        if self.bytes == 0 {
            Ok(Frame::End)
        } else {
            Err(FrameError::Io(io::ErrorKind::UnexpectedEof.into()))
        }
    }

    /// Takes bytes: how many belong to the header, and how many come after it once it is whole.
    fn take(&mut self, bytes: &[u8]) -> Result<(usize, Option<usize>), FrameError> {
        for (at, byte) in bytes.iter().enumerate() {
            self.bytes += 1;
            if self.bytes > LARGEST_HEADER {
                return Err(FrameError::Header(format!("more than {LARGEST_HEADER} bytes of header")));
            }
            if *byte != b'\n' {
                // A stranger is known by its first bytes, and is not listened to any longer.
                self.check_name(*byte)?;
                self.line.push(*byte);
                continue;
            }
            self.is_named = false;
            let line = std::mem::take(&mut self.line);
            let line = line.strip_suffix(b"\r").unwrap_or(&line);
            if !line.is_empty() {
                self.line(line)?;
                continue;
            }
            return match self.length {
                Some(length) if length > self.largest => Err(FrameError::TooLarge(length, self.largest)),
                Some(length) => Ok((at + 1, Some(length))),
                None => Err(FrameError::Header("no Content-Length".to_owned())),
            };
        }
        Ok((bytes.len(), None))
    }

    /// Looks at the next byte of a line: its name must be one.
    fn check_name(&mut self, byte: u8) -> Result<(), FrameError> {
        let is_blank = |byte: u8| byte == b' ' || byte == b'\t';
        let fits = match self.line.last() {
            _ if self.is_named => true,
            None => byte.is_ascii_alphabetic() || byte == b'\r',
            Some(b'\r') => false,
            Some(last) if is_blank(*last) => is_blank(byte) || byte == b':',
            Some(_) => byte.is_ascii_alphanumeric() || byte == b'-' || byte == b':' || is_blank(byte),
        };
        if fits {
            self.is_named |= byte == b':';
            return Ok(());
        }
        let text = "no header; a message of GABP begins with Content-Length";
        Err(FrameError::Header(text.to_owned()))
    }

    fn line(&mut self, line: &[u8]) -> Result<(), FrameError> {
        let text = std::str::from_utf8(line)
            .map_err(|_| FrameError::Header("a header that is not UTF-8".to_owned()))?;
        let Some((name, value)) = text.split_once(':') else {
            return Err(FrameError::Header("a header line without a colon".to_owned()));
        };
        let (name, value) = (name.trim(), value.trim());
        // What a browser sends: a page must not be able to talk to the game.
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
        Ok(())
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Header(what) => f.write_str(what),
            Self::TooLarge(length, largest) => {
                write!(f, "a message of {length} bytes; at most {largest} are taken")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGEST: usize = 1 << 20;

    fn read(text: &str) -> Result<Frame, FrameError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(read_frame(&mut text.as_bytes(), LARGEST))
    }

    #[test]
    fn headers_in_any_form() {
        for text in [
            "Content-Length: 2\r\n\r\n{}",
            "content-length:  2 \r\n\r\n{}",
            "Content-Type: application/json\r\nCONTENT-LENGTH:2\r\n\r\n{}",
            "Content-Length: 2\n\n{}",
            "X-Odd: \u{1f3ae}: y\r\nContent-Length : 2\r\n\r\n{}",
        ] {
            assert_eq!(read(text).expect(text), Frame::Message(b"{}".to_vec()));
        }
        assert_eq!(read("").expect("nothing"), Frame::End);
    }

    #[test]
    fn what_is_no_frame() {
        for (text, part) in [
            ("GET / HTTP/1.1\r\n\r\n", "no header"),
            // It is not waited for the end of the line, nor for more.
            ("GET /", "no header"),
            ("\u{16}\u{3}\u{1}", "no header"),
            ("{", "no header"),
            ("Content-Length\n", "colon"),
            ("Content Length: 2\r\n\r\n{}", "no header"),
            ("Host: a\r\nContent-Length: 2\r\n\r\n{}", "HTTP"),
            ("POST /x HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", "no header"),
            ("X: y\r\n\rContent-Length: 2\r\n\r\n{}", "no header"),
            ("Content-Length: x\r\n\r\n", "no number"),
            ("Content-Length: -1\r\n\r\n", "no number"),
            ("Content-Length: 99999999999999999999\r\n\r\n", "no number"),
            ("Content-Length: 99999999\r\n\r\n", "bytes"),
            ("Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}", "differ"),
            ("X: y\r\n\r\n", "no Content-Length"),
            ("{\"v\":\"gabp/1\"}\r\n", "no header"),
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
        let mut frame = Vec::new();
        encode_into(&mut frame, "{\"a\":\"🎮\"}".as_bytes());
        assert!(frame.starts_with(b"Content-Length: 12\r\nContent-Type: "));
        assert_eq!(
            read(std::str::from_utf8(&frame).expect("text")).expect("a frame"),
            Frame::Message("{\"a\":\"🎮\"}".as_bytes().to_vec())
        );
    }
}
