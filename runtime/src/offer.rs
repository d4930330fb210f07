//! What macros have registered, on its way into a host: whether it goes together.

use crate::event::Declaration;
use crate::function::{Entry, Function, Location, Registered};
use crate::held::Held;
use crate::registry::{Clash, Known};
use crate::resource::Resource;
use crate::state::{Component, Observation, State, States};
use crate::tool::Tool;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// What macros have registered.
#[derive(Default)]
pub(crate) struct Offer {
    pub(crate) tools: Vec<Tool>,
    pub(crate) events: Vec<&'static Declaration>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) states: Vec<State>,
    pub(crate) observations: Vec<Observation>,
}

impl Offer {
    pub(crate) fn extend(&mut self, more: Self) {
        self.tools.extend(more.tools);
        self.events.extend(more.events);
        self.resources.extend(more.resources);
        self.states.extend(more.states);
        self.observations.extend(more.observations);
    }
}

/// What is new, ready to be looked at as a whole.
pub(crate) struct Made {
    pub(crate) tools: Vec<Arc<Entry<Tool>>>,
    pub(crate) events: Vec<&'static Declaration>,
    pub(crate) resources: Vec<Arc<Entry<Resource>>>,
    /// With whether they set it.
    pub(crate) states: Vec<(Arc<Registered>, bool)>,
    pub(crate) observations: Vec<Arc<Registered>>,
}

impl Made {
    pub(crate) fn of(offer: Offer) -> Self {
        let entry = |function: Function| Arc::new(Registered::new(function));
        let Offer { mut tools, events, mut resources, states, mut observations } = offer;
        // The order of registration is the linker's.
        tools.sort_by_key(|tool| tool.function.name);
        // What a program registers comes again each time it is asked for.
        let events: BTreeMap<*const Declaration, &Declaration> =
            events.into_iter().map(|event| (std::ptr::from_ref(event), event)).collect();
        let mut seen = HashSet::new();
        resources.retain(|resource| seen.insert(resource.function.identity()));
        observations.retain(|observation| seen.insert(observation.function.identity()));
        let states = states.into_iter().filter(|state| seen.insert(state.function.identity()));
        Self {
            events: events.into_values().collect(),
            states: states.map(|state| (entry(state.function), state.writes)).collect(),
            observations: observations.into_iter().map(|one| entry(one.function)).collect(),
            tools: tools
                .into_iter()
                .map(|tool| Arc::new(Entry { declared: tool, function: entry(tool.function) }))
                .collect(),
            resources: resources
                .into_iter()
                .map(|one| Arc::new(Entry { declared: one, function: entry(one.function) }))
                .collect(),
        }
    }

    /// What is wrong with each for itself.
    pub(crate) fn defects(&self, held: &Held) -> Vec<String> {
        let mut wrong = Vec::new();
        for entry in &self.tools {
            wrong.extend(defects("tool", &entry.function, held));
        }
        for event in &self.events {
            let (channel, location) = (event.channel, event.location);
            let told = |defect: &String| format!("the event `{channel}` at {location}: {defect}");
            wrong.extend(event.defects().iter().map(told));
        }
        for entry in &self.resources {
            wrong.extend(defects("resource", &entry.function, held));
            wrong.extend(entry.defects().into_iter().map(|defect| told("resource", &entry.function, defect)));
        }
        for (function, _) in &self.states {
            wrong.extend(defects("state", function, held));
        }
        for function in &self.observations {
            wrong.extend(defects("observation", function, held));
        }
        wrong
    }

