//! A build without the feature `serve` has nothing in it that listens or connects.

use ludwire_tests::workspace;
use std::path::PathBuf;
use std::process::Command;

/// Builds the example with these options; where it lies.
fn build(options: &[&str]) -> PathBuf {
    let built = Command::new(env!("CARGO"))
        .args(["rustc", "-q", "-p", "ludwire", "--example", "shipping"])
        .args(options)
        // Names of functions that are not in it stand among what debuggers need.
        .args(["--", "-C", "strip=symbols"])
        .current_dir(workspace())
        .status()
        .expect("cargo runs");
    assert!(built.success(), "{options:?}");
    let test = std::env::current_exe().expect("a test knows where it lies");
    let folder = test.ancestors().nth(2).expect("a test lies in deps/ of the profile's folder");
    folder.join("examples").join("shipping")
}

/// Whether a program has a text in it.
fn has(program: &[u8], text: &str) -> bool {
    program.windows(text.len()).any(|part| part == text.as_bytes())
}

#[test]
fn ai_control_protocol_security_shipping_build() {
    // What can open a socket is not even asked of the packages that the runtime builds on.
    for (options, serves) in [(&[][..], true), (&["--no-default-features"], false)] {
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "-p", "ludwire", "-e", "normal", "--prefix", "none", "-f", "{p} {f}"])
            .args(options)
            .current_dir(workspace())
            .output()
            .expect("cargo runs");
        let tree = String::from_utf8(tree.stdout).expect("it is text");
        let tokio = tree.lines().find(|line| line.starts_with("tokio v")).expect("it builds on tokio");
        assert_eq!(tokio.contains("net"), serves, "{tokio} {options:?}");
        assert_eq!(tree.contains("socket2 v"), serves, "{options:?}");
    }
}

/// For all protocols, not for this one only.
#[test]
fn ai_control_protocol_validation_shipping_artifact() {
    // What the framing, the sessions, and the settings are known by.
    let marks = [
        "Content-Length: ",
        "say session/hello first",
        "GABP_SERVER_PORT",
        "bridge.json",
        "show the token first, with the method auth",
        "commands wait already, which is the most",
        // What a program asks of the system to do either, as it stands among what it is linked to.
        #[cfg(target_os = "linux")]
        "\0bind\0",
        #[cfg(target_os = "linux")]
        "\0listen\0",
        #[cfg(target_os = "linux")]
        "\0connect\0",
    ];
    for (options, serves) in [(&[][..], true), (&["--no-default-features"], false)] {
        let path = build(options);
        let program = std::fs::read(&path).expect("it was built");
        let found: Vec<&str> = marks.into_iter().filter(|mark| has(&program, mark)).collect();
        let expected: &[&str] = if serves { &marks } else { &[] };
        assert_eq!(found, expected, "{options:?}");
        let output = Command::new(&path).output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "{\"result\":3}\n");
        let output = Command::new(&path).arg("--hlep").output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("Usage: "), "{said}");
    }
}
