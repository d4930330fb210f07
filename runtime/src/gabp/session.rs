//! One connection's session: who may ask what, and when the answer is due. What the answers are,
//! [`service`](super::service) says.

use super::connection::Shared;
use super::failures;
use super::outbox::Outbox;
use super::parted;
use crate::arguments::Sent;
use crate::call::{Caller, Course};
use crate::dispatch::lock;
use crate::door::{Closed, Guest};
use crate::error::ToolError;
use crate::events::Subscriber;
use crate::function::Entry;
use crate::quick::{Awaited, Quick};
use crate::task;
use crate::tool::Tool;
use crate::usage::Usage;
use ludwire_protocols::gabp::{self, EnvelopeError, Message, error_codes, methods};
use ludwire_protocols::support::DecodeError;
use serde_json::Value;
use std::future::Future;
use std::ops::{Deref, Range};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::sync::{Mutex, OwnedSemaphorePermit};

/// What follows from a message. Bodies are JSON, without the frame's header.
pub(super) enum Next {
    Answer(Vec<u8>),
    AnswerAndClose(Vec<u8>),
    /// The answer is made by the task for what is quick.
    Quick(Box<QuickCall>),
    /// The answer comes when the game, or a tool, has done its part.
    Later(Pin<Box<dyn Future<Output = Vec<u8>> + Send>>),
    Nothing,
}

pub(super) struct Session {
    pub(super) shared: Arc<Shared>,
    pub(super) subscriber: Arc<Subscriber>,
    pub(super) caller: Caller,
    stage: AtomicU8,
    /// The connection has ended.
    pub(super) gone: Arc<AtomicBool>,
    /// What it has called.
    usage: Usage,
    guest: Mutex<Guest>,
}

/// A message, and the session that it is of: what answers it.
pub(super) struct Asked {
    pub(super) session: Arc<Session>,
    /// The message as it was written.
    pub(super) body: Vec<u8>,
    /// Where the arguments of a tool stand in it.
    pub(super) arguments: Option<Range<usize>>,
    /// How the call has ended, which this is, where that is known already.
    pub(super) ended: std::sync::Mutex<Option<Result<Value, ToolError>>>,
}

/// A call of a tool that is believed to be quick.
pub(super) struct QuickCall {
    quick: Quick,
    asked: Asked,
    message: Message,
}

impl QuickCall {
    /// Has it run, and its answer written.
    pub(super) fn begin(self: Box<Self>, outbox: &Arc<Outbox>, place: OwnedSemaphorePermit) {
        let Self { quick, asked, message } = *self;
        let (arguments, out) = (asked.arguments_of(&message), Arc::clone(outbox));
        quick.begin(arguments, Waiting { asked, message, outbox: Arc::clone(outbox), place }, out);
    }
}

/// The peer that waits for a call.
struct Waiting {
    asked: Asked,
    message: Message,
    outbox: Arc<Outbox>,
    place: OwnedSemaphorePermit,
}

impl Awaited for Waiting {
    fn end(self, result: Result<Value, ToolError>, _: &Course) {
        let Self { asked, message, outbox, place } = self;
        *lock(&asked.ended) = Some(result);
        let mut answering = pin!(asked.answer(message));
        match answering.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => outbox.lay(answer, Some(place)),
            Poll::Pending => tracing::error!("an answer was awaited that is there"),
        }
    }

    fn go_another_way(self, _: Sent) {
        task::spawn(self.answer_later());
    }
}

impl Waiting {
    /// Answers as a call of any tool is answered, for as long as its connection lasts.
    async fn answer_later(self) {
        let Self { asked, message, outbox, place } = self;
        let gone = async {
            while !asked.gone.load(Ordering::Relaxed) {
                tokio::time::sleep(LOOKS).await;
            }
        };
        let answer = tokio::select! {
            answer = asked.answer(message) => answer,
            () = gone => return,
        };
        asked.shared.core.events.hand_out_now();
        outbox.push(answer, Some(place));
    }
}

impl Asked {
    async fn answer(&self, message: Message) -> Vec<u8> {
        let answer = gabp::dispatch(self, message).await;
        let answer = answer.expect("it is a request").expect(failures::ALWAYS);
        failures::shortened(answer, self.shared.limits.message)
    }
}

