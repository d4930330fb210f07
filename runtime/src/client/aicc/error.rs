//! Why something could not be done.

use ludwire_protocols::aicc::Error;
use ludwire_protocols::support::DecodeError;
use std::fmt;
use std::io;
use tokio_tungstenite::tungstenite;

/// Why something could not be done, or what the game answered instead.
#[derive(Debug)]
#[non_exhaustive]
pub enum AiccError {
    /// The connection failed or ended.
    Io(io::Error),
    /// What came is not AICC, or not what it should have been.
    Protocol(String),
    /// The connection was refused, with a status of HTTP.
    Refused {
        /// The status.
        status: u16,
        /// What the game says.
        message: String,
    },
    /// The game has closed the connection, with a close code.
    Closed {
        /// The code.
        code: u16,
        /// What the game says.
        reason: String,
    },
    /// The call, or the message, has failed.
    Failed(Error),
}

impl fmt::Display for AiccError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Protocol(what) => f.write_str(what),
            Self::Refused { status, message } => write!(f, "{message} ({status})"),
            Self::Closed { code, reason } => write!(f, "the game closed the connection: {reason} ({code})"),
            Self::Failed(failed) => write!(f, "{} ({})", failed.message, failed.code),
        }
    }
}

impl std::error::Error for AiccError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for AiccError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<DecodeError> for AiccError {
    fn from(error: DecodeError) -> Self {
        Self::Protocol(error.to_string())
    }
}

impl From<tungstenite::Error> for AiccError {
    fn from(error: tungstenite::Error) -> Self {
        match error {
            tungstenite::Error::Io(error) => Self::Io(error),
            tungstenite::Error::ConnectionClosed | tungstenite::Error::AlreadyClosed => {
                Self::Io(io::ErrorKind::UnexpectedEof.into())
            }
            tungstenite::Error::Http(response) => Self::Refused {
                status: response.status().as_u16(),
                message: String::from_utf8_lossy(response.body().as_deref().unwrap_or_default()).into_owned(),
            },
            other => Self::Protocol(other.to_string()),
        }
    }
}
