//! What a host has for its peers.

use crate::event::{Declaration, Declared};
use crate::function::{Entry, Function, Location, Registered};
use crate::held::Held;
use crate::left_out::LeftOut;
use crate::offer::{Made, Offer};
use crate::resource::Resource;
use crate::schema::shown;
use crate::state::{self, Observation, State, States};
use crate::tool::Tool;
use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use tokio::sync::watch;

/// Tools for a host whose state is `S`, with the resources, states, events and the observation that go with
/// them.
pub struct Tools<S> {
    pub(crate) offer: Offer,
    /// Names that were asked for, and are not there.
    pub(crate) missing: Vec<String>,
    /// What the program has for hosts of other states.
    pub(crate) left_out: Vec<LeftOut>,
    state: PhantomData<fn(&mut S)>,
}

/// Every tool of the program, every resource, state and observation that works on the state `S` or on
/// none, and every event, wherever they are written.
pub fn registered<S: 'static>() -> Tools<S> {
    let mut left_out = Vec::new();
    let offer = Offer {
        tools: of::<S, Tool>("tool", |tool| &tool.function, &mut left_out),
        events: inventory::iter::<Declared>.into_iter().map(|declared| (declared.0)()).collect(),
        resources: of::<S, Resource>("resource", |resource| &resource.function, &mut left_out),
        states: of::<S, State>("state", |state| &state.function, &mut left_out),
        observations: of::<S, Observation>("observation", |seen| &seen.function, &mut left_out),
    };
    Tools { offer, missing: Vec::new(), left_out, state: PhantomData }
}

/// Those that work on the state `S`, or on none.
fn of<S: 'static, T: inventory::Collect + Copy>(
    what: &'static str,
    function: fn(&T) -> &Function,
    left_out: &mut Vec<LeftOut>,
) -> Vec<T> {
    let mut own = Vec::new();
    for item in inventory::iter::<T>.into_iter().copied() {
        let function = function(&item);
        match function.state().filter(|state| state.id != TypeId::of::<S>()) {
            None => own.push(item),
            Some(state) => {
                left_out.push(LeftOut { what, state, name: function.name, location: function.location });
            }
        }
    }
    own
}

impl<S> Tools<S> {
    /// Of these tools, the ones with these names; all else stays. A name that is not there is an error where
    /// the tools are given to a host.
    ///
    /// ```standalone_crate
    /// # use ludwire::{Host, registered, tool};
    /// # /// Looks.
    /// # #[tool("world/look")]
    /// # fn look() {}
    /// # /// Cheats.
    /// # #[tool("debug/cheat")]
    /// # fn cheat() {}
    /// let host = Host::<()>::builder("Arena", "1").tools(registered().only(["world/look"])).build()?;
    /// assert!(Host::<()>::builder("Arena", "1").tools(registered().only(["world/lok"])).build().is_err());
    /// # Ok::<(), ludwire::BuildError>(())
    /// ```
    pub fn only<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        self.expect(&names);
        self.offer.tools.retain(|tool| names.contains(&tool.function.name));
        // The others are left out because of their names.
        self.left_out.retain(|one| one.what != "tool");
        self
    }

    /// The same without the ones with these names, of which each must be there, too.
    pub fn except<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        self.expect(&names);
        self.offer.tools.retain(|tool| !names.contains(&tool.function.name));
        self
    }

    fn expect(&mut self, names: &[&str]) {
        let known = &self.offer.tools;
        for name in names.iter().filter(|name| known.iter().all(|tool| tool.function.name != **name)) {
            if let Some(elsewhere) = self.left_out.iter().find(|one| one.what == "tool" && one.name == *name)
            {
                self.missing.push(elsewhere.told::<S>());
                continue;
            }
            let near = nearest(name, known.iter().map(|tool| tool.function.name));
            let hint = near.map_or(String::new(), |near| format!(", did you mean `{near}`?"));
            self.missing.push(format!("there is no tool `{name}` to choose{hint}"));
        }
    }
}

/// Two of a kind whose names meet in some protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clash {
    /// What they are: `tools`, `events`, `resources`, `states`, `observations`.
    pub what: &'static str,
    /// The names in the source.
    pub names: (String, String),
    /// What both become.
    pub meet_as: String,
    /// Where they are written.
    pub locations: (Location, Location),
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, (first, second), (here, there)) = (self.what, &self.names, &self.locations);
        if what == "observations" {
            write!(
                f,
                "a game has one observation, and `{first}` at {here} and `{second}` at {there} are two: one function \
                 with `#[observe]` returns all that an agent sees"
            )
        } else if first == second {
            write!(f, "two {what} are named `{first}`, at {here} and at {there}")
        } else {
            let meet_as = &self.meet_as;
            write!(f, "the {what} `{first}` at {here} and `{second}` at {there} both become `{meet_as}`")
        }
    }
}

/// What a host has, by name.
#[derive(Default)]
pub(crate) struct Registry {
    known: RwLock<Known>,
    /// Counts changes, for front ends that tell their peers of them.
    changes: watch::Sender<u64>,
}

