//! Totals, and what was not right.

use super::{Group, Outcome};
use std::collections::BTreeMap;
use std::fmt;

/// What became of all tests.
#[derive(Debug, Default)]
pub struct Report {
    /// The groups, in order, with the outcome of each test.
    pub scored: Vec<Scored>,
}

/// A group and the outcome of each of its tests; of a schema to refuse, one.
#[derive(Debug)]
pub struct Scored {
    /// The group.
    pub group: Group,
    /// The outcomes.
    pub outcomes: Vec<Outcome>,
}

/// The columns of the table.
const COLUMNS: [&str; 7] =
    ["right", "refused", "wrong-accept", "wrong-reject", "unfaithful", "panicked", "uncompilable"];

impl Report {
    pub(super) fn add(&mut self, group: Group, outcomes: Vec<Outcome>) {
        self.scored.push(Scored { group, outcomes });
    }

    /// How many tests are right, and how many there are.
    pub fn right(&self) -> (usize, usize) {
        let total = self.total();
        (total[0], total.iter().sum())
    }

    /// Whether every test is right, or refused where that is allowed.
    pub fn is_clean(&self) -> bool {
        self.total()[2..].iter().all(|count| *count == 0)
    }

    fn total(&self) -> [usize; 7] {
        self.scored.iter().flat_map(|scored| &scored.outcomes).fold([0; 7], |mut counts, outcome| {
            counts[column(outcome)] += 1;
            counts
        })
    }
}

fn column(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Right => 0,
        Outcome::Refused(_) => 1,
        Outcome::WrongAccept => 2,
        Outcome::WrongReject => 3,
        Outcome::Unfaithful => 4,
        Outcome::Panicked(_) => 5,
        Outcome::Uncompilable(_) => 6,
    }
}

/// Every test that is not right, then a table by keyword.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut by_keyword: BTreeMap<&str, [usize; 7]> = BTreeMap::new();
        for Scored { group, outcomes } in &self.scored {
            let counts = by_keyword.entry(&group.keyword).or_default();
            for (index, outcome) in outcomes.iter().enumerate() {
                counts[column(outcome)] += 1;
                if *outcome == Outcome::Right {
                    continue;
                }
                let kind = COLUMNS[column(outcome)];
                let place = format!("{} / {}", group.keyword, group.name);
                match outcome {
                    // One line a group, not one a test.
                    Outcome::Refused(why) | Outcome::Uncompilable(why) | Outcome::Panicked(why) => {
                        if index == 0 || outcomes[index - 1] != *outcome {
                            writeln!(f, "{kind}: {place}: {why}")?;
                        }
                    }
                    _ => match group.tests.get(index) {
                        Some(test) => writeln!(f, "{kind}: {place} / {}: {}", test.name, test.document)?,
                        None => writeln!(f, "{kind}: {place}")?,
                    },
                }
            }
        }
        writeln!(f, "{:28}{}", "", COLUMNS.map(|column| format!("{column:>14}")).concat())?;
        let line = |f: &mut fmt::Formatter<'_>, name: &str, counts: &[usize; 7]| {
            writeln!(f, "{name:28}{}", counts.map(|count| format!("{count:>14}")).concat())
        };
        for (keyword, counts) in &by_keyword {
            line(f, keyword, counts)?;
        }
        line(f, "total", &self.total())?;
        let (right, all) = self.right();
        writeln!(f, "{:.1} % of {all} right", 100.0 * right as f64 / all.max(1) as f64)
    }
}
