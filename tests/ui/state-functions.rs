use ludwire::state;

struct World;

/// The player.
#[state("player")]
fn no_return(_: &World) {}

/// The player.
#[state("player")]
fn argument(_: &World, id: u32) -> u32 {
    id
}

#[state("player", write)]
fn no_value(_: &mut World) {}

#[state("player", write)]
fn two_values(_: &mut World, name: String, hp: u32) {
    let _ = (name, hp);
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Player {}

#[state("player", write)]
fn flat(_: &mut World, #[arg(flatten)] player: Player) {
    let _ = player;
}

/// The player.
#[state("player")]
async fn asynchronous() -> u32 {
    0
}

#[state("player", write)]
async fn asynchronous_write(_: &mut World, player: u32) {
    let _ = player;
}

#[state("player")]
fn silent() -> u32 {
    0
}

fn main() {}
