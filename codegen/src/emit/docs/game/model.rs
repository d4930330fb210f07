//! What stands on each page of a game.

use super::beside::{Events, Resources, States};
use super::calls::Call;
use super::file_name;
use super::manifest::{Manifest, Tool};
use super::rows::{Table, table};
use super::sample;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What every page is told of the game.
#[derive(Serialize)]
pub(super) struct Game {
    name: String,
    version: String,
    /// `gabp`, `aicc` or `aicontrol`; empty where the game itself told it all.
    told_by: String,
    command: String,
    /// How long a peer waits for a tool that does not say so itself; empty where it is not told.
    timeout: String,
    tools: usize,
    events: usize,
    resources: usize,
    states: usize,
    observation: bool,
}

/// A page.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Page {
    Index(Box<Index>),
    Tool(Box<ToolPage>),
    Events(Events),
    Resources(Resources),
    States(States),
}

/// A tool in a line.
#[derive(Clone, Serialize)]
pub(super) struct Brief {
    pub(super) name: String,
    /// The path of its page from the folder of the pages.
    path: String,
    anchor: String,
    title: String,
    /// The first sentence of its description.
    summary: String,
    class: String,
    tags: Vec<String>,
    deprecated: bool,
    arguments: Vec<Argument>,
}

#[derive(Clone, Serialize)]
struct Argument {
    name: String,
    required: bool,
}

#[derive(Serialize)]
pub(super) struct Index {
    classes: Vec<Class>,
    tags: Vec<Tag>,
    errors: Vec<Failure>,
    events: Vec<Named>,
    resources: Vec<Named>,
    states: Vec<Named>,
    example: Option<Example>,
}

/// The tools of a class.
#[derive(Serialize)]
struct Class {
    /// Empty for tools of which it is not known.
    class: &'static str,
    tools: Vec<Brief>,
}

#[derive(Serialize)]
struct Tag {
    tag: String,
    anchor: String,
    tools: Vec<Brief>,
}

/// Something with a section of its own.
#[derive(Serialize)]
struct Named {
    name: String,
    anchor: String,
    summary: String,
}

/// A call to begin with.
#[derive(Serialize)]
struct Example {
    tool: String,
    path: String,
    call: Call,
}

/// What can happen to a call, and how each protocol tells.
#[derive(Clone, Serialize)]
struct Failure {
    situation: &'static str,
    gabp: &'static str,
    aicc: &'static str,
    ai_control: &'static str,
}

#[derive(Serialize)]
pub(super) struct ToolPage {
    tool: Brief,
    /// Where its tags stand in the index, in their order.
    tag_anchors: Vec<String>,
    description: String,
    version: String,
    arguments: Option<Table>,
    result: Option<Table>,
    call: Option<Call>,
    /// `game`, `worker`, `async`; empty where it is not known.
    thread: String,
    lenient: bool,
    method: bool,
    requires: Vec<String>,
    per_minute: String,
    per_session: String,
    timeout: String,
    /// `yes`, `no`, or empty where nothing is said.
    read_only: &'static str,
    destructive: &'static str,
    idempotent: &'static str,
    failures: Vec<Failure>,
    names: Names,
    before: Option<Brief>,
    after: Option<Brief>,
}

/// What the tool is called; empty where it cannot be called so.
#[derive(Serialize)]
struct Names {
    gabp: String,
    aicc: String,
    ai_control: String,
}

impl Game {
    pub(super) fn of(manifest: &Manifest, command: &str) -> Self {
        Self {
            name: manifest.name.clone(),
            version: manifest.version.clone(),
            told_by: manifest.told_by.clone(),
            command: command.to_owned(),
            timeout: number(manifest.timeout.as_ref()),
            tools: manifest.tools.len(),
            events: manifest.events.len(),
            resources: manifest.resources.len(),
            states: manifest.states.len(),
            observation: manifest.observation.is_some(),
        }
    }
}

