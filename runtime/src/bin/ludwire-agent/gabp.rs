//! Over GABP.

use crate::docs::Told;
use crate::shown::{entry, harmless, listed, members, print, print_as};
use crate::{Cli, Command, Failure, Game, no_tool, parse, token_in};
use ludwire::client::gabp::{Client, Requests as _};
use ludwire::client::{ClientError, Target, Way};
use ludwire::private::nearest;
use ludwire::protocols::gabp::{
    EventDescription, Resource, ResourceUri, ResourcesListParams, ResourcesReadParams, StateGetParams, Tool,
    ToolName, ToolsListParams, error_codes, methods,
};
use serde_json::{Map, Value, json};

pub(crate) async fn run(cli: &Cli) -> Result<(), Failure> {
    // What is wrong with the arguments is said before the game is asked.
    let command = match &cli.command {
        Command::Call { name, arguments } => Some((name, parse(arguments)?)),
        _ => None,
    };
    let client = Client::connect(way(&cli.game)?).await?;
    match (&cli.command, command) {
        (Command::Call { .. }, Some((name, _))) if ToolName::try_from(name.as_str()).is_err() => {
            let tools = client.tools_list(ToolsListParams::default()).await?.tools;
            Err(no_tool(name, tools.iter().map(|tool| tool.name.as_str())))
        }
        (Command::Call { .. }, Some((name, arguments))) => {
            let result = client.call(name, arguments).await?;
            print_as(cli.json, &result, || format!("{result:#}"))
        }
        (Command::Docs(docs), _) => crate::docs::write(cli, docs, told(&client).await?),
        (Command::Watch { channels, count }, _) => watch(&client, channels, *count).await,
        (Command::Events, _) if !offers(&client, methods::EVENTS_LIST) => {
            none(cli.json, "events", &json!([]))
        }
        (Command::Resources, _) if !offers(&client, methods::RESOURCES_LIST) => {
            none(cli.json, "resources", &json!([]))
        }
        (Command::States { names, .. }, _) if names.is_empty() && !offers(&client, methods::STATE_GET) => {
            none(cli.json, "states", &json!({}))
        }
        (Command::States { .. }, _) if !offers(&client, methods::STATE_GET) => {
            Err(Failure::Unknown("the game has no states".to_owned()))
        }
        (Command::Read { .. }, _) if !offers(&client, methods::RESOURCES_READ) => {
            Err(Failure::Unknown("the game has no resources".to_owned()))
        }
        (Command::Observe, _) if !offers(&client, methods::RESOURCES_READ) => {
            Err(Failure::Unknown("the game has no observation".to_owned()))
        }
        (Command::Events, _) => {
            let events = client.events_list(Map::new()).await?.events;
            print_as(cli.json, &json!(events), || {
                let about = |event: &EventDescription| {
                    let payload = event.payload_schema.as_ref().map(members).unwrap_or_default();
                    entry(event.channel.as_str(), event.description.as_deref()) + &payload
                };
                listed("events", events.iter().map(about))
            })
        }
        (Command::Resources, _) => {
            let resources = client.resources_list(ResourcesListParams::default()).await?.resources;
            print_as(cli.json, &json!(resources), || {
                let about = |resource: &Resource| {
                    let mime = resource.mime_type.as_ref().map(|mime| format!(" ({mime})"));
                    let title = format!("{}{}", resource.uri, mime.unwrap_or_default());
                    entry(&title, resource.description.as_deref())
                };
                listed("resources", resources.iter().map(about))
            })
        }
        (Command::Observe, _) => {
            let uri = ResourceUri::try_from("gabp://mod/observation")
                .map_err(|error| Failure::Other(error.to_string()))?;
            let observation = client.resources_read(ResourcesReadParams::new(uri)).await?.content;
            print_as(cli.json, &json!(observation), || format!("{:#}", json!(observation)))
        }
        (Command::Read { uri }, _) => {
            let uri = ResourceUri::try_from(uri.as_str())
                .map_err(|error| Failure::Other(format!("no URI of a resource: {error}")))?;
            let read = client.resources_read(ResourcesReadParams::new(uri)).await?;
            print_as(cli.json, &json!(read), || match &read.content {
                Value::String(text) if read.encoding.is_some() => text.clone(),
                other => format!("{other:#}"),
            })
        }
        (Command::States { names, player }, _) => {
            let components = (!names.is_empty()).then(|| names.clone());
            let params = StateGetParams { components, player_id: player.clone() };
            let states = client.state_get(Some(params)).await?.state;
            print_as(cli.json, &json!(states), || {
                listed("states", states.iter().map(|(name, value)| format!("{name}: {value}")))
            })
        }
        _ => {
            let tools = client.tools_list(ToolsListParams::default()).await?.tools;
            print_as(cli.json, &json!(tools), || listed("tools", tools.iter().map(described)))
        }
    }
}

/// Whether the game answers a method; one that does not say is asked.
fn offers(client: &Client, method: &str) -> bool {
    let welcome = client.welcome();
    let methods = welcome.capabilities.methods.as_ref();
    methods.is_none_or(|methods| methods.iter().any(|offered| offered.as_str() == method))
}

