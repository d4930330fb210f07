//! Lists and calls the tools of a running game, from a terminal or a script.

use clap::{Args, Parser, Subcommand};
use ludwire::client::gabp::{Client, Requests as _};
use ludwire::client::{ClientError, Target, Way, block_on};
use ludwire::private::nearest;
use ludwire::protocols::gabp::{
    EventDescription, Resource, ResourceUri, ResourcesListParams, ResourcesReadParams, StateGetParams, Tool,
    ToolsListParams,
};
use serde_json::{Map, Value, json};
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// Lists and calls the tools of a running game, and shows what else it tells agents.
///
/// The game is found through the bridge file that it writes, unless --connect names an address.
///
/// Exit status: 0 when the game did what was asked, 1 when it refused or the tool failed, 2 when
/// the game could not be asked.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    game: Game,

    /// Print one JSON document, a failure as {"error": {"code", "message", "data"}}.
    #[arg(long, global = true)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  ludwire-agent tools
  ludwire-agent call world/look
  ludwire-agent call world/spawn '{\"kind\":\"orc\",\"at\":{\"x\":1,\"y\":2}}'
  ludwire-agent read gabp://game/rules
  ludwire-agent states
  ludwire-agent watch chat/said --count 1
  TOKEN=… ludwire-agent --connect 127.0.0.1:43011 --token-env TOKEN tools";

#[derive(Args)]
struct Game {
    /// The bridge file, when it is not at its usual place.
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "connect")]
    bridge_file: Option<PathBuf>,

    /// Where the game listens: HOST:PORT, or unix: and the path of a socket.
    #[arg(long, value_name = "ADDRESS", global = true, requires = "token_env")]
    connect: Option<String>,

    /// The environment variable that holds the token for --connect.
    #[arg(long, value_name = "VARIABLE", global = true, requires = "connect")]
    token_env: Option<String>,

    /// Start this game, which speaks over its standard input and output, and end it afterwards.
    #[arg(long, value_name = "PROGRAM", global = true, conflicts_with_all = ["connect", "bridge_file"])]
    run: Option<PathBuf>,

    /// An argument for the game of --run; may be given many times.
    #[arg(long, value_name = "ARGUMENT", global = true, requires = "run", allow_hyphen_values = true)]
    run_arg: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// List the tools with their arguments.
    Tools,
    /// Call a tool.
    Call {
        /// The name of the tool.
        name: String,
        /// The arguments, a JSON object; - reads them from standard input.
        #[arg(default_value = "{}")]
        arguments: String,
    },
    /// List the events that the game sends.
    Events,
    /// List the resources.
    Resources,
    /// Read a resource.
    Read {
        /// Its URI.
        uri: String,
    },
    /// Read states, all of them where none is named.
    States {
        /// Their names.
        names: Vec<String>,
        /// Whose, where each player has an own one.
        #[arg(long)]
        player: Option<String>,
    },
    /// Print events as they come, one JSON object a line.
    Watch {
        /// Channels to listen to.
        #[arg(required = true)]
        channels: Vec<String>,
        /// Stop after so many events.
        #[arg(long)]
        count: Option<u64>,
    },
}

/// Why nothing came of it.
enum Failure {
    /// The game refused.
    Game { code: i64, message: String, data: Option<Value> },
    /// The game has no such thing.
    Unknown(String),
    /// The game could not be asked.
    Other(String),
    /// Nobody reads what is printed.
    Closed,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match block_on(run(&cli)) {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(failure) => report(&failure, cli.json),
    }
}

