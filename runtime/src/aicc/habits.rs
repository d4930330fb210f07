//! What an agent mostly does.

use crate::tool::Class;
use std::collections::VecDeque;

/// Whether each of the last calls of a session went to a sensor.
#[derive(Default)]
pub(super) struct Habits(VecDeque<bool>);

/// Calls that say what an agent mostly does.
const LATEST: usize = 16;
/// Fewer say nothing.
const FEWEST: usize = 4;

impl Habits {
    /// Takes note of a call.
    pub(super) fn note(&mut self, class: Class) {
        if self.0.len() == LATEST {
            self.0.pop_front();
        }
        self.0.push_back(class == Class::Sensor);
    }

    /// Whether the agent mostly looks.
    pub(super) fn is_mostly_looking(&self) -> bool {
        let looks = self.0.iter().filter(|looks| **looks).count();
        self.0.len() >= FEWEST && looks * 2 > self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Habits;
    use crate::tool::Class;

    #[test]
    fn what_an_agent_mostly_does() {
        let mut habits = Habits::default();
        let mut call = |class, count| {
            (0..count).for_each(|_| habits.note(class));
            habits.is_mostly_looking()
        };
        assert!(!call(Class::Sensor, 3), "too few to say");
        assert!(call(Class::Sensor, 1));
        assert!(call(Class::Actuator, 3));
        assert!(!call(Class::Generator, 1), "as many as the others");
        assert!(call(Class::Sensor, 16));
    }
}
