use ludwire::state;

/// The player.
#[state]
fn the_player() -> u32 {
    0
}

/// The player.
#[state("The Player")]
fn capitals() -> u32 {
    0
}

/// The player.
#[state(name = "player")]
fn key() -> u32 {
    0
}

/// The player.
#[state("player", writes)]
fn unknown() -> u32 {
    0
}

/// The player.
#[state("player", write = set_player)]
fn value() -> u32 {
    0
}

#[state("player", write, number)]
fn number(player: u64) {
    let _ = player;
}

fn set_player() {}

fn main() {
    set_player();
}
