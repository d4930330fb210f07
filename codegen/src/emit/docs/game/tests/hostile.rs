//! Manifests that mean ill.

use super::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// What means something to Markdown, to HTML, to a template, to a shell or to a path.
const PARTS: [&str; 36] = [
    "a", "B", " ", "|", "\\", "`", "```", "~~~", "*", "*/", "_", "<b>", "</td>", "-->", "<!--", "&amp;",
    "[x](y)", "![", "#", "\n", "\n\n", "\r\n", "- ", "1. ", "    ", "../", "/", ":", "'", "\"", "$(id)",
    "{{ x }}", "{% if %}", "\u{202e}", "\u{2028}", "ü",
];

fn text(rng: &mut fastrand::Rng) -> String {
    (0..rng.usize(1..8)).map(|_| PARTS[rng.usize(..PARTS.len())]).collect()
}

/// A text that is not empty when it is shown.
fn name(rng: &mut fastrand::Rng, end: &str) -> String {
    format!("{}{end}", text(rng))
}

/// A manifest whose texts are all like that; with the same seed, and `plain`, of the same form without them.
fn hostile(rng: &mut fastrand::Rng, plain: bool) -> Json {
    let mut number = 0;
    let mut say = |rng: &mut fastrand::Rng, end: &str| {
        let said = name(rng, end);
        number += 1;
        if plain { format!("x{number}{end}") } else { said }
    };
    let schema = |say: &mut dyn FnMut(&mut fastrand::Rng, &str) -> String, rng: &mut fastrand::Rng| {
        let (one, two, three) = (say(rng, "1"), say(rng, "2"), say(rng, "3"));
        json!({
            "type": "object", "required": [one],
            "properties": {
                one: { "type": "string", "description": say(rng, "d"), "default": say(rng, "e"), "deprecated": true },
                two: { "enum": [say(rng, "f"), say(rng, "g")], "description": say(rng, "h") },
                three: { "type": "object", "title": say(rng, "i"), "properties": { say(rng, "j"): { "type": "string", "format": say(rng, "k") } } },
            },
        })
    };
    let mut tools = Vec::new();
    let mut annotations = serde_json::Map::new();
    for (at, class) in ["sensor", "actuator", "?"].into_iter().enumerate() {
        let name = say(rng, &at.to_string());
        annotations.insert(
            name.clone(),
            json!({ "class": class, "requires": [say(rng, "n")], "thread": say(rng, "o"), "names": { "aicontrol": say(rng, "p") } }),
        );
        tools.push(json!({
            "name": name, "title": say(rng, "q"), "description": say(rng, "r"), "tags": [say(rng, "s"), say(rng, "t")],
            "version": say(rng, "u"), "inputSchema": schema(&mut say, rng), "outputSchema": schema(&mut say, rng),
        }));
    }
    json!({
        "format": FORMAT, "name": say(rng, "v"), "version": say(rng, "w"), "tools": tools, "annotations": annotations,
        "events": [{ "channel": say(rng, "x"), "description": say(rng, "y"), "schema": schema(&mut say, rng), "topic": say(rng, "z") }],
        "resources": [{ "uri": say(rng, "1"), "name": say(rng, "2"), "description": say(rng, "3"), "mimeType": say(rng, "4") }],
        "state": [{ "name": say(rng, "5"), "description": say(rng, "6"), "schema": schema(&mut say, rng), "writable": true }],
        "observation": schema(&mut say, rng),
    })
}

/// What a Markdown reader finds on a page.
#[derive(Default)]
struct Read {
    /// Tables with the columns of their rows, headings, code blocks.
    skeleton: Vec<String>,
    cells: Vec<String>,
    blocks: Vec<String>,
    targets: Vec<String>,
    ids: Vec<String>,
}

