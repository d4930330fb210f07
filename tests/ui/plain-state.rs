use ludwire::tool;

/// Counts.
#[tool("gold/count")]
fn count(gold: &mut u32) {
    *gold += 1;
}

/// Names.
#[tool("gold/name")]
fn name(name: &mut String, of: &u32) {
    *name = of.to_string();
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
fn swap(pair: &mut (u32, u32)) {
    *pair = (pair.1, pair.0);
}

fn main() {}
