//! What the game shows, and its number.

use crate::call::Caller;
use crate::dispatch::{Core, lock};
use crate::error::ToolError;
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex};

/// The latest observation.
#[derive(Default)]
pub(super) struct Latest(Mutex<Observation>);

/// An observation, and its number: 0 before the first, and one more with each that differs.
#[derive(Clone, Default)]
pub(super) struct Observation {
    pub(super) seq: u64,
    pub(super) shown: Arc<Map<String, Value>>,
}

/// The version of the form of an observation, where the game does not say it.
const SCHEMA_VERSION: u64 = 1;

impl Latest {
    /// The number of the latest.
    pub(super) fn seq(&self) -> u64 {
        lock(&self.0).seq
    }

    /// Has the game show what there is now.
    pub(super) async fn observe(
        self: &Arc<Self>,
        core: &Arc<Core>,
        caller: Caller,
    ) -> Result<Observation, ToolError> {
        if core.registry.observation().is_none() {
            return Ok(self.replace(complete(Map::new(), core)));
        }
        let latest = Arc::clone(self);
        // It is numbered while the game stands still: of two, the later one has the higher number.
        let shown = move |core: &Arc<Core>, shown: Value| {
            let shown = match shown {
                Value::Object(shown) => shown,
                other => Map::from_iter([("observation".to_owned(), other)]),
            };
            latest.replace(complete(shown, core))
        };
        core.observe(caller, shown).await
    }

    fn replace(&self, shown: Map<String, Value>) -> Observation {
        let mut latest = lock(&self.0);
        if latest.seq == 0 || *latest.shown != shown {
            *latest = Observation { seq: latest.seq + 1, shown: Arc::new(shown) };
        }
        latest.clone()
    }
}

/// With the members that every observation has (integration, observation-schema).
fn complete(mut shown: Map<String, Value>, core: &Core) -> Map<String, Value> {
    shown.entry("schemaVersion").or_insert_with(|| Value::from(SCHEMA_VERSION));
    shown.entry("availableActions").or_insert_with(|| {
        core.registry.all().iter().map(|tool| Value::from(tool.declared.function.name)).collect()
    });
    shown
}
