//! Tools made by `macro_rules!`.

use ludwire::{Host, ToolError, tool};
use serde_json::json;

struct World {
    things: Vec<String>,
}

macro_rules! spawner {
    ($name:literal, $function:ident, $what:expr, $state:ty, $count:ty, $default:expr, $range:expr, $len:expr) => {
        #[doc = concat!("Spawns ", $what, ".")]
        ///
        /// In a crowd.
        #[tool($name, title = $what, tags = [$what])]
        fn $function(
            world: &mut $state,
            #[doc = concat!("How many ", $what, ".")]
            #[arg(default = $default, range = $range)]
            count: $count,
            #[arg(len = $len)] label: Option<String>,
        ) -> Result<$count, ToolError> {
            for _ in 0..count {
                world.things.push(format!("{} {label:?}", $what));
            }
            Ok(count)
        }
    };
}

spawner!("world/spawn_orcs", spawn_orcs, "orcs", World, u32, 2, 1..=3, 1..);
spawner!("world/spawn_elves", spawn_elves, "elves", World, u64, 1 + 1, 1..4, ..=5);

macro_rules! with_types {
    ($($function:ident: $state:ty, $argument:ty => $output:ty;)*) => {$(
        /// Takes what it is given.
        #[tool("types/taken", crate = ludwire)]
        fn $function(state: $state, argument: $argument) -> $output {
            let _ = &state.things;
            argument
        }
    )*};
}

with_types! { taken: &mut World, Option<u32> => Option<u32>; }

macro_rules! as_they_are {
    ($($tokens:tt)*) => { $($tokens)* };
}

as_they_are! {
    /// Looks.
    #[tool("world/look", class = sensor)]
    fn look(#[arg(default = 1, range = 0..)] depth: u32) -> u32 {
        depth
    }
}

fn main() {
    let host = Host::builder("macros", "1").tools(ludwire::registered::<World>()).build();
    let host = host.expect("no names meet");
    let mut world = World { things: Vec::new() };
    // The elves are counted with 64 bits.
    for (name, two) in [("world/spawn_orcs", json!(2)), ("world/spawn_elves", json!("2"))] {
        assert_eq!(host.call(&mut world, name, json!({})).expect("it succeeds"), json!({ "result": two }));
        assert!(host.call(&mut world, name, json!({ "count": 4 })).is_err());
    }
    assert_eq!(world.things[0], "orcs None");
    for (name, arguments, expected) in [
        ("world/look", json!({}), json!({ "result": 1 })),
        ("types/taken", json!({}), json!({})),
        ("types/taken", json!({ "argument": 3 }), json!({ "result": 3 })),
    ] {
        assert_eq!(host.call(&mut world, name, arguments).expect("it succeeds"), expected);
    }
    let tools = &host.manifest()["tools"];
    assert_eq!(tools[2]["description"], "Spawns elves.\n\nIn a crowd.");
    assert_eq!(tools[3]["inputSchema"]["properties"]["count"]["description"], "How many orcs.");
}
