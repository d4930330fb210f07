//! Commands: what makes a call of one, and the event that ends it, whatever happens.

use super::connection::Shared;
use super::failures::error;
use crate::arguments::Sent;
use crate::call::{Caller, Course};
use crate::dispatch::{SHUTTING_DOWN, lock};
use crate::error::ToolError;
use crate::function::Entry;
use crate::quick::{Awaited, Out};
use crate::resource::{from_text, kinds};
use crate::task;
use crate::tool::Tool;
use crate::usage::Usage;
use ludwire_protocols::aicontrol::{Command, CommandCompleted, Error, NonNegativeInteger, error_codes};
use serde::Serialize;
use serde_json::Value;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use tokio::sync::Notify;

/// How many commands a client may have for each that there is still room for: however many clients take all they
/// get, there is room for another one, and one by itself gets three quarters.
const TO_ONE: usize = 3;

/// Commands that were accepted.
pub(super) struct Commands {
    most: usize,
    /// Told when some have completed.
    pub(super) ended: Notify,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// The number of the latest, from 1.
    latest: u64,
    /// Those that have not completed.
    waiting: usize,
    /// How many of them are whose; clients are few.
    of: Vec<(Caller, usize)>,
}

/// The ends of commands lie where clients fetch them, and some wait for one.
impl Out for Commands {
    fn flush(&self) -> bool {
        self.ended.notify_waiters();
        // So may have the events that tell of the ends.
        true
    }
}

/// A command on its way. It completes when it is dropped at the latest.
struct Accepted {
    shared: Arc<Shared>,
    seq: u64,
    name: String,
    caller: Caller,
    is_complete: bool,
}

impl Commands {
    /// Takes so many at one time.
    pub(super) fn new(most: usize) -> Self {
        Self { most, ended: Notify::new(), inner: Mutex::default() }
    }

    /// How many have not completed.
    pub(super) fn waiting(&self) -> usize {
        lock(&self.inner).waiting
    }

    /// The number of another one of a client.
    ///
    /// # Errors
    ///
    /// That there is no room for it, in words.
    fn accept(&self, caller: &Caller) -> Result<u64, String> {
        let mut inner = lock(&self.inner);
        let Inner { latest, waiting, of } = &mut *inner;
        let own = of.iter_mut().find(|(other, _)| other == caller);
        let mine = own.as_ref().map_or(0, |(_, own)| *own);
        let room = self.most - *waiting;
        if room == 0 {
            return Err(format!("{} commands wait already, which is the most", self.most));
        }
        if mine >= TO_ONE * room {
            return Err(format!(
                "{mine} commands of yours wait already, and there is room for {room} of others only"
            ));
        }
        match own {
            Some((_, own)) => *own += 1,
            None => of.push((caller.clone(), 1)),
        }
        *waiting += 1;
        *latest += 1;
        Ok(*latest)
    }

    /// One of them has completed.
    fn complete(&self, caller: &Caller) {
        let mut inner = lock(&self.inner);
        inner.waiting -= 1;
        if let Some(at) = inner.of.iter().position(|(other, _)| other == caller) {
            inner.of[at].1 -= 1;
            if inner.of[at].1 == 0 {
                inner.of.swap_remove(at);
            }
        }
    }
}

