//! What can go wrong for whoever asks.

use ludwire_protocols::aicc;
use ludwire_protocols::gabp::{EnvelopeError, Unanswered};
use serde_json::Value;
use std::fmt;
use std::time::Duration;

/// Why something could not be asked, or what the game answered instead.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ClientError {
    /// There is no connection to the game.
    Unreachable(String),
    /// The connection is over, and what was asked has no answer; the game may have done it all the same.
    Disconnected(String),
    /// No answer has come within this time; the game may have done it all the same.
    TimedOut {
        /// What was asked for.
        method: String,
        /// How long was waited.
        within: Duration,
    },
    /// What came is not of the protocol, or what was to be asked is not.
    Protocol(String),
    /// The game refuses, with a code of the protocol.
    Refused {
        /// The code.
        code: i64,
        /// What the game says.
        message: String,
        /// What else it says.
        data: Option<Value>,
    },
    /// The game has taken it, and it has failed; over protocols in which a failure has no code.
    Failed {
        /// What the game says.
        message: String,
        /// What is wrong with each argument, where that is known.
        problems: Option<Value>,
    },
    /// The call, or the message, has failed over AICC, whose codes are words.
    Aicc(aicc::Error),
}

/// Bytes of the shortest token that is kept out of what is told.
const SHORTEST_SECRET: usize = 8;

impl ClientError {
    /// The same, without a token that nobody may see. One that anybody could guess is no secret, and may be a
    /// part of any word.
    pub(super) fn without(self, secret: &str) -> Self {
        if secret.len() < SHORTEST_SECRET {
            return self;
        }
        match self {
            Self::Refused { code, message, data } => {
                let data = data.filter(|data| !data.to_string().contains(secret));
                Self::Refused { code, message: message.replace(secret, "…"), data }
            }
            Self::Protocol(text) => Self::Protocol(text.replace(secret, "…")),
            Self::Disconnected(text) => Self::Disconnected(text.replace(secret, "…")),
            other => other,
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(what) | Self::Disconnected(what) | Self::Protocol(what) => f.write_str(what),
            Self::TimedOut { method, within } => {
                write!(f, "{method} was not answered within {} s", within.as_secs_f32())
            }
            Self::Failed { message, .. } => f.write_str(message),
            Self::Aicc(failed) => write!(f, "{} ({})", failed.message, failed.code),
            Self::Refused { code, message, .. } => write!(f, "{message} ({code})"),
        }
    }
}

impl std::error::Error for ClientError {}

impl From<EnvelopeError> for ClientError {
    fn from(error: EnvelopeError) -> Self {
        let code = error.code.as_i64().unwrap_or_default();
        Self::Refused { code, message: error.message.into_string(), data: error.data }
    }
}

impl From<Unanswered> for ClientError {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Refused(error) => error.into(),
            Unanswered::Undecodable(error) => Self::Protocol(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ClientError;

    #[test]
    fn tokens_are_left_out_and_words_are_not() {
        let told = |text: &str, secret: &str| {
            let text = text.to_owned();
            let refused = ClientError::Refused { code: 1, message: text.clone(), data: None };
            let all = [ClientError::Protocol(text.clone()), ClientError::Disconnected(text), refused];
            all.map(|error| error.without(secret).to_string())
        };
        for secret in ["", "t", "token"] {
            for told in told("the token is wrong", secret) {
                assert!(told.starts_with("the token is wrong"), "{told}");
            }
        }
        for told in told("who is hush-hush?", "hush-hush") {
            assert!(told.starts_with("who is …?"), "{told}");
        }
        let text = "who is hush-hush?".to_owned();
        let refused = ClientError::Refused { code: 1, message: String::new(), data: Some(text.into()) };
        let without = refused.clone().without("hush-hush");
        assert!(matches!(without, ClientError::Refused { data: None, .. }), "{without:?}");
        assert_eq!(refused.clone().without(""), refused);
    }
}