fn read(page: &str) -> Read {
    let mut read = Read::default();
    let (mut columns, mut cell, mut block) = (0, String::new(), None::<String>);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    for event in Parser::new_ext(page, options) {
        match event {
            Event::Start(Tag::TableCell) => cell.clear(),
            Event::End(TagEnd::TableCell) => {
                columns += 1;
                read.cells.push(std::mem::take(&mut cell));
            }
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => {
                read.skeleton.push(format!("row of {columns}"));
                columns = 0;
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                // A name that cannot be written on a line of a shell has no such line.
                if !format!("{kind:?}").contains("\"sh\"") {
                    read.skeleton.push(format!("{kind:?}"));
                }
                block = Some(String::new());
            }
            Event::End(TagEnd::CodeBlock) => read.blocks.extend(block.take()),
            Event::Start(Tag::Link { dest_url, .. }) => read.targets.push(dest_url.to_string()),
            Event::Start(Tag::Heading { level, .. }) => read.skeleton.push(level.to_string()),
            Event::Start(
                tag @ (Tag::Image { .. }
                | Tag::BlockQuote(_)
                | Tag::Emphasis
                | Tag::Strikethrough
                | Tag::FootnoteDefinition(_)),
            ) => {
                panic!("{tag:?} in {page}");
            }
            Event::Start(Tag::List(_)) => read.skeleton.push("list".to_owned()),
            Event::Html(html) => {
                assert!(html.starts_with("<!-- ") && html.matches('\n').count() == 1, "{html}")
            }
            Event::InlineHtml(html) => {
                match html.strip_prefix("<a id=\"").and_then(|rest| rest.strip_suffix("\">")) {
                    Some(id) => read.ids.push(id.to_owned()),
                    None => assert!(
                        ["<br>", "</a>", "<code>", "</code>"].contains(&html.as_ref()),
                        "{html} in {page}"
                    ),
                }
            }
            Event::Text(text) | Event::Code(text) => match &mut block {
                Some(block) => block.push_str(&text),
                None => cell.push_str(&text),
            },
            Event::Rule => panic!("a rule in {page}"),
            _ => {}
        }
    }
    read
}

/// The characters of a text that are seen, wherever its lines break, and but for backticks, which make code.
fn seen(text: &str) -> String {
    let seen = |c: char| match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some('\u{fffd}'),
        c if c.is_whitespace() || c.is_control() || c == '`' => None,
        c => Some(c),
    };
    text.chars().filter_map(seen).collect()
}

#[test]
fn no_text_breaks_a_page() {
    let seed = std::env::var("LUDWIRE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(11);
    for seed in seed..seed + 60 {
        let wild = hostile(&mut fastrand::Rng::with_seed(seed), false);
        let pages = rendered(&wild);
        let plain = rendered(&hostile(&mut fastrand::Rng::with_seed(seed), true));
        assert_eq!(pages.len(), plain.len(), "seed {seed}");
        let model = Manifest::of(&wild, "sea.json").expect("it is a manifest");
        let models = json!(super::pages(&model, ""));
        let models = models["pages"].as_array().expect("a list of pages");
        let reads: BTreeMap<&String, Read> = pages.iter().map(|(path, page)| (path, read(page))).collect();
        for (path, read) in &reads {
            let segments: Vec<&str> = path.split('/').collect();
            assert!(segments.iter().all(|part| !part.is_empty() && !part.starts_with('.')), "{path}");
            assert!(
                path.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "/._-=".contains(c)),
                "{path}"
            );
            let ids: BTreeSet<&String> = read.ids.iter().collect();
            assert_eq!(ids.len(), read.ids.len(), "{path}: {:?}", read.ids);
            for target in &read.targets {
                let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
                let file = if file.is_empty() { (*path).clone() } else { resolved(path, file) };
                let there =
                    reads.get(&file).unwrap_or_else(|| panic!("seed {seed}: {path} leads to {target}"));
                assert!(
                    anchor.is_empty() || there.ids.iter().any(|id| id == anchor),
                    "seed {seed}: {path} leads to {target}"
                );
            }
            // What the model says stands in the cells, letter by letter.
            let page =
                models.iter().find(|page| page["path"] == path.as_str()).expect("each page has a model");
            let page = &page["model"]["page"];
            let cells: BTreeSet<String> = read.cells.iter().map(|cell| seen(cell)).collect();
            for row in
                ["arguments", "result"].iter().filter_map(|part| page[*part]["rows"].as_array()).flatten()
            {
                let name = seen(row["name"].as_str().expect("a name"));
                assert!(cells.contains(&name), "seed {seed}, {path}: {name:?} in {cells:?}");
                let about = seen(row["description"].as_str().expect("a text"));
                assert!(
                    cells.iter().any(|cell| cell.ends_with(&about)),
                    "seed {seed}, {path}: {about:?} in {cells:?}"
                );
            }
            for form in ["gabp", "aicc", "ai_control", "rust", "agent"] {
                let call = page["call"][form].as_str().unwrap_or_default();
                assert!(
                    call.is_empty() || read.blocks.contains(&format!("{call}\n")),
                    "seed {seed}, {path}: {call:?} in {:?}",
                    read.blocks
                );
            }
        }
        // A hostile name sorts elsewhere, so pages are compared as a whole.
        let skeletons = |pages: &BTreeMap<String, String>| {
            let mut all: Vec<Vec<String>> = pages
                .iter()
                .filter(|(path, _)| !path.starts_with("tools/"))
                .map(|(_, page)| super::hostile::read(page).skeleton)
                .collect();
            all.sort();
            all
        };
        assert_eq!(skeletons(&pages), skeletons(&plain), "seed {seed}");
    }
}

