use ludwire::tool;

/// Looks.
#[tool("world/look")]
fn look(#[cfg(unix)] depth: u32) {
    let _ = depth;
}

fn main() {}
