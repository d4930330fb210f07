//! Tools in modules and in functions, with raw names, and through a re-export.

use serde_json::json;

mod engine {
    pub mod exports {
        pub use ludwire as agents;
    }
}

mod here {
    pub mod and_there {
        use super::super::State;

        /// In a module.
        #[ludwire::tool("place/module")]
        pub(in crate::here) fn tool(state: &State) -> u32 {
            state.0
        }

        /// Of the same Rust name.
        pub mod again {
            /// In a module.
            #[ludwire::tool("place/module_again")]
            fn tool() {}
        }
    }
}

struct State(u32);

/// Raw.
#[ludwire::tool("place/raw")]
fn r#match(r#type: u32, r#fn: Option<u32>) -> u32 {
    r#type + r#fn.unwrap_or(0)
}

/// Through a re-export.
#[engine::exports::agents::tool("place/exported", crate = engine::exports::agents)]
fn exported() {}

fn in_a_function() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Local {
        x: u32,
    }

    /// In a function, with a type of that function.
    #[ludwire::tool("place/function")]
    fn tool(local: Local) -> u32 {
        local.x
    }
}

fn main() {
    in_a_function();
    let host = ludwire::Host::builder("places", "1").tools(ludwire::registered::<State>()).build();
    let host = host.expect("no names meet");
    let mut state = State(7);
    let mut call = |name: &str, arguments| host.call(&mut state, name, arguments).expect("it succeeds");
    assert_eq!(call("place/module", json!({})), json!({ "result": 7 }));
    assert_eq!(call("place/module_again", json!({})), json!({}));
    assert_eq!(call("place/exported", json!({})), json!({}));
    assert_eq!(call("place/raw", json!({ "type": 1, "fn": 2 })), json!({ "result": 3 }));
    assert_eq!(call("place/function", json!({ "local": { "x": 5 } })), json!({ "result": 5 }));
}