async fn run(cli: &Cli) -> Result<(), Failure> {
    // What is wrong with the arguments is said before the game is asked.
    let command = match &cli.command {
        Command::Call { name, arguments } => Some((name, parse(arguments)?)),
        _ => None,
    };
    let client = Client::connect(way(&cli.game)?).await?;
    match (&cli.command, command) {
        (Command::Call { .. }, Some((name, arguments))) => {
            let result = client.call(name, arguments).await?;
            print_as(cli.json, &result, || format!("{result:#}"))
        }
        (Command::Watch { channels, count }, _) => watch(&client, channels, *count).await,
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

fn way(game: &Game) -> Result<Way, Failure> {
    if let Some(program) = &game.run {
        let mut command = std::process::Command::new(program);
        command.args(&game.run_arg);
        return Ok(Way::process(command));
    }
    if let (Some(address), Some(variable)) = (&game.connect, &game.token_env) {
        let token = std::env::var(variable)
            .map_err(|_| Failure::Other(format!("the environment variable {variable} is not set")))?;
        return Ok(Target::new(address, token).into());
    }
    let path = match &game.bridge_file {
        Some(path) => path.clone(),
        None => Target::usual_bridge_file()
            .ok_or_else(|| Failure::Other("there is no home folder; name a --bridge-file".to_owned()))?,
    };
    Ok(Way::bridge_file(path))
}

fn parse(arguments: &str) -> Result<Map<String, Value>, Failure> {
    let mut text = arguments.to_owned();
    if text == "-" {
        text.clear();
        io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| Failure::Other(format!("standard input: {error}")))?;
    }
    serde_json::from_str(&text)
        .map_err(|error| Failure::Other(format!("the arguments must be a JSON object: {error}")))
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

/// Entries as people read them.
fn listed(what: &str, entries: impl Iterator<Item = String>) -> String {
    let text = entries.collect::<Vec<_>>().join("\n");
    if text.is_empty() { format!("The game has no {what}.") } else { text.trim_end().to_owned() }
}

/// A title, and the description below it.
fn entry(title: &str, description: Option<&str>) -> String {
    let lines = description.into_iter().flat_map(str::lines).map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("  {line}\n"),
    });
    format!("{title}\n") + &lines.collect::<String>()
}

fn described(tool: &Tool) -> String {
    let tags = tool.tags.as_ref().map(|tags| tags.join(", ")).unwrap_or_default();
    let deprecated = if tool.deprecated { ", deprecated" } else { "" };
    let title = format!("{} ({tags}{deprecated})", tool.name);
    entry(&title, Some(tool.description.as_str())) + &members(&tool.input_schema)
}

/// The members of an object, one a line.
fn members(schema: &Map<String, Value>) -> String {
    let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    let line = |(name, schema): (&String, &Value)| {
        let optional = if required.iter().any(|known| known == name) { "" } else { ", optional" };
        let meaning = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        format!("{}\n", format!("    {name}: {}{optional}. {meaning}", words(schema)).trim_end())
    };
    properties.into_iter().flatten().map(line).collect()
}

/// A schema in a few words: `integer, 1 to 100, default 10`.
fn words(schema: &Value) -> String {
    let get = |keyword: &str| schema.get(keyword);
    let mut words = match (get("enum").and_then(Value::as_array), get("type").and_then(Value::as_str)) {
        (Some(values), _) => values.iter().map(Value::to_string).collect::<Vec<_>>().join(" or "),
        (None, Some("object")) => {
            let members = get("properties").and_then(Value::as_object);
            let members: Vec<String> = members
                .into_iter()
                .flatten()
                .map(|(name, schema)| format!("{name}: {}", words(schema)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
        (None, Some("array")) => {
            format!("list of {}", get("items").map_or("anything".to_owned(), self::words))
        }
        (None, Some(kind)) => kind.to_owned(),
        (None, None) => "any value".to_owned(),
    };
    for (least, greatest, unit) in [
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " items"),
    ] {
        match (get(least), get(greatest)) {
            (Some(least), Some(greatest)) => words.push_str(&format!(", {least} to {greatest}{unit}")),
            (Some(least), None) => words.push_str(&format!(", at least {least}{unit}")),
            (None, Some(greatest)) => words.push_str(&format!(", at most {greatest}{unit}")),
            (None, None) => {}
        }
    }
    if let Some(default) = get("default") {
        words.push_str(&format!(", default {default}"));
    }
    words
}

/// One JSON document, or what people read.
fn print_as(json: bool, document: &Value, text: impl FnOnce() -> String) -> Result<(), Failure> {
    print(&if json { document.to_string() } else { text() })
}

fn print(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|_| Failure::Closed)
}

fn report(failure: &Failure, as_json: bool) -> ExitCode {
    let (status, code, message, data) = match failure {
        Failure::Game { code, message, data } => (1, Some(*code), message.as_str(), data.clone()),
        Failure::Unknown(message) => (1, None, message.as_str(), None),
        Failure::Other(message) => (2, None, message.as_str(), None),
        Failure::Closed => return ExitCode::SUCCESS,
    };
    if as_json {
        let mut error = Map::from_iter([("message".to_owned(), Value::from(message))]);
        error.extend(code.map(|code| ("code".to_owned(), Value::from(code))));
        error.extend(data.map(|data| ("data".to_owned(), data)));
        // Where nobody reads, the exit status still tells.
        let _ = print(&json!({ "error": error }).to_string());
    } else {
        let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
        eprintln!("ludwire-agent: {message}{code}");
    }
    ExitCode::from(status)
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Refused { code, message, data } => Self::Game { code, message, data },
            other => Self::Other(other.to_string()),
        }
    }
}
