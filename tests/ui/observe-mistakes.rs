use ludwire::observe;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Seen {}

#[observe("world")]
fn named() -> Seen {
    Seen {}
}

#[observe]
fn argument(range: u32) -> Seen {
    let _ = range;
    Seen {}
}

#[observe]
fn nothing() {}

#[observe]
async fn asynchronous() -> Seen {
    Seen {}
}

#[observe(numbers)]
fn unknown() -> Seen {
    Seen {}
}

fn main() {}
