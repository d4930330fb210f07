use ludwire::tool;
use std::borrow::Cow;

/// Says.
#[tool("chat/say")]
fn say(text: &str, parts: &[String], count: &u32, name: Option<&str>, rest: Cow<'_, str>, all: &Vec<u32>) {
    let _ = (text, parts, count, name, rest, all);
}

fn main() {}
