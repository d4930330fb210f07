//! Errors of any type, in a box.

use ludwire::tool;
use std::error::Error;

type Fallible<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Counts.
#[tool("unit/count")]
fn count(text: &str) -> Result<u32, Box<dyn Error>> {
    Ok(text.parse()?)
}

/// Counts later.
#[tool("unit/count_later")]
async fn count_later(text: String) -> Fallible<u32> {
    Ok(text.parse()?)
}

fn main() {}
