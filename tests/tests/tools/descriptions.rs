//! Doc comments come to agents as they are written, from wherever they stand.

use ludwire::{Event, Host, observe, registered, resource, state, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A state of its own keeps this away from the other tests.
struct Site;

/// What is written everywhere here.
const WRITTEN: &str = "Builds:\n\n- a wall\n  - of stone\n* a gate\n\n    let code = 1;\n\n1. Ends.";

/// Builds:
///
/// - a wall
///   - of stone
/// * a gate
///
///     let code = 1;
///
/// 1. Ends.
#[tool("describe/tool")]
fn tool(
    _: &Site,
    /// Builds:
    ///
    /// - a wall
    ///   - of stone
    /// * a gate
    ///
    ///     let code = 1;
    ///
    /// 1. Ends.
    own: u32,
    of_type: Built,
    of_enum: Words,
    of_union: Option<Shapes>,
    #[arg(flatten)] flat: Flat,
) -> Built {
    let _ = (own, of_enum, of_union, flat.member);
    of_type
}

/**
 * Builds:
 *
 * - a wall
 *   - of stone
 * * a gate
 *
 *     let code = 1;
 *
 * 1. Ends.
 */
#[tool("describe/block")]
fn block(
    _: &Site,
    /** Builds:

    - a wall
      - of stone
    * a gate

        let code = 1;

    1. Ends. */
    own: u32,
    starred: Starred,
) {
    let _ = (own, starred.member);
}

/**
 * Builds:
 *
 * - a wall
 *   - of stone
 * * a gate
 *
 *     let code = 1;
 *
 * 1. Ends.
 */
#[derive(Deserialize, JsonSchema)]
struct Starred {
    /**
     * Builds:
     *
     * - a wall
     *   - of stone
     * * a gate
     *
     *     let code = 1;
     *
     * 1. Ends.
     */
    member: u32,
}

/// Builds:
///
/// - a wall
///   - of stone
/// * a gate
///
///     let code = 1;
///
/// 1. Ends.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Built {
    /// Builds:
    ///
    /// - a wall
    ///   - of stone
    /// * a gate
    ///
    ///     let code = 1;
    ///
    /// 1. Ends.
    member: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Flat {
    /// Builds:
    ///
    /// - a wall
    ///   - of stone
    /// * a gate
    ///
    ///     let code = 1;
    ///
    /// 1. Ends.
    #[serde(rename = "flat")]
    member: u32,
}

#[derive(Deserialize, JsonSchema)]
enum Words {
    /// Builds:
    ///
    /// - a wall
    ///   - of stone
    /// * a gate
    ///
    ///     let code = 1;
    ///
    /// 1. Ends.
    One,
    /// The other.
    Two,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema matters")]
enum Shapes {
    /// Builds:
    ///
    /// - a wall
    ///   - of stone
    /// * a gate
    ///
    ///     let code = 1;
    ///
    /// 1. Ends.
    One(u32),
    Two {
        x: u32,
    },
}

/// Builds:
///
/// - a wall
///   - of stone
/// * a gate
///
///     let code = 1;
///
/// 1. Ends.
#[derive(Serialize, JsonSchema, Event)]
#[event("describe/event")]
struct Happened {
    /// Builds:
    ///
    /// - a wall
    ///   - of stone
    /// * a gate
    ///
    ///     let code = 1;
    ///
    /// 1. Ends.
    member: u32,
}

/// Builds:
///
/// - a wall
///   - of stone
/// * a gate
///
///     let code = 1;
///
/// 1. Ends.
#[resource("gabp://describe/{of}")]
fn resource(
    _: &Site,
    /// Builds:
    ///
    /// - a wall
    ///   - of stone
    /// * a gate
    ///
    ///     let code = 1;
    ///
    /// 1. Ends.
    of: u32,
) -> u32 {
    of
}

/// Builds:
///
/// - a wall
///   - of stone
/// * a gate
///
///     let code = 1;
///
/// 1. Ends.
#[state("describe/state")]
fn state(_: &Site) -> u32 {
    0
}

#[observe]
fn observe(_: &Site) -> Built {
    Built { member: 0 }
}

#[test]
fn docs_are_kept_as_written() {
    let host = Host::<Site>::builder("Docs", "1").tools(registered()).build().expect("no names meet");
    let manifest = host.manifest();
    let named = |list: &str, key: &str, name: &str| -> Value {
        let all = manifest[list].as_array().expect("a list");
        all.iter().find(|one| one[key] == name).unwrap_or_else(|| panic!("{name}: {manifest}")).clone()
    };
    let tool = named("tools", "name", "describe/tool");
    let block = named("tools", "name", "describe/block");
    let event = named("events", "channel", "describe/event");
    let resource = named("resources", "uri", "gabp://describe/{of}");
    let state = named("state", "name", "describe/state");
    for (described, places) in [
        (
            &tool,
            vec![
                "",
                "/inputSchema/properties/own",
                "/inputSchema/properties/of_type",
                "/inputSchema/properties/of_type/properties/member",
                "/inputSchema/properties/of_union/oneOf/0",
                "/inputSchema/properties/flat",
                "/outputSchema",
                "/outputSchema/properties/member",
            ],
        ),
        (
            &block,
            vec![
                "",
                "/inputSchema/properties/own",
                "/inputSchema/properties/starred",
                "/inputSchema/properties/starred/properties/member",
            ],
        ),
        (&event, vec!["", "/schema/properties/member"]),
        (&resource, vec!["", "/arguments/properties/of"]),
        (&state, vec![""]),
    ] {
        for place in places {
            let here = described.pointer(place).unwrap_or_else(|| panic!("{place}: {described}"));
            assert_eq!(here["description"], WRITTEN, "{place}: {described}");
        }
    }
    // Where variants stand in a list, so does what is said of each, to its end.
    let words = tool["inputSchema"]["properties"]["of_enum"]["description"].as_str().expect("a text");
    let indented = WRITTEN.replace('\n', "\n  ").replace("\n  \n", "\n\n");
    assert_eq!(words, format!("- `One`: {indented}\n- `Two`: The other."));
}
