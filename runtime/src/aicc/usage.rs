//! How often a session has called its tools: the limits that `#[tool]` sets, and what an agent mostly does.

use crate::function::Limits;
use crate::tool::Class;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// What a session has called.
#[derive(Default)]
pub(super) struct Usage {
    limited: HashMap<&'static str, Calls>,
    /// Whether each of the last calls went to a sensor.
    latest: VecDeque<bool>,
}

/// Calls of one tool that has limits.
#[derive(Default)]
struct Calls {
    total: u64,
    /// Those of the last minute, the oldest first: as many as the limit at most.
    recent: VecDeque<Instant>,
}

const MINUTE: Duration = Duration::from_secs(60);
/// Calls that say what an agent mostly does.
const LATEST: usize = 16;
/// Fewer say nothing.
const FEWEST: usize = 4;

impl Usage {
    /// Counts a call, unless a limit is reached: then it says which, and when to try again.
    pub(super) fn count(
        &mut self,
        tool: &'static str,
        class: Class,
        limits: Limits,
        now: Instant,
    ) -> Result<(), String> {
        if limits.per_minute.is_some() || limits.per_session.is_some() {
            self.limited.entry(tool).or_default().count(limits, now)?;
        }
        if self.latest.len() == LATEST {
            self.latest.pop_front();
        }
        self.latest.push_back(class == Class::Sensor);
        Ok(())
    }

    /// Whether the agent mostly looks.
    pub(super) fn is_mostly_looking(&self) -> bool {
        let looks = self.latest.iter().filter(|looks| **looks).count();
        self.latest.len() >= FEWEST && looks * 2 > self.latest.len()
    }
}

impl Calls {
    fn count(&mut self, limits: Limits, now: Instant) -> Result<(), String> {
        if let Some(most) = limits.per_session
            && self.total >= u64::from(most)
        {
            return Err(format!(
                "it may be called {most} times in a session, and has been; try again in another one"
            ));
        }
        if let Some(most) = limits.per_minute {
            while self.recent.front().is_some_and(|call| now.duration_since(*call) >= MINUTE) {
                self.recent.pop_front();
            }
            if let Some(oldest) = self.recent.front().filter(|_| self.recent.len() >= most as usize) {
                let left = MINUTE.saturating_sub(now.duration_since(*oldest)).as_secs_f64().ceil();
                return Err(format!("it may be called {most} times a minute; try again in {left} s"));
            }
            self.recent.push_back(now);
        }
        self.total += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{MINUTE, Usage};
    use crate::function::Limits;
    use crate::tool::Class;
    use std::time::{Duration, Instant};

    #[test]
    fn the_minute_slides() {
        let (mut usage, start) = (Usage::default(), Instant::now());
        let limits = Limits { per_minute: Some(2), per_session: None };
        let mut at =
            |seconds| usage.count("a/b", Class::Sensor, limits, start + Duration::from_secs(seconds)).err();
        assert_eq!((at(0), at(40)), (None, None));
        assert_eq!(at(50).as_deref(), Some("it may be called 2 times a minute; try again in 10 s"));
        assert_eq!(at(60), None, "the first is a minute ago");
        assert_eq!(at(99).as_deref(), Some("it may be called 2 times a minute; try again in 1 s"));
        assert_eq!(at(100), None, "refused calls do not count");
    }

    #[test]
    fn a_session_has_so_many_calls() {
        let mut usage = Usage::default();
        let limits = Limits { per_minute: None, per_session: Some(2) };
        let mut call = |tool, minutes| {
            usage.count(tool, Class::Actuator, limits, Instant::now() + MINUTE * minutes).is_ok()
        };
        assert!(call("a/b", 0) && call("a/b", 1) && call("a/c", 1));
        assert!(!call("a/b", 9) && call("a/c", 9));
    }

    #[test]
    fn what_an_agent_mostly_does() {
        let (mut usage, none) = (Usage::default(), Limits { per_minute: None, per_session: None });
        let mut call = |class, count| {
            for _ in 0..count {
                usage.count("a/b", class, none, Instant::now()).expect("there is no limit");
            }
            usage.is_mostly_looking()
        };
        assert!(!call(Class::Sensor, 3), "too few to say");
        assert!(call(Class::Sensor, 1));
        assert!(call(Class::Actuator, 3));
        assert!(!call(Class::Generator, 1), "as many as the others");
        assert!(call(Class::Sensor, 16));
    }
}
