//! The arena as a process, and a peer that speaks GABP over a plain socket.

use crate::strict;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Longer than anything here takes; a test that waits so long has failed.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A running arena, killed when it is dropped.
pub struct Arena {
    /// The process.
    pub child: Child,
    /// Where it listens.
    pub address: String,
    /// What it says when it is ready.
    pub ready: Value,
    /// Its bridge file.
    pub bridge_file: PathBuf,
    /// What stands on its standard output after the first line.
    pub output: BufReader<std::process::ChildStdout>,
}

/// A connection to an arena.
pub struct Peer {
    /// The socket.
    pub stream: TcpStream,
    reader: BufReader<TcpStream>,
    /// The methods of the requests that were sent and not answered, by their ids.
    asked: HashMap<String, String>,
}

/// The folder of the programs that Cargo has built for this profile, when they are built.
pub fn programs() -> &'static Path {
    static PROGRAMS: OnceLock<PathBuf> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        // Cargo builds no programs of another package for a test.
        let built = Command::new(env!("CARGO"))
            .args(["build", "-q", "-p", "ludwire", "--example", "arena", "--example", "text_adventure"])
            .args(["--bin", "ludwire-agent"])
            .current_dir(super::workspace())
            .status()
            .expect("cargo runs");
        assert!(built.success(), "the arena does not build");
        let test = std::env::current_exe().expect("a test knows where it lies");
        test.ancestors().nth(2).expect("a test lies in deps/ of the profile's folder").to_owned()
    })
}

/// The program `ludwire-agent`.
pub fn agent() -> Command {
    Command::new(programs().join("ludwire-agent"))
}

/// The program `arena`, with a bridge file of its own unless one is given.
pub fn arena() -> Command {
    Command::new(programs().join("examples").join("arena"))
}

/// A path that no other test has.
pub fn fresh_path(name: &str) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("ludwire-{}-{count}-{name}", std::process::id()))
}

impl Arena {
    /// Starts one on a free port.
    pub fn start() -> Self {
        Self::start_with(&fresh_path("bridge.json"), "127.0.0.1:0")
    }

    /// Starts one with this bridge file on this address.
    pub fn start_with(bridge_file: &Path, address: &str) -> Self {
        Self::start_command(bridge_file, arena().args(["--gabp", address]).env_remove("ARENA_TOKEN"))
    }

    /// Starts one on a free port with these arguments as well.
    pub fn start_and(arguments: &[&str]) -> Self {
        let mut command = arena();
        command.args(["--gabp", "127.0.0.1:0"]).args(arguments).env_remove("ARENA_TOKEN");
        Self::start_command(&fresh_path("bridge.json"), &mut command)
    }

    /// One that has this token, and listens as it is told.
    pub fn start_with_token(arguments: &[&str], token: &str) -> Self {
        let mut command = arena();
        command.args(["--gabp", "127.0.0.1:0"]).args(arguments).env("ARENA_TOKEN", token);
        Self::start_command(&fresh_path("bridge.json"), &mut command)
    }

