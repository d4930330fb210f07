//! Runs tools. A panic in one is an error like others.

use crate::arguments::Sent;
use crate::call::Call;
use crate::error::ToolError;
use crate::function::{Registered, Run};
use crate::private::{Context, Running};
use serde_json::Value;
use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

/// Runs a tool that is no async one, on this thread.
pub(crate) fn run(
    registered: &Registered,
    state: Option<&mut dyn Any>,
    call: &Call,
    mut arguments: Sent,
) -> Result<Value, ToolError> {
    let Run::Plain(run) = registered.function.run else {
        return Err(ToolError::internal("an async tool was not awaited"));
    };
    let mut context = Context { state, call, arguments: Some(&mut arguments), tool: registered };
    caught(call.tool, || run(&mut context))
}

/// Runs an async tool. When the future is dropped, so is the tool's.
pub(crate) async fn run_async(
    registered: &Registered,
    call: &Call,
    mut arguments: Sent,
) -> Result<Value, ToolError> {
    let Run::Async(begin) = registered.function.run else {
        return run(registered, None, call, arguments);
    };
    let mut running = {
        let mut context = Context { state: None, call, arguments: Some(&mut arguments), tool: registered };
        Held(Some(caught(call.tool, || begin(&mut context))?), call.tool)
    };
    poll_fn(|context| {
        let Some(future) = &mut running.0 else {
            return Poll::Ready(Err(ToolError::internal("a tool was asked again after its end")));
        };
        match caught(call.tool, || Ok(future.as_mut().poll(context))) {
            Ok(poll) => poll,
            Err(panicked) => Poll::Ready(Err(panicked)),
        }
    })
    .await
}

/// What a tool has in its hands may panic when it is dropped, too.
struct Held<'a>(Option<Running<'a>>, &'static str);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        dropped(self.1, self.0.take());
    }
}

/// Drops what is the user's: that must not panic where it is not the tool that runs.
pub(crate) fn dropped<T>(tool: &'static str, value: T) {
    let _ = caught(tool, || {
        drop(value);
        Ok(())
    });
}

/// What `work` gives, or that it panicked.
pub(crate) fn caught<T>(
    name: &'static str,
    work: impl FnOnce() -> Result<T, ToolError>,
) -> Result<T, ToolError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        // What a panic says may be a secret: it is for the log, not for the peer.
        tracing::error!(name, panic = text, "code of the game panicked");
        // It is the user's, too. One that panics at its end, and so does what that panics with, is kept for ever.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            std::mem::forget(again);
        }
        Err(ToolError::internal(format!("`{name}` panicked; the game's log says why")))
    })
}

#[cfg(test)]
mod tests {
    use super::caught;
    use crate::error::ToolErrorKind;

    /// Panics when it is dropped, with another one as long as there are.
    struct Bad(u32);

    impl Drop for Bad {
        fn drop(&mut self) {
            if let Some(left) = self.0.checked_sub(1) {
                std::panic::panic_any(Bad(left));
            }
        }
    }

    #[test]
    fn what_a_tool_panics_with_may_panic_itself() {
        let failed = caught::<()>("test/bad", || std::panic::panic_any(Bad(2))).expect_err("it panicked");
        assert_eq!(failed.kind(), ToolErrorKind::Internal);
    }
}
