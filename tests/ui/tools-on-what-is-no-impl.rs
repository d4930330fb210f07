use ludwire::tools;

/// Looks.
#[tools]
fn look() {}

/// A world.
#[tools]
#[derive(Clone)]
pub(crate) struct World;

fn main() {
    look();
    let _ = World;
}
