//! What `#[arg]` and `#[tool]` say of arguments, each in a tool that gives back what it takes.

use super::{World, host, words};
use fastrand::Rng;
use ludwire::tool;
use ludwire_tests::mutate::{Material, mutate};
use ludwire_tests::sample::Sampler;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const LEAST: i64 = -20;

/// What a tool was given.
type Given<T> = (T, Option<String>);

/// Numbers in ranges.
#[tool("args/ranges")]
fn ranges(
    _: &World,
    #[arg(range = -3..=250, default = 7)] small: i16,
    #[arg(range = LEAST..=300)] large: i64,
    #[arg(range = ..=2.5)] ratio: Option<f32>,
    #[arg(range = 0.5.., default = 1.0)] double: f64,
    #[arg(number, range = -5..)] number: Option<i64>,
    #[arg(range = 1..4, default = 2)] wide: u128,
) -> Given<(i16, i64, Option<f32>, f64)> {
    ((small, large, ratio, double), Some(format!("{number:?} {wide}")))
}

/// Texts and lists that are lent, with lengths and patterns.
#[tool("args/texts")]
fn texts(
    _: &World,
    #[arg(len = 1..=3)] text: &str,
    #[arg(pattern = "^-?[0-9]+$", rename = "a.b")] digits: Option<&str>,
    #[arg(len = ..3, default = &[7])] list: &[u8],
    #[arg(len = 2..)] more: Option<Vec<Option<String>>>,
) -> Given<Vec<u8>> {
    (list.to_vec(), Some(format!("{text} {digits:?} {more:?}")))
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
struct Place {
    x: u64,
    #[serde(default)]
    y: i8,
    note: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
enum Way {
    #[default]
    Up,
    Down,
}

/// Arguments that may be left out.
#[tool("args/defaults")]
fn defaults(
    _: &World,
    #[arg(default)] place: Place,
    #[arg(default = Way::Down)] way: Way,
    #[arg(default = true)] flag: bool,
    #[arg(default = 'x')] letter: char,
    other: Option<Place>,
    #[arg(default = Value::Null)] any: Value,
) -> Given<(Place, Way, bool, char)> {
    ((place, way, flag, letter), Some(format!("{other:?} {any}")))
}

/// The members of a struct beside other arguments.
#[tool("args/flatten")]
fn flatten(_: &World, #[arg(flatten)] place: Place, #[arg(default = 1)] count: u32) -> Given<Place> {
    (place, Some(count.to_string()))
}

/// Unknown members at every depth.
#[tool("args/lenient", lenient)]
fn lenient(_: &World, #[arg(flatten)] place: Place, way: Option<Way>, inner: Option<Place>) -> Given<Place> {
    (place, Some(format!("{way:?} {inner:?}")))
}

/// No arguments.
#[tool("args/none")]
fn none(_: &World) {}

/// Old names.
#[tool("args/alias")]
fn alias(
    _: &World,
    #[arg(alias = ["old", "older"])] id: u64,
    #[arg(alias = "spot")] place: Option<Place>,
    #[arg(alias = "many", range = 1..=9, default = 1)] count: u8,
) -> Given<u64> {
    (id, Some(format!("{place:?} {count}")))
}

/// An alias is another spelling of a name: with it, a call is what it is with the name.
#[test]
fn an_alias_is_another_spelling() {
    let host = host();
    let manifest = host.manifest();
    let tools = manifest["tools"].as_array().expect("a list of tools");
    let tool = tools.iter().find(|tool| tool["name"] == "args/alias").expect("the tool is listed");
    let mut sampler = Sampler::new(&tool["inputSchema"]);
    let words = words(&tool["inputSchema"]);
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..2000 {
        let mut rng = Rng::with_seed(seed);
        let (mut arguments, other) = (sampler.value(&mut rng), sampler.value(&mut rng));
        mutate(&mut arguments, &Material { words: &words, other: &other }, &mut rng);
        let Value::Object(members) = &arguments else { continue };
        let spelled = members.iter().map(|(name, value)| {
            let aliases: &[&str] = match name.as_str() {
                "id" => &["id", "old", "older"],
                "place" => &["place", "spot"],
                "count" => &["count", "many"],
                other => &[other],
            };
            (aliases[rng.usize(..aliases.len())].to_owned(), value.clone())
        });
        let spelled: Value = spelled.collect::<serde_json::Map<String, Value>>().into();
        // What no text can hold does not come from outside.
        if ludwire_tests::json(&arguments.to_string()).is_err() {
            continue;
        }
        let answer = host.call(&mut World, "args/alias", arguments.clone());
        assert_eq!(host.call(&mut World, "args/alias", spelled.clone()), answer, "{spelled}");
        assert_eq!(host.call_json(&mut World, "args/alias", &spelled.to_string()), answer, "{spelled}");
        *if answer.is_ok() { &mut accepted } else { &mut refused } += 1;
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}
