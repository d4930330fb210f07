//! Calls: what must hold before a tool runs, and the one result that each gets.

use super::connection::Shared;
use super::events::millis;
use super::failures::{error, of_tool};
use super::session::{Refusal, Session};
use crate::arguments::Sent;
use crate::call::Course;
use crate::function::Entry;
use crate::schema::member;
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
        Err(refused) => {
            let key = id.as_str().to_owned();
            let result = shared.result(session, id, Err(refused), meta(shared, None, began));
            return session.finish(&key, result);
        }
    };
    let input = Sent::Text(member(text, "input").unwrap_or("{}").to_owned());
    let (key, running) = (id.as_str().to_owned(), Arc::clone(session));
    let shared = Arc::clone(shared);
    let mut carried_out: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async move {
        let (name, course) = (entry.declared.function.name, Arc::new(Course::of_tool()));
        let result =
            shared.core.run(&entry.function, input, running.caller.clone(), Arc::clone(&course)).await;
        let outcome = match result {
            Ok(Value::Object(output)) => Ok(output),
            Ok(_) => Err(error(ErrorCode::InternalError, format!("the result of `{name}` is no object"))),
            Err(failed) => Err(of_tool(&failed, course.began().is_some())),
        };
        let meta = meta(&shared, course.began(), began).with_source(name);
        let key = id.as_str().to_owned();
        let result = shared.result(&running, id, outcome, meta);
        running.finish(&key, result);
    });
    // The first step puts it into the queue: tasks of their own would get there in any order.
    let first = poll_fn(|context| Poll::Ready(carried_out.as_mut().poll(context))).await;
    if first.is_pending() {
        session.runs(&key, tokio::spawn(carried_out).abort_handle());
    }
}

/// Gives a call its result that cannot be read as a whole, unless another one has its id.
pub(super) fn refuse(shared: &Shared, session: &Session, id: CallId, failed: Error) {
    let key = id.as_str().to_owned();
    if key.len() > LONGEST_ID || session.open(&key, shared.settings.limits.calls).is_err() {
        return shared.tell_error(session, failed);
    }
    let result = shared.result(session, id, Err(failed), meta(shared, None, Instant::now()));
    session.finish(&key, result);
}

/// The tool, if this session may call it now.
fn find(shared: &Shared, session: &Session, id: &str) -> Result<Arc<Entry<Tool>>, Error> {
    let found = shared.catalog.find(&shared.core.registry, id);
    let entry = found.map_err(|text| error(ErrorCode::ToolUnknown, text))?;
    let (function, class) = (entry.declared.function, entry.declared.class);
    let unavailable =
        |text: String| error(ErrorCode::ToolUnavailable, format!("`{id}` cannot be called: {text}"));
    if let Some(missing) = shared.settings.capabilities.missing(function.options.requires) {
        let text = format!("it requires the capability `{missing}`; try again when a manifest lists it");
        return Err(unavailable(text));
    }
    let count = session
        .with_usage(|usage| usage.count(function.name, class, function.options.limits, Instant::now()));
    count.map_err(unavailable)?;
    Ok(entry)
}

/// When a call was carried out, and how long it took.
fn meta(shared: &Shared, tick: Option<u64>, began: Instant) -> Meta {
    let tick = tick.unwrap_or_else(|| shared.core.clock.tick());
    Meta::new().with_tick(tick).with_latency_ms(millis(began.elapsed()))
}

impl Shared {
    /// The result of a call as a message. One that is too large is a failure that says so.
    fn result(&self, session: &Session, call: CallId, outcome: Outcome, meta: Meta) -> String {
        let largest = self.settings.limits.message;
        let mut result = ToolResult::new(session.id, self.message_id(), call, outcome.is_ok());
        match outcome {
            Ok(output) => result.output = Some(output),
            Err(failed) => result.error = Some(failed),
        }
        result.meta = Some(meta);
        let text = json(&result);
        if text.len() <= largest || !result.ok {
            return text;
        }
        let size = text.len();
        let text = format!(
            "the result has {size} bytes, at most {largest} can be sent; ask for less, in parts if need be"
        );
        let failed = Some(error(ErrorCode::ExecutionFailed, text));
        json(&ToolResult { ok: false, output: None, error: failed, ..result })
    }
}

/// A message as JSON.
pub(super) fn json(message: &impl serde::Serialize) -> String {
    serde_json::to_string(message).expect("members of their own have no names of others")
}
