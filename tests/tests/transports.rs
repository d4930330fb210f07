//! GABP over each of its transports, and what a game's surroundings make of it.

use ludwire::client::gabp::Client;
use ludwire::client::{ClientError, Target, Way, block_on};
use ludwire::{Budget, BuildError, Gabp, Host, Memory, registered, tool};
use ludwire_tests::arena::{Peer, fresh_path, hello, wait_for};
use serde_json::{Map, Value, json};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

#[derive(Default)]
struct World {
    count: u32,
}

/// Counts.
#[tool("count/up")]
fn up(world: &mut World) -> u32 {
    world.count += 1;
    world.count
}

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

fn host(gabp: Gabp) -> Host<World> {
    start(gabp).expect("it starts")
}

fn start(gabp: Gabp) -> Result<Host<World>, BuildError> {
    Host::builder("Transports", "1").tools(registered::<World>()).serve(gabp).start()
}

/// Says hello, and no more.
fn greet(way: impl Into<Way>) -> Result<(), ClientError> {
    block_on(async { Client::connect(way).await.map(drop) })
}

/// Calls a tool on a thread of its own while the game runs on this one.
fn call_while_running(host: &Host<World>, way: impl Into<Way>) -> Value {
    let way = way.into();
    let call = async { Client::connect(way).await?.call("count/up", Map::new()).await };
    let calling = std::thread::spawn(move || block_on::<_, ClientError>(call));
    let mut world = World::default();
    wait_for("the answer", || {
        host.run(&mut world, Budget::millis(1));
        calling.is_finished().then_some(())
    });
    calling.join().expect("it does not panic").expect("the game answers")
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::net::{UnixListener, UnixStream};

    #[test]
    fn a_socket_is_its_owners_and_goes_with_the_host() {
        let (socket, bridge_file) = (fresh_path("own.sock"), fresh_path("own.json"));
        let host = host(Gabp::unix(&socket).bridge_file(&bridge_file));
        let mode = std::fs::metadata(&socket).expect("the socket is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let target = Target::from_bridge_file(&bridge_file).expect("the bridge file says where");
        assert_eq!(target.address, format!("unix:{}", socket.display()));
        assert_eq!(call_while_running(&host, &target), json!({ "result": 1 }));
        assert_eq!(host.endpoints()[0].address, socket.to_str().expect("UTF-8"));
        drop(host);
        assert!(!socket.exists() && !bridge_file.exists());
    }

    #[test]
    fn what_lies_where_the_socket_is_to_be() {
        // A socket that a game left behind is replaced.
        let stale = fresh_path("stale.sock");
        drop(UnixListener::bind(&stale).expect("it can be bound"));
        // A process that another test starts at this moment has it until it has begun.
        wait_for("its end", || UnixStream::connect(&stale).is_err().then_some(()));
        assert!(stale.exists());
        let first = host(Gabp::unix(&stale).no_bridge_file().token(TOKEN));
        let target = Target { address: format!("unix:{}", stale.display()), token: TOKEN.to_owned() };
        assert_eq!(call_while_running(&first, &target), json!({ "result": 1 }));
        // One that is in use is not, nor is another file.
        let file = fresh_path("file.sock");
        std::fs::write(&file, "mine").expect("it can be written");
        for (path, words) in [(&stale, "somebody listens there"), (&file, "no socket")] {
            let error = start(Gabp::unix(path).no_bridge_file()).expect_err("it is in use").to_string();
            assert!(error.contains(words) && error.contains(path.to_str().expect("UTF-8")), "{error}");
        }
        assert_eq!(std::fs::read_to_string(&file).expect("it is there"), "mine");
        std::fs::remove_file(&file).expect("it can be removed");
        // The socket of another game stays.
        std::fs::remove_file(&stale).expect("it can be removed");
        let other = UnixListener::bind(&stale).expect("it can be bound");
        drop(first);
        assert!(UnixStream::connect(&stale).is_ok());
        drop(other);
        std::fs::remove_file(&stale).expect("it can be removed");
    }

    #[test]
    fn of_two_that_begin_at_once_one_is_told() {
        for round in 0..50 {
            let socket = fresh_path("race.sock");
            if round % 2 == 1 {
                // What another game has left there is in nobody's way.
                drop(UnixListener::bind(&socket).expect("it can be bound"));
            }
            let started: Vec<_> = std::thread::scope(|scope| {
                let begin = || start(Gabp::unix(&socket).token(TOKEN).no_bridge_file());
                let games: Vec<_> = (0..3).map(|_| scope.spawn(begin)).collect();
                games.into_iter().map(|game| game.join().expect("it does not panic")).collect()
            });
            let (running, refused): (Vec<_>, Vec<_>) = started.into_iter().partition(Result::is_ok);
            assert_eq!((running.len(), refused.len()), (1, 2), "{refused:?}");
            for refused in refused {
                let error = refused.expect_err("it is refused").to_string();
                assert!(error.contains("somebody listens there"), "{error}");
            }
            let target = Target { address: format!("unix:{}", socket.display()), token: TOKEN.to_owned() };
            greet(&target).expect("the one that has started is there");
        }
    }

    #[test]
    fn a_copy_that_cannot_start_leaves_the_game_that_runs_alone() {
        let (socket, bridge_file) = (fresh_path("copy.sock"), fresh_path("copy.json"));
        let copy = || {
            let tcp = Gabp::tcp("127.0.0.1:0").bridge_file(&bridge_file);
            let unix = Gabp::unix(&socket).bridge_file(&bridge_file);
            let builder = Host::builder("Transports", "1").tools(registered::<World>());
            builder.serve(tcp).serve(unix).start()
        };
        let first = copy().expect("it starts");
        let written = std::fs::read_to_string(&bridge_file).expect("it is there");
        let error = copy().expect_err("the socket is in use").to_string();
        assert!(error.contains("somebody listens there"), "{error}");
        assert_eq!(std::fs::read_to_string(&bridge_file).expect("it is still there"), written);
        let target = Target::from_bridge_file(&bridge_file).expect("it says where");
        assert_eq!(call_while_running(&first, &target), json!({ "result": 1 }));
        // Nor does it stand where none has been.
        let nobody = fresh_path("nobody.json");
        let builder = Host::builder("Transports", "1").tools(registered::<World>());
        let builder = builder.serve(Gabp::tcp("127.0.0.1:0").bridge_file(&nobody));
        assert!(builder.serve(Gabp::unix(&socket).bridge_file(&nobody)).start().is_err());
        assert!(!nobody.exists());
        drop(first);
        assert!(!bridge_file.exists() && !socket.exists());
    }

    #[test]
    fn several_front_ends_have_one_token_and_the_first_that_may_has_the_file() {
        let (socket, bridge_file) = (fresh_path("both.sock"), fresh_path("both.json"));
        let tcp = || Gabp::tcp("127.0.0.1:0").bridge_file(&bridge_file);
        let unix = || Gabp::unix(&socket).bridge_file(&bridge_file);
        for (front_ends, announced) in [
            ([tcp(), unix()], 0),
            ([unix(), tcp()], 0),
            ([tcp().no_bridge_file(), unix()], 1),
            ([Gabp::memory().0, unix()], 1),
        ] {
            let builder = Host::builder("Transports", "1").tools(registered::<World>());
            let builder = front_ends.into_iter().fold(builder, |builder, gabp| builder.serve(gabp));
            let host = builder.start().expect("it starts");
            let files: Vec<_> =
                host.endpoints().iter().map(|endpoint| endpoint.bridge_file.is_some()).collect();
            assert_eq!(files, [announced == 0, announced == 1]);
            let target = Target::from_bridge_file(&bridge_file).expect("it says where");
            assert!(target.address.ends_with(&host.endpoints()[announced].address), "{target:?}");
            for address in host.endpoints().iter().map(|endpoint| endpoint.address.clone()) {
                let address = match address.as_str() {
                    "memory" => continue,
                    path if path.starts_with('/') => format!("unix:{path}"),
                    _ => address,
                };
                let target = Target { address, token: target.token.clone() };
                greet(target).expect("the token of the file is good for each");
            }
        }
    }

    #[test]
    fn each_has_the_file_that_only_it_is_to_write() {
        let (socket, one, two) = (fresh_path("each.sock"), fresh_path("one.json"), fresh_path("two.json"));
        let builder = Host::builder("Transports", "1").tools(registered::<World>());
        let builder = builder.serve(Gabp::tcp("127.0.0.1:0").bridge_file(&one));
        let host = builder.serve(Gabp::unix(&socket).bridge_file(&two)).start().expect("it starts");
        for (endpoint, path) in host.endpoints().iter().zip([&one, &two]) {
            assert_eq!(endpoint.bridge_file.as_ref(), Some(path));
            let target = Target::from_bridge_file(path).expect("it says where");
            assert!(target.address.ends_with(&endpoint.address), "{target:?}");
        }
    }

    #[test]
    fn a_place_by_itself() {
        let bridge_file = fresh_path("any.json");
        let host = host(Gabp::any_unix().bridge_file(&bridge_file));
        let address = PathBuf::from(&host.endpoints()[0].address);
        assert!(address.starts_with("/tmp") && address.exists(), "{}", address.display());
        greet(Way::bridge_file(&bridge_file)).expect("it is welcome");
        drop(host);
        assert!(!address.exists());
    }
}

#[test]
fn a_bridge_file_that_another_game_has_written_stays() {
    let path = fresh_path("theirs.json");
    let ours = host(Gabp::tcp("127.0.0.1:0").bridge_file(&path));
    let theirs = host(Gabp::tcp("127.0.0.1:0").bridge_file(&path));
    drop(ours);
    let target = Target::from_bridge_file(&path).expect("it is theirs");
    assert_eq!(target.address, theirs.endpoints()[0].address);
    drop(theirs);
    assert!(!path.exists());
}

#[test]
fn a_copy_makes_room_again_for_the_game_that_runs() {
    let path = fresh_path("again.json");
    let gabp = || Gabp::tcp("127.0.0.1:0").bridge_file(&path);
    let first = host(gabp());
    let before = std::fs::read(&path).expect("it is there");
    let second = host(gabp());
    let third = host(gabp());
    assert_ne!(std::fs::read(&path).expect("it is there"), before);
    let gone = second.endpoints()[0].address.clone();
    drop(second);
    wait_for("its end", || std::net::TcpStream::connect(&gone).is_err().then_some(()));
    let target = Target::from_bridge_file(&path).expect("it is that of the third");
    assert_eq!(target.address, third.endpoints()[0].address);
    // The second has gone, but not the first.
    drop(third);
    assert_eq!(std::fs::read(&path).expect("it is there"), before);
    drop(host(gabp()));
    assert_eq!(std::fs::read(&path).expect("the first one still lives"), before);
    assert_eq!(call_while_running(&first, Way::bridge_file(&path)), json!({ "result": 1 }));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&path).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    drop(first);
    assert!(!path.exists());
}