fn resolved(from: &str, target: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop().expect("no link leads out of the folder")),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn odd_schemas_make_a_page() {
    let deep =
        (0..100).fold(json!({ "type": "integer" }), |inside, _| json!({ "type": "array", "items": inside }));
    let deep_object = (0..60).fold(
        json!({}),
        |inside, _| json!({ "type": "object", "required": ["a"], "properties": { "a": inside } }),
    );
    let mut parts = serde_json::Map::from_iter([("d40".to_owned(), json!({ "type": "integer" }))]);
    for at in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
        parts
            .insert(format!("d{at}"), json!({ "type": "array", "prefixItems": [next, next], "minItems": 2 }));
    }
    let doubling = json!({
        "type": "object", "properties": { "a": { "$ref": "#/$defs/d0" } }, "required": ["a"], "$defs": parts,
    });
    let begun = Instant::now();
    for schema in [
        deep.clone(),
        deep_object,
        json!({ "type": "object", "properties": { "a": deep } }),
        doubling,
        json!({ "$ref": "#" }),
        json!({ "allOf": [{ "$ref": "#" }, { "$ref": "#" }] }),
        json!({ "anyOf": [{ "$ref": "#" }, { "$ref": "#" }], "oneOf": [] }),
        json!({ "properties": [], "required": "a", "type": 7, "enum": {}, "items": "x", "allOf": 3, "pattern": 9 }),
        json!({ "type": "object", "properties": { "a": { "type": "string", "pattern": "(" }, "b": { "minimum": "x" } }, "required": ["a", "b", 3] }),
        json!({ "type": "object", "properties": { "a": { "$ref": "other.json#/x" } }, "required": ["a"] }),
        json!({ "type": "array", "items": { "$ref": "#" } }),
        json!({ "type": "string", "minLength": u64::MAX, "maxLength": -1, "multipleOf": 0 }),
        json!({ "type": "object", "minProperties": u64::MAX }),
        json!({ "type": "object", "required": (0..3000).map(|n| n.to_string()).collect::<Vec<_>>() }),
        json!(true),
        json!(false),
    ] {
        let page = page(&schema);
        read(&page);
        assert!(page.len() < 200_000, "{} bytes", page.len());
    }
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

#[test]
fn many_tools_have_as_many_pages() {
    let tool = |at: u32| {
        json!({
            "name": format!("group{}/tool_{at}", at % 97), "description": "Does it.", "tags": ["actuator", format!("tag{}", at % 7)],
            "inputSchema": { "type": "object", "required": ["a"], "properties": { "a": { "type": "integer" } } },
        })
    };
    let pages = rendered(&manifest((0..2_000).map(tool).collect()));
    assert_eq!(pages.len(), 2_001);
    let index = read(&pages["index.md"]);
    assert!(index.skeleton.iter().filter(|one| *one == "row of 3").count() >= 2_000);
}
