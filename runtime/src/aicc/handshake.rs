//! The HTTP request that a WebSocket begins with: who may come in, and what the others are told.

use super::connection::Shared;
use super::link::farewell;
use super::settings::Wishes;
use crate::door::{Closed, Guest};
use crate::schema::counted;
use crate::stream::write_all;
use ludwire_protocols::aicc;
use std::io;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::machine::TryParse as _;
use tokio_tungstenite::tungstenite::handshake::server::{Request, create_response, write_response};
use tokio_tungstenite::tungstenite::http::{HeaderValue, Response, StatusCode, header};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// A request that was granted.
pub(super) struct Granted {
    pub(super) socket: WebSocketStream<TcpStream>,
    pub(super) wishes: Wishes,
}

/// Why one is not.
struct Refused {
    status: StatusCode,
    text: String,
}

/// Bytes of a request.
const LONGEST: usize = 16 * 1024;
/// Bytes that are read at one time: many small messages, and little enough to stay near the processor.
const AT_ONCE: usize = 16 * 1024;
/// Bytes that wait for an agent to read them beside a message. Answers to its pings are among them, which it
/// can ask for without end, and which nobody else bounds; of those that find no room, the last one is kept.
const MOST_UNREAD: usize = 8 << 20;
/// Before a token in a list of subprotocols.
const BEARER: &str = "bearer.";

impl Refused {
    fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into() }
    }
}

/// Reads the request and answers it. `None`: it was refused, or is none.
pub(super) async fn grant(
    shared: &Shared,
    mut stream: TcpStream,
    guest: &mut Guest,
) -> io::Result<Option<Granted>> {
    let within = shared.settings.limits.read_within;
    let (judged, rest) = match read_head(&mut stream).await? {
        Head::Whole(head, rest) => (judge(&head, guest).await, rest),
        Head::TooLarge => {
            let text = format!("a request has at most {LONGEST} bytes here, with its headers");
            (Err(Refused::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, text)), Vec::new())
        }
        Head::None => {
            shared.door.turn_away("it speaks no HTTP");
            return Ok(None);
        }
    };
    match judged {
        Ok((response, wishes)) => {
            let mut bytes = Vec::new();
            write_response(&mut bytes, &response).map_err(io::Error::other)?;
            write_all(&mut stream, &bytes, within).await?;
            let largest = Some(shared.settings.limits.message);
            let most_unread = shared.settings.limits.message.saturating_add(MOST_UNREAD);
            let config = WebSocketConfig::default()
                .read_buffer_size(AT_ONCE)
                .max_message_size(largest)
                .max_frame_size(largest)
                .max_write_buffer_size(most_unread);
            let socket = WebSocketStream::from_partially_read(stream, rest, Role::Server, Some(config)).await;
            Ok(Some(Granted { socket, wishes }))
        }
        Err(Refused { status, text }) => {
            // Neither what was asked for nor who asked: a token may stand in it.
            shared.door.turn_away(format_args!("{text} ({status})"));
            let mut response = Response::new(());
            *response.status_mut() = status;
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(text.len()));
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            match status {
                StatusCode::UNAUTHORIZED => {
                    headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
                }
                StatusCode::UPGRADE_REQUIRED => {
                    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
                }
                _ => {}
            }
            let mut bytes = Vec::new();
            write_response(&mut bytes, &response).map_err(io::Error::other)?;
            bytes.extend_from_slice(text.as_bytes());
            write_all(&mut stream, &bytes, within).await?;
            farewell(&mut stream).await;
            Ok(None)
        }
    }
}

/// What a connection begins with.
enum Head {
    /// A request with its headers, and what came after them.
    Whole(Vec<u8>, Vec<u8>),
    TooLarge,
    /// No HTTP, or not all of it.
    None,
}

async fn read_head(stream: &mut TcpStream) -> io::Result<Head> {
    let mut head = Vec::new();
    loop {
        let from = head.len().saturating_sub(3);
        let most = LONGEST - head.len();
        if most == 0 {
            return Ok(Head::TooLarge);
        }
        if (&mut *stream).take(most as u64).read_buf(&mut head).await? == 0 || !head[0].is_ascii_alphabetic()
        {
            return Ok(Head::None);
        }
        if let Some(at) = head[from..].windows(4).position(|part| part == b"\r\n\r\n") {
            let rest = head.split_off(from + at + 4);
            return Ok(Head::Whole(head, rest));
        }
    }
}

