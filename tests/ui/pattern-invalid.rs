use ludwire::tool;

/// Says.
#[tool("chat/say")]
fn say(#[arg(pattern = "^[a-z+$")] text: String, #[arg(pattern = "(?<=a")] word: String) {
    let _ = (text, word);
}

fn main() {}
