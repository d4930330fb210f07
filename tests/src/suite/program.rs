//! Programs of many modules: a package whose binaries hold the support code and a chunk of modules
//! each, and read documents with their types.

use super::{Options, folder};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// What became of a module.
pub(super) enum Verdict {
    /// What its type said to each document: `accept`, `reject`, `unfaithful` or a panic's message.
    Answers(Vec<String>),
    /// It does not compile.
    Uncompilable(String),
}

/// Compiles the modules, each of which has a number, and puts the documents of each to it.
pub(super) fn run(
    options: &Options,
    modules: &[(usize, &str)],
    documents: &[Vec<&str>],
) -> Result<Vec<Verdict>, String> {
    let root = folder().join(&options.name);
    let chunks: Vec<&[(usize, &str)]> = modules.chunks(options.chunk.max(1)).collect();
    write_package(&root, &chunks)?;
    let broken = build(&root, &chunks)?;
    let mut verdicts = Vec::new();
    let mut documents = documents.iter();
    for (number, chunk) in chunks.iter().enumerate() {
        let mut input = String::new();
        let mut counts = Vec::new();
        for (index, _) in *chunk {
            let own = documents.next().ok_or("a module has no list of documents")?;
            let own: &[&str] = if broken.contains_key(index) { &[] } else { own };
            counts.push(own.len());
            own.iter().for_each(|document| input.push_str(&format!("{index} {document}\n")));
        }
        let mut answers = ask(&root, number, &input)?.into_iter();
        for ((index, _), count) in chunk.iter().zip(counts) {
            verdicts.push(match broken.get(index) {
                Some(message) => Verdict::Uncompilable(message.clone()),
                None => Verdict::Answers(answers.by_ref().take(count).collect()),
            });
        }
    }
    Ok(verdicts)
}

fn write_package(root: &Path, chunks: &[&[(usize, &str)]]) -> Result<(), String> {
    let at = |error: std::io::Error| format!("{}: {error}", root.display());
    let src = root.join("src");
    if src.exists() {
        fs::remove_dir_all(&src).map_err(at)?;
    }
    fs::create_dir_all(&src).map_err(at)?;
    let manifest = format!(
        "[package]\nname = \"suite\"\nversion = \"0.0.0\"\nedition = \"2021\"\npublish = false\n\n\
         [workspace]\n\n[profile.dev]\ndebug = 0\nincremental = false\n\n[dependencies]\n{}",
        ludwire_codegen::emit::rust::DEPENDENCIES
    );
    fs::write(root.join("Cargo.toml"), manifest).map_err(at)?;
    // The same versions as in the workspace; cargo drops what the package does not use.
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, root.join("Cargo.lock")).map_err(at)?;
    let support = ludwire_codegen::emit::rust::support().map_err(|problems| problems.to_string())?;
    fs::write(src.join("support.rs"), support).map_err(at)?;
    for (number, chunk) in chunks.iter().enumerate() {
        let folder = src.join("bin").join(bin(root, number));
        fs::create_dir_all(&folder).map_err(at)?;
        for (index, code) in *chunk {
            fs::write(folder.join(format!("m{index}.rs")), code).map_err(at)?;
        }
        write_main(root, number, chunk, &BTreeMap::new())?;
    }
    Ok(())
}