#[test]
fn a_host_that_cannot_start_takes_nothing() {
    let (gabp, memory) = Gabp::memory();
    let builder = || Host::builder("Transports", "1").tools(registered::<World>());
    let failed = builder().serve(gabp.clone()).serve(Gabp::tcp("no address").no_bridge_file()).start();
    assert!(failed.is_err());
    assert!(memory.connect().is_err(), "no host has started");
    let host = host(gabp);
    assert_eq!(call_while_running(&host, Way::memory(&memory)), json!({ "result": 1 }));
}

/// The game of the test below: it is this program again.
#[cfg(unix)]
#[test]
#[ignore = "it is started by others"]
fn cannot_start() {
    let builder = Host::builder("Transports", "1").tools(registered::<World>());
    assert!(builder.serve(Gabp::stdio()).serve(Gabp::tcp("no address").no_bridge_file()).start().is_err());
    println!("this goes where it should");
}

#[cfg(unix)]
#[test]
fn a_host_that_cannot_start_leaves_standard_output_alone() {
    let mut game = Command::new(std::env::current_exe().expect("a test knows where it lies"));
    game.args(["--exact", "cannot_start", "--ignored", "--nocapture"]).env("GABP_TOKEN", TOKEN);
    let output = game.stdin(Stdio::null()).output().expect("it runs");
    let (printed, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && printed.contains("this goes where it should"), "{printed}\n{log}");
}

