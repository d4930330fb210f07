//! Every key, under strict lints, and nothing in scope but `ludwire`.
#![forbid(unsafe_code)]
#![deny(unused_imports, unused_mut, dead_code, missing_docs)]
#![deny(warnings, unused, nonstandard_style, future_incompatible, rust_2018_idioms, unreachable_pub)]
#![deny(unused_qualifications, unused_results, trivial_casts, trivial_numeric_casts)]
#![deny(single_use_lifetimes, let_underscore_drop, elided_lifetimes_in_paths, unused_lifetimes)]

mod engine {
    pub(crate) use ludwire as agents;
}

/// The state.
#[derive(Debug)]
pub struct World;

/// What the host holds.
#[derive(Debug)]
pub struct Names(Vec<&'static str>);

/// Fields that become arguments.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
pub struct Page {
    /// From 0.
    #[serde(default)]
    first: usize,
    /// At most.
    count: Option<usize>,
}

/// Lists names.
#[ludwire::tool(
    "names/list",
    class = sensor,
    read_only,
    idempotent = true,
    destructive = false,
    lenient,
    requires = "names",
    limits(per_minute = 60, per_session = 500),
    timeout = std::time::Duration::from_secs(5),
    thread = worker,
    examples = [{ "first": 1, "with": "b" }, { "count": null, "containing": "b" }],
)]
pub fn list(
    names: &ludwire::Res<Names>,
    /// A letter.
    #[arg(alias = ["containing"], len = 1..=1)]
    with: Option<&str>,
    #[arg(flatten)] page: Page,
) -> Vec<&'static str> {
    let fits = |name: &&&str| with.is_none_or(|with| name.contains(with));
    let found = names.0.iter().filter(fits).skip(page.first).take(page.count.unwrap_or(9));
    found.copied().collect()
}

type Held<T> = engine::agents::Res<T>;

#[engine::agents::tools(crate = engine::agents)]
impl World {
    /// Counts names, in its time.
    #[engine::agents::tool("names/count", timeout = 2)]
    pub async fn count(names: &Held<Names>, call: &ludwire::Call, more: &[u8]) -> Result<usize, ludwire::ToolError> {
        call.on_game(|_: &mut Self| ()).await?;
        Ok(names.0.len() + more.len())
    }

    /// Needs the game's thread, and no state.
    #[engine::agents::tool("names/thread", thread = game, timeout = 0.25)]
    #[deprecated]
    pub fn thread() {}
}

fn main() {
    let builder = ludwire::Host::<World>::builder("keys", "1").tools(ludwire::registered());
    let host = builder.hold(Names(vec!["a", "b", "bb", "c"])).build().expect("no names meet");
    let call = |name: &str, arguments: &str| {
        let arguments = serde_json::from_str(arguments).expect("it is JSON");
        host.call(&mut World, name, arguments).expect("it succeeds").to_string()
    };
    assert_eq!(call("names/list", r#"{ "containing": "b", "first": 1, "x": 1 }"#), r#"{"result":["bb"]}"#);
    assert_eq!(call("names/list", r#"{ "count": 1 }"#), r#"{"result":["a"]}"#);
    assert_eq!(call("names/count", r#"{ "more": [1, 2] }"#), r#"{"result":6}"#);
    assert_eq!(call("names/thread", "{}"), "{}");
}
