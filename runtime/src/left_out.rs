//! What the program has for hosts of other states, and a host is not given.

use crate::function::{Kind, Location};
use crate::schema::counted;
use std::any::type_name;

/// A function that works on another state than the host's.
#[derive(Clone, Copy)]
pub(crate) struct LeftOut {
    /// `tool`
    pub(crate) what: &'static str,
    pub(crate) state: Kind,
    pub(crate) name: &'static str,
    pub(crate) location: Location,
}

/// Places that are told of many.
const MOST_TOLD: usize = 5;

impl LeftOut {
    /// Why it is not there, in a host of the state `S`.
    pub(crate) fn told<S>(&self) -> String {
        let Self { what, state, name, location } = self;
        let (other, own) = (state.name, type_name::<S>());
        format!("the {what} `{name}` at {location} works on `{other}`, and this host is of `{own}`")
    }
}

/// What is left out of a host of the state `S`: a line for each state and kind.
pub(crate) fn lines<S>(mut all: Vec<LeftOut>) -> Vec<String> {
    // The order of registration is the linker's; and of a state one function reads, and another sets.
    all.sort_by_key(|one| {
        let at = one.location;
        (one.what, one.state.name, one.name, at.file, at.line, at.column)
    });
    all.dedup_by_key(|one| (one.what, one.state.id, one.name));
    let alike = all.chunk_by(|one, next| (one.what, one.state.id) == (next.what, next.state.id));
    alike.map(line::<S>).collect()
}

/// Those of a kind and a state.
fn line<S>(alike: &[LeftOut]) -> String {
    let (what, other, own) = (alike[0].what, alike[0].state.name, type_name::<S>());
    let (count, verb) = (counted(alike.len(), what), if alike.len() == 1 { "works" } else { "work" });
    let mut places: Vec<String> =
        alike.iter().take(MOST_TOLD).map(|one| format!("{} at {}", one.name, one.location)).collect();
    if alike.len() > MOST_TOLD {
        places.push(format!("{} more", alike.len() - MOST_TOLD));
    }
    format!("{count} {verb} on `{other}`, this host is of `{own}`: {}", places.join(", "))
}
