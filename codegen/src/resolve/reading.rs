//! Joins the schemas of what is read to those of what is written. What both accept alike stands there
//! once, so that it becomes one type.

use crate::graph::{Graph, Part, SchemaId};
use std::collections::HashMap;

/// The graph of `strict`, and after it those schemas of `reading` that accept other values than what
/// stands in their place there.
pub fn join(strict: Graph, reading: Graph) -> Graph {
    let pairs = Pairs::of(&strict, &reading);
    let first = strict.schemas.len();
    let mut next = first;
    let same = pairs.same();
    let number = |id: usize| {
        same.get(&SchemaId(id)).copied().unwrap_or_else(|| {
            next += 1;
            SchemaId(next - 1)
        })
    };
    let numbers: Vec<SchemaId> = (0..reading.schemas.len()).map(number).collect();
    let mut joined = strict;
    // Most of it is said of both.
    joined.notes.append(reading.notes);
    joined.notes.sort();
    for (id, mut schema) in reading.schemas.into_iter().enumerate() {
        if numbers[id].0 >= first {
            schema.parts_mut().into_iter().for_each(|(_, part)| *part = numbers[part.0]);
            joined.schemas.push(schema);
        }
    }
    joined.wider = first..joined.schemas.len();
    for ((own, wider), differ) in pairs.found.into_iter().zip(pairs.differ) {
        if differ {
            joined.reading.entry(own).or_insert(numbers[wider.0]);
        }
    }
    joined
}

/// Schemas that stand in the same place, one of each graph.
struct Pairs {
    found: Vec<(SchemaId, SchemaId)>,
    /// Whether the two accept different values.
    differ: Vec<bool>,
}

impl Pairs {
    fn of(strict: &Graph, reading: &Graph) -> Self {
        let mut walk = Walk::default();
        for file in &reading.files {
            let Some(own) = strict.files.iter().find(|own| own.path == file.path) else { continue };
            walk.now.extend(own.root.zip(file.root).map(|pair| (pair, None)));
            for (name, id) in &file.definitions {
                let own = own.definitions.iter().find(|(own, _)| own == name);
                walk.now.extend(own.map(|(_, own)| ((*own, *id), None)));
            }
        }
        while let Some((pair, from)) = walk.next() {
            let Some(at) = walk.visit(pair, from) else { continue };
            let (own, wider) = (&strict.schemas[pair.0.0], &reading.schemas[pair.1.0]);
            walk.differ[at] = own.bare() != wider.bare();
            let parts: HashMap<Part, SchemaId> = own.parts().into_iter().collect();
            for (part, id) in wider.parts() {
                if let Some(own) = parts.get(&part) {
                    let list = if part.0 == "$ref" { &mut walk.later } else { &mut walk.now };
                    list.push(((*own, id), Some(at)));
                }
            }
        }
        walk.spread()
    }

    /// For each schema of what is read one of what is written that accepts the same.
    fn same(&self) -> HashMap<SchemaId, SchemaId> {
        let mut same = HashMap::new();
        for ((own, wider), differ) in self.found.iter().zip(&self.differ) {
            if !differ {
                same.entry(*wider).or_insert(*own);
            }
        }
        same
    }
}

type Step = ((SchemaId, SchemaId), Option<usize>);

/// The way through both graphs side by side.
#[derive(Default)]
struct Walk {
    /// What stands inside each other, with the pair that it was reached from.
    now: Vec<Step>,
    /// What is referred to: first it is met where it stands, if it stands at the same place in both.
    later: Vec<Step>,
    found: Vec<(SchemaId, SchemaId)>,
    known: HashMap<(SchemaId, SchemaId), usize>,
    /// For each pair those that it was reached from.
    from: Vec<Vec<usize>>,
    differ: Vec<bool>,
}

impl Walk {
    fn next(&mut self) -> Option<Step> {
        self.now.pop().or_else(|| self.later.pop())
    }

    /// Notes a pair, and gives its position when it is a new one.
    fn visit(&mut self, pair: (SchemaId, SchemaId), from: Option<usize>) -> Option<usize> {
        let at = *self.known.entry(pair).or_insert(self.found.len());
        let new = at == self.found.len();
        if new {
            self.found.push(pair);
            self.from.push(Vec::new());
            self.differ.push(false);
        }
        self.from[at].extend(from);
        new.then_some(at)
    }

    /// A schema accepts other values when one that it holds or refers to does.
    fn spread(mut self) -> Pairs {
        let mut open: Vec<usize> = (0..self.found.len()).filter(|at| self.differ[*at]).collect();
        while let Some(at) = open.pop() {
            for from in std::mem::take(&mut self.from[at]) {
                if !std::mem::replace(&mut self.differ[from], true) {
                    open.push(from);
                }
            }
        }
        Pairs { found: self.found, differ: self.differ }
    }
}
