//! All Rust names.
