//! Patterns that need no engine: those that are regular become a small automaton, which
//! `emit::rust` writes down as a `match`. All others are left to the engine.

mod example;
mod parse;
#[cfg(test)]
mod tests;

pub use example::examples;
use parse::Node;

/// The last code point.
const LAST: u32 = 0x10_FFFF;

/// Greater ones are slower to compile than the engine is to run.
const MOST_STATES: usize = 24;
const MOST_NODES: usize = 400;

/// Reads a text from its first character on and knows at its end, or before, whether the pattern
/// matches somewhere in it. It begins in the first state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    /// The states.
    pub states: Vec<State>,
}

/// What has been seen of the text so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Whether the pattern matches when the text ends here.
    pub accepts: bool,
    /// Where the next character leads: by ascending ranges of code points that leave nothing out.
    pub edges: Vec<(u32, u32, Next)>,
}

/// Where a character leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// To the state of this index.
    State(usize),
    /// The pattern matches, whatever follows.
    Match,
    /// The pattern can't match any more.
    Fail,
}

/// The automaton of an ECMA-262 pattern, read as Unicode text; `None` where the pattern is not
/// regular, where it would be large, or where no character matters.
pub fn automaton(pattern: &str) -> Option<Automaton> {
    // What is no pattern of Unicode text is read in the old way, which is the engine's business.
    regress::Regex::with_flags(pattern, "u").ok()?;
    let node = parse::pattern(pattern)?;
    let mut graph = Graph { nodes: vec![Step::Accept] };
    let entry = graph.add(&node, 0)?;
    let states = graph.states(entry)?;
    states.iter().any(|state| state.edges.len() > 1).then_some(Automaton { states })
}

/// A step of the way through a pattern.
enum Step {
    Character(Vec<(u32, u32)>, usize),
    Either(usize, usize),
    AtStart(usize),
    AtEnd(usize),
    Accept,
}

struct Graph {
    nodes: Vec<Step>,
}

/// The steps that wait for a character, for the end, or for nothing any more; sorted.
type Set = Vec<usize>;

impl Graph {
    /// Adds the way through `node` that goes on at `next`; `None` when there are too many steps.
    fn add(&mut self, node: &Node, next: usize) -> Option<usize> {
        match node {
            Node::Character(ranges) => self.push(Step::Character(ranges.clone(), next)),
            Node::AtStart => self.push(Step::AtStart(next)),
            Node::AtEnd => self.push(Step::AtEnd(next)),
            Node::Sequence(nodes) => nodes.iter().rev().try_fold(next, |next, node| self.add(node, next)),
            Node::Either(nodes) => {
                let (last, others) = nodes.split_last()?;
                let last = self.add(last, next)?;
                others.iter().rev().try_fold(last, |last, node| {
                    let first = self.add(node, next)?;
                    self.push(Step::Either(first, last))
                })
            }
            Node::Repeat(node, least, Some(most)) => {
                let rest = (*least..*most).try_fold(next, |rest, _| {
                    let once = self.add(node, rest)?;
                    self.push(Step::Either(once, next))
                })?;
                (0..*least).try_fold(rest, |rest, _| self.add(node, rest))
            }
            Node::Repeat(node, least, None) => {
                let again = self.push(Step::Either(next, next))?;
                let once = self.add(node, again)?;
                self.nodes[again] = Step::Either(once, next);
                match least {
                    0 => Some(again),
                    _ => (1..*least).try_fold(once, |rest, _| self.add(node, rest)),
                }
            }
        }
    }

    fn push(&mut self, step: Step) -> Option<usize> {
        self.nodes.push(step);
        (self.nodes.len() <= MOST_NODES).then(|| self.nodes.len() - 1)
    }

    /// Where `from` leads without a character.
    fn reached(&self, from: &[usize], at_start: bool, at_end: bool) -> Set {
        let mut seen = vec![false; self.nodes.len()];
        let mut waiting = from.to_vec();
        while let Some(index) = waiting.pop() {
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            match self.nodes[index] {
                Step::Either(a, b) => waiting.extend([a, b]),
                Step::AtStart(next) if at_start => waiting.push(next),
                Step::AtEnd(next) if at_end => waiting.push(next),
                _ => {}
            }
        }
        let rests = |index: &usize| {
            !matches!(self.nodes[*index], Step::Either(..) | Step::AtStart(_)) && seen[*index]
        };
        (0..self.nodes.len()).filter(rests).collect()
    }

    fn accepts(&self, set: &Set, at_start: bool) -> bool {
        self.matches(&self.reached(set, at_start, true))
    }

    fn matches(&self, set: &Set) -> bool {
        set.iter().any(|index| matches!(self.nodes[*index], Step::Accept))
    }

    /// All states, each a set of steps; `None` when there are too many.
    fn states(&self, entry: usize) -> Option<Vec<State>> {
        let start = self.reached(&[entry], true, false);
        let accepts = self.accepts(&start, true);
        if self.matches(&start) {
            return None;
        }
        let mut sets = vec![(start, accepts)];
        let mut states = Vec::new();
        while states.len() < sets.len() {
            let (set, accepts) = sets[states.len()].clone();
            let mut edges: Vec<(u32, u32, Next)> = Vec::new();
            for (first, last) in self.ranges(&set) {
                let mut steps = vec![entry];
                steps.extend(set.iter().filter_map(|index| match &self.nodes[*index] {
                    Step::Character(ranges, next) => {
                        ranges.iter().any(|(from, to)| (from..=to).contains(&&first)).then_some(*next)
                    }
                    _ => None,
                }));
                let next = self.next(self.reached(&steps, false, false), &mut sets);
                match edges.last_mut() {
                    Some((_, end, same)) if *same == next => *end = last,
                    _ => edges.push((first, last, next)),
                }
            }
            states.push(State { accepts, edges });
            if sets.len() > MOST_STATES {
                return None;
            }
        }
        Some(states)
    }

    fn next(&self, set: Set, sets: &mut Vec<(Set, bool)>) -> Next {
        if set.is_empty() {
            return Next::Fail;
        }
        if self.matches(&set) {
            return Next::Match;
        }
        let accepts = self.accepts(&set, false);
        let state = (set, accepts);
        let found = sets.iter().position(|known| *known == state);
        Next::State(found.unwrap_or_else(|| {
            sets.push(state);
            sets.len() - 1
        }))
    }

    /// Ranges of code points within which no step tells characters apart.
    fn ranges(&self, set: &Set) -> Vec<(u32, u32)> {
        let mut begins = vec![0, LAST + 1];
        for index in set {
            if let Step::Character(ranges, _) = &self.nodes[*index] {
                begins.extend(ranges.iter().flat_map(|(from, to)| [*from, to + 1]));
            }
        }
        begins.sort_unstable();
        begins.dedup();
        begins.windows(2).map(|pair| (pair[0], pair[1] - 1)).collect()
    }
}
