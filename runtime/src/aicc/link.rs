//! What carries messages, on either side: a WebSocket, or lines.

use crate::stream::{Line, read_line, write_all};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use std::io;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};

/// The side that the peer writes to.
pub(crate) enum Reader {
    Web(SplitStream<WebSocketStream<TcpStream>>),
    Lines(BufReader<Box<dyn AsyncRead + Send + Unpin>>, usize),
}

/// The side that the peer reads from, and how long it may take nothing.
pub(crate) struct Writer {
    side: Side,
    within: Duration,
}

enum Side {
    Web(SplitSink<WebSocketStream<TcpStream>, Message>),
    /// With what has not been written.
    Lines(Box<dyn AsyncWrite + Send + Unpin>, Vec<u8>),
}

/// What has come.
pub(crate) enum Incoming {
    Text(Utf8Bytes),
    /// A line that is no UTF-8.
    Garbled,
    /// No message, but a sign of life.
    Sign,
    /// Where the next message begins is unknown, or there can be none.
    Wrong(Ending),
    /// The peer has gone; why, if it has said so.
    Gone(Option<Ending>),
}

/// Why a connection is closed, with its code (RFC 6455, 7.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) code: u16,
    pub(crate) reason: String,
}

/// How long what an agent still sends is thrown away, so that it reads why it is closed.
const LINGER: Duration = Duration::from_secs(1);

impl Ending {
    pub(crate) fn new(code: u16, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into() }
    }
}

/// The two sides of a WebSocket.
pub(crate) fn web(socket: WebSocketStream<TcpStream>, within: Duration) -> (Reader, Writer) {
    let (sink, stream) = socket.split();
    (Reader::Web(stream), Writer { side: Side::Web(sink), within })
}

/// The two sides of a stream of lines, each of so many bytes at most.
pub(crate) fn lines<R, W>(reader: R, writer: W, largest: usize, within: Duration) -> (Reader, Writer)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let side = Side::Lines(Box::new(writer), Vec::new());
    (Reader::Lines(BufReader::new(Box::new(reader)), largest), Writer { side, within })
}

impl Reader {
    /// Whether close codes cannot be told.
    pub(crate) fn is_lines(&self) -> bool {
        matches!(self, Self::Lines(..))
    }

    pub(crate) async fn next(&mut self) -> Incoming {
        match self {
            Self::Web(stream) => match stream.next().await {
                Some(Ok(Message::Text(text))) => Incoming::Text(text),
                Some(Ok(Message::Binary(_))) => {
                    Incoming::Wrong(Ending::new(1003, "messages are text, and this is binary"))
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => Incoming::Sign,
                Some(Err(Error::Capacity(wrong))) => Incoming::Wrong(Ending::new(1009, wrong.to_string())),
                Some(Err(Error::Utf8(_))) => Incoming::Wrong(Ending::new(1007, "the message is no UTF-8")),
                // It has gone without a word, as those do that are killed.
                Some(Err(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake))) => {
                    Incoming::Gone(None)
                }
                Some(Err(Error::Protocol(wrong))) => {
                    Incoming::Wrong(Ending::new(1002, format!("this is no WebSocket: {wrong}")))
                }
                Some(Ok(Message::Close(frame))) => {
                    // The answer to it goes out when more is asked for.
                    let _ = tokio::time::timeout(LINGER, stream.next()).await;
                    let ending = |frame: CloseFrame| Ending::new(frame.code.into(), frame.reason.as_str());
                    Incoming::Gone(frame.map(ending))
                }
                Some(Err(_)) | None => Incoming::Gone(None),
            },
            Self::Lines(reader, largest) => match read_line(reader, *largest).await {
                Ok(Line::Bytes(line)) => match String::from_utf8(line) {
                    Ok(text) => Incoming::Text(text.into()),
                    Err(_) => Incoming::Garbled,
                },
                Ok(Line::TooLong) => {
                    Incoming::Wrong(Ending::new(1009, format!("the line has more than {largest} bytes")))
                }
                Ok(Line::End) | Err(_) => Incoming::Gone(None),
            },
        }
    }
}

