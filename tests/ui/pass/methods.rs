//! Tools that are methods of the game's state.
#![forbid(unsafe_code, unused_imports, unused_mut, dead_code, missing_docs)]
#![deny(warnings, unused, nonstandard_style, future_incompatible, rust_2018_idioms, unreachable_pub)]

mod engine {
    pub(crate) use ludwire as agents;
}

use ludwire::{Call, ToolError, tools};
use serde_json::json;

/// The state.
#[derive(Debug, Default)]
pub struct World<const WIDTH: usize> {
    orcs: Vec<String>,
}

type Wide = World<40>;

/// Not an argument of the state's.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Place {
    x: u32,
}

#[tools]
impl World<40> {
    const MOST: u32 = 3;

    /// No tool.
    pub fn plain(&self) -> usize {
        self.orcs.len()
    }

    /// Spawns orcs.
    #[tool("world/spawn", class = generator)]
    pub fn spawn(
        &mut self,
        call: &Call,
        /// How many.
        #[arg(default = Self::MOST, range = 1..=Self::MOST)]
        count: u32,
        name: Option<String>,
    ) -> Result<usize, ToolError> {
        let _ = call.caller();
        self.orcs.extend((0..count).map(|_| name.clone().unwrap_or_default()));
        Ok(self.plain())
    }

    /// Counts them.
    #[ludwire::tool("world/count", class = sensor)]
    #[must_use]
    pub fn count(self: &Self) -> usize {
        self.plain()
    }

    /// Looks from somewhere.
    #[tool("world/look")]
    fn look(world: &Self, place: Place) -> (usize, Place) {
        (world.plain(), place)
    }

    /// Needs no state.
    #[tool("world/add")]
    fn add(a: u32, b: u32) -> u32 {
        a + b
    }

    /// Absent.
    #[cfg(any())]
    #[tool("world/absent")]
    fn absent(&self, it: Absent) {}

    /// Absent, so that its mistakes do not matter.
    #[cfg(any())]
    #[tool("absent")]
    fn absent_with_mistakes(self, it: impl Absent) {}

    /// There.
    #[cfg_attr(all(), tool("world/conditional"))]
    #[cfg_attr(all(), cfg(all()))]
    pub fn conditional(&self) {}

    /// A method, and no tool.
    #[cfg_attr(any(), tool("world/no_tool"))]
    pub fn no_tool(&self) {}

    /// Old.
    #[tool("world/old")]
    #[deprecated = "use world/look"]
    pub fn old(&self) {}
}

#[tools(crate = engine::agents)]
#[cfg(all())]
impl World<40> {
    /// Through a re-export.
    #[tool("world/exported")]
    pub fn exported(&self) {}
}

#[tools]
#[cfg(any())]
impl World<40> {
    /// Absent.
    #[tool("world/absent_too")]
    pub fn absent_too(&self, it: Absent) {}
}

macro_rules! counted {
    ($state:ty: $($name:literal $method:ident)*) => {
        #[tools]
        impl $state {
            $(
                #[doc = concat!("Counts: ", $name, ".")]
                #[tool($name)]
                fn $method(&self) -> usize {
                    self.plain()
                }
            )*
        }
    };
}
counted!(World<40>: "count/one" count_one "count/two" count_two);

fn main() {
    let host = ludwire::Host::builder("methods", "1").tools(ludwire::registered::<Wide>()).build();
    let host = host.expect("no names meet");
    let mut world = Wide::default();
    world.no_tool();
    let mut call = |name: &str, arguments| host.call(&mut world, name, arguments);
    assert_eq!(call("world/spawn", json!({})).expect("it succeeds"), json!({ "result": 3 }));
    assert!(call("world/spawn", json!({ "count": 4 })).is_err());
    assert_eq!(call("world/count", json!({})).expect("it succeeds"), json!({ "result": 3 }));
    assert_eq!(
        call("world/look", json!({ "place": { "x": 1 } })).expect("it succeeds"),
        json!({ "result": [3, { "x": 1 }] })
    );
    assert_eq!(call("world/add", json!({ "a": 1, "b": 2 })).expect("it succeeds"), json!({ "result": 3 }));
    assert_eq!(call("count/two", json!({})).expect("it succeeds"), json!({ "result": 3 }));
    let manifest = host.manifest();
    let tools = manifest["tools"].as_array().expect("a list");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "count/one",
            "count/two",
            "world/add",
            "world/conditional",
            "world/count",
            "world/exported",
            "world/look",
            "world/old",
            "world/spawn",
        ]
    );
    assert_eq!(tools[7]["deprecated"], true);
}