#[test]
fn who_serves_nothing_is_told() {
    let builder = || Host::<World>::builder("Transports", "1").tools(registered::<World>());
    let told = ludwire_tests::log::said("WARN", || drop(builder().start()));
    assert!(matches!(&told[..], [line] if line.contains("serves nothing")), "{told:?}");
    let told = ludwire_tests::log::said("WARN", || drop(builder().serve(Gabp::memory().0).start()));
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn in_memory_there_is_no_socket() {
    let (gabp, memory) = Gabp::memory();
    assert!(memory.connect().is_err(), "the host has not started");
    let host = host(gabp);
    assert_eq!((host.endpoints()[0].address.as_str(), &host.endpoints()[0].bridge_file), ("memory", &None));
    assert_eq!(call_while_running(&host, Way::memory(&memory)), json!({ "result": 1 }));
    // It ends as others do.
    let mut connection = memory.connect().expect("the host has started");
    drop(connection.writer);
    assert_eq!(connection.reader.read_to_end(&mut Vec::new()).expect("it ends"), 0);
}

#[test]
fn other_machines_are_kept_out_unless_both_are_wanted_and_a_token_is_given() {
    for gabp in [
        Gabp::tcp("0.0.0.0:0"),
        Gabp::tcp("0.0.0.0:0").token(TOKEN),
        Gabp::tcp("0.0.0.0:0").allow_remote(),
        Gabp::tcp("[::]:0").allow_remote(),
    ] {
        let error = start(gabp.no_bridge_file()).expect_err("it is open to all").to_string();
        assert!(error.contains("other machines"), "{error}");
    }
    let host = host(Gabp::tcp("0.0.0.0:0").allow_remote().token(TOKEN).no_bridge_file());
    let port = host.endpoints()[0].address.rsplit(':').next().expect("a port").to_owned();
    Peer::welcome(&format!("127.0.0.1:{port}"), TOKEN);
}

#[test]
fn a_token_that_is_short_is_refused_and_not_shown() {
    let gabp = Gabp::tcp("127.0.0.1:0").token("hush-hush").no_bridge_file();
    assert!(!format!("{gabp:?}").contains("hush"), "{gabp:?}");
    let error = start(gabp).expect_err("it is short").to_string();
    assert!(error.contains("9 characters") && !error.contains("hush"), "{error}");
}

/// The game of the tests below: it is this program again, with another environment.
#[test]
#[ignore = "it is started by others"]
fn game() {
    let host = host(Gabp::from_env());
    println!("ready {} {:?}", host.endpoints()[0].address, host.endpoints()[0].bridge_file);
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

/// A game in a process of its own, ended when it is dropped.
struct Game {
    child: Child,
    /// What else it prints.
    output: BufReader<std::process::ChildStdout>,
    address: String,
    bridge_file: bool,
}

impl Game {
    fn start(home: &Path, variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("a test knows where it lies"));
        command.args(["--exact", "game", "--ignored", "--nocapture"]);
        for name in ["GABP_SERVER_PORT", "GABP_TOKEN", "GABS_GAME_ID", "GABS_FORWARD_ENV"] {
            command.env_remove(name);
        }
        command.env("HOME", home).env("APPDATA", home).envs(variables.iter().copied());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the game starts");
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let line = output
            .by_ref()
            .lines()
            .map(|line| line.expect("it is text"))
            .find_map(|line| line.split_once("ready ").map(|(_, rest)| rest.to_owned()))
            .expect("the game says where it listens");
        let (address, file) = line.split_once(' ').expect("two words");
        Self { child, output, address: address.to_owned(), bridge_file: file != "None" }
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.output.read_to_end(&mut Vec::new());
        let _ = self.child.wait();
    }
}

/// A port that was free a moment ago.
fn free_port() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    listener.local_addr().expect("it has one").port().to_string()
}

