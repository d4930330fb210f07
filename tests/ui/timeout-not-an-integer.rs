use ludwire::tool;

type Seconds = f64;

/// Waits.
#[tool("world/wait")]
fn wait(timeout: Seconds, #[arg(rename = "timeoutMs")] limit: Option<&str>) {
    let _ = (timeout, limit);
}

/// Is right.
#[tool("world/wait_right")]
fn wait_right(#[arg(default = 3)] timeout: u32, #[arg(rename = "timeoutMs")] limit: Option<u32>) {
    let _ = (timeout, limit);
}

fn main() {}