impl Deref for Asked {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

/// How often it is looked whether the connection of a call has ended.
const LOOKS: Duration = Duration::from_millis(50);
/// The peer has not shown the token.
const STRANGER: u8 = 0;
/// It has.
const WELCOME: u8 = 1;
/// Nothing more is answered.
const OVER: u8 = 2;

impl Session {
    pub(super) fn new(
        shared: Arc<Shared>,
        subscriber: Arc<Subscriber>,
        caller: Caller,
        guest: Guest,
    ) -> Self {
        let (stage, guest) = (AtomicU8::new(STRANGER), Mutex::new(guest));
        Self { shared, subscriber, caller, stage, gone: Arc::default(), usage: Usage::default(), guest }
    }

    /// Whether the peer has shown the token.
    pub(super) fn is_welcome(&self) -> bool {
        self.stage.load(Ordering::Acquire) == WELCOME
    }

    /// Lets a peer in that shows the token.
    ///
    /// # Errors
    ///
    /// That it is another one, which is said late where that happens often, or that there is no room. Both
    /// are the end of it.
    pub(super) async fn welcome(&self, token: &str) -> Result<(), EnvelopeError> {
        let closed = match self.guest.lock().await.enter(token).await {
            Ok(()) => {
                self.stage.store(WELCOME, Ordering::Release);
                return Ok(());
            }
            Err(closed) => closed,
        };
        self.end();
        let code = match closed {
            // The door speaks of it.
            Closed::WrongToken => error_codes::AUTHENTICATION_FAILED,
            Closed::Full(_) => {
                tracing::warn!(caller = ?self.caller, "a connection is turned away: {closed}");
                *error_codes::SERVER_ERROR.end()
            }
        };
        Err(failures::error(code, &closed.to_string()))
    }

    /// Ends it, after the answer that is being made.
    pub(super) fn end(&self) {
        self.stage.store(OVER, Ordering::Release);
    }

    /// Takes a message.
    pub(super) async fn take(self: &Arc<Self>, body: Vec<u8>) -> Next {
        let (message, arguments) = match parted::decode(&body) {
            Ok(parted) => parted,
            Err(wrong) => return self.next(self.undecodable(&body, &wrong)),
        };
        self.trace(&message, &body);
        // A bridge has no business to answer or to send events; there is nothing to say to it.
        let Some(method) = message.asks() else {
            return if self.is_welcome() { Next::Nothing } else { self.refuse(message, strange()) };
        };
        if !self.is_welcome() && method != methods::SESSION_HELLO {
            return self.refuse(message, strange());
        }
        if !self.offers(method) {
            let error = failures::unknown_method(method);
            return self.refuse(message, error);
        }
        let at_once = is_answered_at_once(method);
        let asked = Asked { session: Arc::clone(self), body, arguments, ended: std::sync::Mutex::default() };
        if let Some(tool) = self.called(&message) {
            if let Err(refused) = self.usage.count(&tool.function.function, tool.declared.function.name) {
                *lock(&asked.ended) = Some(Err(refused));
            } else if let Some(quick) = self.shared.core.quick(&tool.function, &self.caller, &self.gone) {
                return Next::Quick(Box::new(QuickCall { quick, asked, message }));
            }
        }
        let answer = async move { asked.answer(message).await };
        if at_once { self.next(answer.await) } else { Next::Later(Box::pin(answer)) }
    }

    /// The answer to what is no message. Which tools there are, a stranger is not told.
    fn undecodable(&self, body: &[u8], wrong: &DecodeError) -> Vec<u8> {
        match failures::misnamed(body, wrong).filter(|_| self.is_welcome()) {
            Some((id, name)) => {
                let unknown = self.shared.core.registry.unknown(&name);
                failures::answer(id, failures::error(error_codes::TOOL_NOT_FOUND, &unknown))
            }
            None => failures::undecodable(body, wrong),
        }
    }

    /// The tool that a message calls, by its name or as a method of the game's own.
    fn called(&self, message: &Message) -> Option<Arc<Entry<Tool>>> {
        let name = match message {
            Message::ToolsCallRequest(request) => request.params.name.as_str(),
            other => other.asks().filter(|method| self.shared.core.methods.contains(*method))?,
        };
        self.shared.core.registry.get(name)
    }

