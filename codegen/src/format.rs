//! From tokens to the text of a Rust file, with its header.