    /// Names that meet, with each other or with those that are known.
    pub(crate) fn clashes(&self, known: &Known) -> Vec<Clash> {
        let named = |function: &Function, meet_as: String| {
            let (name, id) = function.identity();
            Named { name, id, location: function.location, meet_as }
        };
        let tools = known.tools.values().chain(&self.tools).map(|entry| {
            let function = &entry.declared.function;
            named(function, flat(function.name))
        });
        let mut found = clashes("tools", tools.collect());
        let events = known.events.values().chain(&self.events);
        let events = events.map(|event| Named {
            name: event.channel,
            id: std::ptr::from_ref::<Declaration>(event) as usize,
            location: event.location,
            meet_as: flat(event.channel),
        });
        found.extend(clashes("events", unique(events.collect())));
        let resources = known.resources.values().chain(&self.resources);
        let resources = resources.map(|entry| named(&entry.declared.function, entry.declared.shape()));
        found.extend(clashes("resources", unique(resources.collect())));
        for writes in [false, true] {
            let before = known.states.values().filter_map(|component| match writes {
                false => Some(&component.read),
                true => component.write.as_ref(),
            });
            let new = self.states.iter().filter(|(_, own)| *own == writes).map(|(function, _)| function);
            let states = before.chain(new).map(|function| {
                let function = &function.function;
                named(function, flat(function.name))
            });
            found.extend(clashes("states", unique(states.collect())));
        }
        let observations = known.observation.iter().chain(&self.observations);
        let observations = observations.map(|one| named(&one.function, "the observation".to_owned()));
        found.extend(clashes("observations", unique(observations.collect())));
        found
    }

    /// All states, those that were known too.
    pub(crate) fn states(&self, known: &States, wrong: &mut Vec<String>) -> States {
        let mut states = known.clone();
        for (function, _) in self.states.iter().filter(|(_, writes)| !writes) {
            let component = Component { read: Arc::clone(function), write: None };
            states.entry(function.function.name).or_insert(component);
        }
        for (function, _) in self.states.iter().filter(|(_, writes)| *writes) {
            match states.get_mut(function.function.name) {
                Some(component) => component.write = Some(Arc::clone(function)),
                None => wrong.push(told(
                    "state",
                    function,
                    "it can be set, and not read: write a second function, `#[state(\"…\")]`, that returns it"
                        .to_owned(),
                )),
            }
        }
        states
    }
}

/// A name, and what it becomes in some protocol.
struct Named {
    name: &'static str,
    /// Of what has the name.
    id: usize,
    location: Location,
    meet_as: String,
}

/// What a program registers comes again each time it is asked for.
fn unique(mut named: Vec<Named>) -> Vec<Named> {
    let mut seen = HashSet::new();
    named.retain(|one| seen.insert(one.id));
    named
}

fn clashes(what: &'static str, mut named: Vec<Named>) -> Vec<Clash> {
    // The order of registration is the linker's.
    named.sort_by_key(|Named { name, location: at, .. }| (*name, at.file, at.line, at.column));
    let mut known: BTreeMap<String, (&str, Location)> = BTreeMap::new();
    let mut clashes = Vec::new();
    for Named { name, location, meet_as, .. } in named {
        match known.get(&meet_as) {
            Some((other, elsewhere)) => clashes.push(Clash {
                what,
                names: ((*other).to_owned(), name.to_owned()),
                meet_as,
                locations: (*elsewhere, location),
            }),
            None => {
                known.insert(meet_as, (name, location));
            }
        }
    }
    clashes
}

fn told(what: &str, function: &Registered, defect: String) -> String {
    let (name, location) = (function.function.name, function.function.location);
    format!("the {what} `{name}` at {location}: {defect}")
}

/// All that is wrong with one, in one text.
fn defects(what: &str, function: &Registered, held: &Held) -> Option<String> {
    let missing = function.needs.iter().filter(|kind| !held.has(kind.id)).map(|kind| {
        let kind = kind.name;
        format!("it takes a `&Res<{kind}>`, and the host holds none: give it one with `.hold(…)`")
    });
    let all: Vec<String> = function.defects.iter().cloned().chain(missing).collect();
    if all.is_empty() { None } else { Some(told(what, function, all.join("; "))) }
}

/// The name in protocols that know no slash.
pub(crate) fn flat(name: &str) -> String {
    name.replace(['/', '-'], "_")
}
