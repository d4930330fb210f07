//! Pages out of texts that want to be markup: a Markdown reader finds the texts as they went in, and
//! no more structure than plain words make.

use super::super::pages::value;
use super::*;
use crate::catalogue;
use crate::config::{self, Config, Kind};
use crate::diagnostics::Result;
use crate::ir;
use crate::json::{Json, Node};
use crate::{load, lower, overlay, resolve};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::Value as Model;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What texts are made of: whatever Markdown, HTML, Rust, a terminal or a person could take for more.
const PIECES: [&str; 72] = [
    "|",
    "||",
    "\\|",
    "`",
    "``",
    "```",
    "```\n",
    "~~~\n",
    "<",
    ">",
    "<b>",
    "</td>",
    "<!--",
    "-->",
    "--!>",
    "<script>alert(1)</script>",
    "_",
    "__",
    "*",
    "**",
    "~~",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    "    ",
    " ",
    "  \n",
    "\\",
    "\\\n",
    "*/",
    "/*",
    "//",
    "- ",
    "\n- ",
    "\n* ",
    "+ ",
    "\n1. ",
    "2) ",
    "# ",
    "\n## ",
    "> ",
    "\n---\n",
    "\n===\n",
    "[x](y)",
    "![i](j)",
    "[ref]: z",
    "[^1]",
    "[ ] ",
    "]",
    "(",
    ")",
    "&amp;",
    "&#60;",
    "&",
    "$",
    "$$x$$",
    "{.c}",
    "{#i}",
    "::: ",
    "http://e.org/?a=1&b=2",
    "www.e.org",
    "a@e.org",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{feff}",
    "אבג",
    "日本",
    "é",
    "\0",
];

/// Random texts, the same in every run.
struct Texts(fastrand::Rng);

impl Texts {
    /// A text that is seldom long, never blank, and that no other of this page is equal to.
    fn next(&mut self, number: usize) -> String {
        let Self(random) = self;
        let most = if random.u32(..400) == 0 { 4000 } else { 8 };
        let mut pieces: Vec<String> = (0..random.usize(1..=most))
            .map(|_| (*random.choice(&PIECES).expect("there are some")).to_owned())
            .collect();
        let at = random.usize(..=pieces.len());
        pieces.insert(at, format!("q{number}q"));
        pieces.concat()
    }
}

/// What a template decides by, and what it makes an address of, is no text.
pub(super) const NO_TEXTS: [&str; 26] = [
    "anchor",
    "class",
    "destructive",
    "file",
    "idempotent",
    "key",
    "kind",
    "of",
    "operation",
    "path",
    "per_minute",
    "per_session",
    "player",
    "read_only",
    "rest",
    "retry",
    "routing",
    "situation",
    "tag_anchors",
    "target",
    "template",
    "this",
    "thread",
    "timeout",
    "told_by",
    "version",
];

/// Maps in a model, whose keys stand as texts elsewhere.
const MAPS: [&str; 1] = ["links"];

fn is_map(key: &str) -> bool {
    MAPS.contains(&key)
}

/// The keys of the maps in a model.
fn names(model: &Model, found: &mut BTreeSet<String>) {
    match model {
        Model::Array(items) => items.iter().for_each(|item| names(item, found)),
        Model::Object(members) => {
            for (key, member) in members {
                if let (Model::Object(map), true) = (member, is_map(key)) {
                    found.extend(map.keys().cloned());
                }
                names(member, found);
            }
        }
        _ => {}
    }
}

/// Puts other texts in place of all in a model; the same for the same name, so that maps still know it.
pub(super) struct Replacing<'a> {
    names: BTreeSet<String>,
    replaced: BTreeMap<String, String>,
    make: &'a mut dyn FnMut() -> String,
}

