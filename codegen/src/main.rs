//! The command line of the generator.
fn main() {}
