//! Room for what runs off the game's thread.

use crate::dispatch::lock;
use crate::error::ToolError;
use std::sync::{Arc, Mutex};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Room for so many at one time; so many more may wait, and others are refused.
pub(crate) struct Pool {
    /// What takes it, in words.
    what: &'static str,
    size: usize,
    room: Arc<Semaphore>,
    most_waiting: usize,
    waiting: Mutex<usize>,
}

/// One that waits.
struct Waiting<'a>(&'a Mutex<usize>);

impl Pool {
    pub(crate) fn new(what: &'static str, size: usize, most_waiting: usize) -> Self {
        Self { what, size, room: Arc::new(Semaphore::new(size)), most_waiting, waiting: Mutex::new(0) }
    }

    /// A place, once there is one.
    ///
    /// # Errors
    ///
    /// When too many wait for one already.
    pub(crate) async fn enter(&self) -> Result<OwnedSemaphorePermit, ToolError> {
        if let Ok(place) = Arc::clone(&self.room).try_acquire_owned() {
            return Ok(place);
        }
        let _waiting = {
            let mut waiting = lock(&self.waiting);
            if *waiting == self.most_waiting {
                let (size, what, most) = (self.size, self.what, self.most_waiting);
                let text = format!("{size} {what} run and {most} wait already; try again later");
                return Err(ToolError::unavailable(text));
            }
            *waiting += 1;
            Waiting(&self.waiting)
        };
        let place = Arc::clone(&self.room).acquire_owned().await;
        place.map_err(|_| ToolError::unavailable("the game is shutting down"))
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        *lock(self.0) -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[tokio::test]
    async fn so_many_run_so_many_wait_and_others_are_refused() {
        let pool = Pool::new("tools", 1, 1);
        let place = pool.enter().await.expect("there is room");
        let mut second = Box::pin(pool.enter());
        assert!(polled(&mut second).is_none(), "it waits");
        let refused = pool.enter().await.expect_err("one waits already");
        assert!(refused.message().contains("1 tools run and 1 wait") && refused.is_retryable(), "{refused}");
        drop(place);
        drop(second.await.expect("its turn has come"));
        // Whoever gives up waiting makes room.
        let place = pool.enter().await.expect("there is room");
        for _ in 0..3 {
            let mut waits = Box::pin(pool.enter());
            assert!(polled(&mut waits).is_none(), "it may wait");
        }
        drop(place);
    }

    /// What it gives, if it gives it now.
    fn polled<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match std::pin::Pin::new(future).poll(&mut context) {
            std::task::Poll::Ready(result) => Some(result),
            std::task::Poll::Pending => None,
        }
    }
}