impl Replacing<'_> {
    pub(super) fn all(model: &mut Model, make: &mut dyn FnMut() -> String) {
        let mut found = BTreeSet::new();
        names(model, &mut found);
        Replacing { names: found, replaced: BTreeMap::new(), make }.of(model, "");
    }

    fn text(&mut self, text: &str) -> String {
        match self.replaced.get(text) {
            Some(other) => other.clone(),
            None => {
                let other = (self.make)();
                if self.names.contains(text) {
                    self.replaced.insert(text.to_owned(), other.clone());
                }
                other
            }
        }
    }

    fn of(&mut self, model: &mut Model, key: &str) {
        match model {
            Model::String(text) if !NO_TEXTS.contains(&key) && !text.is_empty() => *text = self.text(text),
            Model::Array(items) => items.iter_mut().for_each(|item| self.of(item, key)),
            map if is_map(key) => {
                let old = std::mem::take(map.as_object_mut().expect("a map is an object"));
                let members = map.as_object_mut().expect("a map is an object");
                for (name, mut member) in old {
                    self.of(&mut member, "");
                    let name = if self.names.contains(&name) { self.text(&name) } else { name };
                    members.insert(name, member);
                }
            }
            Model::Object(members) => members.iter_mut().for_each(|(key, value)| self.of(value, key)),
            _ => {}
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Seen {
    Text(String),
    Structure(String),
}

/// What a Markdown reader sees, as far as it matters: neighbouring texts are one, and so are
/// neighbouring paragraphs. White space, letter case and the fences of code do not count.
fn seen(page: &str) -> Vec<Seen> {
    let options = Options::all().difference(
        // What GitHub does not know: "…" for three full stops, a^b^, {.class} behind a heading.
        Options::ENABLE_SMART_PUNCTUATION
            | Options::ENABLE_SUPERSCRIPT
            | Options::ENABLE_SUBSCRIPT
            | Options::ENABLE_HEADING_ATTRIBUTES,
    );
    let mut seen: Vec<Seen> = Vec::new();
    for event in Parser::new_ext(page, options) {
        let structure = match event {
            Event::Text(text) | Event::Code(text) => {
                add(&mut seen, &text);
                continue;
            }
            Event::Html(html) => {
                let inside = html.strip_prefix("<!-- ").and_then(|html| html.strip_suffix("-->\n"));
                let inside = inside.unwrap_or_else(|| panic!("{html} in {page}"));
                assert!(!inside.contains("-->") && !inside.contains("--!>"), "{html}");
                add(&mut seen, &inside.replace("--&gt;", "-->").replace("--!&gt;", "--!>"));
                continue;
            }
            Event::SoftBreak | Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => continue,
            Event::InlineHtml(html) if ["<br>", "<code>", "</code>"].contains(&html.as_ref()) => continue,
            Event::InlineHtml(html) if html.starts_with("<a id=\"") => {
                let id = html.strip_prefix("<a id=\"").and_then(|html| html.strip_suffix("\">"));
                assert!(id.is_some_and(|id| !id.contains(['<', '>', '&', '"'])), "{html}");
                "anchor".to_owned()
            }
            Event::Start(Tag::Link { .. }) => "link".to_owned(),
            Event::Start(Tag::Table(columns)) => format!("table of {}", columns.len()),
            // A code block that a template makes has its lines as they are.
            other => format!("{other:?}"),
        };
        seen.push(Seen::Structure(structure));
    }
    seen
}

fn add(seen: &mut Vec<Seen>, text: &str) {
    let text = shown(text);
    match seen.last_mut() {
        Some(Seen::Text(before)) => before.push_str(&text),
        _ if text.is_empty() => {}
        _ => seen.push(Seen::Text(text)),
    }
}

/// What is left of a text.
fn shown(text: &str) -> String {
    let reorders = |c: char| ('\u{202a}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c);
    let text = text.chars().filter(|c| !c.is_whitespace() && !c.is_control() && *c != '`');
    text.map(|c| if reorders(c) { '\u{fffd}' } else { c }).flat_map(char::to_lowercase).collect()
}

/// Looks whether `page`, made of `texts`, is `plain`, made of tokens, with the texts in their places.
fn compare(plain: &str, page: &str, texts: &[String]) {
    let mut expected = Vec::new();
    for part in seen(plain) {
        match part {
            Seen::Text(text) => {
                let filled = filled(&text, texts);
                if !filled.is_empty() {
                    expected.push(Seen::Text(filled));
                }
            }
            structure => expected.push(structure),
        }
    }
    let found = seen(page);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

fn filled(text: &str, texts: &[String]) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{e000}") {
        let (number, after) = after.split_once('\u{e001}').expect("both are there");
        filled.push_str(before);
        filled.push_str(&shown(&texts[number.parse::<usize>().expect("it is a number")]));
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// A text that is none, for a place that `filled` finds again.
pub(super) fn token(number: usize) -> String {
    format!("\u{e000}{number}\u{e001}")
}

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub(super) fn protocols() -> (Config, Vec<Pages>) {
    let config = config::read(&root().join("ludwire.toml")).expect("it is right");
    let pages = crate::protocol_pages(&config).expect("the schemas are right");
    (config, pages)
}

/// Every text of every model of ours, in every page.
#[test]
fn texts_of_a_model_come_back_as_they_went_in() {
    let templates = Templates::new(None).expect("they are ours");
    let mut texts = Texts(fastrand::Rng::with_seed(8));
    let (mut pages, mut replaced) = (0, 0);
    for set in protocols().1 {
        let set = serde_json::to_value(&set).expect("it is JSON");
        for page in set["pages"].as_array().expect("there are some") {
            let mut model = set["model"].clone();
            let own = page["model"].as_object().cloned().unwrap_or_default();
            model.as_object_mut().expect("it is one").extend(own);
            let template = page["template"].as_str().expect("it has one");
            let render = |model: &Model| {
                templates.render(template, &value(model)).unwrap_or_else(|error| panic!("{error}"))
            };
            let mut plain = model.clone();
            let mut count = 0;
            Replacing::all(&mut plain, &mut || {
                count += 1;
                token(count - 1)
            });
            let plain = render(&plain);
            for _ in 0..3 {
                let mut evil = Vec::new();
                let mut hostile = model.clone();
                Replacing::all(&mut hostile, &mut || {
                    evil.push(texts.next(evil.len()));
                    evil[evil.len() - 1].clone()
                });
                compare(&plain, &render(&hostile), &evil);
                replaced += evil.len();
            }
            pages += 1;
        }
    }
    assert!(pages > 8 && replaced > 10_000, "{pages} pages, {replaced} texts");
}

/// A protocol of ours, with `make` in place of every description of its schemas.
fn described(config: &Config, name: &str, make: &mut impl FnMut() -> String) -> Result<ir::Protocol> {
    let of = config.protocols.iter().find(|of| of.name == name).expect("it is ours");
    let overlay = overlay::read(config, of)?;
    let mut source = match of.kind {
        Kind::JsonSchema => load::folder(config, &of.schemas)?,
        Kind::Catalogue => catalogue::source(load::file(config, &of.schemas)?)?,
    };
    overlay::apply(&overlay, &mut source)?;
    source.documents.iter_mut().for_each(|document| describe(&mut document.root, make));
    let mut graph = resolve::graph(&source.documents)?;
    if let Some(reading) = &source.reading {
        graph = resolve::join(graph, resolve::graph(reading)?);
    }
    lower::protocol(of, source, &overlay, &graph)
}

fn describe(node: &mut Node, make: &mut impl FnMut() -> String) {
    match &mut node.value {
        Json::Object(members) => {
            for member in members {
                match &mut member.node.value {
                    Json::String(text) if member.name == "description" => *text = make(),
                    _ => describe(&mut member.node, make),
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| describe(item, make)),
        _ => {}
    }
}

/// Every description of every schema of ours, from the file to the page.
#[test]
fn descriptions_of_schemas_come_back_as_they_went_in() {
    let templates = Templates::new(None).expect("they are ours");
    let config = protocols().0;
    let mut texts = Texts(fastrand::Rng::with_seed(88));
    for of in &config.protocols {
        let render = |make: &mut dyn FnMut() -> String| {
            let protocol = described(&config, &of.name, &mut || make()).expect("only words have changed");
            pages(&protocol, Some(of), "make").render(&templates).expect("all links lead somewhere")
        };
        let mut count = 0;
        let plain = render(&mut || {
            count += 1;
            token(count - 1)
        });
        let mut evil = Vec::new();
        let hostile = render(&mut || {
            evil.push(texts.next(evil.len()));
            evil[evil.len() - 1].clone()
        });
        assert!(evil.len() > 20 && plain.len() == hostile.len(), "{}", of.name);
        for (plain, hostile) in plain.iter().zip(&hostile) {
            compare(&plain.content, &hostile.content, &evil);
        }
    }
}
