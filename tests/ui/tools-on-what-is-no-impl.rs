use ludwire::tools;

/// Looks.
#[tools]
fn look() {}

#[tools]
struct World;

fn main() {
    look();
    let _ = World;
}