impl Page {
    pub(super) fn template(&self) -> &'static str {
        match self {
            Self::Index(_) => "game-index.md",
            Self::Tool(_) => "game-tool.md",
            Self::Events(_) => "game-events.md",
            Self::Resources(_) => "game-resources.md",
            Self::States(_) => "game-state.md",
        }
    }

    pub(super) fn path(&self) -> String {
        match self {
            Self::Index(_) => "index.md".to_owned(),
            Self::Tool(page) => page.tool.path.clone(),
            Self::Events(_) => "events.md".to_owned(),
            Self::Resources(_) => "resources.md".to_owned(),
            Self::States(_) => "state.md".to_owned(),
        }
    }
}

/// Every page of a game; those of lists only where there is something to list.
pub(super) fn pages(manifest: &Manifest) -> Vec<Page> {
    let briefs: Vec<Brief> = manifest.tools.iter().map(Brief::of).collect();
    let mut pages = vec![Page::Index(Box::new(index(manifest, &briefs)))];
    for (at, tool) in manifest.tools.iter().enumerate() {
        let near = |at: Option<usize>| at.and_then(|at| briefs.get(at)).cloned();
        pages.push(Page::Tool(Box::new(ToolPage::of(
            manifest,
            tool,
            near(at.checked_sub(1)),
            near(at.checked_add(1)),
        ))));
    }
    if !manifest.events.is_empty() {
        pages.push(Page::Events(Events::of(manifest)));
    }
    if !manifest.resources.is_empty() {
        pages.push(Page::Resources(Resources::of(manifest)));
    }
    if !manifest.states.is_empty() || manifest.observation.is_some() {
        pages.push(Page::States(States::of(manifest)));
    }
    pages
}

impl Brief {
    pub(super) fn of(tool: &Tool) -> Self {
        let members = tool.input.as_ref().map(|schema| {
            let layers = super::layers::Layers::of(schema, schema);
            let members = layers.members().into_iter();
            members.map(|(name, _, required)| Argument { name: name.to_owned(), required }).collect()
        });
        Self {
            name: tool.name.clone(),
            path: format!("tools/{}.md", file_name(&tool.name)),
            anchor: anchor("tool", &tool.name),
            title: tool.title.clone(),
            summary: summary(&tool.description).to_owned(),
            class: tool.class.clone(),
            tags: tool.tags.clone(),
            deprecated: tool.deprecated,
            arguments: members.unwrap_or_default(),
        }
    }
}

/// A number; a whole one without a fraction.
fn number(value: Option<&Value>) -> String {
    let number = value.and_then(Value::as_number);
    let whole = number.and_then(super::accepts::whole).map(|number| number.to_string());
    whole.or_else(|| Some(number?.to_string())).unwrap_or_default()
}

/// The first sentence of a text.
fn summary(text: &str) -> &str {
    let text = text.trim();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let ends = paragraph.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?')).map(|(at, _)| at + 1);
    let is_end = |at: &usize| {
        paragraph.get(*at..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace()))
    };
    ends.into_iter().find(is_end).and_then(|end| paragraph.get(..end)).unwrap_or(paragraph)
}

fn index(manifest: &Manifest, briefs: &[Brief]) -> Index {
    let mut tags: BTreeMap<&str, Vec<Brief>> = BTreeMap::new();
    for brief in briefs {
        for tag in &brief.tags {
            tags.entry(tag).or_default().push(brief.clone());
        }
    }
    let classes = ["sensor", "actuator", "generator", ""].into_iter().map(|class| {
        let tools = briefs.iter().filter(|brief| brief.class == class).cloned().collect();
        Class { class, tools }
    });
    let named = |what: &str, name: &str, description: &str| Named {
        name: name.to_owned(),
        anchor: anchor(what, name),
        summary: summary(description).to_owned(),
    };
    // A call that takes something shows more.
    let shown =
        manifest.tools.iter().find(|tool| tool.class != "sensor" && !tool.deprecated && has_members(tool));
    let example = shown.into_iter().chain(&manifest.tools).find_map(|tool| {
        let brief = Brief::of(tool);
        Some(Example { tool: tool.name.clone(), path: brief.path, call: call(tool)? })
    });
    Index {
        classes: classes.filter(|class| !class.tools.is_empty()).collect(),
        tags: tags
            .into_iter()
            .map(|(tag, tools)| Tag { tag: tag.to_owned(), anchor: anchor("tag", tag), tools })
            .collect(),
        errors: FAILURES.to_vec(),
        events: manifest
            .events
            .iter()
            .map(|event| named("event", &event.channel, &event.description))
            .collect(),
        resources: manifest
            .resources
            .iter()
            .map(|one| named("resource", &one.uri, &one.description))
            .collect(),
        states: manifest.states.iter().map(|state| named("state", &state.name, &state.description)).collect(),
        example,
    }
}

