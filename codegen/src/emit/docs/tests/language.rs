//! Whoever replaces the templates replaces every word of ours, on every page.

use super::super::pages::value;
use super::hostile::{NO_TEXTS, Replacing, protocols, token};
use super::*;
use crate::emit::docs::game::{self, Manifest};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value as Model, json};
use std::path::{Path, PathBuf};

/// What stands for each letter of a template in a language of another script.
const LETTER: char = 'ж';

/// Which part of a template is being read.
#[derive(Clone, Copy, PartialEq)]
enum In {
    Text,
    Code,
    Tag,
    Comment,
    Target,
    Expression,
}

/// A template in that language: its texts, and what its expressions print of their own.
fn translated(template: &str) -> String {
    let mut out = String::new();
    let mut at = In::Text;
    let mut rest = template;
    while let Some(c) = rest.chars().next() {
        let next = match at {
            _ if at != In::Expression
                && (rest.starts_with("{{") || rest.starts_with("{%") || rest.starts_with("{#")) =>
            {
                let close = match &rest[..2] {
                    "{{" => "}}",
                    "{%" => "%}",
                    _ => "#}",
                };
                let end = rest.find(close).expect("it is closed") + 2;
                out.push_str(&expression(&rest[..end]));
                rest = &rest[end..];
                continue;
            }
            In::Text if rest.starts_with("<!--") => In::Comment,
            In::Text if rest.starts_with('<') => In::Tag,
            In::Text if rest.starts_with("](") => In::Target,
            In::Text if c == '`' => In::Code,
            In::Code if c == '`' => In::Text,
            In::Tag if c == '>' => In::Text,
            In::Target if c == ')' => In::Text,
            In::Comment if rest.starts_with("-->") => In::Text,
            other => other,
        };
        let is_letter = at == In::Text && next == In::Text && c.is_ascii_alphabetic();
        out.push(if is_letter { LETTER } else { c });
        rest = &rest[c.len_utf8()..];
        at = next;
    }
    out
}

/// Only what is printed is translated: words with a capital letter, and the ends of a choice.
fn expression(written: &str) -> String {
    let mut parts: Vec<String> = written.split('"').map(str::to_owned).collect();
    for at in (1..parts.len()).step_by(2) {
        let word = parts[at].clone();
        let (before, after) = (parts[at - 1].clone(), parts.get(at + 1).cloned().unwrap_or_default());
        let is_words = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == ' ');
        let is_choice = before.ends_with("else ") || (after.starts_with(" if ") && !before.ends_with("== "));
        if is_words && (word.starts_with(|c: char| c.is_uppercase()) || is_choice) {
            parts[at] = word.chars().map(|c| if c == ' ' { c } else { LETTER }).collect();
        }
    }
    parts.join("\"")
}

/// A folder with all templates in that language; it goes at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("ludwire-language-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
        let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates");
        for entry in fs::read_dir(ours).expect("they are there") {
            let entry = entry.expect("it is readable");
            if entry.file_name() != "README.md" {
                let source = fs::read_to_string(entry.path()).expect("it is UTF-8");
                fs::write(folder.join(entry.file_name()), translated(&source)).expect("it is writable");
            }
        }
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The words of a page in our letters, all but code.
fn ours(page: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut is_code = false;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            Event::Text(text) if !is_code => {
                // Where a file is.
                let said = text.split_whitespace().filter(|word| !word.contains('/'));
                let found = said.flat_map(|word| word.split(|c: char| !c.is_ascii_alphabetic()));
                words.extend(found.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            _ => {}
        }
    }
    words
}

/// A game with whatever a page can be made of.
fn game() -> Pages {
    let input = json!({
        "type": "object", "required": ["a"],
        "properties": { "a": { "type": ["integer", "null"], "minimum": 1 }, "b": { "type": "array", "items": { "type": "string" } },
                        "c": { "const": 1 }, "d": { "type": "object", "properties": { "e": { "type": "boolean", "default": true } } } },
    });
    let tools = json!([
        { "name": "a/b", "description": "Does it.", "tags": ["c"], "inputSchema": input, "outputSchema": input },
        { "name": "a/c", "deprecated": true },
    ]);
    let manifest = json!({
        "format": game::FORMAT, "name": "Sea", "version": "1", "tools": tools,
        "annotations": { "a/b": { "class": "sensor", "requires": ["x"], "thread": "worker", "limits": { "perMinute": 1 } } },
        "events": [{ "channel": "a/e", "description": "It ends.", "schema": input, "topic": "a.e" }],
        "resources": [{ "uri": "gabp://a", "name": "A", "description": "All.", "mimeType": "text/plain", "schema": input }],
        "state": [{ "name": "s", "description": "It.", "schema": input, "writable": true, "player": "optional" }],
        "observation": input,
    });
    game::pages(&Manifest::of(&manifest, "sea.json").expect("it is a manifest"), "make")
}