/// A list of a kind of thing that the game knows nothing of.
fn none(json: bool, what: &str, document: &Value) -> Result<(), Failure> {
    print_as(json, document, || listed(what, std::iter::empty()))
}

fn way(game: &Game) -> Result<Way, Failure> {
    if let Some(command) = game.command() {
        return Ok(Way::process(command));
    }
    if let Some(address) = &game.connect {
        let token = match (&game.token_env, &game.bridge_file) {
            (Some(variable), _) => token_in(variable)?,
            (None, Some(path)) => Target::from_bridge_file(path)?.token,
            (None, None) => {
                let text = "--connect wants the token as well: --token-env names a variable that holds it";
                return Err(Failure::Other(text.to_owned()));
            }
        };
        return Ok(Target::new(address, token).into());
    }
    if game.token_env.is_some() {
        let text = "--token-env wants to know where the game listens: --connect";
        return Err(Failure::Other(text.to_owned()));
    }
    let path = match &game.bridge_file {
        Some(path) => path.clone(),
        None => Target::usual_bridge_file()
            .ok_or_else(|| Failure::Other("there is no home folder; name a --bridge-file".to_owned()))?,
    };
    Ok(Way::bridge_file(path))
}

async fn watch(client: &Client, channels: &[String], count: Option<u64>) -> Result<(), Failure> {
    let channels: Vec<&str> = channels.iter().map(String::as_str).collect();
    let mut events = client.subscribe(&channels).await?;
    let is_there = |channel: &&&str| events.channels().iter().any(|known| known == **channel);
    if let Some(missing) = channels.iter().find(|channel| !is_there(channel)) {
        return Err(unknown_event(client, missing).await);
    }
    for _ in 0..count.unwrap_or(u64::MAX) {
        let event = events.next().await?;
        print(&json!({ "channel": event.channel, "seq": event.seq, "payload": event.payload }).to_string())?;
    }
    Ok(())
}

/// Nothing would ever come of it.
async fn unknown_event(client: &Client, channel: &str) -> Failure {
    // A game without any does not tell of them either.
    let events = client.events_list(Map::new()).await.map(|list| list.events).unwrap_or_default();
    let hint = match nearest(channel, events.iter().map(|event| event.channel.as_str())) {
        Some(near) => format!(", did you mean `{near}`?"),
        None if events.is_empty() => "; this game sends none".to_owned(),
        None => "; `ludwire-agent events` lists them".to_owned(),
    };
    Failure::Unknown(format!("there is no event `{channel}`{hint}"))
}

/// All that GABP tells of a game.
async fn told(client: &Client) -> Result<Told, Failure> {
    let app = client.welcome().app.clone();
    let tools = client.tools_list(ToolsListParams::default()).await?.tools;
    let events = asked("events", client.events_list(Map::new()).await)?.map(|list| list.events);
    let resources = client.resources_list(ResourcesListParams::default()).await;
    let resources = asked("resources", resources)?.map(|list| list.resources);
    let states = asked("states", client.state_get(None).await)?.map(|got| got.state);
    let event = |event: EventDescription| json!({ "channel": event.channel, "description": event.description, "schema": event.payload_schema });
    let resource = |resource: Resource| {
        let description = resource.description.unwrap_or_default();
        // So a host of ours tells of variables, for which GABP has no place.
        let template = description.split_once("URI template: `").and_then(|(_, rest)| rest.split('`').next());
        let uri = template.map_or_else(|| json!(resource.uri), |template| json!(template));
        json!({ "uri": uri, "name": resource.name, "description": description, "mimeType": resource.mime_type })
    };
    Ok(Told {
        by: "gabp",
        name: app.name.as_str().to_owned(),
        version: app.version.as_str().to_owned(),
        tools: tools.iter().map(|tool| json!(tool)).collect(),
        annotations: Map::new(),
        events: events.into_iter().flatten().map(event).collect(),
        resources: resources.into_iter().flatten().map(resource).collect(),
        states: states.into_iter().flatten().map(|(name, _)| json!({ "name": name })).collect(),
    })
}

/// What a game tells, if it tells it: one without states, say, does not know the question.
fn asked<T>(what: &str, told: Result<T, ClientError>) -> Result<Option<T>, Failure> {
    match told {
        Ok(told) => Ok(Some(told)),
        Err(ClientError::Refused { code, message, .. }) => {
            if code != error_codes::METHOD_NOT_FOUND {
                eprintln!("ludwire-agent: the game does not tell of its {what}: {}", harmless(&message));
            }
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn described(tool: &Tool) -> String {
    let tags = tool.tags.as_ref().map(|tags| tags.join(", ")).unwrap_or_default();
    let deprecated = if tool.deprecated { ", deprecated" } else { "" };
    let title = format!("{} ({tags}{deprecated})", tool.name);
    entry(&title, Some(tool.description.as_str())) + &members(&tool.input_schema)
}
