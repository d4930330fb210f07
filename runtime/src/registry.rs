//! What a host has for its peers.

use crate::event::{Declaration, Declared};
use crate::held::Held;
use crate::tool::{Location, Registered, Tool};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// Tools for a host whose state is `S`, and the events that go with them.
pub struct Tools<S> {
    pub(crate) offer: Offer,
    /// Names that were asked for, and are not there.
    pub(crate) missing: Vec<String>,
    state: PhantomData<fn(&mut S)>,
}

/// What macros have registered.
#[derive(Default)]
pub(crate) struct Offer {
    pub(crate) tools: Vec<Tool>,
    pub(crate) events: Vec<&'static Declaration>,
}

/// Every tool of the program that works on the state `S` or on none, and every event, wherever they are
/// written.
pub fn registered<S: 'static>() -> Tools<S> {
    let fits = |tool: &&Tool| (tool.signature)().state().is_none_or(|state| state.id == TypeId::of::<S>());
    let offer = Offer {
        tools: inventory::iter::<Tool>.into_iter().filter(fits).copied().collect(),
        events: inventory::iter::<Declared>.into_iter().map(|declared| (declared.0)()).collect(),
    };
    Tools { offer, missing: Vec::new(), state: PhantomData }
}

impl Offer {
    pub(crate) fn extend(&mut self, more: Self) {
        self.tools.extend(more.tools);
        self.events.extend(more.events);
    }
}

impl<S> Tools<S> {
    /// Of these tools, the ones with these names; events stay. A name that is not there is an error where
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
        self.offer.tools.retain(|tool| names.contains(&tool.name));
        self
    }

    /// The same without the ones with these names, of which each must be there, too.
    pub fn except<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        self.expect(&names);
        self.offer.tools.retain(|tool| !names.contains(&tool.name));
        self
    }

    fn expect(&mut self, names: &[&str]) {
        let known = &self.offer.tools;
        for name in names.iter().filter(|name| known.iter().all(|tool| tool.name != **name)) {
            let near = nearest(name, known.iter().map(|tool| tool.name));
            let hint = near.map_or(String::new(), |near| format!(", did you mean `{near}`?"));
            self.missing.push(format!("there is no tool `{name}` to choose{hint}"));
        }
    }
}

/// Two of a kind whose names meet in some protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clash {
    /// What they are: `tools`, `events`.
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
        if first == second {
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
}

#[derive(Default)]
struct Known {
    tools: BTreeMap<&'static str, Arc<Registered>>,
    events: BTreeMap<&'static str, &'static Declaration>,
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
        let Offer { mut tools, events } = offer;
        // The order of registration is the linker's.
        tools.sort_by_key(|tool| tool.name);
        // Schemas are made by code of the user's, so not under the lock.
        let new: Vec<Registered> = tools.iter().copied().map(Registered::new).collect();
        let mut wrong: Vec<String> = new.iter().flat_map(|registered| defects(registered, held)).collect();
        wrong.extend(events.iter().flat_map(|event| event_defects(event)));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        // What a program registers comes again each time it is asked for.
        let events = known.events.values().copied().chain(events);
        let events: BTreeMap<*const Declaration, &Declaration> =
            events.map(|event| (std::ptr::from_ref(event), event)).collect();
        let tool_names = known.tools.values().map(|registered| registered.tool).chain(tools);
        let tool_names = tool_names.map(|tool| (tool.name, tool.location));
        let event_names = events.values().map(|event| (event.channel, event.location));
        let mut clashes = clashes("tools", tool_names.collect());
        clashes.extend(self::clashes("events", event_names.collect()));
        if !clashes.is_empty() {
            return Err(Refused::Clashes(clashes));
        }
        if !wrong.is_empty() {
            wrong.sort();
            wrong.dedup();
            return Err(Refused::Defects(wrong));
        }
        let new: Vec<Arc<Registered>> = new.into_iter().map(Arc::new).collect();
        known.tools.extend(new.iter().map(|registered| (registered.tool.name, Arc::clone(registered))));
        known.events.extend(events.into_values().map(|event| (event.channel, event)));
        drop(known);
        new.iter().for_each(|registered| registered.warn());
        Ok(())
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
    pub(crate) fn get(&self, name: &str) -> Option<Arc<Registered>> {
        self.read().tools.get(name).filter(|registered| registered.is_enabled()).cloned()
    }

    /// All tools that may be called, by name.
    pub(crate) fn all(&self) -> Vec<Arc<Registered>> {
        self.read().tools.values().filter(|registered| registered.is_enabled()).cloned().collect()
    }

    /// Whether there was one of that name.
    pub(crate) fn remove(&self, name: &str) -> bool {
        let removed = self.known.write().unwrap_or_else(PoisonError::into_inner).tools.remove(name);
        if let Some(registered) = &removed {
            // For the calls that wait for it.
            registered.enabled.store(false, Ordering::Relaxed);
        }
        removed.is_some()
    }

    /// Whether there is one of that name.
    pub(crate) fn enable(&self, name: &str, enabled: bool) -> bool {
        let known = self.read();
        let found = known.tools.get(name);
        if let Some(registered) = found {
            registered.enabled.store(enabled, Ordering::Relaxed);
        }
        found.is_some()
    }

    /// What a peer is told who asks for a tool that is not there.
    pub(crate) fn unknown(&self, name: &str) -> String {
        let all = self.all();
        match nearest(name, all.iter().map(|registered| registered.tool.name)) {
            Some(near) => format!("there is no tool `{name}`, did you mean `{near}`?"),
            None => format!("there is no tool `{name}`; tools/list gives the names"),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn clashes(what: &'static str, mut named: Vec<(&'static str, Location)>) -> Vec<Clash> {
    // The order of registration is the linker's.
    named.sort_by_key(|(name, at)| (*name, at.file, at.line, at.column));
    let mut by_flat_name: BTreeMap<String, (&str, Location)> = BTreeMap::new();
    let mut clashes = Vec::new();
    for (name, location) in named {
        let flat = flat(name);
        match by_flat_name.get(&flat) {
            Some((other, elsewhere)) => clashes.push(Clash {
                what,
                names: ((*other).to_owned(), name.to_owned()),
                meet_as: flat,
                locations: (*elsewhere, location),
            }),
            None => {
                by_flat_name.insert(flat, (name, location));
            }
        }
    }
    clashes
}

fn event_defects(event: &Declaration) -> Vec<String> {
    let (channel, location) = (event.channel, event.location);
    let told = |defect: &String| format!("the event `{channel}` at {location}: {defect}");
    event.defects().iter().map(told).collect()
}

fn defects(registered: &Registered, held: &Held) -> Vec<String> {
    let (name, location) = (registered.tool.name, registered.tool.location);
    let missing = registered.needs.iter().filter(|kind| !held.has(kind.id)).map(|kind| {
        let kind = kind.name;
        format!("it takes a `&Res<{kind}>`, and the host holds none: give it one with `.hold(…)`")
    });
    let all = registered.defects.iter().cloned().chain(missing);
    all.map(|defect| format!("the tool `{name}` at {location}: {defect}")).collect()
}

/// The name in protocols that know no slash.
fn flat(name: &str) -> String {
    name.replace(['/', '-'], "_")
}

/// The most similar of `names`, if one is similar.
pub(crate) fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names
        .into_iter()
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .filter(|(similarity, _)| *similarity > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, known)| known)
}
