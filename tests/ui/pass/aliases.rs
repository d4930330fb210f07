//! State, call, optional and failing types are recognised under any name, and by value or reference.

use ludwire::{ToolError, tool};
use serde_json::json;

mod deep {
    pub mod inside {
        #[derive(Default)]
        pub struct World {
            pub orcs: u32,
        }
    }
}

type W = deep::inside::World;
type Context = ludwire::Call;
type Maybe<T> = Option<T>;
type MaybeCount = std::option::Option<u32>;
type Outcome<T> = Result<T, ToolError>;

enum Trouble {
    Tired,
}

impl From<Trouble> for ToolError {
    fn from(Trouble::Tired: Trouble) -> Self {
        Self::failed("tired")
    }
}

/// Spawns.
#[tool("world/spawn")]
fn spawn(ctx: &Context, state: &mut W, _: &ludwire::Call, count: Maybe<u32>, more: MaybeCount) -> Outcome<u32> {
    let _ = ctx.caller();
    state.orcs += count.unwrap_or(1) + more.unwrap_or(0);
    Ok(state.orcs)
}

/// Counts.
#[tool("world/count")]
fn count(w: &deep::inside::World) -> (u32,) {
    (w.orcs,)
}

/// Names, borrowing from the state.
#[tool("world/name")]
fn name(w: &W) -> &str {
    if w.orcs > 0 { "full" } else { "empty" }
}

/// Names, borrowing for ever, or failing.
#[tool("world/motto")]
fn motto(w: &W) -> core::result::Result<&'static str, Trouble> {
    if w.orcs > 0 { Ok("onwards") } else { Err(Trouble::Tired) }
}

fn main() {
    let host = ludwire::Host::builder("aliases", "1").tools(ludwire::registered::<W>()).build();
    let host = host.expect("no names meet");
    let mut world = W::default();
    let mut call = |name: &str, arguments| host.call(&mut world, name, arguments);
    assert_eq!(call("world/motto", json!({})).expect_err("it fails").message(), "tired");
    assert_eq!(call("world/spawn", json!({})).expect("it succeeds"), json!({ "result": 1 }));
    assert_eq!(call("world/spawn", json!({ "more": 2 })).expect("it succeeds"), json!({ "result": 4 }));
    assert_eq!(call("world/count", json!({})).expect("it succeeds"), json!({ "result": [4] }));
    assert_eq!(call("world/name", json!({})).expect("it succeeds"), json!({ "result": "full" }));
    assert_eq!(call("world/motto", json!({})).expect("it succeeds"), json!({ "result": "onwards" }));
}
