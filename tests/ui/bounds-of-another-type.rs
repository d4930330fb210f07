use ludwire::tool;

/// Says.
#[tool("chat/say")]
fn say(
    #[arg(range = 1..=200)] text: String,
    #[arg(len = 1..=200)] count: Option<u32>,
    #[arg(pattern = "^a$")] loud: bool,
    #[arg(range = 1..=3)] list: Vec<u32>,
    #[arg(range = -1..=3)] small: u8,
    #[arg(range = 0..=300)] byte: u8,
) {
    let _ = (text, count, loud, list, small, byte);
}

fn main() {}
