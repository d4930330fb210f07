use ludwire::tool;
use std::borrow::Cow;

/// Says.
#[tool("chat/say")]
fn say(text: &mut str, parts: &mut [String], count: &u32, names: Vec<&str>, rest: Cow<'_, str>, all: &Vec<u32>) {
    let _ = (text, parts, count, names, rest, all);
}

/// Says for ever.
#[tool("chat/forever")]
fn forever(text: &'static str, more: Option<&'static [u8]>, deep: &[&str]) {
    let _ = (text, more, deep);
}

fn main() {}