    /// Whether a method is there for a bridge; the welcome announces these, and no other is answered.
    pub(super) fn offers(&self, method: &str) -> bool {
        let core = &self.shared.core;
        match method {
            methods::ATTENTION_ACK | methods::ATTENTION_CURRENT => core.attention.is_on(),
            methods::EVENTS_LIST => !core.channels().is_empty(),
            methods::RESOURCES_LIST | methods::RESOURCES_READ => super::companions::has_resources(core),
            methods::STATE_GET => !core.registry.states().is_empty(),
            methods::STATE_SET => super::companions::can_set(core),
            methods::SESSION_HELLO
            | methods::SESSION_PING
            | methods::SESSION_GOODBYE
            | methods::TOOLS_LIST
            | methods::TOOLS_GET
            | methods::TOOLS_CALL
            | methods::EVENTS_SUBSCRIBE
            | methods::EVENTS_UNSUBSCRIBE => true,
            _ => core.methods.contains(method) && core.registry.get(method).is_some(),
        }
    }

    /// What came, for whoever looks for it; a hello holds the token, which nobody may see.
    fn trace(&self, message: &Message, body: &[u8]) {
        if tracing::enabled!(tracing::Level::TRACE) {
            let body = match message {
                Message::SessionHelloRequest(_) => "…".into(),
                _ => String::from_utf8_lossy(body),
            };
            tracing::trace!(caller = ?self.caller, is = message.name(), %body, "received");
        }
    }

    fn refuse(&self, message: Message, error: EnvelopeError) -> Next {
        match gabp::refuse(message, error.clone()) {
            Some(answer) => self.next(answer.expect(failures::ALWAYS)),
            // It was no request, and has no id.
            None => self.next(failures::answer(ludwire_protocols::support::Uuid::NIL, error)),
        }
    }

    /// A stranger has one try, and after its end a session has none.
    fn next(&self, answer: Vec<u8>) -> Next {
        let answer = failures::shortened(answer, self.shared.limits.message);
        if self.is_welcome() { Next::Answer(answer) } else { Next::AnswerAndClose(answer) }
    }
}

fn strange() -> EnvelopeError {
    failures::error(error_codes::AUTHENTICATION_REQUIRED, "say session/hello first, with the token")
}

/// These need neither the game's thread nor code of the game: they are answered while it stands still,
/// and in the order in which they were asked.
fn is_answered_at_once(method: &str) -> bool {
    [
        methods::SESSION_HELLO,
        methods::SESSION_PING,
        methods::SESSION_GOODBYE,
        methods::TOOLS_LIST,
        methods::TOOLS_GET,
        methods::EVENTS_LIST,
        methods::RESOURCES_LIST,
        methods::EVENTS_SUBSCRIBE,
        methods::EVENTS_UNSUBSCRIBE,
        methods::ATTENTION_CURRENT,
        methods::ATTENTION_ACK,
    ]
    .contains(&method)
}

#[cfg(test)]
mod tests {
    use super::{Next, Session, Shared};
    use crate::call::Caller;
    use crate::dispatch::Core;
    use crate::gabp::Limits;
    use crate::held::Held;
    use crate::registry::Registry;
    use serde_json::{Value, json};
    use std::sync::Arc;
    use std::time::Duration;

    /// How long a token must be was decided by whoever made it.
    #[tokio::test]
    async fn a_short_token_opens_the_door_if_it_is_the_one() {
        let (registry, held) = (Registry::default(), Held::default());
        let core = Core::new("g".to_owned(), "1".to_owned(), registry, held, Duration::from_secs(1));
        let core = Arc::new(core);
        let subscriber = core.events.subscriber(Arc::default());
        let limits = Limits::default();
        let shared = Arc::new(Shared::new(core, "t".to_owned(), "a".to_owned(), None, limits));
        for (token, opens) in [("t", true), ("u", false)] {
            let caller = Caller::Peer { protocol: "gabp", connection: 1 };
            let guest = shared.door.knock();
            let session = Session::new(Arc::clone(&shared), Arc::clone(&subscriber), caller, guest);
            let session = Arc::new(session);
            let id = "11111111-2222-4333-8444-555555555555";
            let params =
                json!({ "token": token, "bridgeVersion": "1", "platform": "darwin", "launchId": "x" });
            let message = json!({ "v": "gabp/1", "id": id, "type": "request", "method": "session/hello", "params": params });
            let answer = match session.take(message.to_string().into_bytes()).await {
                Next::Answer(body) | Next::AnswerAndClose(body) => body,
                Next::Later(_) | Next::Quick(_) | Next::Nothing => panic!("a hello is answered at once"),
            };
            let answer: Value = serde_json::from_slice(&answer).expect("it is JSON");
            assert_eq!(session.is_welcome(), opens, "{answer}");
            if opens {
                assert_eq!(answer["result"]["agentId"], "a", "{answer}");
            } else {
                assert_eq!(answer["error"]["code"], -32101, "{answer}");
            }
        }
    }
}