    fn start_command(bridge_file: &Path, command: &mut Command) -> Self {
        let mut child = command
            .arg("--bridge-file")
            .arg(bridge_file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the arena starts");
        let mut output = BufReader::new(child.stdout.take().expect("the output is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("the arena says where it listens");
        let ready: Value = serde_json::from_str(&line).expect("the line is JSON");
        let address = ready["gabp"]["address"].as_str().expect("an address").to_owned();
        assert_eq!(ready["gabp"]["bridgeFile"], bridge_file.to_str().expect("the path is UTF-8"));
        Self { child, address, ready, bridge_file: bridge_file.to_owned(), output }
    }

    /// Its token.
    pub fn token(&self) -> String {
        let text = std::fs::read_to_string(&self.bridge_file).expect("the bridge file is there");
        let file: Value = serde_json::from_str(&text).expect("the bridge file is JSON");
        file["token"].as_str().expect("a token").to_owned()
    }

    /// A connection that has not said hello.
    pub fn stranger(&self) -> Peer {
        Peer::stranger(&self.address)
    }

    /// A connection that has said hello.
    pub fn peer(&self) -> Peer {
        Peer::welcome(&self.address, &self.token())
    }

    /// Ends it as a supervisor would; its exit code.
    pub fn terminate(&mut self) -> Option<i32> {
        terminate(&mut self.child)
    }
}

/// Ends a game as a supervisor would; its exit code.
pub fn terminate(game: &mut Child) -> Option<i32> {
    let pid = game.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
    wait_for("the game's end", || game.try_wait().expect("it can be waited for")).code()
}

impl Drop for Arena {
    fn drop(&mut self) {
        let has_ended = self.child.try_wait().is_ok_and(|status| status.is_some());
        let _ = self.child.kill();
        let _ = self.child.wait();
        // One that has ended by itself leaves nothing but what is that of others.
        if !has_ended {
            let _ = std::fs::remove_file(&self.bridge_file);
        }
    }
}

/// The parameters of a hello.
pub fn hello(token: &str) -> Value {
    let launch = "11111111-2222-4333-8444-555555555555";
    json!({ "token": token, "bridgeVersion": "1", "platform": "linux", "launchId": launch })
}

/// A request; `number` makes its id.
pub fn request(number: u64, method: &str, params: &Value) -> Value {
    json!({ "v": "gabp/1", "id": id(number), "type": "request", "method": method, "params": params })
}

/// The id that `number` makes.
pub fn id(number: u64) -> String {
    format!("00000000-0000-4000-8000-{number:012x}")
}

impl Peer {
    /// A connection to a game that has not said hello.
    pub fn stranger(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("the game listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout can be set");
        stream.set_nodelay(true).expect("an option can be set");
        let reader = BufReader::new(stream.try_clone().expect("a socket has two sides"));
        Self { stream, reader, asked: HashMap::new() }
    }

    /// A connection to a game that has said hello.
    pub fn welcome(address: &str, token: &str) -> Self {
        let mut peer = Self::stranger(address);
        let answer = peer.ask("session/hello", hello(token));
        assert_eq!(answer["result"]["schemaVersion"], "1.0", "{answer}");
        peer
    }

    /// Sends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the arena reads");
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        if let (Some(id), Some(method)) = (message["id"].as_str(), message["method"].as_str()) {
            self.asked.insert(id.to_owned(), method.to_owned());
        }
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// The next message; `None` when none comes within the time that the socket is given.
    pub fn read_if_any(&mut self) -> Option<Value> {
        match self.reader.fill_buf() {
            Ok([]) => None,
            Ok(_) => self.read(),
            Err(error) if [ErrorKind::WouldBlock, ErrorKind::TimedOut].contains(&error.kind()) => None,
            Err(error) => panic!("no answer came: {error}"),
        }
    }

    /// The next message; `None` when the connection is closed.
    pub fn read(&mut self) -> Option<Value> {
        let mut length = None;
        loop {
            let mut line = String::new();
            match self.reader.read_line(&mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => return None,
                Err(error) => panic!("no answer came: {error}"),
            }
            if line == "\r\n" {
                break;
            }
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = Some(value.trim().parse::<usize>().expect("a length"));
            }
        }
        let mut body = vec![0; length.expect("Content-Length comes first")];
        self.reader.read_exact(&mut body).expect("the whole message comes");
        let message: Value = serde_json::from_slice(&body).expect("a message is JSON");
        let answers = message["id"].as_str().and_then(|id| self.asked.remove(id));
        strict::check("gabp", &message, answers.as_deref());
        Some(message)
    }

    /// Sends a request and reads its answer.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.send(&request(1, method, &params));
        self.read().expect("there is an answer")
    }

    /// Calls a tool.
    pub fn call(&mut self, name: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": name, "arguments": arguments }))
    }
}

/// Asks until there is an answer.
///
/// # Panics
///
/// When none comes in time.
pub fn wait_for<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::yield_now();
    }
}
