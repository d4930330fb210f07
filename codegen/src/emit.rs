//! Emitters: each knows the intermediate representation and nothing else, and returns files.

pub mod docs;
#[cfg(feature = "generator")]
pub mod rust;
