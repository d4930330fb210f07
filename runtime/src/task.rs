//! Tasks of the runtime, none of which waits for a thread that a tool holds.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::Poll;
use tokio::task::coop;

/// Does something in a task of its own.
#[cfg(feature = "serve")]
pub(crate) fn spawn<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> tokio::task::JoinHandle<T> {
    tokio::spawn(shared(work))
}

/// The same, for a task that any thread may go on with.
///
/// A task that does much at a time must let others go first now and then. Until then the runtime has its thread
/// remember it, and that may run a tool that stands ([`quick`](crate::quick)). So such a task is back in the queue
/// at once.
pub(crate) async fn shared<F: Future>(work: F) -> F::Output {
    let mut work = pin!(work);
    poll_fn(|context| {
        let polled = work.as_mut().poll(context);
        if polled.is_pending() && !coop::has_budget_remaining() {
            context.waker().wake_by_ref();
        }
        polled
    })
    .await
}

/// What a future gives at once, if it does: then nothing else needs to be waited for beside it.
pub(crate) async fn at_once<F: Future>(mut future: Pin<&mut F>) -> Option<F::Output> {
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}
