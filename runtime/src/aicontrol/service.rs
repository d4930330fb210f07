//! The methods of AiControl. Who may ask for which, the connection has decided before.

use super::commands::{self, ROOM_FOR_A_PAGE};
use super::connection::{Asked, Shared};
use super::failures::{INTERNAL, error, of_observation};
use crate::dispatch::lock;
use crate::door::Closed;
use crate::schema::member;
use ludwire_protocols::aicontrol::{
    self, ActResult, AuthParams, AuthResult, Command, Error, EventsParams, EventsResult, NonNegativeInteger,
    ObserveResult, PingResult, PositiveInteger, StatusResult, StatusResultPort,
};
use ludwire_protocols::support::Integer;
use serde_json::{Map, Value};
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Events of a page, where the client does not say (method, events).
const USUAL_PAGE: i128 = 500;
/// How long an answer without events may wait for the end of a command that is on its way: about a frame.
const HESITATION: Duration = Duration::from_millis(20);
/// The most that a client gets, whatever it says.
const LARGEST_PAGE: i128 = 500;

impl aicontrol::Service for Asked<'_> {
    async fn auth(&self, auth: AuthParams) -> Result<AuthResult, Error> {
        let mut guest = self.peer.guest.lock().await;
        match guest.enter(&auth.token).await {
            Ok(()) => {
                self.peer.is_inside.store(true, Ordering::Relaxed);
                Ok(AuthResult::new(true))
            }
            // Whoever has shown the right one before stays in.
            Err(Closed::WrongToken) => Ok(AuthResult::new(false)),
            Err(full @ Closed::Full(_)) => Err(error(INTERNAL, full.to_string())),
        }
    }

    async fn ping(&self, _: Map<String, Value>) -> Result<PingResult, Error> {
        Ok(PingResult::new())
    }

    async fn status(&self, _: Map<String, Value>) -> Result<StatusResult, Error> {
        let Shared { limits, history, commands, latest, .. } = &**self.shared;
        let number = |number: usize| NonNegativeInteger::from(number as u64);
        let bound = |number: usize| PositiveInteger::try_from(number as u64).expect("bounds are above zero");
        let (host, port) = self.shared.address();
        Ok(StatusResult {
            running: true,
            host,
            port: StatusResultPort::from(port),
            queued_commands: number(commands.waiting()),
            max_queued_commands: bound(limits.commands),
            events: number(history.len()),
            max_events: bound(limits.events),
            observation_seq: NonNegativeInteger::from(latest.seq()),
            last_error: self.shared.last_error(),
            additional: Map::new(),
        })
    }

    async fn observe(&self, _: Map<String, Value>) -> Result<ObserveResult, Error> {
        let observed = self.shared.latest.observe(&self.shared.core, self.peer.caller.clone()).await;
        let observed = observed.map_err(|failed| of_observation(&failed))?;
        Ok(ObserveResult::new(NonNegativeInteger::from(observed.seq), (*observed.shown).clone()))
    }

    async fn events(&self, wanted: EventsParams) -> Result<EventsResult, Error> {
        let after = wanted.after_seq.map_or(0, whole);
        let limit = wanted.limit.map_or(USUAL_PAGE, whole).clamp(1, LARGEST_PAGE);
        let limit = usize::try_from(limit).expect("it was clamped");
        let room = self.shared.limits.line.saturating_sub(ROOM_FOR_A_PAGE.max(self.id_size));
        let Shared { history, commands, .. } = &**self.shared;
        let (mut latest, mut page) = history.page(after, limit, room);
        // Whoever asks again and again for the end of a command has it sooner if it is waited for here.
        if page.is_empty() && commands.waiting() > 0 {
            // A quick tool ends before there must be a clock, which wakes a thread.
            self.shared.core.quick_ones.turn().await;
            let mut ended = pin!(commands.ended.notified());
            // What ends from here on is not missed.
            ended.as_mut().enable();
            (latest, page) = history.page(after, limit, room);
            if page.is_empty()
                && commands.waiting() > 0
                && tokio::time::timeout(HESITATION, ended).await.is_ok()
            {
                (latest, page) = history.page(after, limit, room);
            }
        }
        // They are put in as they are kept.
        *lock(&self.page) = page;
        Ok(EventsResult::new(NonNegativeInteger::from(latest), Vec::new()))
    }

    async fn act(&self, command: Command) -> Result<ActResult, Error> {
        let seq = commands::accept(self.shared, command, self.peer.caller, &self.peer.usage).await?;
        Ok(ActResult::new(NonNegativeInteger::from(seq)))
    }

    /// A line has a bound.
    fn written(&self, method: &str, response: serde_json::Result<Vec<u8>>) -> Result<Vec<u8>, Error> {
        let response = response.map_err(|wrong| {
            tracing::error!(method, error = %wrong, "an answer could not be written");
            error(INTERNAL, "the answer could not be written; the game's log says why")
        })?;
        let page = lock(&self.page);
        let response = if page.is_empty() { response } else { with_page(response, &page) };
        let largest = self.shared.limits.line;
        if response.len() <= largest {
            return Ok(response);
        }
        let what = match method {
            aicontrol::methods::OBSERVE => "the observation",
            _ => "the answer",
        };
        let size = response.len();
        Err(error(INTERNAL, format!("{what} takes {size} bytes, and a line holds at most {largest}")))
    }
}

/// The answer with these entries in its empty page.
fn with_page(answer: Vec<u8>, page: &str) -> Vec<u8> {
    let text = std::str::from_utf8(&answer).expect("JSON is UTF-8");
    let events = member(text, "result").and_then(|result| member(result, "events"));
    let events = events.expect("an answer to events has them");
    let inside = events.as_ptr().addr() - text.as_ptr().addr() + 1;
    [&answer[..inside], page.as_bytes(), &answer[inside..]].concat()
}

/// An integer as near as 128 bits come to it.
fn whole(integer: Integer) -> i128 {
    match (integer.as_i64(), integer.as_u64()) {
        (Some(integer), _) => integer.into(),
        (_, Some(integer)) => integer.into(),
        // Far beyond whatever is counted here.
        #[expect(clippy::cast_possible_truncation, reason = "it saturates, which is meant")]
        _ => integer.as_f64() as i128,
    }
}
