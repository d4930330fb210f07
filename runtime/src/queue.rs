//! Work on its way to the game's thread.

use crate::call::Call;
use crate::dispatch::lock;
use crate::error::ToolError;
use crate::lanes::Lanes;
use crate::running::{caught, dropped};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use tokio::sync::oneshot;

/// What waits for a thread that has the game's state.
#[derive(Default)]
pub(crate) struct Queue {
    inner: Mutex<Inner>,
    /// Told when something has come, or nothing will come any more.
    changed: Condvar,
    /// Wakes a game that sleeps while nothing waits.
    wake: Option<Wake>,
}

/// What a game wants to have called when something waits for it.
pub(crate) type Wake = Box<dyn Fn() + Send + Sync>;

#[derive(Default)]
struct Inner {
    lanes: Lanes<Job>,
    /// Why nothing is taken any more.
    closed: Option<&'static str>,
}

/// Work for the game's thread, and whose it is.
pub(crate) struct Job {
    call: Call,
    work: Box<dyn Work>,
}

/// Something that runs once with the state, or is refused once.
trait Work: Send {
    /// Somebody waits for the result.
    fn is_wanted(&self) -> bool;
    fn run(self: Box<Self>, call: &Call, state: &mut dyn Any);
    fn refuse(self: Box<Self>, call: &Call, error: ToolError);
}

struct Task<F, T> {
    work: F,
    reply: oneshot::Sender<Result<T, ToolError>>,
}

impl Queue {
    /// A queue that takes nothing, and says why.
    pub(crate) fn closed(why: &'static str) -> Self {
        let queue = Self::default();
        queue.close(why);
        queue
    }

    /// A queue that tells the game when something waits where nothing did.
    pub(crate) fn waking(wake: Option<Wake>) -> Self {
        Self { wake, ..Self::default() }
    }

    /// Has `work` done on the game's thread. When the future is dropped, what has not begun does not
    /// begin.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        call: &Call,
        work: impl FnOnce(&Call, &mut dyn Any) -> Result<T, ToolError> + Send + 'static,
    ) -> Result<T, ToolError> {
        let (reply, answer) = oneshot::channel();
        self.push(Job { call: call.clone(), work: Box::new(Task { work, reply }) });
        answer.await.unwrap_or_else(|_| Err(ToolError::unavailable("the game has gone")))
    }

    fn push(&self, job: Job) {
        let mut inner = lock(&self.inner);
        if let Some(why) = inner.closed {
            drop(inner);
            job.work.refuse(&job.call, ToolError::unavailable(why));
            return;
        }
        let is_first = inner.lanes.len() == 0;
        let caller = job.call.caller.clone();
        let (refused, given_up) = match inner.lanes.push(&caller, job) {
            Ok(()) => (None, Vec::new()),
            Err(job) => {
                // Calls whose peer has gone do not keep others out.
                let given_up = inner.lanes.give_up(Job::is_wanted);
                (inner.lanes.push(&caller, job).err(), given_up)
            }
        };
        drop(inner);
        given_up.into_iter().for_each(Job::give_up);
        if let Some(Job { call, work }) = refused {
            work.refuse(&call, ToolError::unavailable("too many calls wait already; try again later"));
            return;
        }
        self.changed.notify_one();
        if let Some(wake) = self.wake.as_ref().filter(|_| is_first)
            && catch_unwind(AssertUnwindSafe(wake)).is_err()
        {
            tracing::error!("what wakes the game panicked");
        }
    }

    /// The next that somebody waits for.
    pub(crate) fn next(&self) -> Option<Job> {
        loop {
            let job = lock(&self.inner).lanes.pop()?;
            if job.is_wanted() {
                return Some(job);
            }
            job.give_up();
        }
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.inner).lanes.len()
    }

    /// Runs what comes, on this thread, until the queue is closed.
    pub(crate) fn serve(&self, state: &mut dyn Any) {
        loop {
            while let Some(job) = self.next() {
                job.run(state);
            }
            let inner = lock(&self.inner);
            if inner.closed.is_some() {
                return;
            }
            if inner.lanes.len() == 0 {
                drop(self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner));
            }
        }
    }

    /// Refuses what waits, and whatever comes.
    pub(crate) fn close(&self, why: &'static str) {
        let mut inner = lock(&self.inner);
        inner.closed = Some(why);
        let lanes = std::mem::take(&mut inner.lanes);
        drop(inner);
        self.changed.notify_all();
        for job in lanes.into_all() {
            job.work.refuse(&job.call, ToolError::unavailable(why));
        }
    }
}

impl Job {
    pub(crate) fn run(self, state: &mut dyn Any) {
        self.work.run(&self.call, state);
    }

    /// Nobody waits for it any more.
    fn give_up(self) {
        let error = self.call.timed_out();
        self.work.refuse(&self.call, error);
    }

    /// Nobody waits once it has been answered, or its peer has gone.
    fn is_wanted(&self) -> bool {
        !self.call.is_cancelled() && self.work.is_wanted()
    }
}

impl<F, T> Work for Task<F, T>
where
    F: FnOnce(&Call, &mut dyn Any) -> Result<T, ToolError> + Send,
    T: Send,
{
    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn run(self: Box<Self>, call: &Call, state: &mut dyn Any) {
        let Self { work, reply } = *self;
        // A receiver that has gone meanwhile needs no answer.
        let unsent = reply.send(caught(call.tool, || work(call, state)));
        dropped(call.tool, unsent);
    }

    fn refuse(self: Box<Self>, call: &Call, error: ToolError) {
        let Self { work, reply } = *self;
        let unsent = reply.send(Err(error));
        dropped(call.tool, (work, unsent));
    }
}
