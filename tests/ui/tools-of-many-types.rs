use ludwire::tools;

trait Look {
    fn look(&self);
}

struct World;

#[tools]
impl Look for World {
    /// Looks.
    #[tool("world/look")]
    fn look(&self) {}
}

struct Pair<T>(T, T);

#[tools]
impl<T: Copy> Pair<T> {
    /// Looks.
    #[tool("pair/look")]
    fn look(&self) {}
}

struct Lent<'a>(&'a str);

#[tools]
impl Lent<'_> {
    /// Looks.
    #[tool("lent/look")]
    fn look(&self) {}
}

fn main() {
    World.look();
    Pair(1, 2).look();
    Lent("a").look();
}