/// Accepts a command, and has it carried out after those of this caller that were accepted before. Gives its
/// number.
///
/// # Errors
///
/// That too many wait.
pub(super) async fn accept(
    shared: &Arc<Shared>,
    command: Command,
    caller: &Caller,
    usage: &Usage,
) -> Result<u64, Error> {
    let seq = shared
        .commands
        .accept(caller)
        .map_err(|full| error(error_codes::QUEUE_FULL, format!("{full}; wait until some have completed")))?;
    let name = command.type_.as_str().to_owned();
    let tool = shared.core.registry.get(&name);
    let accepted =
        Accepted { shared: Arc::clone(shared), seq, name, caller: caller.clone(), is_complete: false };
    if let Some(tool) = &tool
        && let Err(refused) = usage.count(&tool.function.function, &accepted.name)
    {
        accepted.complete(Err(refused));
        shared.commands.flush();
        return Ok(seq);
    }
    let arguments = arguments(tool.as_deref(), command);
    // Commands are carried out whether or not their client is still there.
    let quick = tool.and_then(|tool| shared.core.quick(&tool.function, caller, &shared.nobody_gone));
    if let Some(quick) = quick {
        quick.begin(arguments, accepted, Arc::<Commands>::clone(&shared.commands));
        return Ok(seq);
    }
    let mut carried_out: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(accepted.carry_out(arguments));
    // The first step puts it into the queue: tasks of their own would get there in any order.
    let first = poll_fn(|context| Poll::Ready(carried_out.as_mut().poll(context))).await;
    if first.is_pending() {
        task::spawn(carried_out);
    }
    Ok(seq)
}

impl Awaited for Accepted {
    fn end(self, result: Result<Value, ToolError>, _: &Course) {
        self.complete(result);
    }

    fn go_another_way(self, arguments: Sent) {
        task::spawn(self.carry_out(arguments));
    }
}

impl Accepted {
    async fn carry_out(self, arguments: Sent) {
        let shared = Arc::clone(&self.shared);
        let result = shared.core.call(&self.name, arguments, self.caller.clone(), Course::of_tool()).await;
        self.complete(result);
        shared.commands.flush();
    }

    fn complete(mut self, result: Result<Value, ToolError>) {
        self.finish(result);
    }

    fn finish(&mut self, result: Result<Value, ToolError>) {
        if std::mem::replace(&mut self.is_complete, true) {
            return;
        }
        let (success, message, more) = match result {
            Ok(result) => (true, format!("`{}` is done", self.name), ("result", Some(result))),
            Err(failed) => {
                self.shared.went_wrong(failed.message());
                let problems = failed.data().and_then(|mut data| data.get_mut("problems").map(Value::take));
                (false, failed.message().to_owned(), ("problems", problems))
            }
        };
        let event = completed(self.seq, success, message, more);
        let largest = self.shared.limits.line - ROOM_FOR_A_PAGE;
        if let Err(size) = self.shared.keep_end(&event, largest) {
            let message = format!(
                "`{}` has ended; what it says of that has {size} bytes, which is too much for a line: ask for less, \
                 in parts if need be",
                self.name
            );
            // An end is kept, however long the name of what it is the end of.
            let short = completed(self.seq, success, message, ("result", None));
            let _ = self.shared.keep_end(&short, usize::MAX);
        }
        self.shared.commands.complete(&self.caller);
    }
}

/// Bytes of a line that a page with one event has beside it, with an id of usual length.
pub(super) const ROOM_FOR_A_PAGE: usize = 4096;

impl Drop for Accepted {
    fn drop(&mut self) {
        self.finish(Err(ToolError::unavailable(SHUTTING_DOWN)));
    }
}

/// The event that ends a command (integration, command-completion).
fn completed(seq: u64, success: bool, message: String, (name, value): (&str, Option<Value>)) -> String {
    let mut completed = CommandCompleted::new(NonNegativeInteger::from(seq), success, message);
    completed.additional.extend(value.map(|value| (name.to_owned(), value)));
    serde_json::to_string(&completed).expect("no rule spans the members of this event")
}

