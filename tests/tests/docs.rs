//! What agents would miss is told: in the game's log, or by the compiler.

use ludwire::{AiControl, Host, registered, state, tool};
use ludwire_tests::workspace;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

struct World;

/// Looks.
#[tool("docs/silent")]
fn silent(_: &World, x: u32, y: u32) {
    let _ = (x, y);
}

/// Looks.
#[tool("docs/loud")]
fn loud(
    _: &World,
    /// To the right.
    x: u32,
) {
    let _ = x;
}

#[doc = concat!("Looks at everything that is there to be looked at, from the left to the right, from the ",
    "top to the bottom, and then once more, with more care. It helps.")]
#[tool("docs/long")]
fn long(_: &World) {}

/// The warnings while `work` runs.
fn warnings(work: impl FnOnce()) -> Vec<String> {
    ludwire_tests::log::said("WARN", work)
}

#[test]
fn one_warning_a_tool() {
    let said = warnings(|| {
        Host::<World>::builder("Docs", "1").tools(registered()).build().expect("no names meet");
    });
    assert_eq!(said.len(), 2, "{said:#?}");
    assert!(
        said[0].contains("the tool `docs/long` at tests/tests/docs.rs:")
            && said[0]
                .ends_with("the first sentence has 142 bytes, of which agents that see many tools see 137"),
        "{said:#?}"
    );
    assert!(
        said[1].contains("the tool `docs/silent` at tests/tests/docs.rs:")
            && said[1].ends_with(": write a doc comment on `x`, `y`"),
        "{said:#?}"
    );
}

/// A state of its own, so that no other host has its tool.
struct Plane;

/// Aims.
#[tool("plane/aim")]
fn aim(
    _: &Plane,
    /// To the right.
    x: f32,
    /// Which way.
    #[arg(rename = "type")]
    way: String,
    /// Down.
    y: u32,
) {
    let _ = (x, way, y);
}

#[test]
fn what_ai_control_cannot_give_is_told() {
    let said = warnings(|| {
        let builder = Host::<Plane>::builder("Docs", "1").tools(registered().only(["plane/aim"]));
        builder.serve(AiControl::on(0).without_token()).start().expect("it starts");
    });
    let expected = [
        "over AiControl the argument `type` cannot be given: it is the name of the tool tool=\"plane/aim\"",
        "over AiControl the argument `x` can only be given as integer, which the protocol wants there tool=\"plane/aim\"",
    ];
    let ours: Vec<&String> = said.iter().filter(|line| line.contains("over AiControl")).collect();
    assert_eq!(ours.len(), 2, "{said:#?}");
    for (line, expected) in ours.into_iter().zip(expected) {
        assert!(line.ends_with(expected), "{line}");
    }
}

#[test]
fn no_tools_are_a_warning() {
    let said = warnings(|| {
        Host::<World>::builder("Docs", "1").build().expect("nothing is wrong");
    });
    assert!(said.len() == 1 && said[0].contains("the host has no tools"), "{said:#?}");
}

struct Shop {
    gold: u32,
}

/// What it owns.
#[state("shop/gold")]
fn gold(shop: &Shop, player_id: Option<u32>) -> u32 {
    shop.gold + player_id.unwrap_or_default()
}

#[doc = concat!("Nobody reads what stands here, neither people nor agents, so that it may be as long as it ",
    "likes to be, which is longer than the first sentence of what agents read.")]
#[state("shop/gold", write)]
fn set_gold(shop: &mut Shop, player_id: Option<u32>, gold: u32) {
    shop.gold = gold - player_id.unwrap_or_default();
}

#[test]
fn the_value_of_a_state_is_an_argument_too() {
    let said = warnings(|| {
        let builder = Host::<Shop>::builder("Docs", "1").tools(registered());
        builder.build().expect("nothing is wrong");
    });
    let said: Vec<String> = said.into_iter().filter(|line| !line.contains("the host has no tools")).collect();
    assert_eq!(said.len(), 1, "{said:#?}");
    let begin = "the function that sets the state `shop/gold` at tests/tests/docs.rs:";
    assert!(said[0].contains(begin) && said[0].ends_with(": write a doc comment on `gold`"), "{said:#?}");
}

struct Nothing;

