//! Tasks of the runtime, none of which waits for a thread that a tool holds.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use tokio::sync::Notify;
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
pub(crate) fn shared<F: Future>(work: F) -> impl Future<Output = F::Output> {
    // In a task it would stand twice, as what is given and as what is polled.
    let mut work = Box::pin(work);
    poll_fn(move |context| {
        let polled = work.as_mut().poll(context);
        if polled.is_pending() && !coop::has_budget_remaining() {
            context.waker().wake_by_ref();
        }
        polled
    })
}

/// What a future gives at once, if it does: then nothing else needs to be waited for beside it.
pub(crate) async fn at_once<F: Future>(mut future: Pin<&mut F>) -> Option<F::Output> {
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

/// Tells tasks that something may have changed that they wait for.
#[derive(Default)]
pub(crate) struct Bell {
    rung: Notify,
    /// Tasks that wait.
    waiting: AtomicUsize,
}

/// A task that waits for a bell.
struct Listener<'a>(&'a AtomicUsize);

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Bell {
    /// Wakes all that wait; whether any did.
    pub(crate) fn ring(&self) -> bool {
        self.rung.notify_waiters();
        // Those that were woken count until they go on.
        self.waiting.load(Ordering::Acquire) > 0
    }

    /// Waits for the next time, unless it is so already.
    pub(crate) async fn once(&self, is_so: impl FnOnce() -> bool) {
        let mut rung = pin!(self.rung.notified());
        // What is told from here on is not missed.
        rung.as_mut().enable();
        if !is_so() {
            self.waiting.fetch_add(1, Ordering::AcqRel);
            let _waits = Listener(&self.waiting);
            rung.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bell, at_once};
    use std::pin::pin;

    #[tokio::test]
    async fn a_bell_knows_whether_anybody_waits() {
        let bell = Bell::default();
        assert!(!bell.ring(), "nobody waits");
        bell.once(|| true).await;
        let mut waits = pin!(bell.once(|| false));
        assert!(at_once(waits.as_mut()).await.is_none(), "it has not rung since");
        assert!(bell.ring() && bell.ring(), "it has not gone on yet");
        waits.await;
        assert!(!bell.ring(), "it has");
        // What is told between the look and the wait is not missed.
        let mut waits = pin!(bell.once(|| bell.ring()));
        assert!(at_once(waits.as_mut()).await.is_some(), "it has rung");
        // Who gives up waits no more.
        {
            let mut waits = pin!(bell.once(|| false));
            assert!(at_once(waits.as_mut()).await.is_none(), "it has not rung since");
        }
        assert!(!bell.ring(), "it has given up");
    }
}
