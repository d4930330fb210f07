//! Which tools there are.

use crate::held::Held;
use crate::tool::{Location, Registered, Tool};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

/// Tools for a host whose state is `S`.
pub struct Tools<S> {
    pub(crate) tools: Vec<Tool>,
    /// Names that were asked for, and are not there.
    pub(crate) missing: Vec<String>,
    state: PhantomData<fn(&mut S)>,
}

/// Every tool of the program that works on the state `S` or on none, wherever it is written.
pub fn registered<S: 'static>() -> Tools<S> {
    let fits = |tool: &&Tool| tool.state().is_none_or(|state| state.id == TypeId::of::<S>());
    let tools = inventory::iter::<Tool>.into_iter().filter(fits).copied().collect();
    Tools { tools, missing: Vec::new(), state: PhantomData }
}

impl<S> Tools<S> {
    /// Of these, the ones with these names. A name that is not there is an error where the tools are
    /// given to a host.
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
        self.tools.retain(|tool| names.contains(&tool.name));
        self
    }

    /// The same without the ones with these names, of which each must be there, too.
    pub fn except<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        self.expect(&names);
        self.tools.retain(|tool| !names.contains(&tool.name));
        self
    }

    fn expect(&mut self, names: &[&str]) {
        for name in names.iter().filter(|name| self.tools.iter().all(|tool| tool.name != **name)) {
            let near = nearest(name, self.tools.iter().map(|tool| tool.name));
            let hint = near.map_or(String::new(), |near| format!(", did you mean `{near}`?"));
            self.missing.push(format!("there is no tool `{name}` to choose{hint}"));
        }
    }
}

/// Two tools whose names meet in some protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The names in the source.
    pub names: (String, String),
    /// What both become.
    pub meet_as: String,
    /// Where they are written.
    pub locations: (Location, Location),
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((first, second), (here, there)) = (&self.names, &self.locations);
        if first == second {
            write!(f, "two tools are named `{first}`, at {here} and at {there}")
        } else {
            let meet_as = &self.meet_as;
            write!(f, "the tools `{first}` at {here} and `{second}` at {there} both become `{meet_as}`")
        }
    }
}

/// The tools of a host, by name.
#[derive(Default)]
pub(crate) struct Registry {
    tools: RwLock<BTreeMap<&'static str, Arc<Registered>>>,
}

/// Why tools could not be added.
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
    /// Every pair of tools whose names meet, or else every defect.
    pub(crate) fn add(&self, mut tools: Vec<Tool>, held: &Held) -> Result<(), Refused> {
        // The order of registration is the linker's.
        tools.sort_by_key(|tool| tool.name);
        // Schemas are made by code of the user's, so not under the lock.
        let new: Vec<Registered> = tools.iter().copied().map(Registered::new).collect();
        let mut known = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        let clashes = clashes(known.values().map(|registered| registered.tool).chain(tools).collect());
        if !clashes.is_empty() {
            return Err(Refused::Clashes(clashes));
        }
        let defects: Vec<String> = new.iter().flat_map(|registered| defects(registered, held)).collect();
        if !defects.is_empty() {
            return Err(Refused::Defects(defects));
        }
        let new: Vec<Arc<Registered>> = new.into_iter().map(Arc::new).collect();
        known.extend(new.iter().map(|registered| (registered.tool.name, Arc::clone(registered))));
        drop(known);
        new.iter().for_each(|registered| registered.warn());
        Ok(())
    }

    /// A tool that may be called.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<Registered>> {
        self.read().get(name).filter(|registered| registered.is_enabled()).cloned()
    }

    /// All tools that may be called, by name.
    pub(crate) fn all(&self) -> Vec<Arc<Registered>> {
        self.read().values().filter(|registered| registered.is_enabled()).cloned().collect()
    }

    /// Whether there was one of that name.
    pub(crate) fn remove(&self, name: &str) -> bool {
        let removed = self.tools.write().unwrap_or_else(PoisonError::into_inner).remove(name);
        if let Some(registered) = &removed {
            // For the calls that wait for it.
            registered.enabled.store(false, Ordering::Relaxed);
        }
        removed.is_some()
    }

    /// Whether there is one of that name.
    pub(crate) fn enable(&self, name: &str, enabled: bool) -> bool {
        let tools = self.read();
        let found = tools.get(name);
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

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<&'static str, Arc<Registered>>> {
        self.tools.read().unwrap_or_else(PoisonError::into_inner)
    }
}

fn clashes(mut tools: Vec<Tool>) -> Vec<Clash> {
    // The order of registration is the linker's.
    tools.sort_by_key(|tool| (tool.name, tool.location.file, tool.location.line, tool.location.column));
    let mut by_flat_name: BTreeMap<String, Tool> = BTreeMap::new();
    let mut clashes = Vec::new();
    for tool in &tools {
        let flat = flat(tool.name);
        match by_flat_name.get(&flat) {
            Some(other) => clashes.push(Clash {
                names: (other.name.to_owned(), tool.name.to_owned()),
                meet_as: flat,
                locations: (other.location, tool.location),
            }),
            None => {
                by_flat_name.insert(flat, *tool);
            }
        }
    }
    clashes
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
