//! The example `decode` as its users meet it.

use ludwire_tests::arena::fresh_path;
use ludwire_tests::fixtures::first;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Builds the example once.
fn program() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT
        .get_or_init(|| {
            let status = Command::new(env!("CARGO"))
                .args(["build", "-q", "-p", "ludwire-protocols", "--example", "decode"])
                .current_dir(ludwire_tests::workspace())
                .status()
                .expect("cargo runs");
            assert!(status.success(), "the example does not build");
            let test = std::env::current_exe().expect("a test knows where it lies");
            let profile = test.ancestors().nth(2).expect("a test lies in deps/ of the profile's folder");
            profile.join("examples").join("decode")
        })
        .clone()
}

/// Exit code, stdout, stderr.
fn decode(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(program()).args(arguments).output().expect("it was built");
    let text = |bytes| String::from_utf8(bytes).expect("it writes UTF-8");
    (status.code(), text(stdout), text(stderr))
}

/// A message in a file.
fn file(name: &str, text: &str) -> String {
    let path = fresh_path(name);
    std::fs::write(&path, text).expect("it can be written");
    path.to_str().expect("the path is UTF-8").to_owned()
}

#[test]
fn a_line_a_file_says_what_it_is() {
    let call = file("call.json", &first("gabp", "tools/call request").message.to_string());
    let mut neither: Value = first("gabp", "response").message;
    neither.as_object_mut().expect("an object").remove("result");
    let neither = file("neither.json", &neither.to_string());
    let broken = file("broken.json", "{");
    assert_eq!(
        decode(&["gabp", &call]),
        (Some(0), format!("{call}: ok tools/call request\n"), String::new())
    );
    let (code, stdout, _) = decode(&["gabp", &call, &neither, &broken]);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!((code, lines.len()), (Some(1), 3), "{stdout}");
    assert!(lines[1].starts_with(&format!("{neither}: error (root): `result` must be there")), "{stdout}");
    assert!(lines[1].ends_with(" (taken for response)"), "{stdout}");
    assert!(
        lines[2]
            .starts_with(&format!("{broken}: error (root): the text is no JSON: it ends inside an object")),
        "{stdout}"
    );
    let (code, _, stderr) = decode(&["gabp", &call, "no/such/file"]);
    assert!(code == Some(2) && stderr.starts_with("no/such/file: "), "{stderr}");
}

#[test]
fn the_method_of_a_response_is_one_of_the_protocol() {
    let list = file("list.json", &first("gabp", "tools/list response").message.to_string());
    let (code, stdout, _) = decode(&["--response-to", "tools/list", "gabp", &list]);
    assert_eq!((code, stdout), (Some(0), format!("{list}: ok tools/list response\n")));
    for (protocol, method) in [("gabp", "tools/lst"), ("gabp", ""), ("aicontrol", "tools/list")] {
        let (code, stdout, stderr) = decode(&["--response-to", method, protocol, &list]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""));
        assert!(stderr.starts_with(&format!("{protocol} has no method {method:?}; there are ")), "{stderr}");
        assert!(stderr.contains("usage: "), "{stderr}");
    }
    // One that the game has made up has no type of its own.
    let answer = json!({ "v": "gabp/1", "id": "5f0c9d1e-0001-4b7a-9e21-3c6a8d2f0001", "type": "response", "result": 1 });
    let answer = file("answer.json", &answer.to_string());
    assert_eq!(decode(&["gabp", &answer]).1, format!("{answer}: ok response\n"));
}

#[test]
fn help_is_no_mistake_and_mistakes_are_2() {
    for help in [&["--help"][..], &["-h"], &["gabp", "x", "--help"]] {
        let (code, stdout, stderr) = decode(help);
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
        assert!(stdout.starts_with("usage: decode ") && stdout.contains("Exit status: 0 "), "{stdout}");
    }
    for wrong in [&[][..], &["gabp"], &["--response-to"], &["mcp", "x"], &["--response-to", "x", "aicc", "y"]]
    {
        let (code, stdout, stderr) = decode(wrong);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{wrong:?}");
        assert!(stderr.contains("usage: "), "{stderr}");
    }
    for unknown in [&["--hlep"][..], &["gabp", "-v", "x"], &["gabp", "x", "--response-to", "tools/list"]] {
        let (code, stdout, stderr) = decode(unknown);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{unknown:?}");
        assert!(stderr.starts_with("there is no option \"-"), "{stderr}");
    }
}
