//! What `#[tool]` and `#[arg]` say beside the name.

use ludwire::{BuildError, Call, Host, ToolError, ToolErrorKind, registered, tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

#[derive(Default)]
struct Farm;

/// Where something is.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
struct Place {
    /// Tiles to the right.
    x: u8,
    #[serde(default)]
    y: u8,
    #[serde(rename = "layer")]
    z: Option<String>,
}

const WAIT: Duration = Duration::from_millis(1500);

/// Sows.
#[tool(
    "farm/sow",
    class = actuator,
    requires = ["farm:write", "farm:read"],
    limits(per_minute = 60, per_session = 500),
    timeout = WAIT,
    destructive = false,
    idempotent,
    examples = [
        { "what": "rye", "x": 1, "layer": null },
        { "what": "oat", "x": 2, "y": 3, "rows": 2 },
        example(),
    ],
)]
fn sow(
    _farm: &mut Farm,
    #[arg(alias = ["crop", "seed"], len = 3..)] what: String,
    #[arg(flatten)] place: Place,
    #[arg(alias = "lines", default = 1, range = 1..=9)] rows: u8,
) -> String {
    format!("{what} {place:?} {rows}")
}

fn example() -> Value {
    json!({ "what": "maize", "x": 255 })
}

/// Looks.
#[tool("farm/look", class = sensor, read_only, lenient, thread = game, requires = "farm:read", timeout = 0.5)]
fn look(place: Option<Place>, #[arg(flatten)] at: Place) -> String {
    format!("{place:?} {at:?}")
}

/// Waits.
#[tool("farm/wait", thread = worker)]
fn wait(_call: &Call) {}

fn host() -> Host<Farm> {
    Host::builder("Farm", "1").tools(registered()).build().expect("the tools of this file go together")
}

fn call(name: &str, arguments: Value) -> Result<Value, ToolError> {
    host().call(&mut Farm, name, arguments)
}

fn problems(name: &str, arguments: Value) -> Vec<String> {
    let error = call(name, arguments).expect_err("the arguments are wrong");
    assert_eq!(error.kind(), ToolErrorKind::InvalidArguments);
    error.problems().iter().map(|problem| format!("{}: {}", problem.pointer, problem.message)).collect()
}

#[test]
fn annotations_say_what_the_attribute_says() {
    let manifest = host().manifest();
    assert_eq!(
        manifest["annotations"],
        json!({
            "farm/look": {
                "names": { "gabp": "farm/look", "aicc": "farm_look", "aicontrol": "farm/look" },
                "class": "sensor",
                "thread": "game",
                "lenient": true,
                "requires": ["farm:read"],
                "timeoutSeconds": 0.5,
                "readOnly": true,
            },
            "farm/sow": {
                "names": { "gabp": "farm/sow", "aicc": "farm_sow", "aicontrol": "farm/sow" },
                "class": "actuator",
                "thread": "game",
                "requires": ["farm:write", "farm:read"],
                "limits": { "perMinute": 60, "perSession": 500 },
                "timeoutSeconds": 1.5,
                "destructive": false,
                "idempotent": true,
            },
            "farm/wait": {
                "names": { "gabp": "farm/wait", "aicc": "farm_wait", "aicontrol": "farm/wait" },
                "class": "actuator",
                "thread": "worker",
            },
        })
    );
    let examples = &manifest["tools"][1]["inputSchema"]["examples"];
    assert_eq!(examples[1], json!({ "what": "oat", "x": 2, "y": 3, "rows": 2 }));
    assert_eq!(examples[2], example());
}