/// A place on a page, which no other name has.
pub(super) fn anchor(what: &str, name: &str) -> String {
    format!("{what}-{}", file_name(name).replace('=', ":"))
}

fn has_members(tool: &Tool) -> bool {
    tool.input
        .as_ref()
        .and_then(sample::arguments)
        .is_some_and(|arguments| arguments != Value::Object(Map::new()))
}

fn call(tool: &Tool) -> Option<Call> {
    Some(Call::of(tool, &sample::sorted(&sample::arguments(tool.input.as_ref()?)?)))
}

/// What can happen to a call. The codes are those of `runtime/src/*/failures.rs`, which a test holds against
/// them. Over AiControl the event that ends the command tells, and only a full queue has a code.
const FAILURES: [Failure; 9] = {
    const fn of(
        situation: &'static str,
        gabp: &'static str,
        aicc: &'static str,
        ai_control: &'static str,
    ) -> Failure {
        Failure { situation, gabp, aicc, ai_control }
    }
    [
        of("unknown", "-32400", "tool_unknown", ""),
        of("invalid", "-32602", "invalid_input", ""),
        of("failed", "-32402", "execution_failed", ""),
        of("timeout", "-32403", "timeout", ""),
        of("unavailable", "-32401", "tool_unavailable", ""),
        of("queue", "-32401", "tool_unavailable", "-32002"),
        of("limit", "-32401", "tool_unavailable", ""),
        of("capability", "", "tool_unavailable", ""),
        of("internal", "-32603", "internal_error", ""),
    ]
};

impl ToolPage {
    fn of(manifest: &Manifest, tool: &Tool, before: Option<Brief>, after: Option<Brief>) -> Self {
        let notes = &tool.notes;
        let text = |name: &str| notes.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let is = |name: &str| notes.get(name) == Some(&Value::Bool(true));
        let hint = |name: &str| match notes.get(name).and_then(Value::as_bool) {
            Some(true) => "yes",
            Some(false) => "no",
            None => "",
        };
        let limit = |name: &str| number(notes.get("limits").and_then(|limits| limits.get(name)));
        let requires = notes.get("requires").and_then(Value::as_array).into_iter().flatten();
        let requires: Vec<String> = requires.filter_map(Value::as_str).map(str::to_owned).collect();
        let (per_minute, per_session) = (limit("perMinute"), limit("perSession"));
        let arguments = tool.input.as_ref().map(table);
        let can = |failure: &&Failure| match failure.situation {
            "unknown" | "queue" | "unavailable" | "internal" => false,
            "limit" => !(per_minute.is_empty() && per_session.is_empty()),
            "capability" => !requires.is_empty(),
            _ => true,
        };
        let timeout = number(notes.get("timeoutSeconds").or(manifest.timeout.as_ref()));
        let name = |name: &Option<String>| name.clone().unwrap_or_default();
        Self {
            tool: Brief::of(tool),
            tag_anchors: tool.tags.iter().map(|tag| anchor("tag", tag)).collect(),
            description: tool.description.clone(),
            version: tool.version.clone(),
            arguments,
            result: tool.output.as_ref().map(table),
            call: call(tool),
            thread: text("thread"),
            lenient: is("lenient"),
            method: is("method"),
            failures: FAILURES.iter().filter(can).cloned().collect(),
            requires,
            per_minute,
            per_session,
            timeout,
            read_only: hint("readOnly"),
            destructive: hint("destructive"),
            idempotent: hint("idempotent"),
            names: Names {
                gabp: name(&tool.names.gabp),
                aicc: name(&tool.names.aicc),
                ai_control: name(&tool.names.ai_control),
            },
            before,
            after,
        }
    }
}
