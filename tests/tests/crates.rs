//! A game of several packages: tools of one are found in another, and under a name of their own.

use ludwire_tests::workspace;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const LINTS: &str = "#![deny(warnings, unused, missing_docs, unsafe_code, unreachable_pub)]\n";

/// Knows the runtime under another name, and gives it on.
const ENGINE: &str = r#"//! An engine.
pub use agents;

/// What every game of the engine has.
#[derive(Debug, Default)]
pub struct World {
    /// How many.
    pub count: u32,
}

/// Counts.
#[agents::tool("engine/count", crate = agents)]
pub fn count(
    world: &mut World,
    /// How far.
    #[arg(default = 1, range = 1..=9)]
    by: u32,
) -> Result<u32, agents::ToolError> {
    world.count += by;
    Ok(world.count)
}

/// Adds.
#[agents::tool("engine/add", crate = agents)]
pub fn add(
    /// One.
    a: u64,
    /// Another.
    b: u64,
) -> u64 {
    a + b
}
"#;

/// Knows the engine alone.
const GAME: &str = r##"//! A game.
use engine::World;
use engine::agents::{Call, Host, registered, resource, tool, tools};

/// Its own.
#[derive(Debug, Default)]
pub struct Own(World);

#[tools(crate = engine::agents)]
impl Own {
    /// Counts.
    #[tool("game/count")]
    pub fn count(&mut self, _call: &Call) -> u32 {
        self.0.count += 10;
        self.0.count
    }
}

/// Doubles.
#[tool("game/double", crate = engine::agents)]
pub fn double(
    world: &World,
    /// Perhaps more.
    more: Option<u32>,
) -> u32 {
    world.count * 2 + more.unwrap_or_default()
}

/// How many.
#[resource("gabp://game/count", crate = engine::agents)]
pub fn counted(world: &World) -> u32 {
    world.count
}

fn main() {
    let host = Host::builder("Game", "1").tools(registered::<World>()).build().expect("no names meet");
    println!("{}", names(&host));
    let mut world = World::default();
    let add = ("engine/add", r#"{"a":"1","b":2}"#);
    for (tool, arguments) in [("engine/count", r#"{"by":3}"#), ("game/double", "{}"), add] {
        println!("{}", host.call_json(&mut world, tool, arguments).expect("it succeeds"));
    }
    let own = Host::builder("Game", "1").tools(registered::<Own>()).build().expect("no names meet");
    println!("{}", names(&own));
    println!("{}", own.call_json(&mut Own::default(), "game/count", "{}").expect("it succeeds"));
}

fn names<S: 'static>(host: &Host<S>) -> String {
    let manifest = host.manifest();
    let tools = manifest["tools"].as_array().expect("a list");
    tools.iter().filter_map(|tool| tool["name"].as_str()).collect::<Vec<_>>().join(" ")
}
"##;

#[test]
fn tools_of_all_packages_are_found() {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    let target = target.join("suite");
    let root = target.join("crates");
    fs::create_dir_all(root.join("src")).expect("it is writable");
    fs::create_dir_all(root.join("engine/src")).expect("it is writable");
    let write = |path: &str, text: &str| fs::write(root.join(path), text).expect("it is writable");
    let runtime = serde_json::to_string(&workspace().join("runtime")).expect("paths are texts");
    let package = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n{more}")
    };
    write("Cargo.toml", &package("game", "[workspace]\n\n[dependencies]\nengine = { path = \"engine\" }\n"));
    // With the feature that another test of this kind has, so that the runtime is compiled once for both.
    let agents = format!(
        "[dependencies]\nagents = {{ package = \"ludwire\", path = {runtime}, features = [\"require-docs\"] }}\n"
    );
    write("engine/Cargo.toml", &package("engine", &agents));
    write("engine/src/lib.rs", &format!("{LINTS}{ENGINE}"));
    write("src/main.rs", &format!("{LINTS}{GAME}"));
    fs::copy(workspace().join("Cargo.lock"), root.join("Cargo.lock")).expect("it is writable");
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--offline", "--quiet"])
        .current_dir(&root)
        .env("CARGO_TARGET_DIR", target.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let said = String::from_utf8_lossy(&output.stdout);
    let expected = [
        "engine/add engine/count game/double",
        r#"{"result":3}"#,
        r#"{"result":6}"#,
        r#"{"result":"3"}"#,
        "engine/add game/count",
        r#"{"result":10}"#,
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{errors}");
    assert_eq!(errors, "", "it compiles without a word");
}
