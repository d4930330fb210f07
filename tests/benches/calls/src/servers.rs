//! The servers, each in a process of its own.

use ludwire::{Gabp, Host, registered, tool};
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::{ServerHandler, ServiceExt as _, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The token of all that want one.
pub(crate) const TOKEN: &str = "a-token-for-this-machine-and-now";

/// Who serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Ludwire's GABP.
    Ludwire,
    /// rmcp over the two sides of a socket.
    Rmcp,
    /// A loop that reads a line, parses it, and writes what was asked.
    Bare,
    /// The same, which writes only when nothing more is there to be read.
    BareTogether,
    /// Nobody: the process alone.
    Nothing,
}

/// A process that serves, ended when it is dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

/// A tile of the map.
#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Point {
    /// Column.
    x: i32,
    /// Row.
    y: i32,
}

/// What a tool did.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Done {
    /// Where it happened.
    at: Point,
    /// What it is called.
    label: String,
    /// How often.
    count: u32,
}

/// Does a thing.
#[tool("thing/do")]
fn thing(
    /// Where it happens.
    at: Point,
    /// What it is called.
    label: String,
    /// How often.
    #[arg(range = 1..=10)]
    count: Option<u32>,
    /// Whether all hear it.
    loud: bool,
) -> Done {
    Done { at, label, count: count.unwrap_or(u32::from(loud)) }
}

/// What it is done with.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Thing {
    /// Where it happens.
    at: Point,
    /// What it is called.
    label: String,
    /// How often.
    #[schemars(range(min = 1, max = 10))]
    count: Option<u32>,
    /// Whether all hear it.
    loud: bool,
}

impl Thing {
    fn done(self) -> Done {
        Done { at: self.at, label: self.label, count: self.count.unwrap_or(u32::from(self.loud)) }
    }
}

#[derive(Clone)]
struct Rmcp;

#[tool_router]
impl Rmcp {
    /// Does a thing.
    #[rmcp::tool(name = "thing_do")]
    async fn thing(&self, Parameters(thing): Parameters<Thing>) -> Json<Done> {
        Json(thing.done())
    }
}

#[tool_handler]
impl ServerHandler for Rmcp {}

/// A request of the bare loop.
#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    params: Params,
}

#[derive(Deserialize)]
struct Params {
    #[expect(dead_code, reason = "it is parsed as the others parse it")]
    name: String,
    arguments: Thing,
}

#[derive(Serialize)]
struct Response<'a> {
    id: &'a RawValue,
    result: Done,
}

impl Kind {
    /// Those that answer.
    pub(crate) const SPEAKING: [Self; 4] = [Self::Ludwire, Self::Rmcp, Self::Bare, Self::BareTogether];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ludwire => "ludwire",
            Self::Rmcp => "rmcp",
            Self::Bare => "bare",
            Self::BareTogether => "bare-together",
            Self::Nothing => "nothing",
        }
    }

    pub(crate) fn named(name: &str) -> Self {
        let all = Self::SPEAKING.into_iter().chain([Self::Nothing]);
        all.into_iter().find(|kind| kind.name() == name).expect("a server of this name")
    }

    /// What people call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Ludwire => "Ludwire, GABP",
            Self::Rmcp => "rmcp 3.11",
            Self::Bare => "bare loop",
            Self::BareTogether => "bare loop, writes together",
            Self::Nothing => "nothing",
        }
    }

    /// Serves until standard input ends; says first where.
    pub(crate) fn serve(self) {
        let wait = || drop(std::io::stdin().read_to_end(&mut Vec::new()));
        match self {
            Self::Nothing => {
                announce("nowhere");
                wait();
            }
            Self::Ludwire => {
                let gabp = Gabp::tcp("127.0.0.1:0").token(TOKEN).no_bridge_file().max_connections(1000);
                let builder = Host::<()>::builder("Calls", "1").tools(registered::<()>());
                let host = builder.serve(gabp).start().expect("it starts");
                announce(&host.endpoints()[0].address);
                wait();
            }
            Self::Rmcp | Self::Bare | Self::BareTogether => {
                let runtime =
                    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
                let runtime = runtime.expect("a runtime");
                runtime.spawn(self.accept());
                wait();
            }
        }
    }

    async fn accept(self) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        announce(&listener.local_addr().expect("it has one").to_string());
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            stream.set_nodelay(true).expect("an option can be set");
            match self {
                Self::Rmcp => {
                    tokio::spawn(async move {
                        let running = Rmcp.serve(stream.into_split()).await.expect("it says hello");
                        let _ = running.waiting().await;
                    });
                }
                _ => drop(tokio::spawn(echo(stream, self == Self::BareTogether))),
            }
        }
    }
}

async fn echo(stream: TcpStream, together: bool) {
    let (reader, mut writer) = stream.into_split();
    let mut reader = tokio::io::BufReader::new(reader);
    let (mut line, mut answer) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if reader.read_until(b'\n', &mut line).await.unwrap_or(0) == 0 {
            return;
        }
        let request: Request<'_> = serde_json::from_slice(&line).expect("a request");
        let response = Response { id: request.id, result: request.params.arguments.done() };
        serde_json::to_writer(&mut answer, &response).expect("it can be written");
        answer.push(b'\n');
        if together && reader.buffer().contains(&b'\n') {
            continue;
        }
        if writer.write_all(&answer).await.is_err() {
            return;
        }
        answer.clear();
    }
}

fn announce(address: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{address}").and_then(|()| out.flush()).expect("somebody reads it");
}

impl Server {
    pub(crate) fn start(kind: Kind) -> Self {
        let program = std::env::current_exe().expect("a program knows where it lies");
        let mut command = Command::new(program);
        command.args(["serve", kind.name()]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut address = String::new();
        let output = child.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut address).expect("it says where");
        Self { child, address: address.trim().to_owned() }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
