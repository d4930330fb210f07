//! Resources, states, events and the observation under strict lints, with nothing but `ludwire` in scope.
#![forbid(unsafe_code, unused_imports, unused_mut, missing_docs)]
#![deny(warnings, unused, nonstandard_style, future_incompatible, rust_2018_idioms, unreachable_pub)]
#![deny(unused_qualifications, unused_results, trivial_casts, trivial_numeric_casts)]
#![deny(single_use_lifetimes, let_underscore_drop, elided_lifetimes_in_paths, unused_lifetimes)]

mod engine {
    pub(crate) use ludwire as agents;
}

/// The state.
#[derive(Debug)]
pub struct World {
    orcs: u32,
}

type Everything = World;
type Now = ludwire::Call;

/// An orc came.
#[derive(Debug, serde::Serialize, schemars::JsonSchema, ludwire::Event)]
#[event("orc/came")]
pub struct Came<'a> {
    name: &'a str,
    others: &'a [&'a str],
}

/// An orc went.
#[derive(Debug, serde::Serialize, schemars::JsonSchema, engine::agents::Event)]
#[event("orc/went", number, crate = engine::agents)]
pub struct Went {
    count: u64,
}

/// How many orcs there are, under aliases.
#[ludwire::resource("gabp://game/orcs/{r#type}")]
#[cfg(any())]
pub fn absent(world: &Everything) -> u32 {
    world.orcs
}

/// How many orcs there are, under aliases.
#[ludwire::resource("gabp://game/orcs/{kind}{?type}", name = "Orcs", timeout = 0.5)]
pub fn orcs(world: &Everything, now: &Now, kind: &str, r#type: Option<u8>) -> String {
    now.emit(&Came { name: kind, others: &[] });
    format!("{} {kind} {}", world.orcs, r#type.unwrap_or(7))
}

/// A constant.
#[engine::agents::resource("gabp://game/constant", crate = engine::agents)]
pub fn constant() -> &'static str {
    "constant"
}

macro_rules! state {
    ($name:literal, $read:ident, $write:ident, $type:ty) => {
        /// Made by a macro.
        #[ludwire::state($name)]
        pub fn $read(world: &World) -> $type {
            world.orcs
        }

        #[ludwire::state($name, write)]
        fn $write(world: &mut World, value: $type) {
            world.orcs = value;
        }
    };
}
state!("orcs", read_orcs, write_orcs, u32);

/// What there is to see.
#[derive(Debug, serde::Serialize, schemars::JsonSchema)]
pub struct Seen {
    orcs: u32,
}

#[ludwire::tools]
impl World {
    /// On some machines.
    #[cfg_attr(all(), ludwire::state("there"))]
    fn there(&self) -> bool {
        true
    }

    /// On no machine.
    #[cfg_attr(any(), ludwire::state("there"))]
    fn not_there(&self) -> bool {
        self.there()
    }

    #[ludwire::observe]
    fn observe(&self) -> Result<Seen, ludwire::ToolError> {
        Ok(Seen { orcs: self.orcs })
    }
}

fn main() {
    let mut world = World { orcs: 1 };
    assert!(world.not_there());
    let host = ludwire::Host::builder("companions", "1").tools(ludwire::registered::<World>()).build();
    let host = host.expect("no names meet");
    host.emit(&Went { count: 1 });
    let count = |what: &str| host.manifest()[what].as_array().map(Vec::len);
    assert_eq!((count("resources"), count("state"), count("events")), (Some(2), Some(2), Some(2)));
    let mut read = |uri| host.read_resource(&mut world, uri).expect("it can be read").value;
    assert_eq!(read("gabp://game/orcs/big?type=2"), "1 big 2");
    assert_eq!(read("gabp://game/constant"), "constant");
    assert_eq!(host.set_state(&mut world, "orcs", None, 5.into()), Ok(5.into()));
    assert_eq!(host.state(&mut world, "there", None), Ok(true.into()));
    assert_eq!(host.observe(&mut world).expect("it is seen")["orcs"], 5);
}
