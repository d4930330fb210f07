use ludwire::{Res, tool};
use std::cell::Cell;

struct Count(Cell<u32>);

/// Counts.
#[tool("res/count")]
fn count(count: &Res<Count>) -> u32 {
    count.0.get()
}

/// Takes it for itself.
#[tool("res/take")]
fn take(word: &mut Res<String>) {
    let _ = word;
}

fn main() {}