impl Writer {
    /// Writes a message, before the next flush at the latest.
    pub(crate) async fn feed(&mut self, text: Utf8Bytes) -> io::Result<()> {
        if self.feed_now(&text)? {
            return Ok(());
        }
        match &mut self.side {
            Side::Web(sink) => patient(self.within, sink.feed(Message::Text(text))).await,
            Side::Lines(..) => Ok(()),
        }
    }

    /// The same if it can be done at once; whether it was. Only who must wait needs a clock.
    pub(crate) fn feed_now(&mut self, text: &Utf8Bytes) -> io::Result<bool> {
        match &mut self.side {
            Side::Web(sink) => match sink.poll_ready_unpin(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(Ok(())) => of_socket(sink.start_send_unpin(Message::Text(text.clone())))?,
                Poll::Ready(wrong) => of_socket(wrong)?,
                Poll::Pending => return Ok(false),
            },
            Side::Lines(_, bytes) => {
                bytes.extend_from_slice(text.as_bytes());
                bytes.push(b'\n');
            }
        }
        Ok(true)
    }

    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        // A task that waits to write is woken by all that can be read as well: so it waits only where it must.
        if self.flush_now()? {
            return Ok(());
        }
        match &mut self.side {
            Side::Web(sink) => patient(self.within, sink.flush()).await,
            Side::Lines(writer, bytes) => {
                let bytes = std::mem::take(bytes);
                write_all(writer, &bytes, self.within).await
            }
        }
    }

    /// The same if it can be done at once, on any thread; whether it was.
    pub(crate) fn flush_now(&mut self) -> io::Result<bool> {
        match &mut self.side {
            Side::Web(sink) => match sink.poll_flush_unpin(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(written) => of_socket(written).map(|()| true),
                Poll::Pending => Ok(false),
            },
            // Some of these need the runtime.
            Side::Lines(_, bytes) => Ok(bytes.is_empty()),
        }
    }

    /// Asks for a sign of life, where that is possible.
    pub(crate) async fn ping(&mut self) -> io::Result<()> {
        match &mut self.side {
            Side::Web(sink) => patient(self.within, sink.feed(Message::Ping(Bytes::new()))).await,
            Side::Lines(..) => Ok(()),
        }
    }
}

async fn patient(within: Duration, work: impl Future<Output = Result<(), Error>>) -> io::Result<()> {
    let in_time = tokio::time::timeout(within, work).await;
    in_time.map_or_else(|_| Err(io::ErrorKind::TimedOut.into()), of_socket)
}

fn of_socket(result: Result<(), Error>) -> io::Result<()> {
    result.map_err(|error| match error {
        Error::Io(error) => error,
        other => io::Error::other(other),
    })
}

/// Closes a connection, and says why where that is possible.
pub(crate) async fn close(reader: Reader, writer: Writer, ending: Option<Ending>) {
    match (reader, writer.side) {
        (Reader::Web(stream), Side::Web(sink)) => {
            let Ok(mut socket) = stream.reunite(sink) else { return };
            let frame = ending.map(|Ending { code, mut reason }| {
                // The most that a frame of control holds (RFC 6455, 5.5), less the code.
                while reason.len() > 123 {
                    reason.pop();
                }
                CloseFrame { code: code.into(), reason: reason.into() }
            });
            if patient(LINGER, socket.close(frame)).await.is_ok() {
                farewell(socket.get_mut()).await;
            }
        }
        (_, Side::Lines(mut writer, _)) => {
            let _ = tokio::time::timeout(LINGER, writer.shutdown()).await;
        }
        _ => {}
    }
}

/// Reads what still comes for a moment: a socket that is closed with something unread loses what its peer
/// has not read.
pub(crate) async fn farewell(socket: &mut TcpStream) {
    let _ = socket.shutdown().await;
    let drain = async {
        let mut nothing = vec![0; 16 * 1024];
        while matches!(socket.read(&mut nothing).await, Ok(1..)) {}
    };
    let _ = tokio::time::timeout(LINGER, drain).await;
}
