//! Suites on the disk: the official form, and the form of our own cases.

use super::{Group, Test};
use ludwire_codegen::Formats;
use ludwire_codegen::json::{Json, Node};
use ludwire_codegen::load;
use std::fs;
use std::path::{Path, PathBuf};

/// How the files of a suite are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `[{description, schema, tests: [{description, data, valid}]}]`
    Official,
    /// `{name, why, schema, files?, accept, reject}` or `{name, why, schema, files?, refuse}`
    Case,
}

/// The groups of a file, or of all `.json` files right in a folder, by name.
///
/// # Errors
///
/// What can't be read, and what has neither of the two forms.
pub fn groups(path: &Path) -> Result<Vec<Group>, String> {
    let mut groups = Vec::new();
    for file in files(path)? {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let root = load::json(&file.display().to_string(), &text).map_err(|problems| problems.to_string())?;
        let keyword = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let read = match form(&root) {
            Form::Official => root.items().iter().map(|node| official(node, keyword)).collect(),
            Form::Case => case(&root, keyword).map(|group| vec![group]),
        };
        let read: Result<Vec<Group>, String> = read;
        groups.extend(read.map_err(|error| format!("{}: {error}", file.display()))?);
    }
    Ok(groups)
}

/// Which form a file has.
fn form(root: &Node) -> Form {
    if matches!(root.value, Json::Array(_)) { Form::Official } else { Form::Case }
}

/// The files of a suite, by name; a folder without any is a mistake.
fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(|error| format!("{}: {error}", path.display()))?.path();
        if file.extension().is_some_and(|extension| extension == "json") {
            files.push(file);
        }
    }
    if files.is_empty() {
        return Err(format!("{}: there is no .json file", path.display()));
    }
    files.sort();
    Ok(files)
}

fn official(node: &Node, keyword: &str) -> Result<Group, String> {
    let name = text(node, "description")?;
    let tests = member(node, "tests")?.items().iter().map(|test| {
        Ok(Test {
            name: text(test, "description")?,
            document: member(test, "data")?.to_string(),
            valid: matches!(member(test, "valid")?.value, Json::Bool(true)),
        })
    });
    Ok(Group {
        keyword: keyword.to_owned(),
        name,
        schema: member(node, "schema")?.to_string(),
        files: Vec::new(),
        tests: tests.collect::<Result<_, String>>()?,
        // Its tests are about formats that say nothing, as the standard has it by default.
        formats: (keyword == "format").then_some(Formats::Annotate),
        refuse: None,
    })
}

fn case(node: &Node, keyword: &str) -> Result<Group, String> {
    let name = text(node, "name")?;
    if name != keyword {
        return Err(format!("the case is called {name}, its file {keyword}"));
    }
    let refuse = node.get("refuse").and_then(Node::as_str).map(str::to_owned);
    let mut tests = Vec::new();
    for (kind, valid) in [("accept", true), ("reject", false)] {
        let documents = match &refuse {
            Some(_) => &[],
            None => member(node, kind)?.items(),
        };
        for (index, document) in documents.iter().enumerate() {
            let name = format!("{kind} {}", index + 1);
            tests.push(Test { name, document: document.to_string(), valid });
        }
    }
    let files = node.get("files").map(Node::members).unwrap_or_default();
    Ok(Group {
        keyword: keyword.to_owned(),
        name: text(node, "why")?,
        schema: member(node, "schema")?.to_string(),
        files: files.iter().map(|file| (file.name.clone(), file.node.to_string())).collect(),
        tests,
        formats: None,
        refuse,
    })
}

fn member<'n>(node: &'n Node, name: &str) -> Result<&'n Node, String> {
    node.get(name).ok_or_else(|| format!("line {}: there is no `{name}`", node.span.line))
}

fn text(node: &Node, name: &str) -> Result<String, String> {
    let text = member(node, name)?.as_str();
    text.map(str::to_owned).ok_or_else(|| format!("line {}: `{name}` is no text", node.span.line))
}
