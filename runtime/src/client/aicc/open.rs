//! How a session's connection comes about.

use super::super::ClientError;
use super::super::way::{Stream, Way, not_there, tcp, well_formed};
use crate::aicc::link::{self, Reader, Writer};
use ludwire_protocols::aicc::{self, EventTopic, ModelClass};
use std::fmt;
use std::time::Duration;
use tokio::process::Child;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::{HeaderValue, header};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Error};

/// A connection.
pub(super) struct Open {
    pub(super) reader: Reader,
    pub(super) writer: Writer,
    /// The game, where it was started for this: it ends with the connection.
    pub(super) process: Option<Child>,
    /// What nobody may see.
    pub(super) token: String,
}

/// How long the game may take nothing of what waits for it.
const READS_WITHIN: Duration = Duration::from_secs(30);

/// Connects. What it says of the agent, only a WebSocket can tell.
pub(super) async fn open(
    way: &mut Way,
    model: Option<ModelClass>,
    topics: &[EventTopic],
    largest: usize,
) -> Result<Open, ClientError> {
    let Some(target) = way.address()? else {
        let Stream { reader, writer, token, process } = way.open().await?;
        let (reader, writer) = link::lines(reader, writer, largest, READS_WITHIN);
        return Ok(Open { reader, writer, process, token });
    };
    let mut query: Vec<String> = model.iter().map(|class| format!("model={class}")).collect();
    if !topics.is_empty() {
        let topics: Vec<&str> = topics.iter().map(|topic| topic.as_str()).collect();
        query.push(format!("events={}", topics.join(",")));
    }
    well_formed(&target.address).map_err(|error| not_there(&target.address, &error, ""))?;
    let url = format!("ws://{}{}?{}", target.address, aicc::PATH, query.join("&"));
    let wrong = |error: &dyn fmt::Display| ClientError::Unreachable(format!("{}: {error}", target.address));
    let mut request = url.into_client_request().map_err(|error| wrong(&error))?;
    let headers = request.headers_mut();
    headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(aicc::SUBPROTOCOL));
    if !target.token.is_empty() {
        let mut bearer = HeaderValue::try_from(format!("Bearer {}", target.token))
            // The token itself must not be shown.
            .map_err(|_| ClientError::Protocol("the token cannot stand in a header".to_owned()))?;
        bearer.set_sensitive(true);
        headers.insert(header::AUTHORIZATION, bearer);
    }
    let stream = tcp(&target.address).await?;
    let config = WebSocketConfig::default().max_message_size(Some(largest)).max_frame_size(Some(largest));
    let (socket, _) = tokio_tungstenite::client_async_with_config(request, stream, Some(config))
        .await
        .map_err(|error| refused(error).without(&target.token))?;
    let (reader, writer) = link::web(socket, READS_WITHIN);
    Ok(Open { reader, writer, process: None, token: target.token.clone() })
}

/// Why there is no WebSocket.
fn refused(error: Error) -> ClientError {
    match error {
        Error::Http(response) if response.status().is_success() => {
            let status = response.status();
            ClientError::Protocol(format!(
                "what listens there is no game that speaks AICC: it answers with {status}"
            ))
        }
        Error::Http(response) => {
            let body = response.body().as_deref().unwrap_or_default();
            let message = String::from_utf8_lossy(body).into_owned();
            ClientError::Refused { code: response.status().as_u16().into(), message, data: None }
        }
        Error::Io(error) => {
            ClientError::Disconnected(format!("the connection to the game has ended: {error}"))
        }
        Error::Protocol(tungstenite::error::ProtocolError::HandshakeIncomplete) => {
            ClientError::Disconnected("the game has closed the connection".to_owned())
        }
        other => ClientError::Protocol(format!("the game does not speak AICC: {other}")),
    }
}