/// The arguments of a command: its members, but for the type. Those that the protocol has a name for are
/// those of the same name as Rust writes it, where the tool has no argument of just that name: `targetId`
/// is `target_id`.
fn arguments(tool: Option<&Entry<Tool>>, command: Command) -> Sent {
    let properties = tool.and_then(|tool| tool.function.input_schema.get("properties")?.as_object());
    let known = |name: &str| properties.and_then(|properties| properties.get(name));
    let mut arguments = command.additional;
    let mut add = |name: &str, own: &str, value: Value| {
        let name = if known(name).is_none() && known(own).is_some() { own } else { name };
        let value = match known(name) {
            Some(schema) if name.ends_with("Id") || name.ends_with("_id") => identifier(schema, value),
            _ => value,
        };
        arguments.insert(name.to_owned(), value);
    };
    let members = [
        ("targetId", "target_id", command.target_id.map(value)),
        ("itemId", "item_id", command.item_id.map(value)),
        ("auxId", "aux_id", command.aux_id.map(value)),
        ("x", "x", command.x.map(value)),
        ("y", "y", command.y.map(value)),
        ("screenX", "screen_x", command.screen_x.map(value)),
        ("screenY", "screen_y", command.screen_y.map(value)),
        ("intArg", "int_arg", command.int_arg.map(value)),
        ("stringArg", "string_arg", command.string_arg.map(Value::from)),
        // Absent means false, and so does false for a tool that knows nothing of it.
        ("append", "append", command.append.then_some(Value::Bool(true))),
    ];
    for (name, own, value) in members {
        if let Some(value) = value {
            add(name, own, value);
        }
    }
    // Text is read by the tool's plan while it is held to its schema, in half the time of values.
    Sent::Text(Value::Object(arguments).to_string())
}

/// A member as it was sent.
fn value(member: impl Serialize) -> Value {
    serde_json::to_value(member).expect("identifiers and integers are values")
}

/// What clients will miss: arguments that have a name of the protocol's, and take something else than a command
/// can have there.
pub(super) fn remarks(entry: &Entry<Tool>) -> Vec<(&'static str, String)> {
    const TYPES: [(&[&str], &str); 3] = [
        (&["x", "y", "screenX", "screenY", "intArg", "screen_x", "screen_y", "int_arg"], "integer"),
        (&["stringArg", "string_arg"], "string"),
        (&["append"], "boolean"),
    ];
    let tool = entry.declared.function.name;
    let properties = entry.function.input_schema.get("properties").and_then(Value::as_object);
    let remark = |(name, schema): (&String, &Value)| {
        if name == "type" {
            return Some((
                tool,
                "the argument `type` cannot be given: it is the name of the tool".to_owned(),
            ));
        }
        let (_, wanted) = TYPES.into_iter().find(|(names, _)| names.contains(&name.as_str()))?;
        let fits = kinds(schema).any(|kind| kind == wanted);
        let text =
            || format!("the argument `{name}` can only be given as {wanted}, which the protocol wants there");
        (!fits).then(|| (tool, text()))
    };
    properties.into_iter().flatten().filter_map(remark).collect()
}

/// An identifier as the tool takes it: clients write a text or a whole number, whatever the game has.
fn identifier(schema: &Value, given: Value) -> Value {
    match &given {
        Value::Number(number) if kinds(schema).all(|kind| kind == "string") => {
            Value::from(number.to_string())
        }
        Value::String(text) => from_text(schema, text).unwrap_or(given),
        _ => given,
    }
}

#[cfg(test)]
mod tests {
    use super::Commands;
    use crate::call::Caller;

    #[test]
    fn nobody_has_all_the_room() {
        let commands = Commands::new(8);
        let [greedy, other] = [1, 2].map(|connection| Caller::Peer { protocol: "aicontrol", connection });
        assert_eq!((0..9).filter(|_| commands.accept(&greedy).is_ok()).count(), 6);
        assert!(commands.accept(&greedy).is_err_and(|full| full.contains("6 commands of yours")));
        assert_eq!((0..9).filter(|_| commands.accept(&other).is_ok()).count(), 2);
        assert!(commands.accept(&other).is_err_and(|full| full.contains("8 commands wait")));
        commands.complete(&greedy);
        assert_eq!((commands.accept(&other), commands.waiting()), (Ok(9), 8));
    }
}
