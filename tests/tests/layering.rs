//! Who may know whom: read from the manifests and the sources, as a change to either must not break
//! it unseen.

use ludwire_codegen::config;
use ludwire_tests::workspace;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

/// The names of the packages that a package of the workspace depends on, by kind.
struct Dependencies(BTreeMap<String, Vec<(String, Option<String>)>>);

impl Dependencies {
    fn read() -> Self {
        let arguments = ["metadata", "--format-version=1", "--no-deps", "--offline"];
        let output = Command::new(env!("CARGO")).current_dir(workspace()).args(arguments).output();
        let output = output.expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let package = |package: &Value| {
            let dependencies = package["dependencies"].as_array().into_iter().flatten();
            let named = dependencies.filter_map(|one| Some((text(&one["name"])?, text(&one["kind"]))));
            (text(&package["name"]).expect("a package has a name"), named.collect())
        };
        Self(metadata["packages"].as_array().into_iter().flatten().map(package).collect())
    }

    /// The packages of the workspace.
    fn packages(&self) -> BTreeSet<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// What a package needs to be built and run.
    fn of(&self, package: &str) -> BTreeSet<&str> {
        let all = self.0.get(package).unwrap_or_else(|| panic!("there is no package {package}"));
        all.iter().filter(|(_, kind)| kind.as_deref() != Some("dev")).map(|(name, _)| name.as_str()).collect()
    }

    /// The same, and what its tests need.
    fn with_tests(&self, package: &str) -> BTreeSet<&str> {
        self.0[package].iter().map(|(name, _)| name.as_str()).collect()
    }
}

#[test]
fn the_generator_knows_no_other_package() {
    let dependencies = Dependencies::read();
    let packages = dependencies.packages();
    assert!(packages.len() >= 5, "{packages:?}");
    let known: Vec<_> = dependencies.with_tests("ludwire-codegen").intersection(&packages).copied().collect();
    // Otherwise a file of generated/ that does not build keeps it from being generated again.
    assert_eq!(known, [""; 0]);
}

#[test]
fn the_protocols_need_four_small_crates() {
    let dependencies = Dependencies::read();
    let needed: Vec<_> = dependencies.of("ludwire-protocols").into_iter().collect();
    assert_eq!(needed, ["fluent-uri", "regress", "serde", "serde_json"]);
}

#[test]
fn the_protocols_read_doubles_exactly() {
    // The tests of this package would not notice: the validator turns the feature on for them.
    let manifest = fs::read_to_string(workspace().join("generated/Cargo.toml")).expect("it is there");
    let line = manifest.lines().find(|line| line.starts_with("serde_json"));
    assert!(line.is_some_and(|line| line.contains("\"float_roundtrip\"")), "{line:?}");
}

#[test]
fn only_the_tests_know_everything() {
    let dependencies = Dependencies::read();
    let packages = dependencies.packages();
    for (package, allowed) in [
        ("ludwire-protocols", &[][..]),
        ("ludwire-macros", &[]),
        // The generator's package, for `ludwire-agent docs`: see below.
        ("ludwire", &["ludwire-codegen", "ludwire-macros", "ludwire-protocols"]),
    ] {
        let needed = dependencies.of(package);
        let known: Vec<_> = needed.intersection(&packages).filter(|name| !allowed.contains(name)).collect();
        assert!(known.is_empty(), "{package} knows {known:?}");
    }
    for package in packages.iter().filter(|name| **name != "ludwire-tests") {
        let known = dependencies.with_tests(package);
        assert!(!known.contains("ludwire-tests"), "{package} knows the tests");
        assert!(!known.contains("jsonschema"), "{package} has the validator that it is tested against");
    }
}

/// A client of a running game makes the pages that `ludwire docs` makes of a manifest, with the same templates. So
/// that it has them, it has the generator's package, but nothing of the generator: what that needs, games
/// would have to wait for.
#[test]
fn the_runtime_has_no_generator() {
    let tree = |options: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args([
                "tree",
                "--offline",
                "-p",
                "ludwire",
                "-e",
                "normal,build",
                "--prefix",
                "none",
                "-f",
                "{lib} {f}",
            ])
            .args(options)
            .current_dir(workspace())
            .output()
            .expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let tree = String::from_utf8(output.stdout).expect("it is text");
        tree.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect::<BTreeSet<_>>()
    };
    let packages = tree(&[]);
    assert!(packages.contains("ludwire_codegen"), "it has none of the features: {packages:?}");
    let has = |name: &str| packages.iter().any(|package| package.split(' ').next() == Some(name));
    assert!(has("minijinja"));
    for heavy in
        ["jsonc_parser", "mimalloc", "prettyplease", "pulldown_cmark", "sha2", "similar", "toml", "typify"]
    {
        assert!(!has(heavy), "{heavy} is in {packages:?}");
    }
    // Nor has a game any of it that does not ask for the client, or is shipped.
    for options in [&["--no-default-features", "--features", "serve"][..], &["--no-default-features"]] {
        let packages = tree(options);
        for of_the_agent in ["clap", "ludwire_codegen", "minijinja"] {
            assert!(
                !packages.iter().any(|package| package.split(' ').next() == Some(of_the_agent)),
                "{packages:?}"
            );
        }
    }
}

