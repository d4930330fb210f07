use ludwire::tool;

type Gold = u32;
type Pair = (u32, u32);

/// Counts.
#[tool("gold/count")]
fn count(gold: &mut u32) {
    *gold += 1;
}

/// Counts under another name.
#[tool("gold/recount")]
fn recount(gold: &mut Gold) {
    *gold += 1;
}

/// Names.
#[tool("gold/name")]
fn name(name: &mut String) {
    name.clear();
}

/// Looks.
#[tool("gold/look")]
fn look(of: &Gold) -> u32 {
    *of
}

/// Adds.
#[tool("gold/add")]
fn add(all: &mut Vec<u32>) {
    all.push(1);
}

/// Takes.
#[tool("gold/take")]
fn take(one: &mut Option<u32>) {
    *one = None;
}

/// Swaps.
#[tool("gold/swap")]
fn swap(pair: &mut Pair) {
    *pair = (pair.1, pair.0);
}

/// Fills.
#[tool("gold/fill")]
fn fill(all: &mut [u32; 2]) {
    *all = [1, 1];
}

/// Refers.
#[tool("gold/refer")]
fn refer(all: &&u32) -> u32 {
    **all
}

fn main() {}
