//! Lists and calls the tools of a running game, from a terminal or a script.

use clap::{Args, Parser, Subcommand};
use ludwire::client::{Client, ClientError, Target};
use ludwire::protocols::gabp::Tool;
use serde_json::{Map, Value, json};
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// Lists and calls the tools of a running game.
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
    /// The game could not be asked.
    Other(String),
    /// Nobody reads what is printed.
    Closed,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(failure) => report(&failure, cli.json),
    }
}

fn run(cli: &Cli) -> Result<(), Failure> {
    // What is wrong with the arguments is said before the game is asked.
    let command = match &cli.command {
        Command::Call { name, arguments } => Some((name, parse(arguments)?)),
        _ => None,
    };
    let mut client = match &cli.game.run {
        Some(program) => {
            let mut game = std::process::Command::new(program);
            game.args(&cli.game.run_arg);
            Client::spawn(game)?
        }
        None => Client::connect(&target(&cli.game)?)?,
    };
    match (&cli.command, command) {
        (Command::Call { .. }, Some((name, arguments))) => {
            let result = client.call(name, arguments)?;
            print(&if cli.json { result.to_string() } else { format!("{result:#}") })
        }
        (Command::Watch { channels, count }, _) => watch(&mut client, channels, *count),
        _ => {
            let tools = client.tools()?;
            if cli.json { print(&json!(tools).to_string()) } else { print(&described(&tools)) }
        }
    }
}

fn target(game: &Game) -> Result<Target, Failure> {
    if let (Some(address), Some(variable)) = (&game.connect, &game.token_env) {
        let token = std::env::var(variable)
            .map_err(|_| Failure::Other(format!("the environment variable {variable} is not set")))?;
        return Ok(Target { address: address.clone(), token });
    }
    let path = match &game.bridge_file {
        Some(path) => path.clone(),
        None => Target::usual_bridge_file()
            .ok_or_else(|| Failure::Other("there is no home folder; name a --bridge-file".to_owned()))?,
    };
    Ok(Target::from_bridge_file(&path)?)
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

fn watch(client: &mut Client, channels: &[String], count: Option<u64>) -> Result<(), Failure> {
    let channels: Vec<&str> = channels.iter().map(String::as_str).collect();
    client.subscribe(&channels)?;
    for _ in 0..count.unwrap_or(u64::MAX) {
        let event = client.next_event()?;
        print(&json!({ "channel": event.channel, "seq": event.seq, "payload": event.payload }).to_string())?;
    }
    Ok(())
}

/// Tools as people read them.
fn described(tools: &[Tool]) -> String {
    let mut text = String::new();
    for tool in tools {
        if !text.is_empty() {
            text.push('\n');
        }
        let tags = tool.tags.as_ref().map(|tags| tags.join(", ")).unwrap_or_default();
        let deprecated = if tool.deprecated { ", deprecated" } else { "" };
        text.push_str(&format!("{} ({tags}{deprecated})\n", tool.name));
        for line in tool.description.as_str().lines() {
            text.push_str(&format!("  {line}\n"));
        }
        let required =
            tool.input_schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let properties = tool.input_schema.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            let optional = if required.iter().any(|known| known == name) { "" } else { ", optional" };
            let meaning = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            text.push_str(&format!("    {name}: {}{optional}. {meaning}\n", words(schema)));
        }
    }
    if text.is_empty() {
        text.push_str("The game has no tools.\n");
    }
    text.truncate(text.trim_end().len());
    text
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

fn print(line: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|_| Failure::Closed)
}

fn report(failure: &Failure, as_json: bool) -> ExitCode {
    let (status, code, message, data) = match failure {
        Failure::Game { code, message, data } => (1, Some(*code), message.as_str(), data.clone()),
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
