//! Over AiControl.

use crate::docs::Told;
use crate::shown::{listed, print, print_as};
use crate::{Cli, Command, Failure, Game, over_gabp_only, parse, token_in};
use ludwire::client::Target;
use ludwire::client::aicontrol::{Client, Requests as _};
use ludwire::protocols::aicontrol::{DEFAULT_HOST, DEFAULT_PORT, EventsParams, NonNegativeInteger};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// How often it is asked for new events.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) async fn run(cli: &Cli) -> Result<(), Failure> {
    let command = match &cli.command {
        Command::Call { name, arguments } => Some((name, parse(arguments)?)),
        Command::Resources | Command::Read { .. } | Command::States { .. } => {
            return Err(over_gabp_only("AiControl", &cli.game));
        }
        _ => None,
    };
    let client = Client::connect(target(&cli.game)?).await?;
    match (&cli.command, command) {
        (_, Some((name, arguments))) => {
            let result = client.call(name, arguments).await?;
            print_as(cli.json, &result, || format!("{result:#}"))
        }
        (Command::Events, _) => {
            let events = client.events(EventsParams::new()).await?.events;
            let events: Vec<Value> = events.into_iter().map(|entry| Value::Object(entry.event)).collect();
            print_as(cli.json, &json!(events), || listed("events yet", events.iter().map(Value::to_string)))
        }
        (Command::Watch { channels, count }, _) => watch(&client, channels, *count).await,
        (Command::Observe, _) => {
            let observation = client.observe(Map::new()).await?.observation;
            print_as(cli.json, &json!(observation), || format!("{:#}", json!(observation)))
        }
        (Command::Docs(docs), _) => {
            let actions = actions(&client).await?;
            let named = actions.as_array().into_iter().flatten().filter(|name| name.is_string());
            let told = Told {
                by: "aicontrol",
                name: target(&cli.game)?.address,
                version: String::new(),
                tools: named.map(|name| json!({ "name": name })).collect(),
                annotations: Map::new(),
                events: Vec::new(),
                resources: Vec::new(),
                states: Vec::new(),
            };
            crate::docs::write(cli, docs, told)
        }
        _ => {
            let actions = actions(&client).await?;
            print_as(cli.json, &actions, || {
                let names = actions.as_array().into_iter().flatten();
                listed("tools", names.map(|name| name.as_str().unwrap_or_default().to_owned()))
            })
        }
    }
}

/// The names of what can be done, which is all that a game tells of it.
async fn actions(client: &Client) -> Result<Value, Failure> {
    let mut observation = client.observe(Map::new()).await?.observation;
    Ok(observation.remove("availableActions").unwrap_or_default())
}

/// Prints events of these types that come from now on.
async fn watch(client: &Client, types: &[String], count: Option<u64>) -> Result<(), Failure> {
    let now = EventsParams::new().with_after_seq(i64::MAX).with_limit(1);
    let mut seen = number(client.events(now).await?.latest_seq);
    let mut left = count.unwrap_or(u64::MAX);
    while left > 0 {
        let page = client.events(EventsParams::new().with_after_seq(seen)).await?.events;
        if page.is_empty() {
            tokio::time::sleep(PAUSE).await;
        }
        for entry in page {
            seen = number(entry.seq);
            let is_wanted = entry
                .event
                .get("type")
                .and_then(Value::as_str)
                .is_some_and(|of| types.iter().any(|ours| ours == of));
            if is_wanted && left > 0 {
                left -= 1;
                print(&Value::Object(entry.event).to_string())?;
            }
        }
    }
    Ok(())
}

fn number(number: NonNegativeInteger) -> u64 {
    number.as_u64().unwrap_or(u64::MAX)
}

/// Where the bridge listens: as it is told, else at the address of the protocol. The token of a host that was
/// given none stands in GABP's bridge file.
fn target(game: &Game) -> Result<Target, Failure> {
    if game.run.is_some() {
        return Err(Failure::Other("AiControl is not spoken over standard input and output".to_owned()));
    }
    let address = game.connect.clone().unwrap_or_else(|| format!("{DEFAULT_HOST}:{DEFAULT_PORT}"));
    let token = match (&game.token_env, &game.bridge_file) {
        (Some(variable), _) => token_in(variable)?,
        (None, Some(path)) => Target::from_bridge_file(path)?.token,
        (None, None) => Target::usual_bridge_file()
            .and_then(|path| Target::from_bridge_file(&path).ok())
            .map(|target| target.token)
            .unwrap_or_default(),
    };
    Ok(Target::new(address, token))
}