/// The Rust files of a folder, with their text.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![workspace().join(folder)];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("the folder can be listed").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("sources are UTF-8");
                let name = path.strip_prefix(workspace()).expect("it is in the workspace");
                found.push((name.to_string_lossy().replace('\\', "/"), text));
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "no Rust files in {folder}");
    found
}

/// The lines of a source that are no comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn runtime_and_protocols_read_no_schemas() {
    // Neither when they are built nor when they run.
    let schemas =
        ["include_str!", "include_bytes!", "schemas/", ".schema.json", "ludwire.toml", "jsonschema"];
    // The runtime reads and writes bridge files; the others have no business with files.
    let files = ["std::fs"];
    // The text of a schema in the code of a message.
    let texts = ["\"$ref\"", "\"$defs\"", "\"additionalProperties\"", "\\\"type\\\":"];
    for (folder, forbidden) in [
        ("generated/src", [&schemas[..], &files, &texts].concat()),
        ("macros/src", [&schemas[..], &files].concat()),
        ("runtime/src", schemas.to_vec()),
    ] {
        for (path, text) in sources(folder) {
            for forbidden in &forbidden {
                let found = code(&text).find(|line| line.contains(forbidden));
                assert_eq!(found, None, "{path} has {forbidden} in it");
            }
        }
    }
}

/// The code of a source, without its tests, which stand at the end.
fn code_without_tests(text: &str) -> impl Iterator<Item = &str> {
    code(text.split("#[cfg(test)]").next().unwrap_or_default())
}

#[test]
fn front_ends_and_clients_make_no_messages_by_hand() {
    // A `Value` or a text that is put together would be checked by nobody: all that goes out is written by the
    // generated types, and all that comes in is read by them.
    let by_hand = ["json!", "{{\\\"", "{\\\"", "r#\"{", "from_str::<Value>", "from_slice::<Value>"];
    // A file, and no message; and what a bridge file says, which others write as well.
    let others = ["runtime/src/gabp/bridge_file.rs", "runtime/src/client/target.rs"];
    let mut count = 0;
    for folder in ["runtime/src/gabp", "runtime/src/aicc", "runtime/src/aicontrol", "runtime/src/client"] {
        for (path, text) in sources(folder).into_iter().filter(|(path, _)| !others.contains(&path.as_str())) {
            count += 1;
            for by_hand in by_hand {
                let found = code_without_tests(&text).find(|line| line.contains(by_hand));
                assert_eq!(found, None, "{path} has {by_hand} in it");
            }
        }
    }
    assert!(count > 30, "{count} files were looked at");
}

#[test]
fn front_ends_know_the_core_and_not_each_other() {
    let protocols = ["gabp", "aicc", "aicontrol"];
    for own in protocols {
        for (path, text) in sources(&format!("runtime/src/{own}")) {
            for other in protocols.into_iter().filter(|other| *other != own) {
                for known in [format!("crate::{other}"), format!("protocols::{other}")] {
                    let found = code(&text).find(|line| line.contains(&known));
                    assert_eq!(found, None, "{path} knows {other}");
                }
            }
        }
    }
    // The core knows none of them: the host only knows that there are front ends. Nor does it name a protocol's
    // messages; what all protocols have in common, such as UUIDs, is in `support`.
    let beside_the_core = ["gabp/", "aicc/", "aicontrol/", "client/", "bin/"];
    let mut count = 0;
    for (path, text) in sources("runtime/src") {
        let name = path.strip_prefix("runtime/src/").expect("it lies there");
        // The front door has them all.
        if beside_the_core.iter().any(|folder| name.starts_with(folder)) || name == "lib.rs" {
            continue;
        }
        count += 1;
        for line in code_without_tests(&text) {
            let known = protocols.iter().find(|protocol| line.contains(&format!("crate::{protocol}")));
            assert_eq!(known, None, "{name}: {line}");
            let messages = line.replace("ludwire_protocols::support", "").contains("_protocols");
            assert!(!messages, "{name} names messages: {line}");
        }
    }
    assert!(count > 40, "{count} files were looked at");
}

#[test]
fn what_is_in_the_folder_of_generated_files_is_generated() {
    let config = config::read(&workspace().join("ludwire.toml")).expect("ludwire.toml is right");
    assert_eq!(
        (config.src.as_str(), config.hand_written.as_slice()),
        ("generated/src", &["lib.rs".to_owned()][..])
    );
    for (path, text) in
        sources("generated/src").into_iter().filter(|(path, _)| path != "generated/src/lib.rs")
    {
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("// @generated by ludwire "), "{path} starts with {first:?}");
        assert!(first.contains(ludwire_codegen::REGENERATE), "{path} does not say how it is made: {first}");
    }
}
