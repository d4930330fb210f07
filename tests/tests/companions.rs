//! Resources, states and the observation, as a game writes them, read through a host.

use ludwire::{
    BuildError, Call, Caller, Content, Encoding, Host, Page, Res, ToolError, ToolErrorKind, observe,
    registered, resource, state, tools,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Default)]
struct World {
    players: BTreeMap<String, Player>,
    weather: Weather,
    day: u64,
}

/// Who plays.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Player {
    /// Hit points.
    hp: u8,
    gold: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Weather {
    #[default]
    Fair,
    Foul,
}

/// What the host says to everybody.
struct Motto(&'static str);

#[tools]
impl World {
    /// One player.
    #[resource("gabp://game/players/{name}", name = "Player")]
    fn player(&self, name: &str) -> Result<Player, ToolError> {
        let missing = || ToolError::missing(format!("nobody is called {name}"));
        self.players.get(name).cloned().ok_or_else(missing)
    }

    /// The best of them.
    #[resource("gabp://game/players/best")]
    fn best(&self) -> Option<Player> {
        self.players.values().max_by_key(|player| player.gold).cloned()
    }

    /// All players, a page at a time.
    #[resource("gabp://game/players{?limit,offset,poorest}")]
    fn players(
        &self,
        #[arg(default = 2, range = 1..=10)] limit: usize,
        #[arg(default = 0)] offset: usize,
        poorest: Option<u64>,
    ) -> Page<String> {
        let rich = |player: &Player| poorest.is_none_or(|poorest| player.gold >= poorest);
        let names = self.players.iter().filter(|(_, player)| rich(player)).map(|(name, _)| name.clone());
        Page::of(names, limit, offset)
    }

    /// The weather. It changes.
    #[state("weather")]
    fn weather(&self) -> Weather {
        self.weather
    }

    #[state("weather", write)]
    fn set_weather(&mut self, weather: Weather) {
        self.weather = weather;
    }

    /// The day, as a number.
    #[state("day/number", number)]
    fn day(&self) -> u64 {
        self.day
    }

    /// What a player has.
    #[state("purse")]
    fn purse(&self, player_id: &str) -> Result<u64, ToolError> {
        self.player(player_id).map(|player| player.gold)
    }

    #[state("purse", write)]
    fn set_purse(&mut self, player_id: String, #[arg(range = ..=1000)] gold: u64) -> Result<(), ToolError> {
        if self.weather == Weather::Foul {
            return Err(ToolError::failed("nobody trades in this weather"));
        }
        self.players.entry(player_id).or_default().gold = gold;
        Ok(())
    }

    /// The day, to a player or to nobody.
    #[state("day/text")]
    fn day_text(&self, player_id: Option<u32>) -> String {
        player_id.map_or_else(|| format!("day {}", self.day), |id| format!("{id}: day {}", self.day))
    }

    #[observe]
    fn observe(&self, motto: &Res<Motto>) -> Result<Seen, ToolError> {
        if self.day == 13 {
            return Err(ToolError::unavailable("it is too dark"));
        }
        Ok(Seen { day: self.day, motto: motto.0 })
    }
}

#[derive(Serialize, JsonSchema)]
struct Seen {
    day: u64,
    motto: &'static str,
}

/// All kinds of values.
#[resource("gabp://mod/values/{flag}/{kind}{?big,ratio,letter}")]
fn values(
    flag: bool,
    kind: Weather,
    #[arg(default = -1)] big: i64,
    #[arg(default = 0.5, range = 0.0..=2.0)] ratio: f64,
    letter: Option<char>,
) -> String {
    format!("{flag} {kind:?} {big} {ratio} {letter:?}")
}

/// Bytes.
#[resource("gabp://mod/bytes/{count}")]
fn bytes(count: u8) -> Vec<u8> {
    (0..count).collect()
}

/// Numbers, not bytes.
#[resource("gabp://mod/pair", mime = "application/x-pair+json")]
fn pair(#[expect(unused_variables, reason = "it is there")] call: &Call) -> [u8; 2] {
    [1, 2]
}

/// No number.
#[resource("gabp://mod/nan")]
fn nan() -> f32 {
    f32::NAN
}

/// Waits a little.
#[resource("gabp://mod/later")]
async fn later(call: &Call) -> Result<Vec<u64>, ToolError> {
    assert_eq!(call.caller(), &Caller::Game);
    call.on_game(|world: &mut World| vec![world.day, u64::MAX]).await
}

fn host() -> Host<World> {
    let host = Host::builder("Companions", "1").tools(registered()).hold(Motto("onward"));
    host.build().expect("what is in this file goes together")
}

fn world() -> World {
    let player = |(name, gold): (&str, u64)| (name.to_owned(), Player { hp: 9, gold });
    let players = [("Ada", 3), ("Bo b/ü", 5), ("Cy", 4)].map(player);
    World { players: BTreeMap::from(players), day: 7, ..World::default() }
}

fn read(uri: &str) -> Result<Content, ToolError> {
    host().read_resource(&mut world(), uri)
}

fn value(uri: &str) -> Value {
    read(uri).unwrap_or_else(|error| panic!("{uri}: {error}")).value
}

#[test]
fn uris_bind_arguments() {
    assert_eq!(value("gabp://game/players/Ada"), json!({ "hp": 9, "gold": "3" }));
    assert_eq!(value("gabp://game/players/Bo%20b%2F%C3%BC"), json!({ "hp": 9, "gold": "5" }));
    // What is written out goes first.
    assert_eq!(value("gabp://game/players/best"), json!({ "hp": 9, "gold": "5" }));
    assert_eq!(value("gabp://game/players"), json!({ "items": ["Ada", "Bo b/ü"], "total": 3, "next": 2 }));
    assert_eq!(value("gabp://game/players?offset=2&limit=2#top"), json!({ "items": ["Cy"], "total": 3 }));
    assert_eq!(value("gabp://game/players?poorest=4")["total"], 2);
    assert_eq!(value("gabp://mod/values/true/foul"), "true Foul -1 0.5 None");
    assert_eq!(
        value("gabp://mod/values/false/fair?letter=%26&big=-9223372036854775808&ratio=2"),
        "false Fair -9223372036854775808 2 Some('&')"
    );
}

#[test]
fn contents_have_forms() {
    let content = |uri| {
        let content = read(uri).expect("it can be read");
        (content.value, content.encoding, content.mime)
    };
    let text = |text: &str| text.to_owned();
    assert_eq!(
        content("gabp://mod/values/true/fair"),
        (json!("true Fair -1 0.5 None"), Encoding::Text, text("text/plain"))
    );
    let octets = text("application/octet-stream");
    assert_eq!(content("gabp://mod/bytes/4"), (json!("AAECAw=="), Encoding::Base64, octets.clone()));
    assert_eq!(content("gabp://mod/bytes/0"), (json!(""), Encoding::Base64, octets));
    let pair = text("application/x-pair+json");
    assert_eq!(content("gabp://mod/pair"), (json!([1, 2]), Encoding::Json, pair));
    let later = json!(["7", "18446744073709551615"]);
    assert_eq!(content("gabp://mod/later"), (later, Encoding::Json, text("application/json")));
    let nobody = host().read_resource(&mut World::default(), "gabp://game/players/best");
    assert_eq!(nobody.expect("nobody is a value").value, Value::Null);
}

#[test]
fn what_a_uri_gets_wrong_is_told() {
    for (uri, kind, message) in [
        ("gabp://game/players/Dan", ToolErrorKind::Missing, "nobody is called Dan"),
        (
            "gabp://mod/values/yes/mild?big=1.5&ratio=3",
            ToolErrorKind::InvalidArguments,
            "invalid arguments: /flag: must be true or false, found \"yes\"; /kind: must be one of \"fair\", \
             \"foul\", found \"mild\"; /big: must be a whole number from -9223372036854775808 to \
             9223372036854775807, as a decimal string, found \"1.5\"; /ratio: must be at most 2.0, found 3",
        ),
        (
            "gabp://mod/bytes/256",
            ToolErrorKind::InvalidArguments,
            "invalid arguments: /count: must be at most 255, found 256",
        ),
        (
            "gabp://mod/bytes/x",
            ToolErrorKind::InvalidArguments,
            "invalid arguments: /count: must be a whole number, found \"x\"",
        ),
        (
            "gabp://game/players?limit=1&limit=2&first=1",
            ToolErrorKind::InvalidArguments,
            "invalid arguments: /limit: is given twice; /first: unknown member of the query, expected one of \
             `limit`, `offset`, `poorest`",
        ),
        (
            "gabp://game/players?offset",
            ToolErrorKind::InvalidArguments,
            "invalid arguments: /offset: must be a whole number, found \"\"",
        ),
        (
            "gabp://mod/pair?x=1",
            ToolErrorKind::InvalidArguments,
            "invalid arguments: /x: unknown member of the query, this resource has no query",
        ),
        (
            "gabp://game/player/Ada",
            ToolErrorKind::NotFound,
            "there is no resource `gabp://game/player/Ada`; did you mean `gabp://game/players/{name}`?",
        ),
        ("gabp://game/players/", ToolErrorKind::NotFound, "there is no resource"),
        ("gabp://game/players/%FF", ToolErrorKind::NotFound, "there is no resource"),
        ("gabp://game/players/best/more", ToolErrorKind::NotFound, "there is no resource"),
        ("", ToolErrorKind::NotFound, "there is no resource ``; the list of resources gives the URIs"),
        (
            "gabp://mod/nan",
            ToolErrorKind::Internal,
            "the result is no JSON: must be a finite number, found NaN",
        ),
    ] {
        let error = read(uri).expect_err(uri);
        assert_eq!(error.kind(), kind, "{uri}: {error}");
        assert!(error.message().starts_with(message), "{uri}: {error}");
    }
}

#[test]
fn resources_are_described() {
    let manifest = host().manifest();
    let resources = manifest["resources"].as_array().expect("a list of resources");
    let uris: Vec<&Value> = resources.iter().map(|resource| &resource["uri"]).collect();
    assert_eq!(
        uris,
        [
            "gabp://game/players/best",
            "gabp://game/players/{name}",
            "gabp://game/players{?limit,offset,poorest}",
            "gabp://mod/bytes/{count}",
            "gabp://mod/later",
            "gabp://mod/nan",
            "gabp://mod/pair",
            "gabp://mod/values/{flag}/{kind}{?big,ratio,letter}",
        ]
    );
    assert_eq!(resources[0]["name"], "Players: best");
    assert_eq!(resources[1]["name"], "Player");
    assert_eq!(resources[1]["description"], "One player.");
    assert_eq!(resources[1]["mimeType"], "application/json");
    assert_eq!(resources[1]["arguments"]["required"], json!(["name"]));
    assert_eq!(resources[1]["schema"]["properties"]["hp"]["maximum"], 255);
    assert_eq!(resources[3].get("schema"), None);
    assert_eq!(manifest["tools"], json!([]));
}

#[test]
fn what_is_registered_twice_is_one() {
    let before = host().manifest();
    let host = Host::<World>::builder("Companions", "1").tools(registered()).tools(registered());
    let host = host.hold(Motto("onward")).build().expect("each stands once");
    host.add_tools(registered()).expect("each stands once");
    assert_eq!(host.manifest(), before);
}

#[test]
fn states_are_read_and_set() {
    let (host, mut world) = (host(), world());
    let mut state = |name, player| host.state(&mut world, name, player);
    assert_eq!(state("weather", None), Ok(json!("fair")));
    assert_eq!(state("day/number", None), Ok(json!(7)));
    assert_eq!(state("purse", Some("Ada")), Ok(json!("3")));
    assert_eq!(state("day/text", None), Ok(json!("day 7")));
    assert_eq!(state("day/text", Some("2")), Ok(json!("2: day 7")));
    for (name, player, message) in [
        ("wether", None, "there is no state `wether`; did you mean `weather`?"),
        ("weather", Some("Ada"), "invalid arguments: the state `weather` belongs to no player"),
        ("purse", None, "invalid arguments: each player has a state `purse`"),
        ("purse", Some("Dan"), "nobody is called Dan"),
        ("day/text", Some("Ada"), "invalid arguments: /player_id: must be a whole number, found \"Ada\""),
    ] {
        let error = state(name, player).expect_err(name);
        assert!(error.message().starts_with(message), "{name}: {error}");
    }
    let mut set = |name, player, value| host.set_state(&mut world, name, player, value);
    assert_eq!(set("purse", Some("Dan"), json!(8)), Ok(json!("8")));
    assert_eq!(set("weather", None, json!("foul")), Ok(json!("foul")));
    for (name, player, value, message) in [
        ("weather", None, json!(1), "invalid arguments: must be a string, found 1"),
        (
            "purse",
            Some("Ada"),
            json!(1001),
            "invalid arguments: must be a whole number from 0 to 1000, as a decimal string, found 1001",
        ),
        ("purse", Some("Ada"), json!(1), "nobody trades in this weather"),
        ("day/number", None, json!(1), "the state `day/number` can be read, and not set"),
        ("purse", None, json!(1), "invalid arguments: each player has a state `purse`"),
        ("x", None, json!(1), "there is no state `x`; there is `day/number`"),
    ] {
        let error = set(name, player, value).expect_err(name);
        assert!(error.message().starts_with(message), "{name}: {error}");
    }
    assert_eq!(world.players["Ada"].gold, 3);
    assert_eq!((world.players["Dan"].gold, world.weather), (8, Weather::Foul));
}

#[test]
fn states_are_described() {
    let manifest = host().manifest();
    let states = manifest["state"].as_array().expect("a list of states");
    let names: Vec<&Value> = states.iter().map(|state| &state["name"]).collect();
    assert_eq!(names, ["day/number", "day/text", "purse", "weather"]);
    assert_eq!(states[0]["schema"]["type"], "integer");
    assert_eq!((&states[0]["writable"], states[0].get("player")), (&json!(false), None));
    assert_eq!(states[1]["player"], "optional");
    assert_eq!((&states[2]["writable"], &states[2]["player"]), (&json!(true), &json!("required")));
    assert_eq!(states[2]["writeSchema"]["type"], "string");
    assert_eq!(states[3]["schema"]["enum"], json!(["fair", "foul"]));
    assert_eq!(states[3]["description"], "The weather. It changes.");
}

#[test]
fn the_game_is_observed() {
    let (host, mut world) = (host(), world());
    assert_eq!(host.observe(&mut world), Ok(json!({ "day": "7", "motto": "onward" })));
    assert_eq!(host.manifest()["observation"]["properties"]["day"]["type"], "string");
    world.day = 13;
    assert_eq!(host.observe(&mut world).expect_err("it fails").message(), "it is too dark");
    let blind = Host::<()>::builder("Blind", "1").build().expect("a host needs no tools");
    assert_eq!(blind.observe(&mut ()).expect_err("there is none").kind(), ToolErrorKind::NotFound);
    assert_eq!(blind.manifest().get("observation"), None);
}

/// What only shows when it is registered, each with a state of its own.
mod broken {
    use super::*;

    struct Uris;

    // Under their own names the macro refuses them.
    type Pair = (u8, u8);
    type List = Vec<u8>;

    /// Takes what has no text.
    #[resource("gabp://game/broken/{at}{?list}")]
    fn texts(_: &Uris, at: Pair, #[arg(default)] list: List) -> u8 {
        at.0 + list.len() as u8
    }

    #[derive(Deserialize, JsonSchema)]
    struct More {
        one: u8,
        two: u8,
    }

    /// Takes more than the URI names.
    #[resource("gabp://game/flat{?one,three}")]
    fn flat(_: &Uris, #[arg(flatten)] more: More) -> u8 {
        more.one + more.two
    }

    struct States;

    #[state("unread", write)]
    fn unread(_: &mut States, value: u8) {
        let _ = value;
    }

    /// Of a player.
    #[state("owned")]
    fn owned(_: &States, player_id: u8) -> u8 {
        player_id
    }

    #[state("owned", write)]
    fn set_owned(_: &mut States, value: u8) {
        let _ = value;
    }

    struct Sight;

    #[observe]
    fn bare(_: &Sight) -> Vec<u8> {
        Vec::new()
    }

    struct Held;

    /// Wants more than there is.
    #[resource("gabp://game/held")]
    fn held(_: &Held, motto: &Res<Motto>) -> &'static str {
        motto.0
    }

    fn defects<S: 'static>() -> String {
        let host = Host::<S>::builder("Broken", "1").tools(registered());
        let host = if std::any::type_name::<S>().ends_with("Held") { host } else { host.hold(Motto("")) };
        let error = host.build().expect_err("something is wrong");
        assert!(matches!(error, BuildError::Setting(_)), "{error}");
        error.to_string()
    }

    #[test]
    fn what_the_compiler_cannot_see_is_told() {
        let said = defects::<Uris>();
        for part in [
            "the resource `gabp://game/broken/{at}{?list}` at tests/tests/companions.rs:",
            "the argument `at` stands in a URI, and its type has no text",
            "the argument `list` stands in a URI, and its type has no text",
            "its URI does not name the argument `two`",
            "the variable `three` of its URI is no argument",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
        let said = defects::<States>();
        assert!(said.contains("the state `unread` at tests/tests/companions.rs:"), "{said}");
        assert!(said.contains("it can be set, and not read"), "{said}");
        assert!(said.contains("one takes a `player_id`, the other does not"), "{said}");
        let said = defects::<Sight>();
        assert!(said.contains("the observation `bare` at tests"), "{said}");
        assert!(said.contains("what it returns is no object"), "{said}");
        let said = defects::<Held>();
        assert!(said.contains("the resource `gabp://game/held` at"), "{said}");
    }
}

