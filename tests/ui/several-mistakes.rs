use ludwire::tool;

// All of these are told at once, and the call in `main` still finds the function.
#[tool("spawn", clas = sensor)]
fn spawn(#[arg(range = 5..=1)] hp: u32, name: &str) -> u32 {
    let _ = name;
    hp
}

fn main() {
    let hp: u32 = spawn(1, "orc");
    let _ = hp;
}
