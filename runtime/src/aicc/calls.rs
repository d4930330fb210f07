//! Calls: what must hold before a tool runs, and the one result that each gets.

use super::connection::Shared;
use super::events::millis;
use super::failures::{error, of_tool};
use super::session::{Refusal, Session};
use crate::arguments::Sent;
use crate::call::Course;
use crate::error::ToolError;
use crate::function::Entry;
use crate::quick::{Awaited, Out as _};
use crate::schema::member;
use crate::task;
use crate::tool::Tool;
use ludwire_protocols::aicc::{CallId, Error, ErrorCode, Meta, ToolCall, ToolResult};
use serde_json::{Map, Value};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

/// How a call has ended.
type Outcome = Result<Map<String, Value>, Error>;

/// Bytes of the id of a call.
const LONGEST_ID: usize = 256;

/// Takes a call, and has it carried out after those of the same session that were taken before. `text` is
/// the whole message.
pub(super) async fn take(shared: &Arc<Shared>, session: &Arc<Session>, call: ToolCall, text: &str) {
    let began = Instant::now();
    let id = call.call_id;
    if id.as_str().len() > LONGEST_ID {
        let text = format!("/call_id: must have at most {LONGEST_ID} bytes, since results repeat it");
        return shared.tell_error(session, error(ErrorCode::InvalidInput, text));
    }
    match session.open(id.as_str(), shared.settings.limits.calls) {
        Ok(()) => {}
        Err(Refusal::IsOpen) => {
            // A result of this id would be taken for that of the other call.
            let text =
                format!("the call {:?} runs already; the second of that id is not carried out", id.as_str());
            return shared.tell_error(session, error(ErrorCode::InvalidInput, text));
        }
        Err(Refusal::TooMany) => {
            let most = shared.settings.limits.calls;
            let text = format!(
                "{most} calls of this session run, or have results that wait to be read: try again when one has come"
            );
            let refused = Err(error(ErrorCode::ToolUnavailable, text));
            return session.push_result(shared.result(session, id, refused, meta(shared, None, began)));
        }
    }
    let entry = match find(shared, session, call.tool.as_str()) {
        Ok(entry) => entry,
        Err(refused) => return settle(shared, session, id, Err(refused), meta(shared, None, began)),
    };
    let input = Sent::Text(member(text, "input").unwrap_or("{}").to_owned());
    let key = id.as_str().to_owned();
    let running = Running { shared: Arc::clone(shared), session: Arc::clone(session), id, entry, began };
    if let Some(quick) = shared.core.quick(&running.entry.function, &session.caller, &session.gone) {
        return quick.begin(input, running, Arc::<Session>::clone(session));
    }
    let mut carried_out: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(running.carry_out(input));
    // The first step puts it into the queue: tasks of their own would get there in any order.
    let first = poll_fn(|context| Poll::Ready(carried_out.as_mut().poll(context))).await;
    if first.is_pending() {
        session.runs(&key, task::spawn(carried_out).abort_handle());
    }
}

/// A call that runs.
struct Running {
    shared: Arc<Shared>,
    session: Arc<Session>,
    id: CallId,
    entry: Arc<Entry<Tool>>,
    began: Instant,
}

impl Running {
    async fn carry_out(self, input: Sent) {
        let (caller, course) = (self.session.caller.clone(), Arc::new(Course::of_tool()));
        let result = self.shared.core.run(&self.entry.function, input, caller, Arc::clone(&course)).await;
        // What a call has caused is on its way when its result is.
        self.shared.core.events.hand_out_now();
        let session = Arc::clone(&self.session);
        self.end(result, &course);
        session.flush();
    }
}

impl Awaited for Running {
    fn end(self, result: Result<Value, ToolError>, course: &Course) {
        let Self { shared, session, id, entry, began } = self;
        let name = entry.declared.function.name;
        let outcome = match result {
            Ok(Value::Object(output)) => Ok(output),
            Ok(_) => Err(error(ErrorCode::InternalError, format!("the result of `{name}` is no object"))),
            Err(failed) => Err(of_tool(&failed, course.began().is_some())),
        };
        let meta = meta(&shared, course.began(), began).with_source(name);
        let key = id.as_str().to_owned();
        let result = shared.result(&session, id, outcome, meta);
        session.finish(&key, result);
    }

    fn go_another_way(self, input: Sent) {
        let (session, key) = (Arc::clone(&self.session), self.id.as_str().to_owned());
        session.runs(&key, task::spawn(self.carry_out(input)).abort_handle());
    }
}

/// Ends a call that was taken and does not run.
fn settle(shared: &Shared, session: &Session, id: CallId, outcome: Outcome, meta: Meta) {
    let key = id.as_str().to_owned();
    let result = shared.result(session, id, outcome, meta);
    session.finish(&key, result);
    session.flush();
}

/// Gives a call its result that cannot be read as a whole, unless another one has its id.
pub(super) fn refuse(shared: &Shared, session: &Session, id: CallId, failed: Error) {
    let key = id.as_str();
    if key.len() > LONGEST_ID || session.open(key, shared.settings.limits.calls).is_err() {
        return shared.tell_error(session, failed);
    }
    settle(shared, session, id, Err(failed), meta(shared, None, Instant::now()));
}

/// The tool, if this session may call it now.
fn find(shared: &Shared, session: &Session, id: &str) -> Result<Arc<Entry<Tool>>, Error> {
    let found = shared.catalog.find(&shared.core.registry, id);
    let entry = found.map_err(|text| error(ErrorCode::ToolUnknown, text))?;
    let (function, class) = (entry.declared.function, entry.declared.class);
    if let Some(missing) = shared.settings.capabilities.missing(function.options.requires) {
        let text = format!(
            "`{id}` cannot be called: it requires the capability `{missing}`; try again when a manifest lists it"
        );
        return Err(error(ErrorCode::ToolUnavailable, text));
    }
    session.usage.count(&function, id).map_err(|refused| of_tool(&refused, false))?;
    session.note(class);
    Ok(entry)
}

/// When a call was carried out, and how long it took.
fn meta(shared: &Shared, tick: Option<u64>, began: Instant) -> Meta {
    let tick = tick.unwrap_or_else(|| shared.core.clock.tick());
    Meta::new().with_tick(tick).with_latency_ms(millis(began.elapsed()))
}

impl Shared {
    /// The result of a call as a message. One that is too large, or for which there is no room, is a failure
    /// that says so.
    fn result(&self, session: &Session, call: CallId, outcome: Outcome, meta: Meta) -> String {
        let largest = self.settings.limits.message;
        let mut result = ToolResult::new(session.id, self.message_id(), call, outcome.is_ok());
        match outcome {
            Ok(output) => result.output = Some(output),
            Err(failed) => result.error = Some(failed),
        }
        result.meta = Some(meta);
        let text = json(&result);
        if !result.ok {
            return text;
        }
        let size = text.len();
        let text = if size > largest {
            format!(
                "the result has {size} bytes, at most {largest} can be sent; ask for less, in parts if need be"
            )
        } else if !session.has_room_for(size) {
            format!(
                "the tool has run, and its result of {size} bytes is lost: too many bytes of others wait to be read; \
                 read them, and ask for less at a time"
            )
        } else {
            return text;
        };
        let failed = Some(error(ErrorCode::ExecutionFailed, text));
        json(&ToolResult { ok: false, output: None, error: failed, ..result })
    }
}

/// A message as JSON.
pub(super) fn json(message: &impl serde::Serialize) -> String {
    serde_json::to_string(message).expect("members of their own have no names of others")
}
