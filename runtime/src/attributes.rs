//! The attribute macros, with an example of each key. What each key means stands with the macros.

/// Makes a function a tool that agents can call. Examples first, then what each key means.
///
/// # Examples
///
/// A function, its arguments, and what is known of them:
///
/// ```standalone_crate
/// use ludwire::{Host, ToolError, tool};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// #[derive(Default)]
/// struct Arena { orcs: Vec<(Point, u32)> }
///
/// /// A tile.
/// #[derive(Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
/// struct Point { x: i32, y: i32 }
///
/// const MOST: u32 = 100;
///
/// /// Spawns an orc.
/// ///
/// /// Fails when the tile is taken.
/// #[tool("arena/spawn_orc", title = "Spawn an orc", class = generator, tags = ["spawn"], version = "1.1")]
/// fn spawn_orc(
///     arena: &mut Arena, // the game's state
///     /// Where it appears, in tiles.
///     at: Point,
///     /// Hit points.
///     #[arg(default = 10, range = 1..=MOST)] hp: u32,
///     /// What it is called.
///     #[arg(len = 1..=20, pattern = "^[A-Z]", rename = "label", alias = "name")] name: Option<&str>,
/// ) -> Result<usize, ToolError> {
///     if arena.orcs.iter().any(|(taken, _)| *taken == at) {
///         return Err(ToolError::failed("the tile is taken"));
///     }
///     arena.orcs.push((at, hp + name.map_or(0, |name| name.len() as u32)));
///     Ok(arena.orcs.len())
/// }
///
/// let host = Host::builder("Arena", "1").tools(ludwire::registered::<Arena>()).build()?;
/// let mut arena = Arena::default();
/// let spawned = host.call(&mut arena, "arena/spawn_orc", json!({ "at": { "x": 1, "y": 2 }, "name": "Bo" }))?;
/// assert_eq!(spawned, json!({ "result": 1 }));
/// let error = host.call(&mut arena, "arena/spawn_orc", json!({ "hp": 0 })).unwrap_err();
/// assert_eq!(error.message(), "invalid arguments: /at: is missing; /hp: must be at least 1, found 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// `flatten`: arguments that several tools share stand in a struct.
///
/// ```standalone_crate
/// # use ludwire::{Host, tool};
/// # use serde_json::json;
/// /// Which part of a list.
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Page {
///     /// The first, from 0.
///     #[serde(default)]
///     first: usize,
///     /// How many.
///     count: usize,
/// }
///
/// /// Lists whole numbers.
/// #[tool("number/list", class = sensor)]
/// fn list(#[arg(flatten)] page: Page) -> Vec<usize> {
///     (page.first..).take(page.count).collect()
/// }
/// # let host = Host::<()>::builder("Numbers", "1").tools(ludwire::registered()).build()?;
/// # assert_eq!(host.call(&mut (), "number/list", json!({ "count": 2 }))?, json!({ "result": [0, 1] }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// What agents are told beside, and what they are held to:
///
/// ```standalone_crate
/// # use ludwire::{Host, tool};
/// # use serde_json::{Value, json};
/// # #[derive(Default)]
/// # struct Farm { fields: u32 }
/// /// Burns the fields.
/// #[tool(
///     "farm/burn",
///     destructive,
///     idempotent,
///     requires = "farm:write",
///     limits(per_minute = 1, per_session = 10),
///     timeout = 0.5,
/// )]
/// fn burn(farm: &mut Farm) {
///     farm.fields = 0;
/// }
///
/// /// Counts the fields.
/// #[tool("farm/count", class = sensor, read_only, lenient, examples = [{ "least": 3 }, {}])]
/// fn count(
///     farm: &Farm,
///     /// At least so many.
///     #[arg(default = 0)] least: u32,
/// ) -> u32 {
///     farm.fields.max(least)
/// }
///
/// /// Old.
/// #[tool("farm/old", deprecated, thread = game, timeout = std::time::Duration::from_millis(100))]
/// fn old() {}
///
/// let host = Host::builder("Farm", "1").tools(ludwire::registered::<Farm>()).build()?;
/// let annotations = &host.manifest()["annotations"];
/// assert_eq!(annotations["farm/burn"]["limits"], json!({ "perMinute": 1, "perSession": 10 }));
/// assert_eq!(annotations["farm/count"]["readOnly"], true);
/// let mut farm = Farm { fields: 2 };
/// assert_eq!(host.call(&mut farm, "farm/count", json!({ "x": 1 }))?, json!({ "result": 2 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// 64-bit integers as JSON numbers, the `Default` of a type, and a runtime that is known by another path:
///
/// ```standalone_crate
/// # use ludwire::Host;
/// # use serde_json::json;
/// mod engine {
///     pub mod agents {
///         pub use ludwire::*;
///     }
/// }
///
/// /// Moves the clock.
/// #[engine::agents::tool("clock/move", class = actuator, thread = worker, number, crate = engine::agents)]
/// fn move_clock(
///     /// The time, in ticks.
///     from: u64,
///     /// How many ticks more.
///     #[arg(default, number)] by: u64,
/// ) -> u64 {
///     from + by
/// }
///
/// let host = Host::<()>::builder("Clock", "1").tools(ludwire::registered()).build()?;
/// let moved = host.call(&mut (), "clock/move", json!({ "from": "9007199254740990", "by": 1 }))?;
/// assert_eq!(moved, json!({ "result": 9_007_199_254_740_991_u64 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// For `async` tools see [`Call::on_game`](crate::Call::on_game), for values that the host holds
/// [`Res`](crate::Res), for methods [`tools`].
///
/// # Reference
///
pub use ludwire_macros::tool;

/// Makes methods tools that agents can call. An example first, then what holds.
///
/// # Examples
///
/// ```standalone_crate
/// use ludwire::{Call, Host, ToolError, tools};
/// use serde_json::json;
///
/// struct World { orcs: u32 }
///
/// #[tools]
/// impl World {
///     const MOST: u32 = 10;
///
///     /// Spawns orcs.
///     #[tool("world/spawn", class = generator)]
///     fn spawn(
///         &mut self,
///         /// How many.
///         #[arg(default = 1, range = 1..=Self::MOST)] count: u32,
///     ) -> u32 {
///         self.orcs += count;
///         self.orcs
///     }
///
///     /// Counts the orcs, when the game has time.
///     #[tool("world/count", class = sensor)]
///     async fn count(call: &Call) -> Result<u32, ToolError> {
///         call.on_game(|world: &mut Self| world.orcs).await
///     }
///
///     fn no_tool(&self) {}
/// }
///
/// let host = Host::builder("World", "1").tools(ludwire::registered::<World>()).build()?;
/// let mut world = World { orcs: 0 };
/// assert_eq!(host.call(&mut world, "world/spawn", json!({ "count": 2 }))?, json!({ "result": 2 }));
/// assert_eq!(host.call(&mut world, "world/count", json!({}))?, json!({ "result": 2 }));
/// # world.no_tool();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reference
///
pub use ludwire_macros::tools;

/// Lets agents read something of the game under a URI. Examples first, then what holds.
///
/// # Examples
///
/// ```standalone_crate
/// use ludwire::{Encoding, Host, ToolError, resource};
/// use schemars::JsonSchema;
/// use serde::Serialize;
/// use std::collections::BTreeMap;
///
/// struct World { units: BTreeMap<u32, Unit> }
///
/// /// Somebody on the map.
/// #[derive(Clone, Serialize, JsonSchema)]
/// struct Unit { name: String, hp: u32 }
///
/// /// One unit, by its id.
/// #[resource("gabp://game/units/{id}", name = "Unit")]
/// fn unit(world: &World, id: u32) -> Result<Unit, ToolError> {
///     world.units.get(&id).cloned().ok_or_else(|| ToolError::missing(format!("there is no unit {id}")))
/// }
///
/// /// The rules of the game.
/// #[resource("gabp://game/rules", mime = "text/markdown")]
/// fn rules() -> &'static str {
///     "# Rules\n\nThere are none."
/// }
///
/// /// The map, in shades of grey.
/// #[resource("gabp://game/map{?width}", mime = "image/x-portable-graymap")]
/// fn map(#[arg(default = 2, range = 1..=64)] width: u8) -> Vec<u8> {
///     format!("P2 {width} 1 1").into_bytes()
/// }
///
/// let host = Host::builder("Units", "1").tools(ludwire::registered::<World>()).build()?;
/// let mut world = World { units: BTreeMap::from([(7, Unit { name: "Ada".into(), hp: 9 })]) };
/// let ada = host.read_resource(&mut world, "gabp://game/units/7")?;
/// assert_eq!(ada.value, serde_json::json!({ "name": "Ada", "hp": 9 }));
/// assert_eq!(ada.mime, "application/json");
/// let map = host.read_resource(&mut world, "gabp://game/map?width=3")?;
/// assert_eq!((map.value, map.encoding), ("UDIgMyAxIDE=".into(), Encoding::Base64));
/// let error = host.read_resource(&mut world, "gabp://game/units/x").unwrap_err();
/// assert_eq!(error.message(), "invalid arguments: /id: must be a whole number, found \"x\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// For lists in parts see [`Page`](crate::Page).
///
/// # Reference
///
pub use ludwire_macros::resource;

/// Lets agents read a part of the game's state by name, and set it. An example first, then what holds.
///
/// # Examples
///
/// ```standalone_crate
/// use ludwire::{Host, ToolError, state, tools};
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// /// Who plays.
/// #[derive(Clone, Serialize, Deserialize, JsonSchema)]
/// struct Player { name: String, hp: u32 }
///
/// struct World { player: Player, day: u32 }
///
/// #[tools]
/// impl World {
///     /// The player.
///     #[state("player")]
///     fn player(&self) -> Player {
///         self.player.clone()
///     }
///
///     #[state("player", write)]
///     fn set_player(
///         &mut self,
///         /// As they are then.
///         player: Player,
///     ) -> Result<(), ToolError> {
///         if player.hp > 100 {
///             return Err(ToolError::failed("nobody has more than 100 hit points"));
///         }
///         self.player = player;
///         Ok(())
///     }
/// }
///
/// /// Days since the game began.
/// #[state("day")]
/// fn day(world: &World) -> u32 {
///     world.day
/// }
///
/// let host = Host::builder("World", "1").tools(ludwire::registered::<World>()).build()?;
/// let mut world = World { player: Player { name: "Ada".into(), hp: 9 }, day: 3 };
/// assert_eq!(host.state(&mut world, "day", None)?, 3);
/// host.set_state(&mut world, "player", None, json!({ "name": "Ada", "hp": 10 }))?;
/// assert_eq!(world.player.hp, 10);
/// let error = host.set_state(&mut world, "player", None, json!({ "name": "Ada", "hp": -1 })).unwrap_err();
/// assert_eq!(error.message(), "invalid arguments: /hp: must be at least 0, found -1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reference
///
pub use ludwire_macros::state;

/// Says what an agent sees of the game at a moment. An example first, then what holds.
///
/// # Examples
///
/// ```standalone_crate
/// use ludwire::{Host, observe};
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// struct World { orcs: Vec<(u32, u32)>, day: u32 }
///
/// #[derive(Serialize, JsonSchema)]
/// struct Seen { orcs: usize, is_night: bool }
///
/// #[observe]
/// fn observe(world: &World) -> Seen {
///     Seen { orcs: world.orcs.len(), is_night: world.day % 2 == 1 }
/// }
///
/// let host = Host::builder("World", "1").tools(ludwire::registered::<World>()).build()?;
/// let mut world = World { orcs: vec![(1, 2)], day: 3 };
/// assert_eq!(host.observe(&mut world)?, serde_json::json!({ "orcs": 1, "is_night": true }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Reference
///
pub use ludwire_macros::observe;

/// Makes a struct an event that agents can subscribe to. An example first, then what holds.
///
/// # Examples
///
/// ```standalone_crate
/// use ludwire::{Call, Event, Host, tool};
/// use schemars::JsonSchema;
/// use serde::Serialize;
///
/// /// A unit has moved.
/// #[derive(Serialize, JsonSchema, Event)]
/// #[event("unit/moved")]
/// struct UnitMoved<'a> {
///     /// Its id.
///     id: u64,
///     /// Where it stands now.
///     to: &'a str,
/// }
///
/// /// Moves a unit.
/// #[tool("unit/move")]
/// fn move_unit(call: &Call, id: u64, to: &str) {
///     call.emit(&UnitMoved { id, to });
/// }
///
/// let host = Host::<()>::builder("Units", "1").tools(ludwire::registered()).build()?;
/// host.emit(&UnitMoved { id: 1, to: "the inn" });
/// let event = &host.manifest()["events"][0];
/// assert_eq!(event["channel"], "unit/moved");
/// assert_eq!(event["description"], "A unit has moved.");
/// assert_eq!(event["schema"]["properties"]["to"]["type"], "string");
/// # Ok::<(), ludwire::BuildError>(())
/// ```
///
/// # Reference
///
pub use ludwire_macros::Event;
