//! Over AICC.

use crate::docs::Told;
use crate::shown::{entry, listed, members, print, print_as};
use crate::{Cli, Command, Failure, Game, parse, token_in};
use ludwire::client::Target;
use ludwire::client::aicc::{AiccError, Client};
use ludwire::protocols::aicc::{EventTopic, Tool};
use serde_json::{Map, json};

/// All that there are.
const TOPICS: [EventTopic; 5] = [
    EventTopic::Tick,
    EventTopic::Collision,
    EventTopic::Audio,
    EventTopic::StateChange,
    EventTopic::AgentMessage,
];

pub(crate) fn run(cli: &Cli) -> Result<(), Failure> {
    // What is wrong with the arguments is said before the game is asked.
    match &cli.command {
        Command::Call { name, arguments } => {
            let arguments = parse(arguments)?;
            let mut agent = connect(&cli.game, &[])?;
            let output = agent.call(&id(name), arguments)?;
            print_as(cli.json, &json!(output), || format!("{:#}", json!(output)))
        }
        Command::Observe => {
            let output = connect(&cli.game, &[])?.call("observe", Map::new())?;
            print_as(cli.json, &json!(output), || format!("{:#}", json!(output)))
        }
        Command::Tools => {
            let agent = connect(&cli.game, &[])?;
            let tools = &agent.manifest().tools;
            print_as(cli.json, &json!(tools), || listed("tools", tools.iter().map(described)))
        }
        Command::Events => {
            connect(&cli.game, &[])?;
            let topics: Vec<&str> = TOPICS.iter().map(|topic| topic.as_str()).collect();
            print_as(cli.json, &json!(topics), || topics.join("\n"))
        }
        Command::Docs(docs) => crate::docs::write(cli, docs, told(&connect(&cli.game, &[])?)),
        Command::Watch { channels, count } => watch(&cli.game, channels, *count),
        Command::Resources | Command::Read { .. } | Command::States { .. } => {
            let text = "AICC has tools and events only; leave --protocol away for the rest";
            Err(Failure::Other(text.to_owned()))
        }
    }
}

/// `world/look` as AICC has it: `world_look`.
fn id(name: &str) -> String {
    name.replace(['/', '-'], "_")
}

fn connect(game: &Game, topics: &[EventTopic]) -> Result<Client, Failure> {
    if game.run.is_some() {
        return Err(Failure::Other("over AICC, a game that runs is asked: --connect".to_owned()));
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
    Ok(Client::connect(&Target::new(address, token), None, topics)?)
}

fn watch(game: &Game, topics: &[String], count: Option<u64>) -> Result<(), Failure> {
    let known = |name: &String| {
        TOPICS.into_iter().find(|topic| topic.as_str() == name).ok_or_else(|| {
            let all: Vec<&str> = TOPICS.iter().map(|topic| topic.as_str()).collect();
            Failure::Unknown(format!("there is no topic `{name}`; there are {}", all.join(", ")))
        })
    };
    let topics = topics.iter().map(known).collect::<Result<Vec<_>, _>>()?;
    let mut agent = connect(game, &topics)?;
    for _ in 0..count.unwrap_or(u64::MAX) {
        let event = agent.next_event()?;
        print(&json!({ "topic": event.topic, "payload": event.payload }).to_string())?;
    }
    Ok(())
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

impl From<AiccError> for Failure {
    fn from(error: AiccError) -> Self {
        match error {
            AiccError::Failed(failed) => {
                let data = json!({ "code": failed.code, "retryable": failed.retryable });
                Self::Game { code: None, message: failed.message.to_string(), data: Some(data) }
            }
            other => Self::Other(other.to_string()),
        }
    }
}
