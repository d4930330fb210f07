use ludwire::tool;

/// Looks.
#[tool("world/look")]
fn look(#[cfg(unix)] depth: u32, #[cfg_attr(all(), arg(default = 1))] width: u32) {
    let _ = (depth, width);
}

fn main() {}
