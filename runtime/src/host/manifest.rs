//! What a host says of itself, for documentation.

use super::Host;
use crate::dispatch::Core;
use crate::event::Declaration;
use crate::function::Entry;
use crate::offer::flat;
use crate::resource::Resource;
use crate::state::Component;
use crate::tool::Tool;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// What a manifest is known by. One that means something else by a member has another number.
const MANIFEST: &str = "ludwire-manifest/1";

impl<S: 'static> Host<S> {
    /// What the host offers, for documentation: `ludwire docs --manifest FILE` makes pages of it. It is the same
    /// each time, with lists in the order of their names:
    ///
    /// - `format`: `ludwire-manifest/1`, by which a file of it is known.
    /// - `name` and `version` of the game, and `timeoutSeconds`, how long a peer waits for a tool that does not
    ///   say so itself.
    /// - `tools`: `name`, `title`, `description`, `inputSchema`, `outputSchema`, `tags`, and where they are given
    ///   `deprecated` and `version`, as GABP's tool objects have them. The examples of a
    ///   tool stand in its `inputSchema`.
    /// - `annotations`: for each tool, by its name, what GABP has no place for: `class`, `thread` (`game`,
    ///   `worker` or `async`), `names` (what it is called over `gabp`, `aicc` and `aicontrol`), and where they
    ///   are given `lenient`, `requires`, `limits` (`perMinute`, `perSession`), `timeoutSeconds`, `readOnly`,
    ///   `destructive`, `idempotent`, and `method`, where it is a method of the game's own as well.
    /// - `events`: `channel`, `title`, `description`, the `schema` of the payload, and the `topic` on which
    ///   AICC's agents hear of it.
    /// - `resources`: `uri`, `name`, `description`, `mimeType`, the schema of the `arguments`, of the content
    ///   where it is JSON (`schema`), and whether it is a part of a list (`paged`).
    /// - `state`: `name`, `description`, `schema`, `writable`, and where they are given `player` (`required` or
    ///   `optional`) and `writeSchema`.
    /// - `observation`: the schema of what [`Host::observe`] gives, where there is one.
    ///
    /// ```standalone_crate
    /// # use ludwire::{Host, tool};
    /// /// Adds.
    /// #[tool("math/add", class = sensor)]
    /// fn add(a: i32, b: i32) -> i32 {
    ///     a + b
    /// }
    ///
    /// let host = Host::<()>::builder("Sums", "1").tools(ludwire::registered()).build()?;
    /// let manifest = host.manifest();
    /// assert_eq!(manifest["tools"][0]["inputSchema"]["required"], serde_json::json!(["a", "b"]));
    /// assert_eq!(manifest["annotations"]["math/add"]["names"]["aicc"], "math_add");
    /// # Ok::<(), ludwire::BuildError>(())
    /// ```
    pub fn manifest(&self) -> Value {
        let all = self.core.registry.all();
        let tools: Vec<Described> = all.iter().map(|entry| described(entry, &self.core)).collect();
        let annotations: Map<String, Value> = all
            .iter()
            .map(|entry| (entry.declared.function.name.to_owned(), annotations(entry, &self.core)))
            .collect();
        let registry = &self.core.registry;
        let events: Vec<Value> = registry.events().into_iter().map(Declaration::described).collect();
        let resources: Vec<Value> =
            registry.resources().iter().map(|entry: &Arc<Entry<Resource>>| entry.described()).collect();
        let state: Vec<Value> = registry.states().values().map(Component::described).collect();
        let mut manifest = json!({
            "format": MANIFEST,
            "timeoutSeconds": self.core.timeout.as_secs_f64(),
            "name": self.core.name,
            "version": self.core.version,
            "tools": tools,
            "annotations": annotations,
            "events": events,
            "resources": resources,
            "state": state,
        });
        if let Some(observation) = registry.observation() {
            manifest["observation"] = observation.output_schema.clone();
        }
        manifest
    }
}

/// A tool as agents are told of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Described {
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) description: &'static str,
    pub(crate) input_schema: Map<String, Value>,
    pub(crate) output_schema: Map<String, Value>,
    /// Each once; its class is among them.
    pub(crate) tags: Vec<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) deprecated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<&'static str>,
}

/// Describes a tool.
pub(crate) fn described(entry: &Entry<Tool>, core: &Core) -> Described {
    let (tool, function) = (&entry.declared, &entry.function);
    let mut tags = Vec::new();
    for tag in tool.tags.iter().copied().chain([tool.class.as_str()]) {
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    Described {
        name: tool.function.name,
        title: entry.title(),
        description: tool.function.description,
        input_schema: core.shown(&function.input_schema),
        output_schema: core.shown(&function.output_schema),
        tags,
        deprecated: tool.deprecated,
        version: tool.version,
    }
}

/// What a manifest says of a tool beside what GABP's tool object can.
fn annotations(entry: &Entry<Tool>, core: &Core) -> Value {
    let name = entry.declared.function.name;
    let mut said = entry.annotations();
    said.insert("names".to_owned(), json!({ "gabp": name, "aicc": flat(name), "aicontrol": name }));
    if core.methods.contains(name) {
        said.insert("method".to_owned(), Value::Bool(true));
    }
    Value::Object(said)
}