#[test]
fn under_a_supervisor_its_port_its_token_and_no_file() {
    let (home, port) = (fresh_path("home"), free_port());
    std::fs::create_dir(&home).expect("it can be made");
    let basic = [("GABP_SERVER_PORT", port.as_str()), ("GABP_TOKEN", TOKEN), ("GABS_GAME_ID", "arena-7")];
    let game = Game::start(&home, &basic);
    assert_eq!((game.address.as_str(), game.bridge_file), (format!("127.0.0.1:{port}").as_str(), false));
    let welcome = Peer::stranger(&game.address).ask("session/hello", hello(TOKEN))["result"].clone();
    assert_eq!((&welcome["agentId"], welcome.get("observed")), (&json!("arena-7"), None));
    drop(game);

    // A supervisor that listens for it is told how the game was started, and never the token.
    let asked = [
        ("GABS_FORWARD_ENV", "LUDWIRE_A,LUDWIRE_B GABP_TOKEN;LUDWIRE_C"),
        ("LUDWIRE_A", "a b"),
        ("LUDWIRE_C", TOKEN),
    ];
    let port = free_port();
    let game = Game::start(&home, &[&[("GABP_SERVER_PORT", port.as_str())], &basic[1..], &asked].concat());
    let mut peer = Peer::stranger(&game.address);
    let welcome = peer.ask("session/hello", hello(TOKEN));
    let observed = &welcome["result"]["observed"];
    assert_eq!(observed["envValues"], json!({ "LUDWIRE_A": "a b", "LUDWIRE_C": "…" }), "{welcome}");
    assert_eq!(observed["envAbsent"], json!(["LUDWIRE_B"]));
    assert!(observed["argv"].as_array().is_some_and(|words| words.contains(&json!("--nocapture"))));
    assert_eq!(observed["cwd"], std::env::current_dir().expect("there is one").to_str().expect("UTF-8"));
    assert!(!welcome.to_string().contains(TOKEN));
    drop(game);
    assert!(std::fs::read_dir(&home).expect("it is there").next().is_none(), "nothing was written");
    std::fs::remove_dir(&home).expect("it is empty");
}

