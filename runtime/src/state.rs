//! Parts of the game that peers read and set by name, and what they observe.

use crate::call::{Call, Caller};
use crate::dispatch::Core;
use crate::error::{ToolError, ToolErrorKind};
use crate::function::{Function, Registered};
use crate::registry::nearest;
use crate::resource::from_text;
use crate::running::run;
use crate::schema::shown;
use serde_json::{Map, Value, json};
use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A state as `#[state]` registers it.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct State {
    pub function: Function,
    /// It sets the state, and does not read it.
    pub writes: bool,
}

/// What `#[observe]` registers.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Observation {
    pub function: Function,
}

inventory::collect!(State);
inventory::collect!(Observation);

/// The states of a host, by name.
pub(crate) type States = BTreeMap<&'static str, Component>;

/// A state of a host.
#[derive(Clone)]
pub(crate) struct Component {
    pub(crate) read: Arc<Registered>,
    pub(crate) write: Option<Arc<Registered>>,
}

/// What became of updates.
pub(crate) struct Applied {
    /// What holds now.
    pub(crate) applied: Map<String, Value>,
    /// What was not set, and why.
    pub(crate) refused: Vec<Refused>,
}

/// An update that was not made.
pub(crate) struct Refused {
    pub(crate) field: String,
    pub(crate) error: ToolError,
    /// The reason in a word.
    pub(crate) code: &'static str,
}

/// The argument of a state that each player has. Agents know it from the protocol.
pub(crate) const PLAYER: &str = "player_id";

impl Component {
    /// Each player has an own one.
    fn is_of_players(&self) -> bool {
        takes_player(&self.read)
    }

    fn needs_player(&self) -> bool {
        self.read.requires(PLAYER)
    }

    /// As a manifest has it.
    pub(crate) fn described(&self) -> Value {
        let read = &self.read;
        let mut described = json!({
            "name": read.function.name,
            "description": read.function.description,
            "schema": read.output_schema,
            "writable": self.write.is_some(),
        });
        if self.is_of_players() {
            described["player"] = Value::from(if self.needs_player() { "required" } else { "optional" });
        }
        if let Some((write, value)) = self.write.as_ref().and_then(|write| Some((write, value_of(write)?))) {
            described["writeSchema"] = write.input_schema["properties"][value].clone();
        }
        described
    }
}

fn properties(function: &Registered) -> impl Iterator<Item = (&str, &Value)> {
    let properties = function.input_schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema))
}

fn takes_player(function: &Registered) -> bool {
    properties(function).any(|(name, _)| name == PLAYER)
}

/// The argument that is the new value.
fn value_of(write: &Registered) -> Option<&str> {
    properties(write).map(|(name, _)| name).find(|name| *name != PLAYER)
}

/// The argument that says which player's, where there is one.
fn player_argument(function: &Registered, player: Option<&str>) -> Map<String, Value> {
    let schema = properties(function).find(|(name, _)| *name == PLAYER).map(|(_, schema)| schema);
    let given = schema.zip(player).map(|(schema, player)| {
        (PLAYER.to_owned(), from_text(schema, player).unwrap_or_else(|| Value::from(player)))
    });
    given.into_iter().collect()
}

/// What is wrong between the two functions of a state.
pub(crate) fn defects(states: &States) -> Vec<String> {
    let mut defects = Vec::new();
    for (name, component) in states {
        let Some(write) = &component.write else { continue };
        if takes_player(write) != component.is_of_players() {
            let (here, there) = (component.read.function.location, write.function.location);
            defects.push(format!(
                "the state `{name}`, read at {here} and set at {there}: one takes a `{PLAYER}`, the other does not"
            ));
        }
    }
    defects
}

/// Those that are asked for, with the functions that read them.
fn selected(
    states: &States,
    names: Option<&[String]>,
    player: Option<&str>,
) -> Result<Vec<Arc<Registered>>, ToolError> {
    let fits = |component: &Component| match player {
        Some(_) => component.is_of_players(),
        None => !component.needs_player(),
    };
    let Some(names) = names else {
        return Ok(states
            .values()
            .filter(|component| fits(component))
            .map(|one| Arc::clone(&one.read))
            .collect());
    };
    let mut found = Vec::new();
    // Each is read once, however often a peer names it: the game stands still meanwhile.
    for name in names.iter().collect::<BTreeSet<_>>() {
        let component = states.get(name.as_str()).ok_or_else(|| unknown(states, name))?;
        if !fits(component) {
            return Err(of_whom(name, player));
        }
        found.push(Arc::clone(&component.read));
    }
    Ok(found)
}

fn unknown(states: &States, name: &str) -> ToolError {
    let known: Vec<&str> = states.keys().copied().collect();
    let hint = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "this game has none".to_owned(),
        None => format!("there is `{}`", known.join("`, `")),
    };
    ToolError::new(ToolErrorKind::NotFound, format!("there is no state `{}`; {hint}", shown(name)))
}

fn of_whom(name: &str, player: Option<&str>) -> ToolError {
    let message = match player {
        Some(_) => format!("the state `{name}` belongs to no player in particular: ask without one"),
        None => format!("each player has a state `{name}`: say which player's"),
    };
    ToolError::invalid(vec![crate::error::Problem { pointer: String::new(), message }])
}

