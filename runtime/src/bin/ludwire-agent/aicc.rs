//! Over AICC.

use crate::docs::Told;
use crate::shown::{entry, listed, members, print, print_as};
use crate::{Cli, Command, Failure, Game, no_tool, over_gabp_only, parse, token_in};
use ludwire::client::aicc::Client;
use ludwire::client::{Target, Way};
use ludwire::private::topic;
use ludwire::protocols::aicc::{Event, EventTopic, Tool, ToolId};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// How long the game may take to close the session.
const FAREWELL: Duration = Duration::from_secs(2);
/// All that there are.
const TOPICS: [EventTopic; 5] = [
    EventTopic::Tick,
    EventTopic::Collision,
    EventTopic::Audio,
    EventTopic::StateChange,
    EventTopic::AgentMessage,
];

pub(crate) async fn run(cli: &Cli) -> Result<(), Failure> {
    // What is wrong with the arguments is said before the game is asked.
    let (arguments, wanted) = match &cli.command {
        Command::Call { arguments, .. } => (parse(arguments)?, Vec::new()),
        Command::Watch { channels, .. } => {
            (Map::new(), channels.iter().map(|name| Wanted::of(name)).collect::<Result<_, _>>()?)
        }
        Command::Resources | Command::Read { .. } | Command::States { .. } => {
            return Err(over_gabp_only("AICC", &cli.game));
        }
        _ => (Map::new(), Vec::new()),
    };
    let topics: BTreeSet<EventTopic> = wanted.iter().map(|one| one.topic).collect();
    let agent = Client::to(way(&cli.game)?).events(topics).connect().await?;
    let done = ask(cli, &agent, arguments, &wanted).await;
    // Nobody comes back for the session. Where that cannot be said, it ends by itself.
    let _ = agent.within(FAREWELL).close("done").await;
    done
}

async fn ask(
    cli: &Cli,
    agent: &Client,
    arguments: Map<String, Value>,
    wanted: &[Wanted],
) -> Result<(), Failure> {
    match &cli.command {
        Command::Call { name, .. } => {
            let id = id(name);
            if ToolId::try_from(id.as_str()).is_err() {
                return Err(no_tool(&id, agent.manifest().tools.iter().map(|tool| tool.id.as_str())));
            }
            let output = agent.call(&id, arguments).await?;
            print_as(cli.json, &json!(output), || format!("{:#}", json!(output)))
        }
        Command::Observe => {
            let output = agent.call("observe", Map::new()).await?;
            print_as(cli.json, &json!(output), || format!("{:#}", json!(output)))
        }
        Command::Watch { count, .. } => watch(agent, wanted, *count).await,
        Command::Events => {
            let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.as_str()).collect();
            print_as(cli.json, &json!(topics), || topics.join("\n"))
        }
        Command::Docs(docs) => crate::docs::write(cli, docs, told(agent)),
        _ => {
            let manifest = agent.manifest();
            let tools = &manifest.tools;
            print_as(cli.json, &json!(tools), || listed("tools", tools.iter().map(described)))
        }
    }
}

/// Events that somebody waits for.
struct Wanted {
    topic: EventTopic,
    /// Only those of this channel of the game's, of which AICC knows nothing.
    channel: Option<String>,
}

impl Wanted {
    /// A topic, or a channel.
    fn of(name: &str) -> Result<Self, Failure> {
        if name.contains('/') {
            let topic =
                EventTopic::try_from(topic(name)).map_err(|error| Failure::Other(error.to_string()))?;
            return Ok(Self { topic, channel: Some(name.to_owned()) });
        }
        let topic = TOPICS.into_iter().find(|topic| topic.as_str() == name).ok_or_else(|| {
            let all: Vec<&str> = TOPICS.iter().map(|topic| topic.as_str()).collect();
            let all = all.join(", ");
            Failure::Unknown(format!(
                "there is no topic `{name}`; there are {all}, and the game's own channels, such as `world/changed`"
            ))
        })?;
        Ok(Self { topic, channel: None })
    }

    fn has(&self, event: &Event) -> bool {
        let channel = event.payload.get("channel").and_then(Value::as_str);
        event.topic == self.topic && (self.channel.is_none() || self.channel.as_deref() == channel)
    }
}

/// Prints events that are wanted, as they come.
async fn watch(agent: &Client, wanted: &[Wanted], count: Option<u64>) -> Result<(), Failure> {
    // Over lines an agent cannot ask for topics.
    if let Some(sent) = &agent.manifest().event_subscriptions
        && let Some(missing) = wanted.iter().find(|one| sent.iter().all(|topic| topic != one.topic.as_str()))
    {
        let (missing, sent) = (missing.topic.as_str(), sent.join(", "));
        return Err(Failure::Unknown(format!("the game does not send `{missing}` here, but {sent}")));
    }
    let mut events = agent.events();
    let mut left = count.unwrap_or(u64::MAX);
    while left > 0 {
        let event = events.next().await?;
        if wanted.iter().any(|one| one.has(&event)) {
            left -= 1;
            print(&json!({ "topic": event.topic, "payload": event.payload }).to_string())?;
        }
    }
    Ok(())
}

/// `world/look` as AICC has it: `world_look`.
fn id(name: &str) -> String {
    name.replace(['/', '-'], "_")
}

fn way(game: &Game) -> Result<Way, Failure> {
    if let Some(command) = game.command() {
        return Ok(Way::process(command));
    }
    let Some(address) = &game.connect else {
        return Err(Failure::Other(
            "AICC has no usual address: --connect says where the game listens".to_owned(),
        ));
    };
    let token = match (&game.token_env, &game.bridge_file) {
        (Some(variable), _) => token_in(variable)?,
        (None, Some(path)) => Target::from_bridge_file(path)?.token,
        (None, None) => Target::usual_bridge_file()
            .and_then(|path| Target::from_bridge_file(&path).ok())
            .map(|target| target.token)
            .unwrap_or_default(),
    };
    Ok(Target::new(address, token).into())
}

/// All that AICC tells of a game.
fn told(agent: &Client) -> Told {
    let manifest = agent.manifest();
    let mut annotations = Map::new();
    for tool in &manifest.tools {
        let mut limits = Map::new();
        if let Some(told) = &tool.limits {
            limits.extend(told.calls_per_minute.as_ref().map(|limit| ("perMinute".to_owned(), json!(limit))));
            limits
                .extend(told.calls_per_session.as_ref().map(|limit| ("perSession".to_owned(), json!(limit))));
        }
        let requires: Vec<&String> = tool.requires_capability.iter().collect();
        let notes = json!({
            "class": tool.class, "limits": limits, "requires": requires, "lenient": !tool.strict_input,
        });
        annotations.insert(tool.id.as_str().to_owned(), notes);
    }
    let tool = |tool: &Tool| {
        json!({
            "name": tool.id, "description": tool.description, "inputSchema": tool.input_schema,
            "outputSchema": tool.output_schema,
        })
    };
    Told {
        by: "aicc",
        name: manifest.world.name.as_str().to_owned(),
        version: String::new(),
        tools: manifest.tools.iter().map(tool).collect(),
        annotations,
        events: Vec::new(),
        resources: Vec::new(),
        states: Vec::new(),
    }
}

fn described(tool: &Tool) -> String {
    let title = format!("{} ({})", tool.id.as_str(), tool.class);
    entry(&title, Some(tool.description.as_str())) + &members(&tool.input_schema)
}
