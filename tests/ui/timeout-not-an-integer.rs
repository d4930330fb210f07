use ludwire::tool;

/// Waits.
#[tool("world/wait")]
fn wait(timeout: f32, #[arg(rename = "timeoutMs")] patience: Option<String>) {
    let _ = (timeout, patience);
}

/// Waits, too.
#[tool("world/wait_well")]
fn wait_well(timeout: Option<u64>, #[arg(rename = "timeoutMs")] patience: u32) {
    let _ = (timeout, patience);
}

fn main() {}