/// Names that meet, each with a state of its own.
mod clashes {
    use super::*;

    struct Clashing;

    /// One.
    #[resource("gabp://game/clash/{one}")]
    fn one(_: &Clashing, one: u8) -> u8 {
        one
    }

    /// Two.
    #[resource("gabp://game/clash/{two}{?x}")]
    fn two(_: &Clashing, two: u8, x: Option<u8>) -> u8 {
        x.unwrap_or(two)
    }

    /// One.
    #[state("clash")]
    fn state_one(_: &Clashing) -> u8 {
        1
    }

    /// Two.
    #[state("clash")]
    fn state_two(_: &Clashing) -> u8 {
        2
    }

    #[derive(Serialize, JsonSchema)]
    struct Seen {}

    #[observe]
    fn here(_: &Clashing) -> Seen {
        Seen {}
    }

    #[observe]
    fn there(_: &Clashing) -> Seen {
        Seen {}
    }

    #[test]
    fn what_meets_is_told_with_both_places() {
        let error = Host::<Clashing>::builder("Clash", "1").tools(registered()).build();
        let error = error.expect_err("names meet");
        let BuildError::Clashes(clashes) = &error else { panic!("{error}") };
        let said: Vec<(&str, &str, &str)> = clashes
            .iter()
            .map(|clash| (clash.what, clash.names.0.as_str(), clash.names.1.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                ("resources", "gabp://game/clash/{one}", "gabp://game/clash/{two}{?x}"),
                ("states", "clash", "clash"),
                ("observations", "here", "there"),
            ]
        );
        let told = clashes[2].to_string();
        assert!(
            told.starts_with("a game has one observation, and `here` at tests/tests/companions.rs:"),
            "{told}"
        );
        for clash in clashes {
            assert!(clash.locations.0.line < clash.locations.1.line, "{clash}");
            assert_eq!(clash.locations.0.file, "tests/tests/companions.rs", "{clash}");
        }
    }
}
