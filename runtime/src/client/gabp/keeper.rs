//! Keeps a client connected.

use super::super::{Backoff, ClientError, Options, Way};
use super::events::Subscriptions;
use super::link::Link;
use super::subscription;
use crate::dispatch::lock;
use crate::random;
use ludwire_protocols::gabp::{self, Requests, error_codes};
use ludwire_protocols::support::Uuid;
use std::sync::{Arc, Mutex};
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

/// What clients and subscriptions hold: the connection ends with it.
pub(super) struct Handle {
    pub(super) shared: Arc<Shared>,
    _alive: oneshot::Sender<()>,
}

pub(super) struct Shared {
    pub(super) state: watch::Sender<State>,
    pub(super) events: Arc<Subscriptions>,
    welcome: Mutex<Option<Arc<gabp::SessionWelcomeResult>>>,
    options: Options,
}

/// Whether there is a connection.
#[derive(Clone)]
pub(super) enum State {
    Up(Arc<Link>),
    /// There is none, or none yet: why.
    Down(Option<ClientError>),
    /// There will be none: why.
    Over(ClientError),
}

impl Handle {
    /// Begins to connect.
    pub(super) fn start(way: Way, reconnect: Option<Backoff>, options: Options) -> Arc<Self> {
        let (state, _) = watch::channel(State::Down(None));
        let events = Arc::new(Subscriptions::new(options.waiting));
        let shared = Arc::new(Shared { state, events, welcome: Mutex::default(), options });
        let (alive, gone) = oneshot::channel();
        let keeping = keep(Arc::clone(&shared), way, reconnect);
        tokio::spawn(async move {
            tokio::select! {
                () = keeping => {}
                // Nobody sends anything: the last handle is gone.
                _ = gone => {}
            }
        });
        Arc::new(Self { shared, _alive: alive })
    }
}

impl Shared {
    /// The connection, once there is one.
    pub(super) async fn link(&self) -> Result<Arc<Link>, ClientError> {
        let mut state = self.state.subscribe();
        let state = state.wait_for(|state| !matches!(state, State::Down(_))).await.map(|state| state.clone());
        match state {
            Ok(State::Up(link)) => Ok(link),
            Ok(State::Over(reason)) => Err(reason),
            // Not while this is one of its senders.
            _ => Err(ClientError::Disconnected("the connection is closed".to_owned())),
        }
    }

    /// Why there is no connection at present.
    pub(super) fn why_down(&self) -> Option<ClientError> {
        match &*self.state.borrow() {
            State::Down(reason) => reason.clone(),
            State::Over(reason) => Some(reason.clone()),
            State::Up(_) => None,
        }
    }

    pub(super) fn welcome(&self) -> Arc<gabp::SessionWelcomeResult> {
        lock(&self.welcome).clone().expect("there is no client before the first welcome")
    }
}

async fn keep(shared: Arc<Shared>, mut way: Way, reconnect: Option<Backoff>) {
    // Attempts that have failed, one after the other; none counts until the first has succeeded.
    let mut failed = None;
    loop {
        let begun = Instant::now();
        let (was_up, reason) = serve(&shared, &mut way).await;
        failed = match failed {
            // A game that ends right after its welcome is not asked again and again at once.
            _ if was_up && reconnect.is_some_and(|backoff| begun.elapsed() > backoff.longest) => Some(0),
            None if was_up => Some(0),
            None => None,
            Some(failed) => Some(failed + 1),
        };
        let wait = match (reconnect, failed) {
            (Some(backoff), Some(failed)) if may_succeed(&way, &reason) => {
                backoff.wait(failed, random::number())
            }
            _ => None,
        };
        let Some(wait) = wait else {
            shared.state.send_replace(State::Over(reason));
            return;
        };
        tracing::debug!(%reason, ?wait, "a connection has ended and is made again");
        shared.state.send_replace(State::Down(Some(reason)));
        tokio::time::sleep(wait).await;
    }
}

/// Whether another connection may be better.
fn may_succeed(way: &Way, reason: &ClientError) -> bool {
    let is_turned_down =
        matches!(reason, ClientError::Refused { code: error_codes::AUTHENTICATION_FAILED, .. });
    !(way.is_for_once() || is_turned_down && way.has_one_token())
}

/// Connects and goes on until that ends: whether hello was said, and why it has ended.
async fn serve(shared: &Shared, way: &mut Way) -> (bool, ClientError) {
    let stream = match way.open().await {
        Ok(stream) => stream,
        Err(reason) => return (false, reason),
    };
    let token = stream.token.clone();
    let (link, running) = Link::new(stream, shared.options.largest, Arc::clone(&shared.events));
    tokio::pin!(running);
    let within = shared.options.within;
    let begin = async {
        let begun = tokio::time::timeout(within, begin(shared, &link, &token)).await;
        let method = gabp::methods::SESSION_HELLO.to_owned();
        begun.unwrap_or(Err(ClientError::TimedOut { method, within }))
    };
    tokio::pin!(begin);
    let (begun, ended) = tokio::select! {
        begun = &mut begin => (begun, None),
        reason = &mut running => {
            // What was answered before the end still counts.
            link.end(&reason);
            (begin.await, Some(reason))
        }
    };
    if let Err(reason) = begun {
        return (false, reason.without(&token));
    }
    shared.state.send_replace(State::Up(Arc::clone(&link)));
    let reason = match ended {
        Some(reason) => reason,
        None => running.await,
    };
    link.end(&reason);
    (true, reason)
}

/// Says hello, and subscribes to what is wanted.
async fn begin(shared: &Shared, link: &Link, token: &str) -> Result<(), ClientError> {
    let first = First(link);
    let welcome = first.session_hello(hello(token)?).await?;
    let limits = welcome.capabilities.limits.as_ref();
    let largest = limits.and_then(|limits| limits.max_message_size.as_ref()).and_then(|size| size.as_u64());
    if let Some(largest) = largest.and_then(|size| usize::try_from(size).ok()) {
        link.limit(largest);
    }
    *lock(&shared.welcome) = Some(Arc::new(welcome));
    let wanted = shared.events.wanted();
    if wanted.is_empty() {
        return Ok(());
    }
    let subscribed =
        first.events_subscribe(subscription(wanted.iter().map(String::as_str))?).await?.subscribed;
    if let Some(missing) = wanted.iter().find(|channel| !subscribed.contains(channel)) {
        tracing::warn!(channel = missing, "the game no longer has an event that was subscribed to");
    }
    Ok(())
}

/// A connection that is not there for others yet.
struct First<'a>(&'a Link);

impl Requests for First<'_> {
    type Error = ClientError;

    async fn exchange<F>(&self, _: &str, request: F) -> Result<Vec<u8>, ClientError>
    where
        F: FnOnce(Uuid) -> serde_json::Result<Vec<u8>> + Send,
    {
        self.0.exchange(request).await
    }
}

fn hello(token: &str) -> Result<gabp::SessionHelloParams, ClientError> {
    let platform = match std::env::consts::OS {
        "windows" => gabp::Platform::Windows,
        "macos" => gabp::Platform::Macos,
        _ => gabp::Platform::Linux,
    };
    // The token itself must not be shown.
    let short =
        |_| ClientError::Protocol("the token is too short, GABP wants at least 32 characters".to_owned());
    let token = gabp::Token::try_from(token).map_err(short)?;
    let version = gabp::NonEmptyString::try_from(env!("CARGO_PKG_VERSION")).expect("a package has a version");
    Ok(gabp::SessionHelloParams::new(token, version, platform, super::fresh_id()?))
}
