//! Arguments that a tool borrows.
#![deny(warnings)]

use ludwire::{Call, Host, tool};
use serde_json::json;

struct World(Vec<String>);

type Item = u8;

const NAME: &str = "nobody";

/// Says.
#[tool("chat/say")]
fn say(
    world: &mut World,
    /// What to say.
    #[arg(len = 1..=20, pattern = "^[a-z ]+$")]
    text: &str,
    bytes: &[u8],
    _call: &Call,
    #[arg(default = NAME)] name: &str,
    #[arg(default = "all")] to: &str,
    #[arg(default = &["x".to_owned()])] tags: &[String],
    mood: Option<&str>,
    #[arg(len = ..3)] items: Option<&[Item]>,
) -> usize {
    world.0.push(format!("{text} {bytes:?} {name} {to} {tags:?} {mood:?} {items:?}"));
    world.0.len()
}

macro_rules! lend {
    ($ty:ty, $of:ty) => {
        /// Lends.
        #[tool("chat/lend")]
        fn lend(a: &$of, b: $ty) -> String {
            format!("{a}{b:?}")
        }
    };
}
lend!(Option<&[u32]>, str);

fn main() {
    let host = Host::builder("borrowed", "1").tools(ludwire::registered()).build().expect("no names meet");
    let mut world = World(Vec::new());
    host.call(&mut world, "chat/say", json!({ "text": "hello", "bytes": [1, 2] })).expect("it succeeds");
    let all = json!({
        "text": "hi", "bytes": [], "name": "n", "to": "t", "tags": [], "mood": "m", "items": [3],
    });
    host.call(&mut world, "chat/say", all).expect("it succeeds");
    assert_eq!(
        world.0,
        [r#"hello [1, 2] nobody all ["x"] None None"#, r#"hi [] n t [] Some("m") Some([3])"#]
    );
    let wrong = json!({ "text": "Hello", "bytes": [256], "items": [1, 2, 3] });
    let error = host.call(&mut world, "chat/say", wrong).expect_err("the arguments are wrong");
    assert_eq!(error.problems().len(), 3, "{error}");
    let lent = host.call(&mut world, "chat/lend", json!({ "a": "x", "b": [1] })).expect("it succeeds");
    assert_eq!(lent, json!({ "result": "xSome([1])" }));
}
