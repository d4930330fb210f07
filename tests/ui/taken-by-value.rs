use ludwire::{Call, Res, tool};

type Context = Call;

struct World;

/// Looks.
#[tool("world/look")]
fn look(call: Call) {
    let _ = call;
}

/// Looks under another name.
#[tool("world/look_on")]
async fn look_on(context: Context) {
    let _ = context;
}

/// Counts.
#[tool("world/count")]
fn count(words: Res<Vec<u32>>) -> usize {
    words.len()
}

/// Changes.
#[tool("world/change")]
fn change(world: World) {
    let _ = world;
}

fn main() {}
