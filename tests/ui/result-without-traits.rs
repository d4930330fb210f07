use ludwire::{ToolError, tool};
use serde::Serialize;

struct Point;

#[derive(Serialize)]
struct Size(u32);

/// Where.
#[tool("unit/where")]
fn place() -> Point {
    Point
}

/// How large.
#[tool("unit/size")]
fn size() -> Result<Size, ToolError> {
    Ok(Size(1))
}

fn main() {}
