//! Tools, resources, states and events as GABP has them.

use super::failures::{error, of_resource, of_state};
use super::glob::glob;
use crate::call::Caller;
use crate::dispatch::Core;
use crate::event::Declaration;
use crate::function::Entry;
use crate::host::{Described, described};
use crate::resource::{Content, Encoding, Resource, Segment};
use crate::state::Refused;
use crate::tool::Tool;
use ludwire_protocols::gabp::{self, EnvelopeError, error_codes};
use serde_json::Value;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A tool.
pub(super) fn tool(entry: &Entry<Tool>, core: &Core) -> gabp::Tool {
    let Described { name, title, description, input_schema, output_schema, tags, deprecated, version } =
        described(entry, core);
    let text = |text: &str| gabp::NonEmptyString::try_from(text).expect("the macro wants a text here");
    let tags: Vec<String> = tags.into_iter().map(str::to_owned).collect();
    gabp::Tool {
        name: gabp::ToolName::try_from(name).expect("the macro checks names"),
        title: text(&title),
        description: text(description),
        input_schema,
        output_schema,
        tags: Some(gabp::ToolTags::try_from(tags).expect("each tag stands once")),
        deprecated,
        version: version.map(str::to_owned),
    }
}

/// What can be read, as far as it passes the filter.
pub(super) fn resources(core: &Core, filter: &gabp::ResourcesListParams) -> Vec<gabp::Resource> {
    let passes = |uri: &str| {
        let rest = uri.split_once("://").map_or(uri, |(_, rest)| rest);
        let (namespace, path) = rest.split_once('/').unwrap_or((rest, ""));
        let pattern = filter.pattern.as_deref();
        filter.namespace.as_deref().is_none_or(|wanted| wanted == namespace)
            // Patterns such as `world/*` are of the path, others of the whole URI.
            && pattern.is_none_or(|pattern| glob(pattern, uri) || glob(pattern, path))
    };
    let all = core.registry.resources();
    let own = all.iter().filter(|entry| passes(&uri(&entry.declared))).filter_map(|entry| resource(entry));
    observation(core).filter(|_| passes(OBSERVATION)).into_iter().chain(own).collect()
}

/// Where peers read what the game shows to agents that ask for no tool: what `#[observe]` gives, of which the
/// protocol knows nothing. Only resources of the game's own are in the namespace `game`.
const OBSERVATION: &str = "gabp://mod/observation";

fn observation(core: &Core) -> Option<gabp::Resource> {
    let observation = core.registry.observation()?;
    let uri = gabp::ResourceUri::try_from(OBSERVATION).ok()?;
    let description = observation.function.description;
    let resource = gabp::Resource::new(uri, "Observation".to_owned()).with_mime_type("application/json");
    Some(if description.is_empty() { resource } else { resource.with_description(description) })
}

/// Whether there is something to be read.
pub(super) fn has_resources(core: &Core) -> bool {
    !core.registry.resources().is_empty() || core.registry.observation().is_some()
}

/// The URIs that can be read as they are.
pub(super) fn readable(core: &Core) -> Vec<gabp::ResourceUri> {
    let all = core.registry.resources();
    let concrete = all.iter().filter(|entry| entry.declared.is_concrete());
    let own = concrete.filter_map(|entry| gabp::ResourceUri::try_from(uri(&entry.declared)).ok());
    observation(core).map(|observation| observation.uri).into_iter().chain(own).collect()
}

/// The URI without its query. Braces stand in no URI, so a variable is shown as `%7Bid%7D`.
fn uri(resource: &Resource) -> String {
    let segments = resource.path.iter().map(|segment| match segment {
        Segment::Literal(text) => format!("/{text}"),
        Segment::Variable(name) => format!("/%7B{name}%7D"),
    });
    std::iter::once(resource.base.to_owned()).chain(segments).collect()
}

fn resource(entry: &Entry<Resource>) -> Option<gabp::Resource> {
    let description = entry.declared.function.description.to_owned() + &variables(entry);
    let uri = gabp::ResourceUri::try_from(uri(&entry.declared)).ok()?;
    Some(gabp::Resource::new(uri, entry.title()).with_description(description).with_mime_type(entry.mime()))
}

/// What an agent must know to write a URI with variables, for which GABP has no place.
fn variables(entry: &Entry<Resource>) -> String {
    let function = &entry.function;
    let Some(Value::Object(properties)) = function.input_schema.get("properties") else {
        return String::new();
    };
    if properties.is_empty() {
        return String::new();
    }
    let lines = properties.iter().map(|(name, schema)| {
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        let kind = text("type").unwrap_or("text");
        let left_out = match schema.get("default") {
            Some(default) => format!(", {default} if absent"),
            None if function.requires(name) => String::new(),
            None => ", may be absent".to_owned(),
        };
        let meaning = text("description").map_or_else(String::new, |text| format!(": {text}"));
        format!("\n- `{name}` ({kind}{left_out}){meaning}")
    });
    format!("\n\nURI template: `{}`", entry.declared.function.name) + &lines.collect::<String>()
}

