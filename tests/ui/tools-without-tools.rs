use ludwire::tools;

struct World;

#[tools]
impl World {
    fn look(&self) {}
}

fn main() {
    World.look();
}
