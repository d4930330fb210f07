use ludwire::tool;
use std::rc::Rc;

/// Keeps something that stays on its thread.
#[tool("world/wait")]
async fn wait() {
    let kept = Rc::new(1);
    std::future::ready(()).await;
    drop(kept);
}

fn main() {}