/// Reads a resource.
pub(super) async fn read(
    core: &Arc<Core>,
    params: gabp::ResourcesReadParams,
    caller: Caller,
) -> Result<gabp::ResourcesReadResult, EnvelopeError> {
    if params.uri.as_str() == OBSERVATION && core.registry.observation().is_some() {
        let observed = core.observe(caller, |_, observed| observed).await;
        let observed = observed.map_err(|failed| of_resource(&failed))?;
        return Ok(gabp::ResourcesReadResult::new(observed).with_mime_type("application/json"));
    }
    let read = core.read(params.uri.as_str(), caller).await;
    let Content { value, encoding, mime } = read.map_err(|failed| of_resource(&failed))?;
    let result = gabp::ResourcesReadResult::new(value).with_mime_type(mime);
    Ok(match encoding {
        Encoding::Json => result,
        Encoding::Text => result.with_encoding(gabp::ContentEncoding::Utf8),
        Encoding::Base64 => result.with_encoding(gabp::ContentEncoding::Base64),
    })
}

/// Reads states, all at one moment.
pub(super) async fn state(
    core: &Arc<Core>,
    params: gabp::StateGetParams,
    caller: Caller,
) -> Result<gabp::StateGetResult, EnvelopeError> {
    let read = core.state(params.components, params.player_id, caller).await;
    let state = read.map_err(|failed| of_state(&failed))?;
    // A clock before 1970 is wrong anyway.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(gabp::StateGetResult::new(state, now.as_secs().into()))
}

/// Sets states. What is not sound is never set, whether a check is asked for or not.
pub(super) async fn set_state(
    core: &Arc<Core>,
    params: gabp::StateSetParams,
    caller: Caller,
) -> Result<gabp::StateSetResult, EnvelopeError> {
    let set = core.set_state(params.updates, params.player_id, caller).await;
    let done = set.map_err(|failed| of_state(&failed))?;
    let result = gabp::StateSetResult::new(done.applied);
    if done.refused.is_empty() {
        return Ok(result);
    }
    let told = |Refused { field, error, code }| {
        let problems: Vec<String> = error.problems().iter().map(ToString::to_string).collect();
        let message = if problems.is_empty() { error.message().to_owned() } else { problems.join("; ") };
        gabp::StateUpdateError::new(field, message).with_code(code)
    };
    Ok(result.with_errors(done.refused.into_iter().map(told).collect::<Vec<_>>()))
}

/// What has become of updates, where the answer is too large to say it all: states are set nevertheless.
pub(super) fn set_in_short(response: &[u8], largest: usize) -> String {
    let response: Value = serde_json::from_slice(response).unwrap_or_default();
    let result = &response["result"];
    let names = |names: Vec<&str>| match names.len() {
        0 => "none".to_owned(),
        1..=MOST_NAMES => format!("`{}`", names.join("`, `")),
        more => format!("`{}` and {} more", names[..MOST_NAMES].join("`, `"), more - MOST_NAMES),
    };
    let set =
        names(result["applied"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect());
    let refused = result["errors"].as_array().into_iter().flatten();
    let refused = names(refused.filter_map(|error| error["field"].as_str()).collect());
    format!(
        "set: {set}; not set: {refused}; more cannot be told, since what holds now takes more than {largest} bytes"
    )
}

/// States that are named in a message.
const MOST_NAMES: usize = 16;

/// The events that the game sends, and those of attention.
pub(super) fn events(core: &Core) -> Result<Vec<gabp::EventDescription>, EnvelopeError> {
    let channel = |name: &str| {
        gabp::NonEmptyString::try_from(name)
            .map_err(|_| error(error_codes::INTERNAL_ERROR, "an event has no channel"))
    };
    let own = core.attention.channels().map(|name| channel(name).map(gabp::EventDescription::new));
    let described = |event: &'static Declaration| {
        let described =
            gabp::EventDescription::new(channel(event.channel)?).with_description(event.description);
        Ok(match event.schema() {
            Value::Object(schema) => described.with_payload_schema(schema),
            _ => described,
        })
    };
    own.chain(core.registry.events().into_iter().map(described)).collect()
}

/// Whether a state can be set.
pub(super) fn can_set(core: &Core) -> bool {
    core.registry.states().values().any(|component| component.write.is_some())
}
