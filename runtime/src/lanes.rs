//! What waits, by who waits for it: callers take turns.

use crate::call::Caller;
use std::collections::VecDeque;

/// A lane for each caller for whom something waits. The first lane is next.
pub(crate) struct Lanes<T> {
    lanes: VecDeque<Lane<T>>,
    /// All that waits.
    waiting: usize,
}

struct Lane<T> {
    caller: Caller,
    waiting: VecDeque<T>,
}

/// What may wait.
pub(crate) const MOST_WAITING: usize = 1024;
/// What may wait for one caller, so that nobody takes all the room alone.
pub(crate) const MOST_OF_ONE: usize = 256;

impl<T> Default for Lanes<T> {
    fn default() -> Self {
        Self { lanes: VecDeque::new(), waiting: 0 }
    }
}

impl<T> Lanes<T> {
    pub(crate) fn len(&self) -> usize {
        self.waiting
    }

    /// Adds what waits for a caller, behind all that waits for it.
    ///
    /// # Errors
    ///
    /// Gives it back where there is no room.
    pub(crate) fn push(&mut self, caller: &Caller, item: T) -> Result<(), T> {
        // Lanes are as many as connections at most.
        let lane = self.lanes.iter_mut().find(|lane| lane.caller == *caller);
        if self.waiting == MOST_WAITING || lane.as_ref().is_some_and(|lane| lane.waiting.len() == MOST_OF_ONE)
        {
            return Err(item);
        }
        self.waiting += 1;
        match lane {
            Some(lane) => lane.waiting.push_back(item),
            None => {
                self.lanes.push_back(Lane { caller: caller.clone(), waiting: VecDeque::from([item]) });
            }
        }
        Ok(())
    }

    /// The first of the first lane, which then is the last one.
    pub(crate) fn pop(&mut self) -> Option<T> {
        let mut lane = self.lanes.pop_front()?;
        let item = lane.waiting.pop_front();
        if !lane.waiting.is_empty() {
            self.lanes.push_back(lane);
        }
        self.waiting -= usize::from(item.is_some());
        item
    }

    /// Takes out what is not `wanted` any more.
    pub(crate) fn give_up(&mut self, wanted: impl Fn(&T) -> bool) -> Vec<T> {
        let mut given_up = Vec::new();
        for lane in &mut self.lanes {
            let (stays, goes): (VecDeque<T>, VecDeque<T>) =
                std::mem::take(&mut lane.waiting).into_iter().partition(&wanted);
            lane.waiting = stays;
            given_up.extend(goes);
        }
        self.lanes.retain(|lane| !lane.waiting.is_empty());
        self.waiting -= given_up.len();
        given_up
    }

    /// All that waits.
    pub(crate) fn into_all(self) -> impl Iterator<Item = T> {
        self.lanes.into_iter().flat_map(|lane| lane.waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::{Lanes, MOST_OF_ONE, MOST_WAITING};
    use crate::call::Caller;

    fn peer(connection: u64) -> Caller {
        Caller::Peer { protocol: "gabp", connection }
    }

    #[test]
    fn callers_take_turns_and_none_has_all_the_room() {
        let mut lanes = Lanes::default();
        for item in 0..MOST_OF_ONE {
            lanes.push(&peer(1), (1, item)).expect("there is room");
        }
        assert_eq!(lanes.push(&peer(1), (1, 999)), Err((1, 999)), "it has had its share");
        for item in 0..2 {
            lanes.push(&peer(2), (2, item)).expect("others have room");
        }
        let order: Vec<_> = std::iter::from_fn(|| lanes.pop()).take(5).collect();
        assert_eq!(order, [(1, 0), (2, 0), (1, 1), (2, 1), (1, 2)]);
        assert_eq!(lanes.len(), MOST_OF_ONE - 3);
        let given_up = lanes.give_up(|(_, item)| item % 2 == 1);
        assert!(given_up.iter().all(|(_, item)| item % 2 == 0) && !given_up.is_empty());
        assert_eq!(lanes.len(), MOST_OF_ONE - 3 - given_up.len());
        let rest = lanes.len();
        assert_eq!(lanes.into_all().count(), rest);
    }

    #[test]
    fn all_lanes_have_a_bound() {
        let mut lanes = Lanes::default();
        let taken =
            (0..2 * MOST_WAITING as u64).filter(|number| lanes.push(&peer(*number), ()).is_ok()).count();
        assert_eq!((taken, lanes.len()), (MOST_WAITING, MOST_WAITING));
        lanes.give_up(|()| false);
        assert_eq!((lanes.len(), lanes.pop()), (0, None));
    }
}
