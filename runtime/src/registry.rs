//! Which tools there are.

use crate::tool::{Location, Registered, Tool};
use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// Tools for a host whose state is `S`.
pub struct Tools<S> {
    pub(crate) tools: Vec<Tool>,
    state: PhantomData<fn(&mut S)>,
}

/// Every tool of the program that works on the state `S` or on none, wherever it is written.
pub fn registered<S: 'static>() -> Tools<S> {
    let fits = |tool: &&Tool| (tool.signature)().state().is_none_or(|state| state.id == TypeId::of::<S>());
    let tools = inventory::iter::<Tool>.into_iter().filter(fits).copied().collect();
    Tools { tools, state: PhantomData }
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
pub(crate) struct Registry {
    tools: BTreeMap<&'static str, Registered>,
}

impl Registry {
    /// # Errors
    ///
    /// Every pair of tools whose names meet.
    pub(crate) fn new(mut tools: Vec<Tool>) -> Result<Self, Vec<Clash>> {
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
        if !clashes.is_empty() {
            return Err(clashes);
        }
        Ok(Self { tools: tools.into_iter().map(|tool| (tool.name, Registered::new(tool))).collect() })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Registered> {
        self.tools.get(name)
    }

    /// All tools, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Registered> {
        self.tools.values()
    }

    /// What is wrong with tools that the compiler could not see.
    pub(crate) fn defects(&self) -> Vec<String> {
        let of_tool = |registered: &Registered| {
            let (name, location) = (registered.tool.name, registered.tool.location);
            registered
                .defects
                .iter()
                .map(|defect| format!("the tool `{name}` at {location}: {defect}"))
                .collect()
        };
        self.iter().flat_map::<Vec<String>, _>(of_tool).collect()
    }

    /// What a peer is told who asks for a tool that is not there.
    pub(crate) fn unknown(&self, name: &str) -> String {
        match nearest(name, self.tools.keys().copied()) {
            Some(near) => format!("there is no tool `{name}`, did you mean `{near}`?"),
            None => format!("there is no tool `{name}`; tools/list gives the names"),
        }
    }
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
