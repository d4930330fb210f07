//! Work on its way to the game's thread.

use crate::call::{Call, Caller};
use crate::dispatch::lock;
use crate::error::ToolError;
use crate::running::{caught, dropped};
use std::any::Any;
use std::collections::VecDeque;
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
    /// A lane for each caller for whom something waits. Callers take turns: the first lane is next.
    lanes: VecDeque<Lane>,
    /// All that waits.
    waiting: usize,
    /// Why nothing is taken any more.
    closed: Option<&'static str>,
}

struct Lane {
    caller: Caller,
    jobs: VecDeque<Job>,
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

/// Work that may wait.
const MOST_WAITING: usize = 1024;
/// Work that may wait for one caller, so that nobody fills the queue alone.
const MOST_OF_ONE: usize = 256;

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
        self.push(Job { call: call.clone(), work: Box::new(Task { work, reply }) })?;
        answer.await.unwrap_or_else(|_| Err(ToolError::unavailable("the game has gone")))
    }

    fn push(&self, job: Job) -> Result<(), ToolError> {
        let mut inner = lock(&self.inner);
        if let Some(why) = inner.closed {
            return Err(ToolError::unavailable(why));
        }
        let mut given_up = Vec::new();
        let mut is_full = !inner.has_room(&job.call.caller);
        if is_full {
            // Calls whose peer has gone do not keep others out.
            given_up = inner.give_up();
            is_full = !inner.has_room(&job.call.caller);
        }
        let is_first = inner.waiting == 0;
        if !is_full {
            inner.push(job);
        }
        drop(inner);
        given_up.into_iter().for_each(Job::give_up);
        if is_full {
            return Err(ToolError::unavailable("too many calls wait already; try again later"));
        }
        self.changed.notify_one();
        if let Some(wake) = self.wake.as_ref().filter(|_| is_first)
            && catch_unwind(AssertUnwindSafe(wake)).is_err()
        {
            tracing::error!("what wakes the game panicked");
        }
        Ok(())
    }

    /// The next that somebody waits for.
    pub(crate) fn next(&self) -> Option<Job> {
        loop {
            let job = lock(&self.inner).pop()?;
            if job.is_wanted() {
                return Some(job);
            }
            job.give_up();
        }
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.inner).waiting
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
            if inner.waiting == 0 {
                drop(self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner));
            }
        }
    }

    /// Refuses what waits, and whatever comes.
    pub(crate) fn close(&self, why: &'static str) {
        let mut inner = lock(&self.inner);
        inner.closed = Some(why);
        let lanes = std::mem::take(&mut inner.lanes);
        inner.waiting = 0;
        drop(inner);
        self.changed.notify_all();
        for job in lanes.into_iter().flat_map(|lane| lane.jobs) {
            job.work.refuse(&job.call, ToolError::unavailable(why));
        }
    }
}

impl Inner {
    fn lane(&mut self, caller: &Caller) -> Option<&mut Lane> {
        // Lanes are as many as connections at most.
        self.lanes.iter_mut().find(|lane| lane.caller == *caller)
    }

    fn has_room(&mut self, caller: &Caller) -> bool {
        self.waiting < MOST_WAITING && self.lane(caller).is_none_or(|lane| lane.jobs.len() < MOST_OF_ONE)
    }

    fn push(&mut self, job: Job) {
        self.waiting += 1;
        match self.lane(&job.call.caller) {
            Some(lane) => lane.jobs.push_back(job),
            None => {
                let caller = job.call.caller.clone();
                self.lanes.push_back(Lane { caller, jobs: VecDeque::from([job]) });
            }
        }
    }

    /// The first of the first lane, which then is the last one.
    fn pop(&mut self) -> Option<Job> {
        let mut lane = self.lanes.pop_front()?;
        let job = lane.jobs.pop_front();
        if !lane.jobs.is_empty() {
            self.lanes.push_back(lane);
        }
        self.waiting -= usize::from(job.is_some());
        job
    }

    /// Takes out what nobody waits for any more.
    fn give_up(&mut self) -> Vec<Job> {
        let mut given_up = Vec::new();
        for lane in &mut self.lanes {
            let (wanted, unwanted) = std::mem::take(&mut lane.jobs).into_iter().partition(Job::is_wanted);
            lane.jobs = wanted;
            let unwanted: VecDeque<Job> = unwanted;
            given_up.extend(unwanted);
        }
        self.lanes.retain(|lane| !lane.jobs.is_empty());
        self.waiting -= given_up.len();
        given_up
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