#[test]
fn without_a_supervisor_any_port_and_a_fresh_token_in_the_bridge_file() {
    let home = fresh_path("alone");
    std::fs::create_dir(&home).expect("it can be made");
    let half = [
        &[][..],
        &[("GABP_SERVER_PORT", "40123")],
        &[("GABP_TOKEN", TOKEN)],
        &[("GABP_SERVER_PORT", "40123"), ("GABP_TOKEN", "")],
        &[("GABP_SERVER_PORT", "0"), ("GABP_TOKEN", TOKEN)],
        &[("GABP_SERVER_PORT", "65536"), ("GABP_TOKEN", TOKEN)],
        &[("GABP_SERVER_PORT", "x"), ("GABP_TOKEN", TOKEN)],
    ];
    for variables in half {
        let game = Game::start(
            &home,
            &[variables, &[("GABS_GAME_ID", "arena-7"), ("GABS_FORWARD_ENV", "HOME")]].concat(),
        );
        assert!(game.bridge_file && !game.address.ends_with(":40123"), "{variables:?}");
        let file = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".config" };
        let file = home.join(if cfg!(windows) { "" } else { file }).join("gabp/bridge.json");
        let content: Value =
            serde_json::from_str(&std::fs::read_to_string(&file).expect("it is there")).expect("it is JSON");
        assert_eq!(content["transport"], json!({ "type": "tcp", "address": game.address }));
        let token = content["token"].as_str().expect("a token");
        assert!(token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()) && token != TOKEN);
        let welcome = Peer::stranger(&game.address).ask("session/hello", hello(token))["result"].clone();
        assert_eq!(welcome["agentId"], content["metadata"]["launchId"]);
        assert_eq!(welcome.get("observed"), None, "there is nobody who listens for it");
        drop(game);
        assert!(!file.exists(), "it goes with the game");
    }
    std::fs::remove_dir_all(&home).expect("it can be removed");
}

#[test]
fn a_second_host_with_the_same_memory_does_not_take_it_over() {
    let (gabp, memory): (Gabp, Memory) = Gabp::memory();
    let (first, second) = (host(gabp.clone()), host(gabp));
    drop(second);
    assert_eq!(call_while_running(&first, Way::memory(&memory)), json!({ "result": 1 }));
}
