//! Over AICC.

use crate::docs::Told;
use crate::shown::{entry, listed, members, print, print_as};
use crate::{Cli, Command, Failure, Game, parse, token_in};
use ludwire::client::aicc::Client;
use ludwire::client::{Target, Way};
use ludwire::protocols::aicc::{EventTopic, Tool};
use serde_json::{Map, Value, json};
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
    let (arguments, topics) = match &cli.command {
        Command::Call { arguments, .. } => (parse(arguments)?, Vec::new()),
        Command::Watch { channels, .. } => {
            (Map::new(), channels.iter().map(|name| topic(name)).collect::<Result<_, _>>()?)
        }
        Command::Resources | Command::Read { .. } | Command::States { .. } => {
            let text = "AICC has tools and events only; leave --protocol away for the rest";
            return Err(Failure::Other(text.to_owned()));
        }
        _ => (Map::new(), Vec::new()),
    };
    let agent = Client::to(way(&cli.game)?).events(topics).connect().await?;
    let done = ask(cli, &agent, arguments).await;
    // Nobody comes back for the session. Where that cannot be said, it ends by itself.
    let _ = agent.within(FAREWELL).close("done").await;
    done
}

async fn ask(cli: &Cli, agent: &Client, arguments: Map<String, Value>) -> Result<(), Failure> {
    match &cli.command {
        Command::Call { name, .. } => {
            let output = agent.call(&id(name), arguments).await?;
            print_as(cli.json, &json!(output), || format!("{:#}", json!(output)))
        }
        Command::Observe => {
            let output = agent.call("observe", Map::new()).await?;
            print_as(cli.json, &json!(output), || format!("{:#}", json!(output)))
        }
        Command::Watch { count, .. } => {
            let mut events = agent.events();
            for _ in 0..count.unwrap_or(u64::MAX) {
                let event = events.next().await?;
                print(&json!({ "topic": event.topic, "payload": event.payload }).to_string())?;
            }
            Ok(())
        }
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

/// The topic of that name.
fn topic(name: &str) -> Result<EventTopic, Failure> {
    TOPICS.into_iter().find(|topic| topic.as_str() == name).ok_or_else(|| {
        let all: Vec<&str> = TOPICS.iter().map(|topic| topic.as_str()).collect();
        Failure::Unknown(format!("there is no topic `{name}`; there are {}", all.join(", ")))
    })
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