/// The main file of a chunk, without the modules that do not compile.
fn write_main(
    root: &Path,
    number: usize,
    chunk: &[(usize, &str)],
    broken: &BTreeMap<usize, String>,
) -> Result<(), String> {
    let mut modules = String::new();
    let mut arms = String::new();
    for (index, code) in chunk.iter().filter(|(index, _)| !broken.contains_key(index)) {
        modules.push_str(&format!("mod m{index};\n"));
        // A file of definitions has no root: it says nothing of a document.
        let root =
            if [" Root ", " Root(", " Root<", " Root;", " Root="].iter().any(|name| code.contains(name)) {
                format!("m{index}::Root")
            } else {
                "serde_json::Value".to_owned()
            };
        arms.push_str(&format!("            \"{index}\" => put::<{root}>(text),\n"));
    }
    let text = format!(
        "#![deny(warnings)]\ninclude!(\"../../support.rs\");\n{modules}\n{}",
        MAIN.replace("            // arms\n", &arms)
    );
    let path = root.join("src/bin").join(bin(root, number)).join("main.rs");
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

const MAIN: &str = r#"use std::io::BufRead as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn put<T: serde::Serialize + serde::de::DeserializeOwned + Clone + PartialEq + Send + Sync>(text: &str) -> String {
    let read = || {
        let Ok(value) = serde_json::from_str::<T>(text) else { return "reject" };
        let Ok(written) = serde_json::to_string(&value) else { return "unfaithful" };
        match serde_json::from_str::<T>(&written) {
            Ok(again) if again == value.clone() => "accept",
            _ => "unfaithful",
        }
    };
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(answer) => answer.to_owned(),
        Err(_) => "the reader panicked".to_owned(),
    }
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("the runner writes whole lines");
        let (index, text) = line.split_once(' ').expect("the runner writes a number and a document");
        let answer = match index {
            // arms
            _ => put::<serde_json::Value>(text),
        };
        println!("{answer}");
    }
}
"#;

/// Builds all chunks, and leaves out module after module until the rest compiles.
fn build(root: &Path, chunks: &[&[(usize, &str)]]) -> Result<BTreeMap<usize, String>, String> {
    let mut broken: BTreeMap<usize, String> = BTreeMap::new();
    loop {
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--offline", "--quiet", "--keep-going", "--message-format=json"])
            .current_dir(root)
            .env("CARGO_TARGET_DIR", folder().join("target"))
            .env_remove("RUSTFLAGS")
            .stderr(Stdio::piped())
            .output()
            .map_err(|error| format!("cargo does not start: {error}"))?;
        if output.status.success() {
            return Ok(broken);
        }
        let mut changed = BTreeSet::new();
        let mut other = Vec::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let message = &line["message"];
            if line["reason"] != "compiler-message" || message["level"] != "error" {
                continue;
            }
            let text = message["rendered"].as_str().unwrap_or_default();
            match place(message) {
                Some((chunk, index)) => {
                    broken.entry(index).or_insert_with(|| text.trim().to_owned());
                    changed.insert(chunk);
                }
                None => other.push(text.to_owned()),
            }
        }
        if changed.is_empty() {
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("the program does not compile: {stderr}{}", other.join("\n")));
        }
        for chunk in changed {
            write_main(root, chunk, chunks[chunk], &broken)?;
        }
    }
}

/// The chunk and the module that an error of the compiler is in.
fn place(message: &Value) -> Option<(usize, usize)> {
    let spans = message["spans"].as_array()?;
    let primary = spans.iter().filter(|span| span["is_primary"] == true);
    primary.chain(spans).find_map(|span| {
        let file = span["file_name"].as_str()?;
        let (_, rest) = file.split_once("chunk_")?;
        let (chunk, file) = rest.split_once(['/', '\\'])?;
        let index = file.strip_prefix('m')?.strip_suffix(".rs")?;
        Some((chunk.parse().ok()?, index.parse().ok()?))
    })
}

/// The name of a chunk's binary. All suites share a folder of output, and those that run at once must
/// not run each other's programs.
fn bin(root: &Path, chunk: usize) -> String {
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("{name}_chunk_{chunk}")
}

/// Runs a chunk: a line of input a document, a line of output an answer.
fn ask(root: &Path, chunk: usize, input: &str) -> Result<Vec<String>, String> {
    let program =
        folder().join("target/debug").join(format!("{}{}", bin(root, chunk), std::env::consts::EXE_SUFFIX));
    let mut child = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let mut stdin = child.stdin.take().ok_or("the program has no input")?;
    let input = input.to_owned();
    // The program may fill its output while we still write its input. It may also die early.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().map_err(|error| format!("{}: {error}", program.display()))?;
    let _ = writer.join();
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}
