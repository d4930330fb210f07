//! How long to wait before the next attempt.

use std::time::Duration;

/// When a lost connection is tried again: after [`first`](Self::first), each time after twice as long, up to
/// [`longest`](Self::longest). Each wait is shortened at random, by half at most, so that many who have lost
/// the same game do not come back all at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// Before the first attempt; 100 ms unless set.
    pub first: Duration,
    /// Before any; 5 s unless set.
    pub longest: Duration,
    /// Attempts that may fail one after the other; without end unless set.
    pub attempts: Option<u32>,
}

impl Default for Backoff {
    fn default() -> Self {
        Self { first: Duration::from_millis(100), longest: Duration::from_secs(5), attempts: None }
    }
}

impl Backoff {
    /// The wait before an attempt, after so many that have failed; `None` when there have been enough.
    /// `random` is any number.
    pub(super) fn wait(&self, failed: u32, random: u64) -> Option<Duration> {
        if self.attempts.is_some_and(|most| failed >= most) {
            return None;
        }
        let longest = self.first.saturating_mul(2u32.saturating_pow(failed)).min(self.longest);
        let part = (random >> 32) as f64 / f64::from(u32::MAX);
        Some(longest - longest.mul_f64(part / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;
    use std::time::Duration;

    #[test]
    fn waits_grow_up_to_the_longest_and_end() {
        let backoff = Backoff { attempts: Some(9), ..Backoff::default() };
        let longest: Vec<_> = (0..10).map(|failed| backoff.wait(failed, 0)).collect();
        let millis = [100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000].map(Duration::from_millis);
        assert_eq!(longest, [&millis.map(Some)[..], &[None]].concat());
        let shortest = backoff.wait(1, u64::MAX).expect("it goes on");
        assert_eq!(shortest, Duration::from_millis(100));
        assert!(Backoff::default().wait(u32::MAX, 7).is_some());
        let hasty = Backoff { first: Duration::MAX, longest: Duration::MAX, attempts: None };
        assert_eq!(hasty.wait(3, 0), Some(Duration::MAX));
    }
}
