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
fn without_the_feature_there_is_no_listener_and_no_client() {
    // What the framing, the session, and the settings are known by.
    let marks = [
        "Content-Length: ",
        "say session/hello first",
        "GABP_SERVER_PORT",
        "bridge.json",
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
    }
}
