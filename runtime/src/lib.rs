//! Lets a Rust game be played, tested and debugged by AI agents.

pub use ludwire_protocols as protocols;