/// What is answered to a request, and what it says of the agent.
async fn judge(head: &[u8], guest: &mut Guest) -> Result<(Response<()>, Wishes), Refused> {
    use StatusCode as Code;
    let Ok(Some((_, request))) = Request::try_parse(head) else {
        return Err(Refused::new(Code::BAD_REQUEST, "this is no GET request of HTTP/1.1"));
    };
    if request.uri().path() != aicc::PATH {
        return Err(Refused::new(Code::NOT_FOUND, format!("the path is {}", aicc::PATH)));
    }
    let headers = request.headers();
    if headers.get_all(header::ORIGIN).iter().any(|origin| !is_local(origin)) {
        return Err(Refused::new(Code::FORBIDDEN, "pages of this origin may not connect"));
    }
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL);
    let offered: Vec<&str> = offered
        .iter()
        .filter_map(|list| list.to_str().ok())
        .flat_map(|list| list.split(','))
        .map(str::trim)
        .collect();
    let shown = token(&request, &offered)?;
    let entered = match &shown {
        Some(token) => guest.enter(token).await,
        None => guest.walk_in(),
    };
    match entered {
        Ok(()) => {}
        Err(Closed::WrongToken) => {
            let wrong = if shown.is_some() { "this is not the token: " } else { "" };
            let text = "show the token, in the header Authorization or, if it has no comma, as the subprotocol \
                        bearer.…";
            return Err(Refused::new(Code::UNAUTHORIZED, format!("{wrong}{text}")));
        }
        Err(Closed::Full(most)) => {
            let connections = counted(most, "connection");
            let text = format!("there is room for {connections}, and no more; try again later");
            return Err(Refused::new(Code::SERVICE_UNAVAILABLE, text));
        }
    }
    let mut response = create_response(&request).map_err(|wrong| {
        Refused::new(Code::UPGRADE_REQUIRED, format!("a WebSocket is spoken here: {wrong}"))
    })?;
    if offered.contains(&aicc::SUBPROTOCOL) {
        let own = HeaderValue::from_static(aicc::SUBPROTOCOL);
        response.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, own);
    } else if !offered.is_empty() {
        let text = format!("of subprotocols, {} is spoken here", aicc::SUBPROTOCOL);
        return Err(Refused::new(Code::BAD_REQUEST, text));
    }
    Ok((response, Wishes::of_query(request.uri().query().unwrap_or_default())))
}

/// The token that is shown. Of two, which may differ, neither is.
fn token(request: &Request, offered: &[&str]) -> Result<Option<String>, Refused> {
    let bearer = request.headers().get_all(header::AUTHORIZATION).iter().map(|value| {
        let value = String::from_utf8_lossy(value.as_bytes());
        let token = value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        token.map(|(_, token)| token.trim().to_owned())
    });
    let offered =
        offered.iter().filter_map(|offer| offer.strip_prefix(BEARER)).map(|token| Some(token.to_owned()));
    let mut shown = bearer.chain(offered);
    let first = shown.next();
    if shown.next().is_some() {
        let text = "show one token, in one header Authorization or as one subprotocol bearer.…";
        return Err(Refused::new(StatusCode::BAD_REQUEST, text));
    }
    Ok(first.flatten())
}

/// Whether a page comes from this machine, over what browsers speak with it.
fn is_local(origin: &HeaderValue) -> bool {
    let host = origin.to_str().ok().and_then(|origin| {
        let (scheme, authority) = origin.split_once("://")?;
        let end = match authority.strip_prefix('[') {
            Some(inside) => inside.find(']')? + 2,
            None => authority.find(':').unwrap_or(authority.len()),
        };
        let (host, port) = authority.split_at(end);
        let is_port =
            port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
        (matches!(scheme, "http" | "https") && is_port).then_some(host)
    });
    matches!(host, Some("localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
mod tests {
    use super::is_local;
    use tokio_tungstenite::tungstenite::http::HeaderValue;

    #[test]
    fn pages_of_this_machine_are_no_strangers() {
        for (origin, expected) in [
            ("http://localhost", true),
            ("https://localhost:8080", true),
            ("http://127.0.0.1:3000", true),
            ("http://[::1]:3000", true),
            ("http://[::1]", true),
            ("file://localhost", false),
            ("chrome-extension://localhost", false),
            ("://localhost", false),
            ("HTTP://localhost", false),
            ("http://localhost.example", false),
            ("http://localhost:80.example", false),
            ("http://127.0.0.1.example:80", false),
            ("http://127.0.0.1@example", false),
            ("http://localhost:80@example", false),
            ("http://[::1", false),
            ("http://example", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(is_local(&HeaderValue::from_static(origin)), expected, "{origin}");
        }
    }
}