#[test]
fn what_works_on_another_state_is_told() {
    let build = |level| {
        ludwire_tests::log::said(level, || {
            Host::<World>::builder("Docs", "1").tools(registered()).build().expect("no names meet");
        })
    };
    let said = build("INFO");
    assert_eq!(said.len(), 2, "{said:#?}");
    for (line, kind, state, name) in
        [(&said[0], "state", "Shop", "shop/gold"), (&said[1], "tool", "Plane", "plane/aim")]
    {
        let words = format!(
            "1 {kind} works on `docs::{state}`, this host is of `docs::World`: {name} at tests/tests/docs.rs:"
        );
        assert!(line.contains(&words), "{said:#?}");
    }
    // Where nothing is left, that is why.
    let said = warnings(|| {
        Host::<Nothing>::builder("Docs", "1").tools(registered()).build().expect("nothing is wrong");
    });
    assert_eq!(said.len(), 1, "{said:#?}");
    let words =
        "3 tools work on `docs::World`, this host is of `docs::Nothing`: docs/long at tests/tests/docs.rs:";
    assert!(said[0].contains("the host has no tools; ") && said[0].contains(words), "{said:#?}");
    // Whoever asks for one by name is told so.
    let chosen = Host::<Nothing>::builder("Docs", "1").tools(registered().only(["plane/aim"])).build();
    let told = chosen.expect_err("it is of a plane").to_string();
    assert!(told.starts_with("the tool `plane/aim` at tests/tests/docs.rs:"), "{told}");
    assert!(told.ends_with(" works on `docs::Plane`, and this host is of `docs::Nothing`"), "{told}");
}

const GAME: &str = r#"//! A game whose tools must be described.
use ludwire::{tool, tools};

/// The state.
pub struct World;

/// Looks.
#[tool("docs/loud")]
pub fn loud(
    /// To the right.
    x: u32,
    #[arg(flatten)] more: More,
) {
    let _ = (x, more);
}

/// More arguments.
#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct More {
    /// Downwards.
    pub y: u32,
}

#[tools]
impl World {
    /// Looks.
    #[tool("docs/method")]
    pub fn method(&self) {}
}
"#;

/// A game with three mistakes, and what must be said of each.
const MISTAKES: &str = r#"
/// Looks.
#[tool("docs/silent")]
pub fn silent(deep: u32) {
    let _ = deep;
}

#[ludwire::state("docs/value", write)]
pub fn set(_: &mut World, player_id: u32, value: u32) {
    let _ = (player_id, value);
}

/// Looks at everything that is there to be looked at, from the left to the right, from the top to the
/// bottom, and then once more, with more care.
#[tool("docs/long")]
pub fn long() {}
"#;

/// The feature `require-docs` is for a whole program, so it has a program of its own.
#[test]
fn docs_can_be_required() {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from);
    let target = target.join("suite");
    let root = target.join("require_docs");
    fs::create_dir_all(root.join("src")).expect("it is writable");
    let write = |path: &str, text: &str| fs::write(root.join(path), text).expect("it is writable");
    let runtime = serde_json::to_string(&workspace().join("runtime")).expect("paths are texts");
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"require_docs\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\nludwire = {{ path = {runtime}, features = [\"require-docs\"] }}\n\
             schemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n"
        ),
    );
    fs::copy(workspace().join("Cargo.lock"), root.join("Cargo.lock")).expect("it is writable");
    let check = |game: &str| {
        write("src/lib.rs", game);
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["check", "--offline", "--quiet"])
            .current_dir(&root)
            .env("CARGO_TARGET_DIR", target.join("target"))
            .env_remove("RUSTFLAGS")
            .output()
            .expect("cargo starts");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (succeeds, text) = check(GAME);
    assert!(succeeds, "{text}");
    let (succeeds, text) = check(&format!("{GAME}{MISTAKES}"));
    assert!(!succeeds, "{text}");
    for words in [
        "agents choose the value by its description: write a doc comment, `/// …`, on `deep`",
        "agents choose the value by its description: write a doc comment, `/// …`, on `value`",
        "the first sentence of a description has at most 137 bytes",
        "/// Looks at everything that is there",
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(text.matches("\nerror").count() + usize::from(text.starts_with("error")), 4, "{text}");
}
