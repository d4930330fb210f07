use ludwire::tool;
use std::fmt::Display;
use std::num::ParseIntError;

/// Counts.
#[tool("unit/count")]
fn count(text: &str) -> Result<u32, ParseIntError> {
    text.parse()
}

/// Shows.
#[tool("unit/show")]
fn show() -> Result<Box<dyn Display>, String> {
    Ok(Box::new(1))
}

fn main() {}
