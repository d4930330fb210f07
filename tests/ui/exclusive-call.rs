use ludwire::{Call, tool};

type Context = Call;

/// Waits.
#[tool("world/wait")]
fn wait(context: &mut Context) {
    let _ = context;
}

fn main() {}
