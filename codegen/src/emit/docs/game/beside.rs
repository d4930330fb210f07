//! What stands on the pages of what there is beside tools.

use super::calls;
use super::manifest::{Event, Manifest, Resource, State};
use super::model::anchor;
use super::rows::{Table, table};
use super::sample;
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(Serialize)]
pub(super) struct Events {
    events: Vec<EventSection>,
}

#[derive(Serialize)]
struct EventSection {
    name: String,
    anchor: String,
    title: String,
    description: String,
    topic: String,
    payload: Option<Table>,
    example: String,
    subscribe: String,
    agent: String,
}

#[derive(Serialize)]
pub(super) struct Resources {
    resources: Vec<ResourceSection>,
}

#[derive(Serialize)]
struct ResourceSection {
    name: String,
    uri: String,
    anchor: String,
    description: String,
    mime: String,
    arguments: Option<Table>,
    content: Option<Table>,
    paged: bool,
    example: String,
    read: String,
    rust: String,
    agent: String,
}

#[derive(Serialize)]
pub(super) struct States {
    states: Vec<StateSection>,
    observation: Option<Table>,
}

#[derive(Serialize)]
struct StateSection {
    name: String,
    anchor: String,
    description: String,
    player: String,
    writable: bool,
    value: Option<Table>,
    write: Option<Table>,
    get: String,
    set: String,
    rust_get: String,
    rust_set: String,
    agent: String,
}

impl Events {
    pub(super) fn of(manifest: &Manifest) -> Self {
        Self { events: manifest.events.iter().map(event).collect() }
    }
}

impl Resources {
    pub(super) fn of(manifest: &Manifest) -> Self {
        Self { resources: manifest.resources.iter().map(resource).collect() }
    }
}

impl States {
    pub(super) fn of(manifest: &Manifest) -> Self {
        let observation = manifest.observation.as_ref().map(table);
        Self { states: manifest.states.iter().map(state).collect(), observation }
    }
}

fn event(event: &Event) -> EventSection {
    let example = event.schema.as_ref().and_then(|schema| sample::value(schema, ""));
    EventSection {
        name: event.channel.clone(),
        anchor: anchor("event", &event.channel),
        title: event.title.clone(),
        description: event.description.clone(),
        topic: event.topic.clone(),
        payload: event.schema.as_ref().map(table),
        example: example.map(|example| calls::pretty(&example)).unwrap_or_default(),
        subscribe: calls::request("events/subscribe", &serde_json::json!({ "channels": [event.channel] })),
        agent: calls::agent(&["watch", &event.channel]),
    }
}

fn resource(resource: &Resource) -> ResourceSection {
    let arguments = resource.arguments.as_ref().map(table).filter(|table| !table.rows.is_empty());
    let values = resource.arguments.as_ref().and_then(sample::arguments);
    let uri = calls::expanded(&resource.uri, values.as_ref());
    ResourceSection {
        name: resource.name.clone(),
        uri: resource.uri.clone(),
        anchor: anchor("resource", &resource.uri),
        description: resource.description.clone(),
        mime: resource.mime.clone(),
        arguments,
        content: resource.schema.as_ref().map(table),
        paged: resource.paged,
        read: calls::request("resources/read", &serde_json::json!({ "uri": uri })),
        rust: format!("host.read_resource(&mut state, {uri:?})?"),
        agent: calls::agent(&["read", &uri]),
        example: uri,
    }
}

fn state(state: &State) -> StateSection {
    let name = state.name.as_str();
    let player = (state.player == "required").then_some("ada");
    let told = player.map_or("None".to_owned(), |player| format!("Some({player:?})"));
    let with_player = |mut params: Value| {
        if let (Some(player), Some(params)) = (player, params.as_object_mut()) {
            params.insert("playerId".to_owned(), Value::from(player));
        }
        params
    };
    let new = state.write.as_ref().filter(|_| state.writable).and_then(|schema| sample::value(schema, name));
    let set = new.as_ref().map(|new| {
        let updates = Map::from_iter([(name.to_owned(), new.clone())]);
        calls::request("state/set", &with_player(serde_json::json!({ "updates": updates })))
    });
    let rust_set = new
        .as_ref()
        .map(|new| format!("host.set_state(&mut state, {name:?}, {told}, json!({}))?", calls::literal(new)));
    let value = state.schema.as_ref().map(table);
    // Only where it is not what is read.
    let write = state.write.as_ref().filter(|_| state.writable).map(table);
    let write = write.filter(|write| value.as_ref().is_none_or(|value| !value.shows_as(write)));
    let mut words = vec!["states", name];
    words.extend(player.into_iter().flat_map(|player| ["--player", player]));
    StateSection {
        name: state.name.clone(),
        anchor: anchor("state", name),
        description: state.description.clone(),
        player: state.player.clone(),
        writable: state.writable,
        value,
        write,
        get: calls::request("state/get", &with_player(serde_json::json!({ "components": [name] }))),
        set: set.unwrap_or_default(),
        rust_get: format!("host.state(&mut state, {name:?}, {told})?"),
        rust_set: rust_set.unwrap_or_default(),
        agent: calls::agent(&words),
    }
}
