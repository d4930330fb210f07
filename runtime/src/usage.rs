//! How often a peer has called the tools that `#[tool]` sets limits to.

use crate::dispatch::lock;
use crate::error::ToolError;
use crate::function::{Function, Limits};
use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What a session has called, whatever a protocol takes for one: limits of tools hold for each by itself.
#[derive(Default)]
pub(crate) struct Usage(Mutex<HashMap<&'static str, Calls>>);

/// Calls of one tool that has limits.
#[derive(Default)]
struct Calls {
    total: u64,
    /// Those of the last minute, the oldest first: as many as the limit at most.
    recent: VecDeque<Instant>,
}

const MINUTE: Duration = Duration::from_secs(60);

impl Usage {
    /// Counts a call of a tool, which its peers know by this name.
    ///
    /// # Errors
    ///
    /// That a limit is reached: which one, and when to try again. The call then does not count.
    pub(crate) fn count(&self, function: &Function, name: &str) -> Result<(), ToolError> {
        self.count_at(function.name, function.options.limits, Instant::now())
            .map_err(|reason| ToolError::unavailable(format!("`{name}` cannot be called: {reason}")))
    }

    fn count_at(&self, tool: &'static str, limits: Limits, now: Instant) -> Result<(), String> {
        if limits.per_minute.is_none() && limits.per_session.is_none() {
            return Ok(());
        }
        lock(&self.0).entry(tool).or_default().count(limits, now)
    }
}

impl Calls {
    fn count(&mut self, limits: Limits, now: Instant) -> Result<(), String> {
        if let Some(most) = limits.per_session
            && self.total >= u64::from(most)
        {
            return Err(format!(
                "it may be called {} in a session, and has been; try again in another one",
                times(most)
            ));
        }
        if let Some(most) = limits.per_minute {
            while self.recent.front().is_some_and(|call| now.duration_since(*call) >= MINUTE) {
                self.recent.pop_front();
            }
            if let Some(oldest) = self.recent.front().filter(|_| self.recent.len() >= most as usize) {
                let left = MINUTE.saturating_sub(now.duration_since(*oldest)).as_secs_f64().ceil();
                return Err(format!("it may be called {} a minute; try again in {left} s", times(most)));
            }
            self.recent.push_back(now);
        }
        self.total += 1;
        Ok(())
    }
}

fn times(most: u32) -> String {
    if most == 1 { "once".to_owned() } else { format!("{most} times") }
}

#[cfg(test)]
mod tests {
    use super::{MINUTE, Usage};
    use crate::function::Limits;
    use std::time::{Duration, Instant};

    #[test]
    fn the_minute_slides() {
        let (usage, start) = (Usage::default(), Instant::now());
        let limits = Limits { per_minute: Some(2), per_session: None };
        let at = |seconds| usage.count_at("a/b", limits, start + Duration::from_secs(seconds)).err();
        assert_eq!((at(0), at(40)), (None, None));
        assert_eq!(at(50).as_deref(), Some("it may be called 2 times a minute; try again in 10 s"));
        assert_eq!(at(60), None, "the first is a minute ago");
        assert_eq!(at(99).as_deref(), Some("it may be called 2 times a minute; try again in 1 s"));
        assert_eq!(at(100), None, "refused calls do not count");
    }

    #[test]
    fn once_is_said_of_one_call() {
        let usage = Usage::default();
        let once = |per_minute, per_session| {
            let limits = Limits { per_minute, per_session };
            [0, 0].map(|_| usage.count_at("a/b", limits, Instant::now()).err())[1].clone().unwrap_or_default()
        };
        assert!(once(Some(1), None).starts_with("it may be called once a minute; try again in "));
        assert!(once(None, Some(1)).starts_with("it may be called once in a session, and has been;"));
    }

    #[test]
    fn a_session_has_so_many_calls() {
        let usage = Usage::default();
        let limits = Limits { per_minute: None, per_session: Some(2) };
        let call = |tool, minutes| usage.count_at(tool, limits, Instant::now() + MINUTE * minutes).is_ok();
        assert!(call("a/b", 0) && call("a/b", 1) && call("a/c", 1));
        assert!(!call("a/b", 9) && call("a/c", 9));
    }
}