#[derive(Default)]
pub(crate) struct Known {
    pub(crate) tools: BTreeMap<&'static str, Arc<Entry<Tool>>>,
    pub(crate) events: BTreeMap<&'static str, &'static Declaration>,
    pub(crate) resources: BTreeMap<&'static str, Arc<Entry<Resource>>>,
    pub(crate) states: States,
    pub(crate) observation: Option<Arc<Registered>>,
}

/// Why something could not be added.
pub(crate) enum Refused {
    /// Names that meet.
    Clashes(Vec<Clash>),
    /// What is wrong with tools that the compiler could not see.
    Defects(Vec<String>),
}

impl Registry {
    /// Adds all of them, or none.
    ///
    /// # Errors
    ///
    /// Every pair whose names meet, or else every defect.
    pub(crate) fn add(&self, offer: Offer, held: &Held) -> Result<(), Refused> {
        // Schemas are made by code of the user's, so not under the lock.
        let new = Made::of(offer);
        let mut wrong = new.defects(held);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let clashes = new.clashes(&known);
        if !clashes.is_empty() {
            return Err(Refused::Clashes(clashes));
        }
        let states = new.states(&known.states, &mut wrong);
        wrong.extend(state::defects(&states));
        if !wrong.is_empty() {
            wrong.sort();
            wrong.dedup();
            return Err(Refused::Defects(wrong));
        }
        known.tools.extend(new.tools.iter().map(|entry| (entry.declared.function.name, Arc::clone(entry))));
        known.events.extend(new.events.iter().map(|event| (event.channel, *event)));
        let resources = new.resources.iter().map(|entry| (entry.declared.function.name, Arc::clone(entry)));
        known.resources.extend(resources);
        known.states = states;
        known.observation = new.observations.first().cloned().or(known.observation.take());
        drop(known);
        self.has_changed();
        new.tools.iter().for_each(|entry| entry.function.warn("tool"));
        new.resources.iter().for_each(|entry| entry.function.warn("resource"));
        new.states.iter().for_each(|(function, writes)| function.warn_of_state(*writes));
        Ok(())
    }

    /// All resources, by URI.
    pub(crate) fn resources(&self) -> Vec<Arc<Entry<Resource>>> {
        self.read().resources.values().cloned().collect()
    }

    /// All states, by name.
    pub(crate) fn states(&self) -> States {
        self.read().states.clone()
    }

    /// What an agent sees.
    pub(crate) fn observation(&self) -> Option<Arc<Registered>> {
        self.read().observation.clone()
    }

    /// All events, by channel.
    pub(crate) fn events(&self) -> Vec<&'static Declaration> {
        self.read().events.values().copied().collect()
    }

    /// Whether there is an event of that channel.
    pub(crate) fn has_event(&self, channel: &str) -> bool {
        self.read().events.contains_key(channel)
    }

    /// A tool that may be called.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<Entry<Tool>>> {
        self.read().tools.get(name).filter(|entry| entry.function.is_enabled()).cloned()
    }

    /// All tools that may be called, by name.
    pub(crate) fn all(&self) -> Vec<Arc<Entry<Tool>>> {
        self.read().tools.values().filter(|entry| entry.function.is_enabled()).cloned().collect()
    }

    /// Whether there was one of that name.
    pub(crate) fn remove(&self, name: &str) -> bool {
        let removed = self.known.write().unwrap_or_else(PoisonError::into_inner).tools.remove(name);
        if let Some(entry) = &removed {
            // For the calls that wait for it.
            entry.function.enabled.store(false, Ordering::Relaxed);
            self.has_changed();
        }
        removed.is_some()
    }

    /// Whether there is one of that name.
    pub(crate) fn enable(&self, name: &str, enabled: bool) -> bool {
        let found = self.read().tools.get(name).cloned();
        if let Some(entry) = &found
            && entry.function.enabled.swap(enabled, Ordering::Relaxed) != enabled
        {
            self.has_changed();
        }
        found.is_some()
    }

    /// Tells when something was added, taken away, disabled or enabled.
    #[cfg(feature = "serve")]
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn has_changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// What a peer is told who asks for a tool that is not there.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let (all, shown) = (self.all(), shown(name));
        match nearest(name, all.iter().map(|entry| entry.declared.function.name)) {
            Some(near) => format!("there is no tool `{shown}`, did you mean `{near}`?"),
            None => format!("there is no tool `{shown}`; the list of tools gives the names"),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Longer names, in bytes, are like none: to compare takes time with the length, and a peer's name may be a
/// megabyte.
const LONGEST_COMPARED: usize = 256;

/// The most similar of `names`, if one is similar.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST_COMPARED {
        return None;
    }
    names
        .into_iter()
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_of_a_megabyte_is_compared_with_none() {
        let names = ["world/look", "unit/move"];
        assert_eq!(nearest("world/lok", names), Some("world/look"));
        assert_eq!(nearest(&format!("world/look{}", "k".repeat(1 << 20)), names), None);
    }
}