#[test]
fn every_word_of_ours_is_in_a_template() {
    let folder = Folder::new();
    let templates = Templates::new(Some((&folder.0, "translated"))).expect("they are templates");
    let (mut pages, mut letters) = (0, 0);
    for set in protocols().1.iter().chain([&game()]) {
        let set = serde_json::to_value(set).expect("it is JSON");
        for page in set["pages"].as_array().expect("there are some") {
            let mut model = set["model"].clone();
            model
                .as_object_mut()
                .expect("it is one")
                .extend(page["model"].as_object().cloned().unwrap_or_default());
            let mut count = 0;
            Replacing::all(&mut model, &mut || {
                count += 1;
                token(count)
            });
            let template = page["template"].as_str().expect("it has one");
            let text = templates.render(template, &value(&model)).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(ours(&text), [""; 0], "{template}: {text}");
            pages += 1;
            letters += text.matches(LETTER).count();
        }
    }
    assert!(pages > 8 && letters > 10_000, "{pages} pages, {letters} letters");
}

/// What our code puts into a model it does not put into words: all prose comes from a schema, an overlay or a
/// guide. What is said of a catalogue's messages has names, by which a template says it.
#[test]
fn every_text_of_a_model_is_its_source_s_own() {
    let (config, sets) = protocols();
    let mut own = String::new();
    texts_of(&config.root.join("schemas"), &mut own);
    let (mut found, mut looked) = (Vec::new(), 0);
    for set in &sets {
        let set = serde_json::to_value(set).expect("it is JSON");
        prose(&set, &mut |text| {
            if crate::catalogue::phrases::named(text).is_some() {
                return;
            }
            for sentence in text.split(['.', ':', ';', '\n']).map(plain).filter(|one| one.contains(' ')) {
                looked += 1;
                if !own.contains(&sentence) && !found.contains(&sentence) {
                    found.push(sentence);
                }
            }
        });
    }
    assert!(looked > 1000, "{looked}");
    assert_eq!(found, [""; 0]);
}

/// Words and blanks only.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// All texts in the JSON files below a folder.
fn texts_of(folder: &Path, own: &mut String) {
    for entry in fs::read_dir(folder).expect("it is there") {
        let path = entry.expect("it is readable").path();
        if path.is_dir() {
            texts_of(&path, own);
        } else if path.extension().is_some_and(|end| end == "json") {
            let text = fs::read_to_string(&path).expect("it is UTF-8");
            own.push_str(&plain(&text.replace("\\n", " ").replace("\\\"", " ")));
            own.push('\n');
        }
    }
}

/// Names of things and of files, and commands.
const NO_PROSE: [&str; 12] = [
    "command",
    "examples_file",
    "id",
    "label",
    "member",
    "name",
    "origin",
    "overlay",
    "rust",
    "schemas",
    "title",
    "wire",
];

/// Values, patterns, anchors, pointers and messages.
fn is_code(text: &str) -> bool {
    text.starts_with(['{', '[', '"', '^', '#', '/']) || text.starts_with("Content-Length: ")
}

/// The strings of a model that say something: neither names that templates decide by, nor code.
fn prose(model: &Model, see: &mut impl FnMut(&str)) {
    match model {
        Model::Array(items) => items.iter().for_each(|item| prose(item, see)),
        Model::Object(members) => {
            for (key, member) in members {
                match member {
                    _ if key == "links" => {}
                    Model::String(_)
                        if NO_PROSE.contains(&key.as_str()) || NO_TEXTS.contains(&key.as_str()) => {}
                    Model::String(text) if is_code(text) => {}
                    Model::String(text) => see(text),
                    other => prose(other, see),
                }
            }
        }
        Model::String(text) => see(text),
        _ => {}
    }
}
