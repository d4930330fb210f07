//! What the README has for a shell does what it says there.

use ludwire_tests::arena::{fresh_path, programs};
use ludwire_tests::workspace;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than all that is run here takes, and what must be built for it.
const TO_BUILD: Duration = Duration::from_secs(900);

/// What stands for a shell under a heading.
fn commands(heading: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(workspace().join("README.md")).expect("it is there");
    let (_, section) = readme.split_once(&format!("\n### {heading}\n")).expect("it has this section");
    let section = section.split("\n### ").next().expect("there is a first part");
    let blocks = section.split("\n```sh\n").skip(1);
    blocks.map(|block| block.split("\n```").next().expect("it has an end").to_owned()).collect()
}

/// What it prints, run as a person would who has pasted it.
fn pasted(script: &str) -> String {
    let home = fresh_path("readme");
    std::fs::create_dir(&home).expect("it can be made");
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).current_dir(workspace()).stdin(Stdio::null());
    // Cargo has its own things at home.
    let own = std::env::var("HOME").unwrap_or_default();
    for (variable, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
        if std::env::var_os(variable).is_none() {
            shell.env(variable, format!("{own}/{folder}"));
        }
    }
    for variable in ["GABP_SERVER_PORT", "GABP_TOKEN", "GABS_GAME_ID", "GABS_FORWARD_ENV"] {
        shell.env_remove(variable);
    }
    let mut shell = shell.env("HOME", &home).stdout(Stdio::piped()).spawn().expect("there is a shell");
    let begun = Instant::now();
    let mut has_ended = false;
    while !has_ended && begun.elapsed() < TO_BUILD {
        std::thread::sleep(Duration::from_millis(50));
        has_ended = shell.try_wait().expect("it can be waited for").is_some();
    }
    let _ = shell.kill();
    let output = shell.wait_with_output().expect("it has ended");
    let left = home.join(".config/gabp/bridge.json").exists();
    let _ = std::fs::remove_dir_all(&home);
    assert!(has_ended && output.status.success() && !left, "{script}\n{output:?}");
    String::from_utf8(output.stdout).expect("it is text")
}

#[cfg(unix)]
#[test]
fn where_agents_find_the_game() {
    programs();
    for (heading, expected) in [
        ("Under a supervisor", &["A hall with a clock.", "\"entities\": []"][..]),
        ("Standalone", &["A hall with a clock."]),
        ("In a shipping build", &["{\"result\":3}\n"]),
    ] {
        let all = commands(heading);
        assert_eq!(all.len(), expected.len(), "{heading}: {all:?}");
        for (script, expected) in all.iter().zip(expected) {
            let printed = pasted(script);
            assert!(printed.contains(expected), "{script}\n{printed}");
        }
    }
}
