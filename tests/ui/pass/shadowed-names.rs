//! The user's own types with the names of the prelude's, and modules with the names of crates.
#![allow(dead_code)]

use ludwire::{Call, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod core {}
mod std {}
mod alloc {}
mod private {}
struct Some;
struct None;
struct Ok;
struct Err;
struct Vec;
struct Box;
struct Value;
struct Map;
struct Default;
struct Signature;
struct Context;
struct Tool;
#[derive(Deserialize, Serialize, JsonSchema)]
struct Option {
    chosen: bool,
}
#[derive(Deserialize, Serialize, JsonSchema)]
struct Result {
    good: bool,
}
#[derive(Deserialize, Serialize, JsonSchema)]
struct String(u32);
const ARGUMENTS: u32 = 3;
fn arguments() -> u32 {
    4
}
fn value() -> u32 {
    5
}
fn run() -> u32 {
    6
}
fn signature() -> u32 {
    7
}

/// Takes what looks like the prelude's types.
#[tool("names/shadowed")]
fn shadowed(
    context: &Call,
    option: Option,
    string: String,
    #[arg(default = ARGUMENTS)] a: u32,
    #[arg(default = arguments())] b: u32,
    #[arg(default = value())] c: u32,
    #[arg(default = run())] d: u32,
    #[arg(default = signature())] e: u32,
) -> Result {
    let _ = context.caller();
    Result { good: option.chosen && string.0 == 2 && [a, b, c, d, e] == [3, 4, 5, 6, 7] }
}

fn main() {
    let host = ludwire::Host::builder("names", "1").tools(ludwire::registered::<()>()).build();
    let host = host.expect("no names meet");
    let result = host.call(
        &mut (),
        "names/shadowed",
        serde_json::json!({ "option": { "chosen": true }, "string": 2 }),
    );
    assert_eq!(result.expect("it succeeds"), serde_json::json!({ "good": true }));
}
