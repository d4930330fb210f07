//! Tests that need more than one package stand in `tests/`; this library is what they share.

pub mod suite;
