//! How often the game has ticked, and whether it waits for agents before it does so again.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Counts the ticks of the game: one with each [`Host::run`](crate::Host::run), or where the world waits
/// for agents, one with each after which it may move on.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    tick: AtomicU64,
    /// The world moves on only when it is asked to.
    waits: AtomicBool,
    /// It has been asked to since the last frame.
    asked: AtomicBool,
    /// It is held back in this frame.
    is_held: AtomicBool,
}

impl Clock {
    /// Ticks so far.
    pub(crate) fn tick(&self) -> u64 {
        self.tick.load(Ordering::Relaxed)
    }

    /// From now on the world waits for calls.
    pub(crate) fn wait_for_calls(&self) {
        self.waits.store(true, Ordering::Relaxed);
        self.is_held.store(true, Ordering::Relaxed);
    }

    /// The world may move on by a tick.
    pub(crate) fn ask(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// The calls of a frame have run.
    pub(crate) fn frame(&self) {
        let asked = self.asked.swap(false, Ordering::Relaxed);
        let is_held = self.waits.load(Ordering::Relaxed) && !asked;
        self.is_held.store(is_held, Ordering::Relaxed);
        if !is_held {
            self.tick.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether the world moves on in this frame.
    pub(crate) fn is_due(&self) -> bool {
        !self.is_held.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn a_world_that_waits_moves_on_when_it_is_asked_to() {
        let clock = Clock::default();
        let frames = |count: u32| {
            let due = (0..count).map(|_| {
                clock.frame();
                clock.is_due()
            });
            (due.collect::<Vec<_>>(), clock.tick())
        };
        assert!(clock.is_due(), "a world of its own pace waits for nobody");
        assert_eq!(frames(2), (vec![true, true], 2));
        clock.wait_for_calls();
        assert_eq!(frames(2), (vec![false, false], 2));
        clock.ask();
        clock.ask();
        assert!(!clock.is_due(), "not in the frame that is under way");
        assert_eq!(frames(2), (vec![true, false], 3), "two calls in a frame are one tick");
    }
}