#[test]
fn members_of_a_flattened_argument_are_arguments() {
    let schema = host().manifest()["tools"][1]["inputSchema"].clone();
    let names: Vec<&String> = schema["properties"].as_object().expect("an object").keys().collect();
    assert_eq!(names, ["layer", "rows", "what", "x", "y"]);
    assert_eq!(schema["required"], json!(["what", "x"]));
    assert_eq!(schema["properties"]["x"]["description"], "Tiles to the right.");
    assert_eq!(schema["properties"]["layer"], json!({ "type": "string" }));
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    for (arguments, expected) in [
        (json!({ "what": "rye", "x": 1 }), r#"rye Place { x: 1, y: 0, z: None } 1"#),
        (
            json!({ "what": "rye", "x": 1, "layer": "a", "y": 2 }),
            r#"rye Place { x: 1, y: 2, z: Some("a") } 1"#,
        ),
    ] {
        assert!(validator.is_valid(&arguments));
        assert_eq!(call("farm/sow", arguments), Ok(json!({ "result": expected })));
    }
    // Null stands for what is left out.
    let nulls = json!({ "what": "rye", "x": 1, "y": null, "layer": null });
    assert_eq!(call("farm/sow", nulls), Ok(json!({ "result": "rye Place { x: 1, y: 0, z: None } 1" })));
    let wrong = json!({ "what": "ry", "y": 256, "layer": 1, "z": "a", "place": { "x": 1 } });
    assert!(!validator.is_valid(&wrong));
    assert_eq!(
        problems("farm/sow", wrong),
        [
            "/what: must have at least 3 characters, has 2",
            "/layer: must be a string, found 1",
            "/x: is missing",
            "/y: must be at most 255, found 256",
            "/place: unknown argument, expected one of `what`, `layer`, `x`, `y`, `rows`",
            "/z: unknown argument, expected one of `what`, `layer`, `x`, `y`, `rows`",
        ]
    );
    assert_eq!(
        problems("farm/sow", json!({ "what": "rye", "x": null })),
        ["/x: must be a whole number, found null"]
    );
}

#[test]
fn an_alias_is_read_and_not_shown() {
    // It is another spelling of the name, with which the schema accepts it.
    let schema = host().manifest()["tools"][1]["inputSchema"].clone();
    for (what, rows) in [("what", "rows"), ("crop", "rows"), ("seed", "lines"), ("what", "lines")] {
        for (word, count, fits) in [(json!("rye"), json!(2), true), (json!("ry"), json!(10), false)] {
            let named = json!({ "what": word, "x": 1, "rows": count });
            let spelled = json!({ what: word, "x": 1, rows: count });
            assert_eq!(jsonschema::is_valid(&schema, &named), fits);
            assert_eq!(jsonschema::is_valid(&schema, &spelled), fits && (what, rows) == ("what", "rows"));
            let sown = call("farm/sow", spelled);
            assert_eq!((sown.is_ok(), &sown), (fits, &call("farm/sow", named)));
        }
    }
    let sown = call("farm/sow", json!({ "seed": "rye", "x": 1, "lines": 2 }));
    assert_eq!(sown, Ok(json!({ "result": "rye Place { x: 1, y: 0, z: None } 2" })));
    let twice = json!({ "seed": "rye", "crop": "oat", "x": 1, "rows": 1, "lines": 2 });
    assert_eq!(
        problems("farm/sow", twice),
        [
            "/seed: is given twice, as `crop` and as `seed`",
            "/lines: is given twice, as `rows` and as `lines`"
        ]
    );
}

#[test]
fn a_lenient_tool_ignores_what_it_does_not_know() {
    let schema = host().manifest()["tools"][0]["inputSchema"].clone();
    assert!(!schema.to_string().contains("additionalProperties"), "{schema}");
    let arguments = json!({ "x": 1, "more": 2, "place": { "x": 2, "more": 3 } });
    assert!(jsonschema::is_valid(&schema, &arguments));
    assert_eq!(
        call("farm/look", arguments),
        Ok(json!({ "result": "Some(Place { x: 2, y: 0, z: None }) Place { x: 1, y: 0, z: None }" }))
    );
    assert_eq!(problems("farm/look", json!({ "X": 1 })), ["/x: is missing"]);
}

/// What only shows when the schemas are there.
mod defects {
    use super::*;

    struct Broken;

    #[derive(Deserialize, JsonSchema)]
    enum Either {
        #[expect(dead_code, reason = "only its schema matters")]
        Left(u8),
    }

    type Maybe = Option<Place>;

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema matters")]
    struct Wait {
        timeout: Option<f32>,
        #[serde(rename = "timeoutMs")]
        limit: Option<u32>,
    }

    /// A state of its own keeps it away from the other tests.
    #[tool("defect/flatten")]
    #[expect(clippy::too_many_arguments, reason = "each has another defect")]
    fn flatten(
        _: &Broken,
        #[arg(flatten)] either: Either,
        #[arg(flatten)] maybe: Maybe,
        #[arg(flatten)] value: Value,
        #[arg(flatten)] place: Place,
        y: u8,
        #[arg(alias = "layer")] level: u8,
        #[arg(flatten)] wait: Wait,
    ) {
        let _ = (either, maybe, value, place, y, level, wait);
    }

    /// Examples that are none.
    #[tool("defect/examples", examples = [1, { "cuont": 1 }, { "count": 300 }, { "count": 3 }])]
    fn examples(_: &Broken, count: u8) {
        let _ = count;
    }

    #[test]
    fn are_told_by_the_builder() {
        let built = Host::<Broken>::builder("Broken", "1").tools(registered()).build();
        let Err(BuildError::Setting(text)) = built else { panic!("it was built") };
        for part in [
            "the tool `defect/flatten` at tests/tests/tools_keys.rs:",
            "the argument `either` has `flatten`, and its type is no struct with named fields",
            "the argument `maybe` is an `Option`, which `flatten` does not go with",
            "the argument `value` has `flatten`, and its type",
            "two arguments are named `y`; rename one",
            "the argument `timeout` is no whole number, as bridges expect of that name",
            "`layer` is the name of one argument and an alias of another",
            "the example 1: must be an object, with a member for each argument",
            "the example 2: /count: is missing; /cuont: unknown argument, did you mean `count`?",
            "the example 3: /count: must be at most 255, found 300",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("the example 4") && !text.contains("timeoutMs"), "{text}");
        // Each is named once.
        let tools = text.matches("the tool `").count();
        let names: BTreeSet<&str> =
            text.split("the tool `").skip(1).filter_map(|rest| rest.split('`').next()).collect();
        assert_eq!(tools, names.len(), "{text}");
    }
}

/// Tools that come and go while the game runs.
mod run_time {
    use super::*;

    struct World;

    /// Looks.
    #[tool("world/look")]
    fn look(_: &World) {}

    /// Spawns.
    #[tool("world/spawn")]
    fn spawn(_: &World) {}

    /// Has the name of another where a protocol knows no slash.
    #[tool("world_look/again")]
    fn look_again(_: &World) {}

    /// Has that name.
    #[tool("world/look_again")]
    fn again(_: &World) {}

    const ALL: [&str; 3] = ["world/look", "world/spawn", "world_look/again"];

    fn names(host: &Host<World>) -> Vec<String> {
        let manifest = host.manifest();
        let tools = manifest["tools"].as_array().expect("a list");
        tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn tools_come_and_go() {
        let builder = Host::<World>::builder("World", "1").tools(registered().only(["world/look"]));
        let host = builder.build().expect("no names meet");
        assert_eq!(names(&host), ["world/look"]);
        host.add_tools(registered().only(["world/spawn", "world_look/again"])).expect("no names meet");
        assert_eq!(names(&host), ALL);

        // All or none.
        let more = registered().only(["world/look_again", "farm/wait"]);
        let Err(BuildError::Clashes(clashes)) = host.add_tools(more) else { panic!("it was added") };
        assert_eq!(clashes[0].meet_as, "world_look_again");
        assert_eq!(names(&host), ALL);

        assert!(host.disable_tool("world/spawn") && !host.disable_tool("world/spwan"));
        assert_eq!(names(&host), ["world/look", "world_look/again"]);
        let error = host.call(&mut World, "world/spawn", json!({})).expect_err("it is disabled");
        assert_eq!(error.kind(), ToolErrorKind::NotFound);
        assert!(!error.message().contains("did you mean `world/spawn`"), "{error}");
        // Its name is not free.
        assert!(host.add_tools(registered().only(["world/spawn"])).is_err());
        assert!(host.enable_tool("world/spawn"));
        assert!(host.call(&mut World, "world/spawn", json!({})).is_ok());

        assert!(host.remove_tool("world_look/again") && !host.remove_tool("world_look/again"));
        assert!(!host.enable_tool("world_look/again"));
        host.add_tools(registered().only(["world/look_again"])).expect("the name is free now");
        assert!(host.call(&mut World, "world/look_again", json!({})).is_ok());
    }

    #[test]
    fn a_name_to_choose_must_be_there() {
        let misspelled = registered().except(["world_look/again"]).only(["world/lok", "world_look/again"]);
        let built = Host::<World>::builder("World", "1").tools(misspelled).build();
        let Err(BuildError::Setting(text)) = built else { panic!("it was built") };
        assert_eq!(
            text,
            "there is no tool `world/lok` to choose, did you mean `world/look`?; there is no tool \
             `world_look/again` to choose, did you mean `world/look_again`?"
        );
    }
}
