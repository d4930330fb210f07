//! Lists and calls the tools of a running game, from a terminal or a script.

mod aicc;
mod aicontrol;
mod docs;
mod gabp;
mod shown;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ludwire::client::{ClientError, block_on};
use ludwire::private::nearest;
use serde_json::{Map, Value, json};
use shown::print;
use std::env::VarError;
use std::io::{self, Read as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// Lists and calls the tools of a running game, and shows what else it tells agents.
///
/// The game is found through the bridge file that it writes, unless --connect names an address. Over AiControl
/// that is 127.0.0.1:43011 unless it is given; over AICC it must be given.
///
/// Exit status: 0 when the game did what was asked, 1 when it refused or the tool failed, 2 when
/// the game could not be asked.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// How the game is spoken to.
    #[arg(long, value_enum, global = true, default_value_t = Protocol::Gabp)]
    protocol: Protocol,

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
  ludwire-agent docs --markdown docs/game
  TOKEN=… ludwire-agent --connect 127.0.0.1:43011 --token-env TOKEN tools
  ludwire-agent --protocol aicontrol --connect 127.0.0.1:43011 observe";

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// GABP 1.0
    Gabp,
    /// AICC 0.1
    Aicc,
    /// AiControl 1
    Aicontrol,
}

#[derive(Args)]
struct Game {
    /// The bridge file, when it is not at its usual place; of one that is given, only the token counts where
    /// there is --connect.
    #[arg(long, value_name = "FILE", global = true)]
    bridge_file: Option<PathBuf>,

    /// Where the game listens: HOST:PORT, or unix: and the path of a socket.
    #[arg(long, value_name = "ADDRESS", global = true)]
    connect: Option<String>,

    /// The environment variable that holds the token for --connect.
    #[arg(long, value_name = "VARIABLE", global = true, conflicts_with = "bridge_file")]
    token_env: Option<String>,

    /// Start this game, which speaks over its standard input and output, and end it afterwards.
    #[arg(long, value_name = "PROGRAM", global = true, conflicts_with_all = ["connect", "bridge_file"])]
    run: Option<PathBuf>,

    /// An argument for the game of --run; may be given many times.
    #[arg(long, value_name = "ARGUMENT", global = true, requires = "run", allow_hyphen_values = true)]
    run_arg: Vec<String>,
}

impl Game {
    /// The game that is to be started.
    fn command(&self) -> Option<std::process::Command> {
        let mut command = std::process::Command::new(self.run.as_ref()?);
        command.args(&self.run_arg);
        Some(command)
    }
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
    /// List the events that the game sends: over AICC the topics that there are, over AiControl what it has sent
    /// and keeps.
    Events,
    /// Show what the game shows to agents that ask for no tool.
    Observe,
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
    /// Make reference pages of the game, as far as the protocol tells; with --json a manifest, for `ludwire docs`.
    Docs(docs::Docs),
    /// Print events as they come, one JSON object a line.
    Watch {
        /// Channels to listen to; over AICC topics as well, over AiControl types.
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
    Game { code: Option<Value>, message: String, data: Option<Value> },
    /// The game has no such thing.
    Unknown(String),
    /// The game could not be asked.
    Other(String),
    /// Nobody reads what is printed.
    Closed,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.protocol {
        Protocol::Gabp => block_on(gabp::run(&cli)),
        Protocol::Aicc => block_on(aicc::run(&cli)),
        Protocol::Aicontrol => block_on(aicontrol::run(&cli)),
    };
    match outcome {
        Ok(()) | Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(failure) => report(&failure, cli.json),
    }
}

/// The token in an environment variable.
fn token_in(variable: &str) -> Result<String, Failure> {
    let what = match std::env::var(variable) {
        Ok(token) if !token.is_empty() => return Ok(token),
        Ok(_) => "is empty",
        Err(VarError::NotPresent) => "is not set",
        Err(VarError::NotUnicode(_)) => "holds no text",
    };
    Err(Failure::Other(format!("the environment variable {variable} {what}")))
}

/// Why there are no resources and states over a protocol that has none.
fn over_gabp_only(protocol: &str, game: &Game) -> Failure {
    let leads = match (&game.connect, &game.token_env) {
        (None, _) => String::new(),
        (Some(_), None) => format!(", and --connect, which leads to {protocol}'s port"),
        (Some(_), Some(_)) => format!(", and --connect and --token-env, which lead to {protocol}'s port"),
    };
    Failure::Other(format!(
        "{protocol} has tools, events and an observation only; leave --protocol away for the rest{leads}"
    ))
}

/// That there is no such tool, where its name is none.
fn no_tool<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Failure {
    let hint = match nearest(name, known) {
        Some(near) => format!(", did you mean `{near}`?"),
        None => "; `ludwire-agent tools` lists them".to_owned(),
    };
    Failure::Unknown(format!("there is no tool `{name}`{hint}"))
}

fn parse(arguments: &str) -> Result<Map<String, Value>, Failure> {
    let mut text = arguments.to_owned();
    if text == "-" {
        text.clear();
        io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| Failure::Other(format!("standard input: {error}")))?;
    }
    let wrong = |what: String| Failure::Other(format!("the arguments must be a JSON object: {what}"));
    let arguments = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    // The last of two would be sent, and the first be lost.
    match ludwire::private::twice(&text) {
        Some(pointer) => Err(wrong(format!("{pointer} is given twice"))),
        None => Ok(arguments),
    }
}

fn report(failure: &Failure, as_json: bool) -> ExitCode {
    let (status, code, message, data) = match failure {
        Failure::Game { code, message, data } => (1, code.clone(), message.as_str(), data.clone()),
        Failure::Unknown(message) => (1, None, message.as_str(), None),
        Failure::Other(message) => (2, None, message.as_str(), None),
        Failure::Closed => return ExitCode::SUCCESS,
    };
    if as_json {
        let mut error = Map::from_iter([("message".to_owned(), Value::from(message))]);
        error.extend(code.map(|code| ("code".to_owned(), code)));
        error.extend(data.map(|data| ("data".to_owned(), data)));
        // Where nobody reads, the exit status still tells.
        let _ = print(&json!({ "error": error }).to_string());
    } else {
        let shown = |code: Value| format!(" ({})", code.as_str().map_or(code.to_string(), str::to_owned));
        let code = code.map(shown).unwrap_or_default();
        eprintln!("ludwire-agent: {}", shown::harmless(&format!("{message}{code}")));
    }
    ExitCode::from(status)
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Refused { code, message, data } => {
                Self::Game { code: Some(Value::from(code)), message, data }
            }
            ClientError::Failed { message, problems } => Self::Game {
                code: None,
                message,
                data: problems.map(|problems| json!({ "problems": problems })),
            },
            ClientError::Aicc(failed) => {
                let data = json!({ "retryable": failed.retryable });
                let (code, message) = (json!(failed.code), failed.message.to_string());
                Self::Game { code: Some(code), message, data: Some(data) }
            }
            other => Self::Other(other.to_string()),
        }
    }
}
