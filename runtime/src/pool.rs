//! Room for what runs off the game's thread.

use crate::call::Caller;
use crate::dispatch::lock;
use crate::error::ToolError;
use crate::lanes::Lanes;
use crate::schema::counted;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// Room for so many at one time. Others wait, and whoever waits takes turns with other callers.
pub(crate) struct Pool {
    /// What takes it, one of them, in words.
    what: &'static str,
    size: usize,
    inner: Arc<Mutex<Inner>>,
}

struct Inner {
    free: usize,
    /// Nobody waits while there is room.
    waiting: Lanes<oneshot::Sender<Place>>,
}

/// Room for one, until it is dropped.
pub(crate) struct Place(Option<Arc<Mutex<Inner>>>);

impl Pool {
    pub(crate) fn new(what: &'static str, size: usize) -> Self {
        let inner = Inner { free: size, waiting: Lanes::default() };
        Self { what, size, inner: Arc::new(Mutex::new(inner)) }
    }

    /// A place, once there is one.
    ///
    /// # Errors
    ///
    /// When too many wait for one already, in all or of this caller.
    pub(crate) async fn enter(&self, caller: &Caller) -> Result<Place, ToolError> {
        let place = {
            let mut inner = lock(&self.inner);
            if inner.free > 0 {
                inner.free -= 1;
                return Ok(Place(Some(Arc::clone(&self.inner))));
            }
            let (place, given) = oneshot::channel();
            let refused = inner.waiting.push(caller, place).err().and_then(|place| {
                // Calls that nobody waits for any more do not keep others out.
                inner.waiting.give_up(|waiting| !waiting.is_closed());
                inner.waiting.push(caller, place).err()
            });
            if refused.is_some() {
                let (size, what, waiting) = (self.size, self.what, inner.waiting.len());
                let running = counted(size, what);
                let text = format!(
                    "no more than {running} can run at a time, and {waiting} calls wait already; try again later"
                );
                return Err(ToolError::unavailable(text));
            }
            given
        };
        place.await.map_err(|_| ToolError::unavailable(crate::dispatch::SHUTTING_DOWN))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(room) = self.0.take() else { return };
        loop {
            let next = {
                let mut inner = lock(&room);
                let next = inner.waiting.pop();
                inner.free += usize::from(next.is_none());
                next
            };
            let Some(next) = next else { return };
            match next.send(Self(Some(Arc::clone(&room)))) {
                Ok(()) => return,
                // It has given up waiting: the place is for the next one.
                Err(mut place) => place.0 = None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;
    use crate::call::Caller;
    use crate::dispatch::lock;
    use crate::lanes::MOST_OF_ONE;

    const GREEDY: Caller = Caller::Peer { protocol: "gabp", connection: 1 };
    const OTHER: Caller = Caller::Peer { protocol: "gabp", connection: 2 };

    #[tokio::test]
    async fn one_that_asks_much_has_its_share_and_others_have_theirs() {
        let pool = Pool::new("tool", 1);
        let place = pool.enter(&GREEDY).await.expect("there is room");
        let mut waiting: Vec<_> = (0..MOST_OF_ONE).map(|_| Box::pin(pool.enter(&GREEDY))).collect();
        assert!(waiting.iter_mut().all(|waits| polled(waits).is_none()), "they wait");
        let refused = pool.enter(&GREEDY).await.err().expect("so many wait already");
        assert!(
            refused.message().contains("no more than 1 tool can run at a time, and 256 calls wait")
                && refused.is_retryable(),
            "{refused}"
        );
        let mut other = Box::pin(pool.enter(&OTHER));
        assert!(polled(&mut other).is_none(), "it may wait");
        drop(place);
        let first = polled(&mut waiting[0]).expect("its turn has come").expect("it has room");
        assert!(polled(&mut other).is_none(), "its turn comes next");
        drop(first);
        let place = polled(&mut other).expect("before the others of the first").expect("it has room");
        assert!(waiting[1..].iter_mut().all(|waits| polled(waits).is_none()), "they wait");
        // Whoever gives up waiting makes room, and is passed over.
        waiting.truncate(2);
        let mut last = Box::pin(pool.enter(&GREEDY));
        assert!(polled(&mut last).is_none(), "it may wait");
        drop(waiting);
        drop(place);
        drop(polled(&mut last).expect("nobody else waits").expect("it has room"));
        let inner = lock(&pool.inner);
        assert_eq!((inner.free, inner.waiting.len()), (1, 0));
    }

    #[tokio::test]
    async fn a_place_that_was_given_and_not_taken_goes_on() {
        let pool = Pool::new("tool", 1);
        let place = pool.enter(&GREEDY).await.expect("there is room");
        let mut given = Box::pin(pool.enter(&GREEDY));
        let mut next = Box::pin(pool.enter(&OTHER));
        assert!(polled(&mut given).is_none() && polled(&mut next).is_none(), "they wait");
        drop(place);
        drop(given);
        drop(polled(&mut next).expect("its turn has come").expect("it has room"));
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