fn read_one(
    function: &Registered,
    state: &mut dyn Any,
    call: &Call,
    player: Option<&str>,
) -> Result<Value, ToolError> {
    let call = Call { tool: function.function.name, ..call.clone() };
    run(function, Some(state), &call, player_argument(function, player).into())
}

/// Sets a state; what holds then.
fn write_one(
    states: &States,
    (field, value): (&str, Value),
    state: &mut dyn Any,
    call: &Call,
    player: Option<&str>,
) -> Result<Value, (ToolError, &'static str)> {
    let told = |error: ToolError| {
        let code = code(&error);
        (error, code)
    };
    let component = states.get(field).ok_or_else(|| told(unknown(states, field)))?;
    let fits = if player.is_some() { component.is_of_players() } else { !component.needs_player() };
    if !fits {
        return Err(told(of_whom(field, player)));
    }
    let Some((write, name)) = component.write.as_ref().and_then(|write| Some((write, value_of(write)?)))
    else {
        let error = ToolError::failed(format!("the state `{field}` can be read, and not set"));
        return Err((error, "read_only"));
    };
    let mut arguments = player_argument(write, player);
    arguments.insert(name.to_owned(), value);
    let call = Call { tool: write.function.name, ..call.clone() };
    run(write, Some(&mut *state), &call, arguments.into()).map_err(|error| told(error.within_value(name)))?;
    read_one(&component.read, state, &call, player).map_err(told)
}

/// A failure in a word, for programs.
fn code(error: &ToolError) -> &'static str {
    match error.kind() {
        ToolErrorKind::NotFound => "unknown",
        ToolErrorKind::Unavailable => "unavailable",
        ToolErrorKind::InvalidArguments => "invalid",
        ToolErrorKind::Failed => "failed",
        ToolErrorKind::Missing => "missing",
        ToolErrorKind::Internal => "internal",
        ToolErrorKind::TimedOut => "timed_out",
    }
}

impl Core {
    /// Reads states for a peer, all at one moment.
    pub(crate) async fn state(
        self: &Arc<Self>,
        names: Option<Vec<String>>,
        player: Option<String>,
        caller: Caller,
    ) -> Result<Map<String, Value>, ToolError> {
        let selected = selected(&self.registry.states(), names.as_deref(), player.as_deref())?;
        self.with_game("state", caller, move |call, state| {
            let read = |function: &Arc<Registered>| {
                let value = read_one(function, state, call, player.as_deref())?;
                Ok((function.function.name.to_owned(), value))
            };
            selected.iter().map(read).collect()
        })
        .await
    }

    /// Sets states for a peer: each that is sound, in one go.
    pub(crate) async fn set_state(
        self: &Arc<Self>,
        updates: Map<String, Value>,
        player: Option<String>,
        caller: Caller,
    ) -> Result<Applied, ToolError> {
        let states = self.registry.states();
        self.with_game("state", caller, move |call, state| {
            let mut done = Applied { applied: Map::new(), refused: Vec::new() };
            for (field, value) in updates {
                match write_one(&states, (&field, value), state, call, player.as_deref()) {
                    Ok(now) => {
                        done.applied.insert(field, now);
                    }
                    Err((error, code)) => {
                        let field = shown(&field).into_owned();
                        done.refused.push(Refused { field, error, code });
                    }
                }
            }
            Ok(done)
        })
        .await
    }

    /// Reads a state at once.
    pub(crate) fn state_here(
        self: &Arc<Self>,
        state: &mut dyn Any,
        name: &str,
        player: Option<&str>,
    ) -> Result<Value, ToolError> {
        let selected = selected(&self.registry.states(), Some(&[name.to_owned()]), player)?;
        let function = selected.first().ok_or_else(|| unknown(&States::new(), name))?;
        read_one(function, state, &self.call_of_game("state"), player)
    }

    /// Sets a state at once; what holds then.
    pub(crate) fn set_state_here(
        self: &Arc<Self>,
        state: &mut dyn Any,
        name: &str,
        player: Option<&str>,
        value: Value,
    ) -> Result<Value, ToolError> {
        let call = self.call_of_game("state");
        write_one(&self.registry.states(), (name, value), state, &call, player).map_err(|(error, _)| error)
    }

    /// What an agent sees, at once.
    pub(crate) fn observe_here(self: &Arc<Self>, state: &mut dyn Any) -> Result<Value, ToolError> {
        let observation = self.observation()?;
        let call = self.call_of_game(observation.function.name);
        run(&observation, Some(state), &call, Map::new().into())
    }

    /// What an agent sees, for a peer. `then` is done with it before the game goes on.
    pub(crate) async fn observe<T: Send + 'static>(
        self: &Arc<Self>,
        caller: Caller,
        then: impl FnOnce(&Arc<Self>, Value) -> T + Send + 'static,
    ) -> Result<T, ToolError> {
        let observation = self.observation()?;
        self.with_game(observation.function.name, caller, move |call, state| {
            let shown = run(&observation, Some(state), call, Map::new().into())?;
            Ok(then(&call.core, shown))
        })
        .await
    }

    fn observation(&self) -> Result<Arc<Registered>, ToolError> {
        self.registry.observation().ok_or_else(|| {
            ToolError::new(ToolErrorKind::NotFound, "no function of this game has `#[observe]`")
        })
    }
}
